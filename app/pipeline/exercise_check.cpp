#include "pipeline/exercise_check.h"

#include "base/file.h"
#include "base/number.h"
#include "compile/include_files.h"
#include "compile/log.h"
#include "gpu/gpu.h"
#include "launch/difference.h"
#include "model/device.h"
#include "pipeline/cost_checks.h"
#include "pipeline/count_places.h"
#include "pipeline/hazards.h"
#include "trace/traffic.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

/// A kernel that executes so many times the solution's instructions, and some more, is taken not to end.
constexpr uint64_t kPatience = 50;
constexpr uint64_t kLeastSteps = 10'000'000;

/// Stored accesses among which the writer of a wrong element is looked for.
constexpr uint64_t kMostStoredBytes = uint64_t{64} << 20;

/// What the bytes of a buffer hold before the kernel writes them.
constexpr std::byte kUnwritten{0xcd};

/// Whether an error says something of the submission, and not of the machine or of this program.
bool is_of_submission(const Error& error) {
  using enum ErrorKind;
  return error.kind == Compile || error.kind == Syntax || error.kind == Unsupported || error.kind == Usage ||
         error.kind == Launch || error.kind == Memory;
}

/// The uninitialized buffers get the pattern.
void fill_unwritten(launch::Launch& launch) {
  for (launch::Buffer& buffer : launch.buffers)
    if (!buffer.has_contents)
      buffer.initial = std::make_shared<launch::Bytes>(buffer.initial->size(), kUnwritten);
}

/// Whether both sides of a race are in one warp.
bool is_in_warp(const trace::Hazard& race, Dim3 block) {
  return race.other && race.block == race.other->block &&
         linear(race.thread, block) / kLanes == linear(race.other->thread, block) / kLanes;
}

/// The first hazard; in place of a race between lanes of a warp one between warps that has a line in common
/// with it, where there is one: whoever puts __syncwarp() there has gained nothing.
const trace::Hazard& most_telling(const std::vector<trace::Hazard>& hazards, Dim3 block) {
  const trace::Hazard& first = hazards.front();
  if (first.kind != trace::HazardKind::Race || !is_in_warp(first, block)) return first;
  const auto wider = std::ranges::find_if(hazards, [&](const trace::Hazard& hazard) {
    return hazard.kind == first.kind && hazard.other &&
           (hazard.where == first.where || hazard.other->where == first.other->where) &&
           !is_in_warp(hazard, block);
  });
  return wider == hazards.end() ? first : *wider;
}

/// One case with the submission and with the solution.
struct Outcome {
  std::shared_ptr<const Run> submission;  // null: it could not be run to its end
  std::shared_ptr<const Run> solution;
};

class SubmissionCheck {
 public:
  SubmissionCheck(Execution& execution, const Options& options, const lesson::Exercise& exercise,
                  const Job& submission, const CheckOptions& how)
      : execution_(execution), options_(options), exercise_(exercise), submission_(submission), how_(how) {}

  Result<std::vector<Check>> check() {
    TRY(device_, model::find_device(options_.assets / "devices", "h200"));
    Outcome first;
    // A failure ends it: what the next case finds would often be the same mistake under another name.
    for (const lesson::Settings& settings : exercise_.cases) {
      TRY(Outcome outcome, run(settings));
      if (compile_ || memory_ || output_) break;
      if (cases_++ == 0) first = std::move(outcome);
      if (how_.on_case && cases_ < exercise_.cases.size()) how_.on_case(cases_);
    }
    report_basics();
    TRY_VOID(report_costs(first));
    return std::move(checks_);
  }

 private:
  struct Failure {
    std::string sentence;
    int line = 0;
  };
  /// Of an element, in the submission's own file.
  struct Writer {
    int line = 0;
    Dim3 block;
    Dim3 thread;
  };

  Result<Outcome> run(const lesson::Settings& settings) {
    Outcome outcome;
    TRY(Job job, job_of(settings));
    TRY(compile_, foreign_include(job));
    if (compile_) return outcome;
    TRY(const bool compiles, compile(job));
    if (!compiles) return outcome;
    TRY(outcome.solution, run_solution(settings, job));
    RunOptions options;
    options.stop = how_.stop;
    options.keep.blocks = trace::Keep::Blocks::None;
    options.limit_steps = kPatience * outcome.solution->trace->warp_instructions + kLeastSteps;
    const auto ran = execution_.run(job, device_, options);
    if (!ran) {
      is_endless_ = ran.error().kind == ErrorKind::Limit;
      if (is_endless_)
        output_ = Failure{in_case(settings) + said(Text::check_endless, digits(options.limit_steps),
                                                   digits(outcome.solution->trace->warp_instructions))};
      else if (is_of_submission(ran.error()))
        compile_ = failure_of(ran.error());
      else
        return std::unexpected(ran.error());
      return outcome;
    }
    if (const auto& hazards = (*ran)->trace->hazards; !hazards.empty()) {
      memory_ = failure_of(most_telling(hazards, job.launch->block), settings);
      return outcome;
    }
    outcome.submission = *ran;
    TRY(output_, difference(job, outcome, settings));
    return outcome;
  }

