// Buffer, Module, Event: what lives in a context.

#include "gpu/driver_functions.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace lanescope::gpu {

void FreeInContext::operator()(void* object) const noexcept {
  if (!context->is_abandoned) free(context->driver.functions(), object);
}

Buffer::Buffer(std::shared_ptr<ContextState> context, uint64_t address, uint64_t bytes)
    : context_(std::move(context)), address_(address), bytes_(bytes) {}

Buffer::Buffer(Buffer&& other) noexcept
    : context_(std::move(other.context_)), address_(std::exchange(other.address_, 0)), bytes_(other.bytes_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  release();
  context_ = std::move(other.context_);
  address_ = std::exchange(other.address_, 0);
  bytes_ = other.bytes_;
  return *this;
}

Buffer::~Buffer() { release(); }

void Buffer::release() noexcept {
  if (address_ != 0 && !context_->is_abandoned) context_->driver.functions().memory_free(address_);
  address_ = 0;
}

Result<Buffer> Buffer::allocate(const Context& context, uint64_t bytes) {
  const DriverFunctions& driver = context.state()->driver.functions();
  CUdeviceptr address = 0;
  TRY_VOID(check(driver, "cuMemAlloc", fmt::format("a buffer of {} bytes", bytes),
                 driver.memory_allocate(&address, std::max<uint64_t>(bytes, 1))));
  return Buffer(context.state(), address, bytes);
}

Result<void> Buffer::upload(std::span<const std::byte> bytes) { return upload_part(0, bytes); }

Result<launch::Bytes> Buffer::download() const {
  launch::Bytes all(bytes_);
  TRY_VOID(read(0, all));
  return all;
}

Result<void> Buffer::clear() {
  const DriverFunctions& driver = context_->driver.functions();
  return check(driver, "cuMemsetD8", fmt::format("a buffer of {} bytes", bytes_),
               driver.memory_set(address_, 0, bytes_));
}

Result<void> Buffer::upload_part(uint64_t offset, std::span<const std::byte> bytes) {
  if (offset > bytes_ || bytes.size() > bytes_ - offset)
    return fail(ErrorKind::Internal,
                fmt::format("{} bytes at {} do not fit a GPU buffer of {}", bytes.size(), offset, bytes_));
  const DriverFunctions& driver = context_->driver.functions();
  return check(driver, "cuMemcpyHtoD", fmt::format("a buffer of {} bytes", bytes_),
               driver.copy_to_device(address_ + offset, bytes.data(), bytes.size()));
}

Result<std::vector<std::byte>> Buffer::download_part(uint64_t offset, uint64_t bytes) const {
  if (offset > bytes_ || bytes > bytes_ - offset)
    return fail(ErrorKind::Internal,
                fmt::format("a GPU buffer of {} has no {} bytes at {}", bytes_, bytes, offset));
  std::vector<std::byte> part(bytes);
  TRY_VOID(read(offset, part));
  return part;
}

Result<void> Buffer::read(uint64_t offset, std::span<std::byte> to) const {
  const DriverFunctions& driver = context_->driver.functions();
  return check(driver, "cuMemcpyDtoH", fmt::format("a buffer of {} bytes", bytes_),
               driver.copy_from_device(to.data(), address_ + offset, to.size()));
}

Result<void> Buffer::queue_copy(const Buffer& source) {
  if (source.bytes_ != bytes_)
    return fail(ErrorKind::Internal,
                fmt::format("a GPU buffer of {} bytes cannot be copied to one of {}", source.bytes_, bytes_));
  return queue_copy_from(source.address_);
}

Result<void> Buffer::queue_copy_from(uint64_t address) {
  const DriverFunctions& driver = context_->driver.functions();
  return check(driver, "cuMemcpyDtoDAsync", fmt::format("a buffer of {} bytes", bytes_),
               driver.queue_copy(address_, address, bytes_, nullptr));
}

Result<void> Buffer::queue_copy_to(uint64_t address) const {
  const DriverFunctions& driver = context_->driver.functions();
  return check(driver, "cuMemcpyDtoDAsync", fmt::format("a buffer of {} bytes", bytes_),
               driver.queue_copy(address, address_, bytes_, nullptr));
}

const DriverFunctions& Module::driver() const { return module_.get_deleter().context->driver.functions(); }

