#include "session/program_launch.h"

#include "launch/buffer_spec.h"
#include "pipeline/launch_guess.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

using pipeline::ListedKernel;
using pipeline::ProgramLaunch;

/// "f32[256x256]" of "in=f32[256x256]:iota"; empty where the argument is no buffer with a count.
std::string_view head_of(std::string_view argument) {
  const size_t end = argument.find("]:");
  const size_t equals = argument.find('=');
  if (end == std::string_view::npos || equals == std::string_view::npos || equals > end) return {};
  return argument.substr(equals + 1, end - equals);
}

/// The program knows how many elements a buffer has, and the text how many rows and columns.
void take_rows_and_columns(std::string& argument, std::string_view guess) {
  const std::string_view own = head_of(argument), guessed = head_of(guess);
  if (own.empty() || guessed.empty()) return;
  const auto flat = launch::parse_buffer_head(own), shaped = launch::parse_buffer_head(guessed);
  const auto elements = [](const launch::Buffer& buffer) {
    return std::accumulate(buffer.shape.begin(), buffer.shape.end(), uint64_t{1}, std::multiplies<>());
  };
  if (!flat || !shaped || flat->type != shaped->type || elements(*flat) != elements(*shaped)) return;
  argument.replace(argument.find(own), own.size(), guessed);
}

Result<OpenedFile::Launches> launches_of(const OpenedFile& source, const ListedKernel& kernel,
                                         const ProgramLaunch& launch) {
  TRY(pipeline::LaunchFile kept, pipeline::read_launch_file(launch.inputs));
  kept.defines = source.launches.defines;
  kept.include_directories = source.launches.include_directories;
  for (pipeline::LaunchText& one : kept.launches) {
    one.file = source.path.string();
    one.kernel = kernel.name;
    pipeline::LaunchText shape;
    shape.file = one.file;
    shape.kernel = one.kernel;
    shape.grid = one.grid;
    shape.block = one.block;
    const auto guess = pipeline::complete_launch(kernel, shape);
    for (size_t n = 0; guess && n < std::min(one.arguments.size(), guess->arguments.size()); ++n)
      take_rows_and_columns(one.arguments[n], guess->arguments[n]);
  }
  return OpenedFile::Launches{std::move(kept), launch.file};
}

}  // namespace

Result<OpenedFile> open_program_launch(const OpenedFile& source, const pipeline::ProgramRun& run,
                                       const std::filesystem::path& launch, pipeline::Execution& execution,
                                       const pipeline::Options& options) {
  const ProgramLaunch* const wanted = launch_kept_in(run, launch);
  if (wanted == nullptr || wanted->inputs.empty())
    return fail(ErrorKind::Usage, "what this launch of the program was given was not kept");
  OpenedFile file = source;
  TRY(const pipeline::Job job, pipeline::text_job_of_file(file.path, "", file_options(file, options)));
  TRY(file.kernels, execution.kernels(job));
  const auto chosen = std::ranges::find(file.kernels, wanted->entry, &ListedKernel::entry);
  if (chosen == file.kernels.end() || chosen->refused)
    return fail(ErrorKind::Usage, fmt::format("the source has no kernel '{}'", wanted->kernel));
  TRY(OpenedFile::Launches own, launches_of(file, *chosen, *wanted));
  for (const ListedKernel& kernel : file.kernels) {
    const ProgramLaunch* const of_kernel = costliest_launch(
        run, [&](const ProgramLaunch& one) { return one.entry == kernel.entry && !one.inputs.empty(); });
    if (of_kernel == nullptr) continue;
    if (auto others = launches_of(file, kernel, *of_kernel)) file.others[kernel.name] = *std::move(others);
  }
  file.launches = std::move(own.launches);
  file.program_launch = std::move(own.program_launch);
  file.is_guess = false;
  file.is_read = true;
  return file;
}

}  // namespace lanescope::session
