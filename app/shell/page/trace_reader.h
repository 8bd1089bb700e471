// Reads saved traces in the page. Method: SQLite, which reads them, comes with the first one and can be
// called by the thread that draws alone; the session's thread waits for it. Where both are one thread, the
// session asks again until SQLite is there. Test: tests/page/trace_test.py

#pragma once

#include "base/error.h"
#include "session/engine.h"
#include "trace/trace_part.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>

namespace lanescope::shell::page {

class TraceReader {
 public:
  explicit TraceReader(session::Engine engine) : engine_(engine) {}

  /// What pipeline::Options::read_trace says. Errors: those of exporting::read_trace_part(); Cancelled while
  /// SQLite is still to come, File where it does not come.
  Result<trace::TracePart> read(const std::filesystem::path& file, const trace::WantedBlocks& wanted);

  /// Reads the trace that another thread waits for, once SQLite is there. For the thread that draws.
  void exchange();
  /// Whether read() was called since the last exchange() and SQLite was still to come.
  bool was_asked_in_vain() const { return was_asked_in_vain_; }

 private:
  const session::Engine engine_;
  std::mutex mutex_;
  std::condition_variable came_;
  trace::WantedBlocks blocks_;                    // of the file that is wanted
  std::optional<std::filesystem::path> wanted_;   // by another thread, which waits
  std::optional<Result<trace::TracePart>> read_;  // what it waits for
  std::atomic<bool> was_asked_in_vain_ = false;
};

}  // namespace lanescope::shell::page
