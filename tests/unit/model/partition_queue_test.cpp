// A partition's port, bus and credits, by hand: 10 ps a byte on the bus, 20 ps a byte in the port.

#include "model/partition_queue.h"

#include "model/ring.h"
#include "model/traffic_windows.h"

#include <vector>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

struct Finished {
  std::vector<Picoseconds> ends;
  auto noting() {
    return [this](const PartitionQueue::Write&, Picoseconds end) { ends.push_back(end); };
  }
};

TEST(PartitionQueue, reads_follow_each_other_on_the_bus) {
  PartitionQueue queue(8, 10, 20);
  Finished done;
  EXPECT_EQ(queue.admit_read(0, 64, done.noting()), 640);
  EXPECT_EQ(queue.admit_read(100, 32, done.noting()), 960);
  EXPECT_EQ(queue.admit_read(2000, 32, done.noting()), 2320);
}
TEST(PartitionQueue, writes_pass_the_port_before_the_bus) {
  PartitionQueue queue(8, 10, 20);
  Finished done;
  queue.admit_write(0, 64, 0, done.noting());              // through the port at 1280, off the bus at 1920
  queue.admit_write(0, 64, 0, done.noting());              // 2560, 3200
  EXPECT_EQ(queue.admit_read(0, 32, done.noting()), 320);  // a read does not wait for the port
  EXPECT_EQ(queue.drain(done.noting()), 3200);
  EXPECT_EQ(done.ends, (std::vector<Picoseconds>{1920, 3200}));
}
TEST(PartitionQueue, a_full_queue_has_room_when_its_first_transfer_ends) {
  PartitionQueue queue(2, 10, 20);
  Finished done;
  EXPECT_EQ(queue.room_at(5, done.noting()), 5);
  queue.admit_read(5, 32, done.noting());  // ends at 325
  queue.admit_read(5, 32, done.noting());  // ends at 645
  EXPECT_EQ(queue.room_at(6, done.noting()), 325);
  EXPECT_EQ(queue.room_at(325, done.noting()), 325);
}
TEST(PartitionQueue, a_queue_full_of_writes_waits_for_port_and_bus) {
  PartitionQueue queue(1, 10, 20);
  Finished done;
  queue.admit_write(0, 32, 0, done.noting());  // port until 640, bus until 960
  EXPECT_EQ(queue.room_at(1, done.noting()), 960);
}

TEST(TrafficWindows, waiting_is_divided_among_its_windows) {
  TrafficWindows windows(2, 100);
  windows.add_read(0, 50, 350, 64);  // half of window 0, windows 1 and 2, half of window 3
  windows.add_write(1, 10, 20, 32);
  const auto found = windows.finish();
  ASSERT_EQ(found.size(), 4u * 2);
  EXPECT_DOUBLE_EQ(found[0].mean_queue, 0.5);
  EXPECT_DOUBLE_EQ(found[2].mean_queue, 1);
  EXPECT_DOUBLE_EQ(found[4].mean_queue, 1);
  EXPECT_DOUBLE_EQ(found[6].mean_queue, 0.5);
  EXPECT_DOUBLE_EQ(found[1].mean_queue, 0.1);
  EXPECT_EQ(found[6].read_bytes, 64u);
  EXPECT_EQ(found[1].written_bytes, 32u);
}

TEST(Imbalance, is_a_mean_over_the_windows_by_their_bytes) {
  // Window 0: 300 bytes at one of two partitions. Window 1: 50 and 50. Window 2: nothing.
  const std::vector<TrafficWindow> windows{
      {.written_bytes = 300}, {}, {.written_bytes = 50}, {.read_bytes = 7, .written_bytes = 50}, {}, {}};
  const Imbalance written = imbalance_of(windows, 2, Traffic::Written);
  EXPECT_DOUBLE_EQ(written.effective, (300 * 1.0 + 100 * 2.0) / 400);
  EXPECT_DOUBLE_EQ(written.busiest_share, (300 + 50) / 400.0);
  EXPECT_DOUBLE_EQ(imbalance_of(windows, 2, Traffic::Read).effective, 1);
  EXPECT_DOUBLE_EQ(imbalance_of({}, 2, Traffic::Both).effective, 0);
  EXPECT_DOUBLE_EQ(imbalance_of(windows, 0, Traffic::Both).busiest_share, 0);
}

TEST(Ring, keeps_its_order_while_it_grows) {
  Ring<int> ring;
  for (int n = 0; n < 10; ++n) ring.push_back(n);
  for (int n = 0; n < 7; ++n) ring.pop_front();
  for (int n = 10; n < 100; ++n) ring.push_back(n);
  EXPECT_EQ(ring.size(), 93u);
  EXPECT_EQ(ring.back(), 99);
  for (int n = 7; n < 100; ++n, ring.pop_front()) EXPECT_EQ(ring.front(), n);
  EXPECT_TRUE(ring.empty());
}

}  // namespace
}  // namespace lanescope::model
