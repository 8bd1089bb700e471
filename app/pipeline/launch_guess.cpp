#include "pipeline/launch_guess.h"

#include "launch/argument_spec.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

/// An element of a buffer: its type in --arg and how many of them a vector type has.
struct Element {
  std::string_view type;
  int count = 1;
};

constexpr std::array kElements{
    std::pair{"float", Element{"f32"}},
    std::pair{"double", Element{"f64"}},
    std::pair{"int", Element{"i32"}},
    std::pair{"signed", Element{"i32"}},
    std::pair{"int32_t", Element{"i32"}},
    std::pair{"unsigned", Element{"u32"}},
    std::pair{"unsigned int", Element{"u32"}},
    std::pair{"uint", Element{"u32"}},
    std::pair{"uint32_t", Element{"u32"}},
    std::pair{"char", Element{"i8"}},
    std::pair{"signed char", Element{"i8"}},
    std::pair{"int8_t", Element{"i8"}},
    std::pair{"unsigned char", Element{"u8"}},
    std::pair{"uchar", Element{"u8"}},
    std::pair{"uint8_t", Element{"u8"}},
    std::pair{"bool", Element{"u8"}},
    std::pair{"short", Element{"i16"}},
    std::pair{"int16_t", Element{"i16"}},
    std::pair{"unsigned short", Element{"u16"}},
    std::pair{"ushort", Element{"u16"}},
    std::pair{"uint16_t", Element{"u16"}},
    std::pair{"half", Element{"f16"}},
    std::pair{"__half", Element{"f16"}},
    std::pair{"half2", Element{"f16", 2}},
    std::pair{"__nv_bfloat16", Element{"bf16"}},
    std::pair{"long", Element{"i64"}},
    std::pair{"long long", Element{"i64"}},
    std::pair{"int64_t", Element{"i64"}},
    std::pair{"unsigned long", Element{"u64"}},
    std::pair{"unsigned long long", Element{"u64"}},
    std::pair{"uint64_t", Element{"u64"}},
    std::pair{"size_t", Element{"u64"}},
    std::pair{"float2", Element{"f32", 2}},
    std::pair{"float3", Element{"f32", 3}},
    std::pair{"float4", Element{"f32", 4}},
    std::pair{"double2", Element{"f64", 2}},
    std::pair{"int2", Element{"i32", 2}},
    std::pair{"int4", Element{"i32", 4}},
    std::pair{"uint2", Element{"u32", 2}},
    std::pair{"uint4", Element{"u32", 4}},
    std::pair{"uchar4", Element{"u8", 4}},
};

/// A parameter's type without its qualifiers.
struct Type {
  std::string name;
  bool is_pointer = false;
  bool is_const = false;  // what it points to
};

Type type_of(std::string_view text) {
  constexpr std::array<std::string_view, 6> kDropped{"const",        "volatile",   "restrict",
                                                     "__restrict__", "__restrict", "__grid_constant__"};
  Type type;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    const auto is_letter = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
    };
    if (is_letter(text[at])) {
      while (end < text.size() && is_letter(text[end])) ++end;
      const std::string_view word = text.substr(at, end - at);
      type.is_const |= word == "const" && !type.is_pointer;
      if (std::ranges::find(kDropped, word) == kDropped.end())
        type.name += (type.name.empty() ? "" : " ") + std::string(word);
    } else if (text[at] == '*' || text[at] == '[') {
      type.is_pointer = true;
    }
    at = end;
  }
  return type;
}

std::optional<Element> element_of(const Type& type) {
  for (const auto& [name, element] : kElements)
    if (type.name == name) return element;
  return {};
}

/// Threads of the launch in x and y.
struct Threads {
  uint64_t x = 1, y = 1;
};

bool names_rows(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower.contains("row") || lower.contains("height") || lower == "h" || lower == "m" || lower == "ny";
}

/// A name that --arg accepts, or none.
std::string named(const std::string& name) {
  const bool is_plain =
      !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
      std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  return is_plain ? name + "=" : "";
}

Result<std::string> argument_of(const ListedKernel::Parameter& parameter, const Threads& threads) {
  const Type type = type_of(parameter.type);
  const auto element = element_of(type);
  const std::string name = named(parameter.name);
  if (!element)
    return fail(
        ErrorKind::Usage,
        fmt::format("parameter '{}' has the type {}, for which no value can be guessed; give all arguments "
                    "with --arg, as 'lanescope help trace' shows",
                    parameter.name, parameter.type));
  if (type.is_pointer) {
    const std::string vector = element->count == 1 ? "" : fmt::format("x{}", element->count);
    const std::string shape =
        threads.y == 1 ? fmt::to_string(threads.x) : fmt::format("{}x{}", threads.y, threads.x);
    return fmt::format("{}{}[{}{}]:{}", name, element->type, shape, vector, type.is_const ? "iota" : "zeros");
  }
  if (element->type.starts_with('f') || element->type == "bf16")
    return fmt::format("{}{}:1", name, element->type);
  const uint64_t most = type.name == "bool"             ? 1
                        : element->type.ends_with('8')  ? 100
                        : element->type.ends_with("16") ? 30000
                                                        : ~uint64_t{0};
  return fmt::format("{}{}:{}", name, element->type,
                     std::min(names_rows(parameter.name) ? threads.y : threads.x, most));
}

