// --capture: which launches it chooses.

#include "driver/server/captures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Captures, a_request_is_a_kernel_and_a_number) {
  const auto plain = parse_capture("add"), numbered = parse_capture("space::add<int>:12");
  const auto scoped = parse_capture("space::add");
  ASSERT_TRUE(plain && numbered && scoped);
  EXPECT_EQ(plain->kernel, "add");
  EXPECT_EQ(plain->launch, 0u);
  EXPECT_EQ(numbered->kernel, "space::add<int>");
  EXPECT_EQ(numbered->launch, 12u);
  EXPECT_EQ(scoped->kernel, "space::add");
  for (const char* wrong : {"", ":3", "add:", "add:x", "add:1x", "add:-1"}) {
    const auto parsed = parse_capture(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_EQ(parsed.error().kind, ErrorKind::Usage);
  }
}

TEST(Captures, launches_are_counted_by_kernel_and_unmet_requests_say_why) {
  Captures captures({{"add", 1}, {"add", 5}, {"scale", 0}});
  EXPECT_FALSE(captures.takes("add"));
  EXPECT_FALSE(captures.takes("copy"));
  EXPECT_TRUE(captures.takes("add"));
  EXPECT_FALSE(captures.takes("add"));
  EXPECT_THAT(captures.unmet(),
              ElementsAre(HasSubstr("--capture add:5: the kernel was launched 3 times"),
                          HasSubstr("--capture scale:0: no kernel of this name was launched; launched were: "
                                    "add, copy")));
}

}  // namespace
}  // namespace lanescope::driver
