#include "plot/wording.h"

#include "support/transpose_trace.h"

#include <limits>

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

constexpr auto kEnglish = Language::English;
constexpr auto kFrench = Language::French;

TEST(Wording, numbers_are_grouped_as_the_language_does) {
  EXPECT_EQ(number(kEnglish, 1048576), "1,048,576");
  EXPECT_EQ(number(kFrench, 1048576), "1\u00a0048\u00a0576");
  EXPECT_EQ(number(kEnglish, 999), "999");
  EXPECT_EQ(number(kEnglish, 1000), "1,000");
  EXPECT_EQ(number(kEnglish, 0), "0");
}

TEST(Wording, decimals_show_one_digit_if_it_is_not_zero) {
  EXPECT_EQ(decimal(kEnglish, 1.16), "1.2");
  EXPECT_EQ(decimal(kFrench, 7.94), "7,9");
  EXPECT_EQ(decimal(kEnglish, 7.96), "8");
  EXPECT_EQ(decimal(kEnglish, 12345.5), "12,345.5");
  EXPECT_EQ(decimal(kEnglish, std::numeric_limits<double>::infinity()), "–");
}

TEST(Wording, a_point_is_a_comma_in_french) {
  EXPECT_EQ(with_mark(Language::English, "1.25"), "1.25");
  EXPECT_EQ(with_mark(Language::French, "1.25"), "1,25");
}

TEST(Wording, shares_are_percent) {
  EXPECT_EQ(percent(kEnglish, 0.125), "12.5\u00a0%");
  EXPECT_EQ(percent(kFrench, 0.125), "12,5\u00a0%");
  EXPECT_EQ(percent(kEnglish, 1), "100\u00a0%");
}

TEST(Wording, french_counts_zero_as_one) {
  EXPECT_EQ(counted(kEnglish, 0, Text::figure_one_sector, Text::figure_many_sectors), "0 sectors");
  EXPECT_EQ(counted(kFrench, 0, Text::figure_one_sector, Text::figure_many_sectors), "0 secteur");
  EXPECT_EQ(counted(kEnglish, 1, Text::figure_one_sector, Text::figure_many_sectors), "1 sector");
  EXPECT_EQ(counted(kFrench, 2, Text::figure_one_sector, Text::figure_many_sectors), "2 secteurs");
}

TEST(Wording, a_block_is_named_by_the_dimensions_of_its_grid) {
  EXPECT_EQ(block_name(CtaId{7}, {4, 4, 1}), "(3, 1)");
  EXPECT_EQ(block_name(CtaId{7}, {16, 1, 1}), "7");
  EXPECT_EQ(block_name(CtaId{7}, {2, 2, 2}), "(1, 1, 1)");
}

TEST(Wording, operations_are_named_like_instructions) {
  using trace::Detail;
  using trace::Kind;
  using trace::Space;
  EXPECT_EQ(operation_name({Space::Shared, Kind::Store, 4, Detail::Plain}), "st.shared");
  EXPECT_EQ(operation_name({Space::Global, Kind::Reduction, 4, Detail::Plain}), "red.global");
  EXPECT_EQ(operation_name({Space::Shared, Kind::Load, 16, Detail::Matrix}), "ldmatrix");
  EXPECT_EQ(operation_name({Space::Shared, Kind::Store, 16, Detail::Bulk}), "cp.async.bulk st.shared");
  EXPECT_EQ(operation_mark({Space::Local, Kind::Load, 4, Detail::Plain}), "LD l");
  EXPECT_EQ(operation_mark({Space::Global, Kind::Load, 16, Detail::Bulk}), "BK g");
  const trace::Operation tensor{Space::Shared, Kind::Load, 16, Detail::Tensor};
  EXPECT_EQ(operation_name(tensor), "wgmma");
  EXPECT_EQ(operation_mark(tensor), "TC s");
  EXPECT_EQ(
      operation_sentence(kEnglish, tensor),
      "wgmma: operands in shared memory, which the tensor cores read; no request of a warp, its size is a "
      "model");
}

TEST(Wording, lanes_are_named_by_range_or_list) {
  EXPECT_EQ(lanes_name(kEnglish, LaneMask{1u << 5}), "lane 5");
  EXPECT_EQ(lanes_name(kEnglish, kAllLanes), "lanes 0 to 31");
  EXPECT_EQ(lanes_name(kEnglish, LaneMask{0x01010101}), "4 lanes: 0, 8, 16, 24");
  EXPECT_EQ(lanes_name(kEnglish, LaneMask{0x55555555}), "16 lanes: 0, 2, 4, 6, 8, 10, 12, 14, …");
  EXPECT_EQ(lanes_name(kEnglish, LaneMask{}), "no lane");
}

TEST(Wording, addresses_are_elements_of_their_buffer) {
  const trace::Trace trace = tests::transpose_trace({.width = 64, .height = 64});
  EXPECT_EQ(address_name(trace, trace::Space::Global, trace::global_address(1, (3 * 64 + 17) * 4)),
            "out[3][17]");
  EXPECT_EQ(address_name(trace, trace::Space::Shared, 0x84), "shared + 0x84");
  EXPECT_EQ(address_name(trace, trace::Space::Global, 0x1234), "0x1234");
  EXPECT_EQ(address_name(tests::lone_trace({}), trace::Space::Global, trace::global_address(0, 68)), "a[17]");
}

TEST(Wording, an_access_is_described_from_line_to_index) {
  trace::Trace trace = tests::transpose_trace({.width = 128, .height = 128});
  const model::TracedAccess place{&trace, tests::access_at(trace, 7, 2, 8), 8, 16};
  EXPECT_EQ(place_name(kEnglish, place), "line 14 · block (3, 1) · warp 2 · access 9 of 16");
  EXPECT_EQ(place_name(kFrench, place), "ligne 14 · bloc (3, 1) · warp 2 · accès 9 sur 16");
  trace.level = trace::CountLevel::MachineCode;
  EXPECT_EQ(place_name(kEnglish, place),
            "line 14 · block (3, 1) · warp 2 · access 9 of 16 · an access of the PTX");
}

TEST(Wording, without_a_source_line_the_ptx_line_is_named) {
  trace::Trace trace = tests::transpose_trace({.width = 64, .height = 64});
  trace.sites[2].source.line = 0;
  EXPECT_EQ(line_name(kEnglish, trace.sites[2]), "PTX line 34");
}

}  // namespace
}  // namespace lanescope::plot
