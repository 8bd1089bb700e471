// Stepping and going to a place, as the keys, the buttons and the panels mean it: what a step is, where a
// typed place is, and why a line cannot be gone to. Tests: tests/gui/stepping_test.cpp

#pragma once

#include "view/context.h"

#include <optional>
#include <string_view>
#include <tuple>

namespace lanescope::view {

/// Posts a step of the chosen unit. Previous and Next by line lead to another line.
void post_step(const Context& context, session::Step::To to);
/// Whether a step forwards leads nowhere.
bool is_at_end(const Context& context);

/// The selected step and how many there are, in the chosen unit; a line is a step between accesses.
struct StepPosition {
  uint32_t index = 0;
  uint32_t count = 0;
};
StepPosition position_of(const Context& context);
/// Selects that access, or that instruction.
void go_to_step(const Context& context, uint32_t index);

/// "3, 1" or "35" as a block of `grid`; nothing if it is none.
std::optional<CtaId> parse_block(std::string_view text, Dim3 grid);

/// A place of a launch; what is not named stays as it is.
struct Place {
  std::optional<CtaId> block;
  std::optional<WarpId> warp;
  std::optional<uint32_t> step;  // from 0
};
/// "block 3,1 warp 2 access 11", in part or in French, or a number alone, which is a step. Nothing if it is
/// none of this grid and these warps.
std::optional<Place> parse_place(std::string_view text, Dim3 grid, uint32_t warps);
void go_to_place(const Context& context, const Place& place);

/// Selects the line's first access of this warp, or says why there is none.
void go_to_line(const Context& context, int line);

/// Requests the history of the selected warp, once for each.
class HistoryRequest {
 public:
  void keep(const Context& context);

 private:
  std::optional<std::tuple<uint64_t, CtaId, WarpId>> asked_for_;  // run, block, warp
};

}  // namespace lanescope::view
