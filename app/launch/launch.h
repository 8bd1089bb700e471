// A kernel launch: grid, block, buffers, arguments. The same input for both producers. Tests:
// tests/unit/launch/*

#pragma once

#include "base/dim3.h"
#include "base/error.h"
#include "launch/bytes.h"
#include "launch/element_type.h"
#include "launch/image.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lanescope::launch {

/// Initial contents of a buffer, shared between runs: a run copies the buffers that it may change.
using Contents = std::shared_ptr<const Bytes>;

struct Buffer {
  std::string name;  // "in", "out"; may be empty
  ElementType type = ElementType::F32;
  std::vector<uint64_t> shape;  // [rows][columns] or [count]: slowest first
  Contents initial;             // size is the buffer's size
  bool has_contents = true;     // false: uninitialized; the bytes of `initial` are meaningless
  /// Of the pattern that the parts of `initial` hold which are uninitialized
  /// (emulator/memory/fresh_memory.h); 0: all of it is initialized.
  uint32_t pattern_key = 0;
};

/// An address in a buffer, which is given by its index in Launch::buffers.
struct BufferArgument {
  uint32_t buffer = 0;
  uint64_t offset_bytes = 0;
  bool operator==(const BufferArgument&) const = default;
};
/// A scalar or a struct by value, little-endian bytes as the kernel's parameter space holds them.
struct Value {
  /// A field of 8 bytes that holds an address.
  struct Pointer {
    uint32_t at = 0;  // its offset in `bytes`, which have zeros there
    BufferArgument to;
    bool operator==(const Pointer&) const = default;
  };
  std::vector<std::byte> bytes;
  std::optional<ElementType> type = std::nullopt;  // absent if given as plain bytes or as a struct
  std::vector<Pointer> pointers = {};
  std::string name = {};  // "n"; may be empty
  bool operator==(const Value&) const = default;
};
/// The handle of a texture or surface object, by its index in Launch::images.
struct ImageArgument {
  uint32_t image = 0;
  bool operator==(const ImageArgument&) const = default;
};
using Argument = std::variant<Value, BufferArgument, ImageArgument>;

/// The bytes of an argument in the kernel's parameter space. `address_of(buffer)` is where a buffer begins,
/// `handle_of(image)` the handle of a texture or surface.
template <class F, class G>
std::vector<std::byte> parameter_bytes(const Argument& argument, F&& address_of, G&& handle_of) {
  const auto* const value = std::get_if<Value>(&argument);
  std::vector<std::byte> bytes = value != nullptr ? value->bytes : std::vector<std::byte>(sizeof(uint64_t));
  const auto put = [&](size_t at, const BufferArgument& to) {
    const uint64_t address = address_of(to.buffer) + to.offset_bytes;
    std::memcpy(bytes.data() + at, &address, sizeof address);
  };
  if (const auto* const buffer = std::get_if<BufferArgument>(&argument)) put(0, *buffer);
  if (const auto* const image = std::get_if<ImageArgument>(&argument)) {
    const uint64_t handle = handle_of(image->image);
    std::memcpy(bytes.data(), &handle, sizeof handle);
  }
  if (value != nullptr)
    for (const Value::Pointer& pointer : value->pointers) put(pointer.at, pointer.to);
  return bytes;
}

/// What a __constant__ or __device__ variable holds before the launch, in place of its own initial value.
struct Variable {
  std::string name;   // as in the source: "table", "a::table"; or as in the PTX
  Contents contents;  // the beginning of the variable; the rest stays as it is
  bool operator==(const Variable&) const = default;
};

struct Launch {
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  std::vector<Buffer> buffers;
  std::vector<Image> images = {};
  std::vector<Argument> arguments;   // [kernel parameter]
  std::vector<Variable> variables;   // those that the kernel does not use are ignored
  std::optional<Dim3> cluster = {};  // that the launch asks for; absent: the kernel's own
};

/// Shared memory of a block: 227 KB on compute capability 9.0 and 10.0, less on all others. A kernel may
/// declare 48 KB of it statically on any device; more is dynamic. Constants have 64 KB. Source: CUDA C++
/// Programming Guide, table of technical specifications.
inline constexpr uint32_t kMaximumSharedBytes = 227 << 10;
inline constexpr uint32_t kMaximumStaticSharedBytes = 48 << 10;
inline constexpr uint32_t kMaximumConstantBytes = 64 << 10;

/// Limits of all devices of compute capability 5.0 to 12.x: block at most 1024 threads (z 64), grid x below
/// 2^31, y and z below 65536, nothing zero. Source: CUDA C++ Programming Guide, table of technical
/// specifications.
Result<void> check(const Launch& launch);

}  // namespace lanescope::launch
