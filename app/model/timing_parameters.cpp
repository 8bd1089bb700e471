#include "model/timing_parameters.h"

#include <algorithm>

namespace lanescope::model {

const std::array<AssumptionText, kAssumptions>& assumption_texts() {
  static constexpr std::array<AssumptionText, kAssumptions> kTexts{{
      {Assumption::LinearMap, "linear-map",
       "addresses go to partitions by plain interleaving, as NVIDIA publishes for this device; off: hashed"},
      {Assumption::WritePort, "write-port",
       "a partition takes writes no faster than a port of its own does; no source, the rate is fitted"},
      {Assumption::InOrderDispatch, "in-order-dispatch",
       "blocks start in order, one cluster after the other; off: wherever there is room first"},
      {Assumption::ClusterQueue, "cluster-queue",
       "the transactions of a cluster leave in order, so one that waits holds up those behind it"},
      {Assumption::Credits, "credits",
       "a partition has so many transactions under way and no more; no source, the number is fitted"},
      {Assumption::Residency, "residency",
       "shared memory and warps limit the blocks on a multiprocessor, as the guide says"},
      {Assumption::Barriers, "barriers",
       "the warps of a block meet where they turn from writing shared memory to reading it"},
      {Assumption::Instructions, "instructions",
       "the instructions between accesses take the pipeline's time, four shader cycles each"},
      {Assumption::Divisions, "divisions",
       "an integer division or remainder is a subroutine of several instructions"},
      {Assumption::BankConflicts, "bank-conflicts",
       "shared memory takes two shader cycles a pass, more passes where banks conflict"},
      {Assumption::Latency, "latency",
       "a load returns its latency after its transfer, as measured on a GT200"},
  }};
  return kTexts;
}

std::optional<Assumption> find_assumption(std::string_view name) {
  const auto found = std::ranges::find(assumption_texts(), name, &AssumptionText::name);
  if (found == assumption_texts().end()) return {};
  return found->assumption;
}

}  // namespace lanescope::model
