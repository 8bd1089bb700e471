// Reads saved traces in the page. Method: SQLite, which reads them, comes with the first one, by the thread
// that draws. The session's thread waits for it, loads it for itself, and reads; where both are one thread,
// the session asks again until SQLite is there. Test: tests/page/trace_test.py

#pragma once

#include "base/error.h"
#include "session/engine.h"
#include "shell/page/browser.h"
#include "trace/trace_part.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace lanescope::shell::page {

class TraceReader {
 public:
  explicit TraceReader(session::Engine engine) : engine_(engine) {}

  /// What pipeline::Options::read_trace says. For the session's thread. Errors: those of
  /// exporting::read_trace_part(); Cancelled while SQLite is still to come, File where it does not come.
  Result<trace::TracePart> read(const std::filesystem::path& file, const trace::WantedBlocks& wanted);

  /// Fetches what another thread waits for. For the thread that draws.
  void exchange();
  /// Whether read() was called since the last exchange() and SQLite was still to come.
  bool was_asked_in_vain() const { return was_asked_in_vain_; }

 private:
  /// Until it is here, or failed.
  Fetched wait_for_sqlite();

  const session::Engine engine_;
  std::mutex mutex_;
  std::condition_variable came_;
  bool is_wanted_ = false;          // by another thread, which waits
  std::optional<Fetched> fetched_;  // what it waits for
  std::string sqlite_;              // as it was fetched
  bool is_loaded_ = false;          // into the session's thread
  std::atomic<bool> was_asked_in_vain_ = false;
};

}  // namespace lanescope::shell::page
