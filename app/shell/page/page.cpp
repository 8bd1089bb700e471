// The program in a browser: a session and the window of the desktop on a canvas, one turn of the window per
// frame of the browser. Where the page has threads the session has its own; else it does some work between
// two frames. Tests: tests/page

#include "base/file.h"
#include "export/trace_file.h"
#include "pipeline/packed_texts.h"
#include "plot/access_cost.h"
#include "session/exercise_state.h"
#include "session/session.h"
#include "session/settings_text.h"
#include "session/words.h"
#include "shell/page/browser.h"
#include "shell/page/class_compiler.h"
#include "shell/page/trace_reader.h"
#include "shell/window/window.h"
#include "view/control_name.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <emscripten.h>
#include <fmt/format.h>

namespace lanescope::shell::page {
namespace {

namespace fs = std::filesystem;

#ifdef __EMSCRIPTEN_PTHREADS__
constexpr bool kHasThreads = true;
#else
constexpr bool kHasThreads = false;
#endif
constexpr session::Engine kEngine = kHasThreads ? session::Engine::Thread : session::Engine::Pumped;

/// The session works so long between two frames, where one piece of work is not longer.
constexpr double kWorkMilliseconds = 8;
/// A frame takes so long where panels draw their first run, which compiles their code; one panel may take
/// longer.
constexpr double kFirstDrawsSeconds = 0.03;
/// Worker threads of the emulator. The page starts with as many as PTHREAD_POOL_SIZE has, of which one is the
/// session's.
constexpr unsigned kMostThreads = 3;

// Folders of the page. What is kept lies below /kept, which storage.js keeps in the browser.
constexpr const char* kAssets = "/assets";
constexpr const char* kKept = "/kept";
constexpr const char* kDownloads = "/downloads";  // what is written here is handed to the person
constexpr const char* kChosen = "/kept/files";
constexpr const char* kLarge = "/large";
constexpr const char* kTexts = "/texts";  // of PTX as they come

/// What the session asks for outlives it.
pipeline::Options options(ClassCompiler& compiler, TraceReader& traces) {
  pipeline::Options options;
  options.assets = kAssets;
  options.kernels = "/kernels";
  options.own_launches = fs::path(kKept) / "launches";
  options.own_progress = fs::path(kKept) / "progress.toml";
  options.submissions = kChosen;
  options.threads = kHasThreads ? std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads) : 1;
  options.language = prefers_french() ? Language::French : Language::English;
  if (!kHasThreads) options.asks_above.reset();  // nothing looks at the clock while a kernel runs
  options.read_trace = [&traces](const fs::path& file, const trace::WantedBlocks& wanted) {
    return traces.read(file, wanted);
  };
  if (has_class())
    options.compile_elsewhere = [&compiler](const auto& source, const auto& how,
                                            const std::stop_token& stop) {
      return compiler.compile(source, how, stop);
    };
  return options;
}

WindowFiles files() {
  return {.fonts = fs::path(kAssets) / "fonts",
          .shaders = "/shaders",
          .settings = fs::path(kKept) / "window.toml",
          .lessons = fs::path(kAssets) / "lessons",
          .state = fs::path(kKept) / "windows"};
}

/// ". 3 of 4 checks passed: " and what the others found. Empty before the first check.
std::string checks_text(const session::Snapshot& now) {
  if (!now.exercise || now.exercise->checking || now.exercise->checks.empty()) return {};
  const std::vector<pipeline::Check>& checks = now.exercise->checks;
  const auto passed = std::ranges::count(checks, pipeline::Check::Status::Passed, &pipeline::Check::status);
  const Language language = now.choices.language;
  if (passed == std::ssize(checks)) return ". " + phrase(language, Text::window_checks_passed, passed);
  std::string text = ". " + phrase(language, Text::window_checks_some, passed, checks.size());
  for (const pipeline::Check& check : checks)
    if (check.status == pipeline::Check::Status::Failed) text += ": " + check.sentence;
  return text;
}

/// "access 9, LD s: load of 4 bytes from shared memory, ..." Empty without one.
std::string step_text(const pipeline::Selection& selection, Language language, plot::Costs costs) {
  if (selection.access >= selection.timeline.size()) return {};
  return plot::access_tip(language, selection.access, selection.timeline[selection.access], selection.units,
                          costs);
}

/// "Banks: Padding 1, chosen". Empty where nothing has the focus.
std::string control_text(const view::ControlName& control, bool says_panel, Language language) {
  std::string text = control.name;
  const auto put = [&](session::Words words, const auto&... parts) {
    text = fmt::format(fmt::runtime(session::say(language, words)), parts...);
  };
  if (control.is_chosen) put(session::Words::control_chosen, text);
  if (text.empty()) return control.panel;
  if (says_panel && !control.panel.empty()) put(session::Words::control_of_panel, control.panel, text);
  return text;
}

class Page {
 public:
  /// Sets the session to work. The first turn opens the window, so that neither holds the browser up for
  /// long.
  Page() : session_(options(compiler_, trace_reader_), kEngine) {
    for (const char* folder : {kKept, kDownloads, kChosen, kLarge, kTexts}) {
      std::error_code ignored;
      fs::create_directories(folder, ignored);
    }
    fs::current_path(kDownloads);
    settings_ = read_settings(files_.settings);
    const bool is_first = settings_ == WindowSettings();
    settings_.place.reset();
    if (is_first && prefers_dark()) settings_.preferences.mode = plot::Theme::Dark;
    if (settings_.language) session_.post(session::SetLanguage{*settings_.language});
    if (!follow_link()) open_what_was_left(session_, kAssets, settings_);
  }

