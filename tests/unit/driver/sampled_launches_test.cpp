// Launches of which some blocks run, and launches that would read what these left incomplete.

#include "driver/server/sampled_launches.h"

#include "unit/driver/process_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::HasSubstr;

constexpr const char* kSampledPtx = R"(.version 8.0
.target sm_80
.address_size 64
// out[i] = in[i]
.visible .entry copy(.param .u64 out, .param .u64 in) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r1, %r2, 32, %r1;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.u32 %r3, [%rd2];
  st.global.u32 [%rd1], %r3;
  ret;
}
// Block b waits until block b - 1 has written its flag.
.visible .entry chain(.param .u64 flags) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [flags];
  mov.u32 %r2, %ctaid.x;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd1, %rd1, %rd3;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra write;
wait:
  ld.volatile.global.u32 %r3, [%rd1+-4];
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra wait;
write:
  st.volatile.global.u32 [%rd1], 1;
  ret;
}
)";

class Sampled : public ProcessFixture {
 protected:
  Sampled() { run_.sample_blocks = 4; }
  uint64_t function(const char* name) { return ask(kLanescopeGetFunction, module_, 0, name).reply.r[0]; }
  uint64_t initialized(uint64_t bytes) {
    const uint64_t address = allocate(bytes);
    std::memset(process_.memory().regions()[trace::buffer_of(address)].data, 1, bytes);
    return address;
  }
  LaunchRecord record(size_t n) { return log_.records()[n]; }

  uint64_t module_ = ask(kLanescopeLoadModule, 0, 0, kSampledPtx).reply.r[0];
  uint64_t copy_ = function("copy");
  uint64_t in_ = initialized(64 * 128), out_ = allocate(64 * 128), other_ = allocate(64 * 128);
};

TEST_F(Sampled, a_larger_launch_runs_some_of_its_blocks_and_says_so) {
  EXPECT_EQ(ask_to_launch(copy_, shape_of(64, 32), out_, in_).reply.result, 0);
  EXPECT_EQ(ask_to_launch(copy_, shape_of(4, 32), other_, in_).reply.result, 0);
  EXPECT_EQ(record(0).sampled_blocks, 4u);
  EXPECT_EQ(record(0).cost.requests, 4u * 2);
  EXPECT_EQ(to_json(record(0))["sampled"], (nlohmann::json{{"blocks", 4}, {"of", 64}}));
  EXPECT_EQ(record(1).sampled_blocks, 0u) << "it has no more blocks";
  EXPECT_THAT(log_.notes(), testing::Contains(HasSubstr("--sample-blocks")));
}

TEST_F(Sampled, a_launch_that_reads_what_is_incomplete_is_refused_and_one_that_only_writes_there_is_not) {
  ask_to_launch(copy_, shape_of(64, 32), out_, in_);
  EXPECT_EQ(ask_to_launch(copy_, shape_of(64, 32), out_, in_).reply.result, 0) << "out is only written";
  const Answer refused = ask_to_launch(copy_, shape_of(64, 32), other_, out_);
  EXPECT_EQ(refused.reply.result, static_cast<int32_t>(Status::NotSupported));
  EXPECT_THAT(record(2).error, HasSubstr("it reads what launch 2 (copy) left incomplete"));
  EXPECT_EQ(record(2).cost.requests, 0u);
  // Memory that is allocated anew is not what was incomplete.
  ask(kLanescopeFree, out_);
  const uint64_t anew = initialized(64 * 128);
  EXPECT_EQ(ask_to_launch(copy_, shape_of(64, 32), other_, anew).reply.result, 0);
}

TEST_F(Sampled, on_demand_it_runs_and_its_findings_are_notes) {
  run_.samples_all = true;
  ask_to_launch(copy_, shape_of(64, 32), out_, in_);
  EXPECT_EQ(ask_to_launch(copy_, shape_of(60, 32), other_, out_).reply.result, 0);
  EXPECT_TRUE(record(1).has_incomplete_inputs);
  EXPECT_TRUE(record(1).findings.empty());
  EXPECT_TRUE(record(1).hazards.empty());
  EXPECT_THAT(record(1).notes, testing::Contains(HasSubstr("on incomplete data: ")))
      << "blocks 15, 30 and 45 of 60 read what no block of 0, 16, 32 and 48 has written";
}

TEST_F(Sampled, blocks_that_wait_for_others_are_run_whole) {
  const uint64_t flags = allocate(64 * 4);
  std::memset(process_.memory().regions()[trace::buffer_of(flags)].data, 0, 64 * 4);
  EXPECT_EQ(ask_to_launch(function("chain"), shape_of(64, 1), flags).reply.result, 0);
  EXPECT_EQ(record(0).sampled_blocks, 0u);
  EXPECT_TRUE(record(0).findings.empty());
}

TEST_F(Sampled, what_goes_on_after_an_access_out_of_bounds_is_a_finding_that_stopped_nothing) {
  run_.sample_blocks = 0;
  run_.out_of_bounds = emulator::OutOfBounds::IsPassedOver;
  const uint64_t small = allocate(100);
  const Answer answer = ask_to_launch(copy_, shape_of(1, 32), small, in_);
  EXPECT_EQ(answer.reply.result, 0);
  ASSERT_EQ(record(0).hazards.size(), 1u);
  EXPECT_EQ(record(0).hazards[0].count, 7u);
  EXPECT_TRUE(record(0).error.empty());
  EXPECT_THAT(log_.notes(), testing::Contains(HasSubstr("--keep-going")));
}

}  // namespace
}  // namespace lanescope::driver
