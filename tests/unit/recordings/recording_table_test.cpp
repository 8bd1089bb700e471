// The table of the recordings says what the recordings hold.

#include "recordings/recording_table.h"

#include "base/file.h"
#include "pipeline/job.h"
#include "support/project_options.h"

#include <gtest/gtest.h>

namespace lanescope::recordings {
namespace {

TEST(RecordingTables, the_kept_one_is_fresh) {
  const auto made = recording_tables(tests::project_options());
  ASSERT_TRUE(made) << describe(made.error());
  const auto kept = read_text(tests::project_options().assets / "recordings/README.md");
  ASSERT_TRUE(kept) << describe(kept.error());
  EXPECT_EQ(*kept, *made) << "run the target store_recordings";
}

TEST(RecordingTables, every_kernel_of_the_transpose_has_a_row_with_its_share_of_a_copy) {
  const auto made = recording_tables(tests::project_options());
  ASSERT_TRUE(made) << describe(made.error());
  for (const char* kernel : {"| Copy |", "| Naive |", "| Tiled |", "| Padded |", "| Diagonal |"})
    EXPECT_NE(made->find(kernel), std::string::npos) << kernel;
  EXPECT_NE(made->find(" %) |"), std::string::npos);
  EXPECT_NE(made->find("| from DRAM |"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::recordings
