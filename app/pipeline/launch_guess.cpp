#include "pipeline/launch_guess.h"

#include "launch/argument_spec.h"
#include "launch/buffer_spec.h"
#include "pipeline/file_job.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
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

/// A parameter's type: "float" and how many * follow it.
struct Type {
  std::string name;
  int stars = 0;
};

Type type_of(const ListedKernel::Parameter& parameter) {
  const std::string plain =
      parameter.plain.empty() ? compile::HostTypes().plain(parameter.type) : parameter.plain;
  const size_t star = std::min(plain.find('*'), plain.size());
  return {plain.substr(0, star), static_cast<int>(plain.size() - star)};
}

std::optional<Element> element_of(std::string_view type) {
  for (const auto& [name, element] : kElements)
    if (type == name) return element;
  return {};
}

/// Threads of the launch in x and y.
struct Threads {
  uint64_t x = 1, y = 1;
};

std::string lower(std::string_view name) {
  std::string all;
  for (const char c : name)
    if (c != '_') all += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return all;
}

bool names_rows(std::string_view name) {
  const std::string plain = lower(name);
  return plain.contains("row") || plain.contains("height") || plain == "h" || plain == "m" || plain == "ny";
}

/// Names of numbers that are small in most programs.
std::optional<uint64_t> small_number(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, uint64_t>, 29> kSmall{
      {{"radius", 3},    {"offset", 0},    {"shift", 1},      {"start", 0},    {"begin", 0}, {"first", 0},
       {"iter", 4},      {"iters", 4},     {"iterations", 4}, {"niter", 4},    {"steps", 4}, {"nsteps", 4},
       {"timesteps", 4}, {"batch", 2},     {"batchsize", 2},  {"channels", 4}, {"heads", 4}, {"numheads", 4},
       {"headdim", 32},  {"ksize", 3},     {"seed", 1},       {"padding", 1},  {"pad", 1},   {"dilation", 1},
       {"bins", 256},    {"numbins", 256}, {"nbins", 256},    {"device", 0},   {"rank", 0}}};
  const std::string plain = lower(name);
  for (const auto& [known, number] : kSmall)
    if (plain == known) return number;
  // Extents of a kernel of a convolution, of its filter or of a window: kernel_rows, filterWidth, pool_w.
  constexpr std::array<std::string_view, 5> kWindows{"kernel", "filter", "mask", "window", "pool"};
  constexpr std::array<std::string_view, 10> kExtents{"size", "width",   "height", "depth", "rows",
                                                      "cols", "columns", "w",      "h",     "d"};
  constexpr uint64_t kWindow = 3;
  for (const std::string_view window : kWindows)
    if (plain.starts_with(window) &&
        std::ranges::find(kExtents, plain.substr(window.size())) != kExtents.end())
      return kWindow;
  return {};
}

/// A name that --arg accepts, or none.
std::string named(const std::string& name) {
  const bool is_plain =
      !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
      std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  return is_plain ? name + "=" : "";
}

std::string number_text(const Element& element, double number) {
  const bool is_real = element.type.starts_with('f') || element.type == "bf16";
  return is_real ? fmt::format("{}", number) : fmt::format("{:.0f}", std::trunc(number));
}

/// Makes the arguments of one launch.
class ArgumentGuess {
 public:
  /// `by_host`: null where the host code does not say which arguments it passes.
  ArgumentGuess(const ListedKernel& kernel, const compile::HostLaunch* by_host, Threads threads)
      : kernel_(kernel), by_host_(by_host), threads_(threads) {
    // Products of several numbers are sizes.
    constexpr uint64_t kMostOfMany = 128;
    size_t integers = 0;
    for (const ListedKernel::Parameter& parameter : kernel.parameters) {
      const Type type = type_of(parameter);
      const auto element = element_of(type.name);
      const bool is_count = type.stars == 0 && element && !element->type.starts_with('f') &&
                            element->type != "bf16" && type.name != "bool" && !small_number(parameter.name);
      integers += is_count ? 1 : 0;
    }
    most_ = integers > 2 && threads.y == 1 ? kMostOfMany : ~uint64_t{0};
  }

