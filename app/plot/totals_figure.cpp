// Totals of the whole grid: a bar per memory instruction of a source line, its ideal part and its excess, in
// two groups with a scale each (sectors of global and local memory, wavefronts of shared memory). Where there
// is room an instruction takes two rows, the source line above its bar; else one. Instructions without room
// are counted on a last line, the cheapest first. Tests: tests/unit/plot/totals_figure_test.cpp,
// tests/golden/figures

#include "base/counted_phrase.h"
#include "plot/difference.h"
#include "plot/figures.h"
#include "plot/sheet.h"
#include "plot/text_width.h"
#include "plot/wording.h"
#include "trace/traffic.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

using trace::Space;

/// Instructions that do the same on the same source line, as an unrolled loop has them, share a bar.
struct Bar {
  const trace::Site* site = nullptr;  // the first of them
  int sites = 0;
  uint64_t requests = 0;
  bool shared = false;
  uint64_t actual = 0, ideal = 0;
  std::optional<uint64_t> in_a = {};  // of the same instruction of another run

  double ratio() const { return ideal == 0 ? 0 : static_cast<double>(actual) / static_cast<double>(ideal); }
};

bool same_place(const trace::Site& one, const trace::Site& other) {
  return one.source.line > 0 && one.source == other.source && one.operation == other.operation;
}

/// Bars of global and local memory first, each group in program order. Constant memory has no such cost, and
/// that of textures and surfaces is not known.
std::vector<Bar> bars_of(const RunTotals& run) {
  const trace::Trace& trace = run.trace;
  std::vector<Bar> bars;
  for (const bool shared : {false, true}) {
    for (size_t n = 0; n < trace.sites.size() && n < run.totals.size(); ++n) {
      const trace::Site& site = trace.sites[n];
      const trace::Totals& totals = run.totals[n];
      const Space space = site.operation.space;
      if (space == Space::Constant || !has_addresses(space)) continue;
      if ((space == Space::Shared) != shared || totals.requests == 0) continue;
      auto bar = std::ranges::find_if(bars, [&](const Bar& known) { return same_place(*known.site, site); });
      if (bar == bars.end()) bar = bars.insert(bar, Bar{.site = &site, .shared = shared});
      ++bar->sites;
      bar->requests += totals.requests;
      bar->actual += shared ? totals.wavefronts : totals.sectors;
      bar->ideal += shared ? totals.ideal_wavefronts : totals.ideal_sectors;
    }
  }
  return bars;
}

/// The words for what is counted, of global and of shared memory.
struct Words {
  Text heading, one, many, fewer, more, equal;
};
Words words_of(model::CostUnits units, bool shared) {
  using enum Text;
  if (units == model::CostUnits::Transactions)
    return shared ? Words{figure_shared_passes, figure_one_pass,    figure_many_passes,
                          figure_fewer_passes,  figure_more_passes, figure_equal_passes}
                  : Words{figure_global_transactions, figure_one_transaction,   figure_many_transactions,
                          figure_fewer_transactions,  figure_more_transactions, figure_equal_transactions};
  return shared ? Words{figure_shared_group,     figure_one_wavefront,   figure_many_wavefronts,
                        figure_fewer_wavefronts, figure_more_wavefronts, figure_equal_wavefronts}
                : Words{figure_global_group,  figure_one_sector,   figure_many_sectors,
                        figure_fewer_sectors, figure_more_sectors, figure_equal_sectors};
}

std::string cost_name(const Bar& bar, model::CostUnits units, Language language) {
  const Words words = words_of(units, bar.shared);
  return counted(language, bar.actual, words.one, words.many);
}

/// Which bar of another run is the same instruction: at the same place of the same source, else as many of
/// the same operation come before it.
void find_in_a(std::vector<Bar>& bars, const std::vector<Bar>& in_a) {
  for (size_t n = 0; n < bars.size(); ++n) {
    const auto same_operation = [&](const Bar& bar) {
      return bar.site->operation.space == bars[n].site->operation.space &&
             bar.site->operation.kind == bars[n].site->operation.kind;
    };
    auto found =
        std::ranges::find_if(in_a, [&](const Bar& bar) { return same_place(*bar.site, *bars[n].site); });
    if (found == in_a.end()) {
      auto before = std::count_if(bars.begin(), bars.begin() + static_cast<ptrdiff_t>(n), same_operation);
      found =
          std::ranges::find_if(in_a, [&](const Bar& bar) { return same_operation(bar) && before-- == 0; });
    }
    if (found != in_a.end()) bars[n].in_a = found->actual;
  }
}

