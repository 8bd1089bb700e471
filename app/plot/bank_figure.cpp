// Bank occupancy: a strip of lanes on top, lines to the banks they access, below them one row per wavefront.
// Method: rows first take what they need to be seen; the strip and its fan of lines are drawn where enough
// height is left, and show which lanes share a bank. A word that several lanes share is drawn in all
// their colors. Tests: tests/unit/plot/bank_figure_test.cpp, tests/golden/figures

#include "model/device_cost.h"
#include "model/explain.h"
#include "plot/axis.h"
#include "plot/cell_grid.h"
#include "plot/figures.h"
#include "plot/lane_strip.h"
#include "plot/legend.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

struct Layout {
  bool fan = false;
  bool legend = false;
  float lane_ticks_y = 0;
  Box lanes;  // the strip
  Box rows;   // banks x wavefronts
  float bank_ticks_y = 0;
  float legend_y = 0;
};

constexpr float kLeastRowBelowFan = 5;

Layout lay_out(const Sheet& sheet, uint32_t rows, Language language) {
  const Type& type = sheet.type();
  const float line = 1.35f * type.small;
  float gutter = text_width("00", type.small, Label::Face::Regular);
  for (const Text word : {Text::figure_bank, Text::figure_lane}) {
    gutter = std::max(gutter, text_width(say(language, word), type.small, Label::Face::Regular));
  }
  gutter += 0.5f * type.small;

  Layout layout;
  const float width = sheet.width() - gutter;
  float left = sheet.height() - line;  // above the bank numbers
  const float row_count = static_cast<float>(rows);
  const float strip = 1.5f * type.text;
  const float above = line + strip + 3.2f * type.text;  // the least that strip and fan take
  layout.fan = left - above >= kLeastRowBelowFan * row_count;
  layout.legend = !layout.fan && left - line >= 8 * row_count && left > 8 * line;
  if (layout.legend) left -= line;

  float row = left / row_count;
  if (layout.fan) row = std::min((left - above) / row_count, std::max(2.6f * type.text, 0.26f * left));
  row = std::min(row, std::max(3.2f * type.text, 0.3f * left));
  layout.rows = {gutter, left - row * row_count, width, row * row_count};
  layout.bank_ticks_y = layout.rows.bottom() + line / 2 + 1;
  layout.legend_y = sheet.height() - line / 2;
  if (layout.fan) {
    layout.lane_ticks_y = line / 2;
    layout.lanes = {gutter, line, width, strip};
  } else {
    // Nothing above but half of the first row's number: what is left over stays below.
    layout.rows.y = std::max(0.0f, (type.small - row) / 2);
    layout.rows.height = std::min(layout.rows.height, left - layout.rows.y);
    layout.bank_ticks_y = layout.rows.bottom() + line / 2 + 1;
    layout.legend_y = layout.bank_ticks_y + line;
  }
  return layout;
}

uint32_t rows_of(const model::BankReport& report) {
  uint32_t rows = std::max<uint32_t>(report.wavefronts, 1);
  for (const model::BankWord& word : report.words) rows = std::max(rows, word.wavefront + 1u);
  return rows;
}

/// How many different words each bank is asked for; an atomic may visit one word several times.
std::vector<uint32_t> distinct_words(const model::BankReport& report) {
  std::vector<uint32_t> words;
  for (const model::BankWord& word : report.words) words.push_back(word.word);
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  const auto banks = static_cast<uint32_t>(report.banks);
  std::vector<uint32_t> count(banks);
  for (const uint32_t word : words) ++count[word % banks];
  return count;
}

