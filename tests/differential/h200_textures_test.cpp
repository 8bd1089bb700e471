// Texture and surface reads in the emulator against what an H200 gave for the same PTX, images and
// coordinates (tests/data/textures): the same bits.

#include "emulator/run.h"
#include "launch/argument_spec.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "support/h200_run.h"
#include "support/project.h"
#include "support/test_kernel.h"

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

const std::filesystem::path kFolder = tests::source_dir() / "tests/data/textures";
constexpr uint32_t kReads = 10'000;

class NoSink final : public trace::Sink {
 public:
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess&) override {}
};

struct Row {
  std::string kernel, image, coordinates, output;
};

std::vector<Row> rows() {
  std::ifstream file(kFolder / "h200.csv");
  std::vector<Row> all;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    Row& row = all.emplace_back();
    for (std::string* cell : {&row.kernel, &row.image, &row.coordinates, &row.output})
      std::getline(cells, *cell, ';');
  }
  return all;
}

/// The coordinates, scaled as the row says.
launch::Contents coordinates_of(const Row& row, std::span<const std::byte> normalized) {
  constexpr std::array<std::pair<std::string_view, std::array<float, 3>>, 4> kScales{
      {{"normalized", {1, 1, 1}}, {"1d", {37, 1, 1}}, {"2d", {37, 29, 1}}, {"3d", {13, 11, 7}}}};
  const auto* const scale =
      std::ranges::find(kScales, row.coordinates, [](const auto& one) { return one.first; });
  auto scaled = std::make_shared<launch::Bytes>(launch::copy_of(normalized));
  for (size_t n = 0; n < scaled->size() / sizeof(float); ++n) {
    float value = 0;
    std::memcpy(&value, scaled->data() + n * sizeof value, sizeof value);
    value *= scale->second[n % 3];
    std::memcpy(scaled->data() + n * sizeof value, &value, sizeof value);
  }
  return scaled;
}

std::string_view output_of(std::string_view kernel) {
  if (kernel == "write_surface") return "";
  if (kernel == "read_whole") return "out=u32[10000]:zeros";
  if (kernel == "read_channels" || kernel == "gather") return "out=f32[10000x4]:zeros";
  return "out=f32[10000]:zeros";
}

/// The hash of what the kernel of this row leaves: its output, or the surface that it writes.
Result<std::string> emulated(const ptx::Module& module, const Row& row,
                             std::span<const std::byte> normalized) {
  TRY(const ptx::Program program, ptx::lower(module, row.kernel));
  launch::Launch launch;
  launch.grid = {40, 1, 1};
  launch.block = {256, 1, 1};
  if (row.kernel == "fetch") TRY_VOID(launch::add_argument(launch, "data=f32[1000]:random(9)"));
  TRY_VOID(launch::add_argument(launch, row.image));
  const size_t image = launch.buffers.size() - 1;
  TRY_VOID(launch::add_argument(launch, fmt::format("at=f32[{}]:zeros", 3 * kReads)));
  launch.buffers.back().initial = coordinates_of(row, normalized);
  if (const auto output = output_of(row.kernel); !output.empty())
    TRY_VOID(launch::add_argument(launch, output));
  TRY_VOID(
      launch::add_argument(launch, fmt::format("i32:{}", row.kernel == "write_surface" ? 1200 : kReads)));
  NoSink sink;
  emulator::Options options;
  options.threads = 1;
  TRY(const emulator::Outcome outcome,
      emulator::run(program, launch, [&](unsigned) -> trace::Sink& { return sink; }, options));
  if (!outcome.hazards.empty()) return fail(ErrorKind::Hazard, outcome.hazards[0].message);
  return tests::hash_of(row.kernel == "write_surface" ? outcome.buffers[image] : outcome.buffers.back());
}

TEST(H200Textures, every_read_has_the_same_bits) {
  std::ifstream file(kFolder / "textures.ptx");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto module = ptx::parse(text, "textures.ptx");
  ASSERT_TRUE(module) << module.error().message;
  const auto normalized = tests::unzip(kFolder / "coordinates.gz");
  ASSERT_TRUE(normalized) << normalized.error().message;
  ASSERT_EQ(normalized->size(), 3 * kReads * sizeof(float));
  const auto all = rows();
  ASSERT_EQ(all.size(), 281u);
  for (const Row& row : all) {
    const auto output = emulated(*module, row, *normalized);
    ASSERT_TRUE(output) << row.kernel << ' ' << row.image << ": " << output.error().message;
    EXPECT_EQ(*output, row.output) << row.kernel << ' ' << row.image << ' ' << row.coordinates;
  }
}

}  // namespace
}  // namespace lanescope
