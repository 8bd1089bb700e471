// What local memory is for: a program and a match by hand.

#include "sass/local_memory.h"

#include "sass/ptx_places.h"

#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

/// A local array of 12 bytes with a store in line 7 and two loads in line 9; PTX lines 40, 50, 51.
ptx::Program program_with_array() {
  ptx::Program program;
  program.variables.push_back({.name = "__local_depot0",
                               .space = ptx::Space::Local,
                               .size_bytes = 12,
                               .initial = {},
                               .addresses = {}});
  const auto add = [&](MemoryKind kind, int line, int ptx_line) {
    program.sites.push_back({.operation = {MemorySpace::Local, kind, 4},
                             .source = {"k.cu", line},
                             .called_from = {},
                             .ptx_line = ptx_line,
                             .ptx_text = {},
                             .base = {ptx::AddressBase::Kind::Variable, 0}});
    program.origins.push_back({.source = {"k.cu", line}, .ptx_line = ptx_line, .ptx_text = {}});
  };
  add(MemoryKind::Store, 7, 40);
  add(MemoryKind::Load, 9, 50);
  add(MemoryKind::Load, 9, 51);
  return program;
}

MachineAccess spill(MemoryKind kind, uint32_t ptx_line, int32_t offset, uint32_t bytes) {
  return {.ptx_line = ptx_line,
          .space = MachineSpace::Local,
          .kind = kind,
          .bytes = bytes,
          .base_register = kStackRegister,
          .offset = offset};
}

TEST(LocalMemory, an_array_with_instructions_is_named_with_its_bytes_and_lines) {
  Match match;
  match.sites = {{.fate = Fate::Same}, {.fate = Fate::Same}, {.fate = Fate::Removed}};
  const LocalMemory local = local_memory_of(program_with_array(), match);
  ASSERT_EQ(local.arrays.size(), 1u);
  EXPECT_EQ(local.arrays[0].bytes, 12u);
  EXPECT_EQ(local.arrays[0].lines, (std::vector<Location>{{"k.cu", 7}, {"k.cu", 9}}));
  EXPECT_TRUE(local.spills.empty());
}

TEST(LocalMemory, an_address_that_names_no_array_is_of_all) {
  ptx::Program program = program_with_array();
  program.variables.push_back(
      {.name = "other", .space = ptx::Space::Local, .size_bytes = 8, .initial = {}, .addresses = {}});
  for (ptx::MemorySite& site : program.sites) site.base = {};
  Match match;
  match.sites = {{.fate = Fate::Removed}, {.fate = Fate::Same}, {.fate = Fate::Same}};
  const LocalMemory local = local_memory_of(program, match);
  ASSERT_EQ(local.arrays.size(), 1u);
  EXPECT_EQ(local.arrays[0].bytes, 20u);
  EXPECT_EQ(local.arrays[0].lines, (std::vector<Location>{{"k.cu", 9}}));
}

TEST(LocalMemory, an_array_in_registers_is_none) {
  Match match;
  match.sites.resize(3);  // removed
  EXPECT_TRUE(local_memory_of(program_with_array(), match).arrays.empty());
}

TEST(LocalMemory, spills_are_counted_by_line_and_their_bytes_once) {
  Match match;
  match.sites.resize(3);
  // 8 bytes are stored at line 40; line 45 is after it and before 50; each word is loaded again at 51.
  match.accesses = {spill(MemoryKind::Store, 45, 16, 8), spill(MemoryKind::Load, 51, 16, 4),
                    spill(MemoryKind::Load, 51, 20, 4)};
  match.spills = {0, 1, 2};
  const LocalMemory local = local_memory_of(program_with_array(), match);
  EXPECT_EQ(local.spilled_bytes, 8u);
  ASSERT_EQ(local.spills.size(), 2u);
  EXPECT_EQ(local.spills[0].where, (Location{"k.cu", 7}));
  EXPECT_EQ(local.spills[0].stores, 1u);
  EXPECT_EQ(local.spills[0].loads, 0u);
  EXPECT_EQ(local.spills[1].where, (Location{"k.cu", 9}));
  EXPECT_EQ(local.spills[1].loads, 2u);
}

TEST(LocalMemory, a_line_before_the_first_instruction_has_no_place) {
  const PtxPlaces places(program_with_array());
  EXPECT_EQ(places.at(39).line, 0);
  EXPECT_EQ(places.at(40).line, 7);
  EXPECT_EQ(places.at(1000).line, 9);
}

}  // namespace
}  // namespace lanescope::sass