Change change_of(const Bar& bar) {
  return bar.in_a ? plot::change_of(static_cast<double>(bar.actual), static_cast<double>(*bar.in_a))
                  : Change::More;
}

/// How the count compares with that of A.
std::string against_name(const Bar& bar, Language language) {
  if (!bar.in_a) return std::string(say(language, Text::figure_not_in_a));
  return difference_text(language, static_cast<double>(bar.actual), static_cast<double>(*bar.in_a));
}

std::string ratio_name(const Bar& bar, Language language) {
  if (bar.actual <= bar.ideal) return std::string(say(language, Text::figure_at_ideal));
  return phrase(language, Text::figure_times_ideal, decimal(language, bar.ratio()));
}

class TotalsDrawing {
 public:
  enum class Numbers { OfRun, AgainstA };
  /// Adds to `scale` the numbers of bars and of groups and the widths of names and numbers; draws with room
  /// for those of the figure beside it too.
  TotalsDrawing(Sheet& sheet, std::vector<Bar> bars, Scale& scale, Numbers numbers, model::CostUnits units,
                const Frame& frame)
      : sheet_(sheet),
        bars_(std::move(bars)),
        numbers_(numbers),
        units_(units),
        language_(frame.language),
        row_(1.4f * sheet.type().text) {
    if (bars_.empty()) return;
    measure();
    const bool two_groups = bars_.front().shared != bars_.back().shared;
    scale.room = {places_, counts_, ratios_, static_cast<float>(bars_.size()), two_groups ? 2.0f : 1.0f};
    both_ = common(scale, frame.scale);
  }

  void draw() {
    if (bars_.empty()) return;
    const auto groups = static_cast<size_t>(both_.room[4]);
    auto rows = static_cast<size_t>(both_.room[3]);
    float heading = row_;
    tall_ = fits(rows, kTallRows, heading, groups);
    if (!tall_ && !fits(rows, 1, heading, groups)) heading = 0;
    size_t hidden = 0;
    bool with_note = false;
    while (rows > 1 && !fits(rows, tall_ ? kTallRows : 1, heading, groups, with_note)) {
      --rows;
      with_note = true;
    }
    while (bars_.size() > rows) {
      hide_cheapest();
      ++hidden;
    }
    const float note = with_note ? row_ : 0;
    const float free = sheet_.height() - note - heading * static_cast<float>(groups);
    // Rows share what is left, but do not grow beyond what still looks like a list.
    const float each = std::min(free / static_cast<float>(rows), (tall_ ? 4.2f : 2.2f) * row_);
    measure();
    places_ = std::max(places_, both_.room[0]);
    counts_ = std::max(counts_, both_.room[1]);
    ratios_ = std::max(ratios_, both_.room[2]);
    float y = 0;
    for (size_t n = 0; n < bars_.size(); ++n) {
      const bool opens = n == 0 || bars_[n].shared != bars_[n - 1].shared;
      if (opens && heading > 0) {
        add_heading(bars_[n].shared, y + heading / 2);
        y += heading;
      }
      const Box box{0, y, sheet_.width(), each};
      const size_t pick = sheet_.add(pick_of(bars_[n]));
      if (tall_) {
        add_tall(bars_[n], box, pick);
      } else {
        add_flat(bars_[n], box, pick);
      }
      y += each;
    }
    if (hidden > 0) {
      sheet_.place({.x = 0,
                    .y = sheet_.height() - row_ / 2,
                    .text = phrase(language_, Text::figure_more_sites, hidden),
                    .size = type().small,
                    .color = Color::of(Role::Dim)});
    }
  }

 private:
  static constexpr float kTallRows = 2.1f;  // rows of text that an instruction takes with its source line

  const Type& type() const { return sheet_.type(); }

  bool fits(size_t bars, float rows_each, float heading, size_t groups, bool with_note = false) const {
    return (static_cast<float>(bars) * rows_each + (with_note ? 1 : 0)) * row_ +
               heading * static_cast<float>(groups) <=
           sheet_.height();
  }

