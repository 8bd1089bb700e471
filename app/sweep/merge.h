// Several databases of one sweep as one. Tests: tests/unit/sweep/merge_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace lanescope::sweep {

struct Merged {
  uint64_t rows = 0;
  uint64_t repeated = 0;      // rows that several databases have alike
  uint64_t combinations = 0;  // of the sweep
};

/// Writes all rows of `files`, at least one, to `output`, which is replaced when it is complete. Errors:
/// Usage where the sweeps differ or `output` is one of `files`; File, also where two rows of a combination
/// differ.
Result<Merged> merge(std::span<const std::filesystem::path> files, const std::filesystem::path& output);

}  // namespace lanescope::sweep
