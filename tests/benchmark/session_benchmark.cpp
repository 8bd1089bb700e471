// From a toggle to the snapshot that shows it, as a user waits for it: PTX in the cache, all models, values
// of one block.

#include "session/session.h"
#include "support/project.h"

#include <string>

#include <benchmark/benchmark.h>

namespace lanescope {
namespace {

pipeline::Options project_options() {
  const std::filesystem::path project = tests::source_dir();
  pipeline::Options options;
  options.assets = project / "assets";
  options.fetched = project / ".cache/third_party";
  options.cache = project / ".cache/ptx";
  options.kernels = project / "kernels";
  return options;
}

/// Flips `toggle` between two values on the padded transpose of n x n floats.
void flip(benchmark::State& state, const std::string& toggle, const std::string& one,
          const std::string& other) {
  session::Session session(project_options());
  session.post(session::OpenLesson{"transpose"});
  session.post(session::SetToggle{"kernel", "padded"});
  session.post(session::SetToggle{"size", std::to_string(state.range(0))});
  session.wait_until_idle();
  bool flipped = false;
  for (auto _ : state) {
    flipped = !flipped;
    session.post(session::SetToggle{toggle, flipped ? one : other});
    session.wait_until_idle();
  }
  const auto now = session.latest();
  state.counters["run_ms"] = now->run->seconds.run * 1e3;
  state.counters["model_ms"] = now->run->seconds.model * 1e3;
}

void flip_padding(benchmark::State& state) { flip(state, "padding", "2", "1"); }
void flip_order(benchmark::State& state) { flip(state, "order", "diagonal", "row-major"); }

void step(benchmark::State& state) {
  session::Session session(project_options());
  session.post(session::OpenLesson{"transpose"});
  session.wait_until_idle();
  for (auto _ : state) {
    session.post(session::Step{session::Step::To::Next});
    session.post(session::Step{session::Step::To::Previous});
    session.wait_until_idle();
  }
}

BENCHMARK(flip_padding)->Arg(256)->Arg(1024)->Arg(2048)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(flip_order)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(step)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace lanescope
