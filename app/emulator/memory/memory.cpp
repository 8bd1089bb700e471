#include "emulator/memory/memory.h"

#include "base/memory_size.h"
#include "base/source_name.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <variant>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

bool is_identifier(std::string_view name) {
  const auto is_part = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, is_part);
}

/// [buffer of the launch] whether an address that may be written through leads into it.
std::vector<bool> written_buffers(const ptx::Program& program, const launch::Launch& launch,
                                  const MemoryInPlace* in_place) {
  if (in_place != nullptr && !in_place->written.empty()) return in_place->written;
  // A variable that is one of the buffers is written without a parameter, and may hold any address.
  // The handle of a surface may come from anywhere too.
  const bool has_variables =
      in_place != nullptr && (!in_place->variables.empty() || !in_place->images.empty());
  std::vector<bool> written(launch.buffers.size(), has_variables);
  for (size_t n = 0; n < program.parameters.size(); ++n) {
    if (!program.parameters[n].may_be_written) continue;
    if (const auto* argument = std::get_if<launch::BufferArgument>(&launch.arguments[n])) {
      written[argument->buffer] = true;
    } else if (const auto* image = std::get_if<launch::ImageArgument>(&launch.arguments[n])) {
      written[launch.images[image->image].buffer] = true;
    } else if (program.parameters[n].size_bytes >= sizeof(uint64_t)) {
      return std::vector<bool>(launch.buffers.size(), true);  // a value may hold any address
    }
  }
  return written;
}

/// The launch's contents for the variable; null if it has none.
const launch::Variable* given_for(const ptx::ProgramVariable& variable, const launch::Launch& launch) {
  const auto given = std::ranges::find_if(launch.variables, [&](const launch::Variable& one) {
    return one.name == variable.name || one.name == variable_name_of(variable.name);
  });
  return given == launch.variables.end() ? nullptr : &*given;
}

}  // namespace

bool uses_heap(const ptx::Program& program) {
  return std::ranges::any_of(program.calls,
                             [](const ptx::Call& call) { return call.kind == ptx::Call::Kind::Allocate; });
}

bool has_own_heap(const ptx::Program& program, const MemoryInPlace* in_place) {
  return uses_heap(program) && (in_place == nullptr || in_place->heap == nullptr);
}

Memory::Memory(const ptx::Program& program, const launch::Launch& launch, SpareBuffers& spare,
               const MemoryInPlace* in_place)
    : is_in_place_(in_place != nullptr && in_place->has_buffers()),
      written_(written_buffers(program, launch, in_place)),
      constant_bytes_(program.constant_bytes),
      parameter_bytes_(program.parameter_bytes) {
  const bool shares = in_place != nullptr && in_place->has_buffers();
  for (size_t n = 0; n < launch.buffers.size(); ++n) {
    const launch::Buffer& buffer = launch.buffers[n];
    initialized_.push_back(buffer.has_contents);
    if (buffer.pattern_key != 0 && !shares) {
      fresh_.resize(n + 1);
      fresh_[n].key = buffer.pattern_key;
    }
    names_.push_back(!buffer.name.empty() ? buffer.name
                     : shares ? fmt::format("an allocation of {} bytes", in_place->buffers[n].size_bytes)
                              : fmt::format("buffer {}", n));
    const bool has_elements = !shares && is_identifier(buffer.name);
    shapes_.push_back(has_elements ? ArrayShape{buffer.shape, launch::size_bytes(buffer.type)}
                                   : ArrayShape{});
    initial_.push_back(shares ? nullptr : buffer.initial);
    owned_.push_back(written_[n] && !shares ? spare.copy_of(*buffer.initial) : nullptr);
    if (shares) {
      buffers_.push_back(in_place->buffers[n]);
      continue;
    }
    // The kernel does not write to the launch's own bytes: written_buffers() has said so.
    std::byte* data = owned_[n] ? owned_[n]->data() : const_cast<std::byte*>(buffer.initial->data());
    buffers_.push_back({data, buffer.initial->size()});
  }
  if (in_place != nullptr) {
    if (shares) fresh_ = in_place->fresh;
    give_pattern_ = in_place->give_pattern;
    has_inputs_ = in_place->has_inputs;
    absent_ = in_place->absent;
  }
  all_written_ = std::make_unique<std::atomic<bool>[]>(fresh_.size());
  place_variables(program, in_place);
  initialize_variables(program, launch);
  for (size_t n = 0; n < program.parameters.size(); ++n) {
    std::ranges::copy(launch::parameter_bytes(
                          launch.arguments[n],
                          [](uint32_t buffer) { return trace::global_address(buffer, 0); }, image_handle),
                      parameter_bytes_.data() + program.parameters[n].offset);
  }
  for (const launch::Image& image : launch.images)
    images_.push_back({image, launch.buffers[image.buffer].type, buffers_[image.buffer].data});
  if (in_place != nullptr) images_.insert(images_.end(), in_place->images.begin(), in_place->images.end());
  constants_ = {constant_bytes_.data(), constant_bytes_.size()};
  parameters_ = {parameter_bytes_.data(), parameter_bytes_.size()};
}

