#include "caches/line_requests.h"

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

TEST(LineRequests, gather_sectors_and_bytes_by_line) {
  LineRequests requests;
  requests.add(128 + 28, 8);  // the last word of a sector and the first of the next
  requests.add(128 + 28, 8);
  requests.add(384, 32);
  const auto lines = requests.lines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].number, 1u);
  EXPECT_EQ(lines[0].sectors, 0b0011u);
  EXPECT_EQ(lines[0].bytes[0], 0xf0000000u);
  EXPECT_EQ(lines[0].bytes[1], 0x0000000fu);
  EXPECT_EQ(lines[1].number, 3u);
  EXPECT_EQ(lines[1].bytes[0], ~uint32_t{0});
  requests.clear();
  EXPECT_TRUE(requests.lines().empty());
}

}  // namespace
}  // namespace lanescope::caches
