// Kernels in PTX whose blocks form clusters.

#pragma once

#include "kernel_run.h"

namespace lanescope::emulator {

/// %r1 = tid.x, %r2 = its number in the grid (blocks of a grid of rows count by rows), %r3 = rank in the
/// cluster; what `body` leaves in %r9 is stored at %r2.
inline std::string cluster_kernel(Dim3 cluster, std::string_view body) {
  return fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n.explicitcluster\n"
      ".reqnctapercluster {}, {}, {}\n{{\n.reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<16>; "
      ".shared .align 16 .b8 tile[1024];\n"
      "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r4, %nctaid.x; "
      "mov.u32 %r5, %ctaid.x; mad.lo.u32 %r2, %r2, %r4, %r5; mov.u32 %r4, %ntid.x; mad.lo.u32 %r2, %r2, %r4, "
      "%r1; "
      "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2; mov.u32 %r3, %cluster_ctarank; mov.u32 %r9, 0;\n"
      "mov.u32 %r6, tile; shl.b32 %r7, %r1, 2; add.u32 %r7, %r7, %r6;\n{}\n"
      "st.global.u32 [%rd1], %r9; ret;\n}}\n",
      cluster.x, cluster.y, cluster.z, body);
}

inline launch::Launch cluster_launch(Dim3 grid, uint32_t threads) {
  LaunchBuilder builder(grid, {threads, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(volume(grid) * threads, 0xdead));
  return builder.launch;
}

inline constexpr std::string_view kSync = "barrier.cluster.arrive; barrier.cluster.wait;\n";

/// Thread 0 (%p1) makes an mbarrier of so many arrivals in each block; %r10 is the neighbor's, which `use`
/// does something with; then all wait for their own, and do `after`.
inline std::string with_neighbours_mbarrier(int arrivals, std::string_view use, std::string_view after) {
  return fmt::format(
      "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared::cta.b64 [tile], {1}; {0} xor.b32 %r8, %r3, 1; "
      "mapa.shared::cluster.u32 %r10, %r6, %r8; {2}\n"
      "LOOK: mbarrier.try_wait.parity.shared::cta.b64 %p2, [tile], 0; @!%p2 bra LOOK; {3} {0}",
      kSync, arrivals, use, after);
}

}  // namespace lanescope::emulator
