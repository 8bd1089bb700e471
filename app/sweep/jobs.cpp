#include "sweep/jobs.h"

#include "sweep/definition.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::sweep {
namespace {

JobFile part_script(const JobPlan& plan, const JobCommand& command) {
  std::string words;
  for (const std::string& word : command.words) words += " " + shell_word(word);
  return {
      "part.sh",
      fmt::format(
          "#!/bin/bash\n"
          "# Runs part $1 of {0} of a sweep, with further options after it. Run again, it goes on; when it\n"
          "# has all rows, it ends at once.\n"
          "cd {1} || exit 1\n"
          "exec {2}{3} --shard \"$1/{0}\" -o {4}/\"$1.sqlite\" \"${{@:2}}\"\n",
          plan.parts, shell_word(command.working.string()), shell_word(command.program.string()), words,
          shell_word(command.folder.string()))};
}

JobFile merge_script(const JobCommand& command) {
  const std::string folder = shell_word(command.folder.string());
  return {
      "merge.sh",
      fmt::format("#!/bin/bash\n"
                  "# Makes all.sqlite of the parts that are there; the status is 1 while rows are missing.\n"
                  "exec {0} merge {1}/[0-9]*.sqlite -o {1}/all.sqlite\n",
                  shell_word(command.program.string()), folder)};
}

JobFile slurm_script(const JobPlan& plan, const JobCommand& command) {
  const std::string folder = command.folder.string();
  return {
      "sweep.sbatch",
      fmt::format(
          "#!/bin/bash\n"
          "# An array of {0} parts: sbatch sweep.sbatch; what was killed or is missing: sbatch --array=3,7\n"
          "# sweep.sbatch, or the whole array again. SIGTERM, a minute before the time is over, ends a part\n"
          "# between two rows.\n"
          "#SBATCH --job-name=lanescope-sweep\n"
          "#SBATCH --array=1-{0}\n"
          "#SBATCH --cpus-per-task=1\n"
          "#SBATCH --signal=TERM@60\n"
          "#SBATCH --output=/dev/null\n"
          "exec bash {1}/part.sh \"$SLURM_ARRAY_TASK_ID\" --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" \\\n"
          "  > {1}/\"$SLURM_ARRAY_TASK_ID.log\" 2>&1\n",
          plan.parts, shell_word(folder))};
}

JobFile parallel_script(const JobPlan& plan, const JobCommand& command) {
  return {"parallel.sh",
          fmt::format("#!/bin/bash\n"
                      "# Runs {0} parts, each on one core of this machine; with --sshloginfile FILE on the "
                      "machines that FILE\n"
                      "# names, which have the same folders. Run again, it goes on.\n"
                      "seq {0} | parallel \"$@\" --joblog {1}/parallel.log bash {2} {{}} --threads 1\n",
                      plan.parts, shell_word(command.folder.string()),
                      // Once for this shell, and once for that of GNU parallel.
                      shell_word(shell_word((command.folder / "part.sh").string())))};
}

}  // namespace

Result<JobPlan> parse_jobs(std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view kind = text.substr(0, colon);
  const auto parts = parse_shard(fmt::format("1/{}", text.substr(std::min(colon + 1, text.size()))));
  if ((kind != "slurm" && kind != "parallel") || !parts)
    return fail(
        ErrorKind::Usage,
        fmt::format("--jobs takes slurm:N or parallel:N, N parts, for example slurm:16; found '{}'", text));
  return JobPlan{kind == "slurm" ? JobPlan::Scheduler::Slurm : JobPlan::Scheduler::Parallel, parts->count};
}

std::vector<JobFile> job_files(const JobPlan& plan, const JobCommand& command) {
  return {part_script(plan, command), merge_script(command),
          plan.scheduler == JobPlan::Scheduler::Slurm ? slurm_script(plan, command)
                                                      : parallel_script(plan, command)};
}

std::string shell_word(std::string_view word) {
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'')
      text += "'\\''";
    else
      text += c;
  }
  return text + "'";
}

std::vector<std::string> without_options(const std::vector<std::string>& words,
                                         const std::vector<std::string>& options) {
  std::vector<std::string> left;
  for (size_t n = 0; n < words.size(); ++n) {
    if (std::ranges::count(options, words[n]) != 0) {
      ++n;  // its value
      continue;
    }
    const bool has_value = std::ranges::any_of(
        options, [&](const std::string& option) { return words[n].starts_with(option + "="); });
    if (!has_value) left.push_back(words[n]);
  }
  return left;
}

}  // namespace lanescope::sweep
