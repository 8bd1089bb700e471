#include "pipeline/job_compiler.h"

#include "base/lines.h"
#include "base/source_name.h"
#include "compile/content_key.h"
#include "compile/shared_arrays.h"
#include "pipeline/kernel_choice.h"
#include "pipeline/machine_code.h"
#include "pipeline/stored_ptx.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "ptx/source_place.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

using Clock = std::chrono::steady_clock;
using Kernels = std::vector<compile::KernelDeclaration>;

/// Gives the program's parameters the names and types of the source.
void name_parameters(ptx::Program& program, const Kernels& kernels) {
  const auto* kernel = declaration_of(program.kernel, program.parameters.size(), kernels, {});
  for (size_t n = 0; kernel != nullptr && n < program.parameters.size(); ++n) {
    if (!kernel->parameters[n].name.empty()) program.parameters[n].name = kernel->parameters[n].name;
    program.parameters[n].declared = kernel->parameters[n].type;
  }
}

/// `missing`: the includes that were not found, in one of which the kernel may be.
Result<ptx::Program> lowered(std::string_view ptx, const Job& job, const Kernels& kernels,
                             const std::vector<std::string>& missing) {
  TRY(const ptx::Module module, ptx::parse(ptx, ptx_name(job)));
  if (ptx::kernels_of(module).empty()) return no_kernel(job, kernels, missing);
  TRY(const std::string entry, entry_of(module, job, kernels));
  return ptx::lower(module, entry);
}

/// Shared arrays that the job's text declares. `files`: null where they were not read.
std::vector<compile::SharedArray> shared_arrays_of(const Job& job, const compile::SourceFiles* files) {
  if (job.text != Job::Text::Cuda) return {};
  if (files != nullptr) {
    std::vector<compile::SourceText> own;  // what it includes from elsewhere is not looked at
    for (size_t n = 0; n <= job.source.headers.size(); ++n)
      own.push_back({files->files[n].text, files->files[n].tokens});
    return compile::shared_arrays_of(own, job.options.defines);
  }
  std::vector<std::string_view> texts = {job.source.text};
  for (const compile::Header& header : job.source.headers) texts.push_back(header.text);
  return compile::shared_arrays_of(texts, job.options.defines);
}

/// Gives shared arrays the shapes that the job's text declares.
void shape_shared_arrays(ptx::Program& program, const Job& job, const compile::SourceFiles* files) {
  const std::vector<compile::SharedArray> arrays = shared_arrays_of(job, files);
  for (ptx::ProgramVariable& variable : program.variables)
    if (variable.space == ptx::Space::Shared)
      variable.shape = compile::shape_of(arrays, variable_name_of(variable.name), variable.size_bytes);
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

std::unexpected<Error> does_not_compile(const Job& job, std::string_view log) {
  return fail(ErrorKind::Compile, fmt::format("the source does not compile:\n{}", trimmed(log)),
              Location{job.source.file_name, 0});
}

Error compiler_not_fetched() {
  return {
      ErrorKind::File,
      "the CUDA compiler NVRTC was expected here and could not be fetched from PyPI; connect to the network "
      "and install Debian's python3-pip-whl or python3-pip, or set LANESCOPE_NVRTC to the folder of a "
      "libnvrtc.so"};
}

/// The machine code of a job whose text is PTX. Errors: File where there is no ptxas, those of
/// machine_code_of().
Result<std::string> machine_code_of_job(const Compiled& compiled, const Job& job, const Options& options,
                                        const CompileRequest& request) {
  const std::string& name = job.source.file_name;
  auto toolkit = compile::find_toolkit(options.fetched, options.installed);
  if (!toolkit && options.fetch_toolkit && request.fetch == Fetch::IfMissing) {
    options.fetch_toolkit(request.stop);
    if (request.stop.stop_requested())
      return fail(ErrorKind::Cancelled, "fetching the assembler was cancelled");
    toolkit = compile::find_toolkit(options.fetched, options.installed);
  }
  if (!toolkit) return std::unexpected(no_assembler(name));
  return machine_code_of(
      {.program = compiled.program, .text = compiled.ptx_text, .name = name, .arch = job.options.arch},
      *toolkit, job.options.cache_directory);
}

}  // namespace

std::string ptx_name(const Job& job) {
  return job.text == Job::Text::Ptx ? job.source.file_name : job.source.file_name + ".ptx";
}

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

bool JobCompiler::has(const Job& job) const { return compiled_.contains(key_of(job)); }

std::string JobCompiler::key_of(const Job& job) {
  return compile::content_key(job.source, job.options, "") + ":" + job.kernel;
}

std::optional<double> JobCompiler::take_seconds(const Job& job) {
  const auto spent = seconds_.extract(key_of(job));
  return spent.empty() ? std::nullopt : std::optional(spent.mapped());
}

