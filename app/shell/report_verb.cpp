// `lanescope report`: what each launch costs and what to change, for people and for CI.

#include "base/escape.h"
#include "base/file.h"
#include "pipeline/program_run.h"
#include "report/ci_reports.h"
#include "report/comparison.h"
#include "report/html_report.h"
#include "report/markdown_report.h"
#include "report/report_json.h"
#include "report/suppressions.h"
#include "report/wording.h"
#include "shell/report_sources.h"
#include "shell/verbs.h"

#include <cmath>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  RunArguments run;
  std::vector<std::string> outputs;
  std::string against;
  float tolerance = 1;
  std::string sarif, junit;
  std::string suppressions;
  std::string language = "en";
};

/// Makes the text of a report in one format.
using Writer = Result<std::string> (*)(const report::Report&);

/// The writer of the format that the extension names. Errors: Usage.
Result<Writer> writer_of(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  if (extension == ".html" || extension == ".htm") return report::html_report;
  if (extension == ".md")
    return
        [](const report::Report& report) -> Result<std::string> { return report::markdown_report(report); };
  if (extension == ".json")
    return [](const report::Report& report) -> Result<std::string> { return report::json_report(report); };
  return fail(
      ErrorKind::Usage,
      fmt::format("a report is written as .html, .md or .json; '{}' has none of these extensions", file));
}

Language language_of(const ReportArguments& arguments) {
  return arguments.language == "fr" ? Language::French : Language::English;
}

/// What is wrong before anything runs: minutes may pass until the report is written.
Result<void> check(const ReportArguments& arguments) {
  for (const std::string& file : arguments.outputs) {
    TRY_VOID(writer_of(file));
    TRY_VOID(check_place(file));
  }
  for (const std::string& file : {arguments.sarif, arguments.junit})
    if (!file.empty()) TRY_VOID(check_place(file));
  if (arguments.run.verb->has("--tolerance") && arguments.against.empty())
    return fail(ErrorKind::Usage, "--tolerance is of a comparison; add --against OTHER");
  if (!(arguments.tolerance >= 0) || std::isinf(arguments.tolerance))
    return fail(ErrorKind::Usage,
                fmt::format("--tolerance is a percentage from 0, {} was given", arguments.tolerance));
  return {};
}

/// The report that the other one is compared with: a file of JSON, or what can be reported, which is run.
Result<report::Baseline> baseline_of(const ReportArguments& arguments, const Paths& paths) {
  if (fs::path(arguments.against).extension() == ".json" && !pipeline::is_program_run(arguments.against))
    return report::read_baseline(arguments.against);
  RunArguments other = arguments.run;
  other.file = arguments.against;
  other.more_files.clear();
  other.lesson.clear();
  report::SourceTexts sources;
  TRY(report::Report report,
      report_of(other, paths, ProgramCommand::Output::Error, Language::English, sources));
  report::apply_suppressions({}, sources, report);
  return report::baseline_of(report, arguments.against);
}

Result<void> write(const ReportArguments& arguments, const report::Report& report) {
  for (const std::string& file : arguments.outputs) {
    TRY(const Writer writer, writer_of(file));
    TRY(const std::string text, writer(report));
    TRY_VOID(write_file(file, text));
  }
  if (!arguments.sarif.empty()) TRY_VOID(write_file(arguments.sarif, report::sarif_report(report)));
  if (!arguments.junit.empty()) TRY_VOID(write_file(arguments.junit, report::junit_report(report)));
  if (arguments.outputs.empty()) fmt::print("{}", report::markdown_report(report));
  return {};
}

