// The memory chart of a launch: kernel, L1 and shared memory, L2, DRAM as boxes; requests, sectors, bytes and
// hit rates between them. A meter says how long each path is busy, as a share of the one that is busy
// longest; that one has the color of excess. Where only some multiprocessors were modelled, the L2 and the
// DRAM stay empty. Tests: tests/unit/plot/memory_chart_figure_test.cpp

#include "base/counted_phrase.h"
#include "caches/known_devices.h"
#include "caches/savings.h"
#include "plot/figures.h"
#include "plot/sheet.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

using caches::CacheReport;
using caches::Sectors;
using model::Level;

constexpr uint64_t kSector = model::kSectorBytes;

/// Bytes in the largest decimal unit that leaves a digit before the point: "4.2 MB".
std::string bytes_text(Language language, uint64_t bytes) {
  static constexpr std::array kUnits{Text::chart_bytes, Text::chart_kilobytes, Text::chart_megabytes,
                                     Text::chart_gigabytes};
  auto amount = static_cast<double>(bytes);
  size_t unit = 0;
  for (; amount >= 999.5 && unit + 1 < kUnits.size(); ++unit) amount /= 1000;
  const std::string digits = amount >= 99.5 || unit == 0 ? fmt::format("{:.0f}", amount)
                             : amount >= 9.95            ? fmt::format("{:.1f}", amount)
                                                         : fmt::format("{:.2f}", amount);
  return phrase(language, kUnits[unit], with_mark(language, digits));
}

/// A path between the kernel and the L1, or to shared memory.
struct ChartRow {
  Text name;
  const char* key;  // in tables
  uint64_t requests = 0;
  uint64_t amount = 0;  // sectors, or wavefronts of shared memory
  uint64_t ideal = 0;   // wavefronts; 0: not of shared memory
  std::optional<double> hit_rate = {};
  bool is_shared = false;
};

std::vector<ChartRow> requests_of(const trace::Trace& trace, const CacheReport& report) {
  std::vector<ChartRow> requests;
  const auto add = [&](Text name, const char* key, const Sectors& sectors, bool is_cached) {
    if (sectors.requests == 0) return;
    requests.push_back({.name = name,
                        .key = key,
                        .requests = sectors.requests,
                        .amount = sectors.sectors,
                        .hit_rate = is_cached ? std::optional(sectors.hit_rate()) : std::nullopt});
  };
  add(Text::chart_global_loads, "global_loads", report.global_loads, true);
  add(Text::chart_global_stores, "global_stores", report.global_stores, true);
  add(Text::chart_local_loads, "local_loads", report.local_loads, true);
  add(Text::chart_local_stores, "local_stores", report.local_stores, true);
  add(Text::chart_atomics, "atomics", report.atomics, false);
  ChartRow shared{.name = Text::chart_shared_accesses, .key = "shared_memory", .is_shared = true};
  for (size_t n = 0; n < trace.sites.size(); ++n) {
    if (trace.sites[n].operation.space != trace::Space::Shared) continue;
    shared.requests += trace.totals[n].requests;
    shared.amount += trace.totals[n].wavefronts;
    shared.ideal += trace.totals[n].ideal_wavefronts;
  }
  requests.push_back(shared);
  return requests;
}

/// How long the paths are busy.
class Loads {
 public:
  explicit Loads(const Result<caches::Savings>& savings) {
    if (!savings) return;
    bound_ = savings->bound;
    longest_ = std::ranges::max(bound_->level_seconds);
  }
  /// Share of the busiest path's time, of the slower of two levels; nothing: not known.
  std::optional<double> share(Level one, Level other) const {
    if (!bound_ || longest_ == 0) return {};
    return std::max(seconds(one), seconds(other)) / longest_;
  }
  double seconds(Level level) const { return bound_ ? bound_->level_seconds[static_cast<size_t>(level)] : 0; }

 private:
  std::optional<model::BoundTerms> bound_;
  double longest_ = 0;
};

class ChartDrawing {
 public:
  ChartDrawing(Sheet& sheet, const trace::Trace& trace, const CacheReport& report,
               const model::Device& device, const Loads& loads, Language language)
      : sheet_(sheet),
        report_(report),
        device_(device),
        loads_(loads),
        language_(language),
        requests_(requests_of(trace, report)),
        small_(std::clamp(sheet.height() / (6.5f * static_cast<float>(requests_.size())), sheet.type().small,
                          1.25f * sheet.type().text)),
        line_(1.3f * small_) {}