Result<Module> Module::load(const Context& context, std::string_view ptx, std::string_view name,
                            std::optional<unsigned> most_registers) {
  const DriverFunctions& driver = context.state()->driver.functions();
  const std::string text(ptx);  // the driver needs a zero at its end
  std::string log(8192, '\0');
  std::vector options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The driver takes numbers in the place of pointers.
  const auto number = [](uintptr_t value) { return reinterpret_cast<void*>(value); };
  std::vector<void*> values{log.data(), number(log.size())};
  if (most_registers) {
    options.push_back(CU_JIT_MAX_REGISTERS);
    values.push_back(number(*most_registers));
  }
  CUmodule handle = nullptr;
  const CUresult status = driver.module_load(&handle, text.c_str(), static_cast<unsigned>(options.size()),
                                             options.data(), values.data());
  if (status != CUDA_SUCCESS) {
    Error error = driver_error(driver, "cuModuleLoadDataEx", name, status);
    log.resize(log.find('\0') == std::string::npos ? log.size() : log.find('\0'));
    if (!log.empty()) error.message += "\n" + log;
    return std::unexpected(std::move(error));
  }
  const auto unload = [](const DriverFunctions& functions, void* module) {
    functions.module_unload(static_cast<CUmodule>(module));
  };
  return Module(ContextObject(handle, {context.state(), unload}));
}

Result<void> Module::launch(const std::string& entry, Dim3 grid, Dim3 block, uint32_t dynamic_shared_bytes,
                            std::span<void*> arguments, LaunchKind kind) const {
  const std::string what = fmt::format("kernel {}", entry);
  CUfunction kernel = nullptr;
  TRY_VOID(check(driver(), "cuModuleGetFunction", what,
                 driver().module_function(&kernel, static_cast<CUmodule>(module_.get()), entry.c_str())));
  // What is above 48 KiB must be allowed first, and what the kernel declares counts too.
  if (dynamic_shared_bytes > 0)
    TRY_VOID(check(driver(), "cuFuncSetAttribute", what,
                   driver().function_set_attribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                   static_cast<int>(dynamic_shared_bytes))));
  if (kind == LaunchKind::Cooperative)
    return check(driver(), "cuLaunchCooperativeKernel", what,
                 driver().launch_cooperative(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                             dynamic_shared_bytes, nullptr, arguments.data()));
  return check(driver(), "cuLaunchKernel", what,
               driver().launch(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                               dynamic_shared_bytes, nullptr, arguments.data(), nullptr));
}

Result<std::optional<Module::Variable>> Module::variable(const std::string& name) const {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  const CUresult status =
      driver().module_variable(&address, &bytes, static_cast<CUmodule>(module_.get()), name.c_str());
  if (status == CUDA_ERROR_NOT_FOUND) return std::optional<Variable>();
  TRY_VOID(check(driver(), "cuModuleGetGlobal", "variable " + name, status));
  return std::optional(Variable{.address = address, .bytes = bytes});
}

const DriverFunctions& Event::driver() const { return event_.get_deleter().context->driver.functions(); }

Result<Event> Event::make(const Context& context) {
  const DriverFunctions& driver = context.state()->driver.functions();
  CUevent handle = nullptr;
  TRY_VOID(check(driver, "cuEventCreate", "a time stamp", driver.event_create(&handle, CU_EVENT_DEFAULT)));
  const auto destroy = [](const DriverFunctions& functions, void* event) {
    functions.event_destroy(static_cast<CUevent>(event));
  };
  return Event(ContextObject(handle, {context.state(), destroy}));
}

Result<void> Event::record() {
  return check(driver(), "cuEventRecord", "a time stamp",
               driver().event_record(static_cast<CUevent>(event_.get()), nullptr));
}

Result<double> Event::seconds_since(const Event& start) const {
  TRY_VOID(check(driver(), "cuEventSynchronize", "the kernel before it",
                 driver().event_synchronize(static_cast<CUevent>(event_.get()))));
  float milliseconds = 0;
  TRY_VOID(check(driver(), "cuEventElapsedTime", "two time stamps",
                 driver().event_elapsed(&milliseconds, static_cast<CUevent>(start.event_.get()),
                                        static_cast<CUevent>(event_.get()))));
  return milliseconds / 1000.0;
}

}  // namespace lanescope::gpu
