// Traffic of a program's launch between the caches and the DRAM, by the modelled caches, and the time that
// the launch needs at least. Tests: tests/unit/driver/launch_caches_test.cpp, tests/cli/run_caches_test.cpp

#pragma once

#include "base/error.h"
#include "caches/cache_report.h"
#include "caches/l2_memory.h"
#include "caches/stream_stage.h"
#include "model/device.h"
#include "trace/sink.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lanescope::driver {

struct LaunchCaches {
  uint64_t sectors = 0, l1_hits = 0;  // that are loaded from global memory
  uint64_t l2_to_l1 = 0, l1_to_l2 = 0;
  uint64_t dram_read = 0, dram_read_low = 0,
           dram_read_high = 0;  // sectors; the band is that of the L2's size
  uint64_t dram_written = 0;
  /// The caches of all multiprocessors were modelled; else the counts are of some, the DRAM's are not known,
  /// and the time takes the others to be like them.
  bool is_whole = false;
  std::string_view rules = {};               // where the rules of the caches come from
  std::optional<double> least_seconds = {};  // of the launch, by the bound
  std::string limit = {};                    // the level that decides the time: "dram"
  std::vector<std::string> gains = {};       // of the lines whose excess costs time, a sentence each
  bool operator==(const LaunchCaches&) const = default;
};

LaunchCaches launch_caches_of(const trace::Trace& trace, const caches::CacheReport& report,
                              const model::Device& device);

/// Keeps the requests of a launch while it runs, and models its caches afterwards.
class CachedLaunch {
 public:
  /// `l2`: that the launch finds and leaves; null: it finds an empty one. Both outlive the object.
  CachedLaunch(const model::Device& device, caches::L2Memory* l2) : device_(device), l2_(l2) {}
  /// Stage for a run of the whole launch, in place of the one before. `header`: with the registers.
  trace::SinkStage& stage(const trace::Trace& header);
  /// Caches of the last run; nullopt if there was none. Errors: Cancelled.
  Result<std::optional<LaunchCaches>> counts(const trace::Trace& trace, const std::stop_token& stop);

 private:
  const model::Device& device_;
  caches::L2Memory* l2_;
  std::optional<caches::StreamStage> streams_;
};
nlohmann::json to_json(const LaunchCaches& counts);

/// Counts of several launches of a kernel. Gains are those of the first.
void add(LaunchCaches& sum, const LaunchCaches& one);

/// A kernel's launches, those whose caches were modelled.
struct KernelCaches {
  std::string kernel;
  uint64_t launches = 0;
  LaunchCaches counts;
};
/// Table with a row for each kernel, the one that needs most time first, and what their lines would gain.
/// Empty without kernels.
std::string cache_table_of(const std::vector<KernelCaches>& kernels);

}  // namespace lanescope::driver
