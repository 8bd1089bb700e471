// Bandwidth of kernels side by side: a bar each, and the line of a plain copy that no kernel is expected to
// pass by much. Half of the repetitions lie within the thin line at a bar's end. A picture has one scale, one
// unit and one copy, so it shows only what can be compared with the current kernel; launches that move next
// to nothing are compared by their times, calculations by their operations a second. Tests:
// tests/unit/plot/bandwidth_figure_test.cpp, tests/unit/recordings/bandwidth_test.cpp, tests/golden/figures

#include "plot/figures.h"
#include "plot/sheet.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

/// What a bar's length is.
enum class Unit {
  Rate,        // GB/s
  Time,        // microseconds: of launches that move next to nothing, or other amounts for the same output
  Calculation  // GFLOP/s
};

struct Scaled {
  Unit unit = Unit::Rate;
  double divisor = 1;  // of GB/s, of microseconds or of GFLOP/s
  Text name = Text::figure_gb_per_second;
};

std::string whole_percent(Language language, double share) {
  return percent(language, static_cast<double>(static_cast<int>(100 * share + 0.5)) / 100);
}

/// More digits would promise what repetitions do not keep.
std::string rounded(Language language, double amount) {
  constexpr double kWhole = 9.95;  // that much and more is written without a fraction
  return amount < kWhole ? decimal(language, amount) : number(language, static_cast<uint64_t>(amount + 0.5));
}

const Bandwidth::Bar* current_of(const std::vector<Bandwidth::Bar>& bars) {
  const auto current = std::ranges::find(bars, true, &Bandwidth::Bar::current);
  return current == bars.end() ? nullptr : &*current;
}

/// The kernels that one scale and one copy are right for: those that must write what the current one must,
/// and those that move as much. A calculation is compared with the same calculation alone.
std::vector<Bandwidth::Bar> comparable_bars(const Bandwidth& bandwidth) {
  const Bandwidth::Bar* const current = current_of(bandwidth.bars);
  if (current == nullptr) return bandwidth.bars;
  std::vector<Bandwidth::Bar> bars;
  for (const Bandwidth::Bar& bar : bandwidth.bars) {
    const bool is_same_work = bar.work == current->work;
    if (is_same_work || (current->operations == 0 && bar.operations == 0 && moves_as_much(bar, *current)))
      bars.push_back(bar);
  }
  return bars;
}

/// `gb_per_second` as the unit has it; `bar` is whose rate it is.
double amount_of(const Scaled& scaled, const Bandwidth::Bar& bar, double gb_per_second) {
  const double seconds = gb_per_second > 0 ? static_cast<double>(bar.bytes) / gb_per_second * 1e-9 : 0;
  switch (scaled.unit) {
    case Unit::Rate:
      break;
    case Unit::Time:
      return seconds * 1e6 / scaled.divisor;
    case Unit::Calculation:
      return seconds > 0 ? bar.operations / seconds * 1e-9 / scaled.divisor : 0;
  }
  return gb_per_second / scaled.divisor;
}
double amount_of(const Scaled& scaled, const Bandwidth::Bar& bar) {
  return amount_of(scaled, bar, bar.gb_per_second);
}

