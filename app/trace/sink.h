// Receives the accesses from a producer: the boundary between the emulator or the GPU and all later stages.
// Method: a producer takes one sink per worker thread, so a sink needs no lock. A worker starts blocks in
// rising order of CtaId and may suspend one; within a block the accesses of one warp arrive in order.

#pragma once

#include "trace/access.h"
#include "trace/batch_order.h"
#include "trace/wait.h"

#include <functional>
#include <span>

namespace lanescope::trace {

class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  /// Called before the first access of a block, also for a block that accesses nothing. Returns whether the
  /// sink needs WarpAccess::values filled for this block, and its waits.
  virtual bool begin_block(CtaId cta) = 0;
  /// Begins neighboring blocks that run as one group: all accesses then have the first one's CtaId, and warps
  /// have their numbers in the `order` of the batch. False, with nothing begun, if the sink needs each block
  /// by itself, or values. After suspend_block(), each block is resumed by itself.
  virtual bool begin_batch(CtaId /*first*/, BatchOrder /*order*/) { return false; }
  /// The current block is suspended, and later resumed; others may start in between.
  virtual void suspend_block() {}
  virtual void resume_block(CtaId) {}
  /// One access. Borrowed data is valid only during the call.
  virtual void on_access(const WarpAccess& access) = 0;
  /// Accesses of several warps at once. A sink overrides this function if that is faster.
  virtual void on_group(const GroupAccess& group) {
    for (uint32_t n = 0; n < group.count; ++n)
      if (group.lanes_of(n).bits != 0) on_access(group.at(n));
  }
  /// Warps of the current block have met at a barrier; none named: all warps, of all blocks of a batch.
  virtual void on_barrier(std::span<const uint32_t> /*warps*/) {}
  /// A wait that is over, of a block for which begin_block() returned true.
  virtual void on_wait(const Wait& /*wait*/) {}
};

/// Stage between a producer and the sinks of the workers: it sees what they get.
class SinkStage {
 public:
  SinkStage() = default;
  SinkStage(const SinkStage&) = delete;
  SinkStage& operator=(const SinkStage&) = delete;
  virtual ~SinkStage() = default;
  /// Begins a run; what an earlier run gave is void.
  virtual void begin_run() = 0;
  /// Gives the sink of one more worker, which passes everything on to `next`. Called from one thread.
  virtual Sink& put_before(Sink& next) = 0;
};

/// Two stages, one before the other. Both must outlive it.
class StagePair final : public SinkStage {
 public:
  StagePair(SinkStage& first, SinkStage& second) : first_(first), second_(second) {}
  void begin_run() override {
    first_.begin_run();
    second_.begin_run();
  }
  Sink& put_before(Sink& next) override { return first_.put_before(second_.put_before(next)); }

 private:
  SinkStage& first_;
  SinkStage& second_;
};

/// Gives the sink of worker n (0-based). Called from one thread, before the workers start; the sinks outlive
/// the run.
using SinkOfWorker = std::function<Sink&(unsigned worker)>;

}  // namespace lanescope::trace
