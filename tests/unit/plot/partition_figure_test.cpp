#include "support/figure_cases.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Cells;
using plot::Figure;

Figure partitions(uint32_t n, Transpose variant, plot::Size size = {700, 400},
                  const model::Device& device = gt200()) {
  const trace::Trace trace = transpose_trace({.width = n, .height = n, .padding = 1, .variant = variant});
  return plot::partition_figure(trace, model::map_partitions(trace, device), device, {.size = size});
}

std::vector<Cells> images_of(const Figure& figure) {
  std::vector<Cells> images;
  for (const plot::Mark& mark : figure.marks) {
    if (const auto* cells = std::get_if<Cells>(&mark)) images.push_back(*cells);
  }
  return images;
}

TEST(PartitionFigure, reads_are_above_writes_with_a_row_per_partition) {
  const std::vector<Cells> images = images_of(partitions(512, Transpose::Tiled));
  ASSERT_EQ(images.size(), 2);
  EXPECT_EQ(images[0].rows, 8);
  EXPECT_LT(images[0].y, images[1].y);
}

TEST(PartitionFigure, writes_of_consecutive_blocks_queue_in_one_partition) {
  // 512 floats a row are 2048 bytes, all 8 partitions: block b of the first row writes tile column 0.
  const std::vector<Cells> images = images_of(partitions(512, Transpose::Tiled));
  ASSERT_EQ(images.size(), 2);
  const Cells& writes = images[1];
  for (uint32_t block = 0; block < 16; ++block) {
    EXPECT_NE(writes.value[block], 0) << block;
    for (uint32_t partition = 1; partition < 8; ++partition) {
      EXPECT_EQ(writes.value[partition * writes.columns + block], 0) << block;
    }
  }
}

TEST(PartitionFigure, headlines_show_effective_partitions_and_the_first_wave) {
  const Figure figure = partitions(512, Transpose::Tiled);
  ASSERT_EQ(figure.headlines.size(), 3);
  EXPECT_EQ(figure.headlines[1].label, "of 8 partitions written");
  EXPECT_EQ(figure.headlines[1].color, plot::Color::of(plot::Role::Bad));
  EXPECT_EQ(figure.headlines[2].value, "90");  // 3 blocks of 4224 + 16 bytes on each of 30 multiprocessors
  EXPECT_EQ(figure.provenance, Provenance::Modelled);
}

TEST(PartitionFigure, the_first_wave_has_no_more_blocks_than_the_grid) {
  const Figure figure = partitions(128, Transpose::Tiled);
  EXPECT_EQ(figure.headlines[2].value, "16") << "a grid of 4 x 4, where 90 would fit";
  EXPECT_NE(figure.explanation.find("16 blocks"), std::string::npos) << figure.explanation;
}

TEST(PartitionFigure, more_blocks_than_columns_share_them) {
  const Figure figure = partitions(1024, Transpose::Tiled, {300, 200});
  const std::vector<Cells> images = images_of(figure);
  ASSERT_EQ(images.size(), 2);
  EXPECT_LT(images[0].columns, 150);
  EXPECT_EQ(figure.picks.size(), images[0].columns);
  EXPECT_EQ(figure.table.rows.size(), 1024 * 8);  // the table keeps every block
}

