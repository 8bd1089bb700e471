// What a buffer holds at first: zeros, iota, fill(V), random(SEED), file(PATH), text(WORDS). Tests:
// tests/unit/launch/contents_test.cpp

#pragma once

#include "launch/launch.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanescope::launch {

inline constexpr uint64_t kMaximumBufferBytes = uint64_t{8} << 30;

/// A buffer as INIT of the grammar of --arg describes it: zeros, iota, fill(V), random(SEED), file(PATH),
/// text(WORDS). `none`, an uninitialized buffer, is handled by fill_buffer().
Result<Contents> make_contents(ElementType type, const std::vector<uint64_t>& shape, std::string_view init);

}  // namespace lanescope::launch