  /// Errors: those of RunningWindow::open(), in the first turn.
  Result<void> turn() {
    if (window_ == nullptr) return open_window();
    fit();
    follow_link();
    for (const fs::path& file : take_chosen({kChosen, kLarge})) session_.post(session::OpenFile{file});
    take_lesson_texts();
    compiler_.exchange();
    trace_reader_.exchange();
    if (!kHasThreads) work();
    write_traces();
    if (window_->turn()) hand_out_downloads();
    tell_screen_reader();
    tell_of_focus();
    if (!is_started_ && shows_all()) {
      is_started_ = true;
      report_started();
    }
    return {};
  }

 private:
  /// Whether the window shows a run in all its panels, or why there is none.
  bool shows_all() const {
    view::Workspace& workspace = window_->frames().workspace();
    const session::Snapshot& shown = window_->frames().shown();
    return (shown.run && !workspace.first_draws().go_on()) || (shown.error && !shown.busy);
  }

  Result<void> open_window() {
    TRY(window_, RunningWindow::open(session_, files_, settings_, Notes::Hidden));
    window_->frames().connect(
        {.address = address(),
         .choose_file = choose_file,
         .hand_in = hand_in,
         .save_trace = [this](const auto& trace, const auto& file) { return save_trace(trace, file); },
         .least_control = least_control(),
         .seconds_of_first_draws = kFirstDrawsSeconds});
    connect_clipboard();
    connect_files();
    return {};
  }

  void fit() {
    const Size now = size();
    if (now == size_ || now.width <= 0 || now.height <= 0) return;
    size_ = now;
    window_->frames().window().resize(now.width, now.height);
    window_->wake();
  }

  /// Opens what the address says, if that is new.
  bool follow_link() {
    const std::string link = take_link();
    if (link.empty()) return false;
    session_.post(session::OpenLink{"#" + link});
    return true;
  }

  void work() {
    const double end = now() + kWorkMilliseconds;
    const auto waits = [&] { return compiler_.was_asked_in_vain() || trace_reader_.was_asked_in_vain(); };
    while (session_.pump() && now() < end && !waits()) continue;
  }

  /// The PTX of the other settings of a lesson comes after its first picture. An exercise has none.
  void take_lesson_texts() {
    const auto now = session_.latest();
    if (now->run && now->choices.lesson && now->choices.exercise.empty() &&
        now->choices.lesson->name != lesson_) {
      lesson_ = now->choices.lesson->name;
      fetch_texts(lesson_);
    }
    for (const fs::path& file : take_texts(kTexts)) take_texts_of(file);
    unpack_texts();
    use_new_texts();
  }

  /// A link with a mistake has an error too, and runs.
  static bool did_not_run(const session::Snapshot& now) { return now.error && (now.failed || !now.run); }

  struct PackedTexts {
    fs::path folder;  // for what is unpacked
    std::string content;
    size_t unpacked = 0;  // bytes
  };

  void take_texts_of(const fs::path& file) {
    PackedTexts texts{.folder = fs::path(kAssets) / "ptx" / file.filename()};
    if (auto content = read_text(file))
      texts.content = *std::move(content);
    else
      fmt::print(stderr, "{}\n", describe(content.error()));
    std::error_code ignored;
    fs::remove(file, ignored);
    fs::create_directories(texts.folder, ignored);
    packed_.push_back(std::move(texts));
  }

