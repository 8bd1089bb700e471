#include "gpu/driver.h"

#include "gpu/driver_functions.h"

#include <algorithm>
#include <array>
#include <thread>

#include <dlfcn.h>
#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

template <class Function>
bool load(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  return function != nullptr;
}

// The name that cuda.h's own macros make of a function.
#define LANESCOPE_TEXT_OF(name) #name
#define LANESCOPE_NAME_OF(function) LANESCOPE_TEXT_OF(function)

/// The name of the first function that the library lacks; null when all are there.
const char* load_all(DriverFunctions& f) {
  const char* missing = nullptr;
  const auto get = [&](const char* name, auto& function) {
    if (!load(f.handle, name, function) && missing == nullptr) missing = name;
  };
  get(LANESCOPE_NAME_OF(cuInit), f.init);
  get(LANESCOPE_NAME_OF(cuDriverGetVersion), f.version);
  get(LANESCOPE_NAME_OF(cuGetErrorName), f.error_name);
  get(LANESCOPE_NAME_OF(cuGetErrorString), f.error_string);
  get(LANESCOPE_NAME_OF(cuDeviceGetCount), f.device_count);
  get(LANESCOPE_NAME_OF(cuDeviceGet), f.device_get);
  get(LANESCOPE_NAME_OF(cuDeviceGetName), f.device_name);
  get(LANESCOPE_NAME_OF(cuDeviceGetAttribute), f.device_attribute);
  get(LANESCOPE_NAME_OF(cuDeviceTotalMem), f.device_memory);
  get(LANESCOPE_NAME_OF(cuDevicePrimaryCtxRetain), f.context_retain);
  get(LANESCOPE_NAME_OF(cuDevicePrimaryCtxRelease), f.context_release);
  get(LANESCOPE_NAME_OF(cuCtxSetCurrent), f.context_set_current);
  get(LANESCOPE_NAME_OF(cuCtxSynchronize), f.synchronize);
  get(LANESCOPE_NAME_OF(cuStreamQuery), f.stream_query);
  get(LANESCOPE_NAME_OF(cuMemAlloc), f.memory_allocate);
  get(LANESCOPE_NAME_OF(cuMemFree), f.memory_free);
  get(LANESCOPE_NAME_OF(cuMemsetD8), f.memory_set);
  get(LANESCOPE_NAME_OF(cuMemcpyHtoD), f.copy_to_device);
  get(LANESCOPE_NAME_OF(cuMemcpyDtoH), f.copy_from_device);
  get(LANESCOPE_NAME_OF(cuMemcpyDtoDAsync), f.queue_copy);
  get(LANESCOPE_NAME_OF(cuArray3DCreate), f.array_create);
  get(LANESCOPE_NAME_OF(cuArrayDestroy), f.array_destroy);
  get(LANESCOPE_NAME_OF(cuMemcpy3DAsync), f.queue_copy_3d);
  get(LANESCOPE_NAME_OF(cuTexObjectCreate), f.texture_create);
  get(LANESCOPE_NAME_OF(cuTexObjectDestroy), f.texture_destroy);
  get(LANESCOPE_NAME_OF(cuSurfObjectCreate), f.surface_create);
  get(LANESCOPE_NAME_OF(cuSurfObjectDestroy), f.surface_destroy);
  get(LANESCOPE_NAME_OF(cuModuleLoadDataEx), f.module_load);
  get(LANESCOPE_NAME_OF(cuModuleUnload), f.module_unload);
  get(LANESCOPE_NAME_OF(cuModuleGetFunction), f.module_function);
  get(LANESCOPE_NAME_OF(cuModuleGetGlobal), f.module_variable);
  get(LANESCOPE_NAME_OF(cuFuncSetAttribute), f.function_set_attribute);
  get(LANESCOPE_NAME_OF(cuLaunchKernel), f.launch);
  get(LANESCOPE_NAME_OF(cuLaunchCooperativeKernel), f.launch_cooperative);
  get(LANESCOPE_NAME_OF(cuEventCreate), f.event_create);
  get(LANESCOPE_NAME_OF(cuEventDestroy), f.event_destroy);
  get(LANESCOPE_NAME_OF(cuEventRecord), f.event_record);
  get(LANESCOPE_NAME_OF(cuEventSynchronize), f.event_synchronize);
  get("cuEventElapsedTime", f.event_elapsed);  // the first form: older drivers lack the second
  return missing;
}

#undef LANESCOPE_NAME_OF
#undef LANESCOPE_TEXT_OF

