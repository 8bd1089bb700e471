#include "handout/packed_trace.h"

#include "base/file.h"
#include "export/trace_file.h"
#include "handout/packing.h"
#include "pipeline/saved_trace.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace lanescope::handout {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTrace = "/file/run.lane";
/// Beside the trace: the name of the source in its first line, then its text.
constexpr const char* kSource = "/file/source.txt";

std::string name_alone(const std::string& file) { return fs::path(file).filename().string(); }

void forget_folders(trace::Hazard& hazard) { hazard.where.file = name_alone(hazard.where.file); }

/// The folders of this machine are nobody else's matter.
trace::Trace without_folders(trace::Trace trace) {
  for (trace::Site& site : trace.sites) {
    site.source.file = name_alone(site.source.file);
    for (Location& call : site.called_from) call.file = name_alone(call.file);
  }
  for (trace::Hazard& hazard : trace.hazards) forget_folders(hazard);
  for (trace::Hazard& note : trace.notes) forget_folders(note);
  return trace;
}

}  // namespace

Result<PackedFiles> files_of(const pipeline::Run& run, const model::Device& device,
                             const pipeline::Options& options) {
  PackedFiles files;
  TRY_VOID(add_device(files, device, options));
  TRY(std::string bytes, exporting::trace_bytes(without_folders(*run.trace)));
  if (!deflates_to(bytes, kMostTraceBytes))
    return fail(ErrorKind::Limit,
                fmt::format("its trace has more than the {:.1f} MB, compressed, that a page takes",
                            static_cast<double>(kMostTraceBytes) / 1e6));
  files.bytes.emplace(kTrace, std::move(bytes));
  if (!run.source_text.empty())
    files.texts.emplace(kSource, name_alone(run.source_name) + "\n" + run.source_text);
  files.subject = kTrace;
  files.needs_sqlite = true;
  return files;
}

Result<std::shared_ptr<const pipeline::Run>> read_packed_trace(const fs::path& file,
                                                               const model::Device& device) {
  TRY(std::string bytes, read_text(file));
  TRY(trace::Trace trace, exporting::read_trace_bytes(std::move(bytes), file.filename().string()));
  std::map<std::string, std::string> sources;
  if (const auto source = read_text(file.parent_path() / fs::path(kSource).filename())) {
    const size_t end = std::min(source->find('\n'), source->size() - 1);
    sources.emplace(source->substr(0, end), source->substr(end + 1));
  }
  return pipeline::run_of_trace(std::move(trace), device, sources);
}

}  // namespace lanescope::handout
