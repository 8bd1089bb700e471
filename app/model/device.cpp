// Device descriptions out of TOML. A key that is not asked for is taken for a slip and refused.

#include "model/device.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

namespace lanescope::model {
namespace {

/// Reads { value, source } entries of one file and remembers which keys were asked for, so that a key that
/// nobody asked for is found to be a slip.
class DeviceFile {
 public:
  DeviceFile(const toml::table& root, std::string file, std::vector<NumberSource>& sources)
      : root_(root), file_(std::move(file)), sources_(sources) {}

  /// A whole number from `smallest` to `largest`.
  Result<uint64_t> whole(std::string_view section, std::string_view key, uint64_t smallest,
                         uint64_t largest) {
    TRY(const toml::node* const node, value_of(section, key));
    const auto number = node->value_exact<int64_t>();
    if (!number || *number < 0 || static_cast<uint64_t>(*number) < smallest ||
        static_cast<uint64_t>(*number) > largest) {
      return refuse(*node,
                    fmt::format("{} is a whole number from {} to {}", path(section, key), smallest, largest));
    }
    return static_cast<uint64_t>(*number);
  }
  Result<uint32_t> count(std::string_view section, std::string_view key) {
    TRY(const uint64_t number, whole(section, key, 1, 1'000'000));
    return static_cast<uint32_t>(number);
  }
  /// A number above 0; `unit` completes "a number above 0, ".
  Result<double> positive(std::string_view section, std::string_view key, std::string_view unit) {
    TRY(const toml::node* const node, value_of(section, key));
    const auto number = node->value<double>();
    if (!number || !(*number > 0) || *number > 1e18) {
      return refuse(*node, fmt::format("{} is a number above 0, {}", path(section, key), unit));
    }
    return *number;
  }
  Result<double> rate(std::string_view section, std::string_view key) {
    return positive(section, key, "per second");
  }
  Result<std::string> text(std::string_view section, std::string_view key) {
    TRY(const toml::node* const node, value_of(section, key));
    const auto value = node->value_exact<std::string>();
    if (!value) return refuse(*node, fmt::format("{} is a text in quotes", path(section, key)));
    return *value;
  }
  /// The one entry without a source.
  Result<std::string> title() {
    asked_for_.emplace_back("title");
    const auto value = root_["title"].value_exact<std::string>();
    if (!value || value->empty())
      return refuse(root_, "title is a text in quotes, the name that people know");
    return *value;
  }
  bool has(std::string_view section) const { return root_.contains(section); }

  /// An error for the first key that no model knows.
  Result<void> finish() const {
    for (const auto& [name, node] : root_) {
      const std::string_view section = name.str();
      const toml::table* const table = node.as_table();
      if (is_asked_for(section)) continue;
      if (table == nullptr) return unknown(node, section);
      for (const auto& [key, entry] : *table) {
        if (!is_asked_for(path(section, key.str()))) return unknown(entry, path(section, key.str()));
      }
    }
    return {};
  }

  std::unexpected<Error> refuse(const toml::node& node, std::string message) const {
    return fail(ErrorKind::Syntax, std::move(message),
                Location{file_, static_cast<int>(node.source().begin.line)});
  }

 private:
  static std::string path(std::string_view section, std::string_view key) {
    return section.empty() ? std::string(key) : fmt::format("{}.{}", section, key);
  }
  bool is_asked_for(std::string_view key) const {
    return std::ranges::find(asked_for_, key) != asked_for_.end();
  }
  Result<void> unknown(const toml::node& node, std::string_view key) const {
    return refuse(node, fmt::format("'{}' is not a number of a device; those are title, {}", key,
                                    fmt::join(asked_for_.begin() + 1, asked_for_.end(), ", ")));
  }

