#include "shell/window/window.h"

#include "base/file.h"
#include "export/export.h"
#include "export/trace_file.h"
#include "session/lecture_state.h"
#include "session/opened_file.h"
#include "session/session_file.h"
#include "session/whole_program.h"
#include "shell/window/clipboard.h"
#include "shell/window/fonts.h"
#include "shell/window/picture.h"

#include <chrono>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void note(FrameClock& clock, const FrameTime& time) {
  const Clock::time_point now = Clock::now();
  if (time.drawn > 0) clock.shown.push_back(now);
  while (!clock.shown.empty() && now - clock.shown.front() > std::chrono::seconds(1)) clock.shown.pop_front();
  clock.last = time;
}

/// "Matrix transpose – Lanescope".
std::string title_of(const session::Snapshot& now) {
  const session::Choices& choices = now.choices;
  const std::string what = now.lecture         ? now.lecture->lecture->title.in(choices.language)
                           : choices.lesson    ? choices.lesson->title.in(choices.language)
                           : now.whole_program ? now.whole_program->source.filename().string()
                           : choices.file      ? choices.file->path.filename().string()
                                               : std::string();
  return what.empty() ? "Lanescope" : fmt::format("{} – Lanescope", what);
}

/// Frames to draw after the last event.
constexpr int kSettling = 4;
constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kIdleSeconds = 0.5;
constexpr double kCursorSeconds = 0.1;  // a text cursor blinks

}  // namespace

Frames::Frames(session::Session& session, WindowFiles files, GlWindow window, CellPainter painter,
               view::Faces faces)
    : session_(&session),
      files_(std::move(files)),
      window_(std::move(window)),
      painter_(std::make_unique<CellPainter>(std::move(painter))),
      faces_(faces),
      workspace_(std::make_unique<view::Workspace>()),
      shown_(session.latest()) {
  actions_.post = [s = session_](session::Command command) { s->post(std::move(command)); };
  actions_.save_session = [s = session_](const session::OpenedSession& opened) -> Result<void> {
    TRY(const std::string text, session::session_text(*s->latest(), opened));
    return write_file(opened.path, text);
  };
  actions_.save_trace = [](const std::shared_ptr<const trace::Trace>& trace, const auto& file) {
    return exporting::save_trace(*trace, file);
  };
  actions_.add_to_lecture = [s = session_,
                             lessons = files_.lessons](const session::LectureAddition& addition) {
    return session::add_to_lecture(*s->latest(), addition, lessons);
  };
  actions_.toggle_full_screen = [wishes = wishes_.get()] { wishes->full_screen = true; };
  if (!files_.program.empty()) {
    actions_.open_notes = [wishes = wishes_.get()] { wishes->notes = true; };
    lectures_ = std::make_unique<LectureProcesses>(files_.program, GlWindow::wake);
    actions_.export_lecture = [l = lectures_.get()](const view::LectureExport& wanted) { l->start(wanted); };
  }
  actions_.take_picture = [wishes = wishes_.get()](view::PictureRequest request) {
    wishes->picture = std::move(request);
    wishes->frames = 0;
  };
  actions_.frame_rate = [clock = clock_.get()] {
    return view::FrameRate{.frames = static_cast<int>(clock->shown.size()),
                           .whole = clock->last.whole,
                           .own = clock->last.own,
                           .drawn = clock->last.drawn};
  };
  actions_.paint_cells = [p = painter_.get()](const view::CellJob& job) { return p->paint(job); };
  actions_.figure_formats = exporting::figure_formats();
  actions_.export_figures = [fonts = files_.fonts, w = workspace_.get()](
                                std::span<const plot::Figure> figures, const std::filesystem::path& file) {
    return exporting::write_figures(figures, file,
                                    {.theme = w->preferences().mode, .scale = 2, .font_directory = fonts});
  };
}

Result<Frames> Frames::open(session::Session& session, const WindowFiles& files,
                            const WindowRequest& request) {
  TRY(GlWindow window, GlWindow::open(request));
  TRY(CellPainter painter, CellPainter::load(files.shaders));
  TRY(const view::Faces faces, load_faces(files.fonts));
  return Frames(session, files, std::move(window), std::move(painter), faces);
}

std::string Frames::place_of(const fs::path& file) const {
  std::error_code ignored;
  return actions_.shown(fs::absolute(file, ignored));
}

