// Counters beside both levels, of a level and a profile made by hand.

#include "export/counter_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::exporting {
namespace {

using sass::Fate;
using testing::Contains;
using testing::HasSubstr;
using trace::HardwareCount;

/// Two shared loads that are one LDS.64, a global store as it is, and a shared atomic that is a loop.
class CounterComparisonTest : public testing::Test {
 protected:
  CounterComparisonTest() {
    level_.registers = 32;
    level_.match.accesses = {{.opcode = 0x184, .space = sass::MachineSpace::Shared, .bytes = 8}};
    add({MemorySpace::Shared, MemoryKind::Load, 4}, 7, {.fate = Fate::Merged, .merged = 0},
        {.requests = 100, .wavefronts = 100});
    add({MemorySpace::Shared, MemoryKind::Load, 4}, 7, {.fate = Fate::Merged, .merged = 0},
        {.requests = 100, .wavefronts = 100});
    add({MemorySpace::Global, MemoryKind::Store, 4}, 8, {.fate = Fate::Same},
        {.requests = 10, .sectors = 40});
    add({MemorySpace::Shared, MemoryKind::Atomic, 8}, 9, {.fate = Fate::Replaced},
        {.requests = 5, .wavefronts = 5});
    level_.match.merged.push_back(
        {.space = MemorySpace::Shared, .bytes = 8, .sites = {0, 1}, .instructions = {0}});
    level_.merged.push_back({.totals = {.requests = 100, .wavefronts = 150}});
  }
  void add(MemoryOperation operation, int line, sass::SiteMatch match, trace::Totals totals) {
    trace_.sites.push_back({.id = {static_cast<uint32_t>(trace_.sites.size())},
                            .operation = operation,
                            .source = {"k.cu", line},
                            .source_text = {},
                            .ptx_text = {}});
    level_.match.sites.push_back(std::move(match));
    level_.operations.push_back(operation);
    level_.ptx_totals.push_back(totals);
  }
  ComparedCount compared(HardwareCount count, uint64_t counter) {
    ProfiledLaunch launch;
    launch.counts[count] = counter;
    return compare_counters(launch, trace_, level_.ptx_totals, &level_, "sm_90").counts.at(0);
  }
  trace::Trace trace_;
  sass::MachineLevel level_;
};

TEST_F(CounterComparisonTest, says_which_level_explains_a_counter_and_by_which_lines_the_levels_differ) {
  const ComparedCount loads = compared(HardwareCount::SharedLoadWavefronts, 150);
  EXPECT_EQ(loads.ptx, 200u);
  EXPECT_EQ(loads.machine, 150u);
  EXPECT_EQ(loads.explained_by, ExplainedBy::MachineCode);
  ASSERT_EQ(loads.reasons.size(), 1u);
  EXPECT_THAT(loads.reasons[0], HasSubstr("k.cu:7: 2 shared loads of 4 bytes of the PTX are LDS.64"));
  EXPECT_EQ(compared(HardwareCount::SharedLoadWavefronts, 200).explained_by, ExplainedBy::Ptx);
  const ComparedCount stores = compared(HardwareCount::GlobalStoreSectors, 40);
  EXPECT_EQ(stores.explained_by, ExplainedBy::Both);
  EXPECT_TRUE(stores.reasons.empty());
}

TEST_F(CounterComparisonTest, names_the_cause_of_what_neither_level_explains) {
  const ComparedCount atomics = compared(HardwareCount::SharedAtomicWavefronts, 9);
  EXPECT_EQ(atomics.explained_by, ExplainedBy::Neither);
  EXPECT_THAT(atomics.reasons, Contains(HasSubstr("k.cu:9: the assembler makes a loop of it")));
  EXPECT_THAT(compared(HardwareCount::GlobalStoreRequests, 11).reasons,
              Contains(HasSubstr("no cause is known here")));
  trace_.sites[2].depends_on_order = true;
  EXPECT_THAT(compared(HardwareCount::GlobalStoreRequests, 11).reasons,
              Contains(HasSubstr("k.cu:8: the count depends on the order")));
}

TEST_F(CounterComparisonTest, without_machine_code_the_level_of_the_ptx_is_left) {
  ProfiledLaunch launch;
  launch.counts[HardwareCount::SharedLoadWavefronts] = 200;
  const auto comparison = compare_counters(launch, trace_, level_.ptx_totals, nullptr, "sm_90");
  EXPECT_EQ(comparison.counts[0].explained_by, ExplainedBy::Ptx);
  EXPECT_FALSE(comparison.counts[0].machine);
  EXPECT_THAT(comparison_text(comparison), HasSubstr("not known  PTX"));
  EXPECT_TRUE(comparison_json(comparison)["counts"][0]["sass"].is_null());
}

TEST_F(CounterComparisonTest, says_where_the_other_machine_is_not_as_here) {
  ProfiledLaunch launch;
  launch.compute_capability = 86;
  launch.registers = 40;
  const auto notes = compare_counters(launch, trace_, level_.ptx_totals, &level_, "sm_90").notes;
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_THAT(notes[0], HasSubstr("compute capability 8.6"));
  EXPECT_THAT(notes[1], HasSubstr("40 registers per thread there, 32 here"));
  launch.compute_capability = 90;
  launch.registers = 32;
  EXPECT_TRUE(compare_counters(launch, trace_, level_.ptx_totals, &level_, "sm_90a").notes.empty());
}

}  // namespace
}  // namespace lanescope::exporting
