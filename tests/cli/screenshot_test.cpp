// `lanescope screenshot`, which a program built without its window does not have.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(Screenshot, an_unknown_theme_or_language_is_a_usage_error) {
  const tests::TemporaryFolder folder("screenshot");
  for (const char* option : {"--theme", "--language"}) {
    const tests::Finished done =
        tests::run_program({"screenshot", "-o", (folder / "a.png").string(), option, "frobnicate"});
    EXPECT_EQ(done.status, 2) << option;
    EXPECT_NE(done.error.find(option), std::string::npos) << done.error;
  }
}

}  // namespace
}  // namespace lanescope