  void draw() {
    const float width = sheet_.width(), height = sheet_.height();
    const auto rows = static_cast<float>(requests_.size());
    const float row = height / rows;
    const float gap = std::min(0.35f * small_, 0.05f * height);
    const auto column = [&](float from, float to, float top, float bottom) {
      return Box{width * from, top, width * (to - from), bottom - top};
    };
    const Box kernel = column(0, 0.1f, 0, height);
    const Box l1 = column(0.4f, 0.565f, 0, (rows - 1) * row - gap);
    const Box shared = column(0.4f, 0.565f, (rows - 1) * row + gap, height);
    const Box l2 = column(0.685f, 0.8f, 0, height);
    const Box dram = column(0.9f, 1, 0, height);
    const bool computes = loads_.seconds(Level::Arithmetic) > 0;
    add_box(kernel, {words(Text::chart_kernel), computes ? words(Text::bound_arithmetic) : std::string(), {}},
            computes ? loads_.share(Level::Arithmetic, Level::Arithmetic) : std::nullopt,
            tip(Text::chart_tip_arithmetic, loads_.seconds(Level::Arithmetic)));
    add_box(l1,
            {words(Text::chart_l1), size_text(uint64_t{report_.l1_lines} * model::kLineBytes), hits_of_l1()},
            loads_.share(Level::L1, Level::L1), tip(Text::chart_tip_l1, loads_.seconds(Level::L1)));
    add_box(shared, {words(Text::chart_shared), size_text(uint64_t{report_.carve_out_kib} << 10), {}},
            loads_.share(Level::SharedMemory, Level::SharedMemory),
            tip(Text::chart_tip_shared, loads_.seconds(Level::SharedMemory)));
    add_box(l2,
            {words(Text::chart_l2), size_text(device_.caches ? device_.caches->l2_bytes : 0), hits_of_l2()},
            {}, "");
    add_box(dram, {words(Text::chart_dram), {}, {}}, {}, "");
    for (size_t n = 0; n < requests_.size(); ++n)
      add_request(requests_[n], kernel, l1, (static_cast<float>(n) + 0.5f) * row);
    add_traffic(l1.right(), l2.x, {report_.l2_to_l1, report_.l1_to_l2}, loads_.share(Level::L2, Level::Lines),
                tip(Text::chart_tip_l2, std::max(loads_.seconds(Level::L2), loads_.seconds(Level::Lines))));
    if (report_.is_whole())
      add_traffic(l2.right(), dram.x, {report_.l2.dram_read, report_.l2.dram_written, band_text()},
                  loads_.share(Level::Memory, Level::Memory),
                  tip(Text::chart_tip_dram, loads_.seconds(Level::Memory)));
  }

 private:
  struct BoxTexts {
    std::string title, size, hits;
  };
  struct Traffic {
    uint64_t read = 0, written = 0;  // sectors
    std::string band = {};           // of the reads, in place of their bytes; empty: none
  };

  std::string words(Text text) const { return std::string(say(language_, text)); }
  std::string tip(Text text, double seconds) const {
    return phrase(language_, text, with_mark(language_, fmt::format("{:.1f}", seconds * 1e6)));
  }
  std::string size_text(uint64_t bytes) const {
    if (bytes == 0) return "";
    if (bytes >= uint64_t{1} << 20) return phrase(language_, Text::chart_mebibytes, bytes >> 20);
    return phrase(language_, Text::chart_kibibytes, bytes >> 10);
  }
  /// "34 to 52 MB" where the DRAM's reads are a band.
  std::string band_text() const {
    if (!report_.has_band()) return "";
    return phrase(language_, Text::chart_band, bytes_text(language_, report_.dram_read_low * kSector),
                  bytes_text(language_, report_.dram_read_high * kSector));
  }
  std::string hit_text(double share) const {
    return phrase(language_, Text::chart_hit, percent(language_, share));
  }
  std::string hits_of_l1() const {
    Sectors loads = report_.global_loads;
    loads += report_.local_loads;
    return loads.sectors == 0 ? std::string() : hit_text(loads.hit_rate());
  }
  std::string hits_of_l2() const {
    if (!report_.is_whole()) return words(Text::chart_unknown);
    if (report_.l2.read == 0) return "";
    return hit_text(static_cast<double>(report_.l2.read_hits + report_.l2.from_home) /
                    static_cast<double>(report_.l2.read));
  }

