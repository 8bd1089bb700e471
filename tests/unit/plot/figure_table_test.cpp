// The table of figures: names are unique, each row draws its own figure, and the figure cases cover every
// row.

#include "plot/figure_table.h"

#include "support/figure_cases.h"
#include "support/figure_text.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::FigureRow;

TEST(FigureTable, names_are_unique_and_found) {
  std::set<std::string_view> names;
  for (const FigureRow& row : plot::figure_rows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(plot::find_figure(row.name), &row);
  }
  EXPECT_EQ(plot::find_figure("frobnicate"), nullptr);
}

/// An access of a tiled transpose with its reports, and a recording of each kind.
class Everything {
 public:
  plot::FigureData data() const {
    return {.trace = &trace_,
            .device = &device_,
            .partitions = &partitions_,
            .tiles = &tiles_,
            .timeline = &timeline_,
            .access = &access_,
            .banks = &banks_,
            .sectors = &sectors_,
            .values = &values_,
            .bandwidth = &bandwidth_,
            .camping = &camping_,
            .caches = &caches_};
  }

 private:
  trace::Trace trace_ = [] {
    trace::Trace trace = transpose_trace({.width = 128, .height = 128});
    trace.operations.fp32 = 1000;
    return trace;
  }();
  model::Device device_ = [] {
    model::Device device = gt200();
    device.bound = h200().bound;  // for the roofline
    device.memory_bytes_per_second = h200().memory_bytes_per_second;
    return device;
  }();
  model::PartitionReport partitions_ = model::map_partitions(trace_, device_);
  std::vector<model::TileMap> tiles_ = model::map_tiles(trace_);
  std::vector<model::TimelineEntry> timeline_ = timeline_of(trace_, 1);
  model::TracedAccess access_{&trace_, access_at(trace_, 7, 2, 8), 8, 16};
  caches::CacheReport caches_ = transpose_caches(trace_);
  model::BankReport banks_ = model::count_banks(access_.access);
  model::SectorReport sectors_ = model::count_sectors(access_at(trace_, 7, 2, 0));
  std::vector<model::ValueMap> values_{{.buffer = "in", .rows = 1, .columns = 2, .level = {1, 256}}};
  plot::Bandwidth bandwidth_ = [] {
    plot::Bandwidth bandwidth;
    bandwidth.bars = {{.kernel = "Copy", .gb_per_second = 100, .lowest = 90, .highest = 110}};
    bandwidth.copy_gb_per_second = 120;
    return bandwidth;
  }();
  plot::Camping camping_ = [] {
    plot::Camping camping;
    camping.l2 = {.lines = 1024, .one_slice = 100, .all_slices = 800};
    camping.dram = {.lines = 1024, .one_slice = 50, .all_slices = 400};
    return camping;
  }();
};

TEST(FigureTable, each_row_draws_its_own_figure) {
  const Everything everything;
  std::map<std::string, std::string_view> drawn;
  for (const FigureRow& row : plot::figure_rows()) {
    const auto figure = row.draw(everything.data(), {.size = {440, 290}});
    ASSERT_TRUE(figure) << row.name << ": " << figure.error().message;
    EXPECT_EQ(figure->name, row.name);
    EXPECT_FALSE(figure->marks.empty()) << row.name;
    const auto [other, is_new] = drawn.emplace(figure_text(*figure), row.name);
    EXPECT_TRUE(is_new) << row.name << " draws the same as " << other->second;
  }
}

TEST(FigureTable, a_figure_without_its_data_is_an_error_that_says_what_to_try) {
  const Everything everything;
  plot::FigureData data = everything.data();
  data.partitions = nullptr, data.banks = nullptr, data.sectors = nullptr, data.bandwidth = nullptr;
  data.camping = nullptr;
  data.caches = nullptr;
  data.partitions_reason = "its hash is not published";
  for (const char* name :
       {"banks", "sectors", "partitions", "bandwidth", "camping", "memory_chart", "kernel_roofline"}) {
    const auto figure = plot::find_figure(name)->draw(data, {});
    ASSERT_FALSE(figure) << name;
    EXPECT_EQ(figure.error().kind, ErrorKind::Unsupported) << name;
  }
  EXPECT_NE(plot::find_figure("partitions")->draw(data, {}).error().message.find("its hash is not published"),
            std::string::npos);
  data.wave = 1000;
  EXPECT_EQ(plot::find_figure("blocks")->draw(data, {}).error().kind, ErrorKind::Usage);
}

/// Their names begin with the figure's: "banks-unpadded".
TEST(FigureTable, figure_cases_cover_every_figure_of_a_run) {
  std::set<std::string> covered;
  for_each_figure_case([&](std::string_view name, const FigureMaker& make) {
    const std::string figure = make({.size = {300, 180}}).name;
    EXPECT_TRUE(name.starts_with(figure)) << name << " draws " << figure;
    covered.insert(figure);
  });
  for (const FigureRow& row : plot::figure_rows()) {
    const bool of_recording =
        row.needs == FigureRow::Needs::RecordedTimes || row.needs == FigureRow::Needs::RecordedSlices;
    if (of_recording) continue;
    EXPECT_TRUE(covered.contains(std::string(row.name))) << row.name;
  }
}

}  // namespace
}  // namespace lanescope::tests
