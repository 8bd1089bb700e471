// The figure of a link as SVG, as a page makes it without its window. Usage: node figure_of_link.js PROJECT
// FIGURE LINK [WIDTH HEIGHT]; tests/page/figure_test.py runs it. Exit status 1 and a sentence for what there
// is not.

#include "shell/page/figure_call.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

int main(int count, char** words) {
  using namespace lanescope;
  if (count != 4 && count != 6) return 2;
  pipeline::Options options;
  options.assets = std::filesystem::path(words[1]) / "assets";
  options.kernels = std::filesystem::path(words[1]) / "kernels";
  options.threads = 1;
  options.asks_above.reset();
  shell::page::FigureRequest request{.figure = words[2], .link = words[3]};
  if (count == 6) request.size = {std::strtof(words[4], nullptr), std::strtof(words[5], nullptr)};
  const auto svg = shell::page::figure_svg(options, request);
  if (!svg) {
    fmt::print(stderr, "{}\n", describe(svg.error()));
    return 1;
  }
  fmt::print("{}", *svg);
  return 0;
}
