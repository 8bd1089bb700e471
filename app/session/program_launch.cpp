#include "session/program_launch.h"

#include "pipeline/program_launch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

using pipeline::ListedKernel;
using pipeline::ProgramLaunch;

Result<OpenedFile::Launches> launches_of(const OpenedFile& source, const ListedKernel& kernel,
                                         const ProgramLaunch& launch) {
  TRY(pipeline::LaunchFile kept, pipeline::launches_of_program(source.path, kernel, launch));
  for (pipeline::LaunchText& one : kept.launches)
    one.kernel = pipeline::choosing_name(source.kernels, kernel);
  kept.defines = source.launches.defines;
  kept.include_directories = source.launches.include_directories;
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
  TRY(file.kernels, execution.compiler().kernels(job));
  const auto chosen = std::ranges::find(file.kernels, wanted->entry, &ListedKernel::entry);
  if (chosen == file.kernels.end() || chosen->refused)
    return fail(ErrorKind::Usage, fmt::format("the source has no kernel '{}'", wanted->kernel));
  TRY(OpenedFile::Launches own, launches_of(file, *chosen, *wanted));
  for (const ListedKernel& kernel : file.kernels) {
    const ProgramLaunch* const of_kernel = costliest_launch(
        run, [&](const ProgramLaunch& one) { return one.entry == kernel.entry && !one.inputs.empty(); });
    if (of_kernel == nullptr) continue;
    if (auto others = launches_of(file, kernel, *of_kernel))
      file.others[pipeline::choosing_name(file.kernels, kernel)] = *std::move(others);
  }
  file.launches = std::move(own.launches);
  file.program_launch = std::move(own.program_launch);
  file.is_guess = false;
  file.is_read = true;
  return file;
}

}  // namespace lanescope::session
