// A view of the device's memory: what is written there stays apart until it is kept.

#include "driver/server/memory_view.h"

#include "trace/access.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace lanescope::driver {
namespace {

constexpr uint64_t kPages = uint64_t{16} << 12;

class View : public testing::Test {
 protected:
  void SetUp() override {
    const auto number = memory_.allocate(kPages, Visibility::Device);
    ASSERT_TRUE(number);
    number_ = *number;
    device_ = memory_.allocation(number_).region.data;
    std::memset(device_, 1, kPages);
  }
  uint64_t address(uint64_t offset) const { return trace::global_address(number_, offset); }

  DeviceMemory memory_{uint64_t{1} << 32};
  uint32_t number_ = 0;
  std::byte* device_ = nullptr;
};

TEST_F(View, what_is_written_is_the_devices_once_it_is_kept) {
  MemoryView view(memory_);
  std::byte* const bytes = view.regions()[number_].data;
  EXPECT_EQ(bytes[5000], std::byte{1});
  bytes[5000] = std::byte{2};
  bytes[20000] = std::byte{3};
  bytes[30000] = std::byte{1};  // as before: no change
  EXPECT_EQ(device_[5000], std::byte{1});
  const auto changes = view.finish(MemoryView::Effects::Kept);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].first, address(5000));
  EXPECT_EQ(changes[0].last, address(20000));
  EXPECT_EQ(device_[5000], std::byte{2});
  EXPECT_EQ(device_[20000], std::byte{3});
}

TEST_F(View, what_is_dropped_is_told_and_leaves_no_trace) {
  {
    MemoryView view(memory_);
    view.regions()[number_].data[0] = std::byte{2};
    EXPECT_EQ(view.finish(MemoryView::Effects::Dropped).size(), 1u);
    view.regions()[number_].data[1] = std::byte{2};
    view.drop();
    EXPECT_EQ(view.regions()[number_].data[1], std::byte{1});
  }
  EXPECT_EQ(device_[0], std::byte{1});
  device_[0] = std::byte{9};
  const MemoryView next(memory_);
  EXPECT_EQ(next.regions()[number_].data[0], std::byte{9}) << "the next view has what the device has by then";
}

TEST_F(View, a_view_that_is_not_finished_changes_nothing) {
  {
    MemoryView(memory_).regions()[number_].data[7] = std::byte{2};
  }
  EXPECT_EQ(device_[7], std::byte{1});
  EXPECT_EQ(MemoryView(memory_).regions()[number_].data[7], std::byte{1});
}

TEST_F(View, memory_that_nobody_touches_takes_no_room) {
  const auto large = memory_.allocate(uint64_t{1} << 30, Visibility::Device);
  ASSERT_TRUE(large);
  MemoryView view(memory_);
  view.regions()[*large].data[uint64_t{1} << 29] = std::byte{1};
  EXPECT_EQ(view.finish(MemoryView::Effects::Kept).size(), 1u);
  struct stat status;
  ASSERT_EQ(fstat(memory_.allocation(*large).descriptor, &status), 0);
  EXPECT_LE(status.st_blocks, 4096) << "of 512 bytes: a large page at most";
}

}  // namespace
}  // namespace lanescope::driver
