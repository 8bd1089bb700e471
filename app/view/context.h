// What a panel needs to draw one frame: the snapshot, the theme, the highlight, and the actions it may
// request. A panel keeps no state of the program and computes none of its numbers.

#pragma once

#include "base/error.h"
#include "base/text.h"
#include "plot/figure.h"
#include "session/command.h"
#include "session/lecture_writing.h"
#include "session/snapshot.h"
#include "view/prediction.h"
#include "view/preferences.h"
#include "view/theme.h"

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::view {

/// What the pointer is over, in any panel: all panels highlight the same lanes, block and line. A click pins
/// lanes: they stay highlighted until they are clicked again.
struct Highlight {
  LaneMask lanes;
  LaneMask pinned;
  std::optional<CtaId> block;
  std::optional<SiteId> site;
  bool operator==(const Highlight&) const = default;

  /// The lanes that are brought forward; none where all would be.
  LaneMask shown() const { return lanes == kAllLanes ? pinned : LaneMask{lanes.bits | pinned.bits}; }
  /// Pins the lanes, or lets go of them where exactly they are pinned.
  void turn_pin(LaneMask clicked) { pinned = clicked == pinned ? LaneMask{} : clicked; }
};

/// Version of the data of a figure or a map of cells: equal numbers mean an equal figure. Unused ones are 0.
using Version = std::array<uint64_t, 4>;

/// Part of a map of cells to be painted: columns [x0, x1) and rows [y0, y1) onto width x height pixels.
struct CellJob {
  const plot::Cells* cells = nullptr;
  Version version{};  // of the cells
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  int width = 0, height = 0;
  plot::Theme mode = plot::Theme::Light;
};

/// How fast the window draws. Times are those of the frame before, in seconds.
struct FrameRate {
  int frames = 0;    // that came to the screen within the last second
  double whole = 0;  // including the driver
  double own = 0;    // the program's part
  double drawn = 1;  // share of the pixels that were drawn anew
};

/// A picture of the whole window as the next frames show it, or of figures.
struct PictureRequest {
  std::vector<plot::Figure> figures;  // of the runs A, B, or of one; none: the whole window
  std::filesystem::path file;         // PNG; empty: the clipboard
};

/// A lecture as slides or as a film.
struct LectureExport {
  std::filesystem::path lecture;  // its lecture.toml
  std::filesystem::path file;     // .pdf, .png, .apng, .mp4
  std::string steps;              // "2-5"; empty: all
  plot::Theme mode = plot::Theme::Light;
  Language language = Language::English;
};

/// Of a panel that is drawn twice, once for each of two runs that are compared.
struct Compared {
  session::Side side = session::Side::B;
  std::string_view label;                  // the words of this side's configuration
  std::string_view scale = {};             // whose scale its bars are on, where that is the other's
  const plot::Figure* other = nullptr;     // what the other side drew last
  const pipeline::Run* against = nullptr;  // on side B the run A, where both ran to their end
  bool is_fair = true;                     // both ran to their end, so that their numbers may be compared
};

/// What panels may request of the program.
struct Actions {
  std::function<void(session::Command)> post;
  /// Of the runs A, B, or of one.
  std::function<Result<void>(std::span<const plot::Figure>, const std::filesystem::path&)> export_figures;
  std::function<Result<void>(const session::OpenedSession&)> save_session;  // to the path that it names
  /// Empty: no trace can be saved.
  std::function<Result<void>(const std::shared_ptr<const trace::Trace>&, const std::filesystem::path&)>
      save_trace;
  /// The number of the step that the snapshot became.
  std::function<Result<size_t>(const session::LectureAddition&)> add_to_lecture;
  std::function<void(const LectureExport&)>
      export_lecture;                   // notices say how it went; empty: it cannot be done
  std::function<void()> continue_kept;  // shows again what the window was doing; empty: nothing was kept
  std::function<void()> discard_kept;   // does not offer that again; set where continue_kept is
  std::function<void()> open_notes;     // a second window with the notes of the lecture; empty: there is none
  std::function<void()> toggle_full_screen;
  std::function<void(PictureRequest)> take_picture;  // a notice says how it went
  std::function<FrameRate()> frame_rate;
  std::function<void()>
      choose_file;           // the browser's dialog for a file to open; empty: the window has its own
  std::string page_address;  // where links lead; empty: to the program
  /// Gives a submission for the exercise, "transpose/tiled", to the teacher; empty: it is not done here.
  std::function<void(const std::string& exercise, const std::filesystem::path& submission)> hand_in;
  std::vector<std::string> figure_formats;                 // that export_figures writes: "svg", ...
  std::function<ImTextureID(const CellJob&)> paint_cells;  // by a shader; empty: maps are left blank

  /// A path as the person knows it: where a browser keeps the files, their names alone.
  std::string shown(const std::filesystem::path& file) const {
    return (choose_file ? file.filename() : file).string();
  }
};

struct Context {
  const session::Snapshot& now;
  const Theme& theme;
  const Highlight& highlight;  // of the last frame: what to show
  Highlight& hovered;          // of this frame: what to report
  const Actions& actions;
  Preferences& preferences;
  Prediction& prediction;
  std::vector<session::Notice>& notices;   // to be shown: what could not be done, and why
  std::optional<PanelId>* export_request;  // set to a panel to open the export dialog with its figure
  PanelId panel = PanelId::Source;         // that is drawn
  const Compared* compared = nullptr;      // null: it is drawn once

  Language language() const { return now.choices.language; }
  std::string_view text(Text text) const { return say(now.choices.language, text); }
  template <class... Arguments>
  std::string phrase(Text text, const Arguments&... arguments) const {
    return lanescope::phrase(now.choices.language, text, arguments...);
  }
  std::string shown(const std::filesystem::path& file) const { return actions.shown(file); }
  void post(session::Command command) const { actions.post(std::move(command)); }
  void notify(std::string text) const { notices.push_back({false, std::move(text)}); }
};

/// For Dear ImGui's (begin, end) pairs, which must not be null.
inline const char* begin_of(std::string_view text) { return text.data() != nullptr ? text.data() : ""; }
inline const char* end_of(std::string_view text) { return begin_of(text) + text.size(); }

}  // namespace lanescope::view
