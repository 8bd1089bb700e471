// `lanescope merge`: the databases of a sweep's parts as one.

#include "base/counted_phrase.h"
#include "base/file.h"
#include "shell/verbs.h"
#include "sweep/merge.h"

#include <filesystem>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

struct MergeArguments {
  std::vector<std::string> files;
  std::string output;
};

Result<int> merge_sweeps(const MergeArguments& arguments) {
  TRY_VOID(check_place(arguments.output));
  const std::vector<std::filesystem::path> files(arguments.files.begin(), arguments.files.end());
  TRY(const sweep::Merged merged, sweep::merge(files, arguments.output));
  std::string sentence = counted_phrase(Language::English, "{} has {} of {} combination[|s]",
                                        arguments.output, merged.rows, merged.combinations);
  if (merged.repeated != 0)
    sentence +=
        counted_phrase(Language::English, "; {} row[|s] [was|were] in several files", merged.repeated);
  const uint64_t missing = merged.combinations - merged.rows;
  if (missing != 0)
    sentence += counted_phrase(
        Language::English, "; {} [is|are] missing: the sweep's command without --shard runs them, with -o {}",
        missing, arguments.output);
  fmt::print(stderr, "{}\n", sentence);
  return missing == 0 ? 0 : 1;
}

}  // namespace

void add_merge_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<MergeArguments>();
  const Verb verb = program.add_verb("merge", "the databases of a sweep's parts as one");
  verb.add("FILES", arguments->files, "databases of 'lanescope sweep --shard I/N'").required();
  verb.add("-o,--output", arguments->output, "FILE.sqlite: the database with all rows").required();
  verb.set_footer(
      "Exit status: 1 where combinations are missing, or two files differ; 2 where they are of two sweeps.\n"
      "Example:\n  lanescope merge part-1.sqlite part-2.sqlite -o all.sqlite");
  verb.on_chosen(
      [&action, arguments] { action = [arguments](const Paths&) { return merge_sweeps(*arguments); }; });
}

}  // namespace lanescope::shell
