// How fast the emulator runs kernels: lane-instructions per second, and lane-accesses per second where the
// run is traced. Arguments: threads. The kernels are the lessons' own, on n x n floats; `sum` is arithmetic
// alone, and the rest take the slow paths: benchmark/slow_path_kernels.h.

#include "emulator/run.h"
#include "lesson_cases.h"
#include "model/cost.h"
#include "slow_path_kernels.h"

#include <numeric>
#include <span>

#include <benchmark/benchmark.h>

namespace lanescope {
namespace {

using benchmarks::Case;
using benchmarks::copy;
using benchmarks::naive;
using benchmarks::or_stop;
using benchmarks::padded;
using benchmarks::tiled;

constexpr std::string_view kSum = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry sum(.param .u64 out) {
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f1, %r1; mov.f32 %f2, 0f3F000000; mov.u32 %r2, 0;
LOOP:
  fma.rn.f32 %f2, %f2, %f1, %f1; mad.lo.u32 %r3, %r1, %r2, %r1; xor.b32 %r4, %r3, %r1; add.f32 %f1, %f1, %f2;
  mul.f32 %f3, %f1, 0f3F000000; shl.b32 %r5, %r4, 3; add.u32 %r1, %r1, %r5; min.f32 %f2, %f3, %f2;
  add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 1000; @%p1 bra LOOP;
  add.f32 %f1, %f1, %f2; mov.u32 %r6, %tid.x; mul.wide.u32 %rd2, %r6, 4; add.u64 %rd1, %rd1, %rd2;
  st.global.f32 [%rd1], %f1; ret;
})";

/// A sink that discards all accesses.
class NoSink final : public trace::Sink {
 public:
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess&) override {}
};

/// A kernel of one buffer, in 64 blocks of 256 threads.
Case from_text(std::string_view text, std::string_view kernel) {
  const ptx::Module module = or_stop(ptx::parse(text, "benchmark.ptx"));
  Case made{or_stop(ptx::lower(module, kernel)), {}};
  made.launch.grid = {64, 1, 1};
  made.launch.block = {256, 1, 1};
  made.launch.arguments = {launch::BufferArgument{0}};
  std::vector<uint32_t> words(65536);
  std::iota(words.begin(), words.end(), 0u);
  const auto bytes = std::as_bytes(std::span(words));
  made.launch.buffers = {{"out",
                          launch::ElementType::U32,
                          {words.size()},
                          std::make_shared<const launch::Bytes>(bytes.begin(), bytes.end())}};
  return made;
}

void report(benchmark::State& state, uint64_t lane_instructions, uint64_t lane_accesses) {
  using benchmark::Counter;
  const auto runs = static_cast<double>(state.iterations());
  state.counters["lane_instructions"] =
      Counter(static_cast<double>(lane_instructions) * runs, Counter::kIsRate);
  if (lane_accesses != 0)
    state.counters["lane_accesses"] = Counter(static_cast<double>(lane_accesses) * runs, Counter::kIsRate);
}

void run_only(benchmark::State& state, const Case& what) {
  emulator::Pool pool(static_cast<unsigned>(state.range(0)));
  std::vector<NoSink> sinks(pool.size());
  uint64_t lanes = 0;
  for (auto _ : state)
    lanes = or_stop(emulator::run(what.program, what.launch,
                                  [&](unsigned worker) -> trace::Sink& { return sinks[worker]; },
                                  {.pool = &pool}))
                .lane_instructions;
  report(state, lanes, 0);
}

void record(benchmark::State& state, const Case& what, trace::Keep::Blocks blocks,
            emulator::Options options = {}) {
  emulator::Pool pool(static_cast<unsigned>(state.range(0)));
  options.pool = &pool;
  trace::Keep keep;
  keep.blocks = blocks;
  uint64_t lanes = 0;
  uint64_t accesses = 0;
  for (auto _ : state) {
    const auto recording =
        or_stop(emulator::record(what.program, what.launch, model::cost_of, keep, options));
    lanes = recording.trace.lane_instructions;
    accesses = 0;
    for (const trace::Totals& totals : recording.trace.totals) accesses += totals.lanes;
  }
  report(state, lanes, accesses);
}