  void hide_cheapest() {
    // Beside another run, what differs from it matters as much as what is wasted.
    const auto cost = [](const Bar& bar) {
      const uint64_t in_a = bar.in_a.value_or(bar.actual);
      return std::max(bar.actual - std::min(bar.actual, bar.ideal),
                      std::max(bar.actual, in_a) - std::min(bar.actual, in_a));
    };
    // Of two that waste as much, the later one goes.
    auto cheapest = bars_.begin();
    for (auto bar = bars_.begin(); bar != bars_.end(); ++bar) {
      if (cost(*bar) <= cost(*cheapest)) cheapest = bar;
    }
    bars_.erase(cheapest);
  }

  /// How an instruction is named: "line 14 ld.shared ×4", "14 ld.shared ×4", "14 LD s ×4".
  enum class Naming { Full, Number, Mark };
  std::string place_of(const Bar& bar) const {
    const trace::Site& site = *bar.site;
    std::string operation =
        naming_ == Naming::Mark ? operation_mark(site.operation) : operation_name(site.operation);
    if (bar.sites > 1) operation += fmt::format(" ×{}", bar.sites);
    if (naming_ == Naming::Full || site.source.line <= 0) {
      return fmt::format("{} {}", line_name(language_, site), operation);
    }
    return fmt::format("{} {}", site.source.line, operation);
  }
  std::string count_of(const Bar& bar) const { return number(language_, bar.actual); }
  bool is_compared() const { return numbers_ == Numbers::AgainstA; }
  std::string note_of(const Bar& bar) const {
    return is_compared() ? against_name(bar, language_) : ratio_name(bar, language_);
  }

  void measure() {
    for (const Naming naming : {Naming::Full, Naming::Number, Naming::Mark}) {
      naming_ = naming;
      places_ = 0;
      for (const Bar& bar : bars_) {
        places_ = std::max(places_, text_width(place_of(bar), type().small, Label::Face::Regular));
      }
      if (places_ <= 0.3f * sheet_.width()) break;
    }
    counts_ = ratios_ = 0;
    for (const Bar& bar : bars_) {
      counts_ = std::max(counts_, text_width(count_of(bar), type().text, Label::Face::Strong));
      ratios_ = std::max(ratios_, text_width(note_of(bar), type().small, Label::Face::Regular));
    }
  }

  Pick pick_of(const Bar& bar) const {
    std::string tip = phrase(language_, Text::figure_site_tip, line_name(language_, *bar.site),
                             operation_name(bar.site->operation), number(language_, bar.requests),
                             cost_name(bar, units_, language_), number(language_, bar.ideal));
    if (bar.sites > 1) tip += '\n' + phrase(language_, Text::figure_site_count_tip, bar.sites);
    return {.tip = std::move(tip), .site = bar.site->id};
  }

  void add_heading(bool shared, float y) {
    sheet_.place({.x = 0,
                  .y = y,
                  .text = std::string(say(language_, words_of(units_, shared).heading)),
                  .size = type().text,
                  .color = Color::of(Role::Ink),
                  .face = Label::Face::Strong});
  }

  /// The bar within `track`: the ideal part, then the excess.
  void add_bar(const Bar& bar, const Box& track, size_t pick) {
    const double maximum = std::max(both_.ends[bar.shared], 1.0);
    const auto length = [&](uint64_t amount) {
      return static_cast<float>(static_cast<double>(amount) / maximum) * track.width;
    };
    const float radius = std::min(3.0f, track.height / 3);
    sheet_.add(Rect{.x = track.x,
                    .y = track.y,
                    .width = track.width,
                    .height = track.height,
                    .radius = radius,
                    .fill = Color::of(Role::Sunken)});
    if (bar.actual > bar.ideal) {
      sheet_.add(Rect{.x = track.x,
                      .y = track.y,
                      .width = length(bar.actual),
                      .height = track.height,
                      .radius = radius,
                      .fill = Color::of(Role::Bad)});
    }
    // At least a sliver, so that a small ideal next to a large excess can be seen.
    sheet_.add(Rect{.x = track.x,
                    .y = track.y,
                    .width = std::max(length(std::min(bar.ideal, bar.actual)), 2.0f),
                    .height = track.height,
                    .radius = radius,
                    .fill = Color::of(Role::Good)});
    sheet_.add(Rect{.x = 0, .y = track.y, .width = sheet_.width(), .height = track.height, .pick = pick});
  }

