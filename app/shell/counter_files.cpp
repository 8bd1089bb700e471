#include "shell/counter_files.h"

#include "base/dim3_text.h"
#include "base/file.h"
#include "pipeline/kernel_choice.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

using Launches = std::vector<const exporting::ProfiledLaunch*>;

/// The launches of the kernel in the profile.
Launches launches_of(const exporting::Profile& profile, const pipeline::Run& run) {
  Launches launches;
  for (const exporting::ProfiledLaunch& launch : profile.launches)
    if (launch.kernel == run.entry || pipeline::is_name_of_kernel(launch.kernel, run.kernel))
      launches.push_back(&launch);
  return launches;
}

bool has_shape_of(const exporting::ProfiledLaunch& launch, const pipeline::Run& run) {
  return launch.grid.value_or(run.trace->grid) == run.trace->grid &&
         launch.block.value_or(run.trace->block) == run.trace->block;
}

std::string shape_text(Dim3 grid, Dim3 block) {
  return fmt::format("grid {} and block {}", extent_text(grid, " x "), extent_text(block, " x "));
}

Error no_kernel(const exporting::Profile& profile, const std::string& file, const pipeline::Run& run) {
  std::set<std::string> names;
  for (const exporting::ProfiledLaunch& launch : profile.launches) names.insert(launch.kernel);
  return {ErrorKind::Usage, fmt::format("{}: the profile has no launch of '{}'; its kernels are {}", file,
                                        run.kernel, fmt::join(names, ", "))};
}

}  // namespace

Result<exporting::Profile> read_counters(const std::string& file) {
  if (file.empty())
    return fail(ErrorKind::Usage,
                "--counters takes the name of a file, for example --counters profile.csv; it is empty");
  TRY(const std::string text, read_text(file));
  return exporting::read_profile(text, file);
}

Result<std::vector<exporting::CounterComparison>> compare_with(
    const exporting::Profile& profile, const std::string& file,
    const std::vector<std::shared_ptr<const pipeline::Run>>& runs, const std::vector<pipeline::Step>& steps) {
  std::vector<exporting::CounterComparison> comparisons;
  std::set<const exporting::ProfiledLaunch*> taken;
  for (size_t n = 0; n < runs.size(); ++n) {
    const pipeline::Run& run = *runs[n];
    const Launches launches = launches_of(profile, run);
    if (launches.empty()) return std::unexpected(no_kernel(profile, file, run));
    const auto found = std::ranges::find_if(launches, [&](const exporting::ProfiledLaunch* launch) {
      return has_shape_of(*launch, run) && !taken.contains(launch);
    });
    if (found == launches.end()) {
      const auto shaped = std::ranges::find_if(
          launches, [&](const exporting::ProfiledLaunch* launch) { return has_shape_of(*launch, run); });
      if (shaped != launches.end())
        return fail(ErrorKind::Usage,
                    fmt::format("{}: the profile has fewer launches of '{}' with {} than there are here",
                                file, run.kernel, shape_text(run.trace->grid, run.trace->block)));
      const exporting::ProfiledLaunch& other = *launches.front();
      return fail(ErrorKind::Usage,
                  fmt::format("{}: the profile has '{}' with {}, and it has {} here; give it that of the "
                              "profile with --grid and --block",
                              file, run.kernel,
                              shape_text(other.grid.value_or(run.trace->grid),
                                         other.block.value_or(run.trace->block)),
                              shape_text(run.trace->grid, run.trace->block)));
    }
    taken.insert(*found);
    exporting::CounterComparison comparison = exporting::compare_counters(
        **found, *run.trace, pipeline::ptx_totals_of(run), run.machine.get(), steps[n].job.options.arch);
    comparison.file = file;
    comparison.number = static_cast<size_t>(found - launches.begin()) + 1;
    comparison.launches = launches.size();
    comparison.other_metrics = profile.other_metrics;
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

}  // namespace lanescope::shell
