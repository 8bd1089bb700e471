// The roofline of one launch: how many operations it does for each byte of the DRAM, the L2, the L1 and
// shared memory, below the bandwidths of these and below the peak of its arithmetic. Method: all points are
// as high as the bound allows. The one whose level decides lies on its roof, but for a level that its
// requests hold up and not its bytes. Tests: tests/unit/plot/kernel_roofline_figure_test.cpp

#include "caches/savings.h"
#include "model/bound.h"
#include "plot/figures.h"
#include "plot/sheet.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

struct Roof {
  const char* key;  // in tables
  Text name;
  double bytes = 0;             // that the launch moves; 0: no point
  double bytes_per_second = 0;  // of the level; 0: not known
  Color color;
};

/// Arithmetic of the kind that takes longest, and its peak.
struct Arithmetic {
  const char* key;
  Text name;
  double operations = 0;
  double per_second = 0;  // 0: not known
};

struct KernelRoofline {
  Arithmetic arithmetic;
  std::vector<Roof> roofs;
  double seconds = 0;  // of the level that decides, without the start
  double rate() const { return arithmetic.operations / seconds; }
};

constexpr std::array<const char*, 6> kPrefixes{"", "k", "M", "G", "T", "P"};

/// A power of ten with its prefix: "10 T".
std::string power_text(int exponent) {
  const int prefix = std::clamp(exponent / 3, 0, static_cast<int>(kPrefixes.size()) - 1);
  return fmt::format("{:g}\u00a0{}", std::pow(10, exponent - 3 * prefix),
                     kPrefixes[static_cast<size_t>(prefix)]);
}

/// A rate or an amount with three digits and its prefix: "62.9 T".
std::string with_prefix(Language language, double amount) {
  size_t prefix = 0;
  for (; amount >= 999.5 && prefix + 1 < kPrefixes.size(); ++prefix) amount /= 1000;
  const int decimals = amount >= 99.5 ? 0 : amount >= 9.95 ? 1 : 2;
  return fmt::format("{}\u00a0{}", with_mark(language, fmt::format("{:.{}f}", amount, decimals)),
                     kPrefixes[prefix]);
}

/// Cycles a second of the multiprocessors that have a block.
double cycles_of(const trace::Trace& trace, const model::Device& device) {
  return static_cast<double>(std::min<uint64_t>(volume(trace.grid), device.multiprocessors)) *
         device.bound->clock_hertz;
}

Arithmetic arithmetic_of(const trace::Trace& trace, const model::Device& device) {
  const trace::Operations& done = trace.operations;
  const model::BoundParameters& rates = *device.bound;
  const double cycles = cycles_of(trace, device);
  const std::array kinds{
      Arithmetic{"fp32", Text::roofline_fp32, static_cast<double>(done.fp32), cycles * rates.fp32_per_cycle},
      Arithmetic{"fp64", Text::roofline_fp64, static_cast<double>(done.fp64), cycles * rates.fp64_per_cycle},
      Arithmetic{"fp16", Text::roofline_fp16, static_cast<double>(done.fp16), cycles * rates.fp16_per_cycle},
      Arithmetic{"tensor", Text::roofline_tensor, static_cast<double>(done.tensor),
                 cycles * rates.tensor_per_cycle}};
  const auto time_of = [](const Arithmetic& kind) {
    return kind.per_second == 0 ? kind.operations : kind.operations / kind.per_second;
  };
  const auto longest = std::ranges::max_element(kinds, {}, time_of);
  if (longest->operations > 0) return *longest;
  return {"integer", Text::roofline_integer, static_cast<double>(done.integer), 0};
}

KernelRoofline roofline_of(const trace::Trace& trace, const caches::CacheReport& report,
                           const model::Device& device, const model::BoundTerms& bound) {
  const model::BoundParameters& rates = *device.bound;
  constexpr double kSector = model::kSectorBytes;
  constexpr double kWavefront = 128;  // bytes of all banks
  const double cycles = cycles_of(trace, device);
  const model::Work work = caches::demand_of(trace, report, device);
  const auto sectors = static_cast<double>(report.global_loads.sectors + report.global_stores.sectors +
                                           report.local_loads.sectors + report.local_stores.sectors);
  KernelRoofline roofline{.arithmetic = arithmetic_of(trace, device), .roofs = {}};
  roofline.roofs = {{"dram", Text::chart_dram, work.memory_bytes,
                     device.memory_bytes_per_second.value_or(0) * rates.memory_share, Color::of_kind(0)},
                    {"l2", Text::chart_l2, static_cast<double>(report.l2_to_l1 + report.l1_to_l2) * kSector,
                     rates.l2_bytes_per_second, Color::of_kind(1)},
                    {"l1", Text::chart_l1, sectors * kSector, cycles * kWavefront, Color::of_kind(2)},
                    {"shared_memory", Text::chart_shared, work.wavefronts * kWavefront, cycles * kWavefront,
                     Color::of_kind(3)}};
  roofline.seconds = std::ranges::max(bound.level_seconds);
  return roofline;
}