/// A dialog that closed is still in the frame after it.
void Frames::take_picture() {
  constexpr int kFramesUntilClosed = 3;
  if (++wishes_->frames < kFramesUntilClosed) return;
  const view::PictureRequest request = *std::exchange(wishes_->picture, {});
  const auto write = [&](const std::filesystem::path& file) -> Result<void> {
    if (!request.figures.empty()) return actions_.export_figures(request.figures, file);
    return write_png(window_.read_back(), file);
  };
  if (!request.file.empty())
    return workspace_->say_written(*shown_, write(request.file), place_of(request.file));
  workspace_->say_written(*shown_, copy_picture(write), {});
}

void Frames::present(view::Audience audience) {
  presents_ = audience == view::Audience::Room;
  workspace_->preferences().is_projected = presents_;
}

void Frames::open_notes() {
  if (notes_ && notes_->is_open()) return;
  auto started = NotesProcess::start(files_.program, [keys = notes_keys_](NotesKey key) {
    keys->push(key);
    GlWindow::wake();
  });
  if (!started) return workspace_->say_written(*shown_, std::unexpected(started.error()), {});
  notes_.emplace(*std::move(started));
}

/// Takes the keys that were pressed at the notes, and sends what the notes say.
void Frames::show_notes() {
  for (const NotesKey key : notes_keys_->take())
    workspace_->turn_lecture(key == NotesKey::Next ? view::Turn::Forwards : view::Turn::Backwards);
  const auto page = workspace_->notes(*shown_);
  if (page && std::exchange(wishes_->notes, false)) open_notes();
  if (!notes_) return;
  if (page && notes_->is_open())
    notes_->show(*page);
  else
    notes_.reset();
}

bool Frames::has_news() const {
  return session_->latest()->generation != shown_->generation || !notes_keys_->empty() ||
         (lectures_ && lectures_->has_ended());
}

FrameTime Frames::draw(std::optional<view::PanelId> alone) {
  const Clock::time_point start = Clock::now();
  // The last of several counts: one file is open.
  if (const auto dropped = window_.take_dropped(); !dropped.empty())
    session_->post(session::OpenFile{dropped.back()});
  shown_ = session_->latest();
  window_.set_title(title_of(*shown_));
  const view::Preferences& preferences = workspace_->preferences();
  const view::Theme theme{.mode = preferences.mode,
                          .text = view::text_size(preferences, static_cast<float>(window_.height()) /
                                                                   (window_.density() * window_.scale())),
                          .scale = window_.scale(),
                          .faces = faces_,
                          .audience = presents_ || (preferences.is_projected && window_.is_full_screen())
                                          ? view::Audience::Room
                                          : view::Audience::Reader,
                          .least_control = least_control_};
  view::apply(theme);
  window_.begin_frame();
  if (alone)
    workspace_->draw_alone(*alone, *shown_, theme, actions_);
  else
    workspace_->draw(*shown_, theme, actions_);
  ImGui::EndFrame();
  const double own = seconds_since(start);
  const double drawn =
      window_.end_frame(plot::resolve(plot::Color::of(plot::Role::Background), preferences.mode),
                        [this](const ImTextureRef& texture) {
                          return texture._TexData == nullptr ? painter_->version_of(texture._TexID) : 0;
                        });
  show_notes();
  if (std::exchange(wishes_->full_screen, false)) window_.toggle_full_screen();
  if (wishes_->picture) take_picture();
  if (lectures_)
    for (const auto& [file, done] : lectures_->take()) workspace_->say_written(*shown_, done, place_of(file));
  const FrameTime time{.own = own, .whole = seconds_since(start), .drawn = drawn};
  note(*clock_, time);
  return time;
}

double MainLoop::seconds_until_motion() const {
  // What moves by itself is drawn no more often than a screen shows it.
  return std::max(frames_->workspace().seconds_until_motion(), kFrameSeconds) - seconds_since(drawn_at_);
}

bool MainLoop::turn() {
  const GlWindow& window = frames_->window();
  const bool is_text_edited = ImGui::GetIO().WantTextInput;
  const bool settles = window.has_input() || settling_ > 0;
  const double rest = is_text_edited ? kCursorSeconds : kIdleSeconds;
  frames_->window().wait_for_events(settles ? 0 : std::min(rest, seconds_until_motion()));
  const Seen now{window.width(), window.height(), window.scale()};
  const bool news = window.has_input() || frames_->has_news() || now != seen_;
  const bool moves = seconds_until_motion() <= 0;
  // Nothing happened: the last frame is still valid.
  if (!settles && !news && !moves && !is_text_edited) return false;
  seen_ = now;
  settling_ = news || ImGui::IsAnyMouseDown() ? kSettling : std::max(0, settling_ - 1);
  drawn_at_ = Clock::now();
  frames_->draw();
  return true;
}

