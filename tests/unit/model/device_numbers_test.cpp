// Every number of every device file against its source, which is in the file too.

#include "model/device.h"
#include "support/project.h"

#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using ::testing::StartsWith;

Device device(std::string_view name) {
  return find_device(tests::source_dir() / "assets/devices", name).value();
}

struct Numbers {
  const char* name;
  int capability;
  uint32_t multiprocessors;
  // CUDA C Programming Guide 4.2, table F-2 (1.x and 2.x); NVIDIA CCCL, arch_traits.h (6.1 and later); those
  // of 3.5 and 5.2 are recalled and say so in their files.
  uint32_t blocks, warps, registers;
  uint64_t shared_bytes;
  double bytes_per_second;  // the peak, as the file's source has it
};

void PrintTo(const Numbers& numbers, std::ostream* out) { *out << numbers.name; }

class DeviceNumbers : public ::testing::TestWithParam<Numbers> {};

TEST_P(DeviceNumbers, are_those_of_their_sources) {
  const Numbers& expected = GetParam();
  const Device found = device(expected.name);
  EXPECT_EQ(found.compute_capability, expected.capability);
  EXPECT_EQ(found.multiprocessors, expected.multiprocessors);
  EXPECT_EQ(found.blocks_per_multiprocessor, expected.blocks);
  EXPECT_EQ(found.warps_per_multiprocessor, expected.warps);
  EXPECT_EQ(found.registers_per_multiprocessor, expected.registers);
  EXPECT_EQ(found.shared_bytes_per_multiprocessor, expected.shared_bytes);
  EXPECT_DOUBLE_EQ(found.memory_bytes_per_second.value_or(0), expected.bytes_per_second);
}

INSTANTIATE_TEST_SUITE_P(Files, DeviceNumbers,
                         ::testing::Values(Numbers{"8800gtx", 10, 16, 8, 24, 8192, 16384, 900e6 * 2 * 48},
                                           Numbers{"g80", 10, 16, 8, 24, 8192, 16384, 800e6 * 2 * 48},
                                           Numbers{"gt200", 13, 30, 8, 32, 16384, 16384, 1107e6 * 2 * 64},
                                           Numbers{"c1060", 13, 30, 8, 32, 16384, 16384, 800e6 * 2 * 64},
                                           Numbers{"fermi", 20, 16, 8, 48, 32768, 49152, 177.4e9},
                                           Numbers{"kepler", 35, 14, 16, 64, 65536, 49152, 250e9},
                                           Numbers{"maxwell", 52, 16, 32, 64, 65536, 98304, 224e9},
                                           Numbers{"pascal", 61, 15, 32, 64, 65536, 98304, 256e9},
                                           Numbers{"volta", 70, 80, 32, 64, 65536, 98304, 900e9},
                                           Numbers{"turing", 75, 40, 16, 32, 65536, 65536, 320e9},
                                           Numbers{"ampere", 80, 108, 32, 64, 65536, 164 * 1024, 1555e9},
                                           Numbers{"ada", 89, 128, 24, 48, 65536, 100 * 1024, 1008e9},
                                           Numbers{"h100", 90, 132, 32, 64, 65536, 228 * 1024, 3.35e12},
                                           Numbers{"h200", 90, 132, 32, 64, 65536, 228 * 1024, 4.8e12}),
                         [](const auto& tested) { return std::string(tested.param.name); });

