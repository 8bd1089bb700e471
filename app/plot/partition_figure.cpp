// Partitions of the memory against blocks in launch order, reads above writes. If there are more blocks than
// columns, several share one, which shows their mean. The first wave, the blocks that are in
// flight together at first, is bracketed: a single busy row there means queueing. A part of it shows some of
// the blocks, in columns that are as wide as there is room. Tests: tests/unit/plot/partition_figure_test.cpp,
// tests/golden/figures

#include "base/counted_phrase.h"
#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/heat_map.h"
#include "plot/legend.h"
#include "plot/map_part.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

constexpr float kLeastColumn = 2;           // points
constexpr size_t kMostRowsOfTable = 65536;  // a larger grid is tabulated by columns of the figure

struct Panel {
  Text title;
  const std::vector<uint32_t>* bytes;  // [block][partition]
  double effective;
};

/// Blocks [first, last) of the report, which share a column.
struct Bin {
  size_t first = 0, last = 0;
};

/// `most`: blocks that the axis has room for.
std::vector<Bin> bins_of(size_t blocks, size_t most, uint32_t partitions, float width) {
  const auto room = static_cast<size_t>(std::max(1.0f, width / kLeastColumn));
  // Powers of two: tiles across a matrix usually are one too, so a column always holds the same part of a row
  // of tiles and no pattern appears that is not there.
  size_t each = std::bit_ceil((most + room - 1) / room);
  // Fewer blocks than partitions cannot be even: their mean would show the width of the figure as stripes.
  if (each > 1) each = std::max(each, std::bit_ceil(size_t{2} * partitions));
  std::vector<Bin> bins;
  for (size_t first = 0; first < blocks; first += each) {
    bins.push_back({first, std::min(blocks, first + each)});
  }
  return bins;
}

uint64_t bytes_in(const Bin& bin, const std::vector<uint32_t>& bytes, uint32_t partitions,
                  uint32_t partition) {
  uint64_t sum = 0;
  for (size_t block = bin.first; block < bin.last; ++block) sum += bytes[block * partitions + partition];
  return sum;
}

bool any(const std::vector<uint32_t>& bytes) {
  return std::ranges::any_of(bytes, [](uint32_t value) { return value != 0; });
}

/// Blocks of the first wave: no more than the grid has.
uint64_t in_flight(const trace::Trace& trace, const model::PartitionReport& report) {
  return std::min<uint64_t>(report.blocks_in_flight, volume(trace.grid));
}

/// The blocks of the range alone.
model::PartitionReport part_of(const model::PartitionReport& report, const CellRange& range) {
  model::PartitionReport part = report;
  const auto keep = [](auto& all, size_t first, size_t last) {
    all = {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last)};
  };
  keep(part.blocks, range.first, range.end());
  for (std::vector<uint32_t>* const bytes : {&part.read_bytes, &part.written_bytes})
    keep(*bytes, size_t{range.first} * report.partitions, size_t{range.end()} * report.partitions);
  return part;
}

class PartitionDrawing {
 public:
  PartitionDrawing(Sheet& sheet, const model::PartitionReport& report, const trace::Trace& trace,
                   Scale& scale, const Frame& frame)
      : sheet_(sheet),
        report_(report),
        trace_(trace),
        scale_(scale),
        beside_(frame.scale),
        language_(frame.language),
        row_(1.35f * sheet.type().small) {
    if (any(report.read_bytes))
      panels_.push_back({Text::figure_reads, &report.read_bytes, report.read_effective});
    if (any(report.written_bytes)) {
      panels_.push_back({Text::figure_writes, &report.written_bytes, report.written_effective});
    }
    // The panels and the blocks that there is room for.
    scale.room = {static_cast<float>(panels_.size()), static_cast<float>(report.blocks.size())};
    // Of a part, the other figure's blocks are no measure.
    room_ = frame.part.zoom > 1 ? scale.room : common(scale, beside_).room;
  }

