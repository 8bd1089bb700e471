// Launches that would repeat one that changed nothing: which are not run, and what makes them run again.

#include "driver/server/repeated_launches.h"

#include "driver/server/launch_table.h"
#include "trace/access.h"
#include "unit/driver/process_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kRepeatedPtx = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 values);
.global .align 4 .u32 scale = 2;
.global .align 1 .b8 text[4] = {104, 105, 10, 0};

// out[i] = scale * in[i]
.visible .entry multiply(.param .u64 out, .param .u64 in) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.u32 %r2, [%rd2];
  ld.global.u32 %r3, [scale];
  mul.lo.u32 %r2, %r2, %r3;
  st.global.u32 [%rd1], %r2;
  ret;
}
// *out += 1
.visible .entry count(.param .u64 out) {
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  red.global.add.u32 [%rd1], 1;
  ret;
}
// *out = the time & 0
.visible .entry timed(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %clock;
  and.b32 %r1, %r1, 0;
  st.global.u32 [%rd1], %r1;
  ret;
}
// *out = the last block's number: atomics do not race, but who is the last?
.visible .entry last(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  atom.global.exch.b32 %r2, [%rd1], %r1;
  ret;
}
// *out = a block's number, with a race
.visible .entry race(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry print() {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  mov.u64 %rd1, text;
  cvta.global.u64 %rd1, %rd1;
  mov.u64 %rd2, 0;
  {
    .param .b64 format;
    .param .b64 values;
    .param .b32 result;
    st.param.b64 [format], %rd1;
    st.param.b64 [values], %rd2;
    call.uni (result), vprintf, (format, values);
    ld.param.b32 %r1, [result];
  }
  ret;
}
)";

class Repeats : public ProcessFixture {
 protected:
  uint64_t function(const char* name) { return ask(kLanescopeGetFunction, module_, 0, name).reply.r[0]; }
  uint32_t* words(uint64_t address) {
    return reinterpret_cast<uint32_t*>(process_.memory().regions()[trace::buffer_of(address)].data);
  }
  template <class... Parameters>
  Answer launch(uint64_t function, const Parameters&... parameters) {
    LanescopeLaunch shape = shape_of(blocks_, 32);
    shape.writes = writes_;
    return ask_to_launch(function, shape, parameters...);
  }
  uint64_t filled(uint64_t address, uint32_t value) {
    std::fill_n(words(address), 32, value);
    ++writes_;
    return address;
  }
  /// [launch] number of the one that it repeats, -1 if it was run.
  std::vector<int> repeats() const {
    std::vector<int> numbers;
    for (const LaunchRecord& record : log_.records())
      numbers.push_back(record.repeats ? static_cast<int>(*record.repeats) : -1);
    return numbers;
  }

  uint64_t module_ = ask(kLanescopeLoadModule, 0, 0, kRepeatedPtx).reply.r[0];
  uint64_t in_ = filled(allocate(128), 7), out_ = allocate(128);
  uint64_t multiply_ = function("multiply");
  uint64_t writes_ = 1;
  uint32_t blocks_ = 1;
};

TEST_F(Repeats, the_third_equal_launch_is_not_run_where_the_second_changed_nothing) {
  for (int n = 0; n < 4; ++n) EXPECT_EQ(launch(multiply_, out_, in_).reply.result, 0);
  EXPECT_THAT(repeats(), ElementsAre(-1, -1, 1, 1));
  const auto records = log_.records();
  EXPECT_EQ(records[3].totals, records[0].totals) << "its counts are those of the one before";
  EXPECT_EQ(records[3].cost.sectors, 9u) << "4 + 4 of the arrays, 1 of the variable";
  EXPECT_EQ(records[3].seconds, 0);
  EXPECT_EQ(records[3].number, 3u);
  EXPECT_EQ(to_json(records[3])["repeats"], 1);
  EXPECT_EQ(words(out_)[31], 14u);
  EXPECT_THAT(table_of(records), HasSubstr("multiply: 2 repeats of launch 2, not run again\n"));
}

TEST_F(Repeats, other_parameters_and_shapes_are_other_launches) {
  const uint64_t other = allocate(128);
  for (int n = 0; n < 3; ++n) {
    launch(multiply_, out_, in_);
    launch(multiply_, other, in_);
  }
  EXPECT_THAT(repeats(), ElementsAre(-1, -1, -1, -1, 2, 3)) << "each repeats its own";
  blocks_ = 2;
  launch(multiply_, out_, in_);
  EXPECT_FALSE(log_.records().back().repeats);
}

TEST_F(Repeats, a_copy_or_a_fill_between_makes_it_run) {
  for (int n = 0; n < 3; ++n) launch(multiply_, out_, in_);
  filled(in_, 5);
  launch(multiply_, out_, in_);
  EXPECT_FALSE(log_.records().back().repeats);
  EXPECT_EQ(words(out_)[0], 10u);
  filled(out_, 0);
  launch(multiply_, out_, in_);
  EXPECT_EQ(words(out_)[0], 10u) << "what was cleared is written again";
}

