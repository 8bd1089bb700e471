#include "compile/compile.h"

#include "base/escape.h"
#include "compile/content_key.h"
#include "compile/headers.h"
#include "compile/nvrtc.h"
#include "compile/ptx_cache.h"

#include <algorithm>

#include <fmt/format.h>

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

/// Text that NVRTC returns by size and content; it ends in a zero.
template <class Size, class Get>
Result<std::string> text_of(const Compiler::Library& library, std::string_view call, const Program& program,
                            Size size, Get get) {
  size_t bytes = 0;
  if (const int status = size(program.get(), &bytes); status != kNvrtcSuccess)
    return failure(library, call, status);
  std::string text(bytes, '\0');
  if (const int status = get(program.get(), text.data()); status != kNvrtcSuccess)
    return failure(library, call, status);
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
  if (arch.starts_with("sm_")) arch.replace(0, 2, "compute");  // the target is PTX, not machine code
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
  if (status == kNvrtcCompilationError) {
    const std::string unsupported = advice_on_unsupported(compilation.log);
    compilation.log += advice_on_missing_header(compilation.log, compiler.include_directories()) +
                       (unsupported.empty() ? advice_on_host_code(compilation.log) : unsupported);
    return compilation;
  }
  if (status != kNvrtcSuccess) return failure(library, "nvrtcCompileProgram", status);
  TRY(std::string ptx, text_of(library, "nvrtcGetPTX", program, library.ptx_size, library.ptx));
  compilation.ptx = with_given_names(std::move(ptx), source, compiler.include_directories());
  return compilation;
}

Result<Compilation> compile_now(const Compiler& compiler, const Source& source, const Options& options) {
  std::vector<std::string> more;
  while (true) {
    TRY(Compilation compilation, compile_once(compiler, source, options, more));
    if (compilation.ptx) return compilation;
    // An error may hide another, so each time some header may be wanted, and each is given once.
    const size_t before = more.size();
    for (const std::string& header : headers_wanted(compilation.log))
      if (std::string option = "--pre-include=" + header; std::ranges::find(more, option) == more.end())
        more.push_back(std::move(option));
    if (more.size() == before) return compilation;
  }
}

}  // namespace

Result<Compilation> compile(const Compiler& compiler, const Source& source, const Options& options) {
  // Headers in the user's folders are not part of the key, so a source that includes one is compiled each
  // time.
  const bool cached =
      !options.cache_directory.empty() && !includes_file_of(source, options.include_directories);
  const std::string key =
      content_key(source, options, fmt::format("{}.{}", compiler.major(), compiler.minor()));
  if (cached)
    if (auto ptx = read_cached_ptx(options.cache_directory, key))
      return Compilation{std::move(ptx), "", true};
  TRY(Compilation compilation, compile_now(compiler, source, options));
  if (cached && compilation.ptx) cache_ptx(options.cache_directory, key, *compilation.ptx);
  return compilation;
}

}  // namespace lanescope::compile
