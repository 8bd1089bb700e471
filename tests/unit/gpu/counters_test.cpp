// The hardware counters: the error without CUPTI, whether each counter exists, and, with a GPU,
// a kernel whose counts are known by hand.

#include "gpu/counters.h"

#include "gpu/timing.h"
#include "launch/argument_spec.h"
#include "support/project.h"
#include "support/temporary_folder.h"

#include <array>
#include <filesystem>

#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

namespace fs = std::filesystem;
using trace::HardwareCount;

const std::array<fs::path, 1> kFetched{tests::source_dir() / ".cache/third_party/cupti/nvidia/cu13/lib"};

TEST(Cupti, a_library_that_is_not_cupti_is_refused_with_the_missing_function) {
  const tests::TemporaryFolder own("no-cupti");
  const fs::path folder = own.path();
  // Any library will do that is loaded in a program like this.
  fs::path library;
  for (const char* place : {"/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6", "/usr/lib/libm.so.6"})
    if (fs::exists(place)) library = place;
  if (library.empty()) GTEST_SKIP() << "libm.so.6 is not where it is on Debian and others";
  fs::create_symlink(library, folder / "libcupti.so.13");
  const std::array folders{folder};
  const auto cupti = Cupti::open(folders);
  ASSERT_FALSE(cupti);
  EXPECT_EQ(cupti.error().kind, ErrorKind::Unsupported);
  if (cupti.error().message.find("CUPTI's headers") != std::string::npos)
    GTEST_SKIP() << cupti.error().message;
  EXPECT_NE(cupti.error().message.find("CUDA 12.6 or newer"), std::string::npos) << cupti.error().message;
}

/// What has counters of chips that are not here. Under AddressSanitizer nothing: there the library may not
/// open its helper the way it does (RTLD_DEEPBIND), which ends the process.
Result<Cupti> fetched_cupti() {
#if defined(__SANITIZE_ADDRESS__)
  return fail(ErrorKind::Unsupported, "AddressSanitizer refuses how CUPTI opens libnvperf_host.so");
#else
  return Cupti::open(kFetched);
#endif
}

class Chip : public testing::TestWithParam<const char*> {};

TEST_P(Chip, has_every_counter_of_the_table) {
  const auto cupti = fetched_cupti();
  if (!cupti) GTEST_SKIP() << cupti.error().message;
  for (const trace::HardwareCountRow& row : trace::hardware_count_rows()) {
    if (row.source != trace::CountSource::Pipe) continue;
    const auto passes = passes_on(*cupti, GetParam(), {std::string(row.metric)});
    ASSERT_TRUE(passes) << row.metric << ": " << describe(passes.error());
    EXPECT_GE(*passes, 1u) << row.metric;
  }
}

// Turing, Ampere, Ada, Hopper.
INSTANTIATE_TEST_SUITE_P(Chips, Chip, testing::Values("TU102", "GA100", "AD102", "GH100"),
                         [](const auto& chip) { return chip.param; });

TEST(Cupti, a_counter_that_no_chip_has_is_an_error) {
  const auto cupti = fetched_cupti();
  if (!cupti) GTEST_SKIP() << cupti.error().message;
  const auto passes = passes_on(*cupti, "GH100", {"l1tex__temperature.sum"});
  ASSERT_FALSE(passes);
  EXPECT_EQ(passes.error().kind, ErrorKind::Unsupported);
}

/// One warp: lane l loads word 2 l, adds it to word 0, and stores to word l.
constexpr std::string_view kKernel = R"(.version 7.8
.target sm_75
.address_size 64
.visible .entry strided(.param .u64 from, .param .u64 to) {
  .reg .u64 %rd<6>; .reg .u32 %r<4>;
  .shared .align 4 .b8 words[256];
  ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 8; add.u64 %rd4, %rd1, %rd3;
  ld.global.u32 %r2, [%rd4];
  mov.u64 %rd5, words; add.u64 %rd5, %rd5, %rd3;
  st.shared.u32 [%rd5], %r2;
  bar.sync 0;
  ld.volatile.shared.u32 %r3, [%rd5];
  mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r3;
  ret;
})";

TEST(Counters, counts_of_a_stride_of_two_words_are_those_computed_by_hand_and_buffers_are_restored) {
  const auto driver = Driver::open();
  const auto context = driver ? Context::make(*driver) : std::unexpected(driver.error());
  if (!context) GTEST_SKIP() << context.error().message;
  auto counters = Counters::open(*context, kFetched);
  if (!counters) GTEST_SKIP() << counters.error().message;
  launch::Launch launch;
  ASSERT_TRUE(launch::add_argument(launch, "u32[64]:iota"));
  ASSERT_TRUE(launch::add_argument(launch, "u32[32]:zeros"));
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  // Twice, with times in between: what is prepared for counting is put away and prepared again.
  const Kernel kernel{kKernel, "strided.ptx", "strided"};
  ASSERT_TRUE(counters->count(kernel, launch, Filling::Initial));
  counters->rest();
  ASSERT_TRUE(time_kernel(*context, kernel, launch, {}));
  const auto counts = counters->count(kernel, launch, Filling::Initial);
  ASSERT_TRUE(counts) << describe(counts.error());
  EXPECT_EQ((*counts)[HardwareCount::GlobalLoadRequests], 1);
  EXPECT_EQ((*counts)[HardwareCount::GlobalLoadSectors], 8) << "32 words, 8 bytes apart";
  EXPECT_EQ((*counts)[HardwareCount::GlobalStoreRequests], 1);
  EXPECT_EQ((*counts)[HardwareCount::GlobalStoreSectors], 4);
  EXPECT_EQ((*counts)[HardwareCount::SharedLoadWavefronts], 2);
  EXPECT_EQ((*counts)[HardwareCount::SharedStoreWavefronts], 2);
  EXPECT_EQ((*counts)[HardwareCount::SharedLoadConflicts], 1);
  EXPECT_EQ((*counts)[HardwareCount::LocalLoadRequests], 0);
  EXPECT_EQ((*counts)[HardwareCount::SharedAddressWavefronts], 4);
  EXPECT_EQ((*counts)[HardwareCount::GlobalTheoreticalSectors], 12);
}

}  // namespace
}  // namespace lanescope::gpu
