// A program that launches graphs: its kernels run in the emulator each time, and are launches of their own in
// the report.

#include "support/program.h"
#include "support/project.h"
#include "support/source_program_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::HasSubstr;

class GraphProgram : public tests::SourceProgramTest {};

TEST_F(GraphProgram, kernels_of_graphs_are_launches_of_the_report) {
  const std::string source = tests::source_dir() / "tests/programs/clients/graphs.cu";
  const tests::Finished done = tests::run_program({"run", source});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("graphs: right\n"));
  // Two graphs with one add each that are launched twice, two with one add, and two launches of a
  // multiplication.
  EXPECT_THAT(done.error, testing::ContainsRegex("add +7 "));
  EXPECT_THAT(done.error, testing::ContainsRegex("multiply +3 "));
  EXPECT_THAT(done.error, testing::Not(HasSubstr("not supported")));
}

}  // namespace
}  // namespace lanescope
