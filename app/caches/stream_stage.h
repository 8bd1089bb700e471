// Keeps the requests of blocks while a kernel runs, so that the caches can be modelled afterwards. Method:
// keeps those of all blocks while there is room, then of those that half as many multiprocessors run, and so
// on. All accesses are passed on as they are. Tests: tests/unit/caches/stream_stage_test.cpp

#pragma once

#include "caches/block_order.h"
#include "caches/block_stream.h"
#include "trace/sink.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace lanescope::caches {

/// Requests of the blocks that the first `multiprocessors` of the sample run.
struct Streams {
  uint32_t multiprocessors = 0;     // of the sample
  std::vector<BlockStream> blocks;  // in rising order of cta
  bool ends_early = false;          // more blocks follow, whose requests are not known
};

class StreamStage final : public trace::SinkStage {
 public:
  static constexpr uint64_t kDefaultBudgetBytes = uint64_t{256} << 20;

  /// `warps`: of a block.
  StreamStage(BlockOrder order, uint32_t warps, uint64_t budget_bytes = kDefaultBudgetBytes);
  ~StreamStage() override;
  StreamStage(const StreamStage&) = delete;
  StreamStage& operator=(const StreamStage&) = delete;

  void begin_run() override;
  trace::Sink& put_before(trace::Sink& next) override;
  /// What the last run kept; the stage is empty afterwards.
  Streams take();

 private:
  class KeepingSink;

  bool is_wanted(CtaId cta) const {
    return order_.place_in_sample(order_.multiprocessor_of(cta.value)) <
           sample_.load(std::memory_order_relaxed);
  }
  void add(BlockStream block);

  BlockOrder order_;
  uint32_t warps_;
  uint64_t budget_bytes_;
  std::atomic<uint32_t> sample_;  // multiprocessors
  std::mutex mutex_;
  uint64_t bytes_ = 0;
  std::vector<BlockStream> blocks_;
  std::vector<std::unique_ptr<KeepingSink>> sinks_;
};

}  // namespace lanescope::caches