void add_wells(Sheet& sheet, const CellGrid& grid, const model::BankReport& report, Language language) {
  const std::vector<uint32_t> words = distinct_words(report);  // [bank]
  std::vector<LaneMask> lanes(words.size());
  for (const model::BankWord& word : report.words) lanes[word.bank].bits |= word.lanes.bits;
  for (uint32_t bank = 0; bank < words.size(); ++bank) {
    const Box top = grid.cell(0, bank);
    const size_t pick =
        sheet.add(Pick{.tip = words[bank] == 1 ? phrase(language, Text::figure_bank_one_word, bank)
                                               : phrase(language, Text::figure_bank_words, bank, words[bank]),
                       .lanes = lanes[bank]});
    sheet.add(Rect{.x = top.x,
                   .y = grid.box.y,
                   .width = top.width,
                   .height = grid.box.height,
                   .radius = std::min(3.0f, top.width / 4),
                   .fill = Color::of(Role::Sunken),
                   .stroke = Color::of(Role::Line),
                   .pick = pick});
  }
}

/// "×4" next to a shared word whose cell is too small for it, if both neighbors in the row leave room.
void add_count_beside(Sheet& sheet, const CellGrid& grid, const model::BankReport& report, size_t n) {
  const model::BankWord& word = report.words[n];
  const float size = std::min(sheet.type().text, grid.row_height());
  if (size < sheet.type().least) return;
  const std::string text = fmt::format("×{}", word.lanes.count());
  const float wanted = text_width(text, size, Label::Face::Strong) + 0.4f * size;
  const Box cell = grid.cell(word.wavefront, word.bank);
  const bool has_next = n + 1 < report.words.size() && report.words[n + 1].wavefront == word.wavefront;
  const float right = has_next ? grid.cell(word.wavefront, report.words[n + 1].bank).x : grid.box.right();
  if (right - cell.right() < wanted) return;
  sheet.place({.x = cell.right() + 0.3f * size,
               .y = cell.y + cell.height / 2,
               .text = text,
               .size = size,
               .color = Color::of(Role::Ink),
               .anchor = Label::Anchor::Start,
               .face = Label::Face::Strong});
}

void add_words(Sheet& sheet, const CellGrid& grid, const model::BankReport& report, Language language) {
  const Type& type = sheet.type();
  const Box any = grid.cell(0, 0);
  const float size = fitting_size("00", any.width, any.height, type.least, type.text);
  for (size_t n = 0; n < report.words.size(); ++n) {
    const model::BankWord& word = report.words[n];
    const Box cell = grid.cell(word.wavefront, word.bank);
    const size_t pick =
        sheet.add(Pick{.tip = phrase(language, Text::figure_bank_word, lanes_name(language, word.lanes),
                                     word.word, word.bank, word.wavefront),
                       .lanes = word.lanes});
    add_lanes(sheet, cell, word.lanes, pick);
    if (word.lanes.count() > 1) {
      add_count_beside(sheet, grid, report, n);
    } else if (size > 0) {
      const int lane = std::countr_zero(word.lanes.bits);
      sheet.inscribe(fmt::to_string(lane), cell, size, Color::on(Color::of_lane(lane)));
    }
  }
}

void add_fan(Sheet& sheet, const Layout& layout, const CellGrid& grid, const model::TracedAccess& place,
             const model::BankReport& report, Language language) {
  const Type& type = sheet.type();
  const CellGrid strip{.box = layout.lanes, .rows = 1, .columns = kLanes, .gap = grid.gap};
  // Lines first, so that the strip covers their ends.
  for (const model::BankWord& word : report.words) {
    const Box bank = grid.cell(0, word.bank);
    for_each_lane(word.lanes, [&](int lane) {
      const Box from = strip.cell(0, static_cast<uint32_t>(lane));
      sheet.add(Line{.x1 = from.x + from.width / 2,
                     .y1 = from.bottom(),
                     .x2 = bank.x + bank.width / 2,
                     .y2 = grid.box.y,
                     .color = Color::of_lane(lane, 0.75f),
                     .width = std::max(1.0f, type.text / 10)});
    });
  }
  add_lane_strip(sheet, strip, place.access.active, layout.lane_ticks_y, {}, language);
}

