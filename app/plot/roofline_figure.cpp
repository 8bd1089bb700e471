// The lesson's kernels under the roof of the memory, on two devices side by side. A transpose computes
// nothing, so the axis shows what it wastes: the useful share of the transferred bytes, which is the
// share of the peak that a kernel can hope for. Both axes are logarithmic.
// Source of the idea: Williams, Waterman, Patterson, "Roofline", CACM 2009. Tests:
// tests/unit/plot/roofline_figure_test.cpp

#include "plot/legend.h"
#include "plot/model_figures.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

constexpr double kLeastShare = 0.1;
constexpr float kPoint = 7;  // points across

Color color_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::Measured:
      return Color::of(Role::Measured);
    case Provenance::Recorded:
      return Color::of(Role::Recorded);
    case Provenance::Emulated:
    case Provenance::Traced:
      return Color::of(Role::Emulated);
    case Provenance::Modelled:
      break;
  }
  return Color::of(Role::Modelled);
}

std::string amount(Language language, double gb_per_second) {
  return gb_per_second < 10 ? with_mark(language, fmt::format("{:.1f}", gb_per_second))
                            : number(language, static_cast<uint64_t>(gb_per_second + 0.5));
}

/// One device: axes, roof, points, and their names in a column on the right.
class RooflineDrawing {
 public:
  RooflineDrawing(Sheet& sheet, const Box& box, const Roofline& roofline, Language language)
      : sheet_(sheet), roofline_(roofline), language_(language), row_(1.35f * sheet.type().small) {
    double least = roofline.peak_gb_per_second;
    float names = 0;
    for (const RooflinePoint& point : roofline.points) {
      least = std::min(least, point.gb_per_second);
      names = std::max(names, text_width(name_of(point), sheet.type().small, Label::Face::Regular));
    }
    lowest_ = std::pow(10, std::floor(std::log10(std::max(least, 1e-3))));
    highest_ = 1.6 * roofline.peak_gb_per_second;
    const float left = text_width(amount(language, highest_), sheet.type().small, Label::Face::Regular) +
                       0.6f * sheet.type().small;
    const float right = std::min(names + 1.6f * row_, 0.45f * box.width);
    box_ = box;
    plot_ = {box.x + left, box.y + 2.2f * row_, box.width - left - right, box.height - 4.4f * row_};
  }

  void draw() {
    place(box_.x, box_.y + row_ / 2, roofline_.device, Role::Ink, Label::Anchor::Start, Label::Face::Strong);
    place(box_.x, box_.y + 1.5f * row_, roofline_.place, Role::Dim);
    if (plot_.height < 3 * row_ || plot_.width < 3 * row_) return;  // no room for a chart
    add_axes();
    add_roof();
    add_ceilings();
    add_points();
  }

 private:
  void place(float x, float y, const std::string& text, Role role,
             Label::Anchor anchor = Label::Anchor::Start, Label::Face face = Label::Face::Regular) {
    sheet_.place({.x = x,
                  .y = y,
                  .text = shorten(text, box_.width, sheet_.type().small, face),
                  .size = sheet_.type().small,
                  .color = Color::of(role),
                  .anchor = anchor,
                  .face = face});
  }
  float x_of(double share) const {
    const double at = std::log(std::max(share, kLeastShare) / kLeastShare) / std::log(1 / kLeastShare);
    return plot_.x + plot_.width * static_cast<float>(std::min(at, 1.0));
  }
  float y_of(double gb_per_second) const {
    const double at = std::log(std::max(gb_per_second, lowest_) / lowest_) / std::log(highest_ / lowest_);
    return plot_.bottom() - plot_.height * static_cast<float>(at);
  }
  std::string name_of(const RooflinePoint& point) const {
    return fmt::format("{} {}", point.kernel, amount(language_, point.gb_per_second));
  }

  void add_axes() {
    for (double value = lowest_; value <= highest_; value *= 10) {
      const float y = y_of(value);
      sheet_.add(Line{.x1 = plot_.x, .y1 = y, .x2 = plot_.right(), .y2 = y, .color = Color::of(Role::Line)});
      place(plot_.x - 0.4f * sheet_.type().small, y, amount(language_, value), Role::Dim, Label::Anchor::End);
    }
    for (const double share : {0.1, 0.2, 0.5, 1.0}) {
      const float x = x_of(share);
      sheet_.add(Line{.x1 = x, .y1 = plot_.y, .x2 = x, .y2 = plot_.bottom(), .color = Color::of(Role::Line)});
      place(x, plot_.bottom() + 0.8f * row_, percent(language_, share), Role::Dim, Label::Anchor::Middle);
    }
    place(plot_.x + plot_.width / 2, plot_.bottom() + 1.8f * row_,
          std::string(say(language_, Text::figure_roofline_wanted)), Role::Dim, Label::Anchor::Middle);
    place(plot_.right() + 0.5f * row_, plot_.y, std::string(say(language_, Text::figure_gb_per_second)),
          Role::Dim);
  }

  void add_roof() {
    const double peak = roofline_.peak_gb_per_second;
    sheet_.add(Line{.x1 = x_of(kLeastShare),
                    .y1 = y_of(peak * kLeastShare),
                    .x2 = x_of(1),
                    .y2 = y_of(peak),
                    .color = Color::of(Role::Ink),
                    .width = 2});
    place(x_of(0.1) + 0.4f * row_, y_of(peak),
          phrase(language_, Text::figure_roofline_peak,
                 number(language_, static_cast<uint64_t>(std::lround(peak)))),
          Role::Ink);
  }

