// One place in a run: which accesses the selected warp made, and what the current one does, lane by lane.
// Tests: tests/unit/session/place_test.cpp

#pragma once

#include "session/command.h"
#include "session/snapshot.h"

#include <span>
#include <string_view>

namespace lanescope::session {

/// Fills the part of `snapshot` that depends on the place (timeline, lanes, place, banks, sectors) from its
/// run, cta, warp and access. A warp or an access beyond the end is moved to the last one.
void show_place(Snapshot& snapshot);

/// Index of the access that `to` leads to from `snapshot.access`; the same index where there is none.
uint32_t step_target(const Snapshot& snapshot, Step::To to);

/// First access of the selected warp on this source line.
std::optional<uint32_t> access_on_line(const Snapshot& snapshot, int line);

/// "in[3][17]", "out[99] + 2", "shared + 0x84": an address as a person writes it.
std::string address_text(const trace::Trace& trace, trace::Space space, uint64_t address);

/// Bytes of one lane as the PTX type of the site says ("ld.global.f32"), else as `fallback`, else in
/// hexadecimal.
std::string value_text(std::string_view ptx_text, std::span<const std::byte> bytes,
                       std::optional<launch::ElementType> fallback);

}  // namespace lanescope::session