  /// Returns the areas of the maps, in which a block is a column.
  std::vector<Box> draw() {
    if (panels_.empty() || report_.blocks.empty()) return {};
    std::vector<Box> maps;
    const float left =
        text_width(fmt::format("P{}", report_.partitions - 1), type().small, Label::Face::Regular) +
        0.5f * type().small;
    const float width = sheet_.width() - left;
    bins_ = bins_of(report_.blocks.size(), static_cast<size_t>(room_[1]), report_.partitions, width);
    columns_ = room_[1] / static_cast<float>(bins_.front().last - bins_.front().first);
    columns_ = std::max(std::ceil(columns_), static_cast<float>(bins_.size()));

    // What is left after the heat maps' least height decides which rows of text there are.
    const float least = std::max(36.0f, 4.5f * static_cast<float>(report_.partitions)) * room_[0];
    float spare = sheet_.height() - least;
    const auto afford = [&spare](float height) {
      if (spare < height) return false;
      spare -= height;
      return true;
    };
    const float bracket = 0.5f * type().text;
    const bool with_ticks = afford(row_);
    const bool with_titles = afford(row_ * room_[0]);
    const bool with_wave = afford(row_ + bracket);
    const bool with_caption = afford(2 * row_);

    float y = 0;
    if (with_wave) {
      add_wave(left, width, row_ / 2, bracket);
      y = row_ + bracket;
    }
    const float below = (with_ticks ? row_ + 2 : 1) + (with_caption ? row_ : 0);
    const float title = with_titles ? row_ : 0.3f * type().text;
    const float height = (sheet_.height() - y - below - title * room_[0]) / room_[0];
    scale_.ends[0] = maximum_of();
    const auto maximum = static_cast<uint32_t>(common(scale_, beside_).ends[0]);
    const float first_y = y;
    for (const Panel& panel : panels_) {
      if (with_titles) add_panel_title(panel, left, y + row_ / 2);
      y += title;
      maps.push_back({left, y, column_width(width) * static_cast<float>(bins_.size()), height});
      add_panel(panel, maps.back(), maximum);
      add_wave_end({left, y, width, height});
      y += height;
    }
    add_picks(left, width, first_y, y);
    if (with_ticks) add_block_ticks(left, width, y + 2 + row_ / 2);
    if (with_caption) add_caption(left, sheet_.height() - row_ / 2, maximum);
    return maps;
  }

 private:
  const Type& type() const { return sheet_.type(); }
  std::string words(Text text) const { return std::string(say(language_, text)); }
  float column_width(float width) const { return width / columns_; }

  /// Blocks of the first wave among the kept ones.
  size_t wave() const {
    return static_cast<size_t>(std::ranges::lower_bound(report_.blocks, CtaId{report_.blocks_in_flight}) -
                               report_.blocks.begin());
  }
  /// Width of a block along the axis, whatever the width of a column.
  float block_width(float width) const {
    return column_width(width) / static_cast<float>(bins_.front().last - bins_.front().first);
  }
  float wave_end(float left, float width) const {
    return std::min(left + static_cast<float>(wave()) * block_width(width), sheet_.width());
  }

  uint32_t mean(const Bin& bin, const Panel& panel, uint32_t partition) const {
    const uint64_t sum = bytes_in(bin, *panel.bytes, report_.partitions, partition);
    const uint64_t blocks = bin.last - bin.first;
    return static_cast<uint32_t>((sum + blocks - 1) / blocks);  // up: little is not nothing
  }
  /// What a block moves in all: a partition that takes all of it is at the top of the scale, and an even load
  /// is the same dark color in every kernel.
  uint32_t maximum_of() const {
    uint32_t maximum = 0;
    for (const Panel& panel : panels_) {
      for (const Bin& bin : bins_) {
        uint32_t sum = 0;
        for (uint32_t p = 0; p < report_.partitions; ++p) sum += mean(bin, panel, p);
        maximum = std::max(maximum, sum);
      }
    }
    return maximum;
  }

  void add_wave(float left, float width, float y, float bracket) {
    if (wave() == 0) return;  // it is before the part that is shown
    const float end = wave_end(left, width);
    const std::string text =
        counted_phrase(language_, Text::figure_first_wave, number(language_, in_flight(trace_, report_)));
    const float length = text_width(text, type().small, Label::Face::Strong);
    sheet_.place({.x = std::min(left, sheet_.width() - length),
                  .y = y,
                  .text = text,
                  .size = type().small,
                  .color = Color::of(Role::Accent),
                  .face = Label::Face::Strong});
    const float line_y = row_ + bracket / 3;
    sheet_.add(Line{
        .x1 = left, .y1 = line_y, .x2 = end, .y2 = line_y, .color = Color::of(Role::Accent), .width = 2});
    for (const float x : {left + 1, end - 1}) {
      sheet_.add(Line{.x1 = x,
                      .y1 = line_y,
                      .x2 = x,
                      .y2 = line_y + bracket * 0.6f,
                      .color = Color::of(Role::Accent),
                      .width = 2});
    }
  }

  /// A line through a panel where the first wave ends, if blocks follow it.
  void add_wave_end(const Box& panel) {
    if (wave() == 0 || wave() >= report_.blocks.size()) return;
    const float x = wave_end(panel.x, panel.width);
    sheet_.add(Line{
        .x1 = x, .y1 = panel.y, .x2 = x, .y2 = panel.bottom(), .color = Color::of(Role::Accent), .width = 2});
  }