  bool place(float x, float y, const std::string& text, float size, Color color, Label::Anchor anchor,
             Label::Face face = Label::Face::Regular) {
    return !text.empty() &&
           sheet_.place(
               {.x = x, .y = y, .text = text, .size = size, .color = color, .anchor = anchor, .face = face});
  }

  static Color color_of(double share) { return Color::of(share >= 1 ? Role::Bad : Role::Accent); }

  /// A bar as long as the share of `width`, with the share above it.
  void add_meter(float x, float y, float width, double share, const std::string& tip) {
    const float height = 0.45f * small_;
    const size_t pick = sheet_.add(Pick{.tip = tip});
    const float filled = std::max(1.0f, width * static_cast<float>(share));
    sheet_.add(Rect{.x = x,
                    .y = y,
                    .width = width,
                    .height = height,
                    .radius = height / 2,
                    .fill = Color::of(Role::Line),
                    .pick = pick});
    sheet_.add(Rect{.x = x,
                    .y = y,
                    .width = filled,
                    .height = height,
                    .radius = height / 2,
                    .fill = color_of(share),
                    .pick = pick});
    place(x + width / 2, y - 0.75f * small_, percent(language_, share), small_,
          Color::of(share >= 1 ? Role::Bad : Role::Dim), Label::Anchor::Middle,
          share >= 1 ? Label::Face::Strong : Label::Face::Regular);
  }

  void add_box(const Box& box, const BoxTexts& texts, std::optional<double> share, const std::string& tip) {
    const bool is_busiest = share && *share >= 1;
    sheet_.add(Rect{.x = box.x + 1,
                    .y = box.y + 1,
                    .width = box.width - 2,
                    .height = box.height - 2,
                    .radius = 4,
                    .fill = Color::of(Role::Sunken),
                    .stroke = Color::of(is_busiest ? Role::Bad : Role::Line),
                    .stroke_width = is_busiest ? 2.0f : 1.0f});
    const float room = box.width - 0.6f * small_;
    const float middle = box.x + box.width / 2;
    const bool has_meter = share && box.height > 4.5f * line_;
    const int lines = 1 + (texts.size.empty() ? 0 : 1) + (texts.hits.empty() ? 0 : 1);
    const float row = 1.65f * small_;
    float y =
        box.y + (box.height - (has_meter ? 2 * line_ : 0)) / 2 - 0.5f * row * static_cast<float>(lines - 1);
    place_in(middle, y, room, texts.title, Role::Ink, Label::Face::Strong);
    if (!texts.size.empty()) place_in(middle, y += row, room, texts.size, Role::Dim, Label::Face::Regular);
    if (!texts.hits.empty()) place_in(middle, y += row, room, texts.hits, Role::Ink, Label::Face::Strong);
    if (has_meter)
      add_meter(box.x + 0.12f * box.width, box.bottom() - 0.9f * line_, 0.76f * box.width, *share, tip);
  }

  /// A text as large as the room allows.
  void place_in(float middle, float y, float room, const std::string& text, Role role, Label::Face face) {
    const float size = fitting_size(text, room, 2 * small_, 0.71f * sheet_.type().text, 1.3f * small_, face);
    if (size > 0) place(middle, y, text, size, Color::of(role), Label::Anchor::Middle, face);
  }

  enum class Head { Right, Left };
  void add_arrow(float left, float right, float y, Head head, Color color, float width) {
    const float tip = head == Head::Right ? right : left;
    const float back = (head == Head::Right ? -1.0f : 1.0f) * 0.55f * small_;
    const float from = head == Head::Right ? left : right;
    sheet_.add(Line{.x1 = from, .y1 = y, .x2 = tip + 0.3f * back, .y2 = y, .color = color, .width = width});
    const float half = std::min(0.45f * small_, 0.05f * sheet_.height());
    for (const float side : {-half, half})
      sheet_.add(Line{.x1 = tip, .y1 = y, .x2 = tip + back, .y2 = y + side, .color = color, .width = width});
  }

