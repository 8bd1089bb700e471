#include "pipeline/execution.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/source_name.h"
#include "base/utf8.h"
#include "compile/content_key.h"
#include "compile/find_kernels.h"
#include "compile/shared_arrays.h"
#include "emulator/history.h"
#include "lesson/check.h"
#include "model/cost.h"
#include "pipeline/hazards.h"
#include "pipeline/kernel_choice.h"
#include "pipeline/line_costs.h"
#include "pipeline/partition_report.h"
#include "pipeline/register_estimate.h"
#include "pipeline/stored_ptx.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "ptx/source_place.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::pipeline {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Key of a lowered program: its content and which kernel of it.
std::string key_of(const Job& job) {
  return compile::content_key(job.source, job.options, "") + ":" + job.kernel;
}

/// Calls each of the functions, as many at a time as the pool has threads.
void run_all(emulator::Pool& pool, const std::vector<std::function<void()>>& functions) {
  std::atomic<size_t> next = 0;
  pool.run(static_cast<unsigned>(functions.size()), [&](unsigned) {
    for (size_t n = next++; n < functions.size(); n = next++) functions[n]();
  });
}

/// In how many parts the output is checked: of 1 MiB, and not many more than there are threads. 0 where
/// nothing is expected of the job.
uint32_t parts_of_check(const Job& job, const std::vector<launch::Contents>& buffers, unsigned threads) {
  if (!job.expected || job.expected->buffer >= buffers.size()) return 0;
  if (!job.expected->rule) return 1;
  const uint64_t most = uint64_t{4} * threads;
  return static_cast<uint32_t>(std::clamp<uint64_t>(buffers[job.expected->buffer]->size() >> 20, 1, most));
}

/// Whether what this part of the input should become is in the output. `reference`: what the output is to be,
/// where no rule says it.
bool is_output_correct(const Job& job, const std::vector<launch::Contents>& buffers,
                       const launch::Contents& reference, lesson::InputPart part) {
  const ExpectedOutput& expected = *job.expected;
  const launch::Contents& output = buffers[expected.buffer];
  if (!expected.rule) return *output == *reference;
  const launch::Buffer& input = job.launch->buffers[expected.of];
  lesson::MatrixSize size{static_cast<uint32_t>(input.shape.back()), 1};
  for (size_t n = 0; n + 1 < input.shape.size(); ++n) size.height *= static_cast<uint32_t>(input.shape[n]);
  return lesson::output_is_correct(*expected.rule, *buffers[expected.of], *output, size,
                                   launch::size_bytes(input.type), expected.tile, part);
}

using Kernels = std::vector<compile::KernelDeclaration>;

/// Gives the program's parameters the names and types of the source.
void name_parameters(ptx::Program& program, const Kernels& kernels) {
  const auto* kernel = declaration_of(program.kernel, program.parameters.size(), kernels, {});
  for (size_t n = 0; kernel != nullptr && n < program.parameters.size(); ++n) {
    if (!kernel->parameters[n].name.empty()) program.parameters[n].name = kernel->parameters[n].name;
    program.parameters[n].declared = kernel->parameters[n].type;
  }
}

/// The name of the job's PTX in errors.
std::string ptx_name(const Job& job) {
  return job.text == Job::Text::Ptx ? job.source.file_name : job.source.file_name + ".ptx";
}

/// What is wrong with the PTX of a CUDA source is located in the source, where its line is known: the PTX is
/// in no file.
Error in_source(Error error, const Job& job, std::string_view ptx) {
  // A choice among kernels may need their names in the PTX, where overloads differ.
  if (error.kind != ErrorKind::Usage) error.message = compile::with_source_names(error.message);
  if (job.text == Job::Text::Ptx || !error.where || error.where->file != ptx_name(job)) return error;
  if (auto place = ptx::source_place_of(ptx, error.where->line)) {
    error.message += fmt::format(" (line {} of its PTX)", error.where->line);
    error.where = *std::move(place);
  } else {
    error.where = Location{job.source.file_name, 0};
  }
  return error;
}

/// `missing`: the includes that were not found, in one of which the kernel may be.
Result<ptx::Program> lowered(std::string_view ptx, const Job& job, const Kernels& kernels,
                             const std::vector<std::string>& missing) {
  TRY(const ptx::Module module, ptx::parse(ptx, ptx_name(job)));
  if (ptx::kernels_of(module).empty()) return no_kernel(job, kernels, missing);
  TRY(const std::string entry, entry_of(module, job, kernels));
  return ptx::lower(module, entry);
}

