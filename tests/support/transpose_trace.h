// The accesses of a matrix transpose, written down without running one: for tests of what is drawn.
// Method: 32 x 8 threads per block of 32 x 32 elements, float; addresses by the textbook's formulas.

#pragma once

#include "model/cost.h"
#include "trace/trace.h"

#include <cstdint>
#include <string>

namespace lanescope::tests {

enum class Transpose { Copy, Naive, Tiled, Diagonal };

struct TransposeShape {
  uint32_t n = 128;      // rows and columns, a multiple of 32
  uint32_t padding = 0;  // floats behind each row of the tile
  Transpose variant = Transpose::Tiled;
};

inline trace::Site transpose_site(uint32_t id, trace::Space space, trace::Kind kind, int line,
                                  std::string text, std::string ptx) {
  return {.id = SiteId{id},
          .operation = {.space = space, .kind = kind},
          .source = {"transpose.cu", line},
          .source_text = std::move(text),
          .ptx_line = 20 + static_cast<int>(id) * 7,
          .ptx_text = std::move(ptx)};
}

inline trace::Trace transpose_trace(const TransposeShape& shape) {
  using trace::Kind;
  using trace::Space;
  const uint32_t blocks = shape.n / 32;
  const bool tiled = shape.variant == Transpose::Tiled || shape.variant == Transpose::Diagonal;
  trace::Trace trace;
  trace.kernel = tiled ? "transpose_tiled" : shape.variant == Transpose::Naive ? "transpose_naive" : "copy";
  trace.grid = {blocks, blocks, 1};
  trace.block = {32, 8, 1};
  trace.shared_bytes = tiled ? 32 * (32 + shape.padding) * 4 : 0;
  const uint64_t bytes = uint64_t{shape.n} * shape.n * 4;
  trace.buffers = {{"in", bytes, 4, shape.n}, {"out", bytes, 4, shape.n}};
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

  const uint32_t pitch = (32 + shape.padding) * 4;
  const uint64_t row = uint64_t{shape.n} * 4;
  for (uint32_t cta = 0; cta < blocks * blocks; ++cta) {
    uint32_t bx = cta % blocks;
    uint32_t by = cta / blocks;
    if (shape.variant == Transpose::Diagonal) {
      const uint32_t old = bx;
      bx = (bx + by) % blocks;
      by = old;
    }
    trace::StoredBlock block{.cta = CtaId{cta}, .accesses = {}, .list = {}, .values = {}};
    for (uint32_t warp = 0; warp < 8; ++warp) {
      uint32_t step = 0;
      const auto add = [&](uint32_t site, uint64_t base, int32_t stride) {
        block.accesses.push_back({.site = SiteId{site},
                                  .warp = WarpId{warp},
                                  .step = step++,
                                  .active = kAllLanes,
                                  .base = base,
                                  .stride = stride});
        const trace::WarpAccess access = trace::view(trace, block, block.accesses.back());
        trace.totals[site].add(access, model::cost_of(access));
      };
      for (uint32_t j = 0; j < 32; j += 8) {
        const uint32_t line = warp + j;
        add(0, trace::global_address(0, (by * 32 + line) * row + bx * 128), 4);
        if (tiled) {
          add(1, line * pitch, 4);
        } else if (shape.variant == Transpose::Naive) {
          add(1, trace::global_address(1, bx * 32 * row + (by * 32 + line) * 4), static_cast<int32_t>(row));
        } else {
          add(1, trace::global_address(1, (by * 32 + line) * row + bx * 128), 4);
        }
      }
      for (uint32_t j = 0; tiled && j < 32; j += 8) {
        const uint32_t line = warp + j;
        add(2, line * 4, static_cast<int32_t>(pitch));
        add(3, trace::global_address(1, (bx * 32 + line) * row + by * 128), 4);
      }
    }
    trace.blocks.push_back(std::move(block));
  }
  return trace;
}

/// The access on this step of a warp of a block.
inline trace::WarpAccess access_at(const trace::Trace& trace, uint32_t cta, uint32_t warp, uint32_t step) {
  const trace::StoredBlock* block = trace::find_block(trace, CtaId{cta});
  return trace::view(trace, *block, trace::accesses_of(*block, WarpId{warp})[step]);
}

/// One access that stands alone in a trace of its own: for banks and sectors.
inline trace::Trace lone_trace(trace::Operation operation) {
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
