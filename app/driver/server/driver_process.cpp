#include "driver/server/driver_process.h"

#include "base/escape.h"
#include "base/source_name.h"
#include "driver/server/captured_launch.h"
#include "driver/server/child_launches.h"
#include "driver/server/device_attributes.h"
#include "driver/server/image.h"
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

constexpr size_t kMostUnread = 10000;

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

Dim3 extent_of(const uint32_t (&numbers)[3]) { return {numbers[0], numbers[1], numbers[2]}; }

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

KernelLaunch launch_of(const LanescopeLaunch& shape, const LoadedModule& module, const ptx::Program& program,
                       std::string_view parameters) {
  const Dim3 cluster = extent_of(shape.cluster);
  return {.module = module,
          .program = program,
          .grid = extent_of(shape.grid),
          .block = extent_of(shape.block),
          .dynamic_shared_bytes = shape.dynamic_shared_bytes,
          .cluster = volume(cluster) > 0 ? std::optional(cluster) : std::nullopt,
          .parameters = std::as_bytes(std::span(parameters)),
          .has_inputs = shape.has_inputs != 0};
}

void note_not_captured(ProgramLog& log, uint32_t number, const std::string& why) {
  const auto record = log.record(number);
  if (record)
    log.add_note(fmt::format("launch {} of {} was not captured: {}", number + 1,
                             without_control_characters(record->kernel), why));
}

}  // namespace

std::string file_name_of(uint32_t number, std::string_view kernel) {
  constexpr size_t kMostOfName = 60;
  std::string name = source_name_of(kernel).substr(0, kMostOfName);
  std::ranges::replace_if(
      name, [](unsigned char c) { return c >= 128 || (std::isalnum(c) == 0 && c != '_'); }, '_');
  return fmt::format("{:04}-{}.lane", number, name);
}

DriverProcess::DriverProcess(ProgramRun& run)
    : run_(run), memory_(run.memory_bytes), after_(run.memory_bytes) {}
DriverProcess::~DriverProcess() = default;

