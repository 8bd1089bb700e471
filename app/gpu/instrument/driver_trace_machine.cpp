#include "gpu/instrument/driver_trace_machine.h"

#include "gpu/kernel_check.h"
#include "gpu/launch_buffers.h"

#include <algorithm>
#include <optional>

namespace lanescope::gpu {
namespace {

class DriverTraceMachine final : public TraceMachine {
 public:
  DriverTraceMachine(const Context& context, const launch::Launch& launch, const ptx::Program& program)
      : context_(context), launch_(launch), entry_(program.kernel), kind_(launch_kind_of(program)) {}

  /// The kernel's own buffers, the driver and other programs need room too.
  uint64_t most_bytes() const override { return context_.device().memory_bytes / 4; }
  uint64_t first_bytes() const override { return std::min<uint64_t>(most_bytes() / 8, uint64_t{256} << 20); }

  Result<uint64_t> reserve(uint64_t bytes) override {
    if (!memory_ || memory_->size_bytes() < bytes) {
      memory_.reset();  // first: there may not be room for both
      TRY(memory_, Buffer::allocate(context_, bytes));
    }
    TRY_VOID(memory_->clear());
    return memory_->address();
  }
  Result<void> write(uint64_t offset, std::span<const std::byte> bytes) override {
    return memory_->upload_part(offset, bytes);
  }
  Result<std::vector<std::byte>> read(uint64_t offset, uint64_t bytes) override {
    if (bytes == 0) return std::vector<std::byte>();
    return memory_->download_part(offset, bytes);
  }

  Result<void> run(const std::string& ptx) override {
    TRY(const Module module, Module::load(context_, ptx, "kernel " + entry_ + " with recorders",
                                          fitting_registers(volume(launch_.block))));
    buffers_.reset();  // first: there may not be room for both
    TRY(buffers_, LaunchBuffers::make(context_, launch_, Filling::Initial));
    TRY_VOID(buffers_->launch(module, entry_, launch_, kind_));
    return context_.synchronize("kernel " + entry_);
  }

  std::vector<uint64_t> buffer_addresses() const override {
    std::vector<uint64_t> addresses;
    for (const Buffer& buffer : buffers_->buffers()) addresses.push_back(buffer.address());
    return addresses;
  }
  Result<std::vector<launch::Contents>> buffers() override { return buffers_->download(); }

 private:
  const Context& context_;
  const launch::Launch& launch_;
  std::string entry_;
  LaunchKind kind_;
  std::optional<LaunchBuffers> buffers_;  // of the latest run
  std::optional<Buffer> memory_;
};

}  // namespace

std::optional<unsigned> fitting_registers(uint64_t threads) {
  constexpr uint64_t kOfMultiprocessor = 65536, kStep = 8, kMost = 255;
  const uint64_t of_lanes = (std::max<uint64_t>(threads, 1) + kLanes - 1) / kLanes * kLanes;
  const uint64_t fitting = kOfMultiprocessor / of_lanes / kStep * kStep;
  if (fitting > kMost || fitting == 0) return {};
  return static_cast<unsigned>(fitting);
}

Result<TracedRun> trace_on_gpu(const Context& context, TraceRequest request) {
  DriverTraceMachine machine(context, request.launch, request.program);
  return trace_kernel(machine, std::move(request));
}

}  // namespace lanescope::gpu
