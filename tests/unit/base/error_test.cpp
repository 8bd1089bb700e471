#include "base/error.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return fail(ErrorKind::Usage, "an even number was expected");
  return value / 2;
}

Result<int> quarter(int value) {
  TRY(const int first, half(value));
  return half(first);
}

TEST(Error, try_returns_the_value) { EXPECT_EQ(quarter(8).value(), 2); }

TEST(Error, try_returns_the_error_to_the_caller) {
  EXPECT_EQ(quarter(6).error().message, "an even number was expected");
}

TEST(Error, a_location_comes_first) {
  EXPECT_EQ(describe({ErrorKind::Syntax, "no such instruction", Location{"a.ptx", 7}}),
            "a.ptx:7: no such instruction");
  EXPECT_EQ(describe({ErrorKind::File, "cannot be read", Location{"a.cu", 0}}), "a.cu: cannot be read");
}

TEST(Error, only_a_wrong_command_line_exits_with_two) {
  EXPECT_EQ(exit_code({ErrorKind::Usage, ""}), 2);
  EXPECT_EQ(exit_code({ErrorKind::Launch, ""}), 2) << "the command line asks for the launch";
  EXPECT_EQ(exit_code({ErrorKind::Memory, ""}), 1);
}

}  // namespace
}  // namespace lanescope
