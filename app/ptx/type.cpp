#include "ptx/type.h"

#include <algorithm>
#include <array>

namespace lanescope::ptx {

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 31> kNames{
    "pred",  "b8",    "b16",  "b32",  "b64",    "b128",   "u8",   "u16",  "u32",   "u64",    "s8",
    "s16",   "s32",   "s64",  "f16",  "f32",    "f64",    "bf16", "tf32", "f16x2", "bf16x2", "u16x2",
    "s16x2", "f32x2", "e4m3", "e5m2", "e4m3x2", "e5m2x2", "s4",   "u4",   "b1"};
static_assert(kNames[static_cast<size_t>(Type::b1)] == "b1");

}  // namespace

std::string_view name_of(Type type) { return kNames[static_cast<size_t>(type)]; }

std::optional<Type> type_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Type>(found - kNames.begin());
}

}  // namespace lanescope::ptx
