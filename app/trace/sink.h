// Where a producer puts what it recorded: the boundary between the emulator or the GPU and everything behind.
// Method: a producer asks for one sink per worker thread, so a sink needs no lock. A worker begins blocks in
// rising order of CtaId and may put one aside; within a block the accesses of one warp come in order.

#pragma once

#include "trace/access.h"

#include <functional>

namespace lanescope::trace {

class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  /// Called before the first access of a block, also for a block that accesses nothing. Returns whether the
  /// sink wants WarpAccess::values filled for this block.
  virtual bool begin_block(CtaId cta) = 0;
  /// The block at hand is put aside, and later taken up again; others may begin in between.
  virtual void suspend_block() {}
  virtual void resume_block(CtaId) {}
  /// One access. What it borrows is valid during the call only.
  virtual void on_access(const WarpAccess& access) = 0;
};

/// Gives the sink of worker n (0-based). Called from one thread, before the workers start; the sinks outlive
/// the run.
using SinkOfWorker = std::function<Sink&(unsigned worker)>;

}  // namespace lanescope::trace