TEST(PartitionFigure, a_part_of_it_shows_its_blocks_alone) {
  const trace::Trace trace =
      transpose_trace({.width = 1024, .height = 1024, .padding = 1, .variant = Transpose::Tiled});
  const model::PartitionReport report = model::map_partitions(trace, gt200());
  const Figure whole = plot::partition_figure(trace, report, gt200(), {.size = {700, 400}});
  // 1,024 blocks; the second half of the second quarter.
  const Figure part = plot::partition_figure(trace, report, gt200(),
                                             {.size = {700, 400}, .part = {.zoom = 8, .x = 0.375, .y = 0}});
  ASSERT_EQ(part.zoom_areas.size(), 2u);
  EXPECT_EQ(part.zoom_areas[0].columns, 1024u);
  EXPECT_EQ(part.zoom_areas[0].rows, 1u);
  const Cells& writes = images_of(part)[1];
  ASSERT_EQ(writes.columns, 128u);
  for (uint32_t column = 0; column < writes.columns; ++column)
    for (uint32_t partition = 0; partition < 8; ++partition)
      EXPECT_EQ(writes.value[partition * writes.columns + column],
                report.written_bytes[(384 + column) * 8 + partition]);
  EXPECT_EQ(part.headlines[1].value, whole.headlines[1].value) << "the numbers are of the whole grid";
  EXPECT_EQ(part.explanation, whole.explanation);
}

TEST(PartitionFigure, an_even_load_is_even_in_every_width) {
  // 32 blocks read the rows of 32 tiles, which lie in all 8 partitions alike.
  for (const float width : {240.0f, 300.0f, 420.0f, 640.0f, 1000.0f}) {
    const std::vector<Cells> images = images_of(partitions(1024, Transpose::Tiled, {width, 120}));
    ASSERT_EQ(images.size(), 2) << width;
    const std::vector<uint32_t>& reads = images[0].value;
    EXPECT_TRUE(std::ranges::all_of(reads, [&](uint32_t bytes) { return bytes == reads.front(); })) << width;
  }
}

TEST(PartitionFigure, two_partitions_are_named_in_a_low_figure) {
  const Figure figure = partitions(1024, Transpose::Tiled, {400, 110});
  size_t names = 0;
  for (const plot::Mark& mark : figure.marks)
    if (const auto* label = std::get_if<plot::Label>(&mark))
      names += label->text == "P0" || label->text == "P7" || label->text == "P4" ? 1 : 0;
  EXPECT_GE(names, 4) << "two beside the reads, two beside the writes";
}

TEST(PartitionFigure, clicking_a_column_selects_its_block) {
  const Figure figure = partitions(512, Transpose::Tiled);
  const Cells cells = images_of(figure)[0];
  const float column = cells.width / static_cast<float>(cells.columns);
  const plot::Pick* pick = plot::pick_at(figure, cells.x + 10.5f * column, cells.y + 5);
  ASSERT_NE(pick, nullptr);
  EXPECT_EQ(pick->block, CtaId{10});
}

TEST(PartitionFigure, the_table_adds_up_to_the_matrix) {
  int64_t read = 0;
  int64_t written = 0;
  for (const auto& row : partitions(256, Transpose::Diagonal).table.rows) {
    read += std::get<int64_t>(row[3]);
    written += std::get<int64_t>(row[4]);
  }
  EXPECT_EQ(read, 256 * 256 * 4);
  EXPECT_EQ(written, 256 * 256 * 4);
}

TEST(PartitionFigure, a_device_without_a_known_map_is_reported) {
  const Figure figure = partitions(128, Transpose::Tiled, {700, 400}, device_without_map());
  EXPECT_TRUE(figure.table.rows.empty());
  ASSERT_FALSE(figure.marks.empty());
  EXPECT_TRUE(
      std::get<plot::Label>(figure.marks.front()).text.starts_with("NVIDIA H200 has an address hash"));
  // Without room for the sentence on the sheet it is drawn below.
  EXPECT_FALSE(partitions(128, Transpose::Tiled, {200, 30}, device_without_map()).explanation.empty());
}

TEST(PartitionFigure, blocks_that_were_not_kept_are_mentioned) {
  trace::Trace trace = transpose_trace({.width = 128, .height = 128, .padding = 1});
  trace.blocks.resize(10);
  const Figure figure = plot::partition_figure(trace, model::map_partitions(trace, gt200()), gt200(), {});
  EXPECT_NE(figure.explanation.find("6 blocks are not shown"), std::string::npos) << figure.explanation;
}

}  // namespace
}  // namespace lanescope::tests
