#include "plot/model_figures.h"

#include "plot/chart.h"
#include "plot/heat_map.h"
#include "plot/legend.h"
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
  figure.subtitle = phrase(language, Text::figure_strides_place, count, left.title, right.title);
  figure.source = phrase(language, Text::figure_strides_source, left.name, name_of(left.origin), left.limits,
                         right.name, name_of(right.origin), right.limits);
  figure.table.columns = {{"map", ""},          {"origin", ""},     {"stride", "B"},
                          {"accesses", ""},     {"partitions", ""}, {"distinct_partitions", ""},
                          {"busiest_share", ""}};
  std::vector<std::string> names;
  for (uint64_t stride = 256; stride <= 1 << 20; stride *= 2) names.push_back(stride_name(stride));
  std::vector<Series> series;
  std::vector<std::vector<std::string>> numbers;
  for (const model::AddressMap* const map : {&left, &right}) {
    Series one{.name = std::string(map->title),
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
      phrase(language, Text::figure_strides_explain, left.title, fmt::format("{:.0f}", worst(series[0])),
             right.title, fmt::format("{:.0f}", worst(series[1])));
  Sheet sheet(figure, frame);
  add_bar_chart(sheet, whole(sheet), names, series, numbers,
                {phrase(language, Text::figure_busiest_share), phrase(language, Text::figure_stride)});
  return figure;
}

Figure published_figure(const std::vector<PublishedRow>& rows, const model::Device& device,
                        const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("published", Text::figure_published, Provenance::Modelled, frame);
  figure.subtitle = phrase(language, Text::figure_published_place, device.title);
  figure.source = phrase(language, Text::figure_published_source);
  figure.table.columns = {{"kernel", ""}, {"published", "GiB/s"},    {"modelled", "GiB/s"},     {"error", ""},
                          {"fitted", ""}, {"modelled_low", "GiB/s"}, {"modelled_high", "GiB/s"}};
  std::vector<std::string> names;
  std::vector<Series> series{{phrase(language, Text::figure_published_series), Color::of_kind(0), {}},
                             {phrase(language, Text::figure_fitted_series), Color::of_kind(1, 0.45f), {}},
                             {phrase(language, Text::figure_predicted_series), Color::of_kind(1), {}}};
  std::vector<std::vector<std::string>> numbers(series.size());
  double worst = 0;
  for (const PublishedRow& row : rows) {
    const bool fitted = row.origin == PublishedRow::Origin::Fitted;
    const double error = row.modelled / row.published - 1;
    worst = std::max(worst, std::abs(error));
    names.push_back(row.kernel);
    series[0].values.push_back(row.published);
    series[1].values.push_back(fitted ? row.modelled : -1);
    series[2].values.push_back(fitted ? -1 : row.modelled);
    for (size_t n = 0; n < series.size(); ++n)
      numbers[n].push_back(fmt::format("{:.1f}", n == 0 ? row.published : row.modelled));
    figure.table.rows.push_back({row.kernel, row.published, row.modelled, error, int64_t{fitted ? 1 : 0},
                                 row.modelled_low, row.modelled_high});
  }
  figure.explanation = phrase(language, Text::figure_published_explain, fmt::format("{:.0f}", 100 * worst));
  Sheet sheet(figure, frame);
  add_bar_chart(sheet, whole(sheet), names, series, numbers, {"GiB/s", ""});
  return figure;
}

Figure width_figure(const WidthSweep& sweep, const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("widths", Text::figure_widths, Provenance::Modelled, frame);
  figure.subtitle = phrase(language, Text::figure_widths_place, device.title);
  figure.source = phrase(language, Text::figure_widths_source, number(language, sweep.blocks));
  figure.table.columns = {{"kernel", ""}, {"width", "floats"}, {"bandwidth", "GiB/s"}};
  std::vector<std::string> names;
  for (const uint32_t width : sweep.widths) names.push_back(fmt::to_string(width));
  std::vector<Series> series;
  for (size_t n = 0; n < sweep.kernels.size(); ++n) {
    series.push_back({sweep.kernels[n], Color::of_kind(static_cast<uint32_t>(n)), sweep.gib_per_second[n]});
    for (size_t w = 0; w < sweep.widths.size(); ++w)
      figure.table.rows.push_back({sweep.kernels[n], int64_t{sweep.widths[w]}, sweep.gib_per_second[n][w]});
  }
  Sheet sheet(figure, frame);
  add_line_chart(sheet, whole(sheet), names, series, {"GiB/s", phrase(language, Text::figure_width_floats)});
  return figure;
}

namespace {

/// Windows [first, first + each) of a run as one column.
double queue_in(const model::TimingReport& report, size_t first, size_t each, size_t partition) {
  const size_t partitions = report.partitions.size();
  const size_t windows = report.windows.size() / partitions;
  double sum = 0;
  size_t count = 0;
  for (size_t n = first; n < std::min(first + each, windows); ++n, ++count)
    sum += report.windows[n * partitions + partition].mean_queue;
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

struct QueueColumns {
  size_t each = 1;
  size_t columns = 0;
};
QueueColumns columns_of(const model::TimingReport& report, float width) {
  const size_t windows = report.windows.size() / std::max<size_t>(1, report.partitions.size());
  const auto room = static_cast<size_t>(std::max(8.0f, width / 2));
  const size_t each = std::max<size_t>(1, (windows + room - 1) / room);
  return {each, (windows + each - 1) / each};
}

}  // namespace

Figure queue_figure(const std::vector<TimedRun>& runs, const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("queues", Text::figure_queues, Provenance::Modelled, frame);
  figure.subtitle = device.title;
  figure.source = phrase(language, Text::figure_queues_source);
  figure.table.columns = {{"run", ""},        {"time", "s"}, {"partition", ""},
                          {"mean_queue", ""}, {"read", "B"}, {"written", "B"}};
  Sheet sheet(figure, frame);
  const float row = 1.35f * sheet.type().small;
  const float gap = 1.5f * sheet.type().text;
  const auto count = static_cast<float>(std::max<size_t>(1, runs.size()));
  const float width = (sheet.width() - gap * (count - 1)) / count;
  double maximum = 1;
  for (const TimedRun& run : runs) {
    const QueueColumns columns = columns_of(run.report, width);
    for (size_t n = 0; n < columns.columns; ++n)
      for (size_t p = 0; p < run.report.partitions.size(); ++p)
        maximum = std::max(maximum, queue_in(run.report, n * columns.each, columns.each, p));
  }
  float x = 0;
  for (const TimedRun& run : runs) {
    const auto partitions = static_cast<uint32_t>(run.report.partitions.size());
    const QueueColumns columns = columns_of(run.report, width);
    const auto place = [&](float at, float y, const std::string& text, Label::Anchor anchor, Role role) {
      sheet.place({.x = at,
                   .y = y,
                   .text = text,
                   .size = sheet.type().small,
                   .color = Color::of(role),
                   .anchor = anchor});
    };
    place(x, row / 2, run.name, Label::Anchor::Start, Role::Ink);
    place(x, 1.5f * row,
          phrase(language, Text::figure_effective_of,
                 decimal(language, run.report.mean_effective_partitions()), partitions),
          Label::Anchor::Start, Role::Dim);
    place(x + width, 0.5f * row, fmt::format("{:.1f} GiB/s", run.report.gib_per_second()), Label::Anchor::End,
          Role::Dim);
    std::vector<uint32_t> value;
    constexpr double kFine = 16;  // a queue of one is still seen
    for (uint32_t p = 0; p < partitions; ++p) {
      for (size_t n = 0; n < columns.columns; ++n)
        value.push_back(static_cast<uint32_t>(
            std::ceil(kFine * queue_in(run.report, n * columns.each, columns.each, p))));
    }
    const Box box{x, 2.2f * row, width, sheet.height() - 4.6f * row};
    add_heat_map(sheet, box, partitions, static_cast<uint32_t>(columns.columns), std::move(value),
                 static_cast<uint32_t>(kFine * maximum));
    place(x, box.bottom() + 0.7f * row, "0", Label::Anchor::Start, Role::Dim);
    place(x + width, box.bottom() + 0.7f * row, fmt::format("{:.0f} µs", run.report.seconds * 1e6),
          Label::Anchor::End, Role::Dim);
    const size_t windows = run.report.windows.size() / std::max(1u, partitions);
    for (size_t n = 0; n < windows; ++n) {
      for (uint32_t p = 0; p < partitions; ++p) {
        const model::TrafficWindow& window = run.report.windows[n * partitions + p];
        figure.table.rows.push_back({run.name, static_cast<double>(n) * run.report.window_seconds, int64_t{p},
                                     window.mean_queue, static_cast<int64_t>(window.read_bytes),
                                     static_cast<int64_t>(window.written_bytes)});
      }
    }
    x += width + gap;
  }
  add_scale_legend(sheet, 0, sheet.width(), sheet.height() - row / 2,
                   {.first = "0",
                    .last = phrase(language, Text::figure_queue_scale, fmt::format("{:.0f}", maximum)),
                    .steps = 64});
  return figure;
}

}  // namespace lanescope::plot
