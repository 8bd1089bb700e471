// The machine access of which a stored access is a part: windows by hand.

#include "sass/folded_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

using testing::ElementsAre;

/// Sites 0 and 1 are merged into loads of 8 bytes, site 2 is alone, site 3 loads 16 bytes of which an
/// instruction moves 4, from byte 8 on.
Match match_of_four_sites() {
  Match match;
  match.accesses = {{.opcode = 0x184, .space = MachineSpace::Shared, .bytes = 8},
                    {.opcode = 0x184, .space = MachineSpace::Shared, .bytes = 4}};
  match.sites = {{.fate = Fate::Merged, .merged = 0},
                 {.fate = Fate::Merged, .merged = 0},
                 {.fate = Fate::Same, .instructions = {1}},
                 {.fate = Fate::Narrower, .merged = 1}};
  match.merged = {{.space = MemorySpace::Shared,
                   .kind = MemoryKind::Load,
                   .bytes = 8,
                   .sites = {0, 1},
                   .instructions = {0}},
                  {.space = MemorySpace::Shared,
                   .kind = MemoryKind::Load,
                   .bytes = 4,
                   .first_byte = 8,
                   .sites = {3},
                   .instructions = {1}}};
  return match;
}

trace::Trace trace_of_four_sites() {
  trace::Trace trace;
  trace.sites.resize(4);
  for (trace::Site& site : trace.sites) site.operation = {MemorySpace::Shared, MemoryKind::Load, 4};
  trace.sites[3].operation.bytes_per_lane = 16;
  return trace;
}

trace::StoredAccess load(uint32_t site, uint64_t base, int32_t stride, uint32_t step) {
  return {.site = {site}, .warp = {0}, .step = step, .active = {0b111}, .base = base, .stride = stride};
}

TEST(FoldedPart, parts_of_two_iterations_are_told_apart) {
  const Match match = match_of_four_sites();
  const trace::Trace trace = trace_of_four_sites();
  trace::StoredBlock block;
  // Lane l reads 8 l and 8 l + 4, then 256 bytes on; a load of another site lies between.
  block.accesses = {load(0, 0, 8, 0), load(2, 4, 8, 1), load(1, 4, 8, 2), load(0, 256, 8, 3),
                    load(1, 260, 8, 4)};
  const FoldedPart first = folded_part(match, trace, block, {0}, 2);
  EXPECT_THAT(first.parts, ElementsAre(0, 2));
  EXPECT_EQ(first.access.operation.bytes_per_lane, 8);
  EXPECT_EQ(first.access.lanes.bits, 0b111u);
  EXPECT_THAT(std::vector(first.access.addresses.begin(), first.access.addresses.begin() + 3),
              ElementsAre(0, 8, 16));
  EXPECT_EQ(instruction_name(match, first.access), "LDS.64");
  const FoldedPart second = folded_part(match, trace, block, {0}, 3);
  EXPECT_THAT(second.parts, ElementsAre(3, 4));
  EXPECT_EQ(second.access.addresses[1], 264u);
}

TEST(FoldedPart, access_without_its_neighbor_takes_the_whole_width) {
  const Match match = match_of_four_sites();
  const trace::Trace trace = trace_of_four_sites();
  trace::StoredBlock block;
  block.accesses = {load(1, 4, 8, 0)};
  const FoldedPart alone = folded_part(match, trace, block, {0}, 0);
  EXPECT_THAT(alone.parts, ElementsAre(0));
  EXPECT_EQ(alone.access.operation.bytes_per_lane, 8);
  EXPECT_EQ(alone.access.addresses[0], 0u);
}

TEST(FoldedPart, part_of_a_wide_access_has_its_own_bytes) {
  const Match match = match_of_four_sites();
  const trace::Trace trace = trace_of_four_sites();
  trace::StoredBlock block;
  block.accesses = {load(3, 0, 16, 0), load(3, 64, 16, 1)};
  const FoldedPart part = folded_part(match, trace, block, {0}, 1);
  EXPECT_THAT(part.parts, ElementsAre(1));
  EXPECT_EQ(part.access.operation.bytes_per_lane, 4);
  EXPECT_EQ(part.access.addresses[0], 64u + 8);
  EXPECT_EQ(part.access.addresses[2], 64u + 32 + 8);
  EXPECT_EQ(instruction_name(match, part.access), "LDS");
}

}  // namespace
}  // namespace lanescope::sass
