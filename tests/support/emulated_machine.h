// A machine for gpu::trace_kernel that is no GPU: the instrumented PTX runs in the emulator, so that
// recorders are tested where there is none. The recording memory is one more buffer after those of the
// launch.

#pragma once

#include "emulator/run.h"
#include "gpu/instrument/kernel_tracer.h"
#include "ptx/lower.h"
#include "trace/sink.h"

#include <cstring>
#include <utility>

namespace lanescope::tests {

class NoSink final : public trace::Sink {
 public:
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess&) override {}
};

class EmulatedMachine final : public gpu::TraceMachine {
 public:
  EmulatedMachine(const launch::Launch& launch, std::string entry, emulator::Pool& pool,
                  uint64_t first_bytes = 1 << 19)
      : launch_(launch), entry_(std::move(entry)), pool_(pool), first_bytes_(first_bytes) {}

  uint64_t most_bytes() const override { return uint64_t{256} << 20; }
  uint64_t first_bytes() const override { return first_bytes_; }
  Result<uint64_t> reserve(uint64_t bytes) override {
    memory_ = std::make_shared<launch::Bytes>(bytes);
    return trace::global_address(static_cast<uint32_t>(launch_.buffers.size()), 0);
  }
  Result<void> write(uint64_t offset, std::span<const std::byte> bytes) override {
    std::ranges::copy(bytes, memory_->begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
  }
  Result<std::vector<std::byte>> read(uint64_t offset, uint64_t bytes) override {
    const auto begin = memory_->begin() + static_cast<std::ptrdiff_t>(offset);
    return std::vector<std::byte>(begin, begin + static_cast<std::ptrdiff_t>(bytes));
  }
  Result<void> run(const std::string& ptx) override {
    ++runs;
    TRY(const ptx::Module module, ptx::parse(ptx, "instrumented.ptx"));
    TRY(const ptx::Program program, ptx::lower(module, entry_));
    launch::Launch with_memory = launch_;
    with_memory.buffers.push_back({.name = "recording",
                                   .type = launch::ElementType::U8,
                                   .shape = {memory_->size()},
                                   .initial = memory_});
    TRY(outcome_, emulator::run(program, with_memory, [&](unsigned) -> trace::Sink& { return sink_; },
                                {.pool = &pool_}));
    // If no parameter may lead to that buffer, the emulator makes no copy of it: the kernel wrote to memory_.
    memory_ = std::make_shared<launch::Bytes>(*outcome_.buffers.back());
    if (!outcome_.hazards.empty()) return fail(ErrorKind::Hazard, outcome_.hazards[0].message);
    return {};
  }
  std::vector<uint64_t> buffer_addresses() const override {
    std::vector<uint64_t> addresses;
    for (uint32_t n = 0; n < launch_.buffers.size(); ++n) addresses.push_back(trace::global_address(n, 0));
    return addresses;
  }
  Result<std::vector<launch::Contents>> buffers() override {
    auto buffers = outcome_.buffers;
    buffers.resize(launch_.buffers.size());
    return buffers;
  }

  int runs = 0;

 private:
  const launch::Launch& launch_;
  std::string entry_;
  emulator::Pool& pool_;
  uint64_t first_bytes_;
  std::shared_ptr<launch::Bytes> memory_;
  NoSink sink_;
  emulator::Outcome outcome_;
};

}  // namespace lanescope::tests
