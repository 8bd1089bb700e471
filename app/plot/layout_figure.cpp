#include "plot/layout_figure.h"

#include "plot/axis.h"
#include "plot/cell_grid.h"
#include "plot/legend.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

using layout::AccessCost;
using layout::AccessRow;
using layout::PlacedTile;
using layout::Report;
using layout::Request;

/// The access and request whose wavefronts are numbered.
struct Numbered {
  const AccessRow* row = nullptr;  // null: no access is possible
  size_t request = 0;
};

Numbered numbered(const Report& report) {
  for (const AccessRow& row : report.rows) {
    if (!row.cost && !row.plain) continue;
    const auto requests = layout::requests_of(row.plain ? report.plain : report.placed, row.access);
    Numbered found{.row = &row, .request = 0};
    uint32_t most = 0;
    for (size_t n = 0; n < requests->size(); ++n) {
      const uint32_t wavefronts = layout::banks_of((*requests)[n], row.access).wavefronts;
      if (wavefronts <= most) continue;
      most = wavefronts;
      found.request = n;
    }
    return found;
  }
  return {};
}

std::string size_name(Language language, const PlacedTile& tile) {
  return fmt::format("{} × {} · {}", tile.rows(), tile.columns(),
                     phrase(language, Text::figure_bytes, number(language, tile.size_bytes)));
}

class LayoutDrawing {
 public:
  LayoutDrawing(Sheet& sheet, const Report& report, Language language)
      : sheet_(sheet),
        report_(report),
        language_(language),
        numbered_(numbered(report)),
        line_(1.45f * sheet.type().small) {}

  void draw() {
    const float list = line_ * static_cast<float>(report_.rows.size() + 2);
    const bool listed = list < 0.5f * sheet_.height();
    const float bottom = sheet_.height() - (listed ? list : 0);
    const bool pair = !std::holds_alternative<layout::Plain>(report_.tile.arrangement);
    const float gap = 2 * line_;
    const float width = pair ? (sheet_.width() - gap) / 2 : sheet_.width();
    draw_tile(report_.plain, "plain", {0, 0, width, bottom});
    if (pair)
      draw_tile(report_.placed, layout::name_of(report_.tile.arrangement), {width + gap, 0, width, bottom});
    if (listed) draw_list(bottom + line_);
  }

 private:
  void place(const std::string& text, float x, float y, Color color, Label::Face face = Label::Face::Regular,
             Label::Anchor anchor = Label::Anchor::Start) {
    sheet_.place({.x = x,
                  .y = y,
                  .text = text,
                  .size = sheet_.type().small,
                  .color = color,
                  .anchor = anchor,
                  .face = face});
  }

  void draw_tile(const PlacedTile& tile, const std::string& name, const Box& box) {
    const std::string own = name == "plain" ? std::string(say(language_, Text::figure_layout_plain)) : name;
    const std::string whole = fmt::format("{} · {}", own, size_name(language_, tile));
    const bool fits = text_width(whole, sheet_.type().small, Label::Face::Strong) <= box.width;
    place(fits ? whole : own, box.x, 0.5f * line_, Color::of(Role::Ink), Label::Face::Strong);
    const float gutter = text_width("000", sheet_.type().small, Label::Face::Regular) + 0.5f * line_;
    const float top = 1.3f * line_, below = 1.1f * line_;
    const float rows = static_cast<float>(tile.rows()), columns = static_cast<float>(tile.columns());
    const float height = std::min((box.height - top - below) / rows, 3.2f * line_);
    const float width = std::min((box.width - gutter) / columns, 3 * line_);
    if (height <= 0 || width <= 0) return;  // no room
    const CellGrid grid{.box = {box.x + gutter, box.y + top, width * columns, height * rows},
                        .rows = tile.rows(),
                        .columns = tile.columns()};
    Cells cells{.x = grid.box.x,
                .y = grid.box.y,
                .width = grid.box.width,
                .height = grid.box.height,
                .rows = tile.rows(),
                .columns = tile.columns(),
                .value = {},
                .maximum = model::kBanks};
    cells.value.reserve(size_t{tile.rows()} * tile.columns());
    for (uint32_t row = 0; row < tile.rows(); ++row)
      for (uint32_t column = 0; column < tile.columns(); ++column)
        cells.value.push_back(tile.at_row_column(row, column) / 4 % model::kBanks + 1);
    sheet_.add(std::move(cells));
    add_ticks_down(sheet_, {.count = tile.rows(), .start = grid.box.y, .spacing = grid.row_height()},
                   grid.box.x - 0.4f * sheet_.type().small);
    add_ticks_along(sheet_, {.count = tile.columns(), .start = grid.box.x, .spacing = grid.column_width()},
                    grid.box.bottom() + 0.6f * line_);
    add_units(tile, grid);
  }

