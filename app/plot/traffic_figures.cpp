// Traffic of the partitions over time: the queues of two runs side by side, reads and writes of one run, and
// the writes of several runs on one axis of time.

#include "base/counted_phrase.h"
#include "plot/legend.h"
#include "plot/model_figures.h"
#include "plot/text_width.h"
#include "plot/traffic_map.h"
#include "plot/wording.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

/// The rows of text around the maps, in a size.
class TrafficSheet {
 public:
  TrafficSheet(Figure& figure, const Frame& frame, const model::Device& device)
      : sheet_(figure, frame), language_(frame.language), row_(1.35f * sheet_.type().small) {
    left_ = text_width(fmt::format("P{}", std::max(1u, device.partitions.count) - 1), sheet_.type().small,
                       Label::Face::Regular) +
            0.5f * sheet_.type().small;
  }
  Sheet& sheet() { return sheet_; }
  float row() const { return row_; }
  float left() const { return left_; }  // room for the numbers of the partitions
  float ticks_at(float x) const { return x - 0.5f * sheet_.type().small; }

  /// Places text in small type; returns where it ends, or `x` if there was no room.
  float place(float x, float y, const std::string& text, Role role, Label::Face face = Label::Face::Regular,
              Label::Anchor anchor = Label::Anchor::Start) {
    const float size = sheet_.type().small;
    const bool placed = sheet_.place({.x = x,
                                      .y = y,
                                      .text = text,
                                      .size = size,
                                      .color = Color::of(role),
                                      .anchor = anchor,
                                      .face = face});
    return placed ? x + text_width(text, size, face) : x;
  }
  void place_right(float x, float y, const std::string& text, Role role) {
    place(x, y, text, role, Label::Face::Regular, Label::Anchor::End);
  }
  /// "3.7 of 8 partitions effective", in the color for problems below a half.
  void place_effective(float x, float y, const model::TimingReport& report, model::Traffic traffic) {
    const double effective = report.imbalance(traffic).effective;
    const bool camped = effective < static_cast<double>(report.partitions.size()) / 2;
    place(
        x, y,
        phrase(language_, Text::figure_effective_of, decimal(language_, effective), report.partitions.size()),
        camped ? Role::Bad : Role::Dim);
  }
  /// "0" and "1826 µs" below a map.
  void place_time(const Box& box, double seconds) {
    place(box.x, box.bottom() + 0.7f * row_, "0", Role::Dim);
    place_right(box.right(), box.bottom() + 0.7f * row_, microseconds(seconds), Role::Dim);
  }
  static std::string microseconds(double seconds) { return fmt::format("{:.0f} µs", seconds * 1e6); }
  void place_scale(const std::string& most) {
    add_scale_legend(sheet_, 0, sheet_.width(), sheet_.height() - row_ / 2,
                     {.first = "0", .last = most, .steps = 64});
  }

 private:
  Sheet sheet_;
  Language language_;
  float row_;
  float left_ = 0;
};

std::string tenths(Language language, double value) {
  return with_mark(language, fmt::format("{:.1f}", value));
}
std::string speed_of(Language language, const model::TimingReport& report) {
  return tenths(language, report.gb_per_second()) + " GB/s";
}

void add_window_columns(Table& table) {
  table.columns = {{"run", ""},        {"window_start", "s"}, {"partition", ""},
                   {"mean_queue", ""}, {"read", "B"},         {"written", "B"}};
}

void add_windows(Table& table, const TimedRun& run) {
  const size_t partitions = run.report.partitions.size();
  for (size_t at = 0; at < run.report.windows.size(); ++at) {
    const model::TrafficWindow& window = run.report.windows[at];
    table.rows.push_back({run.name, static_cast<double>(at / partitions) * run.report.window_seconds,
                          static_cast<int64_t>(at % partitions), window.mean_queue,
                          static_cast<int64_t>(window.read_bytes),
                          static_cast<int64_t>(window.written_bytes)});
  }
}

double bus_of(const model::Device& device) {
  return device.memory_bytes_per_second.value_or(0) / std::max(1u, device.partitions.count);
}

}  // namespace

Figure queue_figure(const std::vector<TimedRun>& runs, const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("queues", Text::figure_queues, Provenance::Modelled, frame);
  figure.subtitle = device.title;
  figure.source = phrase(language, Text::figure_queues_source);
  add_window_columns(figure.table);
  for (const TimedRun& run : runs) add_windows(figure.table, run);
  TrafficSheet page(figure, frame, device);
  const float gap = 1.5f * page.sheet().type().text;
  const auto count = static_cast<float>(std::max<size_t>(1, runs.size()));
  const float width = (page.sheet().width() - page.left() - gap * (count - 1)) / count;
  double maximum = 1;
  for (const TimedRun& run : runs)
    maximum = std::max(maximum, largest_value({run.report, Quantity::Queue, 0, language}, width));
  float x = page.left();
  for (const TimedRun& run : runs) {
    page.place(x, page.row() / 2, run.name, Role::Ink, Label::Face::Strong);
    page.place_right(x + width, 0.5f * page.row(), speed_of(frame.language, run.report), Role::Dim);
    page.place_effective(x, 1.5f * page.row(), run.report, model::Traffic::Both);
    const Box box{x, 2.2f * page.row(), width, page.sheet().height() - 4.8f * page.row()};
    // The numbers of the partitions are written once, left of the first map.
    add_traffic_map(page.sheet(), box, x == page.left() ? page.ticks_at(x) : -1,
                    {run.report, Quantity::Queue, 0, language}, maximum);
    page.place_time(box, run.report.seconds);
    x += width + gap;
  }
  page.place_scale(phrase(language, Text::figure_queue_scale, fmt::format("{:.0f}", maximum)));
  if (runs.size() == 2)
    figure.explanation =
        phrase(language, Text::figure_queues_explain, runs[0].name,
               decimal(language, runs[0].report.imbalance(model::Traffic::Written).effective), runs[1].name,
               decimal(language, runs[1].report.imbalance(model::Traffic::Written).effective),
               device.partitions.count);
  return figure;
}