  Result<std::string> argument(size_t n) {
    const ListedKernel::Parameter& parameter = kernel_.parameters[n];
    const Type type = type_of(parameter);
    const compile::HostArgument said =
        by_host_ != nullptr && n < by_host_->values.size() ? by_host_->values[n] : compile::HostArgument();
    const std::string name = named(parameter.name);
    const bool is_image =
        parameter.type.contains("TextureObject") || parameter.type.contains("SurfaceObject");
    if (!is_image) {
      if (type.stars == 1 || (type.name.starts_with('.') && parameter.is_address))
        return buffer(n, parameter, type, said);
      const auto element = element_of(type.name);
      if (type.stars == 0 && element) {
        std::string text = number(parameter, type, *element, said.number);
        const bool is_whole = !element->type.starts_with('f') && element->type != "bf16";
        for (const uint64_t threads : {threads_.x, threads_.y})
          if (!said.number && is_whole && threads != 1 && text.ends_with(fmt::format(":{}", threads))) {
            guess_.counts.push_back({parameter.name, n, threads});
            break;
          }
        return name + text;
      }
      if (type.stars == 0 && !parameter.fields.empty())
        if (const auto fields = struct_of(parameter, said)) return name + *fields;
      // Of an empty class, and of one whose fields are not known, zeros are as good as anything.
      if (type.stars == 0 && parameter.size_bytes != 0 && parameter.fields.empty() &&
          !type.name.starts_with('.')) {
        guess_.values |= parameter.size_bytes > 1;
        return fmt::format("{}bytes:{:0{}}", name, 0, 2 * parameter.size_bytes);
      }
    }
    return fail(ErrorKind::Usage, fmt::format("parameter '{}' has the type {}, {}", parameter.name,
                                              parameter.type, advice_on(parameter, type)));
  }

  const Guess& guess() const { return guess_; }

 private:
  /// What to do where no value can be guessed.
  static std::string advice_on(const ListedKernel::Parameter& parameter, const Type& type) {
    const auto is_address = [](const compile::HostTypes::Field& field) { return field.type.contains('*'); };
    if (type.stars > 1)
      return "a table of addresses, which only a program fills: give the file with its main, which then runs";
    if (type.stars == 0 && std::ranges::any_of(parameter.fields, is_address))
      return "which has addresses: declare their buffers in a file of launches, and give it by its fields, "
             "as "
             "\"{i32:64,elements}\" (app/docs/command_line.md)";
    return "for which no value can be guessed; give all arguments with --arg, as 'lanescope help trace' "
           "shows";
  }

  std::string number(const ListedKernel::Parameter& parameter, const Type& type, const Element& element,
                     std::optional<double> said) {
    if (element.count != 1) {
      guess_.values = true;
      std::string fields;
      for (int n = 0; n < element.count; ++n)
        fields += fmt::format("{}{}:1", n == 0 ? "" : ",", element.type);
      return "{" + fields + "}";
    }
    if (said) return fmt::format("{}:{}", element.type, number_text(element, *said));
    guess_.values = true;
    if (element.type.starts_with('f') || element.type == "bf16") return fmt::format("{}:1", element.type);
    const uint64_t most = type.name == "bool"            ? 1
                          : element.type.ends_with('8')  ? 100
                          : element.type.ends_with("16") ? 30000
                                                         : most_;
    const uint64_t count =
        small_number(parameter.name).value_or(names_rows(parameter.name) ? threads_.y : threads_.x);
    return fmt::format("{}:{}", element.type, std::min(count, most));
  }

