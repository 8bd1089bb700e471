// A device description for the models, read from assets/devices/NAME.toml, where each number has a source.
// Tests: tests/unit/model/device_test.cpp

#pragma once

#include "base/error.h"
#include "base/provenance.h"
#include "model/timing_parameters.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::model {

/// How addresses spread over the DRAM partitions. Linear: partition = address / width mod count. Unknown: an
/// undocumented hash, so nothing is mapped or drawn; count and width may be 0 then.
struct PartitionMap {
  enum class Hash { Linear, Unknown };
  uint32_t count = 8;
  uint32_t width_bytes = 256;
  Hash hash = Hash::Linear;
  bool operator==(const PartitionMap&) const = default;
};

/// A number of the device's file, "multiprocessors.count", and where it comes from. A source that begins with
/// "MODEL" says that the number is undocumented, "unverified" that it was not looked up yet.
struct NumberSource {
  std::string number;
  std::string value;
  std::string source;
  bool is_model() const { return source.starts_with("MODEL"); }
  bool is_unverified() const { return source.starts_with("unverified"); }
  bool operator==(const NumberSource&) const = default;
};

/// What the model of the caches (app/caches) takes from a device; its rules are those of an H100.
struct CacheParameters {
  uint64_t l1_bytes = 0;       // of a multiprocessor, with its shared memory
  uint64_t l2_bytes = 0;       // in all
  uint32_t l2_partitions = 1;  // 2: each keeps what its multiprocessors read
  bool operator==(const CacheParameters&) const = default;
};

struct Device {
  std::string name;             // "gt200": the file's name, and what --device takes
  std::string title;            // "GeForce GTX 280 (GT200)"
  int compute_capability = 90;  // 13 is 1.3, 90 is 9.0
  uint32_t multiprocessors = 0;
  uint32_t blocks_per_multiprocessor = 0;
  uint32_t warps_per_multiprocessor = 0;
  uint32_t registers_per_multiprocessor = 0;  // of 32 bits
  uint64_t shared_bytes_per_multiprocessor = 0;
  /// Reserved for each resident block in addition to what the block requests.
  uint64_t shared_bytes_reserved_per_block = 0;
  double clock_hertz = 0;                         // of the multiprocessors
  std::optional<double> memory_bytes_per_second;  // peak of the DRAM
  PartitionMap partitions;
  std::optional<TimingParameters> timing;  // of the timing model, where there is one
  std::optional<BoundParameters> bound;    // of the bound, where there is one
  std::optional<CacheParameters> caches;   // of the model of the caches, where there is one
  std::vector<NumberSource> sources;       // in the order of the file's sections
  bool operator==(const Device&) const = default;
};

/// The file holds exactly the numbers of Device, each as { value = ..., source = "..." }. A number that is
/// missing, unknown, out of range or without a source is an error with its line. The sections [rules],
/// [memory], [partitions], [caches], [timing], [bound] and [arithmetic], which needs [bound], may be left out
/// if nothing is known. [rules] must
/// agree with what the models do for the compute capability, and the memory's bus with its bytes per second.
Result<Device> read_device(const std::filesystem::path& file);
/// Names of the devices in `folder` (assets/devices), sorted.
std::vector<std::string> device_names(const std::filesystem::path& folder);
/// The device NAME of `folder`, or an error that lists the names there are. A name that ends in ".toml" is a
/// path to a user's file.
Result<Device> find_device(const std::filesystem::path& folder, std::string_view name);

}  // namespace lanescope::model
