#include "gpu/cupti.h"

#include "base/library_functions.h"
#include "gpu/cupti_functions.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 3> kNames{"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

/// The name of the first function that the library lacks; null when all are there.
const char* load_all(CuptiFunctions& f) {
  LibraryFunctions library(f.handle);
  library.get("cuptiGetResultString", f.result_string);
  library.get("cuptiProfilerInitialize", f.initialize);
  library.get("cuptiProfilerGetCounterAvailability", f.availability);
  library.get("cuptiDeviceGetChipName", f.chip_name);
  library.get("cuptiProfilerHostInitialize", f.host_initialize);
  library.get("cuptiProfilerHostDeinitialize", f.host_deinitialize);
  library.get("cuptiProfilerHostConfigAddMetrics", f.add_metrics);
  library.get("cuptiProfilerHostGetConfigImageSize", f.config_size);
  library.get("cuptiProfilerHostGetConfigImage", f.config_image);
  library.get("cuptiProfilerHostGetNumOfPasses", f.passes);
  library.get("cuptiProfilerHostEvaluateToGpuValues", f.evaluate);
  library.get("cuptiRangeProfilerEnable", f.range_enable);
  library.get("cuptiRangeProfilerDisable", f.range_disable);
  library.get("cuptiRangeProfilerGetCounterDataSize", f.range_data_size);
  library.get("cuptiRangeProfilerCounterDataImageInitialize", f.range_data_initialize);
  library.get("cuptiRangeProfilerSetConfig", f.range_configure);
  library.get("cuptiRangeProfilerStart", f.range_start);
  library.get("cuptiRangeProfilerStop", f.range_stop);
  library.get("cuptiRangeProfilerPushRange", f.range_push);
  library.get("cuptiRangeProfilerPopRange", f.range_pop);
  library.get("cuptiRangeProfilerDecodeData", f.range_decode);
  library.get("cuptiRangeProfilerGetCounterDataInfo", f.range_info);
  library.get("cuptiSassMetricsGetProperties", f.sass_properties);
  library.get("cuptiSassMetricsSetConfig", f.sass_configure);
  library.get("cuptiSassMetricsUnsetConfig", f.sass_unset);
  library.get("cuptiSassMetricsEnable", f.sass_enable);
  library.get("cuptiSassMetricsDisable", f.sass_disable);
  library.get("cuptiSassMetricsGetDataProperties", f.sass_size);
  library.get("cuptiSassMetricsFlushData", f.sass_flush);
  return library.missing();
}

/// The given folders, then where toolkits lie.
std::vector<fs::path> all_folders(std::span<const fs::path> first) {
  std::vector<fs::path> folders(first.begin(), first.end());
  // Read before any other thread could change it.
  if (const char* toolkit = std::getenv("CUDA_HOME"); toolkit != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    folders.push_back(fs::path(toolkit) / "extras/CUPTI/lib64");
    folders.push_back(fs::path(toolkit) / "lib64");
  }
  folders.emplace_back("/usr/local/cuda/extras/CUPTI/lib64");
  folders.emplace_back("/usr/local/cuda/lib64");
  return folders;
}

std::vector<fs::path> candidates(std::span<const fs::path> folders) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::path& folder : folders)
    for (const char* name : kNames)
      if (fs::exists(folder / name, ignored)) files.push_back(folder / name);
  for (const char* name : kNames) files.emplace_back(name);  // the loader's own search
  return files;
}

/// CUPTI opens its two helpers by name alone. Opened before, from the folder that has them all, they are
/// found under their names. They are never unloaded, because they start threads and install handlers.
void* open_library(const fs::path& file) {
  std::error_code ignored;
  if (file.has_parent_path())
    for (const char* helper : {"libnvperf_target.so", "libnvperf_host.so"})
      if (fs::exists(file.parent_path() / helper, ignored))
        dlopen((file.parent_path() / helper).c_str(), RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
  return dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

constexpr const char* kPermission =
    "reading the counters is not permitted (ERR_NVGPUCTRPERM); run as root, or let everybody: put 'options "
    "nvidia NVreg_RestrictProfilingToAdminUsers=0' into a file in /etc/modprobe.d and reboot";

const char* advice_for(CUptiResult status) {
  switch (static_cast<int>(status)) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return kPermission;
    case CUPTI_ERROR_HARDWARE_BUSY:
      return "another program reads the counters; end it (ncu, nsys, DCGM) and try again";
    case CUPTI_ERROR_INVALID_METRIC_NAME:
      return "this GPU has no such counter; a GPU since Turing is needed";
    default:
      return "times and traces work without counters";
  }
}

}  // namespace

Cupti::Cupti(std::shared_ptr<const CuptiFunctions> functions, fs::path library)
    : functions_(std::move(functions)), library_(std::move(library)) {}

Result<Cupti> Cupti::open(std::span<const fs::path> folders) {
  const std::vector<fs::path> searched = all_folders(folders);
  for (const fs::path& file : candidates(searched)) {
    void* handle = open_library(file);
    if (handle == nullptr) continue;
    auto functions = std::make_shared<CuptiFunctions>();
    functions->handle = handle;
    if (const char* missing = load_all(*functions))
      return fail(ErrorKind::Unsupported,
                  fmt::format("CUPTI of CUDA 12.6 or newer was expected, and {} has no {}; update it",
                              file.string(), missing));
    return Cupti(std::move(functions), file);
  }
  std::vector<std::string> names;
  for (const fs::path& folder : searched) names.push_back(folder.string());
  return fail(ErrorKind::Unsupported,
              fmt::format("CUPTI (libcupti.so) was expected and not found in {} or the loader's path; run "
                          "app/run, which fetches it, or install a CUDA toolkit",
                          fmt::join(names, ", ")));
}

Result<void> check(const CuptiFunctions& cupti, std::string_view call, CUptiResult status) {
  if (status == CUPTI_SUCCESS) return {};
  const char* words = nullptr;
  cupti.result_string(status, &words);
  return fail(ErrorKind::Unsupported,
              fmt::format("{} failed: {}; {}", call,
                          words == nullptr ? fmt::format("status {}", static_cast<int>(status)) : words,
                          advice_for(status)));
}

}  // namespace lanescope::gpu
