#include "shell/page/trace_reader.h"

#include "export/trace_file.h"
#include "session/errors.h"

#include <exception>
#include <utility>

namespace lanescope::shell::page {

Fetched TraceReader::wait_for_sqlite() {
  std::unique_lock lock(mutex_);
  is_wanted_ = true;
  came_.wait(lock, [&] { return fetched_.has_value(); });
  const Fetched fetched = *std::exchange(fetched_, {});
  lock.unlock();  // sqlite_ stays as it is
  if (fetched == Fetched::Here && !is_loaded_) is_loaded_ = load_sqlite(sqlite_);
  return is_loaded_ ? fetched : Fetched::Failed;
}

Result<trace::TracePart> TraceReader::read(const std::filesystem::path& file,
                                           const trace::WantedBlocks& wanted) {
  switch (engine_ == session::Engine::Pumped ? fetch_sqlite() : wait_for_sqlite()) {
    case Fetched::Coming:
      was_asked_in_vain_ = true;
      return fail(ErrorKind::Cancelled, "what reads saved traces is still to come");
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

void TraceReader::exchange() {
  was_asked_in_vain_ = false;
  const std::lock_guard lock(mutex_);
  if (!is_wanted_) return;
  const Fetched now = fetch_sqlite();
  if (now == Fetched::Coming) return;
  if (now == Fetched::Here && sqlite_.empty()) sqlite_ = sqlite_binary();
  fetched_ = now;
  is_wanted_ = false;
  came_.notify_all();
}

}  // namespace lanescope::shell::page
