// Which accesses share a recorder, and how a recorded access is expanded to all of them.

#include "gpu/instrument/access_groups.h"

#include "gpu/instrument/group_expansion.h"
#include "gpu/instrument/loops.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

using testing::ElementsAre;

/// [instruction] the leaders in a kernel with this body.
std::vector<uint32_t> leaders_in(std::string_view body) {
  const std::string text = fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 p) {{
  .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<3>;
  .shared .align 4 .b8 tile[128];
{}
  ret;
}}
)",
                                       body);
  const auto module = ptx::parse(text, "kernel.ptx");
  EXPECT_TRUE(module) << describe(module.error());
  std::vector<uint32_t> leaders;
  if (!module) return leaders;
  for (const GroupedAccess& access : access_groups(module->functions[0])) leaders.push_back(access.leader);
  leaders.pop_back();  // ret
  return leaders;
}

TEST(AccessGroups, accesses_with_the_same_base_share_a_recorder) {
  EXPECT_THAT(leaders_in("ld.shared.u32 %r1, [%r7]; ld.shared.u32 %r2, [%r8]; add.u32 %r3, %r1, %r2;"
                         "ld.shared.u32 %r1, [%r7+4]; st.shared.u32 [%r8+64], %r3;"),
              ElementsAre(0, 1, 2, 0, 1));
  EXPECT_THAT(leaders_in("ld.shared.u32 %r1, [tile+4]; ld.shared.u32 %r2, [tile+8];"), ElementsAre(0, 0));
}

TEST(Loops, are_from_a_label_to_the_last_branch_back_to_it) {
  const auto module = ptx::parse(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel() {
  .reg .pred %p<2>; .reg .b32 %r<2>;
  add.u32 %r1, %r1, 1;
$A: add.u32 %r1, %r1, 1;
  @%p1 bra $B;
  @%p1 bra $A;
$B: add.u32 %r1, %r1, 1;
  @%p1 bra $B;
  ret;
})",
                                 "kernel.ptx");
  ASSERT_TRUE(module) << describe(module.error());
  EXPECT_THAT(in_loops(module->functions[0]), ElementsAre(false, true, true, true, true, true, false));
}

TEST(AccessGroups, a_leader_knows_the_distance_and_the_number_of_its_followers) {
  const auto module = ptx::parse(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel() {
  .reg .b32 %r<9>;
  ld.shared.u32 %r1, [%r7+8]; ld.shared.u32 %r2, [%r7]; ld.shared.u32 %r3, [%r7+12];
  ret;
})",
                                 "kernel.ptx");
  ASSERT_TRUE(module) << describe(module.error());
  const std::vector<GroupedAccess> groups = access_groups(module->functions[0]);
  EXPECT_EQ(groups[0].followers, 2u);
  EXPECT_EQ(groups[0].distance, 0);
  EXPECT_EQ(groups[1].distance, -8);
  EXPECT_EQ(groups[2].distance, 4);
}

TEST(AccessGroups, a_base_that_is_written_again_is_another) {
  EXPECT_THAT(leaders_in("ld.shared.u32 %r1, [%r7]; add.u32 %r7, %r7, 4; ld.shared.u32 %r2, [%r7];"),
              ElementsAre(0, 1, 2));
  EXPECT_THAT(leaders_in("ld.shared.u32 %r7, [%r7]; ld.shared.u32 %r1, [%r7];"), ElementsAre(0, 1));
  EXPECT_THAT(leaders_in("ld.shared.u32 %r1, [%r7]; ld.shared.v2.u32 {%r2, %r7}, [%r7+8];"
                         "ld.shared.u32 %r1, [%r7];"),
              ElementsAre(0, 0, 2));
}

TEST(AccessGroups, accesses_of_two_spaces_or_generic_ones_share_none) {
  EXPECT_THAT(leaders_in("ld.global.u32 %r1, [%rd1]; ld.local.u32 %r2, [%rd1+4];"), ElementsAre(0, 1));
  EXPECT_THAT(leaders_in("ld.u32 %r1, [%rd1]; ld.u32 %r2, [%rd1+4];"), ElementsAre(0, 1));
}

