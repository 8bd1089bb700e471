// All figures of hand-made data, by name: what tests check, golden files keep and draw_figures shows.

#pragma once

#include "support/model_cases.h"
#include "support/run_cases.h"

namespace lanescope::tests {

inline void for_each_figure_case(const FigureVisitor& visit) {
  for_each_bank_case(visit);
  for_each_sector_case(visit);
  for_each_partition_case(visit);
  for_each_block_case(visit);
  for_each_totals_case(visit);
  for_each_timeline_case(visit);
  for_each_element_case(visit);
  for_each_values_case(visit);
  for_each_model_case(visit);
}

}  // namespace lanescope::tests
