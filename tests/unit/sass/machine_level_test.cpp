// Totals at the level of machine code, by hand.

#include "sass/machine_level.h"

#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

constexpr MemoryOperation kLoad{MemorySpace::Shared, MemoryKind::Load, 4};
constexpr MemoryOperation kWideStore{MemorySpace::Local, MemoryKind::Store, 16};

MachineLevel level_of_six_sites() {
  MachineLevel level;
  level.match.sites.resize(6);
  level.match.sites[0] = {.fate = Fate::Merged, .merged = 0};
  level.match.sites[1] = {.fate = Fate::Merged, .merged = 0};
  level.match.sites[2].fate = Fate::Removed;
  level.match.sites[3].fate = Fate::Same;
  level.match.sites[4].fate = Fate::Same;
  level.match.sites[5].fate = Fate::Replaced;
  level.match.merged.push_back({.kind = MemoryKind::Load, .bytes = 8, .sites = {0, 1}});
  level.merged.push_back({.totals = {.requests = 10, .lanes = 320, .wavefronts = 20}});
  level.operations = {kLoad, kLoad, kLoad, kLoad, kWideStore, kLoad};
  for (int n = 0; n < 6; ++n) level.ptx_totals.push_back({.requests = 10, .lanes = 320, .wavefronts = 10});
  return level;
}

TEST(MachineLevel, totals_of_merged_sites_stand_at_the_first_and_removed_sites_have_none) {
  const auto totals = machine_totals(level_of_six_sites());
  EXPECT_EQ(totals[0].requests, 10u);
  EXPECT_EQ(totals[0].wavefronts, 20u);
  EXPECT_EQ(totals[1].requests, 0u);
  EXPECT_EQ(totals[2], trace::Totals{});
  EXPECT_EQ(totals[3].wavefronts, 10u);
  EXPECT_EQ(totals[4].requests, 40u) << "four lines of local memory for each instruction";
  EXPECT_EQ(totals[5].requests, 10u);
}

TEST(MachineLevel, a_part_whose_bytes_are_known_has_its_counts) {
  MachineLevel level = level_of_six_sites();
  level.match.sites[3] = {.fate = Fate::Narrower, .merged = 1};
  level.match.merged.push_back({.kind = MemoryKind::Load, .bytes = 4, .sites = {3}});
  level.merged.push_back({.totals = {.requests = 10, .lanes = 320, .wavefronts = 7}});
  EXPECT_EQ(machine_totals(level)[3].wavefronts, 7u);
  EXPECT_EQ(matched_share(level).matched, 50u);
  level.match.sites[3].merged = SiteMatch::kNone;
  level.match.merged.pop_back();
  level.merged.pop_back();
  EXPECT_EQ(machine_totals(level)[3].wavefronts, 10u);
  EXPECT_EQ(matched_share(level).matched, 40u);
}

TEST(MachineLevel, a_loop_in_place_of_an_atomic_is_not_matched) {
  const MatchedShare share = matched_share(level_of_six_sites());
  EXPECT_EQ(share.all, 60u);
  EXPECT_EQ(share.matched, 50u);
}

}  // namespace
}  // namespace lanescope::sass
