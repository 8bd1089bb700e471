#include "shell/program_options.h"

#include <fmt/format.h>

namespace lanescope::shell {

void add_program_options(const Verb& verb, ProgramOptions& options) {
  verb.add("--no-repeats", options.no_repeats,
           "of a program: run every launch, also one that would repeat a launch that changed nothing");
  verb.add("--keep-going", options.keep_going,
           "of a program: an access out of bounds does not stop the launch: it is reported, a read gives 0, "
           "and a write is dropped");
  verb.add(
      "--sample-blocks", options.sample_blocks,
      "of a program: run only this many blocks of each larger launch, for its counts alone; a launch that "
      "reads what such a one left is not run");
  verb.add("--sample-all", options.sample_all,
           "with --sample-blocks: also run launches that read what such a launch left incomplete");
}

Result<void> apply(const ProgramOptions& options, HostedRun& run) {
  if (options.sample_blocks == 0)
    return fail(ErrorKind::Usage,
                "--sample-blocks is how many blocks of a launch are run, at least 1; 0 was given");
  if (options.sample_all && !options.sample_blocks)
    return fail(ErrorKind::Usage, "--sample-all is about the launches of --sample-blocks N; add it");
  if (run.runs_on_gpu && (options.keep_going || options.sample_blocks))
    return fail(ErrorKind::Usage,
                fmt::format("{} is of the emulator, and a GPU runs the launches whole: leave it out",
                            options.keep_going ? "--keep-going" : "--sample-blocks"));
  run.runs_repeats = options.no_repeats;
  run.out_of_bounds = options.keep_going ? emulator::OutOfBounds::IsPassedOver : emulator::OutOfBounds::Stops;
  run.sample_blocks = options.sample_blocks.value_or(0);
  run.samples_all = options.sample_all;
  return {};
}

}  // namespace lanescope::shell