void Memory::add_buffer(std::string name, uint64_t size_bytes, bool is_initialized) {
  owned_.push_back(std::make_shared<launch::Bytes>(memory_size(size_bytes)));
  buffers_.push_back({owned_.back()->data(), size_bytes});
  names_.push_back(std::move(name));
  initialized_.push_back(is_initialized);
  written_.push_back(true);
}

/// Buffers for the global variables, the heap and the workspace.
void Memory::place_variables(const ptx::Program& program, const MemoryInPlace* in_place) {
  for (const ptx::ProgramVariable& variable : program.variables) {
    if (variable.space != ptx::Space::Global) continue;
    const auto find = [&] {
      return std::ranges::find(in_place->variables, variable.name, &std::pair<std::string, uint32_t>::first);
    };
    if (in_place != nullptr && find() != in_place->variables.end()) {
      variable_buffers_.push_back(find()->second);
      continue;
    }
    variable_buffers_.push_back(static_cast<uint32_t>(buffers_.size()));
    add_buffer(variable_name_of(variable.name), variable.size_bytes, true);
    std::ranges::copy(variable.initial, buffers_.back().data);
  }
  if (in_place != nullptr && in_place->heap != nullptr) {
    placed_heap_ = in_place->heap;
    placed_heap_->begin_run();
    const uint32_t buffer = trace::buffer_of(placed_heap_->begin());
    names_[buffer] = kHeapName;
    written_[buffer] = true;
    initialized_[buffer] = false;
  }
  if (has_own_heap(program, in_place)) {
    heap_->reset(trace::global_address(static_cast<uint32_t>(buffers_.size()), 0));
    add_buffer(kHeapName, Heap::kSizeBytes, false);
  }
  if (ptx::uses_workspace(program)) {
    workspace_ = trace::global_address(static_cast<uint32_t>(buffers_.size()), 0);
    add_buffer(kWorkspaceName, kWorkspaceBytes, true);
    buffers_.back().data[0] = std::byte{kWorkspaceBytes};
  }
}

/// Writes constants, addresses in variables, and the launch's contents of variables.
void Memory::initialize_variables(const ptx::Program& program, const launch::Launch& launch) {
  const auto bytes_of = [&](const ptx::ProgramVariable& variable) -> std::byte* {
    if (variable.space == ptx::Space::Constant) return constant_bytes_.data() + variable.offset;
    if (variable.space != ptx::Space::Global) return nullptr;
    const uint32_t buffer = buffer_of(variable);
    return owned_[buffer] ? buffers_[buffer].data : nullptr;
  };
  for (const ptx::ProgramVariable& variable : program.variables) {
    std::byte* const bytes = bytes_of(variable);
    if (bytes == nullptr) continue;
    if (variable.space == ptx::Space::Constant) std::ranges::copy(variable.initial, bytes);
    for (const ptx::VariableAddress& address : variable.addresses) {
      const uint64_t value = address.is_function
                                 ? ptx::function_address(address.variable)
                                 : variable_address(program, address.variable, address.generic) +
                                       static_cast<uint64_t>(address.addend);
      std::memcpy(bytes + address.offset, &value, sizeof value);
    }
    // Copied after the addresses are set: contents from an earlier launch have them already.
    if (const launch::Variable* given = given_for(variable, launch))
      std::ranges::copy(*given->contents, bytes);
  }
}