  /// The node of `value`; its `source` is noted.
  Result<const toml::node*> value_of(std::string_view section, std::string_view key) {
    asked_for_.push_back(path(section, key));
    const toml::table* const table = section.empty() ? &root_ : root_[section].as_table();
    if (table == nullptr) return refuse(root_, fmt::format("the section [{}] is missing", section));
    const toml::node* const entry = table->get(key);
    if (entry == nullptr) return refuse(*table, fmt::format("{} is missing", path(section, key)));
    const toml::table* const pair = entry->as_table();
    const toml::node* const value = pair != nullptr ? pair->get("value") : nullptr;
    const toml::node* const source = pair != nullptr ? pair->get("source") : nullptr;
    const auto source_text = source != nullptr ? source->value_exact<std::string>() : std::nullopt;
    if (value == nullptr || !source_text || source_text->empty() || pair->size() != 2) {
      return refuse(*entry,
                    fmt::format("{} is written {{ value = ..., source = \"where the value comes from\" }}",
                                path(section, key)));
    }
    sources_.push_back({path(section, key), *source_text});
    return value;
  }

  const toml::table& root_;
  std::string file_;
  std::vector<NumberSource>& sources_;
  std::vector<std::string> asked_for_;
};

/// "1.3" is 13, "9.0" is 90.
std::optional<int> parse_compute_capability(std::string_view text) {
  int major = 0;
  int minor = 0;
  const char* const end = text.data() + text.size();
  const auto [dot, problem] = std::from_chars(text.data(), end, major);
  if (problem != std::errc{} || dot == end || *dot != '.') return std::nullopt;
  const auto [stop, second_problem] = std::from_chars(dot + 1, end, minor);
  if (second_problem != std::errc{} || stop != end) return std::nullopt;
  if (major < 1 || major > 99 || minor < 0 || minor > 9) return std::nullopt;
  return 10 * major + minor;
}

Result<PartitionMap> read_partitions(DeviceFile& file, const toml::table& root) {
  PartitionMap map;
  TRY(map.count, file.count("partitions", "count"));
  TRY(const uint64_t width, file.whole("partitions", "width_bytes", 32, uint64_t{1} << 30));
  map.width_bytes = static_cast<uint32_t>(width);
  // A sector must lie in one partition.
  if (width % 32 != 0) {
    return file.refuse(*root["partitions"]["width_bytes"].node(),
                       "partitions.width_bytes is a multiple of 32");
  }
  TRY(const std::string hash, file.text("partitions", "hash"));
  if (hash != "linear" && hash != "unknown") {
    return file.refuse(*root["partitions"]["hash"].node(),
                       fmt::format("partitions.hash is \"linear\" or \"unknown\", \"{}\" was found", hash));
  }
  map.hash = hash == "linear" ? PartitionMap::Hash::Linear : PartitionMap::Hash::Unknown;
  return map;
}

Result<TimingParameters> read_timing(DeviceFile& file) {
  TimingParameters timing;
  TRY(timing.clusters, file.count("timing", "clusters"));
  TRY(timing.shader_hertz, file.rate("timing", "shader_hertz"));
  TRY(timing.core_hertz, file.rate("timing", "core_hertz"));
  TRY(timing.latency_shader_cycles, file.positive("timing", "latency_shader_cycles", "in cycles"));
  TRY(timing.issue_shader_cycles, file.count("timing", "issue_shader_cycles"));
  TRY(timing.instructions_per_ptx, file.positive("timing", "instructions_per_ptx", "per PTX instruction"));
  TRY(timing.bank_shader_cycles, file.count("timing", "bank_shader_cycles"));
  TRY(timing.division_instructions, file.count("timing", "division_instructions"));
  TRY(timing.cluster_queue, file.count("timing", "cluster_queue"));
  TRY(timing.partition_credits, file.count("timing", "partition_credits"));
  TRY(timing.write_port_bytes_per_core_cycle,
      file.positive("timing", "write_port_bytes_per_core_cycle", "in bytes"));
  TRY(timing.dispatch_core_cycles, file.positive("timing", "dispatch_core_cycles", "in cycles"));
  return timing;
}

Result<BoundParameters> read_bound(DeviceFile& file, const toml::table& root) {
  BoundParameters bound;
  TRY(bound.clock_hertz, file.rate("bound", "clock_hertz"));
  TRY(bound.start_seconds, file.positive("bound", "start_seconds", "in seconds"));
  TRY(bound.memory_share, file.positive("bound", "memory_share", "1 at most"));
  if (bound.memory_share > 1)
    return file.refuse(*root["bound"]["memory_share"].node(), "bound.memory_share is a share, 1 at most");
  TRY(bound.l2_bytes_per_second, file.rate("bound", "l2_bytes_per_second"));
  TRY(bound.lines_per_second, file.rate("bound", "lines_per_second"));
  TRY(bound.latency_cycles, file.positive("bound", "latency_cycles", "in cycles"));
  return bound;
}

Result<Device> device_of(const toml::table& root, const std::filesystem::path& path) {
  Device device;
  device.name = path.stem().string();
  DeviceFile file(root, path.string(), device.sources);
  TRY(device.title, file.title());
  TRY(const std::string capability, file.text("", "compute_capability"));
  const auto parsed = parse_compute_capability(capability);
  if (!parsed) {
    return file.refuse(
        *root.get("compute_capability"),
        fmt::format("compute_capability is written like \"9.0\", \"{}\" was found", capability));
  }
  device.compute_capability = *parsed;
  constexpr uint64_t kMostBytes = uint64_t{1} << 40;
  TRY(device.multiprocessors, file.count("multiprocessors", "count"));
  TRY(device.blocks_per_multiprocessor, file.count("multiprocessors", "blocks"));
  TRY(device.warps_per_multiprocessor, file.count("multiprocessors", "warps"));
  TRY(device.registers_per_multiprocessor, file.count("multiprocessors", "registers"));
  TRY(device.shared_bytes_per_multiprocessor, file.whole("multiprocessors", "shared_bytes", 1, kMostBytes));
  TRY(device.shared_bytes_reserved_per_block,
      file.whole("multiprocessors", "shared_bytes_reserved", 0, kMostBytes));
  if (file.has("memory")) {
    TRY(device.memory_bytes_per_second, file.rate("memory", "bytes_per_second"));
  }
  device.partitions = {.count = 0, .width_bytes = 0, .hash = PartitionMap::Hash::Unknown};
  if (file.has("partitions")) {
    TRY(device.partitions, read_partitions(file, root));
  }
  if (file.has("timing")) {
    TRY(device.timing, read_timing(file));
    if (device.timing->clusters > device.multiprocessors) {
      return file.refuse(*root["timing"]["clusters"].node(),
                         fmt::format("timing.clusters: {} multiprocessors cannot make {} clusters",
                                     device.multiprocessors, device.timing->clusters));
    }
  }
  if (file.has("bound")) {
    TRY(device.bound, read_bound(file, root));
  }
  TRY_VOID(file.finish());
  return device;
}

}  // namespace

Result<Device> read_device(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) {
    return fail(ErrorKind::File, "a device description was expected, the file cannot be read",
                Location{file.string(), 0});
  }
  try {
    return device_of(toml::parse(text.str()), file);
  } catch (const toml::parse_error& error) {
    return fail(ErrorKind::Syntax, fmt::format("this is not TOML: {}", error.description()),
                Location{file.string(), static_cast<int>(error.source().begin.line)});
  }
}

std::vector<std::string> device_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

Result<Device> find_device(const std::filesystem::path& folder, std::string_view name) {
  if (name.ends_with(".toml")) return read_device(std::filesystem::path(name));
  const std::vector<std::string> names = device_names(folder);
  if (names.empty()) {
    return fail(ErrorKind::File,
                "device descriptions were expected here, there are none; is the program installed whole?",
                Location{folder.string(), 0});
  }
  if (std::ranges::find(names, name) == names.end()) {
    return fail(
        ErrorKind::Usage,
        fmt::format("there is no device '{}'; there are {}; a file of your own is '--device FILE.toml'",
                    name.substr(0, 60), fmt::join(names, ", ")));
  }
  return read_device(folder / fmt::format("{}.toml", name));
}

}  // namespace lanescope::model
