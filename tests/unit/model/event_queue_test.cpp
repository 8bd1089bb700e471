// The calendar of the timing model against a sorted list.

#include "model/event_queue.h"

#include <algorithm>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

TEST(EventQueue, of_nothing_is_never_due) {
  EventQueue queue;
  EXPECT_EQ(queue.next_time(), kNever);
  queue.push(5, 1);
  EXPECT_EQ(queue.next_time(), 5);
  EXPECT_EQ(queue.pop(), 1u);
  EXPECT_EQ(queue.next_time(), kNever);
}
TEST(EventQueue, gives_events_of_one_time_in_order_of_insertion) {
  EventQueue queue;
  for (const uint32_t what : {7u, 3u, 9u}) queue.push(100, what);
  queue.push(99, 1);
  for (const uint32_t what : {1u, 7u, 3u, 9u}) EXPECT_EQ(queue.pop(), what);
}
TEST(EventQueue, keeps_events_far_ahead) {
  EventQueue queue;
  queue.push(1'000'000'000'000, 2);
  queue.push(10, 1);
  EXPECT_EQ(queue.pop(), 1u);
  EXPECT_EQ(queue.next_time(), 1'000'000'000'000);
  queue.push(1'000'000'000'000, 3);  // the same time, but later
  queue.push(2'000'000'000'000, 4);
  EXPECT_EQ(queue.pop(), 2u);
  EXPECT_EQ(queue.pop(), 3u);
  EXPECT_EQ(queue.pop(), 4u);
}
TEST(EventQueue, behaves_like_a_sorted_list) {
  std::mt19937 random(11);
  EventQueue queue;
  std::vector<std::tuple<Picoseconds, uint32_t>> list;  // time, number
  Picoseconds now = 0;
  for (uint32_t n = 0; n < 20000; ++n) {
    // Mostly within nanoseconds, sometimes beyond the range of the ring.
    const Picoseconds ahead = random() % 50 == 0 ? random() % 20'000'000 : random() % 5'000;
    queue.push(now + ahead, n);
    list.emplace_back(now + ahead, n);
    if (random() % 3 == 0) continue;
    const auto first = std::ranges::min_element(list);
    now = std::get<0>(*first);
    ASSERT_EQ(queue.next_time(), now);
    ASSERT_EQ(queue.pop(), std::get<1>(*first));
    list.erase(first);
  }
  std::ranges::sort(list);
  for (const auto& [time, number] : list) {
    ASSERT_EQ(queue.next_time(), time);
    ASSERT_EQ(queue.pop(), number);
  }
  EXPECT_EQ(queue.next_time(), kNever);
}

}  // namespace
}  // namespace lanescope::model