class KernelRooflineDrawing {
 public:
  KernelRooflineDrawing(Sheet& sheet, const KernelRoofline& roofline, Language language)
      : sheet_(sheet), roofline_(roofline), language_(language), small_(sheet.type().small) {
    double least_x = 1, most_x = 1;
    for (const Roof& roof : roofline.roofs) {
      if (roof.bytes <= 0) continue;
      least_x = std::min(least_x, intensity(roof));
      most_x = std::max(most_x, intensity(roof));
      if (roofline.arithmetic.per_second > 0)
        most_x = std::max(most_x, roofline.arithmetic.per_second / roof.bytes_per_second);
    }
    const double most_y = std::max(roofline.rate(), roofline.arithmetic.per_second);
    x_ = {std::floor(std::log10(least_x / 2)), std::ceil(std::log10(most_x * 2))};
    y_ = {std::floor(std::log10(roofline.rate() / 4)), std::log10(most_y * 4)};
    const float numbers = text_width("100 G", small_, Label::Face::Regular) + 0.6f * small_;
    const float row = 1.35f * small_;
    plot_ = {numbers, 1.6f * row, sheet.width() - numbers - small_, sheet.height() - 4.2f * row};
  }

  void draw() {
    if (plot_.width < 4 * small_ || plot_.height < 4 * small_) return;
    for (const Roof& roof : roofline_.roofs)
      if (roof.bytes > 0) add_point(roof);
    add_peak();
    add_axes();
    for (const Roof& roof : roofline_.roofs)
      if (roof.bytes > 0) add_roof(roof);
  }

 private:
  struct Span {
    double first = 0, last = 1;  // exponents of ten
  };

  double intensity(const Roof& roof) const { return roofline_.arithmetic.operations / roof.bytes; }
  float x_of(double value) const {
    return plot_.x + plot_.width * static_cast<float>((std::log10(value) - x_.first) / (x_.last - x_.first));
  }
  float y_of(double value) const {
    return plot_.bottom() -
           plot_.height * static_cast<float>((std::log10(value) - y_.first) / (y_.last - y_.first));
  }
  bool place(float x, float y, const std::string& text, Color color, Label::Anchor anchor,
             Label::Face face = Label::Face::Regular) {
    return sheet_.place(
        {.x = x, .y = y, .text = text, .size = small_, .color = color, .anchor = anchor, .face = face});
  }
  std::string rate_text(double rate) const {
    return phrase(language_, Text::roofline_rate_value, with_prefix(language_, rate));
  }

  void add_axes() {
    for (double decade = std::ceil(x_.first); decade <= x_.last; ++decade) {
      const float x = x_of(std::pow(10, decade));
      sheet_.add(Line{.x1 = x, .y1 = plot_.y, .x2 = x, .y2 = plot_.bottom(), .color = Color::of(Role::Line)});
      place(x, plot_.bottom() + small_, with_mark(language_, fmt::format("{:g}", std::pow(10, decade))),
            Color::of(Role::Dim), Label::Anchor::Middle);
    }
    for (double decade = std::ceil(y_.first); decade <= y_.last; ++decade) {
      const float y = y_of(std::pow(10, decade));
      sheet_.add(Line{.x1 = plot_.x, .y1 = y, .x2 = plot_.right(), .y2 = y, .color = Color::of(Role::Line)});
      place(plot_.x - 0.4f * small_, y, power_text(static_cast<int>(decade)), Color::of(Role::Dim),
            Label::Anchor::End);
    }
    place(plot_.x + plot_.width / 2, plot_.bottom() + 2.4f * small_,
          std::string(say(language_, Text::roofline_intensity)), Color::of(Role::Dim), Label::Anchor::Middle);
    place(0, 0.6f * small_, std::string(say(language_, Text::roofline_rate)), Color::of(Role::Dim),
          Label::Anchor::Start);
  }

  void add_peak() {
    const Arithmetic& arithmetic = roofline_.arithmetic;
    if (arithmetic.per_second <= 0) return;
    const float y = y_of(arithmetic.per_second);
    sheet_.add(Line{
        .x1 = plot_.x, .y1 = y, .x2 = plot_.right(), .y2 = y, .color = Color::of(Role::Ink), .width = 1.5f});
    place(plot_.right(), y - 0.8f * small_,
          fmt::format("{} {}", say(language_, arithmetic.name), rate_text(arithmetic.per_second)),
          Color::of(Role::Ink), Label::Anchor::End, Label::Face::Strong);
  }

