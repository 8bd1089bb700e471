// Searches NVRTC and the CUDA headers, in order of preference.

#include "base/library_functions.h"
#include "compile/nvrtc.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

/// A folder that may hold the library, and the folders of headers that belong to it.
struct Candidate {
  fs::path folder;  // empty: the loader's own search
  std::vector<fs::path> includes;
};

std::vector<fs::path> subfolders(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.is_directory(ignored)) folders.push_back(entry.path());
  // The newest toolkit first: cuda-13.0 before cuda-12.4.
  std::ranges::sort(folders, std::greater());
  return folders;
}

/// The headers that belong to a library in this folder, or to this library: those of a toolkit next to it, or
/// those of PyPI's packages of CUDA 12, which have separate folders.
std::vector<fs::path> includes_of(const fs::path& place) {
  std::error_code ignored;
  const fs::path folder = fs::is_regular_file(place, ignored) ? place.parent_path() : place;
  const fs::path above = fs::path(folder / "").parent_path().parent_path();
  std::vector<fs::path> includes{above / "include"};
  for (const char* package : {"cuda_runtime", "cuda_nvcc", "cuda_cccl", "curand"})
    includes.push_back(above.parent_path() / package / "include");
  return includes;
}

void add_environment(std::vector<Candidate>& candidates, const char* name, bool is_toolkit) {
  // The environment is read before another thread can change it.
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  if (value == nullptr || *value == '\0') return;
  const fs::path folder = value;
  if (is_toolkit)
    candidates.push_back({folder / "lib64", {folder / "include"}});
  else
    candidates.push_back({folder, includes_of(folder)});
}

std::vector<Candidate> candidates_of(const fs::path& fetched, const fs::path& installed) {
  std::vector<Candidate> candidates;
  add_environment(candidates, "LANESCOPE_NVRTC", false);
  if (!installed.empty())
    candidates.push_back({installed / "nvidia/cu13/lib", {installed / "nvidia/cu13/include"}});
  if (!fetched.empty())
    for (const fs::path& release : subfolders(fetched / "cuda/nvidia"))
      candidates.push_back(
          {release / "lib",
           {release / "include", fetched / "curand/nvidia" / release.filename() / "include"}});
  add_environment(candidates, "CUDA_HOME", true);
  for (const fs::path& toolkit : subfolders("/usr/local"))
    if (toolkit.filename().string().starts_with("cuda"))
      candidates.push_back({toolkit / "lib64", {toolkit / "include"}});
  candidates.push_back({});
  return candidates;
}

/// libnvrtc.so.N in the folder; the folder itself may also be the path of the library.
std::vector<fs::path> libraries_in(const Candidate& candidate) {
  std::error_code ignored;
  if (candidate.folder.empty()) return {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  if (fs::is_regular_file(candidate.folder, ignored)) return {candidate.folder};
  std::vector<fs::path> libraries;
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
    if (fs::exists(candidate.folder / name, ignored)) libraries.push_back(candidate.folder / name);
  return libraries;
}

/// NVRTC opens its second library by name, which the loader finds only if a toolkit is installed system-wide.
/// Opened first, from the folder of both, it is already loaded under its name.
void open_builtins_beside(const fs::path& file) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(file.parent_path(), ignored))
    if (entry.path().filename().string().starts_with("libnvrtc-builtins.so"))
      dlopen(entry.path().c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

std::shared_ptr<Compiler::Library> open(const fs::path& file) {
  if (file.has_parent_path()) open_builtins_beside(file);
  // The library caches memory in its global variables: unloading it would leak that memory.
  void* handle = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) return nullptr;
  auto library = std::make_shared<Compiler::Library>();
  library->handle = handle;
  library->file = file;
  LibraryFunctions functions(handle);
  functions.get("nvrtcGetErrorString", library->error_string);
  functions.get("nvrtcVersion", library->version);
  functions.get("nvrtcCreateProgram", library->create);
  functions.get("nvrtcDestroyProgram", library->destroy);
  functions.get("nvrtcCompileProgram", library->compile);
  functions.get("nvrtcAddNameExpression", library->add_name);
  functions.get("nvrtcGetPTXSize", library->ptx_size);
  functions.get("nvrtcGetPTX", library->ptx);
  functions.get("nvrtcGetProgramLogSize", library->log_size);
  functions.get("nvrtcGetProgramLog", library->log);
  LibraryFunctions since_11_1(handle);  // an older library is good for PTX
  since_11_1.get("nvrtcGetCUBINSize", library->cubin_size);
  since_11_1.get("nvrtcGetCUBIN", library->cubin);
  if (functions.missing() != nullptr || library->version(&library->major, &library->minor) != kNvrtcSuccess)
    return nullptr;
  return library;
}

