// All figures of hand-made data, by name: what tests check, golden files keep and draw_figures shows.

#pragma once

#include "plot/layout_figure.h"
#include "support/model_cases.h"
#include "support/run_cases.h"

namespace lanescope::tests {

/// Tiles of the layout lab: small, with one side, with an impossible access.
inline void for_each_layout_case(const FigureVisitor& visit) {
  const auto of = [](const char* text, const char* element, const char* swizzle, const char* padding,
                     const char* access) {
    const layout::QuestionText question{.layout = text,
                                        .element = element,
                                        .swizzle = swizzle,
                                        .triton = {},
                                        .padding = padding,
                                        .accesses = {access, "st.row.16"}};
    return [report = layout::report_of(layout::parse(question).value()).value()](const plot::Frame& frame) {
      return plot::layout_figure(report, frame);
    };
  };
  visit("layout-swizzle", of("(8,64):(64,1)", "f16", "3,3,3", "", "ldmatrix.x4"));
  visit("layout-plain", of("(128,8):(1,128)", "f32", "", "", "ld.column.4"));
  visit("layout-impossible", of("(32,32):(32,1)", "f32", "", "1", "ld.column.4"));
}

inline void for_each_figure_case(const FigureVisitor& visit) {
  for_each_bank_case(visit);
  for_each_sector_case(visit);
  for_each_partition_case(visit);
  for_each_block_case(visit);
  for_each_totals_case(visit);
  for_each_timeline_case(visit);
  for_each_warps_case(visit);
  for_each_grid_case(visit);
  for_each_cache_case(visit);
  for_each_lane_case(visit);
  for_each_element_case(visit);
  for_each_values_case(visit);
  for_each_model_case(visit);
  for_each_layout_case(visit);
}

}  // namespace lanescope::tests
