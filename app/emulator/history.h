// Records the history of one warp: what each of its instructions did to its registers.
// Tests: tests/unit/emulator/history_test.cpp

#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "emulator/options.h"
#include "launch/launch.h"
#include "ptx/program.h"
#include "trace/history.h"

#include <cstdint>

namespace lanescope::emulator {

/// Runs the launch until the history of one warp is known, of at most `most_entries` instructions. Errors:
/// those of run() that come before; Usage where there is no such warp.
inline constexpr uint32_t kMostHistoryEntries = 1 << 17;
Result<trace::History> record_history(const ptx::Program& program, const launch::Launch& launch, CtaId cta,
                                      WarpId warp, const Options& options,
                                      uint32_t most_entries = kMostHistoryEntries);

}  // namespace lanescope::emulator