  /// Where the pipe of shared memory is lower than the roof.
  void add_ceilings() {
    for (const RooflinePoint& point : roofline_.points) {
      const double roof = roofline_.peak_gb_per_second * point.wanted_share;
      if (!point.shared_gb_per_second || *point.shared_gb_per_second >= roof) continue;
      const float y = y_of(*point.shared_gb_per_second), x = x_of(point.wanted_share);
      const size_t pick = sheet_.add(Pick{.tip = phrase(language_, Text::figure_roofline_shared, point.kernel,
                                                        amount(language_, *point.shared_gb_per_second))});
      sheet_.add(Line{.x1 = x - 3 * kPoint,
                      .y1 = y,
                      .x2 = x + kPoint,
                      .y2 = y,
                      .color = Color::of(Role::Bad),
                      .width = 2,
                      .pick = pick});
    }
  }

  void add_points() {
    std::vector<const RooflinePoint*> points;
    for (const RooflinePoint& point : roofline_.points) points.push_back(&point);
    std::ranges::sort(points, std::greater<>(), &RooflinePoint::gb_per_second);
    // Names from the top down, each next to its point or as close below as there is room.
    std::vector<float> names;
    for (const RooflinePoint* point : points)
      names.push_back(
          std::max(y_of(point->gb_per_second), names.empty() ? plot_.y + row_ : names.back() + row_));
    // What ran out at the bottom moves up again.
    for (size_t n = names.size(); n-- > 0;)
      names[n] = std::min(names[n], n + 1 == names.size() ? plot_.bottom() : names[n + 1] - row_);
    const bool room_for_names = names.empty() || names.front() >= plot_.y;
    for (size_t n = 0; n < points.size(); ++n)
      add_point(*points[n], room_for_names ? std::optional(names[n]) : std::nullopt);
  }

  void add_point(const RooflinePoint& point, std::optional<float> name_y) {
    const float x = x_of(point.wanted_share), y = y_of(point.gb_per_second);
    const float name_x = plot_.right() + row_;
    const double roof = roofline_.peak_gb_per_second * std::min(1.0, point.wanted_share);
    const size_t pick = sheet_.add(
        Pick{.tip = phrase(language_, Text::figure_roofline_tip, point.kernel,
                           lanescope::name_of(roofline_.provenance), amount(language_, point.gb_per_second),
                           percent(language_, point.wanted_share), amount(language_, roof))});
    if (name_y)
      sheet_.add(Line{.x1 = x, .y1 = y, .x2 = name_x - 2, .y2 = *name_y, .color = Color::of(Role::Line)});
    sheet_.add(Rect{.x = x - kPoint / 2,
                    .y = y - kPoint / 2,
                    .width = kPoint,
                    .height = kPoint,
                    .radius = kPoint / 2,
                    .fill = color_of(roofline_.provenance),
                    .pick = pick});
    if (name_y) place(name_x, *name_y, name_of(point), Role::Ink);
  }

  Sheet& sheet_;
  const Roofline& roofline_;
  Language language_;
  float row_;
  Box box_, plot_;
  double lowest_ = 1, highest_ = 1;
};

}  // namespace

Figure roofline_figure(const Roofline& recorded, const Roofline& modelled, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("roofline", Text::figure_roofline, Provenance::Modelled, frame);
  figure.subtitle = fmt::format("{} · {}", recorded.device, modelled.device);
  figure.source = phrase(language, Text::figure_roofline_source, recorded.device, modelled.device);
  figure.explanation = phrase(language, Text::figure_roofline_explain, recorded.device, modelled.device);
  figure.table.columns = {{"device", ""},
                          {"kernel", ""},
                          {"provenance", ""},
                          {"wanted_share", ""},
                          {"bandwidth", "GB/s"},
                          {"roof", "GB/s"},
                          {"shared_memory_roof", "GB/s"}};
  for (const Roofline* one : {&recorded, &modelled})
    for (const RooflinePoint& point : one->points)
      figure.table.rows.push_back(
          {one->device, point.kernel, std::string(name_of(one->provenance)), point.wanted_share,
           point.gb_per_second, one->peak_gb_per_second * point.wanted_share,
           point.shared_gb_per_second ? TableValue(*point.shared_gb_per_second) : TableValue(std::string())});
  Sheet sheet(figure, frame);
  const float row = 1.35f * sheet.type().small;
  add_swatches(sheet, 0, sheet.width(), sheet.height() - row / 2,
               {{color_of(recorded.provenance), std::string(say(language, Text::recorded_badge))},
                {color_of(modelled.provenance), std::string(say(language, Text::modelled_badge))},
                {Color::of(Role::Bad), std::string(say(language, Text::bound_shared))}});
  const float gap = 1.5f * sheet.type().text;
  const float width = (sheet.width() - gap) / 2, height = sheet.height() - 1.3f * row;
  RooflineDrawing(sheet, {0, 0, width, height}, recorded, language).draw();
  RooflineDrawing(sheet, {width + gap, 0, width, height}, modelled, language).draw();
  return figure;
}

}  // namespace lanescope::plot
