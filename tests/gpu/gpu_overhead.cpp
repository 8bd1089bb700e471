// What recorders cost: the time of an instrumented kernel as a multiple of the plain one, for the transposes
// and for a matrix product that does little but access shared memory. Usage: gpu_overhead PROJECT; prints a
// table. Built by hand: ninja gpu_overhead; it travels like record_on_gpu.

#include "emulator/run.h"
#include "gpu/instrument/kernel_tracer.h"
#include "gpu/launch_buffers.h"
#include "gpu/timing.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "support/matrix_run.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

struct Measured {
  std::string name;
  std::string text;
  std::string entry;
  launch::Launch launch;
};

Result<double> seconds_of(const gpu::Context& context, const std::string& text, const Measured& kernel) {
  TRY(const gpu::Timing timing, gpu::time_kernel(context, {text, kernel.name, kernel.entry}, kernel.launch,
                                                 {.contents = gpu::Filling::Any}));
  return timing.median();
}

/// A GPU that also takes the time of each pass; the passes are those of any other trace.
class TimingMachine final : public gpu::TraceMachine {
 public:
  TimingMachine(const gpu::Context& context, const Measured& kernel) : context_(context), kernel_(kernel) {}

  uint64_t most_bytes() const override { return uint64_t{32} << 30; }
  uint64_t first_bytes() const override { return uint64_t{1} << 30; }
  Result<uint64_t> reserve(uint64_t bytes) override {
    memory_.reset();
    written_.clear();
    TRY(memory_, gpu::Buffer::allocate(context_, bytes));
    TRY_VOID(memory_->clear());
    return memory_->address();
  }
  Result<void> write(uint64_t offset, std::span<const std::byte> bytes) override {
    written_.emplace_back(offset, std::vector<std::byte>(bytes.begin(), bytes.end()));
    return memory_->upload_part(offset, bytes);
  }
  Result<std::vector<std::byte>> read(uint64_t offset, uint64_t bytes) override {
    if (bytes == 0) return std::vector<std::byte>();
    return memory_->download_part(offset, bytes);
  }
  Result<void> run(const std::string& ptx) override {
    TRY(const double taken, seconds_of(context_, ptx, kernel_));
    seconds.push_back(taken);
    TRY_VOID(memory_->clear());
    for (const auto& [offset, bytes] : written_) TRY_VOID(memory_->upload_part(offset, bytes));
    TRY(const gpu::Module module, gpu::Module::load(context_, ptx, kernel_.name));
    buffers_.reset();
    TRY(buffers_, gpu::LaunchBuffers::make(context_, kernel_.launch, gpu::Filling::Any));
    TRY_VOID(buffers_->launch(module, kernel_.entry, kernel_.launch));
    return context_.synchronize(kernel_.name);
  }
  std::vector<uint64_t> buffer_addresses() const override {
    std::vector<uint64_t> addresses;
    for (const gpu::Buffer& buffer : buffers_->buffers()) addresses.push_back(buffer.address());
    return addresses;
  }
  Result<std::vector<launch::Contents>> buffers() override { return std::vector<launch::Contents>(); }

  std::vector<double> seconds;  // [pass]: a sample of blocks, totals, records

 private:
  const gpu::Context& context_;
  const Measured& kernel_;
  std::optional<gpu::Buffer> memory_;
  std::optional<gpu::LaunchBuffers> buffers_;
  std::vector<std::pair<uint64_t, std::vector<std::byte>>> written_;
};

Result<void> measure(const gpu::Context& context, const Measured& kernel) {
  TRY(const double plain, seconds_of(context, kernel.text, kernel));
  TRY(const ptx::Module module, ptx::parse(kernel.text, kernel.name));
  TRY(const ptx::Program program, ptx::lower(module, kernel.entry));
  TimingMachine machine(context, kernel);
  trace::Keep keep;
  keep.budget_bytes = uint64_t{16} << 30;
  TRY(const gpu::TracedRun run,
      gpu::trace_kernel(machine, {module, program, kernel.launch,
                                  emulator::trace_header(program, kernel.launch), model::cost_of, keep}));
  uint64_t requests = 0;
  for (const trace::Totals& totals : run.trace.totals) requests += totals.requests;
  const std::vector<double>& seconds = machine.seconds;
  fmt::print("| {} | {:.1f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} | {} |\n", kernel.name, plain * 1e6,
             seconds[0] / plain, seconds[1] / plain, seconds.back() / plain,
             (seconds[0] + seconds[1] + seconds.back()) / plain, requests, run.trace.dropped);
  std::fflush(stdout);
  return {};
}

Result<std::vector<Measured>> transposes(const std::filesystem::path& project, uint32_t side) {
  TRY(const lesson::Lesson lesson, tests::matrix_lesson(project));
  std::vector<Measured> all;
  for (const char* name : {"copy", "naive", "tiled", "padded", "diagonal"}) {
    const StoredKernel kernel =
        read_stored_kernel(project / "assets/ptx" / lesson.name / (std::string(name) + ".ptx"));
    TRY(launch::Launch launch, tests::launch_of(lesson, kernel, {side, side}));
    all.push_back({fmt::format("{} {}", name, side), kernel.text, kernel.entry(), std::move(launch)});
  }
  return all;
}

Measured matrix_product(const std::filesystem::path& project, uint32_t side) {
  const auto zeros = std::make_shared<const std::vector<std::byte>>(size_t{side} * side * 4);
  launch::Launch launch{
      .grid = {side / 16, side / 16, 1}, .block = {16, 16, 1}, .buffers = {}, .arguments = {}};
  for (uint32_t n = 0; n < 3; ++n) {
    launch.buffers.push_back(
        {.name = {}, .type = launch::ElementType::F32, .shape = {side, side}, .initial = zeros});
    launch.arguments.emplace_back(launch::BufferArgument{n});
  }
  launch::Value value;
  for (uint32_t n = 0; n < 4; ++n) value.bytes.push_back(static_cast<std::byte>(side >> 8 * n));
  launch.arguments.emplace_back(value);
  std::ifstream stream(project / "tests/data/kernels/matmul_tiled.ptx", std::ios::binary);
  return {fmt::format("16 x 16 matrix product {}", side),
          {std::istreambuf_iterator<char>(stream), {}},
          "matmul_tiled",
          std::move(launch)};
}

Result<void> measure_all(const std::filesystem::path& project) {
  TRY(const gpu::Driver driver, gpu::Driver::open());
  TRY(const gpu::Context context, gpu::Context::make(driver));
  fmt::print(
      "{}, CUDA {}.{}\n\n| kernel | plain, us | 4 blocks | totals | full trace | all three | accesses | lost "
      "|\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
      context.device().name, driver.version() / 1000, driver.version() % 1000 / 10);
  for (const uint32_t side : {2048u, 8192u}) {
    TRY(const std::vector<Measured> kernels, transposes(project, side));
    for (const Measured& kernel : kernels) TRY_VOID(measure(context, kernel));
  }
  return measure(context, matrix_product(project, 768));
}

}  // namespace
}  // namespace lanescope::tests

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: gpu_overhead PROJECT\n");
    return 2;
  }
  const auto done = lanescope::tests::measure_all(words[1]);
  if (done) return 0;
  fmt::print(stderr, "{}\n", lanescope::describe(done.error()));
  return 1;
}
