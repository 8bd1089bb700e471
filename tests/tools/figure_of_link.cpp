// The figure of a link, as a page makes it without its window. Usage: node figure_of_link.js PROJECT
// FIGURE LINK [WIDTH HEIGHT [FORMAT]], with ".svg", ".pdf" or ".png"; tests/page/figure_test.py runs it. Exit
// status 1 and a sentence for what there is not.

#include "shell/page/figure_call.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

int main(int count, char** words) {
  using namespace lanescope;
  if (count != 4 && count != 6 && count != 7) return 2;
  pipeline::Options options;
  options.assets = std::filesystem::path(words[1]) / "assets";
  options.kernels = std::filesystem::path(words[1]) / "kernels";
  options.threads = 1;
  options.asks_above.reset();
  shell::page::FigureRequest request{.figure = words[2], .link = words[3]};
  if (count >= 6) request.size = {std::strtof(words[4], nullptr), std::strtof(words[5], nullptr)};
  if (count == 7) request.format = words[6];
  const auto bytes = shell::page::drawn_figure(options, request);
  if (!bytes) {
    fmt::print(stderr, "{}\n", describe(bytes.error()));
    return 1;
  }
  std::fwrite(bytes->data(), 1, bytes->size(), stdout);
  return 0;
}
