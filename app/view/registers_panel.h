// The instructions that the selected warp executed, one after the other, and its registers behind the one
// that is shown: what it changed, from what to what, in which lanes. Forwards and back. Test:
// tests/gui/registers_test.cpp

#pragma once

#include "view/context.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace lanescope::view {

class RegistersPanel {
 public:
  void draw(const Context& context);

 private:
  void draw_controls(const Context& context);
  void draw_instructions(const Context& context, ImVec2 size);
  void draw_instruction(const Context& context, uint32_t index, float height);
  void draw_registers(const Context& context, ImVec2 size);
  void draw_lanes(const Context& context, const session::RegisterRow& row, float cell);
  int shown_lane(const Context& context) const;
  const session::RegisterRow* shown_register(const Context& context) const;

  int lane_ = 0;
  std::string chosen_;  // register whose lanes are shown; empty, or not there: the first
  std::optional<std::tuple<uint64_t, CtaId, WarpId>> asked_for_;  // run, block, warp
  std::optional<uint32_t> scrolled_to_;
};

}  // namespace lanescope::view