Answer DriverProcess::answer(const LanescopeRequest& request, std::string_view payload) {
  switch (request.kind) {
    case kLanescopeHello:
      return greet(request);
    case kLanescopeAllocate:
      return allocate(request);
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

Answer DriverProcess::greet(const LanescopeRequest& request) {
  if (request.a[0] != kLanescopeProtocol)
    return failed(
        Status::NotSupported,
        fmt::format("the program's libcuda speaks version {} of the messages, lanescope version {}; "
                    "use those of one build",
                    request.a[0], static_cast<int>(kLanescopeProtocol)));
  process_ = static_cast<int>(request.a[1]);
  LanescopeDevice device = device_attributes(run_.device);
  device.count = run_.devices;
  return done(static_cast<uint64_t>(run_.device.compute_capability), run_.memory_bytes / run_.devices,
              bytes_of(device));
}

Answer DriverProcess::allocate(const LanescopeRequest& request) {
  const auto visibility = request.a[1] == kLanescopeSharedMemory ? Visibility::Shared : Visibility::Device;
  DeviceMemory& memory = request.a[1] == kLanescopeCapturedAfter ? after_ : memory_;
  // No pattern for copies of the GPU's memory: a copy fills the whole allocation.
  const bool is_uninitialized = request.a[1] == kLanescopeDeviceMemory && run_.captures == nullptr;
  const auto number =
      memory.allocate(request.a[0], visibility, is_uninitialized ? Contents::Uninitialized : Contents::Zeros);
  if (!number) {
    const bool is_full = number.error().kind == ErrorKind::Limit;
    return failed(is_full ? Status::OutOfMemory : Status::InvalidValue, number.error().message);
  }
  return done(trace::global_address(*number, 0), 0, {}, memory.allocation(*number).descriptor);
}

Answer DriverProcess::free(const LanescopeRequest& request) {
  const auto is_freed = [&](const ModuleVariable& variable) {
    return trace::global_address(variable.allocation, 0) == request.a[0];
  };
  for (const auto& [handle, module] : modules_)
    if (std::ranges::any_of(module->variables(), is_freed))
      return failed(Status::InvalidValue, "a variable of a module is to be freed; unload the module");
  const auto freed = memory_.free(request.a[0]);
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
  prepare_child_launches(**module, memory_);
  const uint64_t handle = next_++;
  modules_[handle] = *std::move(module);
  return done(handle);
}

Answer DriverProcess::unload(const LanescopeRequest& request) {
  const auto found = modules_.find(request.a[0]);
  if (found == modules_.end()) return failed(Status::InvalidValue, "there is no such module to unload");
  found->second->unload(memory_);
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

/// True if this launch is checked and its accesses are kept. With KeptLaunches::First, these are the first
/// launches of each kernel and shape whose parameters differ.
bool DriverProcess::takes(const KernelLaunch& launch, uint64_t module) {
  if (run_.keeps != KeptLaunches::First) return run_.keeps == KeptLaunches::All;
  constexpr size_t kMostOfAShape = 4;
  const Dim3 grid = launch.grid, block = launch.block;
  auto& kept = kept_[fmt::format("{} {} {},{},{} {},{},{} {}", module, launch.program.kernel, grid.x, grid.y,
                                 grid.z, block.x, block.y, block.z, launch.dynamic_shared_bytes)];
  if (kept.size() >= kMostOfAShape) return false;
  return kept.emplace(reinterpret_cast<const char*>(launch.parameters.data()), launch.parameters.size())
      .second;
}

Answer DriverProcess::launch(const LanescopeRequest& request, std::string_view payload) {
  const auto found = kernels_.find(request.a[0]);
  if (found == kernels_.end()) return failed(Status::InvalidValue, "there is no such kernel to launch");
  const ptx::Program& program = *found->second.program;
  LanescopeLaunch shape;
  if (payload.size() != sizeof shape + program.parameter_bytes)
    return failed(
        Status::InvalidValue,
        fmt::format("the kernel takes {} bytes of parameters, {} bytes came", program.parameter_bytes,
                    static_cast<int64_t>(payload.size()) - static_cast<int64_t>(sizeof shape)));
  std::memcpy(&shape, payload.data(), sizeof shape);
  LoadedModule& module = *modules_.at(found->second.module);
  Answer answer = run(launch_of(shape, module, program, payload.substr(sizeof shape)), found->second.module);
  run_children(module, found->second.module, answer);
  return answer;
}

void DriverProcess::fail_children(const Error& error, Answer& answer) {
  run_.log.add_note(describe(error));
  append(answer, failed(Status::LaunchFailed, describe(error)));
}

/// Runs what the kernels of a module have launched, and what that launches, and adds it to the answer: each
/// launch after the one that asked for it, and a tail launch after all others of its kernel.
void DriverProcess::run_children(LoadedModule& module, uint64_t handle, Answer& answer) {
  std::vector<ChildLaunch> waiting;  // the last runs next
  for (;;) {
    auto children = take_child_launches(module, memory_);
    if (answer.reply.result != 0) return;
    if (!children) return fail_children(children.error(), answer);
    std::ranges::stable_partition(*children, [](const ChildLaunch& child) { return !child.is_tail; });
    waiting.insert(waiting.end(), std::make_move_iterator(children->rbegin()),
                   std::make_move_iterator(children->rend()));
    if (waiting.empty()) return;
    const ChildLaunch child = std::move(waiting.back());
    waiting.pop_back();
    const auto program = module.program(child.kernel, sources_);
    if (!program) return fail_children(program.error(), answer);
    append(answer, run({.module = module,
                        .program = **program,
                        .grid = child.grid,
                        .block = child.block,
                        .dynamic_shared_bytes = child.dynamic_shared_bytes,
                        .cluster = std::nullopt,
                        .parameters = child.parameters},
                       handle));
  }
}

Answer DriverProcess::run(const KernelLaunch& launch, uint64_t module) {
  const ptx::Program& program = launch.program;
  const uint32_t number = run_.log.take_number();
  const bool is_asked_for = run_.also_keeps == number;
  Treatment treatment{.is_checked = takes(launch, module) || is_asked_for,
                      .file = {},
                      .accesses = run_.accesses,
                      .most_input_bytes = run_.most_input_bytes - input_bytes_,
                      .limit_steps = run_.limit_steps,
                      .stop = {}};
  if (treatment.is_checked && !run_.log.folder().empty())
    treatment.file = run_.log.folder() / file_name_of(number, program.kernel);
  return run_.turn.take(program.kernel, [&](std::stop_token stop) {
    treatment.stop = std::move(stop);
    return note(carry_out(launch, memory_, sources_, run_.pool, treatment), number);
  });
}

Answer DriverProcess::note(LaunchOutcome outcome, uint32_t number) {
  outcome.record.number = number;
  outcome.record.process = process_;
  input_bytes_ += outcome.input_bytes;
  const auto microseconds = static_cast<uint64_t>(1e6 * outcome.record.seconds);
  Answer answer = done(microseconds, outcome.printed.size(), outcome.printed);
  if (outcome.error) {
    const Status status = outcome.stopped_by ? status_of(*outcome.stopped_by) : status_of(*outcome.error);
    answer.reply.result = static_cast<int32_t>(status);
    answer.payload +=
        without_control_characters(fmt::format("kernel {}: {}", outcome.record.kernel, outcome.record.error));
  } else {
    answer.payload.append(reinterpret_cast<const char*>(outcome.written.data()),
                          outcome.written.size() * sizeof(LanescopeWritten));
  }
  for (const std::string& name : outcome.sources) run_.log.add_source(name, sources_.text(name));
  if (unread_.size() < kMostUnread) unread_.push_back(number);
  run_.log.add(std::move(outcome.record));
  return answer;
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
  Treatment treatment{.is_checked = true, .file = {}, .limit_steps = run_.limit_steps, .stop = {}};
  if (!run_.log.folder().empty())
    treatment.file = run_.log.folder() / file_name_of(number, launch.program.kernel);
  LaunchOutcome outcome = run_.turn.take(launch.program.kernel, [&](std::stop_token stop) {
    treatment.stop = std::move(stop);
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
  kernels_.clear();
  modules_.clear();
  memory_.clear();
  after_.clear();
}

}  // namespace lanescope::driver
