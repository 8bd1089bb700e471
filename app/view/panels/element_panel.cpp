// A whole matrix: which block touched each element, drawn by a shader, with zoom and exact picking.
// Test: tests/gui/figure_test.cpp

#include "plot/figures.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <algorithm>

namespace lanescope::view {
namespace {

class ElementPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;

 private:
  std::optional<uint64_t> asked_for_run_;  // the map is made only once the panel is looked at
};

void draw_chooser(const Context& context) {
  const session::Snapshot& now = context.now;
  std::vector<Segment> choices;
  int selected = -1;
  for (const model::TileMap& map : *now.run->tiles) {
    const bool load = map.kind == trace::Kind::Load;
    const std::string& name = now.run->trace->buffers[map.buffer].name;
    if (now.elements && now.elements->buffer == map.buffer && now.elements->kind == map.kind)
      selected = static_cast<int>(choices.size());
    choices.push_back({fmt::format("{}_{}", trace::name_of(map.kind), name),
                       context.phrase(load ? Text::figure_reads_of : Text::figure_writes_of, name), ""});
  }
  const int pressed = segments(context.theme, "elements_of", choices, selected);
  if (pressed >= 0) {
    const model::TileMap& map = (*now.run->tiles)[static_cast<size_t>(pressed)];
    context.post(session::ShowElements{map.buffer, map.kind});
  }
}

}  // namespace

void ElementPanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const session::Snapshot& now = context.now;
  if (!now.run->tiles || now.run->tiles->empty())
    return draw_no_figure(context, Text::window_no_matrix, Text::window_no_matrix_why);
  // The present run's panel asks for both.
  const bool is_a = context.compared != nullptr && context.compared->side == session::Side::A;
  if (!now.elements) {
    if (asked_for_run_ != now.run_generation && !is_a) {
      const model::TileMap& map = now.run->tiles->back();
      context.post(session::ShowElements{map.buffer, map.kind});
      asked_for_run_ = now.run_generation;
    }
    return draw_no_figure(context, Text::window_working, Text::window_working_on);
  }
  const model::ElementMap& map = *now.elements;
  const auto describe = [&](uint64_t row, uint64_t column, uint32_t) {
    plot::Pick pick;
    const uint32_t block = map.block[static_cast<size_t>(row * map.columns + column)];
    const std::string& buffer = now.run->trace->buffers[map.buffer].name;
    if (block == 0) {
      pick.tip = context.phrase(Text::window_element_untouched, buffer, row, column);
      return pick;
    }
    const Dim3 at = position_of(block - 1, now.run->trace->grid);
    pick.tip = context.phrase(Text::window_element, buffer, row, column, at.x, at.y, block - 1);
    pick.block = CtaId{block - 1};
    return pick;
  };
  view_.draw(
      context,
      {.version = {now.run_generation, map.buffer, static_cast<uint64_t>(map.kind)},
       .make = [&](const plot::Frame& frame) { return plot::element_figure(*now.run->trace, map, frame); },
       .above = [&] { draw_chooser(context); },
       .describe_cell = describe,
       // A value is the number of the block, plus one.
       .cell_text = [](uint32_t value) { return std::to_string(value - 1); }});
}

std::unique_ptr<Panel> make_elements_panel() { return std::make_unique<ElementPanel>(); }

}  // namespace lanescope::view
