// What recorders cost: the time of an instrumented kernel as a multiple of the plain one, for the transposes,
// some of the test kernels, and matrix products from a thread per output to tiles of registers
// (overhead/sgemm.cu). Usage: gpu_overhead PROJECT; prints a table. Built by hand: ninja gpu_overhead; it
// travels like record_on_gpu and needs an NVRTC (LANESCOPE_NVRTC).

#include "compile/compile.h"
#include "emulator/run.h"
#include "gpu/instrument/driver_trace_machine.h"
#include "gpu/instrument/kernel_tracer.h"
#include "gpu/launch_buffers.h"
#include "gpu/timing.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "support/kernel_ptx.h"
#include "support/matrix_run.h"
#include "support/test_kernel.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <numeric>
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
  const gpu::Kernel timed{text, kernel.name, kernel.entry,
                          gpu::fitting_registers(volume(kernel.launch.block))};
  TRY(const gpu::Timing timing,
      gpu::time_kernel(context, timed, kernel.launch, {.contents = gpu::Filling::Any}));
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
    TRY(const gpu::Module module,
        gpu::Module::load(context_, ptx, kernel_.name, gpu::fitting_registers(volume(kernel_.launch.block))));
    buffers_.reset();
    TRY(buffers_, gpu::LaunchBuffers::make(context_, kernel_.launch, gpu::Filling::Any));
    TRY_VOID(buffers_->launch(module, kernel_.entry, kernel_.launch, gpu::LaunchKind::Plain));
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
  const auto traced = [&](TimingMachine& machine, trace::Keep::Blocks blocks) {
    trace::Keep keep;
    keep.blocks = blocks;
    keep.budget_bytes = uint64_t{16} << 30;
    return gpu::trace_kernel(machine, {module, program, kernel.launch,
                                       emulator::trace_header(program, kernel.launch), model::cost_of, keep});
  };
  TimingMachine counting(context, kernel);
  TRY(const gpu::TracedRun counted, traced(counting, trace::Keep::Blocks::None));
  TimingMachine recording(context, kernel);
  TRY(const gpu::TracedRun run, traced(recording, trace::Keep::Blocks::All));
  uint64_t requests = 0;
  for (const trace::Totals& totals : counted.trace.totals) requests += totals.requests;
  // Totals take a second pass where the sums of a loop do not fit.
  const std::vector<double>& seconds = counting.seconds;
  const double totals = std::accumulate(seconds.begin() + 1, seconds.end(), 0.0);
  fmt::print("| {} | {:.1f} | {:.2f} | {:.2f} | {:.2f} | {} | {} | {} |\n", kernel.name, plain * 1e6,
             seconds[0] / plain, totals / plain, recording.seconds.back() / plain, seconds.size() - 1,
             requests, run.trace.dropped);
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

TestKernel launched(std::string name, std::string grid, std::string block,
                    std::vector<std::string> arguments) {
  TestKernel kernel;
  kernel.name = std::move(name);
  kernel.grid = std::move(grid);
  kernel.block = std::move(block);
  kernel.arguments = std::move(arguments);
  return kernel;
}

/// Test kernels in launches that fill the GPU.
std::vector<TestKernel> large_kernels() {
  return {
      launched("matmul_tiled", "48,48", "16,16",
               {"f32[589824]:zeros", "f32[589824]:zeros", "f32[589824]:zeros", "i32:768"}),
      launched("n_body", "128", "128", {"f32[16384x4]:random(1)", "f32[16384x4]:zeros", "i32:16384"}),
      launched("stencil_3d", "16,64", "32,8",
               {"f32[16777216]:zeros", "f32[16777216]:zeros", "i32:512", "i32:512", "i32:64"}),
      launched("reduce_shuffle", "1056", "256", {"f32[16777216]:zeros", "f32[1056]:zeros", "i32:16777216"}),
      launched("scan_warp", "16384", "512", {"i32[8388608]:zeros", "i32[8388608]:zeros"}),
      launched("sort_bitonic", "8192", "256", {"i32[4194304]:random(2)", "i32[4194304]:zeros"}),
      launched("histogram_shared", "1056", "256",
               {"u8[33554432]:random(3)", "u32[256]:zeros", "i32:8388608"}),
  };
}

Result<Measured> of_test_kernel(const std::filesystem::path& project, const TestKernel& kernel) {
  TRY(launch::Launch launch, launch_of(kernel));
  const auto text = read_file(project / "tests/data/kernels" / (kernel.name + ".ptx"));
  return Measured{kernel.name, text.value_or(""), kernel.name, std::move(launch)};
}

struct Product {
  const char* name;
  const char* block;
  uint32_t tile;  // outputs of a block across and down
  uint32_t side;
};

Result<std::vector<Measured>> products(const std::filesystem::path& project) {
  TRY(const compile::Compiler compiler, compile::find_compiler(project / ".cache/third_party"));
  const std::string source = read_file(project / "tests/gpu/overhead/sgemm.cu").value_or("");
  TRY(const compile::Compilation compiled, compile::compile(compiler, {"sgemm.cu", source, {}}, {}));
  if (!compiled.ptx) return fail(ErrorKind::Compile, compiled.log);
  std::vector<Measured> all;
  for (const Product& product :
       {Product{"sgemm_column", "32,32", 32, 512}, Product{"sgemm_row", "32,32", 32, 512},
        Product{"sgemm_shared", "32,32", 32, 512}, Product{"sgemm_tile_1d", "512", 64, 1024},
        Product{"sgemm_tile_2d", "256", 128, 2048}, Product{"sgemm_vector", "256", 128, 2048},
        Product{"sgemm_warp", "128", 128, 2048}}) {
    const std::string matrix = fmt::format("f32[{0}x{0}]:zeros", product.side);
    TRY(launch::Launch launch,
        launch_of(launched(product.name, fmt::format("{0},{0}", product.side / product.tile), product.block,
                           {matrix, matrix, matrix, fmt::format("i32:{}", product.side)})));
    all.push_back(
        {fmt::format("{} {}", product.name, product.side), *compiled.ptx, product.name, std::move(launch)});
  }
  return all;
}

Result<void> measure_all(const std::filesystem::path& project) {
  TRY(const gpu::Driver driver, gpu::Driver::open());
  TRY(const gpu::Context context, gpu::Context::make(driver));
  fmt::print(
      "{}, CUDA {}.{}\n\n| kernel | plain, us | 4 blocks | totals | full trace | passes of totals | accesses "
      "| lost "
      "|\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
      context.device().name, driver.version() / 1000, driver.version() % 1000 / 10);
  std::vector<Measured> all;
  for (const uint32_t side : {2048u, 8192u}) {
    TRY(std::vector<Measured> some, transposes(project, side));
    std::ranges::move(some, std::back_inserter(all));
  }
  for (const TestKernel& kernel : large_kernels()) {
    TRY(all.emplace_back(), of_test_kernel(project, kernel));
  }
  TRY(std::vector<Measured> some, products(project));
  std::ranges::move(some, std::back_inserter(all));
  for (const Measured& kernel : all) TRY_VOID(measure(context, kernel));
  return {};
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
