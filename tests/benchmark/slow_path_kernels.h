// Kernels that take the emulator's slow paths, one each: partial masks, divergence, gathers, bank conflicts,
// atomics. Each runs a loop in 64 blocks of 256 threads, on one buffer of 65,536 words that counts up from 0
// (out).

#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace lanescope::benchmarks {

/// A kernel `slow` whose loop, of 256 rounds, has this body. Before it: %r1 thread, %r2 lane, %r3 warp, %rd1
/// the buffer, %rd2 its word of the thread, `tile` 32 KB of zeros in shared memory, %r10 the round. The
/// kernels are correct: the checks find nothing.
inline std::string looping(std::string_view before, std::string_view body) {
  return fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry slow(.param .u64 out) {{
  .reg .pred %p<8>; .reg .b32 %r<32>; .reg .f32 %f<8>; .reg .b64 %rd<16>;
  .shared .align 16 .b8 tile[32768];
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; shr.u32 %r3, %r1, 5;
  mov.u32 %r20, %ctaid.x; mad.lo.u32 %r20, %r20, 256, %r1; mul.wide.u32 %rd3, %r20, 4; add.u64 %rd2, %rd1, %rd3;
  mov.u32 %r10, 0; mov.u32 %r4, tile; mov.u32 %r5, %r1; shl.b32 %r21, %r1, 2; add.u32 %r21, %r21, %r4;
  mov.u32 %r22, 0;
CLEAR:
  st.shared.u32 [%r21], 0; add.u32 %r21, %r21, 1024; add.u32 %r22, %r22, 1; setp.lt.u32 %p1, %r22, 32;
  @%p1 bra CLEAR;
  bar.sync 0;
  {}
LOOP:
  {}
NEXT:
  add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 256; @%p1 bra LOOP;
  st.global.u32 [%rd2+4096], %r5; ret;
}})",
                     before, body);
}

/// 20 of 32 lanes work, the others wait at the end.
inline std::string partial_masks() {
  return looping("setp.ge.u32 %p2, %r2, 20; @%p2 bra DONE;", R"(
  mad.lo.u32 %r5, %r5, 5, %r10; xor.b32 %r6, %r5, %r1; shl.b32 %r7, %r6, 3; add.u32 %r5, %r5, %r7;
  mul.lo.u32 %r8, %r5, 7; xor.b32 %r5, %r8, %r6; bra NEXT;
DONE: ret;)");
}

/// Half of the lanes goes one way, half the other, differently in each round.
inline std::string divergence() {
  return looping("", R"(
  xor.b32 %r6, %r1, %r10; and.b32 %r6, %r6, 1; setp.eq.u32 %p2, %r6, 0; @%p2 bra EVEN;
  mad.lo.u32 %r5, %r5, 5, %r10; xor.b32 %r7, %r5, %r1; shl.b32 %r8, %r7, 3; add.u32 %r5, %r5, %r8; bra NEXT;
EVEN:
  mul.lo.u32 %r5, %r5, 7; add.u32 %r7, %r5, %r10; shr.u32 %r8, %r7, 3; xor.b32 %r5, %r5, %r8;)");
}

/// Every lane reads a different word, at an irregular address.
inline std::string gathers() {
  return looping("", R"(
  mad.lo.u32 %r6, %r5, 1664525, %r10; shr.u32 %r6, %r6, 7; and.b32 %r6, %r6, 32767; mul.wide.u32 %rd4, %r6, 4;
  add.u64 %rd5, %rd1, %rd4; ld.global.u32 %r7, [%rd5+131072]; add.u32 %r5, %r7, %r1;)");
}

/// All 32 lanes read different words of one bank.
inline std::string conflicts() {
  return looping("", R"(
  shl.b32 %r6, %r2, 7; add.u32 %r6, %r6, %r4; add.u32 %r7, %r10, %r3; and.b32 %r7, %r7, 31; shl.b32 %r7, %r7, 2;
  add.u32 %r6, %r6, %r7; ld.shared.u32 %r8, [%r6]; add.u32 %r5, %r5, %r8;)");
}

/// Lanes gather from shared memory without a rule: conflicts of some degree.
inline std::string shared_gathers() {
  return looping("", R"(
  mad.lo.u32 %r6, %r5, 1664525, %r1; shr.u32 %r6, %r6, 9; and.b32 %r6, %r6, 32764; add.u32 %r6, %r6, %r4;
  ld.shared.u32 %r8, [%r6]; add.u32 %r5, %r8, %r10; add.u32 %r5, %r5, %r1;)");
}

/// A histogram of 64 bins in shared memory.
inline std::string shared_atomics() {
  return looping("", R"(
  mad.lo.u32 %r5, %r5, 1664525, %r10; shr.u32 %r6, %r5, 20; and.b32 %r6, %r6, 63; shl.b32 %r6, %r6, 2;
  add.u32 %r6, %r6, %r4; atom.shared.add.u32 %r7, [%r6], 1; add.u32 %r5, %r5, 12345;)");
}

/// The same in global memory, its result unused.
inline std::string global_reductions() {
  return looping("", R"(
  mad.lo.u32 %r5, %r5, 1664525, %r10; shr.u32 %r6, %r5, 20; and.b32 %r6, %r6, 63; mul.wide.u32 %rd4, %r6, 4;
  add.u64 %rd5, %rd1, %rd4; red.global.add.u32 [%rd5], 1; add.u32 %r5, %r5, 12345;)");
}

/// A sum over the warp by shuffles.
inline std::string shuffles() {
  return looping("", R"(
  shfl.sync.bfly.b32 %r6|%p2, %r5, 16, 31, -1; add.u32 %r5, %r5, %r6; shfl.sync.bfly.b32 %r6|%p2, %r5, 8, 31, -1;
  add.u32 %r5, %r5, %r6; shfl.sync.down.b32 %r6|%p2, %r5, 4, 31, -1; add.u32 %r5, %r5, %r6;)");
}

}  // namespace lanescope::benchmarks
