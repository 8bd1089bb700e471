// Extents as people write them.

#include "base/dim3_text.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(ExtentText, leaves_out_the_ones_at_its_end) {
  EXPECT_EQ(extent_text({32, 1, 1}, "x"), "32");
  EXPECT_EQ(extent_text({32, 8, 1}, "x"), "32x8");
  EXPECT_EQ(extent_text({4, 1, 2}, "x"), "4x1x2");
  EXPECT_EQ(extent_text({4, 3, 1}, "\u00d7"), "4\u00d73");
}

}  // namespace
}  // namespace lanescope