  /// Count and ratio, right-aligned; returns where they begin.
  float add_numbers(const Bar& bar, float y) {
    const bool differs = is_compared() && change_of(bar) != Change::Same;
    const Role plain = bar.actual > bar.ideal ? Role::Bad : Role::Good;
    const Role note = differs ? Role::Accent : is_compared() ? Role::Dim : plain;
    float right = sheet_.width();
    const float space = 0.6f * type().small;
    const bool with_ratio = counts_ + ratios_ + space < 0.5f * sheet_.width();
    if (with_ratio) {
      sheet_.place({.x = right,
                    .y = y,
                    .text = note_of(bar),
                    .size = type().small,
                    .color = Color::of(note),
                    .anchor = Label::Anchor::End});
      right -= ratios_ + space;
    }
    sheet_.place({.x = right,
                  .y = y,
                  .text = count_of(bar),
                  .size = type().text,
                  .color = Color::of(differs ? Role::Accent : Role::Ink),
                  .anchor = Label::Anchor::End,
                  .face = Label::Face::Strong});
    return right - counts_;
  }

  void add_tall(const Bar& bar, const Box& box, size_t pick) {
    const float y = box.y + row_ / 2;
    const float numbers = add_numbers(bar, y);
    const std::string place =
        shorten(place_of(bar), numbers - type().text, type().small, Label::Face::Regular);
    sheet_.place({.x = 0, .y = y, .text = place, .size = type().small, .color = Color::of(Role::Dim)});
    const float code = places_ + 0.8f * type().text;
    const float room = numbers - type().text - code;
    if (room > 6 * type().small) {
      sheet_.place({.x = code,
                    .y = y,
                    .text = shorten(bar.site->source_text, room, type().small, Label::Face::Mono),
                    .size = type().small,
                    .color = Color::of(Role::Ink),
                    .face = Label::Face::Mono});
    }
    const float height = std::min((box.height - row_) * 0.65f, 2.2f * type().text);
    add_bar(bar, {0, box.y + row_, sheet_.width(), height}, pick);
  }

  void add_flat(const Bar& bar, const Box& box, size_t pick) {
    const float y = box.y + box.height / 2;
    const float numbers = add_numbers(bar, y);
    const float left = std::min(places_, 0.45f * numbers);
    sheet_.place({.x = 0,
                  .y = y,
                  .text = shorten(place_of(bar), left, type().small, Label::Face::Regular),
                  .size = type().small,
                  .color = Color::of(Role::Ink)});
    const float space = 0.6f * type().text;
    const float width = numbers - left - 2 * space;
    const float height = std::min(0.7f * box.height, 1.6f * type().text);
    if (width > 2 * type().text) add_bar(bar, {left + space, y - height / 2, width, height}, pick);
  }

  Sheet& sheet_;
  std::vector<Bar> bars_;
  Scale both_;  // ends: [shared]
  Numbers numbers_;
  model::CostUnits units_;
  Language language_;
  float row_;
  bool tall_ = false;
  Naming naming_ = Naming::Full;
  float places_ = 0, counts_ = 0, ratios_ = 0;
};

std::string explain(const std::vector<Bar>& bars, model::CostUnits units, Language language) {
  if (bars.empty()) return {};
  const Bar& worst = *std::ranges::max_element(bars, {}, &Bar::ratio);
  if (worst.actual <= worst.ideal) return std::string(say(language, Text::figure_totals_best));
  std::string sentence = phrase(language, Text::figure_totals_worst, line_name(language, *worst.site),
                                operation_name(worst.site->operation), cost_name(worst, units, language),
                                number(language, worst.ideal), decimal(language, worst.ratio()));
  if (sentence.front() >= 'a' && sentence.front() <= 'z') sentence.front() += 'A' - 'a';
  return sentence;
}

/// "32× fewer wavefronts than A, as many sectors as A."
std::string explain_against(const std::vector<Bar>& bars, const std::vector<Bar>& in_a,
                            model::CostUnits units, Language language) {
  const auto sum = [](const std::vector<Bar>& all, bool shared) {
    uint64_t total = 0;
    for (const Bar& bar : all) total += bar.shared == shared ? bar.actual : 0;
    return static_cast<double>(total);
  };
  std::string sentence;
  for (const bool shared : {true, false}) {
    const double now = sum(bars, shared), before = sum(in_a, shared);
    if (now == 0 || before == 0) continue;  // the bars show it
    const Words words = words_of(units, shared);
    const std::string part = now == before  ? std::string(say(language, words.equal))
                             : now < before ? phrase(language, words.fewer, decimal(language, before / now))
                                            : phrase(language, words.more, decimal(language, now / before));
    sentence += (sentence.empty() ? "" : ", ") + part;
  }
  if (sentence.empty()) return sentence;
  if (sentence.front() >= 'a' && sentence.front() <= 'z') sentence.front() += 'A' - 'a';
  return sentence + ".";
}

