#include "model/timing_parameters.h"

#include <algorithm>

namespace lanescope::model {

const std::array<AssumptionText, kAssumptions>& assumption_texts() {
  static constexpr std::array<AssumptionText, kAssumptions> kTexts{{
      {Assumption::LinearMap, "linear-map", Text::assume_linear_map, Text::assume_linear_map_says},
      {Assumption::WritePort, "write-port", Text::assume_write_port, Text::assume_write_port_says},
      {Assumption::InOrderDispatch, "in-order-dispatch", Text::assume_in_order_dispatch,
       Text::assume_in_order_dispatch_says},
      {Assumption::ClusterQueue, "cluster-queue", Text::assume_cluster_queue,
       Text::assume_cluster_queue_says},
      {Assumption::Credits, "credits", Text::assume_credits, Text::assume_credits_says},
      {Assumption::Residency, "residency", Text::assume_residency, Text::assume_residency_says},
      {Assumption::Barriers, "barriers", Text::assume_barriers, Text::assume_barriers_says},
      {Assumption::Instructions, "instructions", Text::assume_instructions, Text::assume_instructions_says},
      {Assumption::Divisions, "divisions", Text::assume_divisions, Text::assume_divisions_says},
      {Assumption::BankConflicts, "bank-conflicts", Text::assume_bank_conflicts,
       Text::assume_bank_conflicts_says},
      {Assumption::Latency, "latency", Text::assume_latency, Text::assume_latency_says},
  }};
  return kTexts;
}

std::optional<Assumption> find_assumption(std::string_view name) {
  const auto found = std::ranges::find(assumption_texts(), name, &AssumptionText::name);
  if (found == assumption_texts().end()) return {};
  return found->assumption;
}

}  // namespace lanescope::model
