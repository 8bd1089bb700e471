#include "driver/server/buffer_names.h"

#include "driver/server/argument_names.h"
#include "driver/server/argument_types.h"
#include "driver/server/array_arguments.h"
#include "trace/access.h"

#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace lanescope::driver {
namespace {

/// Buffer that begins at the address; null if there is none.
launch::Buffer* buffer_at(std::vector<launch::Buffer>& buffers, uint64_t address) {
  const bool is_start = trace::has_buffer(address) && trace::offset_of(address) == 0;
  const uint32_t number = is_start ? trace::buffer_of(address) : 0;
  return is_start && number < buffers.size() ? &buffers[number] : nullptr;
}

/// Buffer that the address lies in; null if there is none.
launch::Buffer* buffer_of(std::vector<launch::Buffer>& buffers, uint64_t address) {
  const uint32_t number = trace::has_buffer(address) ? trace::buffer_of(address) : 0;
  const bool is_in = trace::has_buffer(address) && number < buffers.size() &&
                     trace::offset_of(address) < buffers[number].shape.front();
  return is_in ? &buffers[number] : nullptr;
}

/// Describes the buffers that pointers of a kernel lead to, whichever compiler made it.
void describe_pointers(const ptx::Program& program, std::span<const std::byte> parameters,
                       SourceTexts& sources, std::vector<launch::Buffer>& buffers) {
  const std::vector<std::string> names = parameter_names(program, sources);
  // Triton leaves out arguments that it knows: the first pointers are the first arguments.
  const std::vector<std::string> of_python =
      names.empty() ? argument_names(program, sources) : std::vector<std::string>();
  size_t pointers = 0;  // that are the first parameters
  std::vector<std::pair<launch::Buffer*, std::string>>
      inside;  // where a parameter does not lead to the start
  const auto types = parameter_types(program.kernel);
  for (size_t n = 0; n < program.parameters.size(); ++n) {
    uint64_t address = 0;
    if (program.parameters[n].size_bytes != sizeof address) continue;
    std::memcpy(&address, parameters.data() + program.parameters[n].offset, sizeof address);
    launch::Buffer* const buffer = buffer_of(buffers, address);
    if (buffer != nullptr && pointers == n) ++pointers;
    if (buffer == nullptr || !buffer->name.empty()) continue;
    const std::string name = n < names.size() && !names[n].empty()  ? names[n]
                             : n < pointers && n < of_python.size() ? of_python[n]
                                                                    : fmt::format("parameter {}", n);
    if (buffer_at(buffers, address) == nullptr) {
      inside.emplace_back(buffer, name);
      continue;
    }
    buffer->name = name;
    const bool is_typed = types.size() == program.parameters.size() && types[n] &&
                          types[n]->form == ParameterType::Form::Pointer;
    if (!is_typed || buffer->shape.front() % launch::size_bytes(types[n]->element) != 0) continue;
    buffer->type = types[n]->element;
    buffer->shape = {buffer->shape.front() / launch::size_bytes(buffer->type)};
  }
  for (const auto& [buffer, name] : inside)
    if (buffer->name.empty()) buffer->name = "the allocation of " + name;
}

void describe_arrays(const ptx::Program& program, std::span<const std::byte> parameters, SourceTexts& sources,
                     std::vector<launch::Buffer>& buffers) {
  std::vector<uint32_t> offsets;
  for (const ptx::KernelParameter& parameter : program.parameters) offsets.push_back(parameter.offset);
  const std::vector<std::string> names = argument_names(program, sources);
  for (const ArrayArgument& array : numba_arrays(program.kernel, parameters, offsets)) {
    launch::Buffer* const buffer = buffer_at(buffers, array.address);
    if (buffer == nullptr) continue;
    // A view of a larger array leaves the buffer as bytes.
    uint64_t bytes = launch::size_bytes(array.type);
    for (const uint64_t extent : array.shape) bytes *= extent;
    if (bytes == buffer->shape.front()) {
      buffer->type = array.type;
      buffer->shape = array.shape;
    }
    buffer->name = array.number < names.size() ? names[array.number] : fmt::format("array {}", array.number);
  }
}

}  // namespace

void describe_buffers(const ptx::Program& program, std::span<const std::byte> parameters,
                      SourceTexts& sources, std::vector<launch::Buffer>& buffers) {
  describe_pointers(program, parameters, sources, buffers);
  describe_arrays(program, parameters, sources, buffers);
}

}  // namespace lanescope::driver
