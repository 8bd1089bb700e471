#include "shell/sweep_arguments.h"

#include "base/file.h"
#include "compile/content_key.h"
#include "shell/hosting/source_program.h"
#include "sweep/extent_expression.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

/// The options that have several values, kernels first: choosing one sets toggles.
Result<std::vector<sweep::Axis>> axes_of(const RunArguments& arguments) {
  std::vector<sweep::Axis> axes;
  for (const std::string& set : arguments.set) {
    TRY(sweep::Axis axis, sweep::parse_axis("--set", set));
    axes.insert(axis.name == "kernel" ? axes.begin() : axes.end(), std::move(axis));
  }
  for (const std::string& define : arguments.compile.defines)
    if (define.find('=') != std::string::npos) {
      TRY(axes.emplace_back(), sweep::parse_axis("-D", define));
    }
  for (const auto& [option, name, text] :
       {std::tuple{"--grid", "grid", &arguments.grid}, std::tuple{"--block", "block", &arguments.block}}) {
    if (text->empty()) continue;
    sweep::Axis axis{.option = option, .name = name, .values = {}};
    auto values = sweep::parse_values(option, *text);
    if (!values)
      return fail(ErrorKind::Usage, fmt::format("{}; x is between the sizes of one shape, as in 16x16",
                                                values.error().message));
    axis.values = *std::move(values);
    axes.push_back(std::move(axis));
  }
  TRY_VOID(sweep::check_axes(axes));
  return axes;
}

/// The options with one value that change what is counted, in one order.
std::vector<std::string> fixed_options(const RunArguments& arguments) {
  std::vector<std::string> options;
  const auto add = [&](const char* option, const std::string& value) {
    if (arguments.verb->has(option)) options.push_back(fmt::format("{}={}", option, value));
  };
  const auto add_all = [&](const char* option, const std::vector<std::string>& values) {
    for (std::string value : values) {
      std::ranges::replace(value, kWordEnd, ' ');
      options.push_back(fmt::format("{}={}", option, value));
    }
  };
  add("--kernel", arguments.kernel);
  add("--shared", fmt::to_string(arguments.shared_bytes));
  add_all("--arg", arguments.arguments);
  add_all("--constant", arguments.constants);
  add_all("--then", arguments.then);
  add("--launch", fmt::to_string(arguments.launch));
  if (arguments.kernels_only) options.emplace_back("--kernels-only");
  if (arguments.of_program.no_repeats) options.emplace_back("--no-repeats");
  if (arguments.of_program.keep_going) options.emplace_back("--keep-going");
  add("--sample-blocks", fmt::to_string(arguments.of_program.sample_blocks.value_or(0)));
  if (arguments.of_program.sample_all) options.emplace_back("--sample-all");
  add("--limit-seconds", fmt::to_string(arguments.gpu.limit_seconds));
  if (const auto words = words_of(arguments.program); !words.empty())
    options.push_back(fmt::format("-- {}", fmt::join(words, " ")));
  for (const std::string& define : arguments.compile.defines)
    if (define.find('=') == std::string::npos) options.push_back("-D=" + define);
  add("--std", arguments.compile.standard);
  add_all("-X", arguments.compile.compiler_options);
  add("--arch", arguments.compile.arch);
  add("--device", arguments.device);
  add("--checks", arguments.checks);
  add("--scheduling", arguments.scheduling);
  add("--engine", arguments.engine);
  add("--level", arguments.level);
  add("--limit-steps", fmt::to_string(arguments.limit_steps));
  if (arguments.caches) options.emplace_back("--caches");
  add_all("--without", arguments.without);
  return options;
}

/// Files by name, each once; what a sweep counts follows from their texts.
class Sources {
 public:
  Result<void> add(const fs::path& file) {
    if (!seen_.insert(fs::weakly_canonical(file).string()).second) return {};
    constexpr uint64_t kMostBytes = uint64_t{4} << 30;
    TRY(std::string text, read_text(file, kMostBytes));
    // The file's name alone: a sweep is the same in another folder.
    all_.headers.push_back({file.filename().string(), std::move(text)});
    return {};
  }
  /// The files that arguments read: file(PATH).
  Result<void> add_contents(const std::vector<std::string>& specs, const fs::path& folder) {
    constexpr std::string_view kFile = "file(";
    for (const std::string& spec : specs)
      for (size_t at = spec.find(kFile); at != std::string::npos; at = spec.find(kFile, at)) {
        at += kFile.size();
        TRY_VOID(add(folder / spec.substr(at, spec.find(')', at) - at)));
      }
    return {};
  }
  std::string key() {
    std::ranges::sort(all_.headers, {},
                      [](const compile::Header& one) { return std::tie(one.name, one.text); });
    return compile::content_key(all_, {}, {});
  }

