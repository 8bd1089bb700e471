#include "support/transpose_trace.h"

#include "model/cost.h"

#include <algorithm>
#include <string>

namespace lanescope::tests {
namespace {

constexpr uint32_t kTile = 32;
constexpr uint32_t kWarps = 8;

trace::Site transpose_site(uint32_t id, trace::Space space, trace::Kind kind, int line, std::string text,
                           std::string ptx) {
  return {.id = SiteId{id},
          .operation = {.space = space, .kind = kind},
          .source = {"transpose.cu", line},
          .source_text = std::move(text),
          .ptx_line = 20 + static_cast<int>(id) * 7,
          .ptx_text = std::move(ptx)};
}

}  // namespace

trace::Trace transpose_trace(const TransposeShape& shape) {
  using trace::Kind;
  using trace::Space;
  const auto tiles = [](uint32_t elements) { return (elements + kTile - 1) / kTile; };
  const bool tiled = shape.variant == Transpose::Tiled || shape.variant == Transpose::Diagonal;
  trace::Trace trace;
  trace.kernel = tiled ? "transpose_tiled" : shape.variant == Transpose::Naive ? "transpose_naive" : "copy";
  trace.grid = {tiles(shape.width), tiles(shape.height), 1};
  trace.block = {kTile, kWarps, 1};
  trace.shared_bytes = tiled ? kTile * (kTile + shape.padding) * 4 : 0;
  const uint64_t bytes = uint64_t{shape.width} * shape.height * 4;
  const uint32_t out_width = shape.variant == Transpose::Copy ? shape.width : shape.height;
  trace.buffers = {{"in", bytes, 4, shape.width}, {"out", bytes, 4, out_width}};
  trace.sites.push_back(transpose_site(0, Space::Global, Kind::Load, tiled ? 7 : 6,
                                       tiled ? "tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];"
                                             : "out[x * n + y + j] = in[(y + j) * n + x];",
                                       "ld.global.f32 %f1, [%rd6]"));
  if (tiled) {
    trace.sites.push_back(transpose_site(1, Space::Shared, Kind::Store, 7,
                                         "tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];",
                                         "st.shared.f32 [%r14], %f1"));
    trace.sites.push_back(transpose_site(2, Space::Shared, Kind::Load, 14,
                                         "out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];",
                                         "ld.shared.f32 %f2, [%r21]"));
  }
  trace.sites.push_back(transpose_site(tiled ? 3 : 1, Space::Global, Kind::Store, tiled ? 14 : 6,
                                       tiled ? "out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];"
                                             : "out[x * n + y + j] = in[(y + j) * n + x];",
                                       "st.global.f32 [%rd12], %f2"));
  trace.totals.resize(trace.sites.size());

  const uint32_t pitch = (kTile + shape.padding) * 4;
  for (uint32_t cta = 0; cta < trace.grid.x * trace.grid.y && cta < shape.first_blocks; ++cta) {
    uint32_t bx = cta % trace.grid.x;
    uint32_t by = cta / trace.grid.x;
    if (shape.variant == Transpose::Diagonal) {  // any shape, as the paper's second form
      by = cta % trace.grid.y;
      bx = (cta / trace.grid.y + by) % trace.grid.x;
    }
    trace::StoredBlock block{.cta = CtaId{cta}, .accesses = {}, .list = {}, .values = {}};
    for (uint32_t warp = 0; warp < kWarps; ++warp) {
      uint32_t step = 0;
      const auto add = [&](uint32_t site, uint64_t base, int64_t stride, LaneMask active = kAllLanes) {
        block.accesses.push_back({.site = SiteId{site},
                                  .warp = WarpId{warp},
                                  .step = step++,
                                  .active = active,
                                  .base = base,
                                  .stride = static_cast<int32_t>(stride)});
        const trace::WarpAccess access = trace::view(trace, block, block.accesses.back());
        trace.totals[site].add(access, model::cost_of(access));
      };
      // A row of 32 elements of a matrix of `rows` x `columns`: the lanes inside it. Lanes go along the row,
      // or down a column of the other matrix with `stride`.
      const auto add_row = [&](uint32_t site, uint32_t y, uint32_t x, uint32_t rows, uint32_t columns,
                               uint64_t base, int64_t stride) {
        if (y >= rows || x >= columns) return;
        add(site, base, stride, LaneMask{kAllLanes.bits >> (kTile - std::min(kTile, columns - x))});
      };
      const auto along = [&](uint32_t site, uint32_t buffer, uint32_t y, uint32_t x, uint32_t rows,
                             uint32_t columns) {
        add_row(site, y, x, rows, columns, trace::global_address(buffer, (uint64_t{y} * columns + x) * 4), 4);
      };
      const uint32_t in_x = bx * kTile, in_y = by * kTile;
      for (uint32_t row = warp; row < kTile; row += kWarps) {
        const uint32_t y = in_y + row;
        along(0, 0, y, in_x, shape.height, shape.width);
        if (tiled) {
          add(1, row * pitch, 4);
        } else if (shape.variant == Transpose::Naive) {
          add_row(1, y, in_x, shape.height, shape.width,
                  trace::global_address(1, (uint64_t{in_x} * out_width + y) * 4), int64_t{out_width} * 4);
        } else {
          along(1, 1, y, in_x, shape.height, shape.width);
        }
      }
      for (uint32_t row = warp; tiled && row < kTile; row += kWarps) {
        add(2, row * 4, pitch);
        along(3, 1, in_x + row, in_y, shape.width, shape.height);
      }
    }
    trace.blocks.push_back(std::move(block));
  }
  return trace;
}

trace::WarpAccess access_at(const trace::Trace& trace, uint32_t cta, uint32_t warp, uint32_t step) {
  const trace::StoredBlock* block = trace::find_block(trace, CtaId{cta});
  return trace::view(trace, *block, trace::accesses_of(*block, WarpId{warp})[step]);
}

trace::Trace lone_trace(trace::Operation operation) {
  trace::Trace trace;
  trace.kernel = "lone";
  trace.grid = {4, 1, 1};
  trace.block = {32, 1, 1};
  trace.buffers = {{"a", 1 << 20, 4, 0}};
  trace.sites.push_back(transpose_site(0, operation.space, operation.kind, 3, "a[i] = b[i];", "ld"));
  trace.sites[0].operation = operation;
  trace.totals.resize(1);
  return trace;
}

}  // namespace lanescope::tests
