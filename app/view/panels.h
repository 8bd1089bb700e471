// The panels of the window but the source (source_panel.h), the
// registers (registers_panel.h) and the bars (toolbar.h, stepper.h): one class
// and one file each. A panel of a figure keeps the figure it drew, for export.

#pragma once

#include "view/figure_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lanescope::view {

class LessonPanel {
 public:
  void draw(const Context& context);
};

/// The 32 lanes of the current access: thread, address, value.
class WarpPanel {
 public:
  void draw(const Context& context);
};

class BankPanel {
 public:
  void draw(const Context& context);
  const FigureView& view() const { return view_; }

 private:
  FigureView view_;
};

class SectorPanel {
 public:
  void draw(const Context& context);
  const FigureView& view() const { return view_; }

 private:
  FigureView view_;
};

class PartitionPanel {
 public:
  void draw(const Context& context);
  const FigureView& view() const { return view_; }

 private:
  FigureView view_;
};

/// Tiles of the blocks, wave by wave.
class BlockPanel {
 public:
  void draw(const Context& context);
  const FigureView& view() const { return view_; }
  /// The waves go on by themselves, so the next frame must not be waited for.
  bool playing() const { return playing_; }
  /// One wave on when it is time, whether the panel is in sight or not.
  void advance(const Context& context);

 private:
  void draw_waves(const Context& context);

  FigureView view_;
  bool playing_ = false;
  double next_wave_ = 0;  // when, while playing
};

class TotalsPanel {
 public:
  void draw(const Context& context);
  const FigureView& view() const { return view_; }

 private:
  FigureView view_;
};

/// Times of the lesson's kernels on a GPU, side by side.
class BandwidthPanel {
 public:
  void draw(const Context& context);
  const FigureView& view() const { return view_; }

 private:
  static void draw_controls(const Context& context);
  FigureView view_;
};

/// Which block touched each element of a matrix.
class ElementPanel {
 public:
  void draw(const Context& context);
  const FigureView& view() const { return view_; }

 private:
  void draw_chooser(const Context& context);

  FigureView view_;
  std::optional<uint64_t> asked_for_run_;  // the map is made only for those who look at it
};

/// What the kernel printed and what the checks found.
class OutputPanel {
 public:
  void draw(const Context& context);

 private:
  void read(const Context& context);

  std::optional<uint64_t> shown_run_;
  std::vector<std::pair<size_t, size_t>> lines_;  // begin and end in the text
};

/// What a panel says while there is no run: working, failed with the reason, or nothing chosen yet. Returns
/// whether it said something.
bool draw_no_run(const Context& context, Text title);

}  // namespace lanescope::view