Result<Device> describe_device(const DriverFunctions& driver, CUdevice handle) {
  Device device;
  std::array<char, 256> name{};
  TRY_VOID(check(driver, "cuDeviceGetName", "the GPU",
                 driver.device_name(name.data(), static_cast<int>(name.size()) - 1, handle)));
  device.name = name.data();
  const auto attribute = [&](CUdevice_attribute which, int& value) {
    return check(driver, "cuDeviceGetAttribute", device.name, driver.device_attribute(&value, which, handle));
  };
  TRY_VOID(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device.major));
  TRY_VOID(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device.minor));
  TRY_VOID(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device.multiprocessors));
  int l2_bytes = 0;
  TRY_VOID(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, l2_bytes));
  device.l2_bytes = static_cast<uint64_t>(l2_bytes);
  size_t bytes = 0;
  TRY_VOID(check(driver, "cuDeviceTotalMem", device.name, driver.device_memory(&bytes, handle)));
  device.memory_bytes = bytes;
  return device;
}

Result<std::shared_ptr<ContextState>> make_state(const Driver& driver, CUdevice handle) {
  const DriverFunctions& functions = driver.functions();
  auto state = std::make_shared<ContextState>(driver, handle);
  TRY(state->device, describe_device(functions, handle));
  TRY_VOID(check(functions, "cuDevicePrimaryCtxRetain", state->device.name,
                 functions.context_retain(&state->context, handle)));
  TRY_VOID(
      check(functions, "cuCtxSetCurrent", state->device.name, functions.context_set_current(state->context)));
  return state;
}

/// Whether all work of the GPU ends in that time. Polls, since the driver's own wait has no limit.
bool ends_within(const DriverFunctions& functions, std::chrono::seconds most) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kLongest{5000};
  const Clock::time_point end = Clock::now() + most;
  std::chrono::microseconds pause{20};
  while (functions.stream_query(nullptr) == CUDA_ERROR_NOT_READY) {
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongest);
  }
  return true;
}

}  // namespace

DriverFunctions::~DriverFunctions() {
  if (handle != nullptr) dlclose(handle);
}

ContextState::~ContextState() {
  if (context != nullptr && !is_abandoned) driver.functions().context_release(handle);
}

Driver::Driver(std::shared_ptr<const DriverFunctions> functions) : functions_(std::move(functions)) {}

Result<Driver> Driver::open(const std::string& library) {
  auto functions = std::make_shared<DriverFunctions>();
  functions->handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (functions->handle == nullptr)
    return fail(
        ErrorKind::Unsupported,
        fmt::format("an NVIDIA driver was expected and {} was not found; install the driver, or run in "
                    "the emulator, which needs none",
                    library));
  if (const char* missing = load_all(*functions))
    return fail(ErrorKind::Unsupported,
                fmt::format("the NVIDIA driver ({}) has no {}; install a driver for CUDA 12 or newer",
                            library, missing));
  TRY_VOID(check(*functions, "cuInit", "the driver", functions->init(0)));
  return Driver(std::move(functions));
}

int Driver::version() const {
  int number = 0;
  functions_->version(&number);
  return number;
}

Context::Context(std::shared_ptr<ContextState> state) : state_(std::move(state)) {}

Result<Context> Context::make(const Driver& driver, int ordinal) {
  const DriverFunctions& functions = driver.functions();
  int count = 0;
  TRY_VOID(check(functions, "cuDeviceGetCount", "the driver", functions.device_count(&count)));
  if (ordinal < 0 || ordinal >= count)
    return fail(ErrorKind::Usage,
                fmt::format("GPU {} was asked for and the driver shows {}; they are counted from 0, and "
                            "CUDA_VISIBLE_DEVICES hides the rest",
                            ordinal, count));
  CUdevice handle = 0;
  TRY_VOID(check(functions, "cuDeviceGet", "the driver", functions.device_get(&handle, ordinal)));
  TRY(auto state, make_state(driver, handle));
  return Context(std::move(state));
}

const Device& Context::device() const { return state_->device; }

void Context::limit_waiting(std::chrono::seconds most) { state_->most_waiting = most; }

Result<void> Context::synchronize(std::string_view what) const {
  const DriverFunctions& functions = state_->driver.functions();
  if (state_->most_waiting.count() != 0 && !ends_within(functions, state_->most_waiting)) {
    state_->is_abandoned = true;
    return fail(
        ErrorKind::Limit,
        fmt::format("{} did not end within {} s on the GPU and was stopped; raise --limit-seconds, or "
                    "run it in the emulator, which tells where threads wait",
                    what, state_->most_waiting.count()));
  }
  return check(functions, "cuCtxSynchronize", what, functions.synchronize());
}

}  // namespace lanescope::gpu
