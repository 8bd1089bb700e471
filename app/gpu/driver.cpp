#include "gpu/driver.h"

#include "base/library_functions.h"
#include "gpu/driver_functions.h"

#include <algorithm>
#include <array>
#include <thread>

#include <dlfcn.h>
#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

// The name that cuda.h's own macros make of a function.
#define LANESCOPE_TEXT_OF(name) #name
#define LANESCOPE_NAME_OF(function) LANESCOPE_TEXT_OF(function)

/// The name of the first function that the library lacks; null when all are there.
const char* load_all(DriverFunctions& f) {
  LibraryFunctions library(f.handle);
  library.get(LANESCOPE_NAME_OF(cuInit), f.init);
  library.get(LANESCOPE_NAME_OF(cuDriverGetVersion), f.version);
  library.get(LANESCOPE_NAME_OF(cuGetErrorName), f.error_name);
  library.get(LANESCOPE_NAME_OF(cuGetErrorString), f.error_string);
  library.get(LANESCOPE_NAME_OF(cuDeviceGetCount), f.device_count);
  library.get(LANESCOPE_NAME_OF(cuDeviceGet), f.device_get);
  library.get(LANESCOPE_NAME_OF(cuDeviceGetName), f.device_name);
  library.get(LANESCOPE_NAME_OF(cuDeviceGetAttribute), f.device_attribute);
  library.get(LANESCOPE_NAME_OF(cuDeviceTotalMem), f.device_memory);
  library.get(LANESCOPE_NAME_OF(cuDevicePrimaryCtxRetain), f.context_retain);
  library.get(LANESCOPE_NAME_OF(cuDevicePrimaryCtxRelease), f.context_release);
  library.get(LANESCOPE_NAME_OF(cuCtxSetCurrent), f.context_set_current);
  library.get(LANESCOPE_NAME_OF(cuCtxSynchronize), f.synchronize);
  library.get(LANESCOPE_NAME_OF(cuStreamQuery), f.stream_query);
  library.get(LANESCOPE_NAME_OF(cuMemAlloc), f.memory_allocate);
  library.get(LANESCOPE_NAME_OF(cuMemFree), f.memory_free);
  library.get(LANESCOPE_NAME_OF(cuMemsetD8), f.memory_set);
  library.get(LANESCOPE_NAME_OF(cuMemcpyHtoD), f.copy_to_device);
  library.get(LANESCOPE_NAME_OF(cuMemcpyDtoH), f.copy_from_device);
  library.get(LANESCOPE_NAME_OF(cuMemcpyDtoDAsync), f.queue_copy);
  library.get(LANESCOPE_NAME_OF(cuArray3DCreate), f.array_create);
  library.get(LANESCOPE_NAME_OF(cuArrayDestroy), f.array_destroy);
  library.get(LANESCOPE_NAME_OF(cuMemcpy3DAsync), f.queue_copy_3d);
  library.get(LANESCOPE_NAME_OF(cuTexObjectCreate), f.texture_create);
  library.get(LANESCOPE_NAME_OF(cuTexObjectDestroy), f.texture_destroy);
  library.get(LANESCOPE_NAME_OF(cuSurfObjectCreate), f.surface_create);
  library.get(LANESCOPE_NAME_OF(cuSurfObjectDestroy), f.surface_destroy);
  library.get(LANESCOPE_NAME_OF(cuModuleLoadDataEx), f.module_load);
  library.get(LANESCOPE_NAME_OF(cuModuleUnload), f.module_unload);
  library.get(LANESCOPE_NAME_OF(cuModuleGetFunction), f.module_function);
  library.get(LANESCOPE_NAME_OF(cuModuleGetGlobal), f.module_variable);
  library.get(LANESCOPE_NAME_OF(cuFuncSetAttribute), f.function_set_attribute);
  library.get(LANESCOPE_NAME_OF(cuLaunchKernel), f.launch);
  library.get(LANESCOPE_NAME_OF(cuLaunchCooperativeKernel), f.launch_cooperative);
  library.get(LANESCOPE_NAME_OF(cuEventCreate), f.event_create);
  library.get(LANESCOPE_NAME_OF(cuEventDestroy), f.event_destroy);
  library.get(LANESCOPE_NAME_OF(cuEventRecord), f.event_record);
  library.get(LANESCOPE_NAME_OF(cuEventSynchronize), f.event_synchronize);
  library.get("cuEventElapsedTime", f.event_elapsed);  // the first form: older drivers lack the second
  return library.missing();
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
