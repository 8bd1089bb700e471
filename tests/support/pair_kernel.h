// A kernel as PTX whose lanes store two neighboring words of shared memory each, and load both: the assembler
// makes one store and one load of 8 bytes of them.

#pragma once

namespace lanescope::tests {

inline constexpr const char* kPairKernel = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry pair(.param .u64 out)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<5>;
  .reg .f32 %f<5>;
  .shared .align 8 .b8 kept[256];
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, kept;
  mad.lo.u32 %r3, %r1, 8, %r2;
  mov.f32 %f1, 0f3F800000;
  st.shared.f32 [%r3], %f1;
  st.shared.f32 [%r3+4], %f1;
  bar.sync 0;
  ld.shared.f32 %f2, [%r3];
  ld.shared.f32 %f3, [%r3+4];
  add.f32 %f4, %f2, %f3;
  mad.wide.u32 %rd3, %r1, 4, %rd2;
  st.global.f32 [%rd3], %f4;
  ret;
}
)";

}  // namespace lanescope::tests
