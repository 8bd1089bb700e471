#include "support/instruction_table.h"

#include "support/project.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

TEST(InstructionTable, the_file_for_readers_is_fresh) {
  std::ifstream file(tests::source_dir() / "app/ptx/INSTRUCTIONS.md");
  std::ostringstream kept;
  kept << file.rdbuf();
  EXPECT_TRUE(kept.str() == instruction_table()) << "run the target store_instructions";
}

}  // namespace
}  // namespace lanescope::ptx