  /// None where a field is an address, or a vector does not lie where the fields before it end.
  std::optional<std::string> struct_of(const ListedKernel::Parameter& parameter,
                                       const compile::HostArgument& said) {
    std::string fields;
    uint64_t end = 0;          // bytes of the fields so far
    bool has_vectors = false;  // the values that the host code says are those of fields before the first one
    size_t at = 0;
    for (const compile::HostTypes::Field& field : parameter.fields) {
      const auto element = element_of(field.type);
      if (!element) return {};
      const auto type = launch::parse_type(element->type);
      if (!type) return {};
      const uint64_t bytes = launch::size_bytes(*type);
      const auto count = static_cast<uint64_t>(element->count);
      const uint64_t alignment = count == 2 || count == 4 ? count * bytes : bytes;
      has_vectors = has_vectors || count != 1;
      end = (end + bytes - 1) / bytes * bytes;
      if (end % alignment != 0) return {};
      for (uint64_t k = 0; k < field.count * count; ++k, ++at, end += bytes) {
        ListedKernel::Parameter one{field.type, field.name};
        const std::optional<double> value =
            at < said.fields.size() && !has_vectors ? std::optional(said.fields[at]) : std::nullopt;
        fields += (fields.empty() ? "" : ",") + number(one, {field.type, 0}, {element->type}, value);
      }
    }
    return "{" + fields + "}";
  }

  Result<std::string> buffer(size_t n, const ListedKernel::Parameter& parameter, const Type& type,
                             const compile::HostArgument& said) {
    // What is no known type is taken byte by byte, in words.
    Element element = element_of(type.name).value_or(Element{"u32"});
    const bool is_known = element_of(type.name).has_value() || type.name.starts_with('.');
    const uint64_t unit = is_known || parameter.pointee_bytes == 0 ? 1 : (parameter.pointee_bytes + 3) / 4;
    const std::string offset = said.offset_bytes == 0 ? "" : fmt::format("+{}", said.offset_bytes);
    // One buffer of the host for two parameters is one here.
    for (size_t k = 0; !said.buffer.empty() && k < names_.size() && k < by_host_->values.size(); ++k)
      if (by_host_->values[k].buffer == said.buffer && !names_[k].empty()) {
        names_.resize(n + 1);
        return names_[k] + offset;
      }
    std::string name = parameter.name;
    if (named(name).empty()) name = fmt::format("parameter_{}", n + 1);
    names_.resize(n + 1);
    names_[n] = name;
    guess_.contents = true;
    const std::string contents = parameter.is_read || parameter.type.contains("const") ? "iota" : "zeros";
    const auto type_of_element = launch::parse_type(element.type);
    const uint64_t element_bytes =
        type_of_element ? launch::size_bytes(*type_of_element) * static_cast<uint64_t>(element.count) : 4;
    std::string shape = fmt::to_string(threads_.x * unit);
    if (said.buffer_bytes && *said.buffer_bytes != 0) {
      const uint64_t count = (*said.buffer_bytes + element_bytes - 1) / element_bytes;
      const bool is_matrix = threads_.y > 1 && count == threads_.y * threads_.x;
      shape = is_matrix ? fmt::format("{}x{}", threads_.y, threads_.x) : fmt::to_string(count);
      if (said.is_least) guess_.buffers.push_back({name, contents, false});
    } else {
      guess_.buffers.push_back({name, contents, unit == 1 && element.count == 1});
      if (threads_.y > 1) shape = fmt::format("{}x{}", threads_.y, threads_.x * unit);
    }
    const std::string vector = element.count == 1 ? "" : fmt::format("x{}", element.count);
    return fmt::format("{}={}[{}{}]:{}{}", name, element.type, shape, vector, contents, offset);
  }

  const ListedKernel& kernel_;
  const compile::HostLaunch* by_host_;
  Threads threads_;
  uint64_t most_ = 0;               // of a number that is guessed
  std::vector<std::string> names_;  // [parameter] of its buffer, where it has one of its own
  Guess guess_;
};

std::string text_of(Dim3 extent) {
  if (extent.z != 1) return fmt::format("{},{},{}", extent.x, extent.y, extent.z);
  return extent.y != 1 ? fmt::format("{},{}", extent.x, extent.y) : fmt::to_string(extent.x);
}