Scaled scaled_for(const std::vector<Bandwidth::Bar>& bars) {
  constexpr double kLeastRate = 1;  // GB/s
  const Bandwidth::Bar* const current = current_of(bars);
  if (current != nullptr && current->operations > 0) {
    Scaled scaled{.unit = Unit::Calculation, .name = Text::figure_gflop_per_second};
    const auto is_fast = [&](const Bandwidth::Bar& bar) { return amount_of(scaled, bar) >= 10'000; };
    if (std::ranges::any_of(bars, is_fast))
      scaled.divisor = 1000, scaled.name = Text::figure_tflop_per_second;
    return scaled;
  }
  const auto needs_time = [&](const Bandwidth::Bar& bar) {
    return bar.gb_per_second < kLeastRate || (current != nullptr && !moves_as_much(bar, *current));
  };
  if (std::ranges::any_of(bars, needs_time)) return {.unit = Unit::Time, .name = Text::figure_microseconds};
  return {};
}

/// What one picture of the bandwidths shows.
struct Picture {
  std::vector<Bandwidth::Bar> bars;
  Scaled scaled;
  double copy = 0;  // in the unit; 0: no line
  const Bandwidth::Bar* current = nullptr;
  const Bandwidth::Bar* best = nullptr;  // of those that must write the same
  size_t left_out = 0;                   // kernels

  explicit Picture(const Bandwidth& bandwidth) : bars(comparable_bars(bandwidth)), scaled(scaled_for(bars)) {
    left_out = bandwidth.bars.size() - bars.size() + bandwidth.without_times;
    current = current_of(bars);
    if (current == nullptr) return;
    if (scaled.unit != Unit::Calculation)
      copy = plot::amount_of(scaled, *current, bandwidth.copy_gb_per_second);
    best = current;
    for (const Bandwidth::Bar& bar : bars)
      if (bar.work == current->work && is_faster(bar, *best)) best = &bar;
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  double amount(const Bandwidth::Bar& bar) const { return plot::amount_of(scaled, bar); }
  bool is_faster(const Bandwidth::Bar& one, const Bandwidth::Bar& other) const {
    return scaled.unit == Unit::Time ? amount(one) < amount(other) : amount(one) > amount(other);
  }
  /// What the shares next to the bars are of; 0: there are none.
  double reference() const {
    if (scaled.unit == Unit::Rate) return copy;
    return scaled.unit == Unit::Calculation && best != nullptr ? amount(*best) : 0;
  }
  double share(const Bandwidth::Bar& bar) const { return amount(bar) / reference(); }
  double end() const {
    double end = copy;
    for (const Bandwidth::Bar& bar : bars)
      for (const double rate : {bar.gb_per_second, bar.lowest, bar.highest})
        end = std::max(end, plot::amount_of(scaled, bar, rate));
    return end;
  }
  /// The figure's axis that the unit has in a Scale.
  size_t axis() const { return static_cast<size_t>(scaled.unit); }
};

std::optional<uint64_t> sectors_of(const trace::HardwareCounts& counts) {
  using enum trace::HardwareCount;
  return sum_of(counts, {GlobalLoadSectors, GlobalStoreSectors});
}
std::optional<uint64_t> wavefronts_of(const trace::HardwareCounts& counts) {
  using enum trace::HardwareCount;
  return sum_of(counts, {SharedLoadWavefronts, SharedStoreWavefronts});
}

std::string text_of(Language language, const std::optional<uint64_t>& count) {
  return count ? number(language, *count) : std::string("–");
}
std::string megabytes(Language language, const std::optional<uint64_t>& bytes) {
  return bytes ? decimal(language, static_cast<double>(*bytes) * 1e-6) : std::string("–");
}

std::string counted_text(Language language, const trace::HardwareCounts& counts) {
  return phrase(language, Text::figure_bandwidth_counted, text_of(language, sectors_of(counts)),
                text_of(language, wavefronts_of(counts)), megabytes(language, trace::l2_bytes(counts)),
                megabytes(language, trace::dram_bytes(counts)));
}
std::string emulated_text(Language language, const trace::HardwareCounts& counts) {
  return phrase(language, Text::figure_bandwidth_emulated, text_of(language, sectors_of(counts)),
                text_of(language, wavefronts_of(counts)));
}

class BandwidthDrawing {
 public:
  /// Adds to `scale` the end of the axis, and the widths of names, numbers and shares; draws with room for
  /// those of the figure beside it too.
  BandwidthDrawing(Sheet& sheet, const Picture& picture, Scale& scale, const Frame& frame)
      : sheet_(sheet), picture_(picture), language_(frame.language), row_(1.4f * sheet.type().text) {
    for (const Bandwidth::Bar& bar : picture.bars) {
      names_ = std::max(names_, text_width(bar.kernel, type().text, Label::Face::Strong));
      amounts_ = std::max(amounts_, text_width(amount_of(bar), type().text, Label::Face::Strong));
      if (picture.reference() > 0)
        shares_ = std::max(shares_, text_width(percent_of(bar), type().small, Label::Face::Regular));
    }
    amounts_ = std::max(amounts_, text_width(unit(), type().small, Label::Face::Regular));
    scale.ends[picture.axis()] = picture.end() * picture.scaled.divisor;
    scale.room = {names_, amounts_, shares_};
    const Scale both = common(scale, frame.scale);
    maximum_ = both.ends[picture.axis()] / picture.scaled.divisor;
    names_ = both.room[0], amounts_ = both.room[1], shares_ = both.room[2];
  }

  void draw() {
    const std::vector<Bandwidth::Bar>& bars = picture_.bars;
    if (bars.empty() || maximum_ <= 0) return;
    const float space = 0.6f * type().text;
    // Many kernels in a low figure have smaller names: each is to have its own.
    const float each = std::min((sheet_.height() - row_) / static_cast<float>(bars.size()), 3.2f * row_);
    name_size_ = std::clamp(each / 1.1f, type().least, type().text);
    const bool with_shares = shares_ > 0 && names_ + amounts_ + shares_ + 2 * space < 0.6f * sheet_.width();
    const float right = sheet_.width() - amounts_ - (with_shares ? shares_ + space : 0) - space;
    const float left = std::min(names_ * (name_size_ / type().text), 0.45f * sheet_.width()) + space;
    const Box area{left, row_, right - left, sheet_.height() - row_};
    if (area.width < 2 * type().text || area.height <= 0) return;
    const auto add = [&](const Bandwidth::Bar& bar) {
      const auto row = static_cast<float>(&bar - bars.data());
      add_bar(bar, {area.x, area.y + row * each, area.width, each}, with_shares);
    };
    // Where names leave each other no room the first one stays, which is to be that of the current kernel.
    const bool is_tight = each < name_size_;
    const auto current = is_tight ? std::ranges::find(bars, true, &Bandwidth::Bar::current) : bars.end();
    if (current != bars.end()) add(*current);
    for (const Bandwidth::Bar& bar : bars)
      if (!is_tight || !bar.current) add(bar);
    add_copy({area.x, area.y, area.width, each * static_cast<float>(bars.size())});
    // What the numbers on the right are.
    sheet_.place({.x = area.right() + space + amounts_,
                  .y = row_ / 2,
                  .text = unit(),
                  .size = type().small,
                  .color = Color::of(Role::Dim),
                  .anchor = Label::Anchor::End});
  }

 private:
  const Type& type() const { return sheet_.type(); }
  std::string unit() const { return std::string(say(language_, picture_.scaled.name)); }
  std::string amount_of(const Bandwidth::Bar& bar) const { return rounded(language_, picture_.amount(bar)); }
  std::string percent_of(const Bandwidth::Bar& bar) const {
    return whole_percent(language_, picture_.share(bar));
  }
  float length(double amount, float width) const { return static_cast<float>(amount / maximum_) * width; }

  size_t add_pick(const Bandwidth::Bar& bar) {
    double lowest = plot::amount_of(picture_.scaled, bar, bar.lowest);
    double highest = plot::amount_of(picture_.scaled, bar, bar.highest);
    if (lowest > highest) std::swap(lowest, highest);
    std::string tip = phrase(language_, Text::figure_bandwidth_tip, bar.kernel, amount_of(bar), unit(),
                             rounded(language_, lowest), rounded(language_, highest));
    if (picture_.reference() > 0)
      tip += "\n" + phrase(language_,
                           picture_.scaled.unit == Unit::Rate ? Text::figure_bandwidth_of_copy
                                                              : Text::figure_bandwidth_of_best,
                           percent_of(bar));
    for (const std::string& line : lines_of(bar)) tip += "\n" + line;
    return sheet_.add(Pick{.tip = std::move(tip)});
  }

  /// What the hardware and the emulator counted.
  std::vector<std::string> lines_of(const Bandwidth::Bar& bar) const {
    std::vector<std::string> lines;
    if (bar.counts) lines.push_back(counted_text(language_, *bar.counts));
    if (bar.emulated) lines.push_back(emulated_text(language_, *bar.emulated));
    return lines;
  }

  /// Under the bar, where there is room; the tip has them always.
  void add_counts(const Bandwidth::Bar& bar, float x, float y, float bottom) {
    for (const std::string& line : lines_of(bar)) {
      y += 1.25f * type().small;
      if (y + type().small / 2 > bottom) return;
      const Label label{.x = x,
                        .y = y,
                        .text = line,
                        .size = type().small,
                        .color = Color::of(Role::Dim),
                        .anchor = Label::Anchor::Start};
      if (sheet_.place(label)) count_boxes_.push_back(box_of(label));
    }
  }

  static constexpr float kRounding = 0.1f;  // of widths that were scaled
  void add_bar(const Bandwidth::Bar& bar, const Box& box, bool with_share) {
    const size_t pick = add_pick(bar);
    // The bar goes up where the counts need the room below.
    const float below = 1.25f * type().small * static_cast<float>(lines_of(bar).size());
    const float room = box.height - below > 1.6f * type().text ? box.height - below : box.height;
    const float middle = box.y + room / 2;
    const float height = std::min(0.62f * room, 2 * type().text);
    const float radius = std::min(3.0f, height / 3);
    const auto strip = [&](float width, Color fill) {
      sheet_.add(Rect{.x = box.x,
                      .y = middle - height / 2,
                      .width = width,
                      .height = height,
                      .radius = radius,
                      .fill = fill,
                      .pick = pick});
    };
    strip(box.width, Color::of(Role::Sunken));
    const auto end_at = [&](double rate) {
      return box.x + length(plot::amount_of(picture_.scaled, bar, rate), box.width);
    };
    strip(std::max(length(picture_.amount(bar), box.width), 2.0f),
          Color::of(Role::Accent, bar.current ? 1 : 0.45f));
    sheet_.add(Line{.x1 = end_at(bar.lowest),
                    .y1 = middle,
                    .x2 = end_at(bar.highest),
                    .y2 = middle,
                    .color = Color::of(Role::Ink),
                    .width = 1.5f});
    sheet_.place(
        {.x = box.x - 0.6f * type().text,
         .y = middle,
         .text = shorten(bar.kernel, box.x - 0.6f * type().text + kRounding, name_size_, Label::Face::Strong),
         .size = name_size_,
         .color = Color::of(Role::Ink),
         .anchor = Label::Anchor::End,
         .face = bar.current ? Label::Face::Strong : Label::Face::Regular});
    float x = sheet_.width();
    if (with_share) {
      if (picture_.reference() > 0)
        sheet_.place({.x = x,
                      .y = middle,
                      .text = percent_of(bar),
                      .size = std::min(type().small, name_size_),
                      .color = Color::of(Role::Dim),
                      .anchor = Label::Anchor::End});
      x -= shares_ + 0.6f * type().text;
    }
    sheet_.place({.x = x,
                  .y = middle,
                  .text = amount_of(bar),
                  .size = name_size_,
                  .color = Color::of(Role::Ink),
                  .anchor = Label::Anchor::End,
                  .face = Label::Face::Strong});
    if (room < box.height) add_counts(bar, box.x, middle + height / 2 - type().small / 2, box.bottom());
  }

  void add_copy(const Box& area) {
    if (picture_.copy <= 0) return;
    const float x = area.x + length(picture_.copy, area.width);
    const auto piece = [&](float top, float bottom) {
      sheet_.add(Line{.x1 = x, .y1 = top, .x2 = x, .y2 = bottom, .color = Color::of(Role::Good), .width = 2});
    };
    // The line leaves out the counts that it would cross.
    float top = area.y;
    for (const Box& counts : count_boxes_) {
      if (x > counts.right()) continue;
      piece(top, counts.y);
      top = counts.bottom();
    }
    piece(top, area.bottom());
    // Where the line is far left, its label is on the right of it.
    const std::string label =
        phrase(language_, Text::figure_bandwidth_copy, rounded(language_, picture_.copy));
    const bool is_left = x - text_width(label, type().small, Label::Face::Regular) < 0.5f * area.x;
    sheet_.place({.x = is_left ? x : x - 0.4f * type().small,
                  .y = row_ / 2,
                  .text = label,
                  .size = type().small,
                  .color = Color::of(Role::Good),
                  .anchor = is_left ? Label::Anchor::Start : Label::Anchor::End});
  }

  Sheet& sheet_;
  const Picture& picture_;
  Language language_;
  float row_;
  double maximum_ = 0;
  float names_ = 0, amounts_ = 0, shares_ = 0;
  float name_size_ = 0;           // of names and amounts, in points
  std::vector<Box> count_boxes_;  // from the top down
};

/// One sentence: the current kernel, and the fastest of those that must write the same.
std::string explain(const Picture& picture, Language language) {
  if (picture.current == nullptr) return {};
  const auto with_unit = [&](double amount) {
    return fmt::format("{}\u00a0{}", rounded(language, amount), say(language, picture.scaled.name));
  };
  const Bandwidth::Bar& current = *picture.current;
  const bool is_share = picture.scaled.unit == Unit::Rate && picture.copy > 0;
  const auto value = [&](const Bandwidth::Bar& bar) {
    return is_share ? whole_percent(language, picture.share(bar)) : with_unit(picture.amount(bar));
  };
  std::string text;
  if (is_share)
    text = phrase(language, Text::figure_bandwidth_share, current.kernel, value(current));
  else if (picture.scaled.unit == Unit::Time)
    text = picture.copy > 0 ? phrase(language, Text::figure_bandwidth_time_of_copy, current.kernel,
                                     value(current), with_unit(picture.copy))
                            : phrase(language, Text::figure_bandwidth_time, current.kernel, value(current));
  else
    text = phrase(language, Text::figure_bandwidth_rate, current.kernel, value(current));
  const auto same = std::ranges::count(picture.bars, current.work, &Bandwidth::Bar::work);
  // What is written alike is as fast.
  const bool is_best =
      rounded(language, picture.amount(*picture.best)) == rounded(language, picture.amount(current));
  if (same > 1 && is_best) text += say(language, Text::figure_bandwidth_is_best);
  if (same > 1 && !is_best)
    text += phrase(language, Text::figure_bandwidth_best, picture.best->kernel, value(*picture.best));
  text += ".";
  if (picture.left_out == 1) text += fmt::format(" {}", say(language, Text::figure_bandwidth_one_left_out));
  if (picture.left_out > 1)
    text += fmt::format(" {}", phrase(language, Text::figure_bandwidth_left_out, picture.left_out));
  return text;
}

std::string source_of(const Bandwidth& bandwidth, Language language) {
  if (bandwidth.provenance == Provenance::Modelled)
    return phrase(language, Text::figure_bandwidth_modelled, bandwidth.gpu, bandwidth.size);
  const Text provenance = bandwidth.provenance == Provenance::Measured ? Text::measured : Text::recorded;
  return phrase(
      language, Text::figure_bandwidth_source, say(language, provenance), bandwidth.gpu,
      phrase(language, Text::figure_bandwidth_run, bandwidth.driver.empty() ? "–" : bandwidth.driver,
             bandwidth.cuda, bandwidth.date, bandwidth.repetitions));
}

/// Of the kernels in the picture.
Table table_of(const Bandwidth& bandwidth, const Picture& picture) {
  Table table{.columns = {{"kernel", ""},
                          {"bandwidth", "GB/s"},
                          {"lower_quartile", "GB/s"},
                          {"upper_quartile", "GB/s"},
                          {"share_of_copy", ""},
                          {"copy", "GB/s"},
                          {"time", "us"},
                          {"operations", "GFLOP/s"},
                          {"counted_sectors", ""},
                          {"counted_wavefronts", ""},
                          {"l2", "B"},
                          {"dram", "B"},
                          {"emulated_sectors", ""},
                          {"emulated_wavefronts", ""}},
              .rows = {}};
  // What was not counted is an empty cell.
  const auto cell = [](const std::optional<uint64_t>& count) {
    return count ? TableValue(static_cast<int64_t>(*count)) : TableValue(std::string());
  };
  const double copy = bandwidth.copy_gb_per_second;
  for (const Bandwidth::Bar& bar : picture.bars) {
    const auto in = [&](Unit unit) { return plot::amount_of({.unit = unit}, bar, bar.gb_per_second); };
    const trace::HardwareCounts counts = bar.counts.value_or(trace::HardwareCounts{});
    const trace::HardwareCounts emulated = bar.emulated.value_or(trace::HardwareCounts{});
    table.rows.push_back(
        {bar.kernel, bar.gb_per_second, bar.lowest, bar.highest,
         copy > 0 ? TableValue(bar.gb_per_second / copy) : TableValue(std::string()), copy, in(Unit::Time),
         bar.operations > 0 ? TableValue(in(Unit::Calculation)) : TableValue(std::string()),
         cell(sectors_of(counts)), cell(wavefronts_of(counts)), cell(trace::l2_bytes(counts)),
         cell(trace::dram_bytes(counts)), cell(sectors_of(emulated)), cell(wavefronts_of(emulated))});
  }
  return table;
}

}  // namespace

bool moves_as_much(const Bandwidth::Bar& one, const Bandwidth::Bar& other) {
  constexpr double kTolerance = 0.05;
  const auto a = static_cast<double>(one.bytes), b = static_cast<double>(other.bytes);
  return std::abs(a - b) <= kTolerance * std::max(a, b);
}

Figure bandwidth_figure(const Bandwidth& bandwidth, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("bandwidth", Text::figure_bandwidth, bandwidth.provenance, frame);
  const std::string gpu = bandwidth.chosen_gpu.empty() ? bandwidth.gpu
                                                       : phrase(language, Text::window_other_device,
                                                                bandwidth.gpu, bandwidth.chosen_gpu);
  figure.subtitle = gpu;
  if (!bandwidth.size.empty()) figure.subtitle += fmt::format(" · {}", bandwidth.size);
  if (!bandwidth.run_size.empty())
    figure.subtitle +=
        fmt::format(" ({})", phrase(language, Text::figure_bandwidth_run_size, bandwidth.run_size));
  figure.source = source_of(bandwidth, language);
  const Picture picture(bandwidth);
  figure.explanation = explain(picture, language);
  figure.table = table_of(bandwidth, picture);
  Sheet sheet(figure, frame);
  BandwidthDrawing(sheet, picture, figure.scale, frame).draw();
  return figure;
}

}  // namespace lanescope::plot
