// Formats the text that printf in a kernel writes. Method: a format is cut into plain text and conversions;
// each conversion is checked and handed to the C library alone, with its argument from the buffer that the
// compiler filled. Source: CUDA C++ Programming Guide, "Formatted Output"; C17, 7.21.6.1. Tests:
// tests/unit/emulator/print_test.cpp

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::emulator {

/// Gives the next `bytes` (4 or 8) of the arguments, each at a multiple of its size.
class PrintArguments {
 public:
  /// `read(offset, bytes)` gives bytes of the buffer, absent where there are none.
  explicit PrintArguments(std::function<std::optional<uint64_t>(uint64_t, uint32_t)> read)
      : read_(std::move(read)) {}
  std::optional<uint64_t> next(uint32_t bytes);
  int taken() const { return taken_; }

 private:
  std::function<std::optional<uint64_t>(uint64_t, uint32_t)> read_;
  uint64_t offset_ = 0;
  int taken_ = 0;
};

/// Text of one printf, cut at 64 KiB. `string_at(address)` reads the string that %s points to. An invalid
/// conversion stays in the text as it is in the format.
std::string format_print(std::string_view format, PrintArguments& arguments,
                         const std::function<std::string(uint64_t)>& string_at);

}  // namespace lanescope::emulator
