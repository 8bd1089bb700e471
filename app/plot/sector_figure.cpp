// Sectors of one access. Few lines are drawn side by side below a strip of lanes, joined to it; many are
// drawn one below the other, a row each. Bytes have the color of the lane that uses them; transferred but
// unused bytes are tinted, the others empty. Tests: tests/unit/plot/sector_figure_test.cpp,
// tests/golden/figures

#include "caches/address_map.h"
#include "model/device_cost.h"
#include "model/explain.h"
#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/lane_strip.h"
#include "plot/legend.h"
#include "plot/line_bytes.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

constexpr size_t kSideBySide = 4;  // lines, at most, below a strip
constexpr float kWasteOpacity = 0.25f;

using caches::CacheLevel;
constexpr std::array kCacheLevels{CacheLevel::L1, CacheLevel::L2, CacheLevel::Dram};

std::string_view name_of(CacheLevel level) {
  return level == CacheLevel::L1 ? "L1" : level == CacheLevel::L2 ? "L2" : "DRAM";
}

/// Origins of an access's sectors, by address. Empty where they are not known.
class Origins {
 public:
  Origins(const trace::Trace& trace, std::span<const caches::SectorOrigin> origins)
      : addresses_(trace.buffers), origins_(origins) {}

  /// Null: not known.
  const caches::SectorOrigin* of(uint64_t address) const {
    const uint64_t sector = addresses_.global(address) / model::kSectorBytes;
    const auto found = std::ranges::find(origins_, sector, &caches::SectorOrigin::sector);
    return found == origins_.end() ? nullptr : &*found;
  }
  uint64_t count(CacheLevel level) const {
    return static_cast<uint64_t>(std::ranges::count(origins_, level, &caches::SectorOrigin::level));
  }
  bool empty() const { return origins_.empty(); }
  size_t size() const { return origins_.size(); }

 private:
  caches::AddressMap addresses_;
  std::span<const caches::SectorOrigin> origins_;
};

std::string origin_tip(const trace::Trace& trace, const caches::SectorOrigin& origin, Language language) {
  if (origin.level == CacheLevel::L2) return std::string(say(language, Text::figure_sector_in_l2));
  if (origin.level == CacheLevel::Dram) return std::string(say(language, Text::figure_sector_in_dram));
  const int line = trace.sites[origin.by.site].source.line;
  return line == 0
             ? phrase(language, Text::figure_sector_in_l1, origin.by.cta.value, origin.by.warp)
             : phrase(language, Text::figure_sector_in_l1_line, origin.by.cta.value, origin.by.warp, line);
}

/// Draws one figure: what its functions share are the access and the sheet.
class SectorDrawing {
 public:
  /// Of its own needs the drawing adds to `scale` the number of lines, and of a row the widths of its name
  /// and of its count; it is drawn with room for those of `beside` too.
  SectorDrawing(Sheet& sheet, const model::TracedAccess& place, const std::vector<LineBytes>& lines,
                const model::SectorReport& report, const Origins& origins, Scale& scale, const Frame& frame)
      : sheet_(sheet),
        place_(place),
        lines_(lines),
        report_(report),
        origins_(origins),
        language_(frame.language),
        row_(1.35f * sheet.type().small) {
    scale.ends[0] = static_cast<double>(lines.size());
    for (const LineBytes& line : lines) {
      scale.room[0] =
          std::max(scale.room[0], text_width(name_of(line.address), type().small, Label::Face::Mono));
      scale.room[1] =
          std::max(scale.room[1], text_width(row_count(line), type().small, Label::Face::Regular));
    }
    common_ = common(scale, frame.scale);
    rows_ = static_cast<size_t>(common_.ends[0]);
  }

  void draw() {
    if (lines_.empty()) return;
    if (rows_ <= kSideBySide && room_for_strip() && word_width(rows_) >= 1.5f) {
      draw_side_by_side();
    } else {
      draw_as_rows();
    }
  }

 private:
  const Type& type() const { return sheet_.type(); }
  std::string words(Text text) const { return std::string(say(language_, text)); }
  float gutter() const {
    return text_width(words(Text::figure_lane), type().small, Label::Face::Regular) + 0.6f * type().small;
  }
  float word_width(size_t lines) const {
    return (sheet_.width() - gutter()) / (32 * static_cast<float>(lines));
  }
  bool room_for_strip() const { return sheet_.height() >= 2 * row_ + 5 * type().text; }
  std::string name_of(uint64_t address) const {
    return address_name(*place_.trace, place_.access.operation.space, address);
  }