std::vector<launch::Variable> Memory::variables(const ptx::Program& program) const {
  std::vector<launch::Variable> all;
  for (const ptx::ProgramVariable& variable : program.variables)
    if (variable.space == ptx::Space::Global)
      if (const auto& owned = owned_[buffer_of(variable)]) all.push_back({variable.name, owned});
  return all;
}

uint32_t Memory::buffer_of(const ptx::ProgramVariable& variable) const {
  return variable_buffers_[static_cast<size_t>(variable.offset)];
}

uint64_t Memory::variable_address(const ptx::Program& program, uint32_t variable, bool generic) const {
  const ptx::ProgramVariable& target = program.variables[variable];
  if (target.space == ptx::Space::Global) return trace::global_address(buffer_of(target), 0);
  return target.offset + (generic ? window_of(target.space) << kWindowShift : 0);
}

uint64_t Memory::address_of(const ptx::Program& program, uint64_t symbol) const {
  const auto addend = static_cast<int32_t>(static_cast<uint32_t>(symbol));
  return variable_address(program, static_cast<uint32_t>(symbol >> 32), false) +
         static_cast<uint64_t>(int64_t{addend});
}

const Image* Memory::image(uint64_t handle) const {
  const uint64_t number = handle - image_handle(0);
  return number < images_.size() && images_[static_cast<size_t>(number)].texels != nullptr
             ? &images_[static_cast<size_t>(number)]
             : nullptr;
}

std::string Memory::name_of_buffer(uint32_t buffer) const { return names_[buffer]; }

std::string Memory::element_of_buffer(uint32_t buffer, uint64_t offset) const {
  return buffer < shapes_.size() ? element_at(names_[buffer], shapes_[buffer], offset) : "";
}

bool Memory::is_all_written(uint32_t buffer) const {
  if (was_all_written(buffer)) return true;
  const Region& region = buffers_[buffer];
  const uint32_t key = fresh_[buffer].key;
  for (uint64_t begin = 0; begin < region.size_bytes; begin += kFreshPageBytes) {
    look_at_page(trace::global_address(buffer, begin));
    const uint64_t bytes = std::min(kFreshPageBytes, region.size_bytes - begin);
    uint32_t looks_so = 0;
    for (uint64_t at = begin; at + sizeof(uint32_t) <= begin + bytes; at += sizeof(uint32_t)) {
      uint32_t word = 0;
      std::memcpy(&word, region.data + at, sizeof word);
      looks_so |= looks_fresh(word) ? 1u : 0u;
    }
    if (looks_so == 0) continue;
    for (uint64_t at = begin; at + sizeof(uint32_t) <= begin + bytes; at += sizeof(uint32_t))
      if (is_fresh(region, key, at, sizeof(uint32_t))) return false;
  }
  if (!all_written_[buffer].exchange(true)) all_written_count_.fetch_add(1);
  return true;
}

std::vector<launch::Contents> Memory::take_buffers() {
  std::vector<launch::Contents> taken = std::move(initial_);
  for (size_t n = 0; n < taken.size(); ++n)
    if (owned_[n]) taken[n] = std::move(owned_[n]);
  buffers_.clear();
  return taken;
}

