#include "pipeline/count_places.h"

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

/// A warp that executes instructions of lines 3, 4 and 5 of a.cu, and one of b.h.
trace::History history() {
  trace::History history;
  history.instructions = {{{"a.cu", 3}, 10, "add.s32 %r1, %r1, 1;"},
                          {{"a.cu", 4}, 11, "bar.sync 0;"},
                          {{"a.cu", 5}, 12, "@%p1 barrier.sync 0;"},
                          {{"a.cu", 5}, 13, "bar.warp.sync -1;"},
                          {{"b.h", 9}, 14, "bar.sync 0;"}};
  for (const uint32_t instruction : {0u, 0u, 0u, 1u, 2u, 2u, 3u, 4u}) {
    const LaneMask lanes{instruction == 0 ? 0xffffffffu : 0x0000ffffu};
    history.entries.push_back({.instruction = instruction, .active = lanes, .lanes = lanes});
  }
  return history;
}

TEST(CountPlaces, barriers_are_those_of_the_block) {
  EXPECT_EQ(barriers_of(history()), 4u);  // not the one of the warp
  const auto most = line_of_most_barriers(history(), "a.cu");
  ASSERT_TRUE(most);
  EXPECT_EQ(most->line, 5);
  EXPECT_EQ(most->count, 2u);
  EXPECT_FALSE(line_of_most_barriers(history(), "c.cu"));
}

TEST(CountPlaces, idle_lanes_are_those_that_do_not_execute) {
  const auto most = line_of_most_idle_lanes(history(), "a.cu");
  ASSERT_TRUE(most);
  EXPECT_EQ(most->line, 5);
  EXPECT_EQ(most->count, 48u);  // three times 16
  trace::History full = history();
  std::erase_if(full.entries, [](const auto& entry) { return entry.instruction != 0; });
  EXPECT_FALSE(line_of_most_idle_lanes(full, "a.cu"));
}

TEST(CountPlaces, of_lines_with_as_many_instructions_the_last_is_named) {
  const auto most = line_of_most_instructions(history(), "a.cu");
  ASSERT_TRUE(most);
  EXPECT_EQ(most->line, 5);
  EXPECT_EQ(most->count, 3u);
}

/// Two blocks of 64 threads. In block 1, warp 1 stores four floats, the first at byte 8 of buffer 0.
trace::Trace stores() {
  trace::Trace trace;
  trace.grid = {2, 1, 1};
  trace.block = {64, 1, 1};
  const auto site_of = [](uint32_t number, trace::Kind kind, int line) {
    trace::Site made;
    made.id = SiteId{number};
    made.operation.kind = kind;
    made.source = {"a.cu", line};
    return made;
  };
  trace.sites = {site_of(0, trace::Kind::Store, 7), site_of(1, trace::Kind::Load, 8)};
  const auto access = [](uint32_t site, uint32_t warp, uint32_t step) {
    return trace::StoredAccess{.site = SiteId{site},
                               .warp = WarpId{warp},
                               .step = step,
                               .active = {0xf0},
                               .base = trace::global_address(0, 8) - 16,
                               .stride = 4};
  };
  trace.blocks = {{CtaId{1}, {access(0, 1, 0), access(1, 1, 1)}, {}, {}}};
  return trace;
}

TEST(CountPlaces, an_element_has_the_thread_that_stored_it) {
  const auto writer = writer_of(stores(), 0, 12);
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->site.value, 0u);
  EXPECT_EQ(writer->block, (Dim3{1, 0, 0}));
  EXPECT_EQ(writer->thread, (Dim3{37, 0, 0}));  // lane 5 of warp 1
  EXPECT_TRUE(writer_of(stores(), 0, 23));      // the last byte
  EXPECT_FALSE(writer_of(stores(), 0, 7));
  EXPECT_FALSE(writer_of(stores(), 0, 24));
  EXPECT_FALSE(writer_of(stores(), 1, 12));
}

}  // namespace
}  // namespace lanescope::pipeline