  Pick lane_pick(LaneMask lanes, uint64_t address, uint32_t bytes) const {
    return {.tip = phrase(language_, Text::figure_lane_address, lanes_name(language_, lanes), bytes,
                          name_of(address)),
            .lanes = lanes};
  }

  /// The line as a bar of 128 bytes. Sectors that moved are outlined.
  void add_line(const LineBytes& line, const Box& bar) {
    const float byte = bar.width / model::kLineBytes;
    const float sector_width = byte * model::kSectorBytes;
    const auto sector_box = [&](uint32_t sector) {
      return Box{bar.x + static_cast<float>(sector) * sector_width, bar.y, sector_width, bar.height};
    };
    for (uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
      const Box box = sector_box(sector);
      const bool moved = line.moved[sector];
      std::optional<size_t> pick;
      if (moved) {
        const uint64_t address = line.address + sector * model::kSectorBytes;
        Pick one{.tip = phrase(language_, Text::figure_sector_tip, sector, name_of(address),
                               line.wanted[sector], lanes_name(language_, line.lanes[sector])),
                 .lanes = line.lanes[sector]};
        if (const auto* const origin = origins_.of(address))
          one.tip += "\n" + origin_tip(*place_.trace, *origin, language_);
        pick = sheet_.add(std::move(one));
      }
      sheet_.add(Rect{.x = box.x,
                      .y = box.y,
                      .width = box.width,
                      .height = box.height,
                      .fill = moved ? Color::of(Role::Bad, kWasteOpacity) : Color::of(Role::Sunken),
                      .stroke = moved ? std::optional<Color>() : Color::of(Role::Line),
                      .pick = pick});
    }
    for (const ByteRun& run : line.runs) {
      const float width = byte * static_cast<float>(run.count);
      const float gap = width >= 5 ? 1.0f : 0.0f;
      const size_t pick = sheet_.add(lane_pick(run.lanes, line.address + run.first, run.count));
      add_lanes(sheet_,
                {bar.x + byte * static_cast<float>(run.first) + gap / 2, bar.y, width - gap, bar.height},
                run.lanes, pick);
    }
    for (uint32_t sector = 0; sector < kSectorsPerLine; ++sector)
      if (line.moved[sector]) add_level(line.address + sector * model::kSectorBytes, sector_box(sector));
    for (uint32_t sector = 0; sector < kSectorsPerLine && report_.segments.empty(); ++sector)
      if (line.moved[sector]) add_frame(sector_box(sector));
    for (const model::Segment& segment : report_.segments) {
      if (segment.address / model::kLineBytes * model::kLineBytes != line.address) continue;
      add_frame({bar.x + static_cast<float>(segment.address - line.address) * byte, bar.y,
                 static_cast<float>(segment.bytes) * byte, bar.height});
    }
  }

  /// A strip along the foot of a sector, in the color of the level that it came from.
  void add_level(uint64_t address, const Box& box) {
    const auto* const origin = origins_.of(address);
    if (origin == nullptr) return;
    const float height = std::clamp(0.2f * box.height, 1.5f, 0.4f * type().small);
    sheet_.add(Rect{.x = box.x,
                    .y = box.bottom() - height,
                    .width = box.width,
                    .height = height,
                    .fill = color_of_level(origin->level)});
  }

