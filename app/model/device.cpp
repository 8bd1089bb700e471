// Reads device descriptions from TOML. An unknown key is an error, since it is probably a typing mistake.

#include "model/device.h"

#include "base/file.h"
#include "base/toml_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

namespace lanescope::model {
namespace {

/// Reads { value, source } entries of one file and records which keys were read, so that unknown keys are
/// found.
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
  /// A count of units, such as multiprocessors or banks.
  Result<uint32_t> count(std::string_view section, std::string_view key, uint32_t largest = 4096) {
    TRY(const uint64_t number, whole(section, key, 1, largest));
    return static_cast<uint32_t>(number);
  }
  /// A number from `smallest` to `largest`; `unit` follows them in errors.
  Result<double> number(std::string_view section, std::string_view key, double smallest, double largest,
                        std::string_view unit) {
    TRY(const toml::node* const node, value_of(section, key));
    const auto number = node->value<double>();
    if (!number || !(*number >= smallest) || !(*number <= largest)) {
      return refuse(*node, fmt::format("{} is a number from {:g} to {:g} {}", path(section, key), smallest,
                                       largest, unit));
    }
    return *number;
  }
  Result<double> hertz(std::string_view section, std::string_view key) {
    return number(section, key, 1e6, 1e12, "per second");
  }
  Result<double> bytes_per_second(std::string_view section, std::string_view key) {
    return number(section, key, 1e8, 1e16, "per second");
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
      return refuse(root_, "title is a text in quotes, the product name of the device");
    return *value;
  }
  bool has(std::string_view section) const { return root_.contains(section); }