void run_padded(benchmark::State& state) { run_only(state, padded(1024)); }
void count_padded(benchmark::State& state) { record(state, padded(1024), trace::Keep::Blocks::None); }
void count_padded_avx2(benchmark::State& state) {
  record(state, padded(1024), trace::Keep::Blocks::None, {.vectors = emulator::Vectors::Avx2});
}
void count_padded_plain(benchmark::State& state) {
  record(state, padded(1024), trace::Keep::Blocks::None, {.vectors = emulator::Vectors::Plain});
}
void record_padded(benchmark::State& state) { record(state, padded(1024), trace::Keep::Blocks::All); }
void record_padded_2048(benchmark::State& state) { record(state, padded(2048), trace::Keep::Blocks::All); }
void record_tiled(benchmark::State& state) { record(state, tiled(1024), trace::Keep::Blocks::All); }
void record_naive(benchmark::State& state) { record(state, naive(1024), trace::Keep::Blocks::All); }
void record_copy(benchmark::State& state) { record(state, copy(1024), trace::Keep::Blocks::All); }
/// Every block has partial warps, and the last ones part.
void count_padded_16384(benchmark::State& state) { record(state, padded(16384), trace::Keep::Blocks::None); }
void record_padded_1000(benchmark::State& state) { record(state, padded(1000), trace::Keep::Blocks::All); }
/// With the checks for data races and uninitialized reads, next to the same without.
template <auto& make, uint32_t n>
void check(benchmark::State& state) {
  record(state, make(n), trace::Keep::Blocks::All, {.checks = emulator::Checks::All});
}
void run_sum(benchmark::State& state) { run_only(state, from_text(kSum, "sum")); }

/// All counts, nothing kept.
void count_slow(benchmark::State& state, const std::string& text) {
  record(state, from_text(text, "slow"), trace::Keep::Blocks::None);
}

/// The same with the checks.
void check_slow(benchmark::State& state, const std::string& text) {
  record(state, from_text(text, "slow"), trace::Keep::Blocks::None, {.checks = emulator::Checks::All});
}

void threads(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
}

BENCHMARK(run_padded)->Apply(threads);
BENCHMARK(count_padded)->Apply(threads);
BENCHMARK(count_padded_avx2)->Apply(threads);
BENCHMARK(count_padded_plain)->Apply(threads);
BENCHMARK(record_padded)->Apply(threads);
BENCHMARK(record_padded_1000)->Apply(threads);
BENCHMARK(record_padded_2048)->Apply(threads);
BENCHMARK(record_tiled)->Apply(threads);
BENCHMARK(record_naive)->Apply(threads);
BENCHMARK(record_copy)->Apply(threads);
BENCHMARK(count_padded_16384)->Apply(threads);
BENCHMARK(check<padded, 1024>)->Name("check_padded")->Apply(threads);
BENCHMARK(check<padded, 1000>)->Name("check_padded_1000")->Apply(threads);
BENCHMARK(check<padded, 2048>)->Name("check_padded_2048")->Apply(threads);
BENCHMARK(check<tiled, 1024>)->Name("check_tiled")->Apply(threads);
BENCHMARK(check<naive, 1024>)->Name("check_naive")->Apply(threads);
BENCHMARK(check<copy, 1024>)->Name("check_copy")->Apply(threads);
BENCHMARK(run_sum)->Apply(threads);
BENCHMARK_CAPTURE(count_slow, partial_masks, benchmarks::partial_masks())->Apply(threads);
BENCHMARK_CAPTURE(count_slow, divergence, benchmarks::divergence())->Apply(threads);
BENCHMARK_CAPTURE(count_slow, gathers, benchmarks::gathers())->Apply(threads);
BENCHMARK_CAPTURE(count_slow, conflicts, benchmarks::conflicts())->Apply(threads);
BENCHMARK_CAPTURE(count_slow, shared_gathers, benchmarks::shared_gathers())->Apply(threads);
BENCHMARK_CAPTURE(count_slow, shared_atomics, benchmarks::shared_atomics())->Apply(threads);
BENCHMARK_CAPTURE(count_slow, global_reductions, benchmarks::global_reductions())->Apply(threads);
BENCHMARK_CAPTURE(count_slow, shuffles, benchmarks::shuffles())->Apply(threads);
BENCHMARK_CAPTURE(check_slow, partial_masks, benchmarks::partial_masks())->Apply(threads);
BENCHMARK_CAPTURE(check_slow, divergence, benchmarks::divergence())->Apply(threads);
BENCHMARK_CAPTURE(check_slow, gathers, benchmarks::gathers())->Apply(threads);
BENCHMARK_CAPTURE(check_slow, conflicts, benchmarks::conflicts())->Apply(threads);
BENCHMARK_CAPTURE(check_slow, shared_gathers, benchmarks::shared_gathers())->Apply(threads);
BENCHMARK_CAPTURE(check_slow, shared_atomics, benchmarks::shared_atomics())->Apply(threads);
BENCHMARK_CAPTURE(check_slow, global_reductions, benchmarks::global_reductions())->Apply(threads);
BENCHMARK_CAPTURE(check_slow, shuffles, benchmarks::shuffles())->Apply(threads);

}  // namespace
}  // namespace lanescope
