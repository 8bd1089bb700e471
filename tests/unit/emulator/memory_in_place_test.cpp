// Runs on memory that outlives them: buffers and variables in place, at numbers of the caller's choice.

#include "emulator/run.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "trace/access.h"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::emulator {
namespace {

/// *out += ++count
constexpr const char* kPtx = R"(.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 count = 7;
.visible .entry step(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [count];
  add.u32 %r1, %r1, 1;
  st.global.u32 [count], %r1;
  ld.global.u32 %r2, [%rd1];
  add.u32 %r2, %r2, %r1;
  st.global.u32 [%rd1], %r2;
  ret;
}
)";

/// ++count, with no parameter that leads to it
constexpr const char* kPtxWithoutParameters = R"(.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 count = 7;
.visible .entry step() {
  .reg .b32 %r<2>;
  ld.global.u32 %r1, [count];
  add.u32 %r1, %r1, 1;
  st.global.u32 [count], %r1;
  ret;
}
)";

/// Reads what is *out bytes from out, after it has made *out 0.
constexpr const char* kPtxThatForgets = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry step(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [%rd1];
  mov.u32 %r2, 0;
  st.global.u32 [%rd1], %r2;
  cvt.u64.u32 %rd2, %r1;
  add.u64 %rd2, %rd1, %rd2;
  ld.global.u32 %r3, [%rd2];
  ret;
}
)";

/// Two words, of which the second is 0.
launch::Contents contents(uint32_t value) {
  auto bytes = std::make_shared<launch::Bytes>(8);
  std::memcpy(bytes->data(), &value, sizeof value);
  return bytes;
}

class MemoryInPlaceTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto module = ptx::parse(kPtx, "module");
    ASSERT_TRUE(module);
    auto program = ptx::lower(*module, "step");
    ASSERT_TRUE(program);
    program_ = *std::move(program);
    // Buffers 0 to 2 of which the first is nothing, as after it was freed.
    launch_.grid = launch_.block = {1, 1, 1};
    for (int n = 0; n < 3; ++n) launch_.buffers.emplace_back().shape = {0};
    const uint64_t out = trace::global_address(2, 0);
    std::vector<std::byte> bytes(sizeof out);
    std::memcpy(bytes.data(), &out, sizeof out);
    launch_.arguments.emplace_back(launch::Value{.bytes = bytes});
    place_.buffers = {{}, region(count_), region(out_)};
    place_.variables = {{"count", 1}};
  }
  static Region region(std::array<uint32_t, 2>& words) {
    return {reinterpret_cast<std::byte*>(words.data()), sizeof words};
  }
  Result<Recording> run() {
    Options options;
    options.threads = 1;
    options.in_place = &place_;
    trace::Keep keep;
    return record(program_, launch_, [](const trace::WarpAccess&) { return trace::Cost{}; }, keep, options);
  }

  ptx::Program program_;
  launch::Launch launch_;
  std::array<uint32_t, 2> count_{100, 0}, out_{1, 0};
  MemoryInPlace place_;
};

TEST_F(MemoryInPlaceTest, is_read_and_written_where_it_is_and_goes_on_from_run_to_run) {
  const auto first = run();
  ASSERT_TRUE(first) << describe(first.error());
  EXPECT_EQ(out_[0], 102u);
  EXPECT_EQ(count_[0], 101u) << "the variable was not initialized again";
  EXPECT_TRUE(run());
  EXPECT_EQ(out_[0], 204u);
  ASSERT_EQ(first->trace.buffers.size(), 3u) << "the variable is one of the buffers";
  EXPECT_EQ(first->trace.buffers[0].size_bytes, 0u);
  EXPECT_EQ(first->trace.buffers[2].size_bytes, 8u);
  EXPECT_EQ(first->trace.totals.size(), first->trace.sites.size());
}

TEST_F(MemoryInPlaceTest, a_hazard_is_reported_though_its_cause_is_gone_after_the_run) {
  auto program = ptx::lower(*ptx::parse(kPtxThatForgets, "module"), "step");
  ASSERT_TRUE(program);
  program_ = *std::move(program);
  place_.variables.clear();
  for (const uint32_t blocks : {1u, 64u}) {
    launch_.grid.x = blocks;
    out_[0] = 1 << 20;
    const auto recording = run();
    ASSERT_TRUE(recording) << describe(recording.error());
    ASSERT_EQ(recording->trace.hazards.size(), 1u) << blocks;
    EXPECT_EQ(recording->trace.hazards[0].kind, trace::HazardKind::OutOfBounds);
    EXPECT_EQ(recording->trace.hazards[0].block, (Dim3{0, 0, 0}));
    EXPECT_EQ(out_[0], 0u);
  }
}

TEST_F(MemoryInPlaceTest, contents_of_the_launch_serve_where_only_variables_are_placed) {
  place_.buffers.clear();
  for (launch::Buffer& buffer : launch_.buffers) buffer.shape = {2};
  launch_.buffers[0].initial = contents(0);
  launch_.buffers[1].initial = contents(30);
  launch_.buffers[2].initial = contents(2);
  const auto recording = run();
  ASSERT_TRUE(recording) << describe(recording.error());
  uint32_t count = 0, out = 0;
  std::memcpy(&count, recording->buffers[1]->data(), sizeof count);
  std::memcpy(&out, recording->buffers[2]->data(), sizeof out);
  EXPECT_EQ(count, 31u);
  EXPECT_EQ(out, 33u);
  EXPECT_EQ(count_[0], 100u);
}

TEST_F(MemoryInPlaceTest, a_variable_that_no_parameter_leads_to_is_written_in_a_copy_of_the_contents) {
  auto program = ptx::lower(*ptx::parse(kPtxWithoutParameters, "module"), "step");
  ASSERT_TRUE(program);
  program_ = *std::move(program);
  launch_.arguments.clear();
  place_.buffers.clear();
  for (launch::Buffer& buffer : launch_.buffers) {
    buffer.shape = {2};
    buffer.initial = contents(30);
  }
  const auto recording = run();
  ASSERT_TRUE(recording) << describe(recording.error());
  EXPECT_EQ(*recording->buffers[1], *contents(31));
  EXPECT_EQ(*launch_.buffers[1].initial, *contents(30)) << "the launch's own contents are as they were";
}

TEST_F(MemoryInPlaceTest, what_was_freed_is_out_of_bounds) {
  place_.buffers[2] = {};
  const auto recording = run();
  ASSERT_TRUE(recording);
  ASSERT_EQ(recording->trace.hazards.size(), 1u);
  EXPECT_EQ(recording->trace.hazards[0].kind, trace::HazardKind::OutOfBounds);
}

}  // namespace
}  // namespace lanescope::emulator