Scale scale_of(const std::vector<Bar>& bars) {
  Scale scale;
  for (const Bar& bar : bars)
    scale.ends[bar.shared] = std::max(scale.ends[bar.shared], static_cast<double>(bar.actual));
  return scale;
}

Table table_of(const RunTotals& run) {
  const trace::Trace& trace = run.trace;
  const bool is_today = run.units == model::CostUnits::Sectors;
  Table table{.columns = {{"line", ""},
                          {"text", ""},
                          {"ptx", ""},
                          {"space", ""},
                          {"kind", ""},
                          {"bytes_per_lane", "B"},
                          {"requests", ""},
                          {"lanes", ""},
                          {"bytes", "B"},
                          {is_today ? "sectors" : "transactions", ""},
                          {is_today ? "ideal_sectors" : "ideal_transactions", ""},
                          {"lines", ""},
                          {is_today ? "wavefronts" : "passes", ""},
                          {is_today ? "ideal_wavefronts" : "ideal_passes", ""}},
              .rows = {}};
  for (size_t n = 0; n < trace.sites.size() && n < run.totals.size(); ++n) {
    const trace::Site& site = trace.sites[n];
    const trace::Totals& totals = run.totals[n];
    const auto count = [](uint64_t value) { return TableValue(static_cast<int64_t>(value)); };
    table.rows.push_back({int64_t{site.source.line}, site.source_text, site.ptx_text,
                          std::string(trace::name_of(site.operation.space)),
                          std::string(trace::name_of(trace::traffic_of(site.operation))),
                          int64_t{site.operation.bytes_per_lane}, count(totals.requests), count(totals.lanes),
                          count(totals.bytes), count(totals.sectors), count(totals.ideal_sectors),
                          count(totals.lines), count(totals.wavefronts), count(totals.ideal_wavefronts)});
  }
  return table;
}

}  // namespace

Figure totals_figure(const trace::Trace& trace, const Frame& frame, const trace::Trace* against) {
  const RunTotals run{trace, trace.totals};
  if (against == nullptr) return totals_figure(run, frame);
  const RunTotals in_a{*against, against->totals};
  return totals_figure(run, frame, &in_a);
}

Figure totals_figure(const RunTotals& run, const Frame& frame, const RunTotals* against) {
  const Language language = frame.language;
  const trace::Trace& trace = run.trace;
  // Other units are no smaller or larger.
  if (against != nullptr && against->units != run.units) against = nullptr;
  Figure figure = begin_figure("totals", Text::totals, trace.provenance, frame);
  std::vector<Bar> bars = bars_of(run);
  figure.scale = scale_of(bars);
  figure.subtitle =
      counted_phrase(language, Text::figure_totals_place, trace.kernel, number(language, volume(trace.grid)),
                     number(language, volume(trace.block)));
  // By the rules of an older device the stored accesses are counted, which are those of the PTX.
  if (trace.level == trace::CountLevel::MachineCode && run.units == model::CostUnits::Sectors)
    add_to_subtitle(figure, std::string(say(language, Text::figure_level_sass)));
  figure.source = phrase(language, Text::figure_totals_source, trace.kernel);
  figure.explanation = explain(bars, run.units, language);
  if (!trace.is_complete) figure.explanation = say(language, Text::figure_totals_incomplete);
  figure.table = table_of(run);
  if (against != nullptr) {
    const std::vector<Bar> in_a = bars_of(*against);
    find_in_a(bars, in_a);
    if (std::string sentence = explain_against(bars, in_a, run.units, language); !sentence.empty())
      figure.explanation = std::move(sentence);
  }
  using Numbers = TotalsDrawing::Numbers;
  Sheet sheet(figure, frame);
  TotalsDrawing(sheet, std::move(bars), figure.scale, against != nullptr ? Numbers::AgainstA : Numbers::OfRun,
                run.units, frame)
      .draw();
  return figure;
}

}  // namespace lanescope::plot
