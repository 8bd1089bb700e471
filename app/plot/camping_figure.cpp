// What camping costs on a GPU of today: as many lines read from one pair of slices of the L2 as from all of
// them, from the L2 and from DRAM. Tests: tests/unit/plot/camping_figure_test.cpp

#include "plot/chart.h"
#include "plot/figures.h"
#include "plot/wording.h"

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

double ratio(const CampedReads& reads) {
  return reads.one_slice > 0 ? reads.all_slices / reads.one_slice : 0;
}

Table table_of(const Camping& camping) {
  Table table{.columns = {{"from", ""},
                          {"lines", ""},
                          {"one_slice", "GB/s"},
                          {"all_slices", "GB/s"},
                          {"one_slice_busiest_share", ""},
                          {"all_slices_busiest_share", ""}},
              .rows = {}};
  const auto add = [&](const char* from, const CampedReads& reads) {
    table.rows.push_back({std::string(from), int64_t{reads.lines}, reads.one_slice, reads.all_slices,
                          reads.one_slice_share, reads.all_slices_share});
  };
  add("l2", camping.l2);
  add("dram", camping.dram);
  return table;
}

}  // namespace

Figure camping_figure(const Camping& camping, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("camping", Text::figure_camping, camping.provenance, frame);
  figure.subtitle = phrase(language, Text::figure_camping_place, camping.gpu,
                           number(language, camping.l2.lines), number(language, camping.dram.lines));
  figure.source = phrase(language, Text::figure_camping_source, camping.gpu, camping.driver, camping.cuda,
                         camping.date, percent(language, camping.dram.one_slice_share),
                         percent(language, camping.dram.all_slices_share));
  figure.explanation = phrase(language, Text::figure_camping_explained, decimal(language, ratio(camping.l2)),
                              decimal(language, ratio(camping.dram)));
  figure.table = table_of(camping);
  const auto whole = [&](double value) { return number(language, static_cast<uint64_t>(value + 0.5)); };
  const std::vector<Series> series{{.name = phrase(language, Text::figure_camping_all),
                                    .color = Color::of_kind(0),
                                    .values = {camping.l2.all_slices, camping.dram.all_slices}},
                                   {.name = phrase(language, Text::figure_camping_one),
                                    .color = Color::of_kind(1),
                                    .values = {camping.l2.one_slice, camping.dram.one_slice}}};
  Sheet sheet(figure, frame);
  add_bar_chart(sheet, {0, 0, sheet.width(), sheet.height()},
                {phrase(language, Text::figure_camping_l2), phrase(language, Text::figure_camping_dram)},
                series,
                {{whole(camping.l2.all_slices), whole(camping.dram.all_slices)},
                 {whole(camping.l2.one_slice), whole(camping.dram.one_slice)}},
                {.values = std::string(say(language, Text::figure_gb_per_second)), .positions = {}});
  return figure;
}

}  // namespace lanescope::plot