  /// An error for the first key that was never read.
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
    sources_.push_back({path(section, key), text_of(*value), *source_text});
    return value;
  }
  static std::string text_of(const toml::node& value) {
    if (const auto whole = value.value_exact<int64_t>()) return fmt::to_string(*whole);
    if (const auto number = value.value_exact<double>()) return fmt::format("{:g}", *number);
    return value.value_or(std::string());
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

Result<TimingParameters> read_timing(DeviceFile& file, const Device& device) {
  TimingParameters timing;
  timing.shader_hertz = device.clock_hertz;
  TRY(timing.clusters, file.count("timing", "clusters"));
  TRY(timing.core_hertz, file.hertz("timing", "core_hertz"));
  TRY(timing.latency_shader_cycles, file.number("timing", "latency_shader_cycles", 1, 1e6, "cycles"));
  TRY(timing.issue_shader_cycles, file.count("timing", "issue_shader_cycles"));
  TRY(timing.instructions_per_ptx, file.number("timing", "instructions_per_ptx", 0.01, 100, "each"));
  TRY(timing.bank_shader_cycles, file.count("timing", "bank_shader_cycles"));
  TRY(timing.division_instructions, file.count("timing", "division_instructions"));
  TRY(timing.cluster_queue, file.count("timing", "cluster_queue"));
  TRY(timing.partition_credits, file.count("timing", "partition_credits"));
  TRY(timing.write_port_bytes_per_core_cycle,
      file.number("timing", "write_port_bytes_per_core_cycle", 0.1, 1e6, "bytes"));
  TRY(timing.dispatch_core_cycles, file.number("timing", "dispatch_core_cycles", 0.1, 1e6, "cycles"));
  return timing;
}

Result<BoundParameters> read_bound(DeviceFile& file, const Device& device) {
  BoundParameters bound;
  bound.clock_hertz = device.clock_hertz;
  TRY(bound.start_seconds, file.number("bound", "start_seconds", 1e-12, 1, "seconds"));
  TRY(bound.memory_share, file.number("bound", "memory_share", 0.001, 1, "of the peak"));
  TRY(bound.l2_bytes_per_second, file.bytes_per_second("bound", "l2_bytes_per_second"));
  TRY(bound.lines_per_second, file.hertz("bound", "lines_per_second"));
  TRY(bound.latency_cycles, file.number("bound", "latency_cycles", 1, 1e6, "cycles"));
  if (file.has("kernels")) {
    TRY(bound.kernel_start_seconds, file.number("kernels", "start_seconds", 1e-12, 1, "seconds"));
    TRY(bound.most_lines_per_second, file.hertz("kernels", "lines_per_second"));
    TRY(bound.most_l2_bytes_per_second, file.bytes_per_second("kernels", "l2_bytes_per_second"));
  }
  if (!file.has("arithmetic")) return bound;
  const auto rate = [&](const char* name) { return file.number("arithmetic", name, 1, 1e6, "operations"); };
  TRY(bound.fp32_per_cycle, rate("fp32_per_cycle"));
  TRY(bound.fp64_per_cycle, rate("fp64_per_cycle"));
  TRY(bound.fp16_per_cycle, rate("fp16_per_cycle"));
  TRY(bound.tensor_per_cycle, rate("tensor_per_cycle"));
  TRY(bound.tensor8_per_cycle, rate("tensor8_per_cycle"));
  return bound;
}

/// What model/transactions.h does for a compute capability.
std::string_view transaction_rule(int compute_capability) {
  if (compute_capability < 12) return "segments in order";
  if (compute_capability < 20) return "segments that shrink";
  return compute_capability < 50 ? "lines and sectors" : "sectors";
}

Result<void> check_rules(DeviceFile& file, const toml::table& root, int compute_capability) {
  const uint64_t banks_there = compute_capability < 20 ? 16 : 32;  // model/bank_rules.h
  TRY(const uint64_t banks, file.whole("rules", "banks", 16, 32));
  if (banks != banks_there)
    return file.refuse(*root["rules"]["banks"].node(),
                       fmt::format("rules.banks: shared memory has {} banks at this compute capability, {} "
                                   "was found",
                                   banks_there, banks));
  const std::string_view rule_there = transaction_rule(compute_capability);
  TRY(const std::string rule, file.text("rules", "transactions"));
  if (rule != rule_there)
    return file.refuse(*root["rules"]["transactions"].node(),
                       fmt::format("rules.transactions is \"{}\" at this compute capability, \"{}\" was "
                                   "found",
                                   rule_there, rule));
  return {};
}

Result<double> read_memory(DeviceFile& file, const toml::table& root) {
  TRY(const double bytes_per_second, file.bytes_per_second("memory", "bytes_per_second"));
  const auto* const memory = root["memory"].as_table();
  if (memory == nullptr || !(memory->contains("bus_bits") || memory->contains("transfers_per_second")))
    return bytes_per_second;
  TRY(const uint64_t bits, file.whole("memory", "bus_bits", 8, 1 << 20));
  TRY(const double transfers, file.hertz("memory", "transfers_per_second"));
  const double of_bus = static_cast<double>(bits) / 8 * transfers;
  // Data sheets round: to 1 %.
  if (std::abs(of_bus / bytes_per_second - 1) > 0.01)
    return file.refuse(*root["memory"]["bytes_per_second"].node(),
                       fmt::format("memory.bytes_per_second is {:g}, but {} bits x {:g} transfers per second "
                                   "are {:g}",
                                   bytes_per_second, bits, transfers, of_bus));
  return bytes_per_second;
}

Result<CacheParameters> read_caches(DeviceFile& file, const toml::table& root, const Device& device) {
  constexpr uint64_t kLeastL1 = 8 << 10;  // beside the most shared memory
  constexpr uint64_t kMostL1 = 1 << 20;
  constexpr uint64_t kLeastL2 = 64 << 10, kMostL2 = uint64_t{1} << 40;
  CacheParameters caches;
  TRY(caches.l1_bytes, file.whole("caches", "l1_bytes", kLeastL1, kMostL1));
  TRY(caches.l2_bytes, file.whole("caches", "l2_bytes", kLeastL2, kMostL2));
  TRY(const uint64_t partitions, file.whole("caches", "l2_partitions", 1, 2));
  caches.l2_partitions = static_cast<uint32_t>(partitions);
  if (caches.l1_bytes < device.shared_bytes_per_multiprocessor + kLeastL1)
    return file.refuse(
        *root["caches"]["l1_bytes"].node(),
        fmt::format("caches.l1_bytes is {}, with the shared memory: at least {} more than its {} "
                    "bytes",
                    caches.l1_bytes, kLeastL1, device.shared_bytes_per_multiprocessor));
  return caches;
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
  TRY(device.registers_per_multiprocessor, file.count("multiprocessors", "registers", 1 << 24));
  TRY(device.shared_bytes_per_multiprocessor, file.whole("multiprocessors", "shared_bytes", 1, kMostBytes));
  TRY(device.shared_bytes_reserved_per_block,
      file.whole("multiprocessors", "shared_bytes_reserved", 0, kMostBytes));
  TRY(device.clock_hertz, file.hertz("multiprocessors", "clock_hertz"));
  if (file.has("rules")) TRY_VOID(check_rules(file, root, device.compute_capability));
  if (file.has("memory")) {
    TRY(device.memory_bytes_per_second, read_memory(file, root));
  }
  device.partitions = {.count = 0, .width_bytes = 0, .hash = PartitionMap::Hash::Unknown};
  if (file.has("partitions")) {
    TRY(device.partitions, read_partitions(file, root));
  }
  if (file.has("timing")) {
    TRY(device.timing, read_timing(file, device));
    if (device.timing->clusters > device.multiprocessors) {
      return file.refuse(*root["timing"]["clusters"].node(),
                         fmt::format("timing.clusters: {} multiprocessors cannot make {} clusters",
                                     device.multiprocessors, device.timing->clusters));
    }
  }
  if (file.has("caches")) {
    TRY(device.caches, read_caches(file, root, device));
  }
  if (file.has("bound")) {
    TRY(device.bound, read_bound(file, device));
  }
  TRY_VOID(file.finish());
  return device;
}

}  // namespace

Result<Device> read_device(const std::filesystem::path& file) {
  constexpr uint64_t kMaximumBytes = 1 << 20;
  TRY(const std::string text, read_text(file, kMaximumBytes));
  TRY_VOID(refuse_long_keys(text, file));
  try {
    return device_of(toml::parse(text), file);
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
                "no device descriptions were found here; the installation is incomplete, run app/run",
                Location{folder.string(), 0});
  }
  if (std::ranges::find(names, name) == names.end()) {
    return fail(
        ErrorKind::Usage,
        fmt::format("there is no device '{}'; there are {}; for your own file use '--device FILE.toml'",
                    name.substr(0, 60), fmt::join(names, ", ")));
  }
  return read_device(folder / fmt::format("{}.toml", name));
}

}  // namespace lanescope::model
