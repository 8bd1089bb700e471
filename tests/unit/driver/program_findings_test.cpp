// Findings of a program's launches as its report names them.

#include "driver/server/program_findings.h"

#include "driver/server/launch_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

trace::Hazard race_at(int line, int other) {
  trace::Hazard hazard;
  hazard.kind = trace::HazardKind::Race;
  hazard.where = {"sum.cu", line};
  hazard.message = "a race";
  hazard.other = trace::Culprit{.where = {"sum.cu", other}};
  return hazard;
}

LaunchRecord record_with(uint32_t number, std::vector<trace::Hazard> hazards) {
  LaunchRecord one;
  one.number = number;
  one.kernel = "sum";
  one.program = "first";
  one.hazards = std::move(hazards);
  for (const trace::Hazard& hazard : one.hazards)
    one.findings.push_back(describe({ErrorKind::Hazard, trace::sentence_of(hazard), hazard.where}) +
                           " (and 3 more at this line)");
  return one;
}

TEST(ProgramFindings, one_mistake_in_many_places_and_launches_is_one_sentence) {
  // A barrier is missing after the store of line 10: the loads of lines 14, 15 and 20 race with it.
  const auto found = findings_of({record_with(0, {race_at(14, 10), race_at(15, 10), race_at(10, 20)}),
                                  record_with(1, {race_at(14, 10)}), record_with(2, {})},
                                 true);
  ASSERT_THAT(found, testing::SizeIs(1));
  EXPECT_THAT(found[0], AllOf(StartsWith("sum: sum.cu:14: "),
                              HasSubstr("(and 3 more races at lines 10, 14, 15, 20, in 2 launches)"),
                              Not(HasSubstr("first: "))));
}

TEST(ProgramFindings, notes_on_barriers_are_told_likewise_and_apart) {
  trace::Hazard note = race_at(7, 7);
  note.kind = trace::HazardKind::DivergentBarrier;
  note.message = "32 threads exited before the barrier";
  note.other.reset();
  LaunchRecord first = record_with(0, {}), second = record_with(1, {});
  first.barrier_notes = second.barrier_notes = {note};
  EXPECT_THAT(findings_of({first, second}, true), IsEmpty());
  EXPECT_THAT(barrier_notes_of({first, second}),
              ElementsAre(AllOf(StartsWith("sum: sum.cu:7: "), HasSubstr("in 2 launches"))));
}

TEST(ProgramFindings, other_lines_and_other_kinds_are_other_mistakes) {
  trace::Hazard outside = race_at(10, 10);
  outside.kind = trace::HazardKind::OutOfBounds;
  outside.other.reset();
  const auto found =
      findings_of({record_with(0, {race_at(14, 10), race_at(30, 31), outside, outside})}, true);
  ASSERT_THAT(found, testing::SizeIs(3));
  EXPECT_THAT(found[0], Not(HasSubstr("more")));
  EXPECT_THAT(found[1], HasSubstr("sum.cu:30"));
  EXPECT_THAT(found[2], HasSubstr("(and 1 more at this line)"));
}

TEST(ProgramFindings, an_error_is_told_once_where_no_finding_says_it) {
  LaunchRecord limit = record_with(0, {}), again = record_with(1, {});
  limit.error = again.error = "kernel sum executed more than 10 warp instructions";
  EXPECT_THAT(findings_of({limit, again}, true),
              ElementsAre("sum: kernel sum executed more than 10 warp instructions (in 2 launches)"));
  EXPECT_THAT(findings_of({limit, again}, false), IsEmpty());
  LaunchRecord stopped = record_with(0, {race_at(14, 10)});
  stopped.error = describe({ErrorKind::Hazard, trace::sentence_of(race_at(14, 10)), Location{"sum.cu", 14}});
  EXPECT_THAT(findings_of({stopped}, true), testing::SizeIs(1));
}

TEST(ProgramFindings, several_programs_are_told_apart_by_name) {
  LaunchRecord other = record_with(1, {race_at(30, 31)});
  other.program = "second";
  EXPECT_THAT(findings_of({record_with(0, {race_at(14, 10)}), other}, true),
              ElementsAre(StartsWith("first: sum: "), StartsWith("second: sum: ")));
  const std::string table = table_of({record_with(0, {}), other});
  EXPECT_THAT(table, HasSubstr("1       first: sum   1 "));
  EXPECT_THAT(table, HasSubstr("2       second: sum  1 "));
}

}  // namespace
}  // namespace lanescope::driver
