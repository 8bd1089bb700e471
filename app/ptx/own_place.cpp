#include "ptx/own_place.h"

#include <algorithm>
#include <array>

namespace lanescope::ptx {
namespace {

bool starts_with_any(std::string_view name, auto&& beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view one) { return name.starts_with(one); });
}

/// Folders of CUDA's include folder, and how its own headers with device code begin.
constexpr std::array<std::string_view, 6> kFolders{"crt/",    "cuda/", "cub/",
                                                   "thrust/", "nv/",   "cooperative_groups/"};
constexpr std::array<std::string_view, 15> kHeaders{"cuda_fp",
                                                    "cuda_bf16",
                                                    "cuda_pipeline",
                                                    "cuda_awbarrier",
                                                    "cooperative_groups.h",
                                                    "mma.h",
                                                    "sm_",
                                                    "device_",
                                                    "curand",
                                                    "math_functions",
                                                    "vector_functions",
                                                    "texture_indirect_",
                                                    "texture_fetch",
                                                    "surface_",
                                                    "__nv_nvrtc_builtin_header"};

}  // namespace

bool is_cuda_header(std::string_view file) {
  constexpr std::string_view kInclude = "/include/";
  const size_t include = file.rfind(kInclude);
  if (include == std::string_view::npos)
    return starts_with_any(file, kFolders) ||
           (file.find('/') == file.npos && starts_with_any(file, kHeaders));
  const std::string_view above = file.substr(0, include);
  const std::string_view name = file.substr(include + kInclude.size());
  const bool is_toolkit =
      above.find("/cuda") != above.npos || above.find("/nvidia/") != above.npos || above.ends_with("-linux");
  return is_toolkit || starts_with_any(name, kFolders) || starts_with_any(name, kHeaders);
}

OwnPlace own_place_of(const Origin& origin) {
  OwnPlace own{origin.source, {}, {}};
  if (!origin.called_from) return own;
  const std::vector<Location>& callers = *origin.called_from;
  size_t outer = 0;  // the first caller of `where`
  while (outer < callers.size() && is_cuda_header(own.where.file)) own.where = callers[outer++];
  own.called_from.assign(callers.begin() + static_cast<std::ptrdiff_t>(outer), callers.end());
  if (outer != 0) own.in_header = origin.source;
  return own;
}

}  // namespace lanescope::ptx