/// The outcome on standard error, a sentence each.
void say_outcome(const ReportArguments& arguments, const report::Report& report) {
  const Language language = report.language;
  const auto print = [](const std::string& sentence) {
    fmt::print(stderr, "{}\n", without_control_characters(sentence));
  };
  for (const report::LaunchReport& launch : report.launches)
    for (const report::Finding& finding : launch.findings)
      if (report::is_failure(report, finding))
        print(describe(
            {ErrorKind::Hazard,
             report::said(language, report::Words::finding_in, report::heading_of(language, finding.kind),
                          launch.kernel, finding.sentence),
             finding.source.where}));
  if (report.comparison)
    for (const report::Change& change : report.comparison->changes)
      if (change.verdict == report::Change::Verdict::Worse)
        print(report::said(language, report::Words::worse_kernel, change.kernel,
                           report::change_words(language, change)));
  for (const std::string& unused : report.unused_suppressions) print("note: " + unused);
  for (const report::Note& problem : report.problems) print(problem.text);
  if (report.comparison) print(report::verdict_of(language, *report.comparison));
  print(report::summary_of(report));
  for (const std::string& file : arguments.outputs)
    print(report::said(language, report::Words::written, file));
}

Result<int> make_report(const ReportArguments& arguments, const Paths& paths) {
  if (arguments.run.device == "help") {
    print_names(model::device_names(paths.assets / "devices"));
    return 0;
  }
  TRY_VOID(check(arguments));
  std::vector<report::SuppressionRule> rules;
  if (!arguments.suppressions.empty()) {
    TRY(rules, report::read_suppressions(arguments.suppressions));
  }
  std::optional<report::Baseline> baseline;
  if (!arguments.against.empty()) {
    TRY(baseline, baseline_of(arguments, paths));
  }
  report::SourceTexts sources;
  const auto output =
      arguments.outputs.empty() ? ProgramCommand::Output::Error : ProgramCommand::Output::Output;
  TRY(report::Report report, report_of(arguments.run, paths, output, language_of(arguments), sources));
  report::apply_suppressions(std::move(rules), sources, report);
  if (baseline) TRY_VOID(report::require_same_level(report, *baseline));
  if (baseline) report::compare(report, *baseline, static_cast<double>(arguments.tolerance));
  std::error_code ignored;
  shorten_names(report, fs::current_path(ignored));
  TRY_VOID(write(arguments, report));
  std::fflush(stdout);
  say_outcome(arguments, report);
  return report::exit_status(report);
}

}  // namespace

void add_report_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<ReportArguments>();
  const Verb verb = program.add_verb(
      "report",
      "what each launch costs by line and what to change, as a page or for CI; compare with another");
  add_run_arguments(verb, arguments->run);
  verb.add("--level", arguments->run.level,
           "ptx (default) or sass: whose accesses are counted; the PTX where the machine code is not known")
      .one_of({"ptx", "sass"});
  verb.add("-o,--output", arguments->outputs,
           "FILE.html, .md or .json; may be given several times (default: Markdown on standard output)")
      .repeatable();
  verb.add("--against", arguments->against,
           "OTHER: a report's .json, or what can be reported; the exit status is 1 where this one is worse");
  verb.add("--tolerance", arguments->tolerance,
           "with --against: percent by which sectors and wavefronts may grow (default: 1)");
  verb.add("--sarif", arguments->sarif, "FILE: the findings for a code review, as SARIF 2.1.0");
  verb.add("--junit", arguments->junit, "FILE: a test case for each kernel, as JUnit's XML");
  verb.add(
      "--suppressions", arguments->suppressions,
      "FILE.toml: findings that do not count, and why; also '// lanescope: allow KIND: REASON' in a source");
  verb.add("--language", arguments->language, "of the sentences: en (default) or fr").one_of({"en", "fr"});
  verb.set_footer(
      "FILE may also be a saved trace (.lane) or the folder of 'lanescope run --save'. Exit status: 1 for a "
      "hazard that\n"
      "is not suppressed and a program that fails; with --against for what is worse or new, and 2 for a "
      "wrong "
      "command line.\n"
      "Examples:\n"
      "  lanescope report mine.cu -o report.html\n"
      "  lanescope report mine.cu --kernels-only -o base.json\n"
      "  lanescope report mine.cu --kernels-only --against base.json --sarif findings.sarif\n"
      "  lanescope report -o report.html -- python program.py");
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return make_report(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