/// Their shapes, from the text that declares them.
void shape_shared_arrays(ptx::Program& program, const Job& job) {
  if (job.text != Job::Text::Cuda) return;
  std::vector<std::string_view> texts = {job.source.text};
  for (const compile::Header& header : job.source.headers) texts.push_back(header.text);
  const auto arrays = compile::shared_arrays_of(texts, job.options.defines);
  for (ptx::ProgramVariable& variable : program.variables)
    if (variable.space == ptx::Space::Shared)
      variable.shape = compile::shape_of(arrays, variable_name_of(variable.name), variable.size_bytes);
}

/// Where PTX has no source lines, a hazard is located in the PTX.
void locate_hazards(std::vector<trace::Hazard>& hazards, const Job& job) {
  for (trace::Hazard& hazard : hazards)
    if (hazard.where.line == 0) hazard.where = {ptx_name(job), hazard.ptx_line};
}

/// The texts of a job's files: of its source, its headers, and the headers that the compiler read from disk.
class SourceTexts {
 public:
  explicit SourceTexts(const Job& job) : job_(job) {
    add(job.source.file_name, job.source.text);
    for (const compile::Header& header : job.source.headers) add(header.name, header.text);
  }

  /// Line `line` of `file`, trimmed; empty where that is not known.
  std::string line(const Location& where) {
    const std::vector<std::string>& lines = lines_of_file(where.file);
    if (where.line < 1 || static_cast<size_t>(where.line) > lines.size()) return {};
    return lines[static_cast<size_t>(where.line) - 1];
  }

 private:
  static constexpr uint64_t kMostBytes = uint64_t{4} << 20;

  const std::vector<std::string>& add(const std::string& name, std::string_view text) {
    std::vector<std::string>& lines = lines_[name];
    for (const std::string_view line : lines_of(text)) lines.push_back(valid_utf8(trimmed(line)));
    return lines;
  }

  const std::vector<std::string>& lines_of_file(const std::string& name) {
    if (const auto found = lines_.find(name); found != lines_.end()) return found->second;
    std::error_code ignored;
    // PTX may name any file; what a compiler read just now is no secret of another user's.
    const bool was_compiled = job_.text == Job::Text::Cuda && job_.lesson.empty();
    if (!was_compiled || !std::filesystem::is_regular_file(name, ignored)) return add(name, {});
    const auto text = read_text(name, kMostBytes);
    return add(name, text ? std::string_view(*text) : std::string_view());
  }

  const Job& job_;
  std::map<std::string, std::vector<std::string>> lines_;
};

/// The CUDA line of each site, for reports.
void add_source_text(trace::Trace& trace, const Job& job) {
  SourceTexts texts(job);
  for (trace::Site& site : trace.sites) site.source_text = texts.line(site.source);
}

/// Host code may give the size of a cluster with the launch, which is not known here.
std::string note_on_clusters(const ptx::Program& program, const Job& job) {
  const auto asks = [](const ptx::SlotInfo& slot) {
    using enum ptx::SpecialRegister;
    constexpr std::array kAsked{cluster_ctarank, cluster_nctarank, cluster_ctaid_x,  cluster_ctaid_y,
                                cluster_ctaid_z, cluster_nctaid_x, cluster_nctaid_y, cluster_nctaid_z};
    return slot.content == ptx::SlotContent::Special &&
           std::ranges::find(kAsked, slot.special) != kAsked.end();
  };
  const bool is_known = volume(program.cluster) > 1 || (job.launch && job.launch->cluster);
  if (is_known || std::ranges::none_of(program.slots, asks)) return {};
  return fmt::format(
      "{}: kernel {} asks for its cluster but declares no size, so each block ran as a cluster of one; a "
      "size that "
      "host code gives with the launch is not known here: declare __cluster_dims__(X, Y, Z)",
      job.source.file_name, source_name_of(program.kernel));
}

/// Rows of the lesson's matrices, so that addresses read as in[3][17] and tiles can be found.
void add_shapes(trace::Trace& trace, const launch::Launch& launch) {
  for (size_t i = 0; i < trace.buffers.size() && i < launch.buffers.size(); ++i)
    if (launch.buffers[i].shape.size() == 2) trace.buffers[i].row_elements = launch.buffers[i].shape[1];
}

