// Where lanes reconverge in machine code: load requests of 1,000 random kernels of nested ifs, loops, breaks,
// continues and returns, emulated with the barriers of their machine code, against an H200's counter. Method:
// the kernels are made from their seeds, ptxas 13.0 assembles them as it did for the H200. How many are equal
// is written down; a change that makes them fewer fails.

#include "compile/assemble.h"
#include "compile/toolkit.h"
#include "emulator/run.h"
#include "ptx/lower.h"
#include "ptx/parser.h"
#include "sass/reconvergence.h"
#include "support/h200_run.h"
#include "support/project.h"
#include "support/structured_flow.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

class LoadRequests final : public trace::Sink {
 public:
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess& access) override {
    count += access.operation.space == MemorySpace::Global && access.operation.kind == MemoryKind::Load;
  }
  uint64_t count = 0;
};

/// The assembler lets lanes that wait for others go on (YIELD) in loops with volatile loads, where they may
/// poll.
std::string without_volatile(std::string ptx) {
  constexpr std::string_view kVolatile = ".volatile";
  for (size_t at; (at = ptx.find(kVolatile)) != std::string::npos;) ptx.erase(at, kVolatile.size());
  return ptx;
}

launch::Launch launch_of(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> in(64);
  for (uint32_t& word : in) word = static_cast<uint32_t>(random());
  const auto buffer = [](const char* name, const std::vector<uint32_t>& words) {
    launch::Bytes bytes(words.size() * sizeof(uint32_t));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return launch::Buffer{.name = name,
                          .type = launch::ElementType::U32,
                          .shape = {words.size()},
                          .initial = std::make_shared<const launch::Bytes>(std::move(bytes))};
  };
  return {.grid = {1, 1, 1},
          .block = {32, 1, 1},
          .buffers = {buffer("in", in), buffer("out", std::vector<uint32_t>(32))},
          .arguments = {launch::BufferArgument{0, 0}, launch::BufferArgument{1, 0}},
          .variables = {}};
}

Result<uint64_t> requests_of(const ptx::Program& program, const launch::Launch& launch,
                             std::shared_ptr<const ptx::ConvergenceBarriers> barriers) {
  LoadRequests sink;
  emulator::Options options;
  options.threads = 1;
  options.barriers = std::move(barriers);
  TRY_VOID(emulator::run(program, launch, [&](unsigned) -> trace::Sink& { return sink; }, options));
  return sink.count;
}

/// Whether the toolkit's assembler is of release 13.0.
bool has_release(const compile::Toolkit& toolkit) {
  const std::string command = fmt::format("'{}' --version", (toolkit.folder / "bin/ptxas").string());
  const std::unique_ptr<FILE, int (*)(FILE*)> said(popen(command.c_str(), "r"), pclose);
  std::string text(4096, '\0');
  if (said) text.resize(std::fread(text.data(), 1, text.size(), said.get()));
  return text.contains("release 13.0,");
}

struct Compared {
  uint32_t kernels = 0;
  uint32_t unknown = 0;       // whose barriers lead to no place of the PTX
  uint32_t equal_in_ptx = 0;  // where lanes reconverge wherever paths meet
  uint32_t equal = 0;         // with the barriers
  uint32_t equal_in_ptx_alone = 0;
  uint32_t within_a_tenth = 0;  // with the barriers
  bool operator==(const Compared&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Compared& found) {
  return out << fmt::format(
             "{} kernels, {} unknown, equal in PTX {}, with barriers {}, in PTX alone {}, within a tenth {}",
             found.kernels, found.unknown, found.equal_in_ptx, found.equal, found.equal_in_ptx_alone,
             found.within_a_tenth);
}

/// The first kernels of the table. Errors: File where there is no ptxas of the release that the H200's code
/// came from.
Result<Compared> compare(size_t most) {
  const auto toolkit = compile::find_toolkit(tests::source_dir() / ".cache/third_party");
  if (!toolkit) return fail(ErrorKind::File, "no CUDA toolkit here");
  if (!has_release(*toolkit))
    return fail(ErrorKind::File, "the recorded code is of another release of ptxas");
  TRY(const tests::Table recorded, tests::read_table(tests::source_dir() / "tests/data/h200_divergence.csv"));
  Compared found;
  for (size_t n = 0; n < std::min(most, recorded.size()); ++n) {
    const auto seed = static_cast<uint32_t>(std::stoul(recorded[n].at("seed")));
    const uint64_t measured = std::stoull(recorded[n].at("requests"));
    const std::string text = without_volatile(tests::ptx_of(tests::random_kernel(seed)));
    TRY(const std::string cubin, compile::assemble(*toolkit, text, "k.ptx", "sm_90", {}));
    TRY(const ptx::Module module, ptx::parse(text, "k.ptx"));
    TRY(const ptx::Program program, ptx::lower(module, "k"));
    TRY(const sass::Cubin code, sass::read_cubin(std::as_bytes(std::span(cubin))));
    const sass::Reconvergence machine = sass::reconvergence_of(*code.find("k"), program);
    const launch::Launch launch = launch_of(seed);
    TRY(const uint64_t ptx, requests_of(program, launch, nullptr));
    TRY(const uint64_t emulated, requests_of(program, launch, machine.barriers));
    ++found.kernels;
    found.unknown += machine.kind == sass::Reconvergence::Kind::Unknown;
    found.equal_in_ptx += ptx == measured;
    found.equal += emulated == measured;
    found.equal_in_ptx_alone += ptx == measured && emulated != measured;
    found.within_a_tenth += std::max(emulated, measured) - std::min(emulated, measured) <= measured / 10;
  }
  return found;
}

TEST(H200Divergence, requests_of_random_kernels_follow_the_barriers_of_their_code) {
  const auto found = compare(100);
  if (!found) GTEST_SKIP() << found.error().message;
  EXPECT_EQ(*found, (Compared{.kernels = 100,
                              .unknown = 26,
                              .equal_in_ptx = 87,
                              .equal = 93,
                              .equal_in_ptx_alone = 0,
                              .within_a_tenth = 99}));
}

TEST(SlowH200Divergence, requests_of_a_thousand_random_kernels_follow_the_barriers_of_their_code) {
  const auto found = compare(1000);
  if (!found) GTEST_SKIP() << found.error().message;
  EXPECT_EQ(*found, (Compared{.kernels = 1000,
                              .unknown = 208,
                              .equal_in_ptx = 883,
                              .equal = 913,
                              .equal_in_ptx_alone = 1,
                              .within_a_tenth = 987}));
}

}  // namespace
}  // namespace lanescope
