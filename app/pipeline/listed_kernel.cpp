#include "pipeline/listed_kernel.h"

#include "base/dim3.h"
#include "base/source_name.h"
#include "pipeline/kernel_choice.h"
#include "pipeline/value_flow.h"
#include "ptx/lower.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

using compile::HostLaunch;
using compile::HostTypes;
using Declarations = std::vector<compile::KernelDeclaration>;

std::vector<ListedKernel::Parameter> listed_parameters(const ptx::Function& kernel,
                                                       const compile::KernelDeclaration* declared,
                                                       const HostTypes& types) {
  std::vector<ListedKernel::Parameter> listed;
  for (const ptx::Parameter& parameter : kernel.parameters)
    listed.push_back(
        {fmt::format(".{}", ptx::name_of(parameter.type)), parameter.name, parameter.size_bytes});
  const std::vector<std::string> resolved = parameter_types_of(kernel.name);
  for (size_t n = 0; n < listed.size(); ++n) {
    ListedKernel::Parameter& parameter = listed[n];
    if (declared != nullptr) {
      parameter.type = declared->parameters[n].type;
      parameter.name = declared->parameters[n].name;
    } else if (resolved.size() == listed.size()) {
      parameter.type = resolved[n];
    }
    parameter.plain = types.plain(resolved.size() == listed.size() ? resolved[n] : parameter.type);
    if (parameter.plain.ends_with('*')) {
      const auto layout = types.layout_of(parameter.plain.substr(0, parameter.plain.size() - 1));
      parameter.pointee_bytes = layout ? layout->bytes : 0;
    } else if (const auto* fields = types.fields_of(parameter.plain)) {
      parameter.fields = *fields;
    }
  }
  return listed;
}

/// Whether the arguments of a launch can be those of the kernel: of overloads only one takes an uchar4*.
bool fits(const HostLaunch& launch, const ListedKernel& kernel) {
  for (size_t n = 0; n < launch.values.size() && n < kernel.parameters.size(); ++n) {
    const std::string& given = launch.values[n].type;
    const std::string& taken = kernel.parameters[n].plain;
    if (given.ends_with('*') && taken.ends_with('*') && given != taken) return false;
  }
  return launch.values.empty() || launch.values.size() <= kernel.parameters.size();
}

/// Those of the host code's launches that mean this kernel.
std::vector<HostLaunch> launches_of_kernel(const ListedKernel& kernel, bool is_overloaded,
                                           const std::vector<HostLaunch>& launches) {
  std::vector<HostLaunch> its;
  for (const HostLaunch& launch : launches) {
    const auto means = [&](const std::string& written) { return is_name_of_kernel(written, kernel.name); };
    if (!(launch.instances.empty() ? means(launch.kernel) : std::ranges::any_of(launch.instances, means)))
      continue;
    if (!is_overloaded || fits(launch, kernel)) its.push_back(launch);
  }
  return its;
}

/// Of the indices that the kernel reads.
int dimensions_of(const ptx::Program& program) {
  using Special = ptx::SpecialRegister;
  const auto reads = [&](Special thread, Special block) {
    return std::ranges::any_of(program.slots, [&](const ptx::SlotInfo& slot) {
      return slot.content == ptx::SlotContent::Special && (slot.special == thread || slot.special == block);
    });
  };
  return reads(Special::tid_z, Special::ctaid_z) ? 3 : reads(Special::tid_y, Special::ctaid_y) ? 2 : 1;
}

/// ListedKernel::tile; 0 where there is no such array, or no block of that shape fits.
uint32_t tile_of(const ptx::Program& program, std::span<const compile::SharedArray> arrays) {
  constexpr uint64_t kMostPadding = 4;  // elements of a row
  uint32_t tile = 0;
  for (const ptx::ProgramVariable& variable : program.variables) {
    if (variable.space != ptx::Space::Shared) continue;
    const ArrayShape shape = compile::shape_of(arrays, variable_name_of(variable.name), variable.size_bytes);
    if (shape.element_bytes == 0 || shape.extents.size() != 2) continue;
    const uint64_t columns = shape.extents[1];
    const uint64_t rows = variable.size_bytes / (columns * shape.element_bytes);
    const bool is_square = columns >= rows && columns <= rows + kMostPadding;
    if (is_square && (rows == 8 || rows == 16 || rows == 32))
      tile = std::max(tile, static_cast<uint32_t>(rows));
  }
  const bool fits = !program.max_threads || volume(*program.max_threads) >= uint64_t{tile} * tile;
  return fits ? tile : 0;
}

}  // namespace

const compile::KernelDeclaration* declaration_of(const std::string& entry, size_t parameters,
                                                 const Declarations& declarations, const HostTypes& types) {
  const std::string name = kernel_name_of(source_name_of(entry));
  const std::vector<std::string> resolved = parameter_types_of(entry);
  const compile::KernelDeclaration* best = nullptr;
  size_t best_score = 0;
  for (const compile::KernelDeclaration& one : declarations) {
    if (one.name != name || one.parameters.size() != parameters) continue;
    size_t score = 1;
    for (size_t n = 0; n < parameters; ++n) {
      if (!one.parameters[n].name.empty()) score += 1;
      if (n < resolved.size() && types.plain(one.parameters[n].type) == types.plain(resolved[n]))
        score += 2 * parameters;
    }
    if (score > best_score) {
      best = &one;
      best_score = score;
    }
  }
  return best;
}

std::vector<ListedKernel> list_kernels(const ptx::Module& module, const Declarations& declarations,
                                       const compile::HostCode& host, const std::string& source,
                                       std::span<const compile::SharedArray> arrays) {
  std::vector<ListedKernel> listed;
  const std::vector<uint32_t> kernels = ptx::kernels_of(module);
  const auto name_at = [&](uint32_t index) { return source_name_of(module.functions[index].name); };
  for (const uint32_t index : kernels) {
    const ptx::Function& kernel = module.functions[index];
    const auto* declared = declaration_of(kernel.name, kernel.parameters.size(), declarations, host.types);
    ListedKernel one{
        .entry = kernel.name,
        .name = source_name_of(kernel.name),
        .parameters = listed_parameters(kernel, declared, host.types),
        .is_of_header = declared != nullptr && !declared->file.empty() && declared->file != source,
        .refused = {},
        .launches = {}};
    const bool is_overloaded = std::ranges::count(kernels, one.name, name_at) > 1;
    one.launches = launches_of_kernel(one, is_overloaded, host.launches);
    if (const auto program = ptx::lower(module, kernel.name)) {
      one.static_shared_bytes = program->static_shared_bytes - program->reserved_shared_bytes;
      one.dimensions = dimensions_of(*program);
      one.tile = tile_of(*program, arrays);
      if (program->max_threads) one.most_threads = volume(*program->max_threads);
      const ValueFlow flow = find_value_flow(*program);
      one.has_block_index = flow.has_block_index;
      for (size_t n = 0; n < one.parameters.size() && n < flow.parameters.size(); ++n) {
        one.parameters[n].is_read = flow.parameters[n].is_read;
        one.parameters[n].is_address = flow.parameters[n].is_address;
      }
    } else {
      one.refused = program.error();
    }
    listed.push_back(std::move(one));
  }
  return listed;
}

}  // namespace lanescope::pipeline