  /// The units of the numbered request, each with the wavefront that serves it.
  void add_units(const PlacedTile& tile, const CellGrid& grid) {
    if (numbered_.row == nullptr) return;
    const layout::Access& access = numbered_.row->access;
    const auto requests = layout::requests_of(tile, access);
    if (!requests) return;
    const Request& request = (*requests)[numbered_.request];
    const model::BankReport banks = layout::banks_of(request, access);
    const uint32_t length = access.unit_bytes / tile.element_bytes;
    for_each_lane(request.active, [&](int lane) {
      const auto word = static_cast<uint32_t>(request.offset_bytes[lane] / 4);
      const auto served = std::ranges::find(banks.words, word, &model::BankWord::word);
      if (served == banks.words.end()) return;
      const uint32_t line = request.line[lane], place = request.place[lane];
      const Box first = tile.lines_are_rows ? grid.cell(line, place) : grid.cell(place, line);
      const float across = static_cast<float>(tile.lines_are_rows ? length : 1);
      const float down = static_cast<float>(tile.lines_are_rows ? 1 : length);
      const Box unit{first.x, first.y, first.width * across, first.height * down};
      const size_t pick =
          sheet_.add(Pick{.tip = phrase(language_, Text::figure_layout_unit, access.name, lane,
                                        request.offset_bytes[lane], served->bank, served->wavefront),
                          .lanes = {uint32_t{1} << lane}});
      const Color bank = Color::of_amount(static_cast<float>(served->bank + 1) / model::kBanks);
      sheet_.add(Rect{.x = unit.x,
                      .y = unit.y,
                      .width = unit.width,
                      .height = unit.height,
                      .stroke = Color::of(Role::Surface),
                      .pick = pick});
      // All or none: a gap in the count would mislead.
      const float size = fitting_size(fmt::to_string(banks.wavefronts - 1), unit.width, unit.height,
                                      sheet_.type().least, sheet_.type().text, Label::Face::Strong);
      const std::string text = fmt::to_string(served->wavefront);
      if (size > 0) sheet_.inscribe(text, unit, size, Color::on(bank), Label::Face::Strong);
    });
  }

  void draw_list(float y) {
    add_scale_legend(sheet_, 0, sheet_.width(), y,
                     {.first = fmt::format("{} 0", say(language_, Text::figure_bank)),
                      .last = fmt::to_string(model::kBanks - 1),
                      .steps = model::kBanks},
                     Side::Right);
    const float name = 0, step = 0.11f * sheet_.width(), first = 0.3f * sheet_.width();
    const auto cell = [&](int column, const std::string& text, Color color) {
      place(text, first + step * static_cast<float>(column), y, color, Label::Face::Regular,
            Label::Anchor::End);
    };
    const Color dim = Color::of(Role::Dim), ink = Color::of(Role::Ink);
    place(std::string(say(language_, Text::figure_layout_access)), name, y, dim);
    const Text heads[] = {Text::figure_layout_plain, Text::figure_layout_now, Text::figure_ideal,
                          Text::figure_excess};
    for (int n = 0; n < 4; ++n) cell(n, std::string(say(language_, heads[n])), dim);
    for (const AccessRow& row : report_.rows) {
      y += line_;
      place(row.access.name, name, y, ink,
            &row == numbered_.row ? Label::Face::Strong : Label::Face::Regular);
      cell(0, row.plain ? number(language_, row.plain->wavefronts) : "–", ink);
      if (!row.cost) {
        place(shorten(row.cost.error().message, sheet_.width() - first - 0.5f * step, sheet_.type().small,
                      Label::Face::Regular),
              first + 0.5f * step, y, Color::of(Role::Bad));
        continue;
      }
      cell(1, number(language_, row.cost->wavefronts), ink);
      cell(2, number(language_, row.cost->ideal), ink);
      cell(3, number(language_, row.cost->excess()),
           Color::of(row.cost->excess() == 0 ? Role::Good : Role::Bad));
    }
  }

  Sheet& sheet_;
  const Report& report_;
  Language language_;
  Numbered numbered_;
  float line_;
};

Table table_of(const Report& report) {
  Table table{.columns = {{"access", ""},
                          {"requests", ""},
                          {"plain_wavefronts", "wavefronts"},
                          {"wavefronts", "wavefronts"},
                          {"ideal_wavefronts", "wavefronts"},
                          {"wavefronts_of_a_request", "wavefronts"}},
              .rows = {}};
  for (const AccessRow& row : report.rows) {
    const AccessCost none;
    const AccessCost& cost = row.cost ? *row.cost : none;
    // An impossible access has no count: 0.
    table.rows.push_back({row.access.name, static_cast<int64_t>(cost.requests),
                          static_cast<int64_t>(row.plain ? row.plain->wavefronts : 0),
                          static_cast<int64_t>(cost.wavefronts), static_cast<int64_t>(cost.ideal),
                          int64_t{cost.most}});
  }
  return table;
}

std::string explain(const Report& report, Language language) {
  if (const AccessRow* row = report.impossible())
    return phrase(language, Text::figure_layout_impossible, row->cost.error().message);
  uint64_t wavefronts = 0, ideal = 0;
  for (const AccessRow& row : report.rows) {
    wavefronts += row.cost->wavefronts;
    ideal += row.cost->ideal;
  }
  return wavefronts == ideal ? phrase(language, Text::figure_layout_free, number(language, ideal))
                             : phrase(language, Text::figure_layout_conflicts, number(language, wavefronts),
                                      number(language, ideal));
}

}  // namespace

Figure layout_figure(const Report& report, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("layout", Text::layout, Provenance::Modelled, frame);
  figure.subtitle = fmt::format("{} · {} · {}", report.tile.layout.text, launch::name_of(report.tile.element),
                                layout::name_of(report.tile.arrangement));
  figure.source = phrase(language, Text::figure_layout_source);
  figure.explanation = report.rows.empty() ? "" : explain(report, language);
  figure.table = table_of(report);
  Sheet sheet(figure, frame);
  LayoutDrawing(sheet, report, language).draw();
  return figure;
}

}  // namespace lanescope::plot