/// The launch of the host code that says most.
const compile::HostLaunch* best_launch(const ListedKernel& kernel) {
  const compile::HostLaunch* best = nullptr;
  int most = -1;
  for (const compile::HostLaunch& one : kernel.launches) {
    const int says = (one.block_value ? 2 : 0) + (one.grid_value ? 1 : 0);
    if (says > most) best = &one;
    most = std::max(most, says);
  }
  return best;
}

/// As many blocks as the largest whole number among the arguments has threads for; none where there is none.
std::optional<std::string> grid_by_count(const compile::HostLaunch* by_host, Dim3 block) {
  constexpr uint64_t kMostBlocks = 4096;
  double count = 0;
  if (by_host != nullptr)
    for (const compile::HostArgument& argument : by_host->values)
      count = std::max(count, argument.number.value_or(0));
  if (count < 2 || count > 1e9) return {};
  return fmt::to_string(
      std::clamp<uint64_t>((static_cast<uint64_t>(count) + block.x - 1) / block.x, 1, kMostBlocks));
}

/// Block of a kernel of which nothing else is known.
std::string usual_block(const ListedKernel& kernel) {
  constexpr uint64_t kThreads = 256;
  if (kernel.dimensions >= 2 && kernel.tile != 0) return fmt::format("{0},{0}", kernel.tile);
  if (kernel.most_threads != 0 && kernel.most_threads < kThreads) return fmt::to_string(kernel.most_threads);
  return kernel.dimensions < 2 ? "256" : "16,16";
}

/// Grid, block and shared memory of `launch`, where they are not given. `by_host`: null where the host code
/// launches the kernel nowhere. Errors: those of launch::parse_dim3() of a block that is given.
Result<void> complete_shape(LaunchText& launch, const ListedKernel& kernel,
                            const compile::HostLaunch* by_host) {
  const bool is_flat = kernel.dimensions < 2;
  const bool is_block_given = !launch.block.empty();
  const bool is_host_block = by_host != nullptr && by_host->block_value && !is_block_given;
  launch.guess.block = !is_block_given && !is_host_block;
  if (!is_block_given) launch.block = is_host_block ? text_of(*by_host->block_value) : usual_block(kernel);
  TRY(const Dim3 block, launch::parse_dim3(launch.block));
  if (launch.shared_bytes == 0 && !is_block_given) {
    const auto said = by_host == nullptr ? std::optional<uint64_t>() : by_host->shared_bytes_value;
    const auto by_block = by_host == nullptr ? std::nullopt : by_host->shared_bytes_by_block;
    launch.guess.shared = !said;
    if (said) launch.shared_bytes = *said;
    if (!said && by_block) launch.shared_bytes = (*by_block)[0] + (*by_block)[1] * volume(block);
  }
  if (!launch.grid.empty()) return {};
  const bool is_host_grid = is_host_block && by_host->grid_value;
  const auto by_count = is_flat ? grid_by_count(by_host, block) : std::nullopt;
  const bool is_all_given = !launch.arguments.empty() || (is_block_given && kernel.parameters.empty());
  launch.guess.grid = !is_all_given && !is_host_grid && kernel.has_block_index;
  launch.grid = is_all_given || !kernel.has_block_index ? "1"
                : is_flat                               ? by_count.value_or("4")
                : !is_block_given && block.x > 16       ? "8,8"
                                                        : "16,16";
  if (is_host_grid && !is_all_given) launch.grid = text_of(*by_host->grid_value);
  return {};
}

