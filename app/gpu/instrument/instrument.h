// A kernel's PTX with a recorder before each of its memory instructions. Method: a pure change of the text:
// recorders are inserted before instructions, and everything else is unchanged, line information included.
// Accesses with the same base register share a recorder (access_groups.h). Functions that the kernel can call
// are instrumented too. Tests: tests/unit/gpu/instrument_test.cpp; tests/gpu runs the result in the emulator
// and compares the traces.

#pragma once

#include "gpu/instrument/group_expansion.h"
#include "gpu/instrument/recorder_layout.h"
#include "ptx/module.h"
#include "ptx/program.h"

#include <string>
#include <vector>

namespace lanescope::gpu {

struct Instrumented {
  std::string text;
  /// Index in Program::variables of the variables whose addresses the kernel reports, in the order in which
  /// it reports them.
  std::vector<uint32_t> variables;
  SiteGroups groups;
};

/// Error (Unsupported) if the kernel cannot be traced on a GPU: it prints, allocates from the heap, or has
/// instructions whose addresses do not follow from an operand alone.
Result<void> check_traceable(const ptx::Module& module, const ptx::Program& program);

/// Whether a function that the kernel calls accesses memory too.
RecorderLayout::Cursor cursor_for(const ptx::Module& module, const ptx::Program& program);

/// `program` is the kernel, lowered from `module`: its sites are recorded.
Result<Instrumented> instrument(const ptx::Module& module, const ptx::Program& program,
                                const RecorderLayout& plan);

}  // namespace lanescope::gpu
