// Which instructions of a kernel may give other results on a GPU.

#include "driver/server/difference_causes.h"

#include "ptx/lower.h"
#include "ptx/module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> causes(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
      ".reg .f32 %f<4>; .reg .b32 %r<4>; .reg .b64 %d<2>; ld.param.u64 %d0, [p];\n" +
          body + " ret; }\n",
      "k.ptx");
  if (!module) return {describe(module.error())};
  const auto program = ptx::lower(*module, "k");
  return program ? causes_of_difference(*program) : std::vector{describe(program.error())};
}

TEST(DifferenceCauses, results_that_are_determined_have_none) {
  EXPECT_THAT(causes("ld.global.f32 %f0, [%d0]; sqrt.rn.f32 %f1, %f0; div.rn.f32 %f2, %f1, %f0; "
                     "st.global.f32 [%d0], %f2; red.global.add.u32 [%d0], 1;"),
              IsEmpty());
}

TEST(DifferenceCauses, approximations_are_named_once) {
  EXPECT_THAT(
      causes("ld.global.f32 %f0, [%d0]; ex2.approx.f32 %f1, %f0; ex2.approx.ftz.f32 %f1, %f1; "
             "div.full.f32 %f2, %f1, %f0; st.global.f32 [%d0], %f2;"),
      ElementsAre("the kernel has div.full, ex2.approx, which a GPU approximates and the emulator computes "
                  "to full precision"));
}

TEST(DifferenceCauses, what_atomics_return_and_sums_of_floats_depend_on_the_order) {
  EXPECT_THAT(
      causes("atom.global.add.u32 %r0, [%d0], 1; st.global.u32 [%d0], %r0; red.global.add.f32 [%d0], %f0;"),
      ElementsAre("the kernel has atom, red, whose results may depend on the order of the threads"));
}

}  // namespace
}  // namespace lanescope::driver