void add_includes(std::vector<fs::path>& found, const std::vector<fs::path>& includes) {
  std::error_code ignored;
  for (const fs::path& folder : includes) {
    constexpr std::array kOneOfEach{"cuda_fp16.h", "crt/host_defines.h", "cub/cub.cuh", "curand_kernel.h"};
    if (std::ranges::none_of(kOneOfEach,
                             [&](const char* file) { return fs::exists(folder / file, ignored); }))
      continue;
    found.push_back(folder);
    // CUDA 13 has CUB and libcu++ in a separate folder.
    if (fs::is_directory(folder / "cccl", ignored)) found.push_back(folder / "cccl");
  }
}

/// A library without headers uses those of the next folder that has some.
std::vector<fs::path> includes_for(const Candidate& candidate, const std::vector<Candidate>& candidates) {
  std::vector<fs::path> found;
  add_includes(found, candidate.includes);
  for (const Candidate& other : candidates)
    if (found.empty()) add_includes(found, other.includes);
  return found;
}

/// Changes with the library's file; of one that the loader found, with its version.
std::string identity_of(const fs::path& file, std::string_view version) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  const auto time = fs::last_write_time(file, error);
  if (error || !file.has_parent_path()) return fmt::format("{} {}", file.string(), version);
  return fmt::format("{} {} {}", file.string(), bytes, time.time_since_epoch().count());
}

}  // namespace

Compiler::Library::~Library() {
  if (handle != nullptr) dlclose(handle);
}

Compiler::Compiler(std::shared_ptr<const Library> loaded) : library_(std::move(loaded)) {}
const fs::path& Compiler::library() const { return library_->file; }
int Compiler::major() const { return library_->major; }
int Compiler::minor() const { return library_->minor; }
const std::vector<fs::path>& Compiler::include_directories() const { return library_->include_directories; }

CompilerFiles Compiler::files() const {
  return {library(), include_directories(), identity_of(library(), fmt::format("{}.{}", major(), minor()))};
}

std::optional<CompilerFiles> find_compiler_files(const fs::path& fetched, const fs::path& installed) {
  const std::vector<Candidate> candidates = candidates_of(fetched, installed);
  for (const Candidate& candidate : candidates) {
    if (candidate.folder.empty()) return {};
    for (const fs::path& file : libraries_in(candidate))
      return CompilerFiles{file, includes_for(candidate, candidates), identity_of(file, "")};
  }
  return {};
}

Result<Compiler> find_compiler(const fs::path& fetched, const fs::path& installed) {
  std::vector<std::string> searched;
  const std::vector<Candidate> candidates = candidates_of(fetched, installed);
  for (const Candidate& candidate : candidates) {
    searched.push_back(candidate.folder.empty() ? "the loader's path" : candidate.folder.string());
    for (const fs::path& file : libraries_in(candidate)) {
      auto library = open(file);
      if (!library) continue;
      library->include_directories = includes_for(candidate, candidates);
      return Compiler(std::move(library));
    }
  }
  return fail(
      ErrorKind::File,
      fmt::format(
          "the CUDA compiler NVRTC (libnvrtc.so) was expected and not found in {}; run app/run, which "
          "fetches it, or set LANESCOPE_NVRTC to its folder",
          fmt::join(searched, ", ")));
}

}  // namespace lanescope::compile
