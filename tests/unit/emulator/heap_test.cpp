// The device heap: pieces, and accesses that leave them.

#include "emulator/memory/heap.h"

#include "check_run.h"

namespace lanescope::emulator {
namespace {

constexpr std::string_view kFunctions =
    ".extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func free(.param .b64 p);";

/// One thread takes 20 bytes, whose address is %rd3, and then 20 more.
Checked check(std::string_view body) {
  return check_kernel(
      kernel_text("", fmt::format("call (%rd3), malloc, (20); call (%rd4), malloc, (20);\n{}\nret;", body),
                  kFunctions),
      LaunchBuilder({1, 1, 1}, {1, 1, 1}).launch);
}

TEST(Heap, free_neighbours_become_one_piece) {
  constexpr uint64_t kGap = 16;  // after each piece
  Heap heap;
  heap.reset(0x1000);
  EXPECT_EQ(heap.allocate(0), 0u);
  const uint64_t a = heap.allocate(Heap::kSizeBytes / 2 - kGap);
  const uint64_t b = heap.allocate(Heap::kSizeBytes / 2 - kGap);
  EXPECT_EQ(a, 0x1000u);
  EXPECT_EQ(heap.allocate(1), 0u);
  EXPECT_TRUE(heap.free(b));
  EXPECT_TRUE(heap.free(a));
  EXPECT_FALSE(heap.free(a));
  EXPECT_EQ(heap.allocate(Heap::kSizeBytes - kGap), 0x1000u);
}

TEST(Heap, the_last_byte_that_was_asked_for_is_fine) {
  const Checked checked = check("st.u32 [%rd3+16], 1; ld.u32 %r1, [%rd3+16]; st.u8 [%rd4+19], 1;");
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{});
}

TEST(Heap, bytes_beyond_a_piece_are_out_of_bounds_and_the_kernel_goes_on) {
  // 20 bytes take 32 of the heap, and 16 more belong to no piece.
  for (const int offset : {20, 32, 46})
    EXPECT_EQ(check(fmt::format("st.u16 [%rd3+{}], 1;", offset)).hazards.size(), 1u) << offset;
  const trace::Hazard hazard = only(check("st.u32 [%rd3+20], 1; st.u32 [%rd4], 2;").hazards);
  EXPECT_EQ(hazard.kind, trace::HazardKind::OutOfBounds);
  EXPECT_EQ(hazard.message,
            "writes 4 bytes at offset 20 of a piece of the device heap, 4 bytes beyond its end (malloc was "
            "asked for "
            "20); check the index");
}

TEST(Heap, a_read_beyond_a_piece_is_one_finding) {
  const trace::Hazard hazard = only(check("ld.u32 %r1, [%rd3+24];").hazards);
  EXPECT_EQ(hazard.kind, trace::HazardKind::OutOfBounds);
  EXPECT_NE(hazard.message.find("8 bytes beyond its end"), std::string::npos) << hazard.message;
}

TEST(Heap, a_freed_piece_may_not_be_used) {
  const trace::Hazard hazard =
      only(check("st.u32 [%rd3+8], 1; call free, (%rd3);\nld.u32 %r1, [%rd3+8]; st.u32 [%rd4], 1;").hazards);
  EXPECT_EQ(hazard.kind, trace::HazardKind::OutOfBounds);
  EXPECT_EQ(hazard.message,
            "reads 4 bytes at offset 8 of a piece of 20 bytes of the device heap that has been freed; free "
            "it after "
            "its last use");
}

TEST(Heap, what_malloc_has_not_given_may_not_be_used) {
  const trace::Hazard hazard = only(check("st.u32 [%rd3+4096], 1;").hazards);
  EXPECT_NE(hazard.message.find("that malloc has not given"), std::string::npos) << hazard.message;
}

}  // namespace
}  // namespace lanescope::emulator
