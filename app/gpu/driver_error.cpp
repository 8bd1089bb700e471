// What a status of the driver means to a person.

#include "gpu/driver_functions.h"

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

struct Meaning {
  ErrorKind kind;
  const char* advice;
};

constexpr const char* kFaulted =
    "the kernel did something that the GPU does not allow, and this process can no longer use the GPU; run "
    "it in the emulator (--producer emulator), which names line, block and thread";

Meaning meaning_of(CUresult status) {
  // Other errors are described by the driver.
  switch (static_cast<int>(status)) {
    case CUDA_ERROR_NO_DEVICE:
      return {ErrorKind::Unsupported,
              "no GPU is visible; look at nvidia-smi and CUDA_VISIBLE_DEVICES, or run in the emulator"};
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    case CUDA_ERROR_STUB_LIBRARY:
      return {ErrorKind::Unsupported,
              "the driver's library does not belong to the driver that is loaded; reboot, or reinstall it"};
    case CUDA_ERROR_OUT_OF_MEMORY:
      return {ErrorKind::Limit,
              "the GPU's memory is full; use smaller buffers, or end other programs that use the GPU"};
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return {ErrorKind::Unsupported,
              "the PTX is newer than the driver; install a newer driver, or compile with an older NVRTC "
              "(LANESCOPE_NVRTC)"};
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_INVALID_IMAGE:
      return {ErrorKind::Compile,
              "the driver's compiler refuses the PTX for this GPU; compile for its architecture with --arch"};
    case CUDA_ERROR_NOT_FOUND:
      return {ErrorKind::Launch, "there is no kernel of that name in the PTX; choose one with --kernel"};
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
      return {ErrorKind::Launch,
              "the launch asks for more than this GPU has; use a smaller block or less shared memory"};
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
      return {ErrorKind::Launch,
              "blocks that wait for each other must all fit the GPU at once, and recorders take room; use a "
              "smaller grid, or run it in the emulator"};
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return {ErrorKind::Limit, "the kernel ran longer than the GPU's watchdog allows; use a smaller grid"};
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ASSERT:
      return {ErrorKind::Memory, kFaulted};
    default:
      return {ErrorKind::Internal, "look at nvidia-smi, and run in the emulator meanwhile"};
  }
}

}  // namespace

Error driver_error(const DriverFunctions& driver, std::string_view call, std::string_view what,
                   CUresult status) {
  const char* name = nullptr;
  const char* words = nullptr;
  driver.error_name(status, &name);
  driver.error_string(status, &words);
  const Meaning meaning = meaning_of(status);
  return {
      meaning.kind,
      fmt::format("{} failed for {}: {} ({}); {}", call, what, name == nullptr ? "an unknown status" : name,
                  words == nullptr ? fmt::to_string(static_cast<int>(status)) : words, meaning.advice)};
}

Result<void> check(const DriverFunctions& driver, std::string_view call, std::string_view what,
                   CUresult status) {
  if (status == CUDA_SUCCESS) return {};
  return std::unexpected(driver_error(driver, call, what, status));
}

}  // namespace lanescope::gpu
