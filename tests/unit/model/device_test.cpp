// The project's device descriptions, and errors for wrong files.

#include "model/device.h"

#include "support/project.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

const std::filesystem::path kDevices = tests::source_dir() / "assets/devices";

constexpr std::string_view kGood = R"(title = "A device"
compute_capability = { value = "7.5", source = "a" }
[multiprocessors]
count = { value = 2, source = "b" }
blocks = { value = 16, source = "c" }
warps = { value = 32, source = "d" }
registers = { value = 65536, source = "r" }
shared_bytes = { value = 65536, source = "e" }
shared_bytes_reserved = { value = 0, source = "f" }
clock_hertz = { value = 1e9, source = "k" }
[partitions]
count = { value = 8, source = "g" }
width_bytes = { value = 256, source = "h" }
hash = { value = "linear", source = "i" }
)";

/// kGood with one piece replaced, read from a file.
Result<Device> read_changed(std::string_view from, std::string_view to) {
  std::string text(kGood);
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const tests::TemporaryFolder folder("device");
  std::ofstream(folder / "changed.toml") << text;
  return read_device(folder / "changed.toml");
}

/// "LINE: message" of the error that the change makes.
std::string refusal(std::string_view from, std::string_view to) {
  const auto device = read_changed(from, to);
  EXPECT_FALSE(device.has_value()) << to;
  if (device) return "";
  EXPECT_EQ(device.error().kind, ErrorKind::Syntax);
  return std::to_string(device.error().where.value_or(Location{}).line) + ": " + device.error().message;
}

TEST(Device, every_description_of_the_project_is_read_and_has_sources) {
  const auto names = device_names(kDevices);
  EXPECT_THAT(names, IsSupersetOf({"g80", "gt200", "h200"}));
  for (const auto& name : names) {
    const auto device = find_device(kDevices, name);
    ASSERT_TRUE(device.has_value()) << describe(device.error());
    EXPECT_EQ(device->name, name);
    EXPECT_THAT(device->sources, Not(IsEmpty()));
    EXPECT_THAT(device->sources, Each(Field(&NumberSource::source, Not(IsEmpty()))));
  }
}

TEST(Device, the_gtx_280_has_eight_partitions_of_256_bytes) {
  const Device device = find_device(kDevices, "gt200").value();
  EXPECT_EQ(device.compute_capability, 13);
  EXPECT_EQ(device.multiprocessors, 30u);
  EXPECT_EQ(device.partitions.count, 8u);
  EXPECT_EQ(device.partitions.width_bytes, 256u);
  EXPECT_EQ(device.partitions.hash, PartitionMap::Hash::Linear);
  EXPECT_NEAR(device.memory_bytes_per_second.value_or(0), 141.7e9, 0.05e9);
}

TEST(Device, the_map_of_the_h200_is_unknown) {
  EXPECT_EQ(find_device(kDevices, "h200").value().partitions.hash, PartitionMap::Hash::Unknown);
}

TEST(Device, optional_sections_may_be_missing) {
  const auto device = read_changed("A device", "Another");
  ASSERT_TRUE(device.has_value()) << describe(device.error());
  EXPECT_EQ(device->title, "Another");
  EXPECT_EQ(device->compute_capability, 75);
  EXPECT_FALSE(device->memory_bytes_per_second.has_value());
}

TEST(Device, without_partitions_their_map_is_unknown) {
  const size_t at = kGood.find("[partitions]");
  const auto device = read_changed(kGood.substr(at), "");
  ASSERT_TRUE(device.has_value()) << describe(device.error());
  EXPECT_EQ(device->partitions.hash, PartitionMap::Hash::Unknown);
  EXPECT_FALSE(device->timing.has_value());
}

TEST(Device, a_users_file_is_named_by_its_path) {
  const tests::TemporaryFolder folder("device");
  std::ofstream(folder / "lanescope_my_device.toml") << kGood;
  const auto device = find_device(kDevices, (folder / "lanescope_my_device.toml").string());
  ASSERT_TRUE(device.has_value()) << describe(device.error());
  EXPECT_EQ(device->name, "lanescope_my_device");
  EXPECT_EQ(find_device(kDevices, "/no/such.toml").error().kind, ErrorKind::File);
}

TEST(Device, half_a_timing_section_names_what_is_missing) {
  EXPECT_THAT(refusal("[partitions]", "[timing]\nclusters = { value = 2, source = \"a\" }\n[partitions]"),
              HasSubstr("timing.core_hertz is missing"));
}

TEST(Device, an_unknown_name_lists_the_known_ones) {
  const auto device = find_device(kDevices, "gt300");
  ASSERT_FALSE(device.has_value());
  EXPECT_EQ(device.error().kind, ErrorKind::Usage);
  EXPECT_THAT(device.error().message, AllOf(HasSubstr("there is no device 'gt300'; there are "),
                                            HasSubstr("gt200, h100, h200"), HasSubstr("--device FILE.toml")));
}