namespace {

/// Error if an integer is given for a floating-point parameter, or the reverse. A parameter that has only a
/// size, as a struct, takes any type.
Result<void> check_kind(const ptx::Program& program, const ptx::KernelParameter& parameter,
                        launch::ElementType given) {
  const bool wants_float = parameter.type == ptx::Type::f32 || parameter.type == ptx::Type::f64;
  if (!wants_float && !ptx::is_integer(parameter.type)) return {};
  if (wants_float == launch::is_float(given) ||
      parameter.size_bytes != static_cast<uint32_t>(ptx::size_bytes(parameter.type)))
    return {};
  const auto bits = 8 * parameter.size_bytes;
  return fail(ErrorKind::Launch,
              fmt::format("parameter '{}' of kernel {} is {} of {} bits, {} was given; write {}{}:VALUE",
                          parameter.name, source_name_of(program.kernel),
                          wants_float ? "a floating-point number" : "an integer", bits,
                          launch::name_of(given), wants_float ? 'f' : 'i', bits));
}

/// Sentence for an error: the argument `given` for `parameter` has the name of another; empty where it has
/// not.
std::string order_words(const ptx::Program& program, const ptx::KernelParameter& parameter,
                        const std::string& given) {
  const bool is_others =
      given != parameter.name && !given.empty() &&
      std::ranges::find(program.parameters, given, &ptx::KernelParameter::name) != program.parameters.end();
  return is_others
             ? fmt::format("; '{}' is in its place, and arguments have the order of the parameters", given)
             : "";
}

}  // namespace

Result<void> check_arguments(const ptx::Program& program, const launch::Launch& launch,
                             const MemoryInPlace* in_place) {
  const size_t given = launch.arguments.size();
  const size_t wanted = program.parameters.size();
  if (given < wanted)
    return fail(ErrorKind::Launch,
                fmt::format("kernel {} takes {} arguments, {} were given; add --arg for '{}'",
                            source_name_of(program.kernel), wanted, given, program.parameters[given].name));
  if (given > wanted)
    return fail(ErrorKind::Launch,
                fmt::format("kernel {} takes {} arguments, {} were given; remove the last {}",
                            source_name_of(program.kernel), wanted, given, given - wanted));
  for (const ptx::ProgramVariable& variable : program.variables)
    if (const launch::Variable* contents = given_for(variable, launch);
        contents != nullptr && contents->contents->size() > variable.size_bytes)
      return fail(ErrorKind::Launch,
                  fmt::format("variable {} has {} bytes, {} were given; give fewer", contents->name,
                              variable.size_bytes, contents->contents->size()));
  for (size_t n = 0; n < wanted; ++n) {
    const ptx::KernelParameter& parameter = program.parameters[n];
    if (const auto* buffer = std::get_if<launch::BufferArgument>(&launch.arguments[n])) {
      if (buffer->buffer >= launch.buffers.size())
        return fail(ErrorKind::Launch, fmt::format("argument '{}' names buffer {}, and the launch has {}",
                                                   parameter.name, buffer->buffer, launch.buffers.size()));
      if (parameter.size_bytes != sizeof(uint64_t))
        return fail(
            ErrorKind::Launch,
            fmt::format("parameter '{}' of kernel {} is a value of {} bytes, a buffer was given for it; "
                        "give a scalar such as i32:1024{}",
                        parameter.name, source_name_of(program.kernel), parameter.size_bytes,
                        order_words(program, parameter, launch.buffers[buffer->buffer].name)));
    } else if (std::holds_alternative<launch::ImageArgument>(launch.arguments[n])) {
      if (parameter.size_bytes != sizeof(uint64_t))
        return fail(ErrorKind::Launch,
                    fmt::format("parameter '{}' of kernel {} is a value of {} bytes, a texture or surface "
                                "was given for it; give a scalar such as i32:1024",
                                parameter.name, source_name_of(program.kernel), parameter.size_bytes));
    } else {
      const auto& value = std::get<launch::Value>(launch.arguments[n]);
      const size_t bytes = value.bytes.size();
      if (value.type && bytes == parameter.size_bytes) TRY_VOID(check_kind(program, parameter, *value.type));
      if (bytes != parameter.size_bytes)
        return fail(ErrorKind::Launch,
                    fmt::format("parameter '{}' of kernel {} takes {} bytes, {} were given{}", parameter.name,
                                source_name_of(program.kernel), parameter.size_bytes, bytes,
                                order_words(program, parameter, value.name)));
    }
  }
  for (const launch::Buffer& buffer : launch.buffers)
    if (!buffer.initial && (in_place == nullptr || !in_place->has_buffers()))
      return fail(ErrorKind::Internal, fmt::format("buffer '{}' of the launch has no contents", buffer.name));
  return {};
}

}  // namespace lanescope::emulator