/// What errors say of a lesson's text that is not stored, where there is no compiler.
Error without_compiler(const Job& job, const Error& error) {
  if (job.lesson.empty()) return error;
  const std::string what =
      job.flips.empty()
          ? fmt::format("'{}' is not stored as it is now, and must be compiled", job.source.file_name)
          : fmt::format("{} must be compiled: only the kernels as the lesson sets them are stored",
                        job.flips);
  return {ErrorKind::File, fmt::format("{}, and {}", what, error.message), error.where};
}

Error compiler_not_fetched() {
  return {
      ErrorKind::File,
      "the CUDA compiler NVRTC was expected here and could not be fetched from PyPI; connect to the network "
      "and install Debian's python3-pip-whl or python3-pip, or set LANESCOPE_NVRTC to the folder of a "
      "libnvrtc.so"};
}

/// Whether two launches run the same: equal numbers, and the very same initial contents.
bool is_same(const launch::Launch& one, const launch::Launch& other) {
  const auto same_buffer = [](const launch::Buffer& a, const launch::Buffer& b) {
    return a.type == b.type && a.shape == b.shape && a.has_contents == b.has_contents &&
           a.pattern_key == b.pattern_key && (a.initial == b.initial || !a.has_contents);
  };
  const auto same_argument = [](const launch::Argument& a, const launch::Argument& b) {
    const auto* const value = std::get_if<launch::Value>(&a);
    const auto* const number = std::get_if<launch::Value>(&b);
    if (value != nullptr && number != nullptr)
      return value->bytes == number->bytes && value->pointers == number->pointers;
    return a == b;
  };
  return one.grid == other.grid && one.block == other.block && one.cluster == other.cluster &&
         one.dynamic_shared_bytes == other.dynamic_shared_bytes &&
         std::ranges::equal(one.buffers, other.buffers, same_buffer) && one.images == other.images &&
         std::ranges::equal(one.arguments, other.arguments, same_argument);
}

}  // namespace

Execution::Execution(Options options) : options_(std::move(options)), pool_(options_.threads) {}

bool Execution::is_compiled(const Job& job) const { return compiled_.contains(key_of(job)); }

bool Execution::has_compiler() const {
  return compiler_ || compile::find_compiler_files(options_.fetched, options_.installed);
}

Result<Execution::Ptx> Execution::ptx_of(const Job& job, const std::stop_token& stop) {
  if (job.text == Job::Text::Ptx) return Ptx{job.source.text};
  if (auto stored = find_stored_ptx(options_.assets, job))
    return Ptx{*std::move(stored), compile::find_kernels(job.source.text)};
  if (!compiler_) {
    if (auto files = compile::find_compiler_files(options_.fetched, options_.installed)) {
      compiler_files_ = *std::move(files);
      TRY(auto known, compile::find_compiled(compiler_files_, job.source, job.options));
      if (known)
        return Ptx{*std::move(known->ptx), std::move(known->kernels), std::move(known->missing), false};
    }
    auto found = compile::find_compiler(options_.fetched, options_.installed);
    if (!found && options_.fetch_compiler) {
      options_.fetch_compiler(stop);
      if (stop.stop_requested()) return fail(ErrorKind::Cancelled, "fetching the compiler was cancelled");
      found = compile::find_compiler(options_.fetched, options_.installed);
      if (!found) found = std::unexpected(compiler_not_fetched());
    }
    if (!found) return std::unexpected(without_compiler(job, found.error()));
    compiler_ = *std::move(found);
    compiler_files_ = compiler_->files();
  }
  TRY(compile::Compilation compilation, compile::compile(*compiler_, job.source, job.options));
  if (!compilation.ptx)
    return fail(ErrorKind::Compile, fmt::format("the source does not compile:\n{}", trimmed(compilation.log)),
                Location{job.source.file_name, 0});
  return Ptx{*std::move(compilation.ptx), std::move(compilation.kernels), std::move(compilation.missing),
             !compilation.from_cache};
}

