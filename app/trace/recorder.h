// Fills a Trace: a counting sink for exact totals and a storing sink for the accesses of chosen blocks, per
// worker. Method: the counting sink adds the cost of every access to its site, and looks the cost up where
// the site's last access had the same pattern, also of a group of warps as one; the storing sink appends to
// the current block. When all workers are done, totals are summed and blocks sorted by CtaId, so the result
// does not depend on the number of workers. Stored are the selected block and the first blocks, in launch
// order, that fit the budget. A KeptPrefix shared by the workers tracks the finished blocks, so that little
// more than the budget is ever stored with any number of workers. Accesses without addresses, of textures and
// surfaces, are only counted. Dropped accesses are counted in Trace::dropped. Tests:
// tests/unit/trace/recorder_test.cpp

#pragma once

#include "trace/sink.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lanescope::trace {

/// Blocks whose accesses are stored. Totals always cover the whole grid.
struct Keep {
  enum class Blocks { All, None, Listed };
  Blocks blocks = Blocks::All;
  std::vector<CtaId> listed;  // for Listed
  /// The selected block: stored with its values, and before all others if there is not room for all.
  std::optional<CtaId> values_of;
  uint64_t budget_bytes = uint64_t{256} << 20;
};

class Recorder {
 public:
  /// `header` is a Trace with everything but totals, blocks, dropped; its sites list all possible accesses.
  /// `cost` must be the same for two accesses of one site that are not listed and differ only in their base,
  /// by a multiple of 128 bytes (of 4 in shared memory): sectors and lines repeat after 128 bytes, banks
  /// rotate with a word.
  Recorder(Trace header, CostFunction cost, Keep keep);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// The sink of worker n. Not thread-safe; the sinks themselves are used by one thread each.
  Sink& sink(unsigned worker);

  /// The finished trace; the recorder is empty afterwards.
  Trace finish();

 private:
  class KeptPrefix;
  class Worker;
  Trace trace_;
  CostFunction cost_;
  Keep keep_;
  std::unique_ptr<KeptPrefix> prefix_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace lanescope::trace
