// A run that a handout shows, with the place in it, as HTML: what holds for the whole run, and what changes
// with each step of the warp. The program writes it into the page, and the module in the page makes the same
// again when a reader steps or flips a toggle. Test: tests/unit/handout/lab_test.cpp

#pragma once

#include "handout/words.h"
#include "lesson/lesson.h"
#include "model/device.h"
#include "pipeline/run.h"
#include "pipeline/selection.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::handout {

struct Side {
  std::shared_ptr<const pipeline::Run> run;      // never null
  std::shared_ptr<const lesson::Lesson> lesson;  // null: the run is of a file
  lesson::Settings settings;                     // of the lesson
  model::Device device;
  pipeline::Selection selection;  // in the run
};

/// How a side is drawn.
struct Look {
  Language language = Language::English;
  float step_width = 720, whole_width = 720;  // of a picture of a step or of the whole run, in points
  bool with_timeline_table = true;            // which is the same for all accesses of a warp
};

/// Widths that pictures have: a request for less or more gets the nearest.
inline constexpr float kLeastWidth = 240, kMostWidth = 1600;

/// Two runs that are compared, whose figures share their axes, or one.
struct Sides {
  Side now;
  std::optional<Side> a;  // what `now`, B, is compared with
};

/// The access that a reader sees first: the costliest compared with its ideal, the first of several.
uint32_t first_shown_access(const pipeline::Selection& selection);

/// The source line of the selected access; 0: none.
int line_of(const Side& side);

/// What holds for the whole run of a side.
struct RunHtml {
  std::string head;     // what ran, what the checks found, and the lesson's text on it
  std::string figures;  // totals, partitions, blocks and tiles
};
/// [now, a] Errors: those of the figures, and of a live number of the text.
Result<std::vector<RunHtml>> run_html(const Sides& sides, const Look& look);

/// [now, a] What the selected access does: a sentence, the warp's accesses, banks and sectors.
Result<std::vector<std::string>> step_html(const Sides& sides, const Look& look);

/// The source under its name, with a number for each line; the line of the selected access is marked. Empty
/// where a saved trace has no source.
std::string source_html(const Side& side, Language language);

}  // namespace lanescope::handout