  void add_request(const ChartRow& request, const Box& kernel, const Box& l1, float y) {
    const float left = kernel.right() + 0.5f * small_, right = l1.x - 0.5f * small_;
    const bool is_used = request.requests != 0;
    const bool is_load = request.name == Text::chart_global_loads || request.name == Text::chart_local_loads;
    add_arrow(left, right, y, is_load ? Head::Left : Head::Right, Color::of(is_used ? Role::Ink : Role::Line),
              1.5f);
    const float middle = (left + right) / 2;
    const std::string name = words(request.name);
    const std::string hits = request.hit_rate ? " · " + hit_text(*request.hit_rate) : "";
    const auto put = [&](float at, const std::string& text, Role role) {
      for (const float size : {small_, sheet_.type().small})
        if (text_width(text, size, Label::Face::Regular) < right - left)
          return place(middle, at, text, size, Color::of(role), Label::Anchor::Middle);
      return false;
    };
    if (!put(y - 0.8f * line_, name + hits, Role::Ink)) put(y - 0.8f * line_, name, Role::Ink);
    if (!is_used) return;
    const std::string amount =
        request.is_shared
            ? counted_phrase(language_, Text::chart_wavefronts, number(language_, request.amount),
                             number(language_, request.ideal))
            : counted_phrase(language_, Text::chart_requests_sectors, number(language_, request.requests),
                             number(language_, request.amount));
    if (put(y + 0.8f * line_, amount, Role::Dim)) return;
    put(y + 0.8f * line_,
        counted(language_, request.amount,
                request.is_shared ? Text::figure_one_wavefront : Text::figure_one_sector,
                request.is_shared ? Text::figure_many_wavefronts : Text::figure_many_sectors),
        Role::Dim);
  }

  /// The two arrows between caches, and between them how busy the path is.
  void add_traffic(float from, float to, const Traffic& traffic, std::optional<double> share,
                   const std::string& tip) {
    const float left = from + 0.4f * small_, right = to - 0.4f * small_;
    const float middle = (left + right) / 2, center = sheet_.height() / 2;
    const float row = std::min(line_, sheet_.height() / 9.5f);
    const Color color = share ? color_of(*share) : Color::of(Role::Ink);
    const float width = share ? 1.5f + 2.5f * static_cast<float>(*share) : 1.5f;
    const auto add = [&](float y, Head head, Text name, uint64_t sectors, const std::string& band) {
      add_arrow(left, right, y, head, sectors == 0 ? Color::of(Role::Line) : color,
                sectors == 0 ? 1.5f : width);
      // Where the boxes are near, the arrow alone says which way it goes.
      if (text_width(words(name), small_, Label::Face::Regular) < to - from)
        place(middle, y - 2 * row, words(name), small_, Color::of(Role::Dim), Label::Anchor::Middle);
      const std::string bytes = bytes_text(language_, sectors * kSector);
      const auto put = [&](const std::string& text) {
        return text_width(text, small_, Label::Face::Strong) < right - left &&
               place(middle, y - 0.9f * row, text, small_, Color::of(Role::Ink), Label::Anchor::Middle,
                     Label::Face::Strong);
      };
      if (band.empty() || !put(band)) put(band.empty() ? bytes : "~" + bytes);
    };
    add(center - 1.6f * row, Head::Left, Text::chart_reads, traffic.read, traffic.band);
    if (share) add_meter(left, center + 0.6f * row, right - left, *share, tip);
    add(center + 4.2f * row, Head::Right, Text::chart_writes, traffic.written, {});
  }

  Sheet& sheet_;
  const CacheReport& report_;
  const model::Device& device_;
  const Loads& loads_;
  Language language_;
  std::vector<ChartRow> requests_;
  float small_;  // of texts, in points: larger where the rows have room
  float line_;
};