 private:
  compile::Source all_;
  std::set<std::string> seen_;
};

Result<void> add_lesson(Sources& sources, const RunArguments& arguments, const Paths& paths,
                        const std::vector<sweep::Axis>& axes) {
  TRY(const lesson::Lesson lesson, lesson::find_lesson(paths.assets / "lessons", arguments.lesson));
  const lesson::Settings initial = lesson::initial_settings(lesson);
  for (const sweep::Axis& axis : axes)
    for (const std::string& value : axis.values) {
      const auto set = lesson::with_toggle(lesson, initial, axis.name, value);
      if (!set) return std::unexpected(set.error());
    }
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(lesson.folder, ignored))
    if (entry.is_regular_file(ignored)) TRY_VOID(sources.add(entry.path()));
  for (const auto& kernels : {&lesson.kernels, &lesson.references})
    for (const lesson::Kernel& kernel : *kernels)
      for (const fs::path& file : pipeline::files_of(lesson, kernel, session_options(paths)))
        TRY_VOID(sources.add(file));
  return {};
}

Result<void> add_source(Sources& sources, const fs::path& file, const pipeline::FileOptions& options) {
  TRY(const pipeline::Job job, pipeline::text_job_of_file(file, "", options));
  for (const fs::path& one : pipeline::files_of(job)) TRY_VOID(sources.add(one));
  return {};
}

Result<void> add_files(Sources& sources, const RunArguments& arguments, const Paths& paths) {
  const fs::path file(arguments.file);
  pipeline::FileOptions options = file_options(arguments, paths);
  for (const auto* specs : {&arguments.arguments, &arguments.constants, &arguments.then})
    TRY_VOID(sources.add_contents(*specs, {}));
  for (const std::string& more : arguments.more_files) TRY_VOID(add_source(sources, more, options));
  if (file.extension() != ".toml") return add_source(sources, file, options);
  TRY_VOID(sources.add(file));
  TRY(const pipeline::LaunchFile launches, pipeline::read_launch_file(file));
  const auto& folders = launches.include_directories;
  options.include_directories.insert(options.include_directories.end(), folders.begin(), folders.end());
  for (const pipeline::LaunchText& launch : launches.launches)
    if (!launch.file.empty()) TRY_VOID(add_source(sources, launch.file, options));
  TRY_VOID(sources.add_contents(launches.buffers, file.parent_path()));
  return {};
}

/// What no sweep has.
Result<void> check_sweep(const RunArguments& arguments, const Paths& paths) {
  if (arguments.verb->has("--producer") && arguments.producer != "emulator")
    return fail(ErrorKind::Usage, "the emulator runs a sweep; leave out --producer");
  if (!arguments.gpu.host.empty())
    return fail(ErrorKind::Usage,
                "the emulator runs a sweep, on this machine; leave out --host, and give the "
                "other machine a part of the sweep by --shard");
  if (arguments.verb->has("--blocks"))
    return fail(ErrorKind::Usage, "a sweep stores totals and no accesses; leave out --blocks");
  if (arguments.file.empty() && arguments.lesson.empty())
    return fail(ErrorKind::Usage, "nothing to run; give a file (kernel.cu, kernel.ptx) or --lesson NAME");
  if (!arguments.file.empty() && !arguments.lesson.empty())
    return fail(ErrorKind::Usage, fmt::format("give a file or --lesson, not both: '{}' and '{}'",
                                              arguments.file, arguments.lesson));
  if (arguments.lesson.empty() && !arguments.set.empty())
    return fail(ErrorKind::Usage, "--set changes a toggle of a lesson; for a file use -D NAME=VALUES");
  TRY_VOID(device_with_sectors(arguments, paths, "a sweep"));
  return {};
}

/// `text` with the value of each -D in place of its name in braces.
std::string with_values(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    const std::string place = "{" + name + "}";
    for (size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + value.size()))
      text.replace(at, place.size(), value);
  }
  return text;
}

/// As --block has it: "16,8,1".
std::string as_option(Dim3 extent) { return fmt::format("{},{},{}", extent.x, extent.y, extent.z); }

