// Every number of every device file, one by one, against tests/data/device_numbers.csv: device, number, value
// and the beginning of its source. A number in only one of the two is an error.

#include "model/device.h"
#include "support/project.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using ::testing::StartsWith;

const std::filesystem::path kDevices = tests::source_dir() / "assets/devices";

struct Expected {
  std::string value, source;
};
using Key = std::pair<std::string, std::string>;  // device, number

std::vector<NumberSource> sources_of(std::string_view device) {
  return find_device(kDevices, device).value().sources;
}

/// The next field of a line; a field with commas is in quotes.
std::string take_field(std::istringstream& line) {
  std::string field;
  if (line.peek() == '"') {
    line.get();
    std::getline(line, field, '"');
    line.get();
  } else {
    std::getline(line, field, ',');
  }
  return field;
}

std::map<Key, Expected> expected_numbers() {
  std::ifstream file(tests::source_dir() / "tests/data/device_numbers.csv");
  std::map<Key, Expected> expected;
  std::string text;
  std::getline(file, text);
  while (std::getline(file, text)) {
    std::istringstream line(text);
    std::string device = take_field(line);
    std::string number = take_field(line);
    std::string value = take_field(line);
    expected[{std::move(device), std::move(number)}] = {std::move(value), take_field(line)};
  }
  return expected;
}

/// Whether two values are equal, compared as numbers if possible.
bool same(const std::string& expected, const std::string& found) {
  char* end = nullptr;
  const double number = std::strtod(expected.c_str(), &end);
  if (end == expected.c_str() || *end != '\0') return expected == found;
  return std::abs(std::strtod(found.c_str(), nullptr) - number) <= 1e-5 * std::abs(number);
}

TEST(DeviceTable, has_every_number_of_every_file_with_its_source) {
  auto expected = expected_numbers();
  ASSERT_GT(expected.size(), 200u);
  for (const std::string& name : device_names(kDevices)) {
    for (const NumberSource& number : sources_of(name)) {
      const auto found = expected.find({name, number.number});
      ASSERT_NE(found, expected.end()) << name << " " << number.number;
      EXPECT_TRUE(same(found->second.value, number.value))
          << name << " " << number.number << ": " << found->second.value << ", " << number.value;
      EXPECT_THAT(number.source, StartsWith(found->second.source)) << name << " " << number.number;
      expected.erase(found);
    }
  }
  for (const auto& [key, value] : expected) ADD_FAILURE() << key.first << " has no " << key.second;
}

TEST(DeviceTable, marks_unverified_numbers) {
  std::map<std::string, int> unverified;
  for (const std::string& name : device_names(kDevices))
    for (const NumberSource& number : sources_of(name)) unverified[name] += number.is_unverified() ? 1 : 0;
  std::erase_if(unverified, [](const auto& entry) { return entry.second == 0; });
  EXPECT_EQ(unverified,
            (std::map<std::string, int>{
                {"ada", 1}, {"kepler", 5}, {"maxwell", 5}, {"pascal", 1}, {"turing", 1}, {"volta", 1}}));
}

/// Peak bandwidth, bus and clock of the memory of every file that has them: read_device() checks that they
/// agree.
TEST(DeviceTable, has_a_bus_and_a_clock_for_every_device) {
  for (const std::string& name : device_names(kDevices)) {
    std::set<std::string> numbers;
    for (const NumberSource& number : sources_of(name)) numbers.insert(number.number);
    for (const char* needed : {"multiprocessors.clock_hertz", "rules.banks", "rules.transactions",
                               "memory.bus_bits", "memory.transfers_per_second", "memory.bytes_per_second"})
      EXPECT_TRUE(numbers.contains(needed)) << name << " " << needed;
  }
}

}  // namespace
}  // namespace lanescope::model
