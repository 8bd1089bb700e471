#include "shell/window/notes_window.h"

#include "shell/window/fonts.h"
#include "shell/window/gl_window.h"
#include "shell/window/notes_process.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

/// The page that came last, read by a thread of its own.
class Pages {
 public:
  Pages() : reader_([this] { read(); }) {}
  ~Pages() {
    // The input may still be open: its end is what the thread waits for.
    reader_.detach();
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  bool is_over() const { return state_->is_over; }
  std::shared_ptr<const view::NotesPage> latest() const {
    const std::lock_guard lock(state_->mutex);
    return state_->page;
  }

 private:
  struct State {
    std::mutex mutex;
    std::shared_ptr<const view::NotesPage> page;
    std::atomic<bool> is_over{false};
  };

  void read() const {
    const std::shared_ptr<State> state = state_;
    std::string line;
    char bytes[4096];
    ssize_t count = 0;
    while ((count = ::read(STDIN_FILENO, bytes, sizeof bytes)) > 0) {
      for (ssize_t n = 0; n < count; ++n) {
        if (bytes[n] != '\n') {
          line += bytes[n];
          continue;
        }
        if (auto page = page_of(line)) {
          const std::lock_guard lock(state->mutex);
          state->page = std::make_shared<const view::NotesPage>(*std::move(page));
        }
        line.clear();
      }
      GlWindow::wake();
    }
    state->is_over = true;
    GlWindow::wake();
  }

  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::thread reader_;
};

void send_keys() {
  const auto pressed = [](auto... keys) { return (ImGui::IsKeyPressed(keys) || ...); };
  if (pressed(ImGuiKey_PageDown, ImGuiKey_RightArrow, ImGuiKey_Space)) fmt::print("next\n");
  if (pressed(ImGuiKey_PageUp, ImGuiKey_LeftArrow)) fmt::print("back\n");
  std::fflush(stdout);
}

}  // namespace

Result<int> run_notes_window(const std::filesystem::path& fonts) {
  using Clock = std::chrono::steady_clock;
  constexpr double kSecondsOfRest = 5;  // the minutes are looked at so often
  constexpr float kNotesText = 16;
  TRY(GlWindow window, GlWindow::open({.title = "Lanescope", .width = 900, .height = 700}));
  TRY(const view::Faces faces, load_faces(fonts));
  const Pages pages;
  const Clock::time_point start = Clock::now();
  constexpr int kSettling = 3;
  for (int settling = kSettling; !window.wants_to_close() && !pages.is_over();) {
    window.wait_for_events(settling > 0 ? 0 : kSecondsOfRest);
    settling = window.has_input() || settling == 0 ? kSettling : settling - 1;
    const auto page = pages.latest();
    const view::NotesPage shown = page ? *page : view::NotesPage{};
    window.set_title(fmt::format("{} – {}", say(shown.language, Text::lecture_notes_title), shown.title));
    const view::Theme theme{.mode = shown.mode, .text = kNotesText, .scale = window.scale(), .faces = faces};
    view::apply(theme);
    window.begin_frame();
    send_keys();
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(Clock::now() - start).count();
    if (page) view::draw_notes(theme, shown, static_cast<int>(minutes));
    ImGui::EndFrame();
    window.end_frame(plot::resolve(plot::Color::of(plot::Role::Surface), shown.mode),
                     [](const ImTextureRef&) { return 0; });
  }
  return 0;
}

}  // namespace lanescope::shell