  /// The line of equal bandwidth, from the left or lower edge up to the peak.
  void add_roof(const Roof& roof) {
    const double peak =
        roofline_.arithmetic.per_second > 0 ? roofline_.arithmetic.per_second : std::pow(10, y_.last);
    const double first = std::max(std::pow(10, x_.first), std::pow(10, y_.first) / roof.bytes_per_second);
    const double last = std::min(std::pow(10, x_.last), peak / roof.bytes_per_second);
    if (last <= first) return;
    sheet_.add(Line{.x1 = x_of(first),
                    .y1 = y_of(first * roof.bytes_per_second),
                    .x2 = x_of(last),
                    .y2 = y_of(last * roof.bytes_per_second),
                    .color = roof.color,
                    .width = 1.5f});
    const std::string name = fmt::format(
        "{} {}", say(language_, roof.name),
        phrase(language_, Text::roofline_bandwidth, with_prefix(language_, roof.bytes_per_second)));
    for (const double share : {0.12, 0.3, 0.5, 0.7}) {
      const double at = std::pow(10, std::log10(first) + share * (std::log10(last) - std::log10(first)));
      if (place(x_of(at) + 0.6f * small_, y_of(at * roof.bytes_per_second) + 0.3f * small_, name, roof.color,
                Label::Anchor::Start))
        return;
    }
  }

  void add_point(const Roof& roof) {
    const float x = x_of(intensity(roof)), y = y_of(roofline_.rate());
    const float radius = 0.45f * small_;
    const size_t pick =
        sheet_.add(Pick{.tip = phrase(language_, Text::roofline_tip, say(language_, roof.name),
                                      with_mark(language_, fmt::format("{:.3g}", intensity(roof))),
                                      rate_text(roofline_.rate()))});
    sheet_.add(Rect{.x = x - radius,
                    .y = y - radius,
                    .width = 2 * radius,
                    .height = 2 * radius,
                    .radius = radius,
                    .fill = roof.color,
                    .stroke = Color::of(Role::Surface),
                    .pick = pick});
    for (const float side : {1.3f, -1.3f})
      if (place(x, y + side * small_, std::string(say(language_, roof.name)), roof.color,
                Label::Anchor::Middle, Label::Face::Strong))
        return;
  }

  Sheet& sheet_;
  const KernelRoofline& roofline_;
  Language language_;
  float small_;
  Box plot_;
  Span x_, y_;
};

}  // namespace

Result<Figure> kernel_roofline_figure(const trace::Trace& trace, const caches::CacheReport& report,
                                      const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  if (!report.is_whole())
    return fail(ErrorKind::Unsupported,
                fmt::format("the roofline is not known: the launch is large, so the caches of {} of {} "
                            "multiprocessors were modelled",
                            report.multiprocessors, report.all_multiprocessors));
  TRY(const caches::Savings savings, caches::savings_of(trace, report, device));
  const KernelRoofline roofline = roofline_of(trace, report, device, savings.bound);
  if (roofline.arithmetic.operations == 0)
    return fail(ErrorKind::Unsupported,
                "the kernel does no arithmetic that is counted, so it has no roofline");
  Figure figure = begin_figure("kernel_roofline", Text::figure_kernel_roofline, Provenance::Modelled, frame);
  figure.source = phrase(language, Text::roofline_source, trace.kernel, device.title);
  figure.table = {.columns = {{"level", ""},
                              {"bytes", "B"},
                              {"bytes_per_second", "B/s"},
                              {"operations_per_byte", "1/B"},
                              {"operations", ""},
                              {"arithmetic", ""},
                              {"peak_per_second", "1/s"},
                              {"at_most_per_second", "1/s"}},
                  .rows = {}};
  const Arithmetic& arithmetic = roofline.arithmetic;
  for (const Roof& roof : roofline.roofs)
    if (roof.bytes > 0)
      figure.table.rows.push_back({std::string(roof.key), roof.bytes, roof.bytes_per_second,
                                   arithmetic.operations / roof.bytes, arithmetic.operations,
                                   std::string(arithmetic.key), arithmetic.per_second, roofline.rate()});
  const Roof& dram = roofline.roofs.front();
  figure.explanation = phrase(
      language, Text::roofline_explain,
      with_prefix(language, arithmetic.operations) + (arithmetic.operations < 999.5 ? "" : " "),
      say(language, arithmetic.name),
      with_mark(language, fmt::format("{:.3g}", dram.bytes > 0 ? arithmetic.operations / dram.bytes : 0)),
      phrase(language, Text::roofline_rate_value, with_prefix(language, roofline.rate())),
      say(language, path_name(savings.bound.limit)));
  Sheet sheet(figure, frame);
  KernelRooflineDrawing(sheet, roofline, language).draw();
  return figure;
}

}  // namespace lanescope::plot