void Frames::connect(const PageActions& page) {
  actions_.choose_file = page.choose_file;
  actions_.page_address = page.address;
  actions_.hand_in = page.hand_in;
  actions_.save_trace = page.save_trace;
  least_control_ = page.least_control;
  workspace_->first_draws().spread(page.seconds_of_first_draws);
}

void Frames::offer_to_continue(const std::filesystem::path& folder, std::function<void()> discard,
                               Asking asking) {
  actions_.continue_kept = [s = session_, folder] { s->post(session::ContinueKept{folder}); };
  actions_.discard_kept = [this, discard = std::move(discard)] {
    discard();
    actions_.continue_kept = nullptr;
  };
  if (asking == Asking::Card) workspace_->ask_to_continue();
}

RunningWindow::RunningWindow(session::Session& session, WindowFiles files, Frames frames)
    : session_(session),
      files_(std::move(files)),
      frames_(std::move(frames)),
      loop_(frames_),
      state_(files_.state) {}

Result<std::unique_ptr<RunningWindow>> RunningWindow::open(session::Session& session,
                                                           const WindowFiles& files,
                                                           const WindowSettings& settings, Notes notes) {
  TRY(Frames opened, Frames::open(session, files, {}));
  std::unique_ptr<RunningWindow> window(new RunningWindow(session, files, std::move(opened)));
  Frames& frames = window->frames_;
  WindowState& state = window->state_;
  if (notes == Notes::Shown) frames.want_notes();
  show(settings, frames.workspace());
  if (!state.before().empty())
    frames.offer_to_continue(
        state.before(), [&state] { state.put_by(); },
        state.left() == WindowState::Left::Unsaved ? Frames::Asking::Card : Frames::Asking::MenuOnly);
  if (settings.place) frames.window().put(*settings.place);
  session.on_change(&GlWindow::wake);
  window->kept_ = settings;
  return window;
}

void RunningWindow::keep_settings() {
  WindowSettings now = settings_of(frames_.workspace(), frames_.shown(), frames_.window().place());
  if (now == kept_) return;
  write_settings(files_.settings, now);
  kept_ = std::move(now);
}

void RunningWindow::keep_state(How how) {
  view::Workspace& workspace = frames_.workspace();
  (state_.*how)(frames_.shown(), workspace.session_of_window(), workspace.typed(frames_.shown()));
}

bool RunningWindow::is_over() {
  view::Workspace& workspace = frames_.workspace();
  if (workspace.leaves()) return true;
  if (!frames_.window().wants_to_close()) return false;
  if (workspace.may_leave(frames_.shown())) return true;
  frames_.window().stay_open();
  loop_.wake();
  return false;
}

bool RunningWindow::turn() {
  const bool drew = loop_.turn();
  keep_state(&WindowState::keep);
  if (!drew && has_drawn_) keep_settings();
  has_drawn_ = drew;
  return drew;
}

void RunningWindow::close() {
  session_.on_change({});
  keep_settings();
  keep_state(&WindowState::close);
}

Result<int> run_window(session::Session& session, const WindowFiles& files, const WindowSettings& settings,
                       Notes notes) {
  TRY(const std::unique_ptr<RunningWindow> window, RunningWindow::open(session, files, settings, notes));
  while (!window->is_over()) window->turn();
  window->close();
  return 0;
}

Result<void> write_screenshot(session::Session& session, const WindowFiles& files,
                              const ScreenshotRequest& request) {
  TRY(Frames frames,
      Frames::open(session, files,
                   {.width = request.width, .height = request.height, .platform = Platform::Offscreen}));
  view::Preferences& preferences = frames.workspace().preferences();
  preferences.mode = request.theme;
  preferences.text = request.text;
  if (request.audience == view::Audience::Room) frames.present(request.audience);
  // The first frames lay out docks and figures, and a panel may request data from the session.
  for (int frame = 0; frame < 2 * kSettling; ++frame) {
    session.wait_until_modelled();
    frames.draw(request.panel);
  }
  return write_png(frames.window().read_back(), request.file);
}

}  // namespace lanescope::shell
