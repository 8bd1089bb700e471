#include "gpu/timing.h"

#include "gpu/kernel_check.h"
#include "gpu/l2_flush.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

/// Runs before each repetition: waits so many cycles and does nothing else.
constexpr std::string_view kBetween = R"(.version 6.4
.target sm_75
.address_size 64
.visible .entry waiting(.param .u64 cycles) {
  .reg .pred %enough; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [cycles]; mov.u64 %rd2, %clock64;
AGAIN:
  mov.u64 %rd3, %clock64; sub.u64 %rd4, %rd3, %rd2; setp.ge.u64 %enough, %rd4, %rd1; @!%enough bra AGAIN;
  ret;
})";

constexpr uint64_t kWaitCycles =
    100'000;  // some 50 us: longer than the host takes to queue a launch and two events

/// Queued; does not wait.
using Work = std::function<Result<void>()>;

/// Puts the L2 into the state that is asked for.
class Caches {
 public:
  static Result<Caches> make(const Context& context, const TimingOptions& options) {
    Caches caches;
    if (options.l2 == TimingOptions::Cache::Cold) {
      TRY(caches.flush_, L2Flush::make(context));
    } else if (options.contents == Filling::Initial) {
      TRY(caches.reads_, SectorReads::make(context));
    }
    return caches;
  }

  Result<void> prepare(const std::vector<Buffer>& buffers) const {
    if (flush_) return flush_->queue();
    for (const Buffer& buffer : buffers)
      if (reads_) TRY_VOID(reads_->queue(buffer));
    return {};
  }

 private:
  std::optional<L2Flush> flush_;      // for a cold L2
  std::optional<SectorReads> reads_;  // for a warm one
};

/// `before` is queued before each repetition, outside of the span that is timed; `work` is that span.
Result<Timing> measure(const Context& context, const Module& between, const TimingOptions& options,
                       std::string_view what, const Work& before, const Work& work) {
  if (options.repetitions == 0)
    return fail(ErrorKind::Usage, "a time needs at least one repetition, 0 were asked for");
  uint64_t cycles = kWaitCycles;
  std::array<void*, 1> argument{&cycles};
  for (unsigned n = 0; n < options.warm_up; ++n) {
    TRY_VOID(before());
    TRY_VOID(work());
    TRY_VOID(context.synchronize(what));  // each: the limit is of one launch
  }
  Timing timing;
  for (unsigned n = 0; n < options.repetitions; ++n) {
    TRY(Event begin, Event::make(context));
    TRY(Event end, Event::make(context));
    TRY_VOID(before());
    TRY_VOID(between.launch("waiting", {1, 1, 1}, {1, 1, 1}, 0, argument));
    TRY_VOID(begin.record());
    TRY_VOID(work());
    TRY_VOID(end.record());
    TRY_VOID(context.synchronize(what));  // each: nothing else is queued while the kernel runs
    TRY(const double seconds, end.seconds_since(begin));
    timing.seconds.push_back(seconds);
  }
  std::ranges::sort(timing.seconds);
  return timing;
}

Result<Module> load_between(const Context& context) {
  return Module::load(context, kBetween, "the kernels between the repetitions");
}

}  // namespace

Result<Timing> time_kernel(const Context& context, const Kernel& kernel, const launch::Launch& launch,
                           const TimingOptions& options) {
  TRY(const CheckedKernel checked, check_kernel(kernel, launch));
  TRY(const Module module, Module::load(context, kernel.ptx, kernel.name, kernel.most_registers));
  TRY(const Module between, load_between(context));
  TRY(LaunchBuffers buffers, LaunchBuffers::make(context, launch, options.contents));
  TRY(Caches caches, Caches::make(context, options));
  // Last, since it makes do with the room that is left.
  if (options.contents == Filling::Initial) TRY_VOID(buffers.keep(context, module, checked.variables));
  const auto before = [&]() -> Result<void> {
    TRY_VOID(buffers.restore());
    return caches.prepare(buffers.buffers());
  };
  return measure(context, between, options, "kernel " + kernel.entry, before,
                 [&] { return buffers.launch(module, kernel.entry, launch, checked.kind); });
}

Result<Timing> time_copy(const Context& context, uint64_t bytes, const TimingOptions& options) {
  const uint64_t copied = copied_bytes(bytes, context.device().memory_bytes);
  TRY(const Module between, load_between(context));
  std::vector<Buffer> buffers;
  for (int n = 0; n < 2; ++n) {
    TRY(Buffer buffer, Buffer::allocate(context, copied));
    buffers.push_back(std::move(buffer));
  }
  TRY(Caches caches, Caches::make(context, options));
  TRY(Timing timing,
      measure(
          context, between, options, fmt::format("a copy of {} bytes", copied),
          [&] { return caches.prepare(buffers); }, [&] { return buffers[1].queue_copy(buffers[0]); }));
  for (double& seconds : timing.seconds)
    seconds *= static_cast<double>(bytes) / static_cast<double>(std::max<uint64_t>(copied, 1));
  return timing;
}

uint64_t copied_bytes(uint64_t bytes, uint64_t memory_bytes) { return std::min(bytes, memory_bytes / 4); }

}  // namespace lanescope::gpu
