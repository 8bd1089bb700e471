#include "pipeline/selection.h"

#include <cstring>

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

std::vector<std::byte> bytes_of(auto value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

trace::Trace matrix_trace() {
  trace::Trace trace;
  trace.block = {32, 8, 1};
  trace.buffers = {{"in", 4096, 4, 32}, {"list", 64, 8, 0}, {"", 16, 4, 0}};
  return trace;
}

TEST(AddressText, a_matrix_has_row_and_column) {
  EXPECT_EQ(address_text(matrix_trace(), trace::Space::Global, trace::global_address(0, 4 * (3 * 32 + 17))),
            "in[3][17]");
}

TEST(AddressText, a_list_has_an_index_and_a_rest_in_bytes) {
  EXPECT_EQ(address_text(matrix_trace(), trace::Space::Global, trace::global_address(1, 8 * 5)), "list[5]");
  EXPECT_EQ(address_text(matrix_trace(), trace::Space::Global, trace::global_address(1, 8 * 5 + 3)),
            "list[5] + 3");
}

TEST(AddressText, an_address_without_a_name_is_a_number) {
  EXPECT_EQ(address_text(matrix_trace(), trace::Space::Global, trace::global_address(2, 4)), "buffer 2[1]");
  EXPECT_EQ(address_text(matrix_trace(), trace::Space::Global, 0x30), "0x30");
  EXPECT_EQ(address_text(matrix_trace(), trace::Space::Shared, 0x84), "shared + 0x84");
}

TEST(ValueText, the_opcode_gives_the_type) {
  EXPECT_EQ(value_text("ld.global.f32 %f1, [%rd1]", bytes_of(1.5f), {}), "1.5");
  EXPECT_EQ(value_text("st.shared.s16 [%r1], %rs1", bytes_of(int16_t{-7}), {}), "-7");
  EXPECT_EQ(value_text("ld.global.u64 %rd1, [%rd2]", bytes_of(uint64_t{1} << 40), {}), "1099511627776");
}

TEST(ValueText, a_vector_lists_its_elements) {
  const float pair[2] = {1, 2};
  std::vector<std::byte> bytes(8);
  std::memcpy(bytes.data(), pair, 8);
  EXPECT_EQ(value_text("ld.global.v2.f32 {%f1, %f2}, [%rd1]", bytes, {}), "1, 2");
}

TEST(ValueText, untyped_bits_take_the_type_of_the_buffer_or_stay_hexadecimal) {
  EXPECT_EQ(value_text("ld.global.b32 %r1, [%rd1]", bytes_of(2.5f), launch::ElementType::F32), "2.5");
  EXPECT_EQ(value_text("ld.global.b32 %r1, [%rd1]", bytes_of(uint32_t{255}), {}), "0x000000ff");
}

Selection at_access(uint32_t access) {
  Selection selection;
  for (const int line : {16, 17, 16, 17, 27}) {
    model::TimelineEntry entry;
    entry.line = line;
    selection.timeline.push_back(entry);
  }
  selection.access = access;
  return selection;
}

TEST(StepTarget, steps_stop_at_both_ends) {
  EXPECT_EQ(step_target(at_access(0), StepTo::Previous), 0u);
  EXPECT_EQ(step_target(at_access(0), StepTo::Next), 1u);
  EXPECT_EQ(step_target(at_access(4), StepTo::Next), 4u);
  EXPECT_EQ(step_target(at_access(2), StepTo::First), 0u);
  EXPECT_EQ(step_target(at_access(2), StepTo::Last), 4u);
}

TEST(StepTarget, a_step_on_the_line_skips_the_others) {
  EXPECT_EQ(step_target(at_access(0), StepTo::NextOnLine), 2u);
  EXPECT_EQ(step_target(at_access(3), StepTo::PreviousOnLine), 1u);
  EXPECT_EQ(step_target(at_access(4), StepTo::NextOnLine), 4u);
}

TEST(StepTarget, a_step_by_line_goes_to_the_first_access_of_the_stretch_on_another_line) {
  Selection selection = at_access(0);
  for (const int line : {27, 27, 16}) {
    model::TimelineEntry entry;
    entry.line = line;
    selection.timeline.push_back(entry);
  }  // 16 17 16 17 27 27 27 16
  const auto target = [&](uint32_t from, StepTo to) {
    selection.access = from;
    return step_target(selection, to);
  };
  EXPECT_EQ(target(0, StepTo::NextLine), 1u);
  EXPECT_EQ(target(4, StepTo::NextLine), 7u);
  EXPECT_EQ(target(5, StepTo::NextLine), 7u);
  EXPECT_EQ(target(7, StepTo::NextLine), 7u) << "there is no other line";
  EXPECT_EQ(target(7, StepTo::PreviousLine), 4u);
  EXPECT_EQ(target(6, StepTo::PreviousLine), 3u);
  EXPECT_EQ(target(4, StepTo::PreviousLine), 3u);
  EXPECT_EQ(target(0, StepTo::PreviousLine), 0u);
}

TEST(StepTarget, a_warp_without_accesses_stays_at_its_start) {
  EXPECT_EQ(step_target(Selection{}, StepTo::Last), 0u);
}

TEST(AccessOnLine, is_the_first_one) {
  EXPECT_EQ(access_on_line(at_access(0), 17), 1u);
  EXPECT_EQ(access_on_line(at_access(0), 99), std::nullopt);
}

}  // namespace
}  // namespace lanescope::pipeline
