#include "shell/page/trace_reader.h"

#include "export/trace_file.h"
#include "session/errors.h"
#include "shell/page/browser.h"

#include <exception>
#include <utility>

namespace lanescope::shell::page {
namespace {

/// No value while SQLite is still to come. For the thread that draws.
std::optional<Result<trace::TracePart>> read_now(const std::filesystem::path& file,
                                                 const trace::WantedBlocks& wanted) {
  switch (fetch_sqlite()) {
    case Fetched::Coming:
      return {};
    case Fetched::Failed:
      return fail(ErrorKind::File,
                  "the part of the page that reads saved traces does not come; look at the network, and open "
                  "the file again",
                  Location{file.string(), 0});
    case Fetched::Here:
      break;
  }
  try {
    return exporting::read_trace_part(file, wanted);
  } catch (const std::exception& exception) {
    return std::unexpected(session::error_of(exception));
  }
}

}  // namespace

Result<trace::TracePart> TraceReader::read(const std::filesystem::path& file,
                                           const trace::WantedBlocks& wanted) {
  if (engine_ == session::Engine::Pumped) {
    if (auto trace = read_now(file, wanted)) return *std::move(trace);
    was_asked_in_vain_ = true;
    return fail(ErrorKind::Cancelled, "what reads saved traces is still to come");
  }
  std::unique_lock lock(mutex_);
  wanted_ = file;
  blocks_ = wanted;
  came_.wait(lock, [&] { return read_.has_value(); });
  return *std::exchange(read_, {});
}

void TraceReader::exchange() {
  was_asked_in_vain_ = false;
  const std::lock_guard lock(mutex_);
  if (!wanted_) return;
  read_ = read_now(*wanted_, blocks_);
  if (!read_) return;
  wanted_.reset();
  came_.notify_all();
}

}  // namespace lanescope::shell::page
