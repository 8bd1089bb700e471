// A kernel's PTX with a recorder before each of its memory instructions. Method: a pure change of the text:
// recorders are pasted in where an instruction begins, everything else stays as it was written, lines of the
// source included. Accesses of one base register share a recorder (access_groups.h). Functions that the
// kernel can call are changed alike. Tests: tests/unit/gpu/instrument_test.cpp; tests/gpu runs the result in
// the emulator and compares the traces.

#pragma once

#include "gpu/recording_plan.h"
#include "gpu/site_groups.h"
#include "ptx/module.h"
#include "ptx/program.h"

#include <string>
#include <vector>

namespace lanescope::gpu {

struct Instrumented {
  std::string text;
  /// Index in Program::variables of the variables whose addresses the kernel keeps, in the order in which it
  /// keeps them.
  std::vector<uint32_t> variables;
  SiteGroups groups;
};

/// Nothing, or why the kernel cannot be traced on a GPU (Unsupported): it prints, takes memory from the heap,
/// or has instructions whose addresses are not told by an operand alone.
Result<void> check_traceable(const ptx::Module& module, const ptx::Program& program);

/// Whether a function that the kernel calls accesses memory too.
RecordingPlan::Cursor cursor_for(const ptx::Module& module, const ptx::Program& program);

/// `program` is the kernel's, lowered from `module`: its sites are those that are recorded.
Result<Instrumented> instrument(const ptx::Module& module, const ptx::Program& program,
                                const RecordingPlan& plan);

}  // namespace lanescope::gpu
