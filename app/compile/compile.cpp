#include "compile/compile.h"

#include "base/escape.h"
#include "compile/content_key.h"
#include "compile/device_code.h"
#include "compile/headers.h"
#include "compile/include_files.h"
#include "compile/log.h"
#include "compile/nvrtc.h"
#include "compile/ptx_cache.h"
#include "compile/wanted_options.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::compile {
namespace {

/// Owns an NVRTC program.
class Program {
 public:
  explicit Program(const Compiler::Library& library) : library_(library) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (program_ != nullptr) library_.destroy(&program_);
  }

  NvrtcProgram get() const { return program_; }
  NvrtcProgram* address() { return &program_; }

 private:
  const Compiler::Library& library_;
  NvrtcProgram program_ = nullptr;
};

std::unexpected<Error> failure(const Compiler::Library& library, std::string_view call, int status) {
  return fail(ErrorKind::Internal, fmt::format("{} failed: {}; the library is {}", call,
                                               library.error_string(status), library.file.string()));
}

/// Bytes that NVRTC returns by size and content.
template <class Size, class Get>
Result<std::string> bytes_of(const Compiler::Library& library, std::string_view call, const Program& program,
                             Size size, Get get) {
  size_t bytes = 0;
  if (const int status = size(program.get(), &bytes); status != kNvrtcSuccess)
    return failure(library, call, status);
  std::string text(bytes, '\0');
  if (const int status = get(program.get(), text.data()); status != kNvrtcSuccess)
    return failure(library, call, status);
  return text;
}

