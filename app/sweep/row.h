// The results of one combination, a row of the database. Method: a line of JSON between the process that runs
// a combination and the one that stores it. Tests: tests/unit/sweep/row_test.cpp

#pragma once

#include "base/error.h"
#include "pipeline/run.h"
#include "sweep/columns.h"
#include "trace/traffic.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::sweep {

/// Sectors that go between the modelled caches, and bytes that the DRAM reads, over all launches.
struct CacheCounts {
  uint64_t l1_load_sectors = 0;
  uint64_t l1_load_sectors_hit = 0;
  uint64_t l2_read_sectors = 0;
  uint64_t l2_read_sectors_hit = 0;
  uint64_t dram_read_bytes = 0;
  bool operator==(const CacheCounts&) const = default;
};

/// Their names, in the order of the columns.
inline constexpr std::array<std::pair<const char*, uint64_t CacheCounts::*>, 5> kCacheCounts{{
    {"l1_load_sectors", &CacheCounts::l1_load_sectors},
    {"l1_load_sectors_hit", &CacheCounts::l1_load_sectors_hit},
    {"l2_read_sectors", &CacheCounts::l2_read_sectors},
    {"l2_read_sectors_hit", &CacheCounts::l2_read_sectors_hit},
    {"dram_read_bytes", &CacheCounts::dram_read_bytes},
}};

struct Row {
  uint64_t number = 0;                // of the combination
  std::string problem = {};           // why there are no counts, a sentence; empty: there are
  std::string note = {};              // what of the launch was guessed; empty: nothing
  std::string kernel = {};            // of the last launch, as the source calls it
  std::string grid = {}, block = {};  // of the last launch: "32,32,1"
  uint64_t shared_bytes = 0;
  uint64_t launches = 0;  // that the counts are of
  std::string provenance = {};
  std::optional<bool> output_correct = {};  // by the lesson's reference; none: there is none
  uint64_t warp_instructions = 0, lane_instructions = 0;
  std::vector<std::pair<std::string, trace::Totals>> totals = {};  // "global_load"; those with requests
  std::vector<std::pair<std::string, uint64_t>> findings = {};     // "race", how many; those that are there
  std::optional<CacheCounts> caches = {};                          // none: not modelled
  double seconds = 0;                                              // that it took on this machine

  /// The counts of all kinds together.
  trace::Totals sum() const;
  uint64_t finding_count() const;
};

/// Whether two rows say the same; the seconds are not compared.
bool agree(const Row& one, const Row& other);

/// The counts of these launches. `number`, `note` and `seconds` are for the caller to fill.
Row row_of(std::span<const std::shared_ptr<const pipeline::Run>> runs);

/// Adds what accesses of this kind cost; nothing without requests.
void add_totals(Row& row, trace::Space space, trace::Traffic traffic, const trace::Totals& totals);
void add_finding(Row& row, trace::HazardKind kind);

/// A row as a line of JSON without a line feed, and back. Errors: Syntax.
std::string line_of(const Row& row);
Result<Row> row_of_line(std::string_view line);

}  // namespace lanescope::sweep
