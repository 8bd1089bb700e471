// Images: PTX text, fat binaries in each packing, and what is wrong or hostile.

#include "driver/server/image.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

namespace lanescope::driver {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

const std::string kPtx = ".version 8.0\n.target sm_80\n.address_size 64\n// " + std::string(500, 'a') + "\n";

template <class T>
void put(Bytes& bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

Bytes bytes_of(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

struct PartSpec {
  uint16_t kind = 1;
  uint32_t architecture = 80;
  uint64_t flags = 0;
  uint64_t unpacked = 0;
  Bytes payload;
};

Bytes fat_binary(const std::vector<PartSpec>& parts) {
  Bytes body;
  for (const PartSpec& part : parts) {
    Bytes header(64);
    put<uint16_t>(header, 0, part.kind);
    put<uint32_t>(header, 4, 64);
    put<uint64_t>(header, 8, part.payload.size());
    put<uint32_t>(header, 16, static_cast<uint32_t>(part.flags != 0 ? part.payload.size() : 0));
    put<uint32_t>(header, 28, part.architecture);
    put<uint64_t>(header, 40, part.flags);
    put<uint64_t>(header, 56, part.unpacked);
    body.insert(body.end(), header.begin(), header.end());
    body.insert(body.end(), part.payload.begin(), part.payload.end());
  }
  Bytes whole(16);
  put<uint32_t>(whole, 0, 0xBA55ED50);
  put<uint16_t>(whole, 4, 1);
  put<uint16_t>(whole, 6, 16);
  put<uint64_t>(whole, 8, body.size());
  whole.insert(whole.end(), body.begin(), body.end());
  return whole;
}

PartSpec zstandard(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return {.flags = 0x8000, .unpacked = text.size(), .payload = bytes_of(packed)};
}

PartSpec lz4(const std::string& text) {
  std::string packed(static_cast<size_t>(LZ4_compressBound(static_cast<int>(text.size()))), '\0');
  packed.resize(static_cast<size_t>(LZ4_compress_default(
      text.data(), packed.data(), static_cast<int>(text.size()), static_cast<int>(packed.size()))));
  return {.flags = 0x2000, .unpacked = text.size(), .payload = bytes_of(packed)};
}

TEST(Image, ptx_text_is_itself_up_to_its_zero_byte) {
  EXPECT_EQ(ptx_of_image(bytes_of(kPtx)), kPtx);
  EXPECT_EQ(ptx_of_image(bytes_of(kPtx + std::string(1, '\0') + "rest")), kPtx);
}

TEST(Image, a_fat_binary_has_its_text_plain_or_packed) {
  EXPECT_EQ(ptx_of_image(fat_binary({{.payload = bytes_of(kPtx)}})), kPtx);
  EXPECT_EQ(ptx_of_image(fat_binary({zstandard(kPtx)})), kPtx);
  EXPECT_EQ(ptx_of_image(fat_binary({lz4(kPtx)})), kPtx);
}

TEST(Image, of_several_texts_that_for_the_newest_architecture_counts) {
  const PartSpec old{.architecture = 75, .payload = bytes_of("// .version old")};
  const PartSpec code{.kind = 2, .architecture = 90, .payload = bytes_of("\177ELF")};
  const PartSpec next{.architecture = 90, .payload = bytes_of(kPtx)};
  EXPECT_EQ(ptx_of_image(fat_binary({next, code, old})), kPtx);
}

TEST(Image, machine_code_alone_says_what_to_do) {
  const auto fat = ptx_of_image(fat_binary({{.kind = 2, .payload = bytes_of("\177ELF")}}));
  ASSERT_FALSE(fat);
  EXPECT_EQ(fat.error().kind, ErrorKind::Unsupported);
  EXPECT_THAT(fat.error().message, HasSubstr("build it with PTX"));
  const auto cubin = ptx_of_image(bytes_of("\177ELF and more"));
  ASSERT_FALSE(cubin);
  EXPECT_EQ(cubin.error().kind, ErrorKind::Unsupported);
  const auto other = ptx_of_image(bytes_of("hello"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::Syntax);
}

TEST(Image, every_beginning_of_a_fat_binary_is_an_error) {
  const Bytes whole = fat_binary({zstandard(kPtx)});
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(ptx_of_image({whole.data(), size})) << size;
}

TEST(Image, sizes_that_lie_are_errors) {
  for (const size_t at : {6, 8, 16 + 4, 16 + 8, 16 + 16, 16 + 56}) {
    Bytes whole = fat_binary({zstandard(kPtx)});
    put<uint16_t>(whole, at, 0xffff);
    if (at >= 16 + 56) put<uint64_t>(whole, at, uint64_t{1} << 60);
    const auto ptx = ptx_of_image(whole);
    // A packed size of more than there is, or an unpacked one beyond all bounds.
    EXPECT_FALSE(ptx) << at;
  }
}

}  // namespace
}  // namespace lanescope::driver
