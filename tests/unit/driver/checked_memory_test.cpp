// Checked launches in a program's memory: what is found does not depend on which buffers the kernel is
// presumed to write, nor on how many reads of initialized memory came before.

#include "trace/access.h"
#include "unit/driver/process_fixture.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kCheckedPtx = R"(.version 8.0
.target sm_80
.address_size 64
.global .align 8 .u64 target;

// *pointer[0] = the block's number
.visible .entry by_memory(.param .u64 pointers) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [pointers];
  ld.global.u64 %rd2, [%rd1];
  mov.u32 %r1, %ctaid.x;
  st.global.u32 [%rd2], %r1;
  ret;
}
// *target = the block's number
.visible .entry by_variable() {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.global.u64 %rd2, [target];
  mov.u32 %r1, %ctaid.x;
  st.global.u32 [%rd2], %r1;
  ret;
}
// out[thread] = the sum of in[0..count), from the thread's place on
.visible .entry sum(.param .u64 out, .param .u64 in, .param .u32 count) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  mov.u32 %r3, 0;
loop:
  ld.global.u32 %r4, [%rd2];
  add.u32 %r3, %r3, %r4;
  add.s64 %rd2, %rd2, 128;
  add.u32 %r2, %r2, 32;
  setp.lt.u32 %p, %r2, %r1;
  @%p bra loop;
  st.global.u32 [%rd1], %r3;
  ret;
}
)";

class CheckedMemory : public ProcessFixture {
 protected:
  uint64_t function(const char* name) { return ask(kLanescopeGetFunction, module_, 0, name).reply.r[0]; }
  template <class T>
  T* at(uint64_t address) {
    return reinterpret_cast<T*>(process_.memory().regions()[trace::buffer_of(address)].data);
  }
  std::vector<std::string> findings() { return log_.records().back().findings; }

  uint64_t module_ = ask(kLanescopeLoadModule, 0, 0, kCheckedPtx).reply.r[0];
};

TEST_F(CheckedMemory, a_race_at_an_address_from_memory_is_found) {
  const uint64_t pointers = allocate(8), target = allocate(4);
  *at<uint64_t>(pointers) = target;
  *at<uint32_t>(target) = 100;
  EXPECT_EQ(ask_to_launch(function("by_memory"), shape_of(2, 1), pointers).reply.result, 0);
  EXPECT_THAT(findings(), testing::Contains(HasSubstr("nothing orders the blocks")));
  EXPECT_LT(*at<uint32_t>(target), 2u) << "the store is the device's";
  *at<uint64_t>(ask(kLanescopeGetGlobal, module_, 0, "target").reply.r[0]) = target;
  EXPECT_EQ(ask_to_launch(function("by_variable"), shape_of(2, 1)).reply.result, 0);
  EXPECT_THAT(findings(), testing::Contains(HasSubstr("nothing orders the blocks")));
  EXPECT_EQ(ask_to_launch(function("by_memory"), shape_of(1, 1), pointers).reply.result, 0);
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(CheckedMemory, two_words_that_are_not_written_are_found_wherever_they_are) {
  constexpr uint32_t kWords = 1 << 16;
  const uint64_t kernel = function("sum"), out = allocate(128), last = allocate(4 * kWords),
                 first = allocate(4 * kWords), none = allocate(4 * kWords);
  const auto sum = [&](uint64_t in) {
    EXPECT_EQ(ask_to_launch(kernel, shape_of(1, 32), out, in, kWords).reply.result, 0);
    return at<uint32_t>(out)[31];
  };
  std::fill_n(at<uint32_t>(last), kWords - 2, 1u);
  std::fill_n(at<uint32_t>(first) + 2, kWords - 2, 1u);
  std::fill_n(at<uint32_t>(none), kWords, 1u);
  sum(last);
  EXPECT_THAT(findings(), SizeIs(1));
  EXPECT_EQ(sum(first), kWords / 32);
  EXPECT_THAT(findings(), SizeIs(1));
  EXPECT_EQ(sum(none), kWords / 32);
  EXPECT_THAT(findings(), IsEmpty());
}

}  // namespace
}  // namespace lanescope::driver
