// Figures of hand-made traces, by name: what tests check, golden files keep and draw_figures shows.

#pragma once

#include "model/banks.h"
#include "model/sectors.h"
#include "plot/figures.h"
#include "support/transpose_trace.h"

#include <functional>
#include <string_view>
#include <vector>

namespace lanescope::tests {

using FigureMaker = std::function<plot::Figure(const plot::Frame&)>;
using FigureVisitor = std::function<void(std::string_view name, const FigureMaker& make)>;

/// The bank figure of one access whose lane l goes to offsets[l].
inline plot::Figure lone_bank_figure(trace::Operation operation, const std::vector<uint64_t>& offsets,
                                     LaneMask active, const plot::Frame& frame) {
  const trace::Trace trace = lone_trace(operation);
  const trace::WarpAccess access{.site = SiteId{0},
                                 .cta = CtaId{1},
                                 .warp = WarpId{0},
                                 .active = active,
                                 .operation = operation,
                                 .addresses = {.list = offsets.data()}};
  return plot::bank_figure({&trace, access, 0, 1}, model::count_banks(access), frame);
}

inline plot::Figure lone_sector_figure(trace::Operation operation, uint64_t base, int64_t stride,
                                       LaneMask active, const plot::Frame& frame) {
  const trace::Trace trace = lone_trace(operation);
  const trace::WarpAccess access{.site = SiteId{0},
                                 .cta = CtaId{1},
                                 .warp = WarpId{0},
                                 .active = active,
                                 .operation = operation,
                                 .addresses = {.base = trace::global_address(0, base), .stride = stride}};
  return plot::sector_figure({&trace, access, 0, 1}, model::count_sectors(access), frame);
}

template <class F>
std::vector<uint64_t> offsets_of(F&& offset_of_lane) {
  std::vector<uint64_t> offsets;
  for (int lane = 0; lane < kLanes; ++lane) offsets.push_back(static_cast<uint64_t>(offset_of_lane(lane)));
  return offsets;
}

inline void for_each_bank_case(const FigureVisitor& visit) {
  using plot::Figure;
  using plot::Frame;
  const auto of_transpose = [](uint32_t padding) {
    return [padding](const Frame& frame) {
      const trace::Trace trace = transpose_trace({.n = 128, .padding = padding});
      const trace::WarpAccess access = access_at(trace, 7, 2, 8);
      return plot::bank_figure({&trace, access, 8, 16}, model::count_banks(access), frame);
    };
  };
  const trace::Operation load4{.space = trace::Space::Shared};
  visit("banks-unpadded", of_transpose(0));
  visit("banks-padded", of_transpose(1));
  visit("banks-padded-2", of_transpose(2));
  visit("banks-broadcast", [load4](const Frame& frame) {
    return lone_bank_figure(load4, offsets_of([](int) { return 20; }), kAllLanes, frame);
  });
  visit("banks-pairs", [load4](const Frame& frame) {
    return lone_bank_figure(load4, offsets_of([](int lane) { return lane / 2 * 8; }), kAllLanes, frame);
  });
  visit("banks-half-warp-8", [](const Frame& frame) {
    return lone_bank_figure({.space = trace::Space::Shared, .bytes_per_lane = 16},
                            offsets_of([](int lane) { return lane * 16; }), kAllLanes, frame);
  });
  visit("banks-swizzle-half", [load4](const Frame& frame) {
    return lone_bank_figure(load4, offsets_of([](int lane) { return (lane * 32 + (lane ^ 5)) * 4; }),
                            LaneMask{0x0000ffff}, frame);
  });
  visit("banks-cas", [](const Frame& frame) {
    return lone_bank_figure(
        {.space = trace::Space::Shared, .kind = trace::Kind::Atomic, .detail = trace::Detail::CompareAndSwap},
        offsets_of([](int) { return 0; }), kAllLanes, frame);
  });
}

inline void for_each_figure_case(const FigureVisitor& visit) { for_each_bank_case(visit); }

}  // namespace lanescope::tests