Figure traffic_figure(const TimedRun& run, const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  const model::TimingReport& report = run.report;
  Figure figure = begin_figure("traffic", Text::figure_traffic, Provenance::Modelled, frame);
  figure.subtitle = fmt::format("{} · {}", run.name, device.title);
  figure.source = phrase(language, Text::figure_traffic_source);
  add_window_columns(figure.table);
  add_windows(figure.table, run);
  const model::Imbalance read = report.imbalance(model::Traffic::Read);
  const model::Imbalance written = report.imbalance(model::Traffic::Written);
  const auto headline = [&](const model::Imbalance& imbalance, Text label) {
    const bool camped = imbalance.effective < device.partitions.count / 2.0;
    figure.headlines.push_back({decimal(language, imbalance.effective),
                                phrase(language, label, device.partitions.count),
                                Color::of(camped ? Role::Bad : Role::Good)});
  };
  figure.headlines.push_back({tenths(language, report.gb_per_second()), "GB/s", Color::of(Role::Ink)});
  headline(read, Text::figure_partitions_read);
  headline(written, Text::figure_partitions_written);
  figure.explanation =
      phrase(language, Text::figure_traffic_explain, percent(language, read.busiest_share),
             percent(language, written.busiest_share),
             percent(language, 1.0 / std::max(1u, device.partitions.count)), report.blocks_in_flight);
  if (report.blocks_missing > 0)
    figure.explanation += " " + counted_phrase(language, Text::figure_partitions_missing,
                                               number(language, report.blocks_missing));

  TrafficSheet page(figure, frame, device);
  const float width = page.sheet().width() - page.left();
  const float height = (page.sheet().height() - 4.6f * page.row()) / 2;
  float y = 0;
  for (const auto& [title, traffic, quantity] :
       {std::tuple{Text::figure_reads, model::Traffic::Read, Quantity::Read},
        std::tuple{Text::figure_writes, model::Traffic::Written, Quantity::Written}}) {
    const float end = page.place(page.left(), y + page.row() / 2, std::string(say(language, title)),
                                 Role::Ink, Label::Face::Strong);
    page.place_effective(end + 0.6f * page.row(), y + page.row() / 2, report, traffic);
    const Box box{page.left(), y + 1.1f * page.row(), width, height};
    add_traffic_map(page.sheet(), box, page.ticks_at(box.x), {report, quantity, bus_of(device), language}, 1);
    y = box.bottom() + 0.1f * page.row();
    if (quantity == Quantity::Written) page.place_time(box, report.seconds);
  }
  page.place_scale(std::string(say(language, Text::figure_traffic_scale)));
  return figure;
}

Figure remedy_figure(const std::vector<TimedRun>& runs, const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("remedies", Text::figure_remedies, Provenance::Modelled, frame);
  figure.subtitle = device.title;
  figure.source = phrase(language, Text::figure_remedies_source);
  figure.table.columns = {{"run", ""},
                          {"bandwidth", "GB/s"},
                          {"seconds", "s"},
                          {"effective_partitions_read", ""},
                          {"effective_partitions_written", ""},
                          {"busiest_share_read", ""},
                          {"busiest_share_written", ""}};
  double longest = 0;
  for (const TimedRun& run : runs) {
    const model::Imbalance read = run.report.imbalance(model::Traffic::Read);
    const model::Imbalance written = run.report.imbalance(model::Traffic::Written);
    figure.table.rows.push_back({run.name, run.report.gb_per_second(), run.report.seconds, read.effective,
                                 written.effective, read.busiest_share, written.busiest_share});
    longest = std::max(longest, run.report.seconds);
  }
  if (!runs.empty())
    figure.explanation =
        phrase(language, Text::figure_remedies_explain,
               percent(language, runs.front().report.imbalance(model::Traffic::Written).busiest_share),
               runs.front().name);

  TrafficSheet page(figure, frame, device);
  const float width = page.sheet().width() - page.left();
  const float each =
      (page.sheet().height() - 2.2f * page.row()) / static_cast<float>(std::max<size_t>(1, runs.size()));
  float y = 0;
  for (const TimedRun& run : runs) {
    const float end = page.place(page.left(), y + page.row() / 2, run.name, Role::Ink, Label::Face::Strong);
    page.place_right(page.sheet().width(), y + page.row() / 2, speed_of(frame.language, run.report),
                     Role::Ink);
    page.place_effective(end + 0.6f * page.row(), y + page.row() / 2, run.report, model::Traffic::Written);
    const auto share = static_cast<float>(run.report.seconds / longest);
    const Box box{page.left(), y + 1.1f * page.row(), width * share, each - 1.4f * page.row()};
    add_traffic_map(page.sheet(), box, page.ticks_at(box.x),
                    {run.report, Quantity::Written, bus_of(device), language}, 1);
    y += each;
  }
  page.place(page.left(), y + 0.3f * page.row(), "0", Role::Dim);
  page.place_right(page.sheet().width(), y + 0.3f * page.row(), TrafficSheet::microseconds(longest),
                   Role::Dim);
  page.place_scale(std::string(say(language, Text::figure_traffic_scale)));
  return figure;
}

}  // namespace lanescope::plot
