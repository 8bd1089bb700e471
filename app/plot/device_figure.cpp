// The numbers of a device's file with their sources, one below the other: what the models know, what they
// assume. Rows that have no room are counted. Tests: tests/unit/plot/device_figure_test.cpp

#include "plot/model_figures.h"
#include "plot/sheet.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

constexpr auto kRegular = Label::Face::Regular;

Role role_of(const model::NumberSource& number) {
  if (number.is_unverified()) return Role::Bad;
  return number.is_model() ? Role::Modelled : Role::Dim;
}

class DeviceDrawing {
 public:
  DeviceDrawing(Sheet& sheet, const model::Device& device, Language language)
      : sheet_(sheet), device_(device), language_(language), size_(sheet.type().small) {
    for (const model::NumberSource& one : device.sources) {
      number_width_ = std::max(number_width_, text_width(one.number, size_, kRegular));
      value_width_ = std::max(value_width_, text_width(one.value, size_, kRegular));
    }
  }

  void draw() {
    const float row = 1.25f * size_;
    const auto room = static_cast<size_t>(std::max(0.0f, sheet_.height() / row));
    const size_t all = device_.sources.size();
    const size_t shown = all <= room ? all : room == 0 ? 0 : room - 1;
    float y = row / 2;
    for (size_t n = 0; n < shown; ++n, y += row) add(device_.sources[n], y, row);
    if (shown != all) place(0, y, phrase(language_, Text::figure_device_more, all - shown), Role::Dim);
  }

 private:
  void place(float x, float y, const std::string& text, Role role) {
    sheet_.place({.x = x, .y = y, .text = text, .size = size_, .color = Color::of(role)});
  }
  void add(const model::NumberSource& one, float y, float row) {
    const size_t pick =
        sheet_.add(Pick{.tip = fmt::format("{} = {}: {}", one.number, one.value, one.source)});
    sheet_.add(Rect{.x = 0,
                    .y = y - row / 2,
                    .width = sheet_.width(),
                    .height = row,
                    .fill = Color::of(role_of(one), one.is_model() || one.is_unverified() ? 0.12f : 0.0f),
                    .pick = pick});
    place(0.2f * size_, y, one.number, Role::Ink);
    const float value = number_width_ + size_;
    place(value, y, one.value, Role::Ink);
    const float source = value + value_width_ + size_;
    place(source, y, shorten(one.source, sheet_.width() - source - 0.2f * size_, size_, kRegular),
          role_of(one));
  }

  Sheet& sheet_;
  const model::Device& device_;
  Language language_;
  float size_;
  float number_width_ = 0, value_width_ = 0;
};

}  // namespace

Figure device_figure(const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("device", Text::figure_device, Provenance::Modelled, frame);
  figure.subtitle = device.title;
  figure.source = phrase(language, Text::figure_device_source, device.name + ".toml");
  figure.table = {.columns = {{"number", ""}, {"value", ""}, {"source", ""}}, .rows = {}};
  for (const model::NumberSource& one : device.sources)
    figure.table.rows.push_back({one.number, one.value, one.source});
  figure.explanation = phrase(language, Text::figure_device_explain, device.sources.size(),
                              std::ranges::count_if(device.sources, &model::NumberSource::is_model),
                              std::ranges::count_if(device.sources, &model::NumberSource::is_unverified));
  Sheet sheet(figure, frame);
  DeviceDrawing(sheet, device, language).draw();
  return figure;
}

}  // namespace lanescope::plot