/// The arguments of a launch that has none yet, and what of them is a guess. The first error, after which the
/// others are guessed all the same.
Result<void> add_arguments(LaunchText& launch, const ListedKernel& kernel,
                           const compile::HostLaunch* by_host) {
  TRY(const Dim3 grid, launch::parse_dim3(launch.grid));
  TRY(const Dim3 block, launch::parse_dim3(launch.block));
  ArgumentGuess guess(kernel, by_host, {uint64_t{grid.x} * block.x, uint64_t{grid.y} * block.y});
  Result<void> problem;
  for (size_t n = 0; n < kernel.parameters.size(); ++n) {
    const auto argument = guess.argument(n);
    if (!argument && problem) problem = std::unexpected(argument.error());
    launch.arguments.push_back(argument.value_or(""));
  }
  launch.guess.values = guess.guess().values;
  launch.guess.contents = guess.guess().contents;
  launch.guess.buffers = guess.guess().buffers;
  launch.guess.counts = guess.guess().counts;
  return problem;
}

GuessedLaunch guess_of(const ListedKernel& kernel, const LaunchText& given) {
  GuessedLaunch guess{&kernel, given, {}};
  const compile::HostLaunch* const by_host = best_launch(kernel);
  Result<void> done = complete_shape(guess.text, kernel, by_host);
  if (done && given.arguments.empty()) done = add_arguments(guess.text, kernel, by_host);
  if (!done) guess.problem = done.error();
  // Where the grid or the block that is given is wrong, there is no argument yet.
  if (given.arguments.empty()) guess.text.arguments.resize(kernel.parameters.size());
  return guess;
}

}  // namespace

Result<LaunchText> complete_launch(const ListedKernel& kernel, const LaunchText& given) {
  GuessedLaunch guess = guess_of(kernel, given);
  if (guess.problem) return std::unexpected(*std::move(guess.problem));
  return std::move(guess.text);
}

std::optional<GuessedLaunch> guess_launch(std::span<const ListedKernel> kernels, const LaunchText& given) {
  std::optional<GuessedLaunch> first;
  if (const ListedKernel* const kernel = kernel_named(kernels, given.kernel)) {
    first = guess_of(*kernel, given);
  } else if (given.kernel.empty()) {
    for (const ListedKernel* const one : in_order(kernels)) {
      if (!given.arguments.empty() && given.arguments.size() != one->parameters.size()) continue;
      GuessedLaunch guess = guess_of(*one, given);
      const bool is_whole = !guess.problem;
      if (is_whole || !first) first = std::move(guess);
      if (is_whole) break;
    }
  }
  if (first && given.kernel.empty()) first->text.kernel = choosing_name(kernels, *first->kernel);
  return first;
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
    given.kernel = choosing_name(kernels, *one.kernel);
    given.grid.clear();
    TRY(LaunchText launch, complete_launch(kernel, given));
    for (size_t n = 0; n < launch.arguments.size(); ++n) {
      std::string& argument = launch.arguments[n];
      const size_t bracket = argument.find('[');
      if (bracket == std::string::npos) continue;
      const std::string own = argument.substr(0, argument.find('='));
      std::string name =
          n < one.by_host.arguments.size() ? one.by_host.arguments[n] : kernel.parameters[n].name;
      if (n < one.by_host.values.size() && !one.by_host.values[n].buffer.empty())
        name = one.by_host.values[n].buffer;
      std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; });
      if (named(name).empty()) name = fmt::format("buffer_{}", buffers.size());
      std::string spec = argument.substr(argument.find('=') + 1);
      const size_t plus = spec.rfind('+');
      const std::string offset = plus == std::string::npos ? "" : spec.substr(plus);
      spec.resize(std::min(plus, spec.size()));
      launch::Launch holder;
      TRY_VOID(launch::add_argument(holder, spec));
      // The largest that a launch needs.
      const uint64_t bytes = holder.buffers.front().initial->size();
      auto& known = buffers[name];
      if (bytes > known.first) known = {bytes, spec};
      argument = name + offset;
      // A later argument may be this buffer again.
      for (std::string& later : launch.arguments)
        if (later == own || later.starts_with(own + "+")) later.replace(0, own.size(), name);
      for (Guess::Buffer& buffer : launch.guess.buffers)
        if (buffer.name == own) buffer.name = name;
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
