#include "shell/hosting/source_program.h"

#include "base/escape.h"
#include "base/file.h"
#include "compile/host_main.h"
#include "compile/program.h"
#include "pipeline/job.h"
#include "shell/hosting/installed_toolkit.h"
#include "shell/hosting/progress.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostSourceBytes = uint64_t{64} << 20;

compile::ProgramOptions options_of(const SourceProgram& source, const Paths& paths) {
  compile::ProgramOptions options;
  options.defines = source.options.defines;
  for (const std::string& folder : source.options.include_directories)
    options.include_directories.emplace_back(folder);
  options.standard = source.options.standard;
  options.more = source.options.compiler_options;
  if (!paths.cache.empty()) options.cache = paths.cache.parent_path() / "programs";
  options.old_names = paths.libraries / "tools/old_names.h";
  options.libraries = paths.libraries;
  return options;
}

}  // namespace

std::string device_seen(const model::Device& device, const std::string& word) {
  constexpr int kOldestSeen = 70;
  return device.compute_capability < kOldestSeen ? kDeviceOfSources : word;
}

bool is_source_file(const fs::path& file) {
  constexpr std::array kExtensions{".cu", ".cpp", ".cc", ".cxx", ".c"};
  return std::ranges::find(kExtensions, file.extension().string()) != kExtensions.end();
}

bool has_main(const std::vector<fs::path>& files) {
  return std::ranges::any_of(files, [](const fs::path& file) {
    const auto text = read_text(file, kMostSourceBytes);
    return text && compile::defines_main(*text);
  });
}

Result<void> compile_source(const SourceProgram& source, const Paths& paths, HostedRun& run) {
  TRY(const compile::Toolkit toolkit, find_or_fetch_toolkit(paths));
  compile::ProgramOptions options = options_of(source, paths);
  Progress progress;  // Ctrl-C ends this process, and nvcc with it
  options.progress = [&](const std::string& step) { progress.begin(step, 0); };
  TRY(const compile::CompiledProgram compiled, compile::compile_program(toolkit, source.files, options));
  std::error_code ignored;
  const fs::path file = fs::absolute(source.files.front(), ignored);
  run.command.executable = compiled.executable;
  run.command.folder = file.parent_path();
  // As if it had been built there.
  run.command.words = {(run.command.folder / file.stem()).string()};
  run.command.words.insert(run.command.words.end(), source.arguments.begin(), source.arguments.end());
  run.notes = compiled.notes;
  run.shown_words.clear();
  for (const fs::path& one : source.files) run.shown_words.push_back(one.string());
  run.shown_words.insert(run.shown_words.end(), source.arguments.begin(), source.arguments.end());
  return {};
}

}  // namespace lanescope::shell