  void add_panel_title(const Panel& panel, float left, float y) {
    const std::string title = words(panel.title);
    sheet_.place({.x = left,
                  .y = y,
                  .text = title,
                  .size = type().small,
                  .color = Color::of(Role::Ink),
                  .face = Label::Face::Strong});
    const bool camped = panel.effective < report_.partitions / 2.0;
    sheet_.place({.x = left + text_width(title, type().small, Label::Face::Strong) + 0.6f * type().small,
                  .y = y,
                  .text = phrase(language_, Text::figure_effective_of, decimal(language_, panel.effective),
                                 report_.partitions),
                  .size = type().small,
                  .color = Color::of(camped ? Role::Bad : Role::Dim)});
  }

  void add_panel(const Panel& panel, const Box& box, uint32_t maximum) {
    std::vector<uint32_t> value;
    value.reserve(bins_.size() * report_.partitions);
    for (uint32_t partition = 0; partition < report_.partitions; ++partition) {
      for (const Bin& bin : bins_) value.push_back(mean(bin, panel, partition));
    }
    add_heat_map(sheet_, box, report_.partitions, static_cast<uint32_t>(bins_.size()), std::move(value),
                 maximum);
    add_ticks_down(sheet_,
                   {.count = report_.partitions,
                    .start = box.y,
                    .spacing = box.height / static_cast<float>(report_.partitions)},
                   box.x - 0.5f * type().small, "P");
  }

  /// "partition 3", "8 partitions": where the bytes of a column go.
  std::string partitions_of(const Bin& bin, const std::vector<uint32_t>& bytes) const {
    uint32_t count = 0;
    uint32_t last = 0;
    for (uint32_t partition = 0; partition < report_.partitions; ++partition) {
      if (bytes_in(bin, bytes, report_.partitions, partition) == 0) continue;
      ++count;
      last = partition;
    }
    return count == 1 ? phrase(language_, Text::figure_one_partition, last)
                      : phrase(language_, Text::figure_many_partitions, count);
  }

  std::string tip_of(const Bin& bin) const {
    const auto sum = [&](const std::vector<uint32_t>& bytes) {
      uint64_t total = 0;
      for (uint32_t p = 0; p < report_.partitions; ++p) total += bytes_in(bin, bytes, report_.partitions, p);
      return number(language_, total);
    };
    const uint32_t first = report_.blocks[bin.first].value;
    const uint32_t last = report_.blocks[bin.last - 1].value;
    const std::string blocks =
        first == last ? phrase(language_, Text::figure_partition_block, block_name(CtaId{first}, trace_.grid))
                      : phrase(language_, Text::figure_partition_blocks, first, last);
    return phrase(language_, Text::figure_partition_tip, blocks, sum(report_.read_bytes),
                  partitions_of(bin, report_.read_bytes), sum(report_.written_bytes),
                  partitions_of(bin, report_.written_bytes));
  }

  void add_picks(float left, float width, float top, float bottom) {
    const float column = column_width(width);
    for (size_t n = 0; n < bins_.size(); ++n) {
      const size_t pick = sheet_.add(Pick{.tip = tip_of(bins_[n]), .block = report_.blocks[bins_[n].first]});
      add_hit_area(sheet_, {left + static_cast<float>(n) * column, top, column, bottom - top}, pick);
    }
  }

  void add_block_ticks(float left, float width, float y) {
    const bool contiguous = report_.blocks.back().value - report_.blocks.front().value + 1 ==
                            static_cast<uint32_t>(report_.blocks.size());
    if (!contiguous) return;  // kept here and there: a number would promise an even axis
    add_ticks_along(sheet_,
                    {.count = static_cast<uint32_t>(report_.blocks.size()),
                     .start = left,
                     .spacing = block_width(width),
                     .steps = Steps::Decimal,
                     .first = report_.blocks.front().value},
                    y);
  }

  void add_caption(float left, float y, uint32_t maximum) {
    const std::string text = words(Text::figure_launch_order);
    const float end = left + text_width(text, type().small, Label::Face::Regular);
    sheet_.place({.x = left, .y = y, .text = text, .size = type().small, .color = Color::of(Role::Dim)});
    add_scale_legend(
        sheet_, end + type().text, sheet_.width(), y,
        {.first = "0",
         .last = fmt::format("{} {}", number(language_, maximum), words(Text::figure_bytes_per_block)),
         .steps = 64},
        Side::Right);
  }

