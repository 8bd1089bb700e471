#include "shell/window/window_state.h"

#include "base/file.h"
#include "session/session_file.h"
#include "shell/window/platform.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPause{250};
constexpr int kMostWindows = 16;
constexpr const char* kClosed = "closed";  // a file that is there once the person closed the window

/// Whether the folder has texts that were not saved, or cannot be read and may have some.
bool has_texts(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / session::kKeptTexts, ignored)) return false;
  const auto texts = session::read_kept_texts(folder / session::kKeptTexts);
  return !texts || !texts->present.empty() || !texts->pinned.empty();
}

fs::path older_than(const fs::path& before) { return before.string() + "-older"; }

}  // namespace

WindowState::WindowState(const fs::path& state) {
  if (state.empty()) return;
  take_lock(state);
  if (folder_.empty()) return;
  move_before();
  std::error_code problem;
  if (!fs::exists(before_, problem)) {
    before_.clear();
  } else {
    // Nobody closes a page: its browser leaves it.
    const bool is_closed = kIsPage || fs::exists(before_ / kClosed, problem);
    left_ = has_texts(before_) || !is_closed ? Left::Unsaved : Left::Saved;
    if (auto texts = session::read_kept_texts(before_ / session::kKeptTexts))
      texts_before_ = *std::move(texts);
  }
  fs::create_directories(folder_, problem);
}

WindowState::~WindowState() {
  if (lock_ >= 0) ::close(lock_);
}

/// The first folder that no other window has.
void WindowState::take_lock(const fs::path& state) {
  std::error_code problem;
  fs::create_directories(state, problem);
  for (int n = 1; n <= kMostWindows && lock_ < 0; ++n) {
    const fs::path folder = state / fmt::format("window-{}", n);
    const int lock = ::open((folder.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) return;
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
      ::close(lock);
      continue;
    }
    lock_ = lock;
    folder_ = folder;
    before_ = folder.string() + "-before";
  }
}

/// What was left last, unless that has no texts and what was left earlier has.
void WindowState::move_before() {
  std::error_code problem;
  if (!fs::exists(folder_, problem)) return;
  if (has_texts(before_) && !has_texts(folder_)) {
    fs::remove_all(folder_, problem);
    return;
  }
  if (has_texts(before_)) {
    fs::remove_all(older_than(before_), problem);
    fs::rename(before_, older_than(before_), problem);
  }
  fs::remove_all(before_, problem);
  fs::rename(folder_, before_, problem);
}

void WindowState::put_by() {
  texts_before_ = {};
  std::error_code problem;
  fs::remove_all(older_than(before_), problem);
  fs::rename(before_, older_than(before_), problem);
}

/// Texts that this window has taken over, and keeps, are not offered at the next start.
void WindowState::put_by_what_is_shown_again(const session::KeptTexts& now) {
  const auto is_here = [&](const session::EditedText& text) {
    return std::ranges::find(now.present, text) != now.present.end();
  };
  if (!texts_before_.present.empty() && std::ranges::all_of(texts_before_.present, is_here)) put_by();
}

void WindowState::write(const session::Snapshot& now, const session::OpenedSession& window,
                        const std::vector<session::EditedText>& typed) {
  const auto put = [&](const char* name, std::string text, std::string& written) {
    if (text == written) return;
    // A full disk keeps what was written before; the next change tries again.
    if (write_file(folder_ / name, text)) written = std::move(text);
  };
  const session::KeptTexts texts = session::edited_texts_of(now, typed);
  put(session::kKeptTexts, session::text_of(texts), texts_);
  put_by_what_is_shown_again(texts);
  session::OpenedSession kept = window;
  kept.path = folder_ / session::kKeptSession;
  if (auto text = session::session_text(now, kept)) put(session::kKeptSession, *std::move(text), session_);
  generation_ = now.generation;
  typed_ = typed;
  written_at_ = std::chrono::steady_clock::now();
}

void WindowState::keep(const session::Snapshot& now, const session::OpenedSession& window,
                       const std::vector<session::EditedText>& typed) {
  if (folder_.empty() || std::chrono::steady_clock::now() - written_at_ < kPause) return;
  if (now.generation == generation_ && typed == typed_) return;
  write(now, window, typed);
}

void WindowState::close(const session::Snapshot& now, const session::OpenedSession& window,
                        const std::vector<session::EditedText>& typed) {
  if (folder_.empty()) return;
  write(now, window, typed);
  (void)write_file(folder_ / kClosed, "");
}

}  // namespace lanescope::shell
