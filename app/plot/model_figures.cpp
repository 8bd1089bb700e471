#include "plot/model_figures.h"

#include "plot/chart.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

Box whole(const Sheet& sheet) { return {0, 0, sheet.width(), sheet.height()}; }

/// "256", "1 K", "1 M": a stride in bytes.
std::string stride_name(uint64_t bytes) {
  if (bytes >= 1 << 20) return fmt::format("{} M", bytes >> 20);
  if (bytes >= 1 << 10) return fmt::format("{} K", bytes >> 10);
  return fmt::to_string(bytes);
}

}  // namespace

Figure stride_figure(const model::AddressMap& left, const model::AddressMap& right, uint32_t count,
                     const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("strides", Text::figure_strides, Provenance::Modelled, frame);
  figure.subtitle = phrase(language, Text::figure_strides_place, count, say(language, left.title),
                           say(language, right.title));
  figure.source =
      phrase(language, Text::figure_strides_source, left.name, name_of(left.origin),
             say(language, left.limits), right.name, name_of(right.origin), say(language, right.limits));
  figure.table.columns = {{"map", ""},          {"origin", ""},     {"stride", "B"},
                          {"accesses", ""},     {"partitions", ""}, {"distinct_partitions", ""},
                          {"busiest_share", ""}};
  std::vector<std::string> names;
  for (uint64_t stride = 256; stride <= 1 << 20; stride *= 2) names.push_back(stride_name(stride));
  std::vector<Series> series;
  std::vector<std::vector<std::string>> numbers;
  for (const model::AddressMap* const map : {&left, &right}) {
    Series one{.name = std::string(say(language, map->title)),
               .color = Color::of_kind(static_cast<uint32_t>(series.size())),
               .values = {}};
    numbers.emplace_back();
    for (uint64_t stride = 256; stride <= 1 << 20; stride *= 2) {
      const model::StrideSpread spread = model::spread_of_stride(*map, stride, count);
      one.values.push_back(100 * spread.busiest_share);
      numbers.back().push_back(decimal(language, 100 * spread.busiest_share));
      figure.table.rows.push_back({std::string(map->name), std::string(name_of(map->origin)),
                                   static_cast<int64_t>(stride), int64_t{count}, int64_t{map->partitions},
                                   spread.distinct, spread.busiest_share});
    }
    series.push_back(std::move(one));
  }
  const auto worst = [](const Series& one) { return *std::ranges::max_element(one.values); };
  figure.explanation =
      phrase(language, Text::figure_strides_explain, fmt::format("{:.0f}", worst(series[0])),
             fmt::format("{:.0f}", worst(series[1])), say(language, left.title), say(language, right.title));
  Sheet sheet(figure, frame);
  add_bar_chart(sheet, whole(sheet), names, series, numbers,
                {phrase(language, Text::figure_busiest_share), phrase(language, Text::figure_stride)});
  return figure;
}

Figure published_figure(const std::vector<PublishedRow>& rows, size_t seeds, const model::Device& device,
                        const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("published", Text::figure_published, Provenance::Modelled, frame);
  figure.subtitle = phrase(language, Text::figure_published_place, device.title);
  figure.source = phrase(language, Text::figure_published_source);
  figure.table.columns = {{"kernel", ""}, {"published", "GB/s"},    {"modelled", "GB/s"},     {"error", ""},
                          {"fitted", ""}, {"modelled_low", "GB/s"}, {"modelled_high", "GB/s"}};
  std::vector<std::string> names;
  std::vector<Series> series{{phrase(language, Text::figure_published_series), Color::of_kind(0), {}},
                             {phrase(language, Text::figure_fitted_series), Color::of_kind(1, 0.45f), {}},
                             {phrase(language, Text::figure_predicted_series), Color::of_kind(1), {}}};
  std::vector<std::vector<std::string>> numbers(series.size());
  std::vector<std::string> errors;
  double worst = 0;
  for (const PublishedRow& row : rows) {
    const bool fitted = row.origin == PublishedRow::Origin::Fitted;
    const double error = row.modelled / row.published - 1;
    worst = std::max(worst, std::abs(error));
    names.push_back(row.kernel);
    series[0].values.push_back(row.published);
    series[1].values.push_back(fitted ? row.modelled : -1);
    series[2].values.push_back(fitted ? -1 : row.modelled);
    series[fitted ? 1 : 2].ranges.resize(names.size());
    series[fitted ? 1 : 2].ranges.back() = {row.modelled_low, row.modelled_high};
    errors.push_back(signed_percent(error));
    for (size_t n = 0; n < series.size(); ++n)
      numbers[n].push_back(with_mark(language, fmt::format("{:.1f}", n == 0 ? row.published : row.modelled)));
    figure.table.rows.push_back({row.kernel, row.published, row.modelled, error, int64_t{fitted ? 1 : 0},
                                 row.modelled_low, row.modelled_high});
  }
  figure.explanation =
      phrase(language, Text::figure_published_explain, fmt::format("{:.0f}", 100 * worst), seeds);
  Sheet sheet(figure, frame);
  add_bar_chart(sheet, whole(sheet), names, series, numbers, {"GB/s", "", std::move(errors)});
  return figure;
}

Figure width_figure(const WidthSweep& sweep, const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("widths", Text::figure_widths, Provenance::Modelled, frame);
  figure.subtitle = phrase(language, Text::figure_widths_place, device.title);
  figure.source = phrase(language, Text::figure_widths_source, number(language, sweep.blocks));
  figure.explanation = phrase(language, Text::figure_widths_explain,
                              device.partitions.count * device.partitions.width_bytes / sizeof(float),
                              device.partitions.count);
  figure.table.columns = {{"kernel", ""}, {"width", "floats"}, {"bandwidth", "GB/s"}};
  std::vector<std::string> names;
  for (const uint32_t width : sweep.widths) names.push_back(fmt::to_string(width));
  std::vector<Series> series;
  for (size_t n = 0; n < sweep.kernels.size(); ++n) {
    series.push_back({sweep.kernels[n], Color::of_kind(static_cast<uint32_t>(n)), sweep.gb_per_second[n]});
    for (size_t w = 0; w < sweep.widths.size(); ++w)
      if (sweep.gb_per_second[n][w] >= 0)
        figure.table.rows.push_back({sweep.kernels[n], int64_t{sweep.widths[w]}, sweep.gb_per_second[n][w]});
  }
  Sheet sheet(figure, frame);
  add_line_chart(sheet, whole(sheet), names, series, {"GB/s", phrase(language, Text::figure_width_floats)});
  return figure;
}

}  // namespace lanescope::plot
