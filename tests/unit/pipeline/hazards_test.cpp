#include "pipeline/hazards.h"

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

trace::Hazard race(int line, uint64_t count) {
  trace::Hazard hazard;
  hazard.kind = trace::HazardKind::Race;
  hazard.where = {"k.cu", line};
  hazard.message = "writes what another reads";
  hazard.block = {1, 2, 0};
  hazard.thread = {3, 0, 0};
  hazard.count = count;
  return hazard;
}

TEST(Hazards, a_kernel_without_hazards_has_no_error) { EXPECT_FALSE(error_of(trace::Trace{})); }

TEST(Hazards, the_first_hazard_is_the_error_and_names_the_thread) {
  trace::Trace trace;
  trace.hazards = {race(7, 1)};
  const auto error = error_of(trace);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::Hazard);
  EXPECT_EQ(describe(*error), "k.cu:7: thread (3,0,0) of block (1,2,0) writes what another reads");
}

TEST(Hazards, each_other_hazard_follows_on_a_line_up_to_a_dozen) {
  trace::Trace trace;
  for (int n = 1; n <= 15; ++n) trace.hazards.push_back(race(n, 2));
  const std::string text = error_of(trace)->message;
  EXPECT_NE(text.find("\nk.cu:2: thread (3,0,0) of block (1,2,0) writes what another reads (one of 2 times)"),
            std::string::npos);
  EXPECT_EQ(text.find("k.cu:13:"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\nand 3 more"));
}

TEST(Hazards, a_race_does_not_stop_a_run_and_a_fault_does) {
  trace::Trace trace;
  EXPECT_TRUE(require_whole(trace, "a time"));
  trace.hazards = {race(7, 1)};
  EXPECT_TRUE(require_whole(trace, "a time"));
  using enum trace::HazardKind;
  for (const trace::HazardKind kind :
       {OutOfBounds, Misaligned, DivergentBarrier, Trap, Deadlock, StackOverflow, Assertion}) {
    trace.hazards = {race(7, 1), race(8, 1)};
    trace.hazards[1].kind = kind;
    const auto whole = require_whole(trace, "a time");
    ASSERT_FALSE(whole) << name_of(kind);
    EXPECT_EQ(describe(whole.error()),
              "k.cu:8: the kernel was stopped before its end, and a time of a partial run would be wrong: "
              "thread (3,0,0) "
              "of block (1,2,0) writes what another reads");
  }
}

}  // namespace
}  // namespace lanescope::pipeline
