#include "compile/toolkit.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  // The environment is read before another thread can change it.
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

bool is_program(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

/// The wrapper that hosted processes have first on PATH: driver/tools/nvcc, below the folder of libcuda.
bool is_wrapper(const fs::path& nvcc) {
  std::error_code ignored;
  return fs::exists(nvcc.parent_path().parent_path() / "libcuda.so.1", ignored);
}

std::vector<fs::path> folders_on_path() {
  std::vector<fs::path> folders;
  const std::string path = environment("PATH");
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find(':', at), path.size());
    if (end > at) folders.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  return folders;
}

std::optional<Toolkit> toolkit_at(const fs::path& nvcc) {
  std::error_code error;
  const fs::path file = fs::canonical(nvcc, error);
  if (error || !is_program(file) || is_wrapper(file)) return {};
  return Toolkit{file, file.parent_path().parent_path()};
}

/// The toolkits of /usr/local, the newest first: cuda-13.0 before cuda-12.4.
std::vector<fs::path> local_toolkits() {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/local", ignored))
    if (entry.path().filename().string().starts_with("cuda")) folders.push_back(entry.path());
  std::ranges::sort(folders, std::greater());
  return folders;
}

}  // namespace

fs::path fetched_toolkit(const fs::path& fetched) { return fetched / "nvcc/nvidia/cu13"; }

std::optional<Toolkit> find_toolkit(const fs::path& fetched, const fs::path& installed) {
  std::vector<fs::path> candidates;
  for (const char* name : {"LANESCOPE_NVCC", "CUDA_HOME", "CUDA_PATH"})
    if (const std::string folder = environment(name); !folder.empty())
      candidates.push_back(fs::path(folder) / "bin/nvcc");
  for (const fs::path& folder : folders_on_path()) candidates.push_back(folder / "nvcc");
  for (const fs::path& folder : local_toolkits()) candidates.push_back(folder / "bin/nvcc");
  if (!installed.empty()) candidates.push_back(installed / "nvidia/cu13/bin/nvcc");
  if (!fetched.empty()) candidates.push_back(fetched_toolkit(fetched) / "bin/nvcc");
  for (const fs::path& nvcc : candidates)
    if (auto toolkit = toolkit_at(nvcc)) return toolkit;
  return {};
}

std::vector<std::string> runtime_words_of(const Toolkit& toolkit) {
  std::error_code ignored;
  const fs::path libraries = toolkit.folder / "lib";
  constexpr const char* kRuntime = "libcudart.so.13";
  if (fs::exists(toolkit.folder / "lib64", ignored) || !fs::exists(libraries / kRuntime, ignored))
    return {"-cudart", "shared"};
  return {"-cudart", "none", "-L" + libraries.string(), std::string("-l:") + kRuntime};
}

std::string architecture_of(std::string_view list) {
  constexpr std::string_view kStart = "compute_";
  constexpr int kWanted = 90;
  std::vector<int> known;
  for (size_t at = list.find(kStart); at != std::string_view::npos; at = list.find(kStart, at)) {
    at += kStart.size();
    int number = 0;
    const auto [end, error] = std::from_chars(list.data() + at, list.data() + list.size(), number);
    if (error == std::errc()) known.push_back(number);
  }
  if (known.empty()) return {};
  std::ranges::sort(known);
  const auto after = std::ranges::upper_bound(known, kWanted);
  return fmt::format("{}{}", kStart, after == known.begin() ? known.front() : *(after - 1));
}

std::string identity_of_program(const fs::path& program) {
  std::error_code error;
  const fs::path file = fs::canonical(program, error);
  if (error) return {};
  const auto bytes = fs::file_size(file, error);
  const auto time = fs::last_write_time(file, error);
  return fmt::format("{} {} {}", file.string(), bytes, time.time_since_epoch().count());
}

fs::path find_on_path(std::string_view name) {
  for (const fs::path& folder : folders_on_path())
    if (is_program(folder / name)) return folder / name;
  return {};
}

}  // namespace lanescope::compile