Table table_of(const trace::Trace& trace, const CacheReport& report, const Loads& loads) {
  Table table{.columns = {{"path", ""},
                          {"requests", ""},
                          {"amount", ""},
                          {"unit", ""},
                          {"bytes", "B"},
                          {"hit_rate", ""},
                          {"share_of_busiest", ""}},
              .rows = {}};
  const auto share_text = [](std::optional<double> share) {
    return share ? TableValue(*share) : TableValue(std::string());
  };
  for (const ChartRow& request : requests_of(trace, report)) {
    const Level level = request.is_shared ? Level::SharedMemory : Level::L1;
    table.rows.push_back({std::string(request.key), static_cast<int64_t>(request.requests),
                          static_cast<int64_t>(request.amount),
                          std::string(request.is_shared ? "wavefronts" : "sectors"),
                          request.is_shared ? TableValue(std::string())
                                            : TableValue(static_cast<int64_t>(request.amount * kSector)),
                          share_text(request.hit_rate), share_text(loads.share(level, level))});
  }
  const auto add = [&](const char* path, uint64_t sectors, std::optional<double> share) {
    table.rows.push_back({std::string(path), std::string(), static_cast<int64_t>(sectors),
                          std::string("sectors"), static_cast<int64_t>(sectors * kSector), std::string(),
                          share_text(share)});
  };
  add("l2_to_l1", report.l2_to_l1, loads.share(Level::L2, Level::Lines));
  add("l1_to_l2", report.l1_to_l2, loads.share(Level::L2, Level::Lines));
  if (!report.is_whole()) return table;
  add("dram_to_l2", report.l2.dram_read, loads.share(Level::Memory, Level::Memory));
  add("l2_to_dram", report.l2.dram_written, loads.share(Level::Memory, Level::Memory));
  return table;
}

/// Which path is busiest, and what the costliest line's excess is worth.
std::string explain(const Result<caches::Savings>& savings, Language language) {
  if (!savings) return "";
  const model::BoundTerms& bound = savings->bound;
  std::string text =
      phrase(language, Text::chart_explain, with_mark(language, fmt::format("{:.1f}", bound.seconds() * 1e6)),
             say(language, path_name(bound.limit)));
  if (savings->under_way) {
    const auto one_digit = [&](double value) { return with_mark(language, fmt::format("{:.1f}", value)); };
    return text + " " +
           phrase(language, Text::chart_under_way, one_digit(savings->under_way->kib()),
                  one_digit(savings->under_way->needed_kib()),
                  with_mark(language, fmt::format("{:.2f}", savings->under_way->enough.factor(bound))));
  }
  if (savings->lines.empty()) return text;
  const caches::Saving& most = savings->lines.front();
  const bool is_shared = most.site->operation.space == trace::Space::Shared;
  const std::string line = line_name(language, *most.site);
  if (!most.is_gain(bound))
    return text + " " +
           phrase(language, is_shared ? Text::chart_conflicts_free : Text::chart_sectors_free, line,
                  say(language, path_name(most.without.limit)));
  return text + " " +
         phrase(language, is_shared ? Text::chart_conflicts_cost : Text::chart_sectors_cost, line,
                with_mark(language, fmt::format("{:.2f}", most.factor(bound))));
}

}  // namespace

Figure memory_chart_figure(const trace::Trace& trace, const CacheReport& report, const model::Device& device,
                           const Frame& frame) {
  const Language language = frame.language;
  // How busy the paths of a sample are is not known.
  const Result<caches::Savings> savings =
      report.is_whole() ? caches::savings_of(trace, report, device)
                        : Result<caches::Savings>(fail(ErrorKind::Unsupported, "a sample"));
  const Loads loads(savings);
  Figure figure = begin_figure("memory_chart", Text::figure_memory_chart, Provenance::Modelled, frame);
  figure.source = phrase(language,
                         caches::are_rules_measured(device) ? Text::figure_memory_chart_source
                                                            : Text::figure_memory_chart_source_of_sizes,
                         trace.kernel, device.title);
  if (!report.is_whole())
    figure.warning = phrase(language, Text::chart_sample, report.multiprocessors, report.all_multiprocessors);
  figure.table = table_of(trace, report, loads);
  figure.explanation = explain(savings, language);
  if (report.has_band())
    figure.explanation +=
        " " + phrase(language, Text::chart_band_why, bytes_text(language, report.dram_read_low * kSector),
                     bytes_text(language, report.dram_read_high * kSector));
  Sheet sheet(figure, frame);
  ChartDrawing(sheet, trace, report, device, loads, language).draw();
  return figure;
}

}  // namespace lanescope::plot