/// The values of the macros of a combination.
std::vector<std::pair<std::string, std::string>> macros_of(const std::vector<sweep::Axis>& axes,
                                                           const std::vector<std::string>& values) {
  std::vector<std::pair<std::string, std::string>> macros;
  for (size_t n = 0; n < axes.size(); ++n)
    if (axes[n].option == "-D") macros.emplace_back(axes[n].name, values[n]);
  return macros;
}

/// The grid and the block of a combination; empty where the sweep has none.
struct Shape {
  std::string grid, block;
};
Result<Shape> shape_of(const std::vector<sweep::Axis>& axes, const std::vector<std::string>& values) {
  sweep::ExtentNames names{.values = macros_of(axes, values), .block = {}};
  const auto text_of = [&](std::string_view option) -> std::optional<std::string> {
    const auto axis = std::ranges::find(axes, option, &sweep::Axis::option);
    if (axis == axes.end()) return std::nullopt;
    return with_values(values[static_cast<size_t>(axis - axes.begin())], names.values);
  };
  Shape shape;
  if (const auto block = text_of("--block")) {
    TRY(names.block, sweep::extent_of(*block, names));
    shape.block = as_option(*names.block);
  }
  if (const auto grid = text_of("--grid")) {
    TRY(const Dim3 extent, sweep::extent_of(*grid, names));
    shape.grid = as_option(extent);
  }
  return shape;
}

/// Errors: Usage for the first combination whose grid or block is none.
Result<void> check_shapes(const std::vector<sweep::Axis>& axes) {
  const auto is_shape = [](const sweep::Axis& axis) {
    return axis.option == "--grid" || axis.option == "--block";
  };
  if (std::ranges::none_of(axes, is_shape)) return {};
  const uint64_t all = sweep::combinations(axes);
  for (uint64_t number = 0; number < all; ++number)
    if (const auto shape = shape_of(axes, sweep::values_of(axes, number)); !shape)
      return fail(ErrorKind::Usage,
                  fmt::format("the shape of {}: {}", sweep::name_of(axes, number), shape.error().message));
  return {};
}

}  // namespace

Result<sweep::Definition> sweep_of(const RunArguments& arguments, const std::string& shard,
                                   const Paths& paths) {
  TRY_VOID(check_sweep(arguments, paths));
  sweep::Definition definition{.version = LANESCOPE_VERSION,
                               .subject = arguments.lesson.empty()
                                              ? fs::path(arguments.file).filename().string()
                                              : "lesson " + arguments.lesson,
                               .options = fixed_options(arguments),
                               .axes = {},
                               .sources = {},
                               .shard = {}};
  if (!shard.empty()) {
    TRY(definition.shard, sweep::parse_shard(shard));
  }
  TRY(definition.axes, axes_of(arguments));
  TRY_VOID(check_shapes(definition.axes));
  Sources sources;
  TRY_VOID(arguments.lesson.empty() ? add_files(sources, arguments, paths)
                                    : add_lesson(sources, arguments, paths, definition.axes));
  const std::string device = arguments.device.empty() ? "h200" : arguments.device;
  const bool is_file = device.ends_with(".toml");
  TRY_VOID(sources.add(is_file ? fs::path(device) : paths.assets / "devices" / (device + ".toml")));
  definition.sources = sources.key();
  return definition;
}

RunArguments arguments_of(const RunArguments& arguments, const sweep::Definition& definition,
                          uint64_t number) {
  RunArguments one = arguments;
  one.set.clear();
  std::erase_if(one.compile.defines,
                [](const std::string& define) { return define.find('=') != std::string::npos; });
  const std::vector<std::string> values = sweep::values_of(definition.axes, number);
  const auto macros = macros_of(definition.axes, values);
  for (size_t n = 0; n < values.size(); ++n) {
    const sweep::Axis& axis = definition.axes[n];
    if (axis.option == "--set") one.set.push_back(fmt::format("{}={}", axis.name, values[n]));
    if (axis.option == "-D") one.compile.defines.push_back(fmt::format("{}={}", axis.name, values[n]));
  }
  // Of a definition that sweep_of() made each combination has a shape.
  Shape shape = shape_of(definition.axes, values).value_or(Shape{});
  if (!one.grid.empty()) one.grid = std::move(shape.grid);
  if (!one.block.empty()) one.block = std::move(shape.block);
  for (auto* specs : {&one.arguments, &one.constants, &one.then})
    for (std::string& spec : *specs) spec = with_values(std::move(spec), macros);
  one.program = with_values(std::move(one.program), macros);
  one.blocks = "none";  // totals alone are stored
  one.threads = 1;      // the other cores run other combinations
  return one;
}

}  // namespace lanescope::shell