/// bytes_of() a text, without the zero at its end.
template <class Size, class Get>
Result<std::string> text_of(const Compiler::Library& library, std::string_view call, const Program& program,
                            Size size, Get get) {
  TRY(std::string text, bytes_of(library, call, program, size, get));
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

/// The quotation mark that closes the string that opens at `open`; npos if none does.
size_t end_of_string(std::string_view text, size_t open) {
  if (open == std::string_view::npos) return open;
  size_t end = text.find_first_of("\"\\", open + 1);
  while (end != std::string_view::npos && text[end] == '\\') end = text.find_first_of("\"\\", end + 2);
  return end;
}

/// NVRTC writes relative names into .file as paths below the folder it runs in, and CUDA's headers with their
/// folder. The PTX must depend on neither, and messages should name a file as the user did.
std::string with_given_names(std::string ptx, const Source& source,
                             const std::vector<std::filesystem::path>& cuda_folders) {
  std::vector<std::string_view> names{source.file_name};
  for (const Header& header : source.headers) names.push_back(header.name);
  std::vector<std::string> folders;
  for (const auto& folder : cuda_folders) folders.push_back(folder.string() + "/");
  // The longest first: include/cccl is in include.
  std::ranges::sort(folders, std::greater(), &std::string::size);
  for (size_t at = ptx.find("\t.file\t"); at != std::string::npos; at = ptx.find("\t.file\t", at + 1)) {
    const size_t open = ptx.find('"', at);
    const size_t close = end_of_string(ptx, open);
    if (close == std::string::npos) break;
    const std::string path = unescaped(std::string_view(ptx).substr(open + 1, close - open - 1));
    std::string name = path;
    const auto below =
        std::ranges::find_if(folders, [&](const std::string& folder) { return path.starts_with(folder); });
    if (below != folders.end()) {
      name = path.substr(below->size());
    } else {
      for (const Header& header : standard_headers())
        if (path.ends_with(fmt::format("/{}", header.name))) name = header.name;
    }
    for (const std::string_view given : names)
      if (path.ends_with(fmt::format("/{}", given))) name = given;
    ptx.replace(open + 1, close - open - 1, escaped(name));
  }
  return ptx;
}

std::vector<std::string> option_texts(const Compiler& compiler, const Options& options) {
  std::string arch = options.arch;
  // A virtual architecture gives PTX alone, a real one the machine code, too.
  const std::string_view from = options.with_machine_code ? "compute_" : "sm_";
  if (arch.starts_with(from)) arch.replace(0, from.size(), options.with_machine_code ? "sm_" : "compute_");
  std::vector<std::string> texts{"--gpu-architecture=" + arch, "--generate-line-info",
                                 "--std=" + options.standard, "--device-int128"};
  for (const std::string& define : options.defines) texts.push_back("--define-macro=" + define);
  for (const auto& folder : options.include_directories) texts.push_back("--include-path=" + folder.string());
  for (const auto& folder : compiler.include_directories())
    texts.push_back("--include-path=" + folder.string());
  texts.insert(texts.end(), options.more.begin(), options.more.end());
  return texts;
}

/// `more`: options of NVRTC in addition to those of `options`.
Result<Compilation> compile_once(const Compiler& compiler, const Source& source, const Options& options,
                                 const std::vector<std::string>& more) {
  const Compiler::Library& library = compiler.loaded();
  std::vector<const char*> header_texts;
  std::vector<const char*> header_names;
  const auto add = [&](const Header& header) {
    header_texts.push_back(header.text.c_str());
    header_names.push_back(header.name.c_str());
  };
  for (const Header& header : source.headers) add(header);
  // Names must be unique: a header that comes with the source wins.
  for (const Header& header : standard_headers())
    if (std::ranges::find(source.headers, header.name, &Header::name) == source.headers.end()) add(header);
  Program program(library);
  if (const int status =
          library.create(program.address(), source.text.c_str(), source.file_name.c_str(),
                         static_cast<int>(header_texts.size()), header_texts.data(), header_names.data());
      status != kNvrtcSuccess)
    return failure(library, "nvrtcCreateProgram", status);

  for (const std::string& instance : options.instances)
    if (const int status = library.add_name(program.get(), instance.c_str()); status != kNvrtcSuccess)
      return failure(library, "nvrtcAddNameExpression", status);

  std::vector<std::string> texts = option_texts(compiler, options);
  texts.insert(texts.end(), more.begin(), more.end());
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const int status = library.compile(program.get(), static_cast<int>(pointers.size()), pointers.data());

  Compilation compilation;
  TRY(compilation.log, text_of(library, "nvrtcGetProgramLog", program, library.log_size, library.log));
  if (status == kNvrtcInvalidOption)
    return fail(
        ErrorKind::Usage,
        fmt::format(
            "NVRTC {}.{} refuses an option ({}); it knows sm_75 to sm_121 and macros as NAME or NAME=VALUE",
            compiler.major(), compiler.minor(), compilation.log.empty() ? options.arch : compilation.log));
  if (status == kNvrtcCompilationError) return compilation;
  if (status != kNvrtcSuccess) return failure(library, "nvrtcCompileProgram", status);
  TRY(std::string ptx, text_of(library, "nvrtcGetPTX", program, library.ptx_size, library.ptx));
  compilation.ptx = with_given_names(std::move(ptx), source, compiler.include_directories());
  if (options.with_machine_code && library.cubin == nullptr)
    return fail(ErrorKind::Unsupported,
                fmt::format("NVRTC {}.{} gives no machine code; CUDA 11.1 and later do", compiler.major(),
                            compiler.minor()));
  if (options.with_machine_code) {
    TRY(compilation.cubin, bytes_of(library, "nvrtcGetCUBIN", program, library.cubin_size, library.cubin));
  }
  return compilation;
}

/// The file that NVRTC's errors about names of instances are in.
constexpr std::string_view kNameMap = "__nv_name_map";

/// Takes the names that NVRTC could not read out of `instances`. False: there are none.
bool remove_unread(std::vector<std::string>& instances, std::string_view log) {
  constexpr std::string_view kWords = "Input name expression was: \"";
  const auto without_space = [](std::string_view text) {
    std::string rest;
    std::ranges::copy_if(text, std::back_inserter(rest), [](char c) { return c != ' '; });
    return rest;
  };
  // A name may be unreadable because of another error.
  if (std::ranges::any_of(errors_of(log), [](const LogError& error) { return error.file != kNameMap; }))
    return false;
  bool removed = false;
  for (size_t at = log.find(kWords); at != std::string_view::npos; at = log.find(kWords, at)) {
    at += kWords.size();
    const std::string name = without_space(log.substr(at, log.find('"', at) - at));
    removed |=
        std::erase_if(instances, [&](const std::string& one) { return without_space(one) == name; }) != 0;
  }
  return removed;
}

/// Options and names of instances that NVRTC gets in addition to the user's. Unreadable names are removed.
struct Extras {
  std::vector<std::string> options;
  std::vector<std::string> instances;  // of the host code's launches
  /// NVRTC 13.0 crashes on a name whose kernel has parameters of a type that is missing from a namespace, so
  /// names are asked for when all types are there.
  bool are_instances_last = false;
};

/// True if a template of a kernel has parameters whose types are in namespaces: std::common_type_t<T, U>.
bool has_parameters_of_namespaces(const std::vector<KernelDeclaration>& kernels) {
  const auto is_in_namespace = [](const KernelDeclaration::Parameter& parameter) {
    return parameter.type.contains("::");
  };
  return std::ranges::any_of(kernels, [&](const KernelDeclaration& kernel) {
    return kernel.is_template && (std::ranges::any_of(kernel.parameters, is_in_namespace) ||
                                  std::ranges::any_of(kernel.template_parameters, is_in_namespace));
  });
}

/// `extras` gets the options for headers that the source wants without including them.
Result<Compilation> compile_with_headers(const Compiler& compiler, const Source& source,
                                         const Options& options, Extras& extras) {
  while (true) {
    Options all = options;
    if (extras.are_instances_last) all.instances.clear();
    if (!extras.are_instances_last)
      all.instances.insert(all.instances.end(), extras.instances.begin(), extras.instances.end());
    std::vector<std::string>& more = extras.options;
    TRY(Compilation compilation, compile_once(compiler, source, all, more));
    if (compilation.ptx && std::exchange(extras.are_instances_last, false)) continue;
    if (compilation.ptx) return compilation;
    if (remove_unread(extras.instances, compilation.log)) continue;
    // An error may hide another, so each time some header may be wanted, and each is given once.
    const size_t before = more.size();
    for (std::string& option : wanted_options(compilation.log))
      if (std::ranges::find(more, option) == more.end()) more.push_back(std::move(option));
    if (more.size() == before) return compilation;
  }
}

/// Advice on names of instances that the user asked for and NVRTC could not read; else empty.
std::string advice_on_instances(std::string_view log, const Options& options, const SourceFiles& files) {
  const std::vector<LogError> errors = errors_of(log);
  const auto is_of_name = [](const LogError& error) { return error.file == kNameMap; };
  if (options.instances.empty() || std::ranges::none_of(errors, is_of_name)) return {};
  std::vector<std::string> templates;
  for (const KernelDeclaration& kernel : find_kernels(files)) {
    if (!kernel.is_template) continue;
    std::vector<std::string> parameters;
    for (const auto& parameter : kernel.template_parameters)
      parameters.push_back(fmt::format("{} {}", parameter.type, parameter.name));
    templates.push_back(fmt::format("{}<{}>", kernel.name, fmt::join(parameters, ", ")));
  }
  return fmt::format("{} is no instance of a kernel of the file; its templates are: {}\n",
                     fmt::join(options.instances, ", "),
                     templates.empty() ? "none" : fmt::format("{}", fmt::join(templates, ", ")));
}

/// "k<3>" as "a::k<3>" where the only template of that name is in a namespace.
Options with_qualified_instances(Options options, const std::vector<KernelDeclaration>& kernels) {
  for (std::string& instance : options.instances) {
    const std::string_view name = std::string_view(instance).substr(0, instance.find('<'));
    const auto is_it = [&](const KernelDeclaration& kernel) {
      return kernel.is_template && kernel.name == name;
    };
    const auto found = std::ranges::find_if(kernels, is_it);
    if (found != kernels.end() && !found->scope.empty() && std::ranges::count_if(kernels, is_it) == 1)
      instance = found->scope + "::" + instance;
  }
  return options;
}

/// True if the log misses __device__: headers for nvcc have constexpr functions and classes without it.
bool wants_device_default(std::string_view log) {
  return std::ranges::any_of(errors_of(log), &LogError::is_of_execution_space);
}

/// Compiles the source as it is, or else leaves out host code until NVRTC takes the rest. Functions of the
/// rest without __device__, which are constexpr or in a class, are compiled for the device.
Result<Compilation> compile_now(const Compiler& compiler, const Source& source, const Options& options,
                                const SourceFiles& files, Extras extras) {
  constexpr int kMostRounds = 12;
  TRY(Compilation compilation, compile_with_headers(compiler, source, options, extras));
  if (compilation.ptx) return compilation;
  DeviceCode code(files, options);
  if (code.differs() || wants_device_default(compilation.log)) {
    extras.options.emplace_back("--device-as-default-execution-space");
    extras.options.emplace_back("--define-macro=__linux__=1");  // #error says that a program needs a system
    extras.options.emplace_back("--diag-suppress=177");         // variables that only host code used
    // Code that is left out may be missed elsewhere: the log with the fewest errors says most.
    size_t fewest = std::numeric_limits<size_t>::max();
    for (int round = 0; round < kMostRounds; ++round) {
      TRY(Compilation next, compile_with_headers(compiler, code.source(), options, extras));
      if (next.ptx) return next;
      const std::string log = next.log;
      if (const size_t errors = errors_of(log).size(); errors <= fewest) {
        fewest = errors;
        compilation = std::move(next);
      }
      if (!code.leave_out_errors(log)) break;
    }
  }
  compilation.log += code.advice(compilation.log) + advice_on_instances(compilation.log, options, files) +
                     advice_on_missing_header(compilation.log, compiler.include_directories()) +
                     advice_on_unsupported(compilation.log);
  return compilation;
}

/// Instances of templates whose parameters all have a default: "own::scale<>".
std::vector<std::string> default_instances(const std::vector<KernelDeclaration>& kernels, auto&& is_wanted) {
  constexpr size_t kMost = 16;
  std::vector<std::string> instances;
  for (const KernelDeclaration& kernel : kernels) {
    std::string instance =
        fmt::format("{}{}{}<>", kernel.scope, kernel.scope.empty() ? "" : "::", kernel.name);
    const bool has_defaults =
        kernel.is_template && !kernel.template_parameters.empty() &&
        std::ranges::all_of(kernel.template_parameters, &KernelDeclaration::Parameter::has_default);
    if (has_defaults && is_wanted(instance) && instances.size() < kMost &&
        std::ranges::find(instances, instance) == instances.end())
      instances.push_back(std::move(instance));
  }
  return instances;
}

/// Instances of templates that the program launches, at most as many as a person can tell apart.
std::vector<std::string> launched_instances(const SourceFiles& files,
                                            const std::vector<KernelDeclaration>& kernels,
                                            const Options& options) {
  constexpr size_t kMost = 64;
  std::vector<std::string> instances;
  if (!options.launched_instances_of || !options.instances.empty()) return instances;
  const std::string& name = *options.launched_instances_of;
  const bool is_declared = std::ranges::find(kernels, name, &KernelDeclaration::name) != kernels.end();
  // For a mistyped name, the instances of all kernels are listed.
  const auto is_wanted = [&](std::string_view instance) {
    instance = instance.substr(0, instance.find('<'));
    return !is_declared || instance == name || instance.ends_with("::" + name);
  };
  for (const HostLaunch& launch : read_host_code(files, kernels, options).launches)
    for (const std::string& instance : launch.instances)
      if (is_wanted(instance) && instances.size() < kMost &&
          std::ranges::find(instances, instance) == instances.end())
        instances.push_back(instance);
  if (instances.empty()) return default_instances(kernels, is_wanted);
  return instances;
}

/// The content of every file that the compiler reads. CUDA's own headers count by their folders: one compiler
/// has one set of them.
std::string cache_key(const CompilerFiles& compiler, const Source& source, const Options& options,
                      const SourceFiles& files) {
  std::string inputs = files.probes;
  for (size_t n = 1 + source.headers.size(); n < files.files.size(); ++n)
    inputs += fmt::format("{}\n{}:{}", files.files[n].name, files.files[n].text.size(), files.files[n].text);
  for (const SourceFile& file : files.files)
    for (const IncludeLine& line : file.includes)
      inputs += fmt::format("{} {} {}\n", line.name, static_cast<int>(line.found), line.file);
  std::error_code ignored;
  for (const auto& folder : options.include_directories) inputs += fmt::format("{}\n", folder.string());
  for (const auto& folder : compiler.include_directories)
    inputs += fmt::format("{} {}\n", folder.string(),
                          std::filesystem::last_write_time(folder, ignored).time_since_epoch().count());
  return content_key(source, options, compiler.identity, inputs);
}

/// A source with all that it includes, and its place in the cache.
struct Inputs {
  std::string key;    // empty: it is not cached
  Compilation known;  // without PTX
};

Result<Inputs> read_inputs(const CompilerFiles& compiler, const Source& source, const Options& options) {
  TRY(SourceFiles read, read_source_files(source, options, compiler.include_directories, KeptTokens::All));
  const auto files = std::make_shared<const SourceFiles>(std::move(read));
  Inputs inputs;
  if (!options.cache_directory.empty() && files->is_complete)
    inputs.key = cache_key(compiler, source, options, *files);
  inputs.known.kernels = find_kernels(*files);
  inputs.known.files = files;
  for (const IncludeLine& line : files->files.front().includes)
    if (line.is_quoted && line.found == IncludeLine::Found::Nowhere && !is_standard_header(line.name))
      inputs.known.missing.push_back(line.name);
  return inputs;
}

/// Reads the result of `compilation` from the cache. False if the cache does not have all of it.
bool find_in_cache(const Options& options, const std::string& key, Compilation& compilation) {
  if (key.empty()) return false;
  compilation.ptx = read_cached(options.cache_directory, key, kPtxExtension);
  if (options.with_machine_code)
    compilation.cubin = read_cached(options.cache_directory, key, kMachineCodeExtension);
  compilation.from_cache =
      compilation.ptx.has_value() && (compilation.cubin.has_value() || !options.with_machine_code);
  return compilation.from_cache;
}

}  // namespace