TEST(Device, a_name_is_no_path) { EXPECT_FALSE(find_device(kDevices, "../devices/gt200").has_value()); }

TEST(Device, a_missing_file_or_folder_is_an_error_of_the_file) {
  EXPECT_EQ(read_device("/no/such.toml").error().kind, ErrorKind::File);
  EXPECT_THAT(read_device("/dev/zero").error().message, HasSubstr("larger than 1 MiB"));
  EXPECT_EQ(find_device("/no/such", "h200").error().kind, ErrorKind::File);
  EXPECT_THAT(device_names("/no/such"), IsEmpty());
}

TEST(Device, invalid_toml_names_the_line) {
  EXPECT_THAT(refusal("blocks = {", "blocks = {{"), HasSubstr("5: this is not TOML"));
}

TEST(Device, a_missing_number_names_its_section) {
  EXPECT_EQ(refusal("warps = { value = 32, source = \"d\" }\n", ""), "3: multiprocessors.warps is missing");
  EXPECT_THAT(refusal("[multiprocessors]", "[multiprocessor]"),
              HasSubstr("the section [multiprocessors] is missing"));
}

TEST(Device, a_number_out_of_range_names_the_range) {
  EXPECT_EQ(refusal("value = 2,", "value = 0,"), "4: multiprocessors.count is a whole number from 1 to 4096");
  EXPECT_THAT(refusal("value = 2,", "value = -2,"), HasSubstr("4: multiprocessors.count"));
  EXPECT_THAT(refusal("value = 2,", "value = 2.5,"), HasSubstr("4: multiprocessors.count"));
  EXPECT_THAT(refusal("value = 2,", "value = \"2\","), HasSubstr("4: multiprocessors.count"));
  EXPECT_THAT(refusal("value = 256,", "value = 100,"),
              HasSubstr("13: partitions.width_bytes is a multiple of 32"));
}

TEST(Device, rules_that_the_compute_capability_does_not_have_are_refused) {
  const auto rules = [](std::string_view banks, std::string_view transactions) {
    return "[rules]\nbanks = { value = " + std::string(banks) +
           ", source = \"a\" }\ntransactions = { value = \"" + std::string(transactions) +
           "\", source = \"b\" }\n[partitions]";
  };
  EXPECT_TRUE(read_changed("[partitions]", rules("32", "sectors")));
  EXPECT_EQ(refusal("[partitions]", rules("16", "sectors")),
            "12: rules.banks: shared memory has 32 banks at this compute capability, 16 was found");
  EXPECT_EQ(
      refusal("[partitions]", rules("32", "lines and sectors")),
      "13: rules.transactions is \"sectors\" at this compute capability, \"lines and sectors\" was found");
}

TEST(Device, a_bus_that_does_not_make_the_bandwidth_is_refused) {
  const auto memory = [](std::string_view bytes) {
    return "[memory]\nbytes_per_second = { value = " + std::string(bytes) +
           ", source = \"a\" }\nbus_bits = { value = 512, source = \"b\" }\n"
           "transfers_per_second = { value = 2.214e9, source = \"c\" }\n[partitions]";
  };
  EXPECT_TRUE(read_changed("[partitions]", memory("141.7e9")));
  EXPECT_EQ(refusal("[partitions]", memory("150e9")),
            "12: memory.bytes_per_second is 1.5e+11, but 512 bits x 2.214e+09 transfers per second are "
            "1.41696e+11");
  EXPECT_THAT(refusal("[partitions]", memory("1")),
              HasSubstr("12: memory.bytes_per_second is a number from 1e+08"));
}

TEST(Device, a_number_without_source_is_refused) {
  EXPECT_THAT(refusal("{ value = 2, source = \"b\" }", "2"),
              HasSubstr("4: multiprocessors.count is written { value"));
  EXPECT_THAT(refusal("source = \"b\"", "source = \"\""),
              HasSubstr("4: multiprocessors.count is written { value"));
}

TEST(Device, an_unknown_key_is_refused) {
  EXPECT_THAT(refusal("[partitions]", "wraps = { value = 1, source = \"a\" }\n[partitions]"),
              HasSubstr("11: 'multiprocessors.wraps' is not a number of a device"));
  EXPECT_THAT(refusal("[multi", "speed = 1\n[multi"), HasSubstr("3: 'speed' is not a number of a device"));
}

TEST(Device, an_unknown_hash_or_capability_is_refused) {
  EXPECT_THAT(refusal("\"linear\"", "\"magic\""),
              HasSubstr("14: partitions.hash is \"linear\" or \"unknown\""));
  for (const auto* text : {"\"7\"", "\"7.\"", "\"7.55\"", "\"a.b\"", "\"0.5\"", "\"7.-5\""}) {
    EXPECT_THAT(refusal("\"7.5\"", text), HasSubstr("2: compute_capability is written like")) << text;
  }
}

}  // namespace
}  // namespace lanescope::model
