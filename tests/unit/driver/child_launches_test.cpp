// Launches by kernels, in the order of the threads that ask for them, and lists that a kernel has damaged.

#include "driver/server/child_launches.h"

#include "ptx/device_runtime.h"
#include "trace/access.h"
#include "unit/driver/process_fixture.h"

#include <array>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Each thread of `parent` launches `child` with its number, thread 1 as a tail; `child` puts the number
/// where the next place is. `spoil` writes to the list of launches.
constexpr const char* kLaunching = R"(.version 9.0
.target sm_80
.address_size 64
.extern .func  (.param .b64 func_retval0) __cudaCDP2GetParameterBufferV2
(.param .b64 a, .param .align 4 .b8 b[12], .param .align 4 .b8 c[12], .param .b32 d);
.extern .func  (.param .b32 func_retval0) __cudaCDP2LaunchDeviceV2 (.param .b64 a, .param .b64 b);
.visible .entry child(.param .u64 out, .param .u32 number) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [number];
  atom.global.add.u32 %r2, [%rd1], 1; add.u32 %r2, %r2, 1;
  mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r1;
  ret;
}
.visible .entry parent(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;
  mov.u64 %rd2, child;
  { .param .b64 f; st.param.b64 [f], %rd2;
    .param .align 4 .b8 g[12]; st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    .param .align 4 .b8 b[12]; st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
    .param .b32 s; st.param.b32 [s], 0; .param .b64 r;
    call.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s); ld.param.b64 %rd3, [r]; }
  st.b64 [%rd3], %rd1; st.b32 [%rd3+8], %r1;
  setp.eq.u32 %p, %r1, 1; selp.u64 %rd4, 3, 0, %p;
  { .param .b64 a; st.param.b64 [a], %rd3; .param .b64 s; st.param.b64 [s], %rd4; .param .b32 r;
    call.uni (r), __cudaCDP2LaunchDeviceV2, (a, s); ld.param.b32 %r2, [r]; }
  ret;
}
.visible .entry spoil(.param .u64 list, .param .u64 value) {
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [list]; ld.param.u64 %rd2, [value]; st.global.u64 [%rd1], %rd2;
  ret;
}
)";

class ChildLaunches : public ProcessFixture {
 protected:
  uint64_t function(const char* name) { return ask(kLanescopeGetFunction, module_, 0, name).reply.r[0]; }
  uint64_t module_ = ask(kLanescopeLoadModule, 0, 0, kLaunching).reply.r[0];
};

TEST_F(ChildLaunches, children_run_in_the_order_of_the_threads_and_tails_last) {
  ASSERT_NE(module_, 0u);
  const uint64_t out = allocate(64);
  const Allocation& memory = process_.memory().allocation(trace::buffer_of(out));
  std::memset(memory.region.data, 0, memory.region.size_bytes);
  const Answer done = ask_to_launch(function("parent"), shape_of(1, 4), out);
  EXPECT_EQ(done.reply.result, 0) << done.payload;
  std::array<uint32_t, 5> got{};
  std::memcpy(got.data(), memory.region.data, sizeof got);
  EXPECT_THAT(got, ElementsAre(4, 0, 2, 3, 1));
  const auto records = log_.records();
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[0].kernel, "parent");
  EXPECT_EQ(records[4].kernel, "child");
  // Nothing is left over for the next launch.
  EXPECT_EQ(ask_to_launch(function("child"), shape_of(1, 1), out, uint32_t{9}).reply.result, 0);
  EXPECT_EQ(log_.records().size(), 6u);
}

TEST_F(ChildLaunches, a_damaged_list_is_an_error_and_nothing_is_launched) {
  const uint64_t list = ask(kLanescopeGetGlobal, module_, 0, ptx::kDeviceLaunches).reply.r[0];
  ASSERT_NE(list, 0u);
  const uint64_t out = allocate(64);
  for (const uint64_t value : {uint64_t{1}, out, list, ~uint64_t{0}}) {
    const Answer done = ask_to_launch(function("spoil"), shape_of(1, 1), list, value);
    EXPECT_NE(done.reply.result, 0);
    EXPECT_THAT(done.payload, HasSubstr("a kernel has overwritten it"));
  }
  EXPECT_EQ(log_.records().size(), 4u);
  const Answer lost = ask_to_launch(function("spoil"), shape_of(1, 1), list + 16, uint64_t{2});
  EXPECT_THAT(lost.payload, HasSubstr("no room for 2 of the launches"));
}

}  // namespace
}  // namespace lanescope::driver