TEST(AccessGroups, end_where_the_active_lanes_may_change) {
  const std::string first = "ld.shared.u32 %r1, [%r7];", second = "ld.shared.u32 %r2, [%r7+4];";
  EXPECT_THAT(leaders_in(first + "$L:" + second), ElementsAre(0, 1));
  for (const char* between :
       {"@%p1 bra $L; $L:", "bar.sync 0;", "bar.warp.sync 3;", "@%p1 ld.shared.u32 %r3, [%r8];", "@%p1 ret;",
        "vote.sync.ballot.b32 %r3, %p1, -1;", "shfl.sync.idx.b32 %r3, %r4, 0, 31, -1;",
        "atom.shared.add.u32 %r3, [%r8], 1;"})
    EXPECT_THAT(leaders_in(first + between + second), ElementsAre(0, 1, 2)) << between;
}

TEST(AccessGroups, continue_across_what_moves_no_lanes_and_no_data) {
  for (const char* between :
       {"add.u32 %r3, %r4, 1;", "prefetch.global.L2 [%rd1];", "cp.async.bulk.prefetch.L2.global [%rd1], 64;",
        "mbarrier.pending_count.b64 %r3, %rd1;"})
    EXPECT_THAT(
        leaders_in(std::string("ld.shared.u32 %r1, [%r7];") + between + "ld.shared.u32 %r2, [%r7+4];"),
        ElementsAre(0, 1, 0))
        << between;
}

TEST(AccessGroups, far_apart_are_two) {
  EXPECT_THAT(leaders_in("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+1048580];"), ElementsAre(0, 1));
}

/// Two groups of a stretch that begins at 100: sites 0, 2 and 1, 3 in turn; site 4 is in no group.
SiteGroups two_groups() {
  SiteGroups groups(5);
  groups[0] = {100, {{0, 110, 0}, {2, 130, 4}}};
  groups[1] = {100, {{1, 120, 0}, {3, 140, 64}}};
  return groups;
}
RecordedAccess record_of(uint32_t site, uint32_t mask, uint64_t address) {
  RecordedAccess access{.site = site, .mask = mask};
  access.lanes.fill(address);
  return access;
}
std::vector<std::pair<uint32_t, uint64_t>> expanded(const std::vector<RecordedAccess>& recorded) {
  std::vector<std::pair<uint32_t, uint64_t>> all;
  for (const RecordedAccess& access : with_members(recorded, two_groups()))
    all.emplace_back(access.site, access.lanes[0]);
  return all;
}

TEST(SiteGroups, members_are_in_program_order) {
  using Pair = std::pair<uint32_t, uint64_t>;
  EXPECT_THAT(expanded({record_of(0, 3, 1000), record_of(1, 3, 2000), record_of(4, 3, 0)}),
              ElementsAre(Pair{0, 1000}, Pair{1, 2000}, Pair{2, 1004}, Pair{3, 2064}, Pair{4, 0}));
}

TEST(SiteGroups, a_loop_repeats_its_stretch) {
  using Pair = std::pair<uint32_t, uint64_t>;
  EXPECT_THAT(expanded({record_of(0, 3, 1000), record_of(0, 3, 1100)}),
              ElementsAre(Pair{0, 1000}, Pair{2, 1004}, Pair{0, 1100}, Pair{2, 1104}));
}

TEST(SiteGroups, diverged_lanes_execute_a_stretch_separately) {
  using Pair = std::pair<uint32_t, uint64_t>;
  EXPECT_THAT(
      expanded({record_of(0, 1, 1000), record_of(0, 2, 5000), record_of(1, 1, 2000), record_of(1, 2, 6000)}),
      ElementsAre(Pair{0, 1000}, Pair{1, 2000}, Pair{2, 1004}, Pair{3, 2064}, Pair{0, 5000}, Pair{1, 6000},
                  Pair{2, 5004}, Pair{3, 6064}));
}

}  // namespace
}  // namespace lanescope::gpu
