// A sweep of two axes and rows of it, for the tests of databases and figures.

#pragma once

#include "sweep/definition.h"
#include "sweep/row.h"

#include <cstdint>

namespace lanescope::tests {

/// Six combinations: sizes 64, 128 and 256, orders row and diagonal.
inline sweep::Definition example_sweep() {
  return {.version = "0.1.0",
          .subject = "lesson transpose",
          .options = {"--kernel=tiled"},
          .axes = {{"--set", "size", {"64", "128", "256"}}, {"--set", "order", {"row", "diagonal"}}},
          .sources = "00ff",
          .shard = {}};
}

/// The row of a combination: `number` + 1 global requests of 4 sectors each, and as many wavefronts of shared
/// memory as 10 x number.
inline sweep::Row example_row(uint64_t number) {
  sweep::Row row{.number = number, .kernel = "tiled", .grid = "2,2,1", .block = "32,8,1"};
  row.shared_bytes = 4096;
  row.launches = 1;
  row.provenance = "emulated";
  row.totals = {{"global_load", {.requests = number + 1, .sectors = 4 * (number + 1), .ideal_sectors = 4}},
                {"shared_load", {.requests = 1, .wavefronts = 10 * number, .ideal_wavefronts = 1}}};
  row.warp_instructions = 1000 + number;
  row.seconds = 0.5;
  return row;
}

}  // namespace lanescope::tests