// NVIDIA, "Optimizing Matrix Transpose in CUDA", 2010: 6 or 8 partitions of 256 bytes.
TEST(DevicePartitions, are_six_on_the_8_series_and_eight_on_the_10_series) {
  for (const char* name : {"8800gtx", "g80", "gt200", "c1060"}) {
    const PartitionMap map = device(name).partitions;
    EXPECT_EQ(map.count, device(name).compute_capability == 10 ? 6u : 8u) << name;
    EXPECT_EQ(map.width_bytes, 256u) << name;
    EXPECT_EQ(map.hash, PartitionMap::Hash::Linear) << name;
  }
}
// The same paper: "memory addresses are hashed" from Fermi on.
TEST(DevicePartitions, are_not_mapped_where_addresses_are_hashed) {
  for (const std::string& name : device_names(tests::source_dir() / "assets/devices"))
    if (device(name).compute_capability >= 20) {
      EXPECT_EQ(device(name).partitions.hash, PartitionMap::Hash::Unknown) << name;
    }
}

TEST(DeviceTiming, of_the_gtx_280_has_the_sourced_numbers) {
  const TimingParameters timing = device("gt200").timing.value();
  EXPECT_EQ(timing.clusters, 10u);                // Programming Guide 4.2, F.3.1: 30 / 3
  EXPECT_DOUBLE_EQ(timing.shader_hertz, 1296e6);  // bit-tech.net, 2008
  EXPECT_DOUBLE_EQ(timing.core_hertz, 602e6);     // bit-tech.net, 2008
  EXPECT_EQ(timing.latency_shader_cycles, 441);   // Papadopoulou and others
  EXPECT_EQ(timing.issue_shader_cycles, 4u);      // Programming Guide 4.2, F.3.1
  EXPECT_EQ(timing.bank_shader_cycles, 2u);       // Programming Guide 4.2, F.3.3
}
TEST(DeviceTiming, says_model_beside_every_number_without_a_source) {
  for (const NumberSource& number : device("gt200").sources) {
    for (const char* fitted :
         {"timing.partition_credits", "timing.write_port_bytes_per_core_cycle", "timing.instructions_per_ptx",
          "timing.cluster_queue", "timing.dispatch_core_cycles", "timing.division_instructions"})
      if (number.number == fitted) {
        EXPECT_THAT(number.source, StartsWith("MODEL")) << fitted;
      }
  }
}
TEST(DeviceTiming, of_other_cards_uses_the_fits_of_the_gtx_280_and_says_so) {
  const TimingParameters gt200 = device("gt200").timing.value();
  for (const char* name : {"8800gtx", "g80", "c1060"}) {
    const TimingParameters timing = device(name).timing.value();
    EXPECT_EQ(timing.partition_credits, gt200.partition_credits);
    EXPECT_EQ(timing.write_port_bytes_per_core_cycle, gt200.write_port_bytes_per_core_cycle);
    EXPECT_EQ(timing.instructions_per_ptx, gt200.instructions_per_ptx);
    int said = 0;
    for (const NumberSource& number : device(name).sources)
      said += number.source.find("fitted for the GTX 280") != std::string::npos ? 1 : 0;
    EXPECT_EQ(said, 3) << name;
  }
}
TEST(DeviceBound, of_the_h200_has_the_sourced_numbers) {
  const BoundParameters bound = device("h200").bound.value();
  // PMC10448217, table 3, the column of the H100.
  EXPECT_DOUBLE_EQ(bound.clock_hertz, 1980e6);
  EXPECT_DOUBLE_EQ(bound.l2_bytes_per_second, 8986e9);
  EXPECT_DOUBLE_EQ(bound.latency_cycles, 400);
}
TEST(DeviceBound, says_model_beside_every_fitted_number) {
  for (const NumberSource& number : device("h200").sources) {
    for (const char* fitted : {"bound.start_seconds", "bound.memory_share", "bound.lines_per_second"})
      if (number.number == fitted) {
        EXPECT_THAT(number.source, StartsWith("MODEL: fitted")) << fitted;
      }
  }
}
TEST(DeviceTiming, is_known_for_the_tesla_generation_only) {
  for (const std::string& name : device_names(tests::source_dir() / "assets/devices"))
    EXPECT_EQ(device(name).timing.has_value(), device(name).compute_capability < 20) << name;
}

}  // namespace
}  // namespace lanescope::model