std::string text_of(Dim3 extent) {
  if (extent.z != 1) return fmt::format("{},{},{}", extent.x, extent.y, extent.z);
  return extent.y != 1 ? fmt::format("{},{}", extent.x, extent.y) : fmt::to_string(extent.x);
}

}  // namespace

Result<LaunchText> complete_launch(const ListedKernel& kernel, const LaunchText& given) {
  LaunchText launch = given;
  const auto by_host = std::ranges::find_if(
      kernel.launches, [](const compile::HostLaunch& one) { return one.grid_value && one.block_value; });
  const bool is_known = by_host != kernel.launches.end();
  const bool is_flat = kernel.dimensions < 2;
  if (launch.block.empty()) {
    launch.block = is_known ? text_of(*by_host->block_value) : is_flat ? "256" : "16,16";
    if (launch.shared_bytes == 0 && is_known) launch.shared_bytes = by_host->shared_bytes_value.value_or(0);
  }
  if (launch.grid.empty()) {
    launch.grid = !launch.arguments.empty() ? "1"
                  : is_known                ? text_of(*by_host->grid_value)
                  : is_flat                 ? "256"
                                            : "16,16";
  }
  if (!launch.arguments.empty()) return launch;
  TRY(const Dim3 grid, launch::parse_dim3(launch.grid));
  TRY(const Dim3 block, launch::parse_dim3(launch.block));
  const Threads threads{uint64_t{grid.x} * block.x, uint64_t{grid.y} * block.y};
  for (const ListedKernel::Parameter& parameter : kernel.parameters) {
    TRY(launch.arguments.emplace_back(), argument_of(parameter, threads));
  }
  return launch;
}

Result<LaunchFile> guess_launch_file(const std::string& file, const std::vector<ListedKernel>& kernels) {
  struct Made {
    const ListedKernel* kernel;
    compile::HostLaunch by_host;
  };
  std::vector<Made> made;
  for (const ListedKernel& kernel : kernels)
    for (const compile::HostLaunch& launch : kernel.launches)
      if (!kernel.refused) made.push_back({&kernel, launch});
  std::ranges::stable_sort(made, {}, [](const Made& one) { return one.by_host.where.line; });
  if (made.empty())
    return fail(ErrorKind::Usage,
                "the host code of this file launches none of its kernels; write the launches yourself, as "
                "app/docs/command_line.md shows",
                Location{file, 0});
  LaunchFile all;
  std::map<std::string, std::pair<uint64_t, std::string>> buffers;  // [name] elements, specification
  for (const Made& one : made) {
    ListedKernel kernel = *one.kernel;
    kernel.launches = {one.by_host};
    LaunchText given;
    given.file = file;
    given.kernel = kernel.name;
    given.grid.clear();
    TRY(LaunchText launch, complete_launch(kernel, given));
    for (size_t n = 0; n < launch.arguments.size(); ++n) {
      std::string& argument = launch.arguments[n];
      const size_t bracket = argument.find('[');
      if (bracket == std::string::npos) continue;
      std::string name =
          n < one.by_host.arguments.size() ? one.by_host.arguments[n] : kernel.parameters[n].name;
      std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; });
      if (named(name).empty()) name = fmt::format("buffer_{}", buffers.size());
      const std::string spec = argument.substr(argument.find('=') + 1);
      launch::Launch holder;
      TRY_VOID(launch::add_argument(holder, spec));
      // The largest that a launch needs.
      const uint64_t bytes = holder.buffers.front().initial->size();
      auto& known = buffers[name];
      if (bytes > known.first) known = {bytes, spec};
      argument = name;
    }
    all.launches.push_back(std::move(launch));
  }
  for (const auto& [name, spec] : buffers) all.buffers.push_back(name + "=" + spec.second);
  return all;
}

std::string options_text(const LaunchText& launch) {
  std::string text = fmt::format("--grid {} --block {}", launch.grid, launch.block);
  if (launch.shared_bytes != 0) text += fmt::format(" --shared {}", launch.shared_bytes);
  for (const std::string& argument : launch.arguments) text += " --arg " + argument;
  return text;
}

}  // namespace lanescope::pipeline