  Result<Job> job_of(const lesson::Settings& settings) {
    const lesson::Lesson& lesson = exercise_.lesson;
    const lesson::Kernel& kernel = lesson.kernels.front();
    Job job = submission_;
    job.caches = exercise_.lesson.caches;
    job.kernel = kernel.entry;
    job.options.defines = lesson::defines(lesson, settings);
    job.options.cache_directory = options_.cache;
    TRY(auto launch, lesson::make_launch(lesson, kernel, settings, launch_.get()));
    fill_unwritten(launch);
    launch_ = std::make_shared<const launch::Launch>(std::move(launch));
    job.launch = launch_;
    return job;
  }

  /// A file of the disk that the submission includes, as the solution, whose lines it would show or pass as
  /// its own. CUDA's folders are not given, so that nothing in them is followed.
  Result<std::optional<Failure>> foreign_include(const Job& job) const {
    TRY(const compile::SourceFiles files, compile::read_source_files(job.source, job.options, {}));
    const auto leaves_folder = [](const std::filesystem::path& name) {
      return name.is_absolute() || std::ranges::find(name, "..") != name.end();
    };
    for (const compile::SourceFile& file : files.files)
      for (const compile::IncludeLine& include : file.includes)
        if (include.found == compile::IncludeLine::Found::File || leaves_folder(include.name)) {
          const Location where{file.name, include.line};
          return Failure{at(where) + said(Text::check_includes, include.name), line_of(where)};
        }
    if (!files.is_complete) return Failure{said(Text::check_hides_include)};
    return std::nullopt;
  }

  /// Whether it does; why not is in compile_.
  Result<bool> compile(const Job& job) {
    const auto compiled = execution_.compiler().compile(job, {.stop = how_.stop});
    if (compiled) {
      const size_t has = (*compiled)->program.parameters.size(), given = job.launch->arguments.size();
      if (has == given) return true;
      compile_ = Failure{said(Text::check_says_parameters, job.kernel,
                              counted(has, Text::check_one_parameter, Text::check_many_parameters),
                              counted(given, Text::check_one_argument, Text::check_many_arguments))};
    } else if (is_of_submission(compiled.error())) {
      compile_ = failure_of(compiled.error());
    } else {
      return std::unexpected(compiled.error());
    }
    return false;
  }

  Result<std::shared_ptr<const Run>> run_solution(const lesson::Settings& settings, const Job& submission) {
    TRY(Job job, text_job_of(exercise_.lesson, settings, options_));
    job.lesson.clear();  // its PTX is not stored
    job.launch = submission.launch;
    RunOptions options;
    options.stop = how_.stop;
    options.checks = emulator::Checks::None;
    options.keep.blocks = trace::Keep::Blocks::None;
    TRY(auto run, execution_.run(job, device_, options));
    TRY_VOID(require_whole(*run->trace, "the output of a solution"));
    return run;
  }

  /// "with size=100x37: ", if the case is not the first.
  std::string in_case(const lesson::Settings& settings) const {
    const std::string text = lesson::case_text(exercise_, settings);
    return text.empty() || &settings == exercise_.cases.data() ? "" : said(Text::check_with, text) + " ";
  }

  /// "line 12: ", or with the name of another file.
  std::string at(const Location& where) const {
    if (where.line == 0) return {};
    return where.file == submission_.source.file_name ? said(Text::check_at_line, where.line) + " "
                                                      : fmt::format("{}:{}: ", where.file, where.line);
  }
  int line_of(const Location& where) const {
    return where.file == submission_.source.file_name ? where.line : 0;
  }

  /// Of a compiler's log the first error.
  Failure failure_of(const Error& error) const {
    Location where = error.where.value_or(Location{});
    std::string message = error.message;
    if (const auto errors = compile::errors_of(message); !errors.empty()) {
      where = {errors.front().file, errors.front().line};
      message = errors.front().message;
      if (errors.size() > 1) message = said(Text::check_more_errors, message, errors.size());
    }
    return {at(where) + message, line_of(where)};
  }

