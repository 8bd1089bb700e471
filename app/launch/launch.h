// A kernel launch: grid, block, buffers, arguments. The same input for both producers. Tests:
// tests/unit/launch/*

#pragma once

#include "base/dim3.h"
#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lanescope::launch {

enum class ElementType : uint8_t { U8, I8, U16, I16, F16, BF16, U32, I32, F32, U64, I64, F64, Bytes16 };

uint32_t size_bytes(ElementType type);
std::string_view name_of(ElementType type);
bool is_float(ElementType type);

/// Initial contents of a buffer, shared between runs: a run copies the buffers that it may change.
using Contents = std::shared_ptr<const std::vector<std::byte>>;

struct Buffer {
  std::string name;  // "in", "out"; may be empty
  ElementType type = ElementType::F32;
  std::vector<uint64_t> shape;  // [rows][columns] or [count]: slowest first
  Contents initial;             // size is the buffer's size
  bool has_contents = true;     // false: uninitialized; the bytes of `initial` are meaningless
};

/// A scalar or a struct by value, little-endian bytes as the kernel's parameter space holds them.
struct Value {
  std::vector<std::byte> bytes;
  std::optional<ElementType> type = std::nullopt;  // absent if given as plain bytes
};
/// The address of a buffer, by its index in Launch::buffers.
struct BufferArgument {
  uint32_t buffer = 0;
};
using Argument = std::variant<Value, BufferArgument>;

struct Launch {
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  std::vector<Buffer> buffers;
  std::vector<Argument> arguments;  // [kernel parameter]
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
