// Texture and surface objects of a program: what a request may ask for, and how long an object lives.

#include "driver/server/device_images.h"

#include "trace/access.h"

#include <array>
#include <cstring>

#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

constexpr uint32_t kFloat = 0x20, kByte = 0x01;  // CUarray_format

class DeviceImagesTest : public testing::Test {
 protected:
  /// Two rows of four floats, in the first allocation.
  static LanescopeImage rows() {
    LanescopeImage image{};
    image.address = trace::global_address(0, 0);
    image.width = 4;
    image.height = 2;
    image.pitch_bytes = 16;
    image.format = kFloat;
    image.channels = 1;
    return image;
  }
  Result<uint64_t> make(const LanescopeImage& image) {
    return images_.make({reinterpret_cast<const char*>(&image), sizeof image}, regions_);
  }
  std::array<std::byte, 64> bytes_{};
  std::vector<emulator::Region> regions_{{bytes_.data(), bytes_.size()}, {}};
  DeviceImages images_;
};

TEST_F(DeviceImagesTest, texels_are_at_their_offset_in_the_memory_of_the_run) {
  LanescopeImage image = rows();
  image.address += 32;
  const auto handle = make(image);
  ASSERT_TRUE(handle) << describe(handle.error());
  EXPECT_EQ(*handle, emulator::image_handle(0));
  std::array<std::byte, 64> view{};
  const auto images = images_.over({{view.data(), view.size()}, {}});
  ASSERT_EQ(images.size(), 1u);
  EXPECT_EQ(images[0].texels, view.data() + 32);
  EXPECT_EQ(images[0].pitch_bytes, 16u);
}

/// 64 bytes hold rows of 16 bytes at 0 and 48, and none from 52 on.
TEST_F(DeviceImagesTest, all_rows_lie_within_one_allocation) {
  LanescopeImage image = rows();
  image.pitch_bytes = 48;
  EXPECT_TRUE(make(image));
  image.pitch_bytes = 52;
  EXPECT_FALSE(make(image));
  image.pitch_bytes = 12;
  EXPECT_FALSE(make(image)) << "rows overlap";
  image = rows();
  image.height = uint64_t{1} << 62;
  EXPECT_FALSE(make(image));
  image = rows();
  image.address = trace::global_address(1, 0);
  EXPECT_FALSE(make(image)) << "there is no such allocation";
  image.address = 4;
  EXPECT_FALSE(make(image));
  EXPECT_FALSE(images_.make("short", regions_));
}

TEST_F(DeviceImagesTest, coordinates_that_are_not_normalized_are_clamped) {
  LanescopeImage image = rows();  // address modes of 0 wrap
  ASSERT_TRUE(make(image));
  image.is_normalized = 1;
  ASSERT_TRUE(make(image));
  const auto images = images_.over(regions_);
  EXPECT_EQ(images[0].shape.sampler.address[0], launch::AddressMode::Clamp);
  EXPECT_EQ(images[1].shape.sampler.address[0], launch::AddressMode::Wrap);
}

TEST_F(DeviceImagesTest, what_cuda_cannot_make_is_refused) {
  LanescopeImage image = rows();
  image.format = kByte;
  image.filter = 1;
  EXPECT_FALSE(make(image)) << "a linear filter of integers";
  image.reads_float = 1;
  EXPECT_TRUE(make(image));
  image.format = 0x99;
  EXPECT_FALSE(make(image));
  image = rows();
  image.channels = 3;
  EXPECT_FALSE(make(image));
}

TEST_F(DeviceImagesTest, an_object_ends_by_itself_or_with_its_memory) {
  const auto first = make(rows()), second = make(rows());
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(images_.end(*first));
  EXPECT_FALSE(images_.end(*first));
  EXPECT_FALSE(images_.end(17));
  EXPECT_EQ(images_.over(regions_)[0].texels, nullptr);
  EXPECT_NE(images_.over(regions_)[1].texels, nullptr);
  images_.end_those_over(0);
  EXPECT_EQ(images_.over(regions_)[1].texels, nullptr);
}

}  // namespace
}  // namespace lanescope::driver
