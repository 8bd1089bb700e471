#include "pipeline/value_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

using testing::ElementsAre;

/// which[], in[], out[], n: out[n] = in[which[n]].
constexpr const char* kGather = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry gather(.param .u64 which, .param .u64 in, .param .u64 out, .param .u32 n)
{
.reg .b32 %r<4>;
.reg .b64 %d<12>;
ld.param.u64 %d1, [which];
ld.param.u64 %d2, [in];
ld.param.u64 %d3, [out];
ld.param.u32 %r1, [n];
cvta.to.global.u64 %d4, %d1;
mul.wide.u32 %d5, %r1, 4;
add.s64 %d6, %d4, %d5;
ld.global.u32 %r2, [%d6];
mul.wide.u32 %d7, %r2, 4;
add.s64 %d8, %d2, %d7;
ld.global.u32 %r3, [%d8];
add.s64 %d9, %d3, %d5;
st.global.u32 [%d9], %r3;
ret;
}
)";

TEST(ValueFlow, parameters_are_read_where_loads_go_through_them) {
  const ValueFlow flow = find_value_flow(kGather, "gather");
  ASSERT_EQ(flow.parameters.size(), 4u);
  EXPECT_TRUE(flow.parameters[0].is_read);
  EXPECT_TRUE(flow.parameters[1].is_read);
  EXPECT_FALSE(flow.parameters[2].is_read);
  EXPECT_TRUE(flow.parameters[2].is_address);
  EXPECT_FALSE(flow.parameters[3].is_address);
  EXPECT_FALSE(flow.has_block_index);
}

TEST(ValueFlow, an_address_that_was_read_is_one_of_data) {
  // The load through `in` alone.
  EXPECT_THAT(find_value_flow(kGather, "gather").data_lines, ElementsAre(18));
}

TEST(ValueFlow, another_kernel_has_none) {
  EXPECT_TRUE(find_value_flow(kGather, "scatter").parameters.empty());
}

}  // namespace
}  // namespace lanescope::pipeline
