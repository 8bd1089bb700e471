#include "base/time_text.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(TimeText, has_the_unit_that_fits) {
  EXPECT_EQ(time_text(12.34e-6), "12.3 us");
  EXPECT_EQ(time_text(999e-6), "999.0 us");
  EXPECT_EQ(time_text(4.5e-3), "4.5 ms");
  EXPECT_EQ(time_text(1.2), "1.20 s");
}

TEST(TimeText, is_written_as_the_language_writes_numbers) {
  EXPECT_EQ(time_text(Language::English, 12.34e-6), "12.3 µs");
  EXPECT_EQ(time_text(Language::French, 4.5e-3), "4,5 ms");
  EXPECT_EQ(time_text(Language::French, 2), "2 s");
}

}  // namespace
}  // namespace lanescope
