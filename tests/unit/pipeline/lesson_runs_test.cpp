// The lessons as they really run: every kernel with every toggle against the host reference, and the tile
// grids of the first seed from the addresses of the kernel.

#include "pipeline/execution.h"
#include "support/project_options.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

class LessonRuns : public testing::Test {
 protected:
  lesson::Settings settings(std::vector<std::pair<std::string, std::string>> toggles) const {
    lesson::Settings settings = lesson::initial_settings(lesson_);
    for (const auto& [name, value] : toggles)
      settings = lesson::with_toggle(lesson_, settings, name, value).value();
    return settings;
  }

  std::shared_ptr<const pipeline::Run> run(const lesson::Settings& settings) {
    const auto job = job_of(lesson_, settings, options_);
    EXPECT_TRUE(job) << describe(job.error());
    auto run = execution_.run(*job, device_, {});
    EXPECT_TRUE(run) << describe(run.error());
    return run ? *run : nullptr;
  }

  Options options_ = tests::project_options();
  lesson::Lesson lesson_ = lesson::find_lesson(options_.assets / "lessons", "transpose").value();
  model::Device device_ = model::find_device(options_.assets / "devices", "gt200").value();
  Execution execution_{options_};
};

/// Every combination of the choices of `toggles`.
std::vector<lesson::Settings> combinations(const lesson::Lesson& lesson, const lesson::Settings& start,
                                           const std::vector<std::string>& toggles) {
  std::vector<lesson::Settings> all{start};
  for (const std::string& name : toggles) {
    std::vector<lesson::Settings> more;
    for (const lesson::Settings& settings : all)
      for (const lesson::Choice& choice : lesson::find_toggle(lesson, name)->choices)
        more.push_back(lesson::with_toggle(lesson, settings, name, choice.value).value());
    all = std::move(more);
  }
  return all;
}

TEST_F(LessonRuns, every_kernel_with_every_toggle_writes_what_the_host_expects) {
  int runs = 0;
  for (const lesson::Kernel& kernel : lesson_.kernels)
    // A square of whole tiles, and a ragged rectangle: the two formulas of the diagonal order, and every
    // edge.
    for (const char* size : {"64", "75x41"}) {
      std::vector<std::string> toggles = kernel.toggles;
      std::erase(toggles, "size");
      for (const lesson::Settings& chosen :
           combinations(lesson_, settings({{"kernel", kernel.name}, {"size", size}}), toggles)) {
        const auto done = run(chosen);
        ASSERT_NE(done, nullptr);
        EXPECT_EQ(done->output_correct, true)
            << kernel.name << " " << size << " " << ::testing::PrintToString(done->defines);
        EXPECT_TRUE(done->trace->hazards.empty());
        ++runs;
      }
    }
  // tiled, padded, swizzled and diagonal are one kernel with other presets: 200 sets of macros each, and so
  // on.
  EXPECT_EQ(runs, 2 * (20 + 100 + 20 + 4 * 200 + 100 + 100 + 10 + 15));
}

/// Block numbers by tile, [row][column]: who touches the tile.
std::vector<std::vector<uint32_t>> grid_of(const model::TileMap& map) {
  const size_t rows = map.matrix_rows / map.tile_rows, columns = map.matrix_columns / map.tile_columns;
  std::vector<std::vector<uint32_t>> grid(rows, std::vector<uint32_t>(columns, 99));
  for (const model::TileUse& tile : map.tiles)
    grid[tile.row / map.tile_rows][tile.column / map.tile_columns] = tile.cta.value;
  return grid;
}

using Grid = std::vector<std::vector<uint32_t>>;

TEST_F(LessonRuns, four_by_four_tiles_are_the_grids_of_the_slides) {
  const auto rows = run(settings({{"kernel", "tiled"}, {"size", "128"}}));
  ASSERT_NE(rows, nullptr);
  ASSERT_EQ(rows->tiles->size(), 2u);
  EXPECT_EQ(grid_of((*rows->tiles)[0]), (Grid{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}));
  EXPECT_EQ(grid_of((*rows->tiles)[1]), (Grid{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}}));
  const auto diagonal = run(settings({{"kernel", "diagonal"}, {"size", "128"}}));
  ASSERT_NE(diagonal, nullptr);
  EXPECT_EQ(grid_of((*diagonal->tiles)[0]),
            (Grid{{0, 4, 8, 12}, {13, 1, 5, 9}, {10, 14, 2, 6}, {7, 11, 15, 3}}));
}

TEST_F(LessonRuns, row_order_camps_on_one_partition_of_a_gtx_280_and_diagonal_order_does_not) {
  const auto rows = run(settings({{"kernel", "padded"}, {"size", "2048"}}));
  ASSERT_NE(rows, nullptr);
  ASSERT_NE(rows->partitions, nullptr);
  EXPECT_DOUBLE_EQ(rows->partitions->written_effective, 1.0);
  EXPECT_GT(rows->partitions->read_effective, 7.0);
  const auto diagonal = run(settings({{"kernel", "diagonal"}, {"size", "2048"}}));
  ASSERT_NE(diagonal, nullptr);
  EXPECT_GT(diagonal->partitions->written_effective, 7.0);
}

TEST_F(LessonRuns, a_source_line_leads_from_the_access_to_the_text) {
  const auto naive = run(settings({{"kernel", "naive"}, {"size", "64"}}));
  ASSERT_NE(naive, nullptr);
  for (const trace::Site& site : naive->trace->sites) {
    EXPECT_EQ(site.source.file, "transpose_naive.cu");
    EXPECT_NE(site.source_text.find(site.operation.kind == trace::Kind::Load ? "in[" : "out["),
              std::string::npos)
        << site.source_text;
  }
}

}  // namespace
}  // namespace lanescope::pipeline
