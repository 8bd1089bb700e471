// A figure in a panel: its marks as a draw list, its headlines on the left, its explanation below, and its
// tooltips. Method: the figure is made once for a version of its data, a size, a size of text and a language,
// and cached; each frame only draws it. Large maps of cells go through a shader (context.h, CellJob). Maps of
// cells that can be described, and the zoom areas of a figure, can be zoomed and moved; of the latter the
// figure is made anew for the part that is shown. Tests: tests/gui/figure_test.cpp

#pragma once

#include "plot/figures.h"
#include "view/context.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::view {

enum class Parts { All, MarksOnly };  // MarksOnly: no header, headlines and explanation

struct FigureRequest {
  Version version{};
  std::function<plot::Figure(const plot::Frame&)> make = nullptr;
  Parts parts = Parts::All;
  /// The figure shows this access, which is not the selected one: it is faded, and a click selects it.
  std::optional<uint32_t> beside = std::nullopt;
  std::function<void()> above = nullptr;  // draws controls between header and figure; optional
  /// What a cell of a map represents: its tooltip and what a click selects. Optional.
  std::function<plot::Pick(uint64_t row, uint64_t column, uint32_t value)> describe_cell = nullptr;
  /// What stands in a cell of a map that is zoomed so far that there is room for it. Optional.
  std::function<std::string(uint32_t value)> cell_text = nullptr;
};

class FigureView {
 public:
  /// Fills the rest of the current window.
  void draw(const Context& context, const FigureRequest& request);
  /// The figure drawn last: what an export writes. Null before the first.
  const plot::Figure* figure() const { return figure_ ? &*figure_ : nullptr; }
  /// Forgets the figure: the panel has nothing to show.
  void clear() { figure_.reset(); }

 private:
  struct Key {
    Version version{};
    plot::Size room;
    float text = 0, scale = 0;
    Language language = Language::English;
    plot::Scale scale_beside;
    std::string explanation_beside;  // with these the layout of both sides is one
    float headlines_beside = 0;
    bool is_incomplete = false;
    plot::MapPart part;
    bool operator==(const Key&) const = default;
  };
  struct Layout {
    float headline_width = 0;  // points
    float footer_height = 0;   // points
    plot::Size marks;          // points
  };

  float headline_width(const Context& context) const;
  void remake(const Context& context, const FigureRequest& request, plot::Size room);
  static void draw_cover(const Context& context, Text question, ImVec2 room);
  void draw_headlines(const Context& context, ImVec2 corner) const;
  void draw_footer(const Context& context, ImRect box) const;
  void draw_marks(const Context& context, const FigureRequest& request, ImVec2 corner);
  void draw_cells(const Context& context, const FigureRequest& request, const plot::Cells& cells,
                  ImVec2 corner);
  /// A map in `box` that the wheel may zoom into `deepest` times.
  struct Map {
    ImRect box;
    double deepest = 1;
    bool zooms_down = true;  // else across only
  };
  void move_map(const Map& map, bool can_zoom);
  void move_areas(const Context& context, ImVec2 corner);
  bool has_areas() const { return figure_ && !figure_->zoom_areas.empty(); }
  void point_at_cell(const Context& context, const FigureRequest& request, const plot::Cells& cells,
                     const ImRect& box) const;
  void draw_cell_texts(const Context& context, const FigureRequest& request, const plot::Cells& cells,
                       const ImRect& box) const;
  void draw_extent(const Context& context, const plot::Cells& cells, const ImRect& box) const;
  void act_on(const Context& context, const plot::Pick& pick) const;

  std::optional<plot::Figure> figure_;
  std::string caption_;  // its explanation, as far as there is room for whole clauses
  Key key_;
  Layout layout_;
  plot::MapPart map_;     // what the wheel and dragging chose
  int footer_lines_ = 1;  // the most that an explanation needed at this width: figures must not jump
  Version cells_version_{};
  uint64_t parts_ = 0;  // that figures were made of
};

}  // namespace lanescope::view
