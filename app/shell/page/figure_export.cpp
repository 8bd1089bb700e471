// Module.figure of start.js: a figure of a link, made in the page that is open, with the texts that it has.

#include "shell/page/browser.h"
#include "shell/page/figure_call.h"

#include <string>

#include <emscripten.h>

namespace lanescope::shell::page {
namespace {

/// SVG, or "error: " and a sentence.
std::string figure_text(const FigureRequest& request) {
  pipeline::Options options;
  options.assets = "/assets";
  options.kernels = "/kernels";
  options.threads = 1;
  options.asks_above.reset();  // nobody can be asked
  if (prefers_french()) options.language = Language::French;
  const auto svg = drawn_figure(options, request);
  return svg ? *svg : "error: " + describe(svg.error());
}

}  // namespace
}  // namespace lanescope::shell::page

/// Valid until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* lanescope_figure(const char* figure, const char* link,
                                                             float width, float height, int is_dark) {
  using namespace lanescope;
  static std::string text;
  try {
    text = shell::page::figure_text(
        {figure, link, {width, height}, is_dark != 0 ? plot::Theme::Dark : plot::Theme::Light});
  } catch (const std::exception& exception) {
    text = std::string("error: ") + exception.what();
  }
  return text.c_str();
}