  /// "L1" where all sectors of the line came from there, else "2 L1, 1 DRAM"; "" where it is not known.
  std::string levels_of(const LineBytes& line) const {
    std::array<uint32_t, kCacheLevels.size()> counts{};
    uint32_t known = 0;
    for (uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
      if (!line.moved[sector]) continue;
      const auto* const origin = origins_.of(line.address + sector * model::kSectorBytes);
      if (origin == nullptr) continue;
      ++known;
      ++counts[static_cast<size_t>(origin->level)];
    }
    std::string text;
    for (const CacheLevel level : kCacheLevels) {
      const uint32_t count = counts[static_cast<size_t>(level)];
      if (count == 0) continue;
      if (count == known) return std::string(plot::name_of(level));
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, plot::name_of(level));
    }
    return text;
  }

  /// Around what is transferred at once.
  void add_frame(const Box& box) {
    sheet_.add(Rect{.x = box.x,
                    .y = box.y,
                    .width = box.width,
                    .height = box.height,
                    .radius = std::min(2.0f, box.height / 6),
                    .stroke = Color::of(Role::Ink),
                    .stroke_width = box.height >= 10 ? 1.5f : 0.75f});
  }

  /// Below the bar of a line: useful bytes per sector, in the longest form that fits.
  void add_sector_counts(const LineBytes& line, const Box& bar, float y) {
    const float width = bar.width / kSectorsPerLine;
    const float size = type().small;
    for (uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
      if (!line.moved[sector]) continue;
      const auto* const origin = origins_.of(line.address + sector * model::kSectorBytes);
      const std::string from = origin == nullptr ? "" : fmt::format(" · {}", plot::name_of(origin->level));
      const std::string forms[] = {
          phrase(language_, Text::figure_sector_bytes, line.wanted[sector], model::kSectorBytes) + from,
          phrase(language_, Text::figure_bytes, line.wanted[sector]) + from,
          phrase(language_, Text::figure_sector_bytes, line.wanted[sector], model::kSectorBytes),
          phrase(language_, Text::figure_bytes, line.wanted[sector]), fmt::to_string(line.wanted[sector])};
      for (const std::string& form : forms) {
        if (text_width(form, size, Label::Face::Regular) > width - 0.4f * size) continue;
        sheet_.place({.x = bar.x + (static_cast<float>(sector) + 0.5f) * width,
                      .y = y,
                      .text = form,
                      .size = size,
                      .color = Color::of(line.wanted[sector] < model::kSectorBytes ? Role::Bad : Role::Dim),
                      .anchor = Label::Anchor::Middle});
        break;
      }
    }
  }

  void draw_side_by_side() {
    const float left = gutter();
    const float strip_height = 1.5f * type().text;
    const CellGrid strip = grid_in({left, row_, sheet_.width() - left, strip_height}, 1, kLanes);
    const bool with_names = sheet_.height() >= 3 * row_ + 6.5f * type().text;
    const float below = (with_names ? 2 : 1) * row_ + 2;
    const float bar_height = std::clamp(0.24f * sheet_.height(), 1.4f * type().text, 5 * type().text);
    const float bar_y = sheet_.height() - below - bar_height;
    const float between = 0.8f * type().text;
    const float count = static_cast<float>(rows_);
    const float bar_width = (sheet_.width() - left - 1 - (count - 1) * between) / count;

    uint32_t joined = 0;  // lanes that already have a line: a lane is joined to its first byte only
    std::vector<std::string> tips(kLanes);
    for (size_t n = 0; n < lines_.size(); ++n) {
      const float x = left + static_cast<float>(n) * (bar_width + between);
      for (const ByteRun& run : lines_[n].runs) {
        const float to = x + bar_width / model::kLineBytes *
                                 (static_cast<float>(run.first) + static_cast<float>(run.count) / 2);
        for_each_lane(LaneMask{run.lanes.bits & ~joined}, [&](int lane) {
          const Box from = strip.cell(0, static_cast<uint32_t>(lane));
          sheet_.add(Line{.x1 = from.x + from.width / 2,
                          .y1 = from.bottom(),
                          .x2 = to,
                          .y2 = bar_y,
                          .color = Color::of_lane(lane, 0.75f),
                          .width = std::max(1.0f, type().text / 10)});
          tips[static_cast<size_t>(lane)] = lane_pick(LaneMask{1u << lane}, lines_[n].address + run.first,
                                                      place_.access.operation.bytes_per_lane)
                                                .tip;
        });
        joined |= run.lanes.bits;
      }
    }
    add_lane_strip(sheet_, strip, place_.access.active, row_ / 2, tips, language_);
    for (size_t n = 0; n < lines_.size(); ++n) {
      const Box bar{left + static_cast<float>(n) * (bar_width + between), bar_y, bar_width, bar_height};
      add_line(lines_[n], bar);
      add_sector_counts(lines_[n], bar, bar.bottom() + 2 + row_ / 2);
      if (!with_names) continue;
      sheet_.place({.x = bar.x,
                    .y = bar.bottom() + 2 + 1.5f * row_,
                    .text = shorten(name_of(lines_[n].address), bar.width, type().small, Label::Face::Mono),
                    .size = type().small,
                    .color = Color::of(Role::Dim),
                    .face = Label::Face::Mono});
    }
  }

  std::string row_count(const LineBytes& line) const {
    const std::string levels = levels_of(line);
    return phrase(language_, Text::figure_sector_bytes, line.bytes_wanted(), line.bytes_moved()) +
           (levels.empty() ? "" : " · " + levels);
  }

  void draw_as_rows() {
    const float size = type().small;
    float names = common_.room[0];
    float counts = common_.room[1];
    // Names and counts are left out where they would leave the lines less than half of the width.
    const float space = 0.7f * size;
    if (names > 0.36f * sheet_.width()) names = 0;
    if (names + counts > 0.5f * sheet_.width()) counts = 0;
    const float left = names > 0 ? names + space : 0.5f;
    const float right = sheet_.width() - (counts > 0 ? counts + space : 0.5f);

    const bool with_legend = sheet_.height() > 12 * row_;
    const float top = row_;
    const float available = sheet_.height() - top - (with_legend ? row_ + 2 : 1);
    const float height =
        std::min(available / static_cast<float>(rows_), std::max(3 * type().text, 0.2f * available));
    const auto step = static_cast<size_t>(tick_step(size, height, Steps::Binary, 0.1f * size));
    const float gap = height >= 6 ? std::min(3.0f, height / 5) : 0;
    for (size_t n = 0; n < lines_.size(); ++n) {
      const Box bar{left, top + static_cast<float>(n) * height + gap / 2, right - left, height - gap};
      add_line(lines_[n], bar);
      if (n % step != 0) continue;
      const float y = bar.y + bar.height / 2;
      if (names > 0) {
        sheet_.place({.x = left - space,
                      .y = y,
                      .text = name_of(lines_[n].address),
                      .size = size,
                      .color = Color::of(Role::Dim),
                      .anchor = Label::Anchor::End,
                      .face = Label::Face::Mono});
      }
      if (counts > 0) {
        const bool wasted = lines_[n].bytes_wanted() < lines_[n].bytes_moved();
        sheet_.place({.x = right + space,
                      .y = y,
                      .text = row_count(lines_[n]),
                      .size = size,
                      .color = Color::of(wasted ? Role::Bad : Role::Dim)});
      }
    }
    add_sector_titles(left, right - left, row_ / 2 - 1);
    if (with_legend) add_legend(left, right, sheet_.height() - row_ / 2);
  }

  void add_sector_titles(float left, float width, float y) {
    const float sector = width / kSectorsPerLine;
    const std::string word = words(Text::figure_sector);
    const bool long_form = text_width(word + " 0", type().small, Label::Face::Regular) < 0.9f * sector;
    for (uint32_t n = 0; n < kSectorsPerLine; ++n) {
      sheet_.place({.x = left + (static_cast<float>(n) + 0.5f) * sector,
                    .y = y,
                    .text = long_form ? fmt::format("{} {}", word, n) : fmt::to_string(n),
                    .size = type().small,
                    .color = Color::of(Role::Dim),
                    .anchor = Label::Anchor::Middle});
    }
  }

  void add_legend(float left, float right, float y) {
    const float size = type().small;
    const std::string text = words(Text::figure_not_wanted);
    const float swatch = 1.4f * size;
    const float needed = text_width(text, size, Label::Face::Regular) + 0.4f * size + swatch;
    add_lane_legend(sheet_, left, right - needed - 2 * size, y, language_);
    const Label label{.x = right,
                      .y = y,
                      .text = text,
                      .size = size,
                      .color = Color::of(Role::Dim),
                      .anchor = Label::Anchor::End};
    if (needed > right - left || !sheet_.place(label)) return;
    sheet_.add(Rect{.x = right - needed,
                    .y = y - 0.4f * size,
                    .width = swatch,
                    .height = 0.8f * size,
                    .fill = Color::of(Role::Bad, kWasteOpacity),
                    .stroke = Color::of(Role::Ink),
                    .stroke_width = 1});
  }

  Sheet& sheet_;
  const model::TracedAccess& place_;
  const std::vector<LineBytes>& lines_;
  const model::SectorReport& report_;
  const Origins& origins_;
  size_t rows_ = 0;
  Scale common_;
  Language language_;
  float row_;
};

