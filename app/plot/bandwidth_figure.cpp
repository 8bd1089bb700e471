// Bandwidth of kernels side by side: a bar each, and the line of a plain copy that no kernel is expected to
// pass by much. Half of the repetitions lie within the thin line at a bar's end. Tests:
// tests/unit/plot/bandwidth_figure_test.cpp, tests/golden/figures

#include "plot/figures.h"
#include "plot/sheet.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

/// To whole numbers: more would promise what repetitions do not keep.
std::string whole(Language language, double amount) {
  return number(language, static_cast<uint64_t>(amount + 0.5));
}
std::string whole_percent(Language language, double share) {
  return percent(language, static_cast<double>(static_cast<int>(100 * share + 0.5)) / 100);
}

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
  BandwidthDrawing(Sheet& sheet, const Bandwidth& bandwidth, double end, Language language)
      : sheet_(sheet), bandwidth_(bandwidth), language_(language), row_(1.4f * sheet.type().text) {
    maximum_ = end;
    for (const Bandwidth::Bar& bar : bandwidth.bars) {
      names_ = std::max(names_, text_width(bar.kernel, type().text, Label::Face::Strong));
      amounts_ = std::max(amounts_, text_width(amount_of(bar), type().text, Label::Face::Strong));
      shares_ = std::max(shares_, text_width(percent_of(bar), type().small, Label::Face::Regular));
    }
  }

  void draw() {
    if (bandwidth_.bars.empty() || maximum_ <= 0) return;
    const float space = 0.6f * type().text;
    const bool with_shares = names_ + amounts_ + shares_ + 2 * space < 0.6f * sheet_.width();
    const float right = sheet_.width() - amounts_ - (with_shares ? shares_ + space : 0) - space;
    const float left = std::min(names_, 0.35f * sheet_.width()) + space;
    const Box area{left, row_, right - left, sheet_.height() - row_};
    if (area.width < 2 * type().text || area.height <= 0) return;
    const float each = std::min(area.height / static_cast<float>(bandwidth_.bars.size()), 3.2f * row_);
    const auto add = [&](const Bandwidth::Bar& bar) {
      const auto row = static_cast<float>(&bar - bandwidth_.bars.data());
      add_bar(bar, {area.x, area.y + row * each, area.width, each}, with_shares);
    };
    // Where names leave each other no room the first one stays, which is to be that of the current kernel.
    const bool is_tight = each < 1.3f * type().text;
    const auto current =
        is_tight ? std::ranges::find(bandwidth_.bars, true, &Bandwidth::Bar::current) : bandwidth_.bars.end();
    if (current != bandwidth_.bars.end()) add(*current);
    for (const Bandwidth::Bar& bar : bandwidth_.bars)
      if (!is_tight || !bar.current) add(bar);
    add_copy({area.x, area.y, area.width, each * static_cast<float>(bandwidth_.bars.size())});
  }

 private:
  const Type& type() const { return sheet_.type(); }
  std::string amount_of(const Bandwidth::Bar& bar) const { return whole(language_, bar.gb_per_second); }
  std::string percent_of(const Bandwidth::Bar& bar) const {
    return whole_percent(language_, bar.share_of_copy);
  }
  float length(double amount, float width) const { return static_cast<float>(amount / maximum_) * width; }

  size_t add_pick(const Bandwidth::Bar& bar) {
    std::string tip = phrase(language_, Text::figure_bandwidth_tip, bar.kernel, amount_of(bar),
                             percent_of(bar), whole(language_, bar.lowest), whole(language_, bar.highest));
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
      sheet_.place({.x = x,
                    .y = y,
                    .text = line,
                    .size = type().small,
                    .color = Color::of(Role::Dim),
                    .anchor = Label::Anchor::Start});
    }
  }

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
    strip(std::max(length(bar.gb_per_second, box.width), 2.0f),
          Color::of(Role::Accent, bar.current ? 1 : 0.45f));
    sheet_.add(Line{.x1 = box.x + length(bar.lowest, box.width),
                    .y1 = middle,
                    .x2 = box.x + length(bar.highest, box.width),
                    .y2 = middle,
                    .color = Color::of(Role::Ink),
                    .width = 1.5f});
    sheet_.place({.x = box.x - 0.6f * type().text,
                  .y = middle,
                  .text = shorten(bar.kernel, box.x - 0.6f * type().text, type().text, Label::Face::Strong),
                  .size = type().text,
                  .color = Color::of(Role::Ink),
                  .anchor = Label::Anchor::End,
                  .face = bar.current ? Label::Face::Strong : Label::Face::Regular});
    float x = sheet_.width();
    if (with_share) {
      sheet_.place({.x = x,
                    .y = middle,
                    .text = percent_of(bar),
                    .size = type().small,
                    .color = Color::of(Role::Dim),
                    .anchor = Label::Anchor::End});
      x -= shares_ + 0.6f * type().text;
    }
    sheet_.place({.x = x,
                  .y = middle,
                  .text = amount_of(bar),
                  .size = type().text,
                  .color = Color::of(Role::Ink),
                  .anchor = Label::Anchor::End,
                  .face = Label::Face::Strong});
    if (room < box.height) add_counts(bar, box.x, middle + height / 2 - type().small / 2, box.bottom());
  }

  void add_copy(const Box& area) {
    if (bandwidth_.copy_gb_per_second <= 0) return;
    const float x = area.x + length(bandwidth_.copy_gb_per_second, area.width);
    sheet_.add(Line{
        .x1 = x, .y1 = area.y, .x2 = x, .y2 = area.bottom(), .color = Color::of(Role::Good), .width = 2});
    sheet_.place({.x = x - 0.4f * type().small,
                  .y = row_ / 2,
                  .text = phrase(language_, Text::figure_bandwidth_copy,
                                 whole(language_, bandwidth_.copy_gb_per_second)),
                  .size = type().small,
                  .color = Color::of(Role::Good),
                  .anchor = Label::Anchor::End});
    // What the numbers on the right are.
    sheet_.place({.x = area.right() + 0.6f * type().text + amounts_,
                  .y = row_ / 2,
                  .text = std::string(say(language_, Text::figure_gb_per_second)),
                  .size = type().small,
                  .color = Color::of(Role::Dim),
                  .anchor = Label::Anchor::End});
  }

  Sheet& sheet_;
  const Bandwidth& bandwidth_;
  Language language_;
  float row_;
  double maximum_ = 0;
  float names_ = 0, amounts_ = 0, shares_ = 0;
};

