// Any bytes as the command-line arguments of a launch: a line each for grid, block and every argument. The
// result is a valid launch, or an error with a message. Method: libFuzzer's entry point; used by launch_fuzz
// and by the replay.

#include "launch/argument_spec.h"
#include "launch/contents.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace lanescope;

/// Stops the program so that libFuzzer and the replay notice it.
void demand(bool holds) {
  if (!holds) std::abort();
}

/// The product of the numbers in brackets: how many elements a buffer has.
double elements_of(std::string_view spec) {
  const size_t open = spec.find('['), close = spec.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return 0;
  double product = 1, number = 0;
  for (const char c : spec.substr(open + 1, close - open)) {
    if (c >= '0' && c <= '9') {
      number = number * 10 + (c - '0');
    } else {
      product *= number;
      number = 0;
    }
  }
  return product;
}

/// Whether the spec would fill this machine's memory, or read its files. Sizes beyond the program's limit are
/// refused before allocation and need no such check.
bool is_left_out(std::string_view spec) {
  const double elements = elements_of(spec);
  return spec.find("file(") != std::string_view::npos ||
         (elements > 1e5 && elements <= static_cast<double>(launch::kMaximumBufferBytes));
}

void check_launch(const launch::Launch& launch) {
  for (const launch::Buffer& buffer : launch.buffers) {
    uint64_t count = 1;
    for (const uint64_t extent : buffer.shape) count *= extent;
    demand(buffer.initial != nullptr && buffer.initial->size() == count * size_bytes(buffer.type));
  }
  for (const launch::Argument& argument : launch.arguments) {
    if (const auto* buffer = std::get_if<launch::BufferArgument>(&argument))
      demand(buffer->buffer < launch.buffers.size());
    else if (const auto* image = std::get_if<launch::ImageArgument>(&argument))
      demand(image->image < launch.images.size());
    else
      demand(!std::get<launch::Value>(argument).bytes.empty());
  }
  const auto checked = launch::check(launch);
  demand(checked.has_value() || !checked.error().message.empty());
}

template <class T>
void demand_message(const Result<T>& result) {
  demand(result.has_value() || !result.error().message.empty());
}

}  // namespace

// libFuzzer defines this name.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data,  // NOLINT(readability-identifier-naming)
                                      size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  launch::Launch launch;
  int line = 0;
  for (size_t at = 0; at < text.size() && line < 32; ++line) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (line < 2) {
      const auto extent = launch::parse_dim3(word);
      demand_message(extent);
      if (extent) (line == 0 ? launch.grid : launch.block) = *extent;
    } else if (!is_left_out(word)) {
      demand_message(launch::add_argument(launch, word));
    }
  }
  check_launch(launch);
  return 0;
}