Table table_of(const model::TracedAccess& place, const model::SectorReport& report, const Origins& origins) {
  Table table{.columns = {{"line", ""},
                          {"sector_of_line", ""},
                          {"place", ""},
                          {"offset", "B"},
                          {"bytes_wanted", "B"},
                          {"lanes", ""},
                          {"lane_mask", ""}},
              .rows = {}};
  if (!origins.empty())
    for (const char* name : {"from", "brought_by_block", "brought_by_warp"})
      table.columns.push_back({name, ""});
  int64_t line = -1;
  uint64_t line_address = 0;
  for (const model::SectorUse& use : report.used) {
    if (line < 0 || use.address / model::kLineBytes != line_address) ++line;
    line_address = use.address / model::kLineBytes;
    const bool global = place.access.operation.space == trace::Space::Global;
    table.rows.push_back({line, static_cast<int64_t>(use.address % model::kLineBytes / model::kSectorBytes),
                          address_name(*place.trace, place.access.operation.space, use.address),
                          static_cast<int64_t>(global ? trace::offset_of(use.address) : use.address),
                          int64_t{std::popcount(use.bytes)}, int64_t{use.lanes.count()},
                          fmt::format("0x{:08x}", use.lanes.bits)});
    if (origins.empty()) continue;
    const auto* const origin = origins.of(use.address);
    std::vector<TableValue> where(3, std::string());
    if (origin != nullptr) where[0] = std::string(name_of(origin->level));
    if (origin != nullptr && origin->level == CacheLevel::L1) {
      where[1] = int64_t{origin->by.cta.value};
      where[2] = int64_t{origin->by.warp};
    }
    std::ranges::move(where, std::back_inserter(table.rows.back()));
  }
  return table;
}