Table table_of(const model::BankReport& report) {
  Table table{.columns = {{"wavefront", ""},
                          {"bank", ""},
                          {"word", "4 B"},
                          {"offset", "B"},
                          {"lanes", ""},
                          {"lane_mask", ""}},
              .rows = {}};
  for (const model::BankWord& word : report.words) {
    table.rows.push_back({int64_t{word.wavefront}, int64_t{word.bank}, int64_t{word.word},
                          int64_t{word.word} * 4, int64_t{word.lanes.count()},
                          fmt::format("0x{:08x}", word.lanes.bits)});
  }
  return table;
}

bool is_today(const model::BankReport& report) {
  return model::units_of(report.compute_capability) == model::CostUnits::Sectors;
}

std::vector<Headline> headlines_of(const model::BankReport& report, Language language) {
  const int excess = std::max(0, report.wavefronts - report.ideal);
  const bool one = report.wavefronts == 1;
  const Text unit = is_today(report) ? (one ? Text::figure_wavefront : Text::figure_wavefronts)
                                     : (one ? Text::figure_pass : Text::figure_passes);
  const auto word = [&](Text text) { return std::string(say(language, text)); };
  return {
      {number(language, report.wavefronts), word(unit), Color::of(Role::Ink),
       word(is_today(report) ? Text::tip_wavefront : Text::tip_pass), static_cast<double>(report.wavefronts)},
      {number(language, report.ideal), word(Text::figure_ideal), Color::of(Role::Good), word(Text::tip_ideal),
       static_cast<double>(report.ideal)},
      {number(language, static_cast<uint64_t>(excess)), word(Text::figure_excess),
       Color::of(excess > 0 ? Role::Bad : Role::Good), word(Text::tip_excess), static_cast<double>(excess)}};
}

}  // namespace

Figure bank_figure(const model::TracedAccess& place, const model::BankReport& report, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("banks", Text::banks, place.trace->provenance, frame);
  figure.subtitle = place_name(language, place);
  if (!is_today(report))
    figure.subtitle = phrase(language, Text::figure_banks_rules, figure.subtitle, report.banks);
  figure.source = phrase(language, Text::figure_banks_source, place.trace->kernel);
  if (!is_today(report))
    figure.source = source_by_rules(language, place.trace->kernel, report.compute_capability);
  figure.explanation = model::explain(report, place.access, language);
  figure.table = table_of(report);
  figure.headlines = headlines_of(report, language);

  Sheet sheet(figure, frame);
  figure.scale.ends[0] = rows_of(report);
  const auto rows = static_cast<uint32_t>(common(figure.scale, frame.scale).ends[0]);
  const Layout layout = lay_out(sheet, rows, language);
  const auto banks = static_cast<uint32_t>(report.banks);
  CellGrid grid = grid_in(layout.rows, rows, banks);
  if (layout.fan) grid.gap = std::min(grid.gap, 2.0f);
  if (layout.fan) add_fan(sheet, layout, grid, place, report, language);
  add_wells(sheet, grid, report, language);
  add_words(sheet, grid, report, language);
  add_axis_title(sheet, std::string(say(language, Text::figure_bank)), grid.box.x, layout.bank_ticks_y);
  add_ticks_along(sheet, {.count = banks, .start = grid.box.x, .spacing = grid.column_width()},
                  layout.bank_ticks_y);
  if (layout.fan) {
    add_axis_title(sheet, is_today(report) ? "wf" : std::string(say(language, Text::figure_pass)), grid.box.x,
                   grid.box.y + grid.row_height() / 2 - 1.3f * sheet.type().small);
  }
  add_ticks_down(sheet, {.count = rows, .start = grid.box.y, .spacing = grid.row_height()},
                 grid.box.x - 0.5f * sheet.type().small);
  if (layout.legend) {
    add_lane_legend(sheet, grid.box.x, grid.box.right(), layout.legend_y, language);
  }
  return figure;
}

}  // namespace lanescope::plot