Result<std::shared_ptr<const Compiled>> Execution::compile(const Job& job, const std::stop_token& stop) {
  const std::string key = key_of(job);
  if (const auto found = compiled_.find(key); found != compiled_.end()) return found->second;
  const auto start = Clock::now();
  auto compiled = std::make_shared<Compiled>();
  TRY(Ptx ptx, ptx_of(job, stop));
  compiled->ptx_text = std::move(ptx.text);
  compiled->from_compiler = ptx.from_compiler;
  auto program = lowered(compiled->ptx_text, job, ptx.kernels, ptx.missing);
  if (!program) return std::unexpected(in_source(std::move(program.error()), job, compiled->ptx_text));
  compiled->program = *std::move(program);
  name_parameters(compiled->program, ptx.kernels);
  shape_shared_arrays(compiled->program, job);
  compiled_.emplace(key, compiled);
  seconds_.emplace(key, seconds_since(start));
  return compiled;
}

Result<std::vector<ListedKernel>> Execution::kernels(const Job& job) {
  TRY(const Ptx ptx, ptx_of(job));
  const auto module = ptx::parse(ptx.text, ptx_name(job));
  if (!module) return std::unexpected(in_source(module.error(), job, ptx.text));
  compile::HostCode host;
  if (job.text == Job::Text::Cuda) {
    TRY(host, compile::host_code_of(compiler_files_, job.source, job.options));
  }
  std::vector<ListedKernel> listed = list_kernels(*module, ptx.kernels, host, job.source.file_name);
  for (ListedKernel& one : listed)
    if (one.refused) one.refused = in_source(*one.refused, job, ptx.text);
  if (listed.empty()) return no_kernel(job, ptx.kernels, ptx.missing);
  return listed;
}

Result<std::shared_ptr<const Run>> Execution::run(const Job& job, const model::Device& device,
                                                  const RunOptions& options) {
  auto run = std::make_shared<Run>();
  TRY(const auto compiled, compile(job, options.stop));
  // It may have been compiled for a question that came before its first run.
  const auto spent = seconds_.extract(key_of(job));
  run->seconds.compile = spent.empty() ? 0 : spent.mapped();
  run->from_cache = spent.empty() || !compiled->from_compiler;

  TRY(const auto launch, prepare(job, options));
  if (options.tracer && launch->cluster)
    return fail(ErrorKind::Unsupported,
                "clusters that a launch asks for are run by the emulator alone; leave out --producer gpu, or "
                "declare __cluster_dims__");
  auto start = Clock::now();
  auto recorded = options.tracer ? options.tracer(*compiled, *launch, options.keep)
                                 : emulator::record(compiled->program, *launch, model::cost_of, options.keep,
                                                    emulator_options(options));
  if (!recorded) return std::unexpected(in_source(recorded.error(), job, compiled->ptx_text));
  emulator::Recording recording = *std::move(recorded);
  run->seconds.run = seconds_since(start);

  start = Clock::now();
  add_source_text(recording.trace, job);
  locate_hazards(recording.trace.hazards, job);
  locate_hazards(recording.trace.notes, job);
  add_shapes(recording.trace, *launch);
  run->kernel = source_name_of(compiled->program.kernel);
  run->entry = compiled->program.kernel;
  recording.trace.kernel = run->kernel;
  recording.trace.registers_per_thread = estimate_registers(compiled->program);
  run->note = note_on_clusters(compiled->program, job);
  run->source_name = job.source.file_name;
  run->source_text = job.source.text;
  run->ptx_text = compiled->ptx_text;
  run->defines = job.options.defines;
  run->launch = launch;
  run->buffers = std::move(recording.buffers);
  run->variables = std::move(recording.variables);
  run->trace = std::make_shared<const trace::Trace>(std::move(recording.trace));
  TRY(const launch::Contents reference, reference_output(job, options));
  // These read the trace and the buffers, and write to different parts of the run.
  std::vector<std::function<void()>> functions = {
      [&] {
        run->tiles = std::make_shared<const std::vector<model::TileMap>>(model::map_tiles(*run->trace));
      },
      [&] { add_partitions(*run, device); }, [&] { add_costs(*run, device); }};
  std::atomic<bool> is_correct = true;
  const uint32_t parts = parts_of_check(job, run->buffers, pool_.size());
  for (uint32_t part = 0; part < parts; ++part)
    functions.emplace_back([&, part] {
      if (!is_output_correct(job, run->buffers, reference, {part, parts})) is_correct = false;
    });
  run_all(pool_, functions);
  if (parts != 0) run->output_correct = is_correct;
  run->seconds.model = seconds_since(start);
  return run;
}

