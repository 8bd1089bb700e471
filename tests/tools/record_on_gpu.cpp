// Runs the test kernels, and the probes of single instructions, on the GPU and writes what they leave in
// memory. Usage: record_on_gpu PROJECT OUT [PROBES]: OUT gets TITLE.N.bin (buffer N of a launch), outputs.csv
// (hashes), gpu.json (which GPU, driver, date); with PROBES (what write_probes made) also NAME.out per probe.
// It runs on a bare x86-64 machine with a driver; tests/data/h200/README.md has the whole way.

#include "gpu/uninstrumented_run.h"
#include "support/test_kernel.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace lanescope::tests {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const fs::path& file, const launch::Contents& contents) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(contents->data()), static_cast<std::streamsize>(contents->size()));
}

/// The first line of what a command prints; the driver's API does not report its release.
std::string line_of(const char* command) {
  std::string line;
  if (std::FILE* pipe = popen(command, "r")) {
    std::array<char, 256> part{};
    if (std::fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr) line = part.data();
    pclose(pipe);
  }
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  return line;
}

void write_provenance(const gpu::Driver& driver, const gpu::Context& context, const fs::path& file) {
  const gpu::Device& device = context.device();
  std::ofstream(file) << fmt::format(
      "{{\n  \"gpu\": \"{}\",\n  \"compute_capability\": \"{}.{}\",\n  \"driver\": \"{}\",\n"
      "  \"cuda\": \"{}.{}\",\n  \"date\": \"{:%Y-%m-%d}\"\n}}\n",
      device.name, device.major, device.minor,
      line_of("nvidia-smi --query-gpu=driver_version --format=csv,noheader"), driver.version() / 1000,
      driver.version() % 1000 / 10, fmt::gmtime(std::time(nullptr)));
}

/// Number of launches that failed.
int record_kernels(const gpu::Context& context, const fs::path& project, const fs::path& out) {
  const auto kernels = test_kernels(project / "tests/kernels");
  if (!kernels) {
    fmt::print(stderr, "{}\n", describe(kernels.error()));
    return 1;
  }
  std::ofstream table(out / "outputs.csv");
  table << "kernel,buffer,name,bytes,xxh3_128\n";
  int failed = 0;
  for (const TestKernel& kernel : *kernels) {
    const std::string ptx = read_text(project / "tests/data/kernels" / (kernel.name + ".ptx"));
    const auto launch = launch_of(kernel);
    const auto buffers =
        launch ? gpu::run_uninstrumented(context, {ptx, kernel.name + ".ptx", kernel.name}, *launch)
               : std::unexpected(launch.error());
    if (!buffers) {
      fmt::print("{}: {}\n", kernel.title(), describe(buffers.error()));
      ++failed;
      continue;
    }
    for (size_t n = 0; n < buffers->size(); ++n) {
      const launch::Contents& contents = (*buffers)[n];
      write_bytes(out / fmt::format("{}.{}.bin", kernel.title(), n), contents);
      table << fmt::format("{},{},{},{},{}\n", kernel.title(), n, launch->buffers[n].name, contents->size(),
                           hash_of(contents));
    }
  }
  fmt::print("{} launches, {} failed\n", kernels->size(), failed);
  return failed;
}

int record_all(const fs::path& project, const fs::path& out) {
  const auto driver = gpu::Driver::open();
  const auto context = driver ? gpu::Context::make(*driver) : std::unexpected(driver.error());
  if (!context) {
    fmt::print(stderr, "{}\n", describe(context.error()));
    return 1;
  }
  fs::create_directories(out);
  write_provenance(*driver, *context, out / "gpu.json");
  return record_kernels(*context, project, out) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lanescope::tests

int main(int count, char** arguments) {
  if (count != 3) {
    fmt::print(stderr, "usage: {} PROJECT OUT\n", arguments[0]);
    return 2;
  }
  return lanescope::tests::record_all(arguments[1], arguments[2]);
}