double fastest(const Bandwidth& bandwidth) {
  double maximum = bandwidth.copy_gb_per_second;
  for (const Bandwidth::Bar& bar : bandwidth.bars)
    maximum = std::max({maximum, bar.gb_per_second, bar.highest});
  return maximum;
}

std::string explain(const Bandwidth& bandwidth, Language language) {
  const auto current = std::ranges::find(bandwidth.bars, true, &Bandwidth::Bar::current);
  if (current == bandwidth.bars.end() || bandwidth.copy_gb_per_second <= 0) return {};
  // Kernels that move other amounts are compared with copies of their own.
  const auto best = std::ranges::max_element(bandwidth.bars, {}, &Bandwidth::Bar::share_of_copy);
  return phrase(language, Text::figure_bandwidth_explained, current->kernel,
                whole_percent(language, current->share_of_copy), best->kernel,
                whole_percent(language, best->share_of_copy));
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

Table table_of(const Bandwidth& bandwidth) {
  Table table{.columns = {{"kernel", ""},
                          {"bandwidth", "GB/s"},
                          {"lower_quartile", "GB/s"},
                          {"upper_quartile", "GB/s"},
                          {"share_of_copy", ""},
                          {"copy", "GB/s"},
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
  for (const Bandwidth::Bar& bar : bandwidth.bars) {
    const trace::HardwareCounts counts = bar.counts.value_or(trace::HardwareCounts{});
    const trace::HardwareCounts emulated = bar.emulated.value_or(trace::HardwareCounts{});
    table.rows.push_back({bar.kernel, bar.gb_per_second, bar.lowest, bar.highest, bar.share_of_copy,
                          bandwidth.copy_gb_per_second, cell(sectors_of(counts)), cell(wavefronts_of(counts)),
                          cell(trace::l2_bytes(counts)), cell(trace::dram_bytes(counts)),
                          cell(sectors_of(emulated)), cell(wavefronts_of(emulated))});
  }
  return table;
}

}  // namespace

Figure bandwidth_figure(const Bandwidth& bandwidth, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("bandwidth", Text::figure_bandwidth, bandwidth.provenance, frame);
  const std::string gpu = bandwidth.chosen_gpu.empty() ? bandwidth.gpu
                                                       : phrase(language, Text::window_other_device,
                                                                bandwidth.gpu, bandwidth.chosen_gpu);
  figure.subtitle = fmt::format("{} · {}", gpu, bandwidth.size);
  figure.source = source_of(bandwidth, language);
  figure.explanation = explain(bandwidth, language);
  figure.table = table_of(bandwidth);
  Sheet sheet(figure, frame);
  figure.scale.ends[0] = fastest(bandwidth);
  BandwidthDrawing(sheet, bandwidth, common(figure.scale, frame.scale).ends[0], language).draw();
  return figure;
}

}  // namespace lanescope::plot