  /// Some between two frames, since all of them hold the window up for a third of a second. Where a setting
  /// was flipped before its text was there, all at once.
  void unpack_texts() {
    const bool waits = did_not_run(*session_.latest());
    const double end = waits ? std::numeric_limits<double>::infinity() : now() + kWorkMilliseconds;
    while (!packed_.empty() && now() < end) {
      PackedTexts& first = packed_.front();
      std::string_view rest = std::string_view(first.content).substr(first.unpacked);
      const auto written = rest.empty() ? Result<void>() : pipeline::unpack_next(rest, first.folder);
      if (!written) fmt::print(stderr, "{}\n", describe(written.error()));
      first.unpacked = first.content.size() - rest.size();
      if (written && !rest.empty()) continue;
      packed_.pop_front();
      has_new_texts_ = true;
    }
  }

  /// Runs once more what lacked a text, once the session rests: the run itself, or the modelled times of the
  /// lesson's other kernels.
  void use_new_texts() {
    const auto now = session_.latest();
    if (!has_new_texts_ || !packed_.empty() || now->busy || now->timings.modelling) return;
    has_new_texts_ = false;
    const bool lacks_times = now->run && now->choices.device.timing && !now->timings.bandwidth;
    if (did_not_run(*now) || lacks_times) session_.post(session::Reload{});
  }

  /// The choices that are shown, then what is wrong with them, then what an exercise's checks found, as the
  /// window shows all three; and the access that is stepped to.
  void tell_screen_reader() {
    const auto now = session_.latest();
    if (now->busy || now->generation == told_) return;
    told_ = now->generation;
    const bool predicts = window_->frames().workspace().prediction().is_on();
    speak({.settings = session::all_settings(now->choices, now->choices.language) +
                       (now->error ? ": " + describe(*now->error) : std::string()) + checks_text(*now),
           .step = step_text(now->selection, now->choices.language,
                             predicts ? plot::Costs::Hidden : plot::Costs::Told),
           .language = now->choices.language});
  }

  void tell_of_focus() {
    const view::ControlName& control = window_->frames().workspace().focused_control();
    if (control == control_) return;
    const bool is_other_panel = control.panel != control_.panel;
    control_ = control;
    speak_control(control_text(control, is_other_panel, session_.latest()->choices.language));
  }

  /// Written once SQLite has come.
  Result<void> save_trace(const std::shared_ptr<const trace::Trace>& trace, const fs::path& file) {
    traces_.emplace_back(trace, file);
    return {};
  }

  void write_traces() {
    if (traces_.empty()) return;
    const Fetched sqlite = fetch_sqlite();
    if (sqlite == Fetched::Failed) traces_.clear();
    if (sqlite != Fetched::Here) return;
    for (const auto& [trace, file] : std::exchange(traces_, {}))
      if (const auto saved = exporting::save_trace(*trace, file); !saved) say(describe(saved.error()));
    hand_out_downloads();
  }

  void hand_out_downloads() {
    std::error_code problem;
    for (const auto& entry : fs::recursive_directory_iterator(kDownloads, problem)) {
      if (!entry.is_regular_file(problem)) continue;
      download(entry.path());
      fs::remove(entry.path(), problem);
    }
  }

  WindowFiles files_ = files();
  WindowSettings settings_;  // as the window is opened
  ClassCompiler compiler_{kEngine};
  TraceReader trace_reader_{kEngine};
  session::Session session_;
  std::unique_ptr<RunningWindow> window_;
  std::vector<std::pair<std::shared_ptr<const trace::Trace>, fs::path>> traces_;  // to be saved
  Size size_;
  std::string lesson_;  // whose texts were asked for
  std::deque<PackedTexts> packed_;
  bool has_new_texts_ = false;
  view::ControlName control_;  // that a screen reader was told of
  uint64_t told_ = 0;          // the snapshot that a screen reader was told of
  bool is_started_ = false;
};

/// The browser calls it for each frame. After an exception what was drawn is half done, and the page ends.
void turn(void* page) {
  try {
    if (const auto turned = static_cast<Page*>(page)->turn(); !turned) {
      emscripten_cancel_main_loop();
      report_failure(describe(turned.error()));
    }
  } catch (const std::exception& exception) {
    emscripten_cancel_main_loop();
    report_end(exception.what());
  }
}

}  // namespace
}  // namespace lanescope::shell::page

int main() {
  // The page lives until the browser closes it.
  emscripten_set_main_loop_arg(lanescope::shell::page::turn, new lanescope::shell::page::Page(), 0, false);
}