  Sheet& sheet_;
  const model::PartitionReport& report_;
  const trace::Trace& trace_;
  Scale& scale_;
  Scale beside_;
  Language language_;
  float row_;
  std::vector<Panel> panels_;
  std::vector<Bin> bins_;
  std::array<float, 5> room_{};
  float columns_ = 1;
};

Table table_of(const model::PartitionReport& report) {
  Table table{
      .columns = {{"first_block", ""}, {"blocks", ""}, {"partition", ""}, {"read", "B"}, {"written", "B"}},
      .rows = {}};
  const size_t count = report.blocks.size();
  const size_t each = count * report.partitions / kMostRowsOfTable + 1;
  for (size_t first = 0; first < count; first += each) {
    const Bin bin{first, std::min(count, first + each)};
    for (uint32_t partition = 0; partition < report.partitions; ++partition) {
      table.rows.push_back(
          {int64_t{report.blocks[first].value}, static_cast<int64_t>(bin.last - bin.first),
           int64_t{partition},
           static_cast<int64_t>(bytes_in(bin, report.read_bytes, report.partitions, partition)),
           static_cast<int64_t>(bytes_in(bin, report.written_bytes, report.partitions, partition))});
    }
  }
  return table;
}

/// A sentence instead of marks, in the middle of the sheet; says whether it fits.
bool add_sentence(Sheet& sheet, const std::string& text) {
  const float size = sheet.type().text;
  const float line_height = 1.4f * size;
  const std::vector<std::string> lines = wrap(text, 0.9f * sheet.width(), size, Label::Face::Regular);
  const float height = line_height * static_cast<float>(lines.size());
  if (height > sheet.height()) return false;
  float y = (sheet.height() - height + line_height) / 2;
  for (const std::string& line : lines) {
    sheet.place(
        {.x = 0.05f * sheet.width(), .y = y, .text = line, .size = size, .color = Color::of(Role::Dim)});
    y += line_height;
  }
  return true;
}

}  // namespace

Figure partition_figure(const trace::Trace& trace, const model::PartitionReport& report,
                        const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("partitions", Text::partitions, Provenance::Modelled, frame);
  Sheet sheet(figure, frame);
  if (!report.known()) {
    figure.subtitle = device.title;
    figure.source = phrase(language, Text::figure_partitions_source_hashed, device.title);
    const std::string why = phrase(language, Text::figure_partitions_unknown, device.title);
    if (!add_sentence(sheet, why)) figure.explanation = why;
    return figure;
  }

  figure.subtitle = fmt::format("{} · {} × {}", device.title, report.partitions,
                                phrase(language, Text::figure_bytes, device.partitions.width_bytes));
  figure.source = phrase(language, Text::figure_partitions_source, device.partitions.width_bytes,
                         device.partitions.count, device.title);
  const bool reads = any(report.read_bytes);
  const bool writes = any(report.written_bytes);
  if (reads && writes) {
    figure.explanation =
        counted_phrase(language, Text::figure_partitions_explained,
                       number(language, in_flight(trace, report)), decimal(language, report.read_effective),
                       report.partitions, decimal(language, report.written_effective));
  }
  if (report.blocks_missing > 0) {
    if (!figure.explanation.empty()) figure.explanation += ' ';
    figure.explanation +=
        counted_phrase(language, Text::figure_partitions_missing, number(language, report.blocks_missing));
  }
  const auto headline = [&](double effective, Text label) {
    const bool camped = effective < report.partitions / 2.0;
    figure.headlines.push_back({decimal(language, effective), phrase(language, label, report.partitions),
                                Color::of(camped ? Role::Bad : Role::Good),
                                std::string(say(language, Text::tip_effective)), effective});
  };
  if (reads) headline(report.read_effective, Text::figure_partitions_read);
  if (writes) headline(report.written_effective, Text::figure_partitions_written);
  figure.headlines.push_back({number(language, in_flight(trace, report)),
                              std::string(say(language, Text::figure_blocks_in_flight)), Color::of(Role::Ink),
                              std::string(say(language, Text::tip_in_flight)),
                              static_cast<double>(in_flight(trace, report))});
  figure.table = table_of(report);
  const auto blocks = static_cast<uint32_t>(report.blocks.size());
  if (blocks == 0) return figure;
  std::optional<model::PartitionReport> part;
  if (frame.part.zoom > 1) part = part_of(report, shown_cells(frame.part.x, frame.part.zoom, blocks));
  PartitionDrawing drawing(sheet, part ? *part : report, trace, figure.scale, frame);
  for (const Box& map : drawing.draw()) figure.zoom_areas.push_back(zoom_area(map, blocks, 1));
  return figure;
}

}  // namespace lanescope::plot