Result<void> JobCompiler::load_compiler(const Job& job, const CompileRequest& request) {
  auto found = compile::find_compiler(options_.fetched, options_.installed);
  if (!found && options_.fetch_compiler && request.fetch == Fetch::IfMissing) {
    options_.fetch_compiler(request.stop);
    if (request.stop.stop_requested())
      return fail(ErrorKind::Cancelled, "fetching the compiler was cancelled");
    found = compile::find_compiler(options_.fetched, options_.installed);
    if (!found) found = std::unexpected(compiler_not_fetched());
  }
  if (!found) return std::unexpected(without_compiler(job, found.error()));
  compiler_ = *std::move(found);
  compiler_files_ = compiler_->files();
  return {};
}

Result<JobCompiler::Ptx> JobCompiler::ptx_of(const Job& job, const CompileRequest& request) {
  if (job.text == Job::Text::Ptx) return Ptx{job.source.text};
  if (!job.options.with_machine_code) {
    if (auto stored = find_stored_ptx(options_.assets, job))
      return Ptx{*std::move(stored), compile::find_kernels(job.source.text)};
  }
  if (options_.compile_elsewhere && request.fetch == Fetch::IfMissing) {
    TRY(compile::Compilation made, options_.compile_elsewhere(job.source, job.options, request.stop));
    if (!made.ptx) return does_not_compile(job, made.log);
    return Ptx{*std::move(made.ptx), compile::find_kernels(job.source.text), {}, {}, true};
  }
  if (!compiler_) {
    if (auto files = compile::find_compiler_files(options_.fetched, options_.installed)) {
      compiler_files_ = *std::move(files);
      TRY(auto known, compile::find_compiled(compiler_files_, job.source, job.options));
      if (known)
        return Ptx{*std::move(known->ptx),
                   std::move(known->kernels),
                   std::move(known->missing),
                   std::move(known->files),
                   false,
                   std::move(known->cubin).value_or(std::string())};
    }
    TRY_VOID(load_compiler(job, request));
  }
  TRY(compile::Compilation compilation, compile::compile(*compiler_, job.source, job.options));
  if (!compilation.ptx) return does_not_compile(job, compilation.log);
  return Ptx{*std::move(compilation.ptx),    std::move(compilation.kernels),
             std::move(compilation.missing), std::move(compilation.files),
             !compilation.from_cache,        std::move(compilation.cubin).value_or(std::string())};
}

Result<std::shared_ptr<const Compiled>> JobCompiler::compile(const Job& job, const CompileRequest& request) {
  const std::string key = key_of(job);
  if (const auto found = compiled_.find(key); found != compiled_.end()) return found->second;
  const auto start = Clock::now();
  auto compiled = std::make_shared<Compiled>();
  TRY(Ptx ptx, ptx_of(job, request));
  compiled->ptx_text = std::move(ptx.text);
  compiled->cubin = std::move(ptx.cubin);
  compiled->from_compiler = ptx.from_compiler;
  auto program = lowered(compiled->ptx_text, job, ptx.kernels, ptx.missing);
  if (!program) return std::unexpected(in_source(std::move(program.error()), job, compiled->ptx_text));
  compiled->program = *std::move(program);
  if (job.text == Job::Text::Ptx && job.options.with_machine_code) {
    TRY(compiled->cubin, machine_code_of_job(*compiled, job, options_, request));
  }
  name_parameters(compiled->program, ptx.kernels);
  shape_shared_arrays(compiled->program, job, ptx.files.get());
  compiled_.emplace(key, compiled);
  seconds_.emplace(key, std::chrono::duration<double>(Clock::now() - start).count());
  return compiled;
}

Result<std::vector<ListedKernel>> JobCompiler::kernels(const Job& job, const CompileRequest& request) {
  TRY(const Ptx ptx, ptx_of(job, request));
  const auto module = ptx::parse(ptx.text, ptx_name(job));
  if (!module) return std::unexpected(in_source(module.error(), job, ptx.text));
  compile::HostCode host;
  if (ptx.files) {
    host = compile::read_host_code(*ptx.files, ptx.kernels, job.options);
  } else if (job.text == Job::Text::Cuda) {
    TRY(host, compile::host_code_of(compiler_files_, job.source, job.options));
  }
  std::vector<ListedKernel> listed =
      list_kernels(*module, ptx.kernels, host, job.source.file_name, shared_arrays_of(job, ptx.files.get()));
  for (ListedKernel& one : listed)
    if (one.refused) one.refused = in_source(*one.refused, job, ptx.text);
  if (listed.empty()) return no_kernel(job, ptx.kernels, ptx.missing);
  return listed;
}

Result<std::string> JobCompiler::ptx_text(const Job& job, const CompileRequest& request) {
  if (const auto found = compiled_.find(key_of(job)); found != compiled_.end())
    return found->second->ptx_text;
  TRY(Ptx ptx, ptx_of(job, request));
  return std::move(ptx.text);
}

}  // namespace lanescope::pipeline
