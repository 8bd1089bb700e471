// Several databases of one sweep as one. Method: some numbers of combinations at a time, of all files, so
// that memory does not grow with the sweep and the rows are stored in their order. Tests:
// tests/unit/sweep/merge_test.cpp

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

/// Combinations whose rows are in memory at a time, and files that stay open. Of more files each is opened
/// again for each part of the numbers, which is then longer.
struct MergeSize {
  uint64_t rows = 16'384;
  uint64_t rows_of_many_files = 131'072;
  size_t open_files = 16;
};

/// Writes all rows of `files`, at least one, to `output`, which is replaced when it is complete. Errors:
/// Usage where the sweeps differ or `output` is one of `files`; File, also where two rows of a combination
/// differ.
Result<Merged> merge(std::span<const std::filesystem::path> files, const std::filesystem::path& output,
                     const MergeSize& size = {});

}  // namespace lanescope::sweep