Result<std::optional<Compilation>> find_compiled(const CompilerFiles& compiler, const Source& source,
                                                 const Options& options) {
  if (options.cache_directory.empty()) return std::nullopt;
  TRY(Inputs inputs, read_inputs(compiler, source, options));
  if (!find_in_cache(options, inputs.key, inputs.known)) return std::nullopt;
  return std::move(inputs.known);
}

Result<Compilation> compile(const Compiler& compiler, const Source& source, const Options& options) {
  TRY(Inputs inputs, read_inputs(compiler.files(), source, options));
  if (find_in_cache(options, inputs.key, inputs.known)) return std::move(inputs.known);
  std::vector<KernelDeclaration>& kernels = inputs.known.kernels;
  const SourceFiles& files = *inputs.known.files;
  Extras extras{.options = {}, .instances = launched_instances(files, kernels, options)};
  const bool has_instances = !extras.instances.empty() || !options.instances.empty();
  extras.are_instances_last = has_instances && has_parameters_of_namespaces(kernels);
  TRY(Compilation compilation,
      compile_now(compiler, source, with_qualified_instances(options, kernels), files, std::move(extras)));
  if (!inputs.key.empty() && compilation.ptx)
    write_cached(options.cache_directory, inputs.key, kPtxExtension, *compilation.ptx);
  if (!inputs.key.empty() && compilation.cubin)
    write_cached(options.cache_directory, inputs.key, kMachineCodeExtension, *compilation.cubin);
  compilation.kernels = std::move(kernels);
  compilation.missing = std::move(inputs.known.missing);
  compilation.files = std::move(inputs.known.files);
  return compilation;
}

Result<HostCode> host_code_of(const CompilerFiles& compiler, const Source& source, const Options& options) {
  TRY(const SourceFiles files,
      read_source_files(source, options, compiler.include_directories, KeptTokens::All));
  return read_host_code(files, find_kernels(files), options);
}

}  // namespace lanescope::compile