  Failure failure_of(const trace::Hazard& hazard, const lesson::Settings& settings) const {
    return {in_case(settings) + at(hazard.where) + trace::sentence_of(hazard), line_of(hazard.where)};
  }

  /// The first element that is not as the solution writes it.
  Result<std::optional<Failure>> difference(const Job& job, const Outcome& outcome,
                                            const lesson::Settings& settings) const {
    const launch::Launch& launch = *outcome.submission->launch;
    for (const std::string& name : exercise_.requirements.output) {
      const auto found = std::ranges::find(launch.buffers, name, &launch::Buffer::name);
      if (found == launch.buffers.end()) continue;
      const auto index = static_cast<size_t>(found - launch.buffers.begin());
      const std::span<const std::byte> has = *outcome.submission->buffers[index];
      const std::span<const std::byte> wanted = *outcome.solution->buffers[index];
      const auto difference = launch::difference_of(*found, has, wanted);
      if (!difference) continue;
      const size_t size = launch::size_bytes(found->type);
      const size_t first = static_cast<size_t>(difference->first) * size;
      const auto value = has.subspan(first, size);
      const bool is_unwritten =
          !found->has_contents && std::ranges::count(value, kUnwritten) == std::ssize(value);
      const bool is_one = difference->count == 1;
      const Text text = is_unwritten ? is_one ? Text::check_one_unwritten : Text::check_many_unwritten
                        : is_one     ? Text::check_one_differs
                                     : Text::check_many_differ;
      std::string sentence =
          in_case(settings) +
          said(text, launch::element_name(*found, difference->first),
               launch::element_value(found->type, value),
               launch::element_value(found->type, wanted.subspan(first, size)), digits(difference->count),
               counted(has.size() / size, Text::check_one_element, Text::check_many_elements));
      std::optional<Writer> writer;
      if (!is_unwritten) {
        TRY(writer, find_writer(job, static_cast<uint32_t>(index), difference->first * size));
      }
      if (writer)
        sentence = said(Text::check_writer, sentence, writer->line, writer->thread.x, writer->thread.y,
                        writer->thread.z, writer->block.x, writer->block.y, writer->block.z);
      // A note is no defect by itself, and may be why the output is wrong.
      if (const auto& notes = outcome.submission->trace->notes; !notes.empty())
        sentence =
            said(Text::check_note, sentence, at(notes.front().where) + trace::sentence_of(notes.front()));
      return Failure{std::move(sentence), writer ? writer->line : 0};
    }
    return std::nullopt;
  }

  /// Who wrote a byte of a buffer, by another run that stores accesses; absent where nobody did, or where
  /// there are too many accesses to look through.
  Result<std::optional<Writer>> find_writer(const Job& job, uint32_t buffer, uint64_t offset) const {
    RunOptions options;
    options.stop = how_.stop;
    options.checks = emulator::Checks::None;
    options.keep.budget_bytes = kMostStoredBytes;
    TRY(const auto run, execution_.run(job, device_, options));
    if (run->trace->dropped > 0) return std::nullopt;
    const auto writer = writer_of(*run->trace, buffer, offset);
    if (!writer) return std::nullopt;
    const Location& where = run->trace->sites[writer->site.value].source;
    if (line_of(where) == 0) return std::nullopt;
    return Writer{where.line, writer->block, writer->thread};
  }

  void passed(std::string name, std::string sentence) {
    checks_.push_back({std::move(name), Check::Status::Passed, std::move(sentence)});
  }
  void failed(std::string name, const Failure& failure) {
    checks_.push_back({std::move(name), Check::Status::Failed, failure.sentence, failure.line});
  }
  void not_run(std::string name, Text why) {
    checks_.push_back({std::move(name), Check::Status::NotRun, said(why)});
  }

  /// A sentence in the language that is asked for.
  template <class... Arguments>
  std::string said(Text text, const Arguments&... arguments) const {
    return phrase(how_.language, text, arguments...);
  }
  /// "1,048,576"
  std::string digits(uint64_t value) const { return number(how_.language, value); }
  std::string counted(uint64_t count, Text one, Text many) const {
    return said(count == 1 ? one : many, digits(count));
  }

  /// "in 2 cases": in those that came to their end.
  std::string in_cases(size_t count) const {
    const size_t all = exercise_.cases.size();
    if (count == all) return counted(all, Text::check_in_one_case, Text::check_in_many_cases);
    return said(count == 1 ? Text::check_in_first_case : Text::check_in_first_cases, count, all);
  }

