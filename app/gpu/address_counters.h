// Counts that patched machine code makes from the addresses of what it executes: no arbitration noise, and
// no permission needed. Method: CUPTI's SASS metrics; the sums of all instructions of the functions executed.
// Tests: tests/unit/gpu/counters_test.cpp

#pragma once

#include "gpu/cupti.h"
#include "trace/hardware_counts.h"

#include <functional>
#include <memory>

namespace lanescope::gpu {

/// Bound to one context, one for a process: CUPTI configures a GPU once. After a RangeProfiler was made,
/// which initializes CUPTI.
class AddressCounters {
 public:
  static Result<AddressCounters> make(const Context& context, const Cupti& cupti);
  AddressCounters(AddressCounters&&) noexcept;
  AddressCounters& operator=(AddressCounters&&) noexcept;
  ~AddressCounters();

  /// Does `work` once with patched code and puts the address-based counts into `counts`. A count that this
  /// GPU's CUPTI does not know stays absent.
  Result<void> count(const std::function<Result<void>()>& work, trace::HardwareCounts& counts);

 private:
  struct State;
  explicit AddressCounters(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace lanescope::gpu
