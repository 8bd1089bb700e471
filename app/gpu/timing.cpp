#include "gpu/timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

/// Waits so many cycles and does nothing else.
constexpr std::string_view kWaiting = R"(.version 6.4
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
constexpr unsigned kMostSets = 64;
constexpr uint64_t kCacheRounds = 3;  // times the L2 that passes before a set comes again

/// One repetition, queued: `set` is the buffers' turn.
using Work = std::function<Result<void>(unsigned set)>;

Result<Timing> measure(const Context& context, const TimingOptions& options, unsigned sets,
                       std::string_view what, const Work& work) {
  if (options.repetitions == 0)
    return fail(ErrorKind::Usage, "a time needs at least one repetition, 0 were asked for");
  TRY(const Module waiting, Module::load(context, kWaiting, "the waiting kernel"));
  uint64_t cycles = kWaitCycles;
  std::array<void*, 1> argument{&cycles};
  unsigned turn = 0;
  for (unsigned n = 0; n < options.warm_up; ++n) TRY_VOID(work(turn++ % sets));
  TRY_VOID(context.synchronize(what));
  std::vector<Event> begins;
  std::vector<Event> ends;
  for (unsigned n = 0; n < options.repetitions; ++n) {
    TRY(Event begin, Event::make(context));
    TRY(Event end, Event::make(context));
    TRY_VOID(waiting.launch("waiting", {1, 1, 1}, {1, 1, 1}, 0, argument));
    TRY_VOID(begin.record());
    TRY_VOID(work(turn++ % sets));
    TRY_VOID(end.record());
    begins.push_back(std::move(begin));
    ends.push_back(std::move(end));
  }
  TRY_VOID(context.synchronize(what));
  Timing timing;
  for (unsigned n = 0; n < options.repetitions; ++n) {
    TRY(const double seconds, ends[n].seconds_since(begins[n]));
    timing.seconds.push_back(seconds);
  }
  std::ranges::sort(timing.seconds);
  return timing;
}

unsigned sets_of(const Context& context, uint64_t bytes, const TimingOptions& options) {
  return options.l2 == TimingOptions::Cache::Warm ? 1 : rotating_sets(bytes, context.device().l2_bytes);
}

}  // namespace

unsigned rotating_sets(uint64_t bytes, uint64_t l2_bytes) {
  if (bytes == 0) return 1;
  // The set that is next must be out of the cache: so much passes between two turns.
  const uint64_t others = (kCacheRounds * l2_bytes + bytes - 1) / bytes;
  return static_cast<unsigned>(std::min<uint64_t>(others + 1, kMostSets));
}

Result<Timing> time_kernel(const Context& context, const Kernel& kernel, const launch::Launch& launch,
                           const TimingOptions& options) {
  TRY(const Module module, Module::load(context, kernel.ptx, kernel.name));
  uint64_t bytes = 0;
  for (const launch::Buffer& buffer : launch.buffers) bytes += buffer.initial->size();
  const unsigned count = sets_of(context, bytes, options);
  std::vector<LaunchBuffers> sets;
  for (unsigned n = 0; n < count; ++n) {
    TRY(LaunchBuffers set, LaunchBuffers::make(context, launch, options.contents));
    sets.push_back(std::move(set));
  }
  return measure(context, options, count, "kernel " + kernel.entry,
                 [&](unsigned set) { return sets[set].launch(module, kernel.entry, launch); });
}

Result<Timing> time_copy(const Context& context, uint64_t bytes, const TimingOptions& options) {
  const unsigned count = sets_of(context, 2 * bytes, options);
  std::vector<Buffer> from;
  std::vector<Buffer> to;
  for (unsigned n = 0; n < count; ++n) {
    TRY(Buffer source, Buffer::allocate(context, bytes));
    TRY(Buffer target, Buffer::allocate(context, bytes));
    from.push_back(std::move(source));
    to.push_back(std::move(target));
  }
  return measure(context, options, count, fmt::format("a copy of {} bytes", bytes),
                 [&](unsigned set) { return to[set].queue_copy(from[set]); });
}

}  // namespace lanescope::gpu