  /// compile, memory, output.
  void report_basics() {
    if (compile_)
      failed("compile", *compile_);
    else
      passed("compile", said(Text::check_says_compiles, exercise_.lesson.kernels.front().entry));
    if (memory_)
      failed("memory", *memory_);
    else if (compile_)
      not_run("memory", Text::check_first_compile);
    else if (is_endless_)
      not_run("memory", Text::check_first_end);
    else
      passed("memory", said(Text::check_no_hazard, in_cases(cases_ + (output_ ? 1 : 0))));
    if (output_)
      failed("output", *output_);
    else if (compile_)
      not_run("output", Text::check_first_compile);
    else if (memory_)
      not_run("output", Text::check_first_memory);
    else
      passed("output", said(Text::check_as_solution, in_cases(cases_)));
  }

  Result<void> report_costs(const Outcome& first) {
    if (!compile_ && !memory_ && !output_) {
      std::shared_ptr<const trace::History> first_warp;
      if (needs_first_warp(exercise_.requirements)) {
        TRY(const Job job, job_of(exercise_.cases.front()));
        RunOptions options;
        options.stop = how_.stop;
        TRY(first_warp, execution_.history(job, CtaId{0}, WarpId{0}, options));
      }
      TRY(std::vector<Check> costs,
          cost_checks(exercise_, *first.submission, *first.solution, first_warp.get(), how_.language));
      std::ranges::move(costs, std::back_inserter(checks_));
      return report_times(*first.submission);
    }
    for (const std::string& name : cost_names(exercise_.requirements))
      not_run(name, compile_ ? Text::check_first_compile : Text::check_first_output);
    return {};
  }

  Result<void> report_times(const Run& run) {
    const lesson::Requirements& asked = exercise_.requirements;
    if (!asked.microseconds && !asked.copy_share) return {};
    if (how_.gpu == nullptr) {
      if (asked.microseconds) not_run("microseconds", Text::check_needs_gpu);
      if (asked.copy_share) not_run("copy_share", Text::check_needs_gpu);
      return {};
    }
    TRY(const gpu::Timing timing,
        how_.gpu->time({run.ptx_text, run.source_name, run.kernel}, *run.launch, gpu::TimingOptions{}));
    const double seconds = timing.median();
    if (asked.microseconds) {
      const std::string sentence =
          said(Text::check_says_time, with_mark(how_.language, fmt::format("{:.4g}", seconds * 1e6)),
               timing.seconds.size(), with_mark(how_.language, fmt::format("{:g}", *asked.microseconds)));
      seconds * 1e6 <= *asked.microseconds ? passed("microseconds", sentence)
                                           : failed("microseconds", {sentence});
    }
    if (!asked.copy_share) return {};
    uint64_t bytes = 0;
    for (const trace::Traffic traffic : trace::kAllTraffic)
      bytes += trace::total_of(*run.trace, trace::Space::Global, traffic).bytes;
    TRY(const gpu::Timing copy, how_.gpu->time_copy(std::max<uint64_t>(bytes / 2, 1), gpu::TimingOptions{}));
    const double share = copy.median() / seconds;
    const std::string sentence = said(Text::check_says_copy, fmt::format("{:.0f}", share * 100),
                                      fmt::format("{:.0f}", *asked.copy_share * 100));
    share >= *asked.copy_share ? passed("copy_share", sentence) : failed("copy_share", {sentence});
    return {};
  }

  Execution& execution_;
  const Options& options_;
  const lesson::Exercise& exercise_;
  const Job& submission_;
  const CheckOptions& how_;
  model::Device device_;
  std::shared_ptr<const launch::Launch> launch_;  // of the newest case
  size_t cases_ = 0;                              // that ended with the right output
  bool is_endless_ = false;                       // output_ says so
  std::optional<Failure> compile_, memory_, output_;
  std::vector<Check> checks_;
};

}  // namespace

Result<Job> submission_of(const std::filesystem::path& file) {
  constexpr uint64_t kMostBytes = 1 << 20;
  TRY(std::string text, read_text(file, kMostBytes));
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  if (text.find('\0') != std::string::npos)
    return fail(ErrorKind::File, "the file is not text; a CUDA source (.cu) was expected",
                Location{file.string(), 0});
  Job job;
  job.source = {file.string(), std::move(text), {}};
  job.options.include_directories.push_back(file.has_parent_path() ? file.parent_path() : ".");
  return job;
}

Result<std::vector<Check>> check_submission(Execution& execution, const Options& options,
                                            const lesson::Exercise& exercise, const Job& submission,
                                            const CheckOptions& how) {
  return SubmissionCheck(execution, options, exercise, submission, how).check();
}

}  // namespace lanescope::pipeline
