// Addresses of memory steps, and the slots that steps read and write, as far as the steps before show them.
// Method: only the instructions are read, in the order in which they are written. Tests:
// tests/unit/emulator/race_test.cpp

#pragma once

#include "ptx/lower_passes.h"
#include "ptx/program.h"

#include <cstdint>

namespace lanescope::emulator {

/// True if the step accesses memory that threads may share.
bool has_site(const ptx::Program& program, const ptx::Step& step);
bool writes(const ptx::Program& program, const ptx::Step& step, ptx::Slot slot);
bool reads(const ptx::Program& program, const ptx::Step& step, ptx::Slot slot);
/// True if the value that the slot has at the end of the basic block may be read later.
bool is_live_after(const ptx::Program& program, const ptx::Successors& successors, uint32_t block,
                   ptx::Slot slot);

/// The parts of an address, where they are easily found: a variable or a register, and a constant.
struct Place {
  enum class Base : uint8_t { Register, Variable, Nothing };
  Base base = Base::Register;
  uint64_t number = 0;  // the slot, or the variable's index
  uint64_t offset = 0;
  bool operator==(const Place&) const = default;
};

/// Parts of the address of a step of the program, as far as the steps above the step show them.
Place place_of(const ptx::Program& program, const ptx::Step& access);

/// True if two memory steps access the same variable or pointer at the same offset, as far as the steps
/// before them show.
bool have_one_place(const ptx::Program& program, uint32_t step, uint32_t other);

}  // namespace lanescope::emulator
