// Address maps against measured and published values, and strides on them.

#include "model/address_maps.h"

#include "support/project.h"

#include <array>
#include <cstdio>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

const AddressMap& map(std::string_view name) {
  const AddressMap* const found = find_address_map(name);
  EXPECT_NE(found, nullptr) << name;
  return *found;
}

// tests/data/h200_slices.csv.gz: 16 MiB of an H200, granule by granule.
TEST(AddressMaps, the_formula_of_the_h200_gives_all_65536_measured_granules) {
  const std::string command =
      "gzip -dc '" + (tests::source_dir() / "tests/data/h200_slices.csv.gz").string() + "'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  ASSERT_NE(pipe, nullptr);
  std::array<char, 256> line{};
  ASSERT_NE(std::fgets(line.data(), line.size(), pipe.get()), nullptr);  // the header
  unsigned rows = 0, wrong = 0, granule = 0, pair = 0, home = 0;
  std::set<uint32_t> slices;
  while (std::fscanf(pipe.get(), "%u,%u,%u", &granule, &pair, &home) == 3) {
    ++rows;
    const H200Slice found = h200_slice_of(uint64_t{granule} * 256);
    wrong += found.pair != pair || found.home != home;
    slices.insert(map("h200-all").partition_of(uint64_t{granule} * 256));
    EXPECT_EQ(map("h200").partition_of(uint64_t{granule} * 256), found.pair);
  }
  EXPECT_EQ(rows, 65536u);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(slices.size(), 94u);
}

// Measured with 128 accesses: mean distinct slices of 47 by stride (means over random first addresses).
TEST(AddressMaps, strides_on_the_h200_hit_as_many_slices_as_measured) {
  const std::array<std::pair<uint64_t, double>, 9> kMeasured{{{256, 37.5},
                                                              {512, 38.7},
                                                              {1024, 46.2},
                                                              {2048, 46.8},
                                                              {4096, 44.3},
                                                              {8192, 44.2},
                                                              {16384, 44.1},
                                                              {65536, 44.1},
                                                              {1 << 20, 44.3}}};
  for (const auto& [stride, slices] : kMeasured) {
    const StrideSpread spread = spread_of_stride(map("h200"), stride, 128);
    EXPECT_NEAR(spread.distinct, slices, 0.8) << stride;
    EXPECT_LT(spread.busiest_share, 0.08) << stride;
  }
}

// NVIDIA, "Optimizing Matrix Transpose in CUDA": strides of 2048 bytes map to one partition.
TEST(AddressMaps, strides_camp_on_a_gtx_280_from_2048_bytes_on) {
  const std::array<std::pair<uint64_t, double>, 6> kShares{
      {{256, .125}, {512, .25}, {1024, .5}, {2048, 1}, {4096, 1}, {1 << 20, 1}}};
  for (const auto& [stride, share] : kShares) {
    const StrideSpread spread = spread_of_stride(map("gt200"), stride, 128);
    EXPECT_DOUBLE_EQ(spread.busiest_share, share) << stride;
    EXPECT_DOUBLE_EQ(spread.distinct, 1 / share) << stride;
  }
}
TEST(AddressMaps, six_partitions_camp_at_1536_bytes_and_not_at_2048) {
  EXPECT_DOUBLE_EQ(spread_of_stride(map("g80"), 1536, 120).busiest_share, 1);
  EXPECT_NEAR(spread_of_stride(map("g80"), 2048, 120).busiest_share, 1.0 / 3, 1e-9);
}

// Fractional GPUs, doc/REVERSE.md: mbit0 = X(addr, 10, 12, 16, ...), so 1 KiB is the finest granule.
TEST(AddressMaps, published_bits_turn_the_module_as_written) {
  EXPECT_EQ(map("gtx1070").partition_of(0), 0u);
  EXPECT_EQ(map("gtx1070").partition_of(1 << 10), 0b001u);
  EXPECT_EQ(map("gtx1070").partition_of(1 << 12), 0b111u);
  EXPECT_EQ(map("gtx1070").partition_of(1023), 0u);
  EXPECT_EQ(map("v100").partition_of(1 << 13), 0b01011u);
  EXPECT_EQ(map("v100").partition_of(uint64_t{1} << 33), 0b10001u);
}
// Rau, 1991: powers of x modulo x^5 + x^2 + 1; 32 consecutive granules, and any stride of a power of two,
// hits every partition.
TEST(AddressMaps, a_polynomial_spreads_every_power_of_two) {
  EXPECT_EQ(map("ipoly32").partition_of(256 << 5), 0b00101u);
  EXPECT_EQ(map("ipoly32").partition_of(256 << 6), 0b01010u);
  for (uint64_t stride = 256; stride <= 1 << 20; stride *= 2) {
    std::set<uint32_t> hit;
    for (uint64_t n = 0; n < 32; ++n) hit.insert(map("ipoly32").partition_of(n * stride));
    EXPECT_EQ(hit.size(), 32u) << stride;
  }
}

TEST(AddressMaps, stay_within_their_partitions_and_say_what_they_are) {
  for (const AddressMap& one : address_maps()) {
    for (uint64_t address = 0; address < 1 << 22; address += 32)
      ASSERT_LT(one.partition_of(address), one.partitions) << one.name;
    EXPECT_FALSE(one.source.empty());
    EXPECT_FALSE(say(Language::English, one.limits).empty());
    EXPECT_EQ(one.partition_of(one.granule_bytes - 1), one.partition_of(0)) << one.name;
  }
  EXPECT_EQ(find_address_map("gt300"), nullptr);
  EXPECT_EQ(name_of(map("ipoly32").origin), "MODEL");
  EXPECT_EQ(name_of(map("h200").origin), "measured");
}

}  // namespace
}  // namespace lanescope::model