bool is_today(const model::SectorReport& report) {
  return model::units_of(report.compute_capability) == model::CostUnits::Sectors;
}

uint64_t bytes_moved(const model::SectorReport& report) {
  if (report.segments.empty()) return uint64_t{report.sectors} * model::kSectorBytes;
  uint64_t bytes = 0;
  for (const model::Segment& segment : report.segments) bytes += segment.bytes;
  return bytes;
}

std::vector<Headline> headlines_of(const model::SectorReport& report, Language language) {
  const uint64_t moved = bytes_moved(report);
  const double share = moved == 0 ? 0 : static_cast<double>(report.bytes_wanted) / static_cast<double>(moved);
  const auto word = [&](Text text) { return std::string(say(language, text)); };
  const bool one = report.sectors == 1;
  const Text unit = is_today(report) ? (one ? Text::figure_sector : Text::figure_sectors)
                                     : (one ? Text::figure_transaction : Text::figure_transactions);
  return {{number(language, report.sectors), word(unit), Color::of(Role::Ink),
           word(is_today(report) ? Text::tip_sector : Text::tip_transaction),
           static_cast<double>(report.sectors)},
          {number(language, report.ideal_sectors), word(Text::figure_ideal), Color::of(Role::Good),
           word(Text::tip_ideal), static_cast<double>(report.ideal_sectors)},
          {percent(language, share), word(Text::figure_useful),
           Color::of(report.sectors > report.ideal_sectors ? Role::Bad : Role::Good),
           phrase(language, Text::figure_useful_of, number(language, report.bytes_wanted),
                  number(language, moved)) +
               '\n' + word(Text::tip_useful),
           share}};
}

}  // namespace

Color color_of_level(caches::CacheLevel level) {
  return Color::of(level == CacheLevel::L1 ? Role::Good : level == CacheLevel::L2 ? Role::Accent : Role::Bad);
}

Figure sector_figure(const model::TracedAccess& place, const model::SectorReport& report, const Frame& frame,
                     std::span<const caches::SectorOrigin> known) {
  const Origins origins(*place.trace, known);
  const Language language = frame.language;
  Figure figure = begin_figure("sectors", Text::sectors, place.trace->provenance, frame);
  const std::string_view buffer = buffer_name(*place.trace, place.access);
  figure.subtitle = place_name(language, place);
  if (!buffer.empty()) {
    figure.subtitle += " · " + traffic_name(language, place.access.operation.kind, buffer);
  }
  figure.source = phrase(language, Text::figure_sectors_source, place.trace->kernel);
  if (!is_today(report))
    figure.source = source_by_rules(language, place.trace->kernel, report.compute_capability);
  figure.explanation = model::explain(report, place.access, language);
  if (!origins.empty())
    figure.explanation +=
        " " + phrase(language, Text::figure_origins, origins.size(), origins.count(CacheLevel::L1),
                     origins.count(CacheLevel::L2), origins.count(CacheLevel::Dram));
  figure.headlines = headlines_of(report, language);
  figure.table = table_of(place, report, origins);
  Sheet sheet(figure, frame);
  const std::vector<LineBytes> lines = lines_of(place.access, report);
  SectorDrawing(sheet, place, lines, report, origins, figure.scale, frame).draw();
  return figure;
}

}  // namespace lanescope::plot