Result<std::string> Execution::ptx_text(const Job& job) {
  if (const auto found = compiled_.find(key_of(job)); found != compiled_.end())
    return found->second->ptx_text;
  TRY(Ptx ptx, ptx_of(job));
  return std::move(ptx.text);
}

Result<std::vector<launch::Contents>> Execution::plain_run(
    const Job& job, const std::shared_ptr<const launch::Launch>& launch, const RunOptions& options) {
  const std::string key = key_of(job);
  const auto known = std::ranges::find_if(
      references_, [&](const ReferenceRun& run) { return run.key == key && is_same(*run.launch, *launch); });
  if (known != references_.end()) return known->buffers;
  TRY(const auto compiled, compile(job, options.stop));
  RunOptions plain;
  plain.stop = options.stop;
  plain.threads = options.threads;
  plain.limit_steps = options.limit_steps;
  plain.checks = emulator::Checks::None;
  plain.keep.blocks = trace::Keep::Blocks::None;
  TRY(emulator::Recording recording,
      emulator::record(compiled->program, *launch, model::cost_of, plain.keep, emulator_options(plain)));
  TRY_VOID(require_whole(recording.trace, fmt::format("the output of '{}'", job.kernel)));
  if (references_.size() >= kMostReferences) references_.erase(references_.begin());
  references_.push_back({key, launch, std::move(recording.buffers)});
  return references_.back().buffers;
}

Result<std::shared_ptr<const launch::Launch>> Execution::prepare(const Job& job, const RunOptions& options) {
  if (job.before.empty()) return job.launch;
  // What the launches so far left in the buffers of each name.
  std::map<std::string, launch::Contents, std::less<>> left;
  const auto with_left = [&](const launch::Launch& launch) {
    auto prepared = std::make_shared<launch::Launch>(launch);
    for (launch::Buffer& buffer : prepared->buffers)
      if (const auto found = left.find(buffer.name); found != left.end()) {
        buffer.initial = found->second;
        buffer.has_contents = true;
      }
    return std::shared_ptr<const launch::Launch>(std::move(prepared));
  };
  for (const Job& step : job.before) {
    const auto launch = with_left(*step.launch);
    TRY(const auto buffers, plain_run(step, launch, options));
    for (size_t n = 0; n < buffers.size() && n < launch->buffers.size(); ++n)
      left[launch->buffers[n].name] = buffers[n];
  }
  return with_left(*job.launch);
}

Result<launch::Contents> Execution::reference_output(const Job& job, const RunOptions& options) {
  if (!job.expected || job.expected->rule) return nullptr;
  TRY(const auto launch, prepare(*job.expected->reference, options));
  TRY(const auto buffers, plain_run(*job.expected->reference, launch, options));
  return buffers[job.expected->reference_buffer];
}

emulator::Options Execution::emulator_options(const RunOptions& options) {
  emulator::Options wanted;
  wanted.stop = options.stop;
  wanted.pool = &pool_;
  wanted.threads = options.threads;
  wanted.finished_blocks = options.finished_blocks;
  wanted.first_blocks = options.first_blocks;
  wanted.checks = options.checks;
  wanted.scheduling = options.scheduling;
  wanted.engine = options.engine;
  if (options.limit_steps != 0) wanted.limit_steps = options.limit_steps;
  return wanted;
}

Result<std::shared_ptr<const trace::History>> Execution::history(const Job& job, CtaId cta, WarpId warp,
                                                                 const RunOptions& options) {
  TRY(const auto compiled, compile(job));
  emulator::Options unchecked = emulator_options(options);
  unchecked.checks = emulator::Checks::None;
  TRY(const auto launch, prepare(job, options));
  TRY(trace::History history, emulator::record_history(compiled->program, *launch, cta, warp, unchecked));
  return std::make_shared<const trace::History>(std::move(history));
}

std::shared_ptr<const Run> Execution::with_device(const Run& run, const model::Device& device) const {
  auto seen = std::make_shared<Run>(run);
  add_partitions(*seen, device);
  add_costs(*seen, device);
  return seen;
}

}  // namespace lanescope::pipeline
