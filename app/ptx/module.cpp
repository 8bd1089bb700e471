#include "ptx/module.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::ptx {

std::string text_of(const Module& module, const Instruction& instruction) {
  const std::string_view written =
      std::string_view(module.text).substr(instruction.text_begin, instruction.text_size);
  std::string text;
  for (const char c : written) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_blank) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  return text;
}

namespace {

/// Whether CUDA writes its built-in functions there: NVRTC's own header, which is no file, those of nvcc with
/// atomicAdd(), __ldg() and others, and the operators of halves and narrower numbers.
bool has_built_ins(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
  constexpr std::array<std::string_view, 12> kNames{"__nv_nvrtc_builtin_header.h",
                                                    "device_atomic_functions.hpp",
                                                    "cuda_fp16.h",
                                                    "cuda_fp16.hpp",
                                                    "cuda_bf16.h",
                                                    "cuda_bf16.hpp",
                                                    "cuda_fp8.h",
                                                    "cuda_fp8.hpp",
                                                    "cuda_fp6.h",
                                                    "cuda_fp6.hpp",
                                                    "cuda_fp4.h",
                                                    "cuda_fp4.hpp"};
  if (std::ranges::find(kNames, name) != kNames.end()) return true;
  return name.starts_with("sm_") &&
         (name.ends_with("_atomic_functions.hpp") || name.ends_with("_intrinsics.hpp"));
}

/// Where the instruction was written. A built-in function counts as written where it is called: tex2D(),
/// atomicAdd().
const Place& written_at(const Module& module, const Instruction& instruction) {
  const Place* place = &module.places[*instruction.place];
  while (place->inlined_at && has_built_ins(module.files[place->file].path))
    place = &module.places[*place->inlined_at];
  return *place;
}

}  // namespace

Location source_of(const Module& module, const Instruction& instruction) {
  if (!instruction.place) return {};
  const Place& place = written_at(module, instruction);
  return {module.files[place.file].path, place.line};
}

std::vector<Location> callers_of(const Module& module, const Instruction& instruction) {
  constexpr size_t kDeepest = 64;  // beyond what compilers inline
  std::vector<Location> callers;
  if (!instruction.place) return callers;
  // A call is an earlier place than what it calls, so the chain ends.
  for (auto call = written_at(module, instruction).inlined_at; call && callers.size() < kDeepest;
       call = module.places[*call].inlined_at)
    callers.push_back({module.files[module.places[*call].file].path, module.places[*call].line});
  return callers;
}

Location location_of(const Module& module, const Instruction& instruction) {
  if (instruction.place) {
    const Place& place = outermost(module, module.places[*instruction.place]);
    if (place.line != 0) return {module.files[place.file].path, place.line};
  }
  return {module.file_name, instruction.ptx_line};
}

const Place& outermost(const Module& module, const Place& place) {
  const Place* found = &place;
  while (found->inlined_at) found = &module.places[*found->inlined_at];
  return *found;
}

std::vector<uint32_t> kernels_of(const Module& module) {
  std::vector<uint32_t> kernels;
  for (uint32_t i = 0; i < module.functions.size(); ++i) {
    if (module.functions[i].is_kernel && !module.functions[i].is_declaration) kernels.push_back(i);
  }
  return kernels;
}

Result<uint32_t> find_kernel(const Module& module, std::string_view name) {
  std::vector<std::string_view> names;
  for (const uint32_t i : kernels_of(module)) {
    if (module.functions[i].name == name) return i;
    names.push_back(module.functions[i].name);
  }
  const Location where{module.file_name, 0};
  if (names.empty()) {
    return fail(ErrorKind::Usage, fmt::format("there is no kernel here, so '{}' cannot be run", name), where);
  }
  return fail(ErrorKind::Usage,
              fmt::format("there is no kernel '{}' here; there is {}", name, fmt::join(names, ", ")), where);
}

}  // namespace lanescope::ptx