TEST_F(Repeats, another_kernel_between_makes_it_run_only_if_it_changes_memory) {
  const uint64_t count = function("count"), other = filled(allocate(128), 0);
  for (int n = 0; n < 3; ++n) launch(multiply_, out_, in_);
  launch(count, in_);
  launch(multiply_, out_, in_);
  EXPECT_FALSE(log_.records().back().repeats);
  EXPECT_EQ(words(out_)[0], 78u) << "2 * (7 + 32)";
  // Two kernels in turn: both are repeated once neither changes anything.
  const size_t before = log_.records().size();
  for (int n = 0; n < 12; ++n) {
    launch(multiply_, out_, in_);
    launch(multiply_, other, in_);
  }
  const auto all = repeats();
  EXPECT_GE(all.back(), static_cast<int>(before));
  EXPECT_GE(all[all.size() - 2], static_cast<int>(before));
}

TEST_F(Repeats, an_allocation_between_makes_it_run) {
  for (int n = 0; n < 3; ++n) launch(multiply_, out_, in_);
  allocate(128);
  launch(multiply_, out_, in_);
  EXPECT_FALSE(log_.records().back().repeats);
}

TEST_F(Repeats, an_atomic_that_counts_is_run_each_time) {
  const uint64_t count = function("count"), sum = filled(allocate(128), 0);
  for (int n = 0; n < 20; ++n) launch(count, sum);
  EXPECT_THAT(repeats(), testing::Each(-1));
  EXPECT_EQ(words(sum)[0], 640u);
}

TEST_F(Repeats, clocks_output_and_atomics_whose_order_counts_are_run_each_time) {
  blocks_ = 2;
  for (const char* name : {"timed", "last"}) {
    const uint64_t kernel = function(name);
    for (int n = 0; n < 5; ++n) launch(kernel, out_);
  }
  const uint64_t print = function("print");
  for (int n = 0; n < 5; ++n) EXPECT_THAT(launch(print).payload, HasSubstr("hi\nhi\n"));
  EXPECT_THAT(repeats(), testing::Each(-1));
}

TEST_F(Repeats, what_the_host_writes_to_managed_memory_is_seen) {
  const uint64_t managed = ask(kLanescopeAllocate, 128, kLanescopeSharedMemory).reply.r[0];
  std::fill_n(words(managed), 32, 3u);
  for (int n = 0; n < 3; ++n) launch(multiply_, out_, managed);
  EXPECT_THAT(repeats(), ElementsAre(-1, -1, 1));
  words(managed)[5] = 4;
  launch(multiply_, out_, managed);
  EXPECT_EQ(words(out_)[5], 8u);
  // Two states of the memory, one after the other, and the first one again.
  for (int n = 0; n < 3; ++n) launch(multiply_, out_, managed);
  EXPECT_TRUE(log_.records().back().repeats);
  words(managed)[5] = 3;
  launch(multiply_, out_, managed);
  EXPECT_EQ(words(out_)[5], 6u);
}

TEST_F(Repeats, managed_memory_is_not_compared_where_that_costs_more_than_the_launch) {
  ask(kLanescopeAllocate, uint64_t{12} << 20, kLanescopeSharedMemory);
  for (int n = 0; n < 5; ++n) launch(multiply_, out_, in_);
  EXPECT_THAT(repeats(), testing::Each(-1));
}

TEST_F(Repeats, what_the_host_writes_to_a_variable_is_seen) {
  for (int n = 0; n < 3; ++n) launch(multiply_, out_, in_);
  EXPECT_TRUE(log_.records().back().repeats);
  *words(ask(kLanescopeGetGlobal, module_, 0, "scale").reply.r[0]) = 3;
  launch(multiply_, out_, in_);
  EXPECT_EQ(words(out_)[0], 21u);
}

TEST_F(Repeats, a_launch_with_a_race_or_an_error_is_run_each_time) {
  blocks_ = 2;
  const uint64_t race = function("race");
  for (int n = 0; n < 5; ++n) launch(race, out_);
  blocks_ = 1;
  for (int n = 0; n < 4; ++n) EXPECT_EQ(launch(multiply_, out_ + 4, in_).reply.result, 700);
  EXPECT_THAT(repeats(), testing::Each(-1));
}

TEST_F(Repeats, without_checks_the_order_is_checked_once_and_nothing_is_reported) {
  run_.keeps = KeptLaunches::None;
  for (int n = 0; n < 4; ++n) launch(multiply_, out_, in_);
  EXPECT_THAT(repeats(), ElementsAre(-1, -1, -1, 2));
  blocks_ = 2;
  const uint64_t race = function("race");
  for (int n = 0; n < 5; ++n) launch(race, out_);
  for (const LaunchRecord& record : log_.records()) {
    EXPECT_THAT(record.findings, IsEmpty());
    EXPECT_FALSE(record.was_checked);
  }
  EXPECT_FALSE(log_.records().back().repeats);
}

TEST_F(Repeats, launches_that_are_all_kept_or_asked_for_are_run) {
  run_.keeps = KeptLaunches::All;
  for (int n = 0; n < 4; ++n) launch(multiply_, out_, in_);
  run_.keeps = KeptLaunches::First;
  run_.runs_repeats = true;
  for (int n = 0; n < 4; ++n) launch(multiply_, out_, in_);
  EXPECT_THAT(repeats(), testing::Each(-1));
}

}  // namespace
}  // namespace lanescope::driver
