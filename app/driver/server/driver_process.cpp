#include "driver/server/driver_process.h"

#include "base/escape.h"
#include "base/source_name.h"
#include "caches/address_map.h"
#include "driver/server/captured_launch.h"
#include "driver/server/child_launches.h"
#include "driver/server/device_attributes.h"
#include "driver/server/image.h"
#include "ptx/device_runtime.h"
#include "trace/access.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// A program's text for the report.
std::string sentence_of(std::string_view payload) {
  constexpr size_t kMostOfSentence = 2000;
  return without_control_characters(std::string(payload.substr(0, kMostOfSentence)));
}

/// All values of type T in `payload` from byte `at` on.
template <class T>
std::vector<T> all_at(std::string_view payload, size_t at) {
  std::vector<T> values(at < payload.size() ? (payload.size() - at) / sizeof(T) : 0);
  if (!values.empty()) std::memcpy(values.data(), payload.data() + at, values.size() * sizeof(T));
  return values;
}

void note_not_captured(ProgramLog& log, uint32_t number, const std::string& why) {
  const auto record = log.record(number);
  if (record)
    log.add_note(fmt::format("launch {} of {} was not captured: {}", number + 1,
                             without_control_characters(record->kernel), why));
}

/// True if no request of this kind changes what a launch reads. Copies and fills are no requests.
bool leaves_memory(uint32_t kind) {
  switch (kind) {
    case kLanescopeHello:
    case kLanescopeLaunch:
    case kLanescopeGetFunction:
    case kLanescopeGetGlobal:
    case kLanescopeListFunctions:
    case kLanescopeUnsupported:
    case kLanescopeLibraryCall:
    case kLanescopeSource:
    case kLanescopeLaunches:
    case kLanescopeNote:
    case kLanescopeUsed:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string file_name_of(uint32_t number, std::string_view kernel) {
  constexpr size_t kMostOfName = 60;
  std::string name = source_name_of(kernel).substr(0, kMostOfName);
  std::ranges::replace_if(
      name, [](unsigned char c) { return c >= 128 || (std::isalnum(c) == 0 && c != '_'); }, '_');
  return fmt::format("{:04}-{}.lane", number, name);
}

std::string program_of(std::string_view command) {
  std::string name;
  while (!command.empty()) {
    const std::string_view word = command.substr(0, command.find('\0'));
    command.remove_prefix(std::min(word.size() + 1, command.size()));
    const std::string file = std::filesystem::path(word).filename().string();
    // A script is named rather than what runs it.
    if (name.empty() || file.ends_with(".py")) name = file;
    if (file.ends_with(".py")) break;
  }
  return name;
}

DriverProcess::DriverProcess(ProgramRun& run)
    : run_(run), memory_(run.memory_bytes), after_(run.memory_bytes) {}
DriverProcess::~DriverProcess() = default;

Answer DriverProcess::answer(const LanescopeRequest& request, std::string_view payload) {
  if (!leaves_memory(request.kind)) repeats_.note_change();
  switch (request.kind) {
    case kLanescopeHello:
      return greet(request, payload);
    case kLanescopeAllocate:
      return allocate(request);
    case kLanescopeUsed:
      return note_use(request);
    case kLanescopeFree:
      return free(request);
    case kLanescopeLoadModule:
      return load(payload);
    case kLanescopeUnloadModule:
      return unload(request);
    case kLanescopeGetFunction:
      return get_function(request, payload);
    case kLanescopeGetGlobal:
      return get_global(request, payload);
    case kLanescopeLaunch:
      return launch(request, payload);
    case kLanescopeUnsupported:
      run_.log.add_unsupported(without_control_characters(std::string(payload.substr(0, 200))), request.a[0]);
      return done();
    case kLanescopeLibraryCall:
      return add_library_call(request, payload);
    case kLanescopeSource:
      return add_source(payload);
    case kLanescopeLaunches:
      return list_launches();
    case kLanescopeListFunctions:
      return list_functions(request);
    case kLanescopeNote:
      run_.log.add_note(sentence_of(payload));
      return done();
    case kLanescopeHeapSize: {
      const auto set = memory_.set_heap_size(request.a[0]);
      return set ? done() : failed(set.error());
    }
    case kLanescopeMakeImage: {
      const auto handle = memory_.images().make(payload, memory_.regions());
      return handle ? done(*handle) : failed(handle.error());
    }
    case kLanescopeEndImage: {
      const auto ended = memory_.images().end(request.a[0]);
      return ended ? done() : failed(ended.error());
    }
    case kLanescopeForwarded:
      return note_forwarded(request, payload);
    case kLanescopeMeasured:
      return note_times(payload);
    case kLanescopeNotMade:
      run_.log.change(static_cast<uint32_t>(request.a[0]),
                      [&](LaunchRecord& record) { record.error = sentence_of(payload); });
      return done();
    case kLanescopeWantsCaptures:
      return done(run_.captures != nullptr && run_.captures->any() ? 1 : 0);
    case kLanescopeListVariables:
      return list_variables(request);
    case kLanescopeReplay:
      return replay(request, payload);
    case kLanescopeNotCaptured:
      note_not_captured(run_.log, static_cast<uint32_t>(request.a[0]), sentence_of(payload));
      end_capture();
      return done();
    default:
      return failed(Status::NotSupported, fmt::format("there is no request {}", request.kind));
  }
}

Answer DriverProcess::add_library_call(const LanescopeRequest& request, std::string_view payload) {
  constexpr size_t kMostOfName = 200;
  constexpr double kNanosecond = 1e-9;
  const size_t end = std::min(payload.find('\0'), payload.size());
  const std::string_view failure = payload.substr(std::min(end + 1, payload.size()));
  run_.log.add_library_call(sentence_of(payload.substr(0, std::min(end, kMostOfName))),
                            static_cast<double>(request.a[0]) * kNanosecond, sentence_of(failure));
  return done();
}

Answer DriverProcess::greet(const LanescopeRequest& request, std::string_view command) {
  if (request.a[0] != kLanescopeProtocol)
    return failed(
        Status::NotSupported,
        fmt::format("the program's libcuda speaks version {} of the messages, lanescope version {}; "
                    "use those of one build",
                    request.a[0], static_cast<int>(kLanescopeProtocol)));
  process_ = static_cast<int>(request.a[1]);
  program_ = sentence_of(program_of(command));
  LanescopeDevice device = device_attributes(run_.device);
  device.count = run_.devices;
  device.wants_uses = run_.models_caches && !run_.flushes_l2 ? 1 : 0;
  return done(static_cast<uint64_t>(run_.device.compute_capability), run_.memory_bytes / run_.devices,
              bytes_of(device));
}

caches::L2Memory& DriverProcess::l2() {
  if (!l2_) l2_.emplace(*run_.device.caches, caches::Rules{});
  return *l2_;
}

Answer DriverProcess::note_use(const LanescopeRequest& request) {
  constexpr uint64_t kUses = 4;
  if (!run_.models_caches || run_.flushes_l2) return done();
  const uint64_t address = request.a[0], bytes = request.a[1] / kUses, bits = request.a[1] % kUses;
  const std::vector<emulator::Region> regions = memory_.regions();
  if (bytes == 0 || !trace::has_buffer(address) || trace::buffer_of(address) >= regions.size() ||
      trace::offset_of(address) > regions[trace::buffer_of(address)].size_bytes ||
      bytes > regions[trace::buffer_of(address)].size_bytes - trace::offset_of(address))
    return failed(Status::InvalidValue, "what a copy has used is no memory of the device");
  std::vector<trace::BufferInfo> buffers;
  for (const emulator::Region& region : regions)
    buffers.push_back({.name = {}, .size_bytes = region.size_bytes});
  l2().copy({.first = caches::AddressMap(buffers).global(address),
             .bytes = bytes,
             .is_written = (bits & kLanescopeWrites) != 0,
             .is_of_host = (bits & kLanescopeOfHost) != 0});
  return done();
}

Answer DriverProcess::allocate(const LanescopeRequest& request) {
  const uint64_t use = request.a[1] % LANESCOPE_OWNER, owner = request.a[1] / LANESCOPE_OWNER;
  if (owner > run_.devices) return failed(Status::InvalidValue, "there is no such device");
  const auto visibility = use == kLanescopeSharedMemory ? Visibility::Shared : Visibility::Device;
  DeviceMemory& memory = use == kLanescopeCapturedAfter ? after_ : memory_;
  // No pattern for copies of the GPU's memory: a copy fills the whole allocation.
  const bool is_uninitialized = use == kLanescopeDeviceMemory && run_.captures == nullptr;
  const auto number =
      memory.allocate(request.a[0], visibility, is_uninitialized ? Contents::Uninitialized : Contents::Zeros);
  if (!number) {
    const bool is_full = number.error().kind == ErrorKind::Limit;
    return failed(is_full ? Status::OutOfMemory : Status::InvalidValue, number.error().message);
  }
  memory.set_device(*number, static_cast<uint32_t>(owner));
  sampled_.forget(*number);
  return done(trace::global_address(*number, 0), 0, {}, memory.allocation(*number).descriptor);
}

Answer DriverProcess::free(const LanescopeRequest& request) {
  const auto is_freed = [&](const ModuleVariable& variable) {
    return trace::global_address(variable.allocation, 0) == request.a[0];
  };
  for (const auto& [handle, module] : modules_)
    if (std::ranges::any_of(module->variables(), is_freed))
      return failed(Status::InvalidValue, "a variable of a module is to be freed; unload the module");
  const auto freed = memory_.free(request.a[0], run_.log.launches());
  return freed ? done() : failed(freed.error());
}

Answer DriverProcess::load(std::string_view image) {
  const auto ptx = ptx_of_image(std::as_bytes(std::span(image)));
  if (!ptx) {
    run_.log.add_note(describe(ptx.error()));
    const bool lacks_ptx = ptx.error().kind == ErrorKind::Unsupported;
    return failed(lacks_ptx ? Status::NoBinaryForGpu : status_of(ptx.error()), describe(ptx.error()));
  }
  auto module = LoadedModule::load(*ptx, fmt::format("module {}", modules_.size() + 1), memory_);
  if (!module) {
    run_.log.add_note(describe(module.error()));
    return failed(module.error());
  }
  if (run_.machine_codes != nullptr)
    run_.machine_codes->add((*module)->contents(), ptx::with_device_runtime(*ptx));
  for (const ModuleVariable& variable : (*module)->variables()) sampled_.forget(variable.allocation);
  prepare_child_launches(**module, memory_);
  const uint64_t handle = next_++;
  modules_[handle] = *std::move(module);
  return done(handle);
}

Answer DriverProcess::unload(const LanescopeRequest& request) {
  const auto found = modules_.find(request.a[0]);
  if (found == modules_.end()) return failed(Status::InvalidValue, "there is no such module to unload");
  found->second->unload(memory_);
  repeats_.forget();
  std::erase_if(kernels_, [&](const auto& entry) { return entry.second.module == request.a[0]; });
  modules_.erase(found);
  return done();
}

Answer DriverProcess::list_functions(const LanescopeRequest& request) const {
  const auto found = modules_.find(request.a[0]);
  if (found == modules_.end()) return failed(Status::InvalidValue, "there is no such module");
  std::string names;
  for (const std::string& name : found->second->kernels()) names += name + '\0';
  return done(0, 0, std::move(names));
}

Answer DriverProcess::get_function(const LanescopeRequest& request, std::string_view name) {
  const auto found = modules_.find(request.a[0]);
  if (found == modules_.end()) return failed(Status::InvalidValue, "there is no such module");
  const std::vector<std::string> kernels = found->second->kernels();
  if (std::ranges::find(kernels, name) == kernels.end())
    return failed(Status::NotFound, fmt::format("the module has no kernel '{}'", name.substr(0, 500)));
  const auto program = found->second->program(std::string(name), sources_);
  if (!program) {
    run_.log.add_note(describe(program.error()));
    return failed(program.error());
  }
  const ptx::Program& kernel = **program;
  const ptx::Module& ptx = found->second->ptx();
  const LanescopeFunction function{
      .parameters = static_cast<uint32_t>(kernel.parameters.size()),
      .parameter_bytes = kernel.parameter_bytes,
      .static_shared_bytes = kernel.static_shared_bytes - kernel.reserved_shared_bytes,
      .constant_bytes = kernel.constant_bytes,
      .local_bytes = kernel.local_bytes,
      .most_threads = static_cast<uint32_t>(kernel.max_threads ? volume(*kernel.max_threads) : 1024),
      .ptx_version = static_cast<uint32_t>(10 * ptx.version_major + ptx.version_minor),
      .reserved = 0};
  std::string payload = bytes_of(function);
  for (const ptx::KernelParameter& parameter : kernel.parameters)
    payload += bytes_of(LanescopeParameter{parameter.offset, parameter.size_bytes});
  const uint64_t handle = next_++;
  kernels_[handle] = {request.a[0], &kernel};
  return done(handle, 0, std::move(payload));
}

Answer DriverProcess::get_global(const LanescopeRequest& request, std::string_view name) const {
  const auto found = modules_.find(request.a[0]);
  if (found == modules_.end()) return failed(Status::InvalidValue, "there is no such module");
  const ModuleVariable* variable = found->second->find_variable(name);
  if (variable == nullptr)
    return failed(Status::NotFound, fmt::format("the module has no variable '{}'", name.substr(0, 500)));
  const Allocation& allocation = memory_.allocation(variable->allocation);
  return done(trace::global_address(variable->allocation, 0), allocation.region.size_bytes, {},
              allocation.descriptor);
}

Answer DriverProcess::add_source(std::string_view payload) {
  const size_t end = payload.find('\0');
  if (end == std::string_view::npos)
    return failed(Status::InvalidValue, "a source is its name, a zero byte and its text");
  sources_.add(std::string(payload.substr(0, end)), std::string(payload.substr(end + 1)));
  return done();
}

Answer DriverProcess::list_launches() {
  // Forget the kept launches: those of the next cell of a notebook are checked and kept again.
  kept_.clear();
  nlohmann::json launches = nlohmann::json::array();
  for (const uint32_t number : std::exchange(unread_, {})) {
    const auto record = run_.log.record(number);
    if (!record) continue;
    launches.push_back(to_json(*record));
    if (!record->file.empty()) launches.back()["path"] = (run_.log.folder() / record->file).string();
  }
  return done(0, 0, launches.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

Answer DriverProcess::note_forwarded(const LanescopeRequest& request, std::string_view payload) {
  LanescopeLaunch shape;
  if (run_.captures == nullptr || payload.size() <= sizeof shape)
    return failed(Status::InvalidValue, "a launch on a GPU is reported by its shape and its kernel's name");
  std::memcpy(&shape, payload.data(), sizeof shape);
  const uint32_t number = run_.log.take_number();
  const std::string entry = sentence_of(payload.substr(sizeof shape));
  const std::string kernel = source_name_of(entry);
  run_.log.add({.number = number,
                .process = process_,
                .program = program_,
                .kernel = kernel,
                .entry = entry,
                .module = request.a[0],
                .grid = extent_of(shape.grid),
                .block = extent_of(shape.block),
                .dynamic_shared_bytes = shape.dynamic_shared_bytes,
                .was_emulated = false});
  if (unread_.size() < kMostUnread) unread_.push_back(number);
  return done(number, run_.captures->takes(kernel) ? 1 : 0);
}

Answer DriverProcess::note_times(std::string_view payload) {
  for (const LanescopeMeasured& one : all_at<LanescopeMeasured>(payload, 0))
    run_.log.change(static_cast<uint32_t>(one.launch), [&](LaunchRecord& record) {
      record.measured_seconds = 1e-9 * static_cast<double>(one.nanoseconds);
    });
  return done();
}

Answer DriverProcess::list_variables(const LanescopeRequest& request) const {
  const auto found = modules_.find(request.a[0]);
  if (found == modules_.end()) return failed(Status::InvalidValue, "there is no such module");
  std::string names;
  for (const ModuleVariable& variable : found->second->variables()) names += variable.name + '\0';
  return done(0, 0, std::move(names));
}

Answer DriverProcess::replay(const LanescopeRequest& request, std::string_view payload) {
  const auto found = kernels_.find(request.a[0]);
  const auto number = static_cast<uint32_t>(request.a[1]);
  LanescopeLaunch shape;
  if (found == kernels_.end() || payload.size() < sizeof shape + found->second.program->parameter_bytes)
    return failed(Status::InvalidValue, "a captured launch is its kernel, shape, parameters and memory");
  std::memcpy(&shape, payload.data(), sizeof shape);
  const ptx::Program& program = *found->second.program;
  const auto captured = all_at<LanescopeCaptured>(payload, sizeof shape + program.parameter_bytes);
  if (const auto valid = check_captured(captured, memory_, after_); !valid) return failed(valid.error());
  const std::vector<Relocation> moved = relocations_of(captured);
  std::string parameters(payload.substr(sizeof shape, program.parameter_bytes));
  relocate(std::as_writable_bytes(std::span(parameters)), moved);
  for (const LanescopeCaptured& one : captured) {
    relocate(bytes_at(memory_, one.address), moved);
    relocate(bytes_at(after_, one.after), moved);
  }
  run_captured(launch_of(shape, *modules_.at(found->second.module), program, parameters), number, captured);
  end_capture();
  return done();
}

/// Runs a captured launch in the emulator, keeps it, and compares the memory with the GPU's result.
void DriverProcess::run_captured(const KernelLaunch& launch, uint32_t number,
                                 const std::vector<LanescopeCaptured>& captured) {
  Treatment treatment{.is_checked = true, .file = {}, .limit_steps = run_.limit_steps, .control = {}};
  if (!run_.log.folder().empty())
    treatment.file = run_.log.folder() / file_name_of(number, launch.program.kernel);
  choose_level(launch, treatment);
  LaunchOutcome outcome =
      run_.turn.take(launch.program.kernel, volume(launch.grid), [&](LaunchControl control) {
        treatment.control = std::move(control);
        return carry_out(launch, memory_, sources_, run_.pool, treatment);
      });
  for (const std::string& name : outcome.sources) run_.log.add_source(name, sources_.text(name));
  if (!outcome.error)
    outcome.record.comparison = compare_captured(launch, captured, memory_, after_, sources_);
  run_.log.change(number, [&](LaunchRecord& record) {
    LaunchRecord& emulated = outcome.record;
    emulated.number = number;
    emulated.process = record.process;
    emulated.module = record.module;
    emulated.measured_seconds = record.measured_seconds;
    record = std::move(emulated);
  });
}

void DriverProcess::end_capture() {
  if (run_.captures == nullptr) return;  // the program's own memory
  repeats_.forget();
  kernels_.clear();
  modules_.clear();
  memory_.clear();
  after_.clear();
}

}  // namespace lanescope::driver
