// The bar of a lecture: the sentence of the step in large text, the step's number, back and next. Method: a
// step that asks for a prediction covers the results (view/prediction.h); the next key uncovers them and
// shows what is said then. Test: tests/gui/lecture_bar_test.cpp

#pragma once

#include "view/context.h"
#include "view/prediction.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanescope::view {

class LectureBar {
 public:
  /// Pixels, for the longest sentence: all steps have one height, so that the panels keep their places. 0
  /// where no lecture is open.
  static float height(const Context& context);
  void draw(const Context& context, ImVec2 corner, ImVec2 size);

  /// Covers the results where the step that is shown now asks for it, and uncovers them where it does not.
  void follow(const Context& context);
  /// Whether a step was asked for and is not shown yet: keys wait for it.
  bool waits() const { return wanted_.has_value(); }
  /// Uncovers the results, or shows the next step.
  void next(const Context& context);
  void back(const Context& context);
  /// Whether the results of the step are covered.
  static bool is_covered(const session::Snapshot& now, const Prediction& prediction);

 private:
  void show(const Context& context, size_t step);

  float sentence_height_ = 0;       // pixels, in the last frame
  uint64_t showings_ = 0;           // of the step that was followed last
  std::optional<uint32_t> wanted_;  // the step that was posted and is not shown yet
};

}  // namespace lanescope::view
