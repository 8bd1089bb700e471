// `lanescope record`: the times and the hardware counts of the lessons' kernels, with every toggle and
// several sizes, on this machine's GPU, in a file for assets/recordings.

#include "base/file.h"
#include "pipeline/execution.h"
#include "recordings/kernel_key.h"
#include "shell/gpu_choice.h"
#include "shell/gpu_report.h"
#include "shell/verbs.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

struct RecordArguments {
  GpuChoice gpu;
  std::string output;
  std::vector<std::string> lessons;   // empty: all
  bool only_new = false;              // what assets/recordings does not have yet
  std::vector<uint32_t> sizes;        // empty: those of the lesson
  std::vector<uint32_t> count_sizes;  // empty: the smallest and the largest up to kLargestCounted
  unsigned repetitions = 15;
};

/// Counters are read in several passes, and say the same of a larger matrix.
constexpr uint32_t kLargestCounted = 4096;

/// A kernel of a lesson with settings of its toggles, but for the size.
struct Item {
  std::shared_ptr<const lesson::Lesson> lesson;
  lesson::Settings settings;
  std::string ptx;
  std::string key;        // by which its times are found
  double used_share = 1;  // of the bytes of its buffers, those that it asks for
};

/// The kernels of a lesson, each once. One with hazards has no time worth showing.
Result<std::vector<Item>> items_of(const std::shared_ptr<const lesson::Lesson>& lesson,
                                   const pipeline::Options& options, pipeline::Execution& execution) {
  std::vector<Item> items;
  std::set<std::string> keys;
  for (const lesson::Settings& settings : lesson::settings_to_record(*lesson)) {
    if (lesson::kernel_of(*lesson, settings).hazards) continue;
    TRY(const pipeline::Job job, pipeline::text_job_of(*lesson, settings, options));
    TRY(std::string ptx, execution.compiler().ptx_text(job));
    TRY(const std::string shapes, recordings::launch_shapes(*lesson, settings));
    std::string key = recordings::kernel_key(ptx, job.kernel, shapes);
    if (keys.insert(key).second) items.push_back({lesson, settings, std::move(ptx), std::move(key)});
  }
  return items;
}

/// Launches of kernels: those of one lesson and size share their buffers, which take a while to fill.
class Launches {
 public:
  Launches(const pipeline::Options& options, pipeline::Execution& execution)
      : options_(options), execution_(execution) {}

  /// The job in this size; 0 where the lesson has no sizes.
  Result<pipeline::Job> job_of(const Item& item, uint32_t size) {
    lesson::Settings settings = item.settings;
    if (size != 0) {
      TRY(settings,
          lesson::with_toggle(*item.lesson, settings, item.lesson->size_toggle, fmt::to_string(size)));
    }
    const launch::Launch* const previous = last_lesson_ == item.lesson->name ? last_.get() : nullptr;
    TRY(pipeline::Job job, pipeline::job_of(*item.lesson, settings, options_, previous));
    last_ = job.launch;
    last_lesson_ = item.lesson->name;
    return job;
  }

  /// With what the launches before it leave in its buffers.
  Result<std::shared_ptr<const launch::Launch>> of(const Item& item, uint32_t size) {
    TRY(const pipeline::Job job, job_of(item, size));
    return execution_.prepare(job, {});
  }

 private:
  const pipeline::Options& options_;
  pipeline::Execution& execution_;
  std::shared_ptr<const launch::Launch> last_;
  std::string last_lesson_;
};

uint64_t bytes_of(const launch::Launch& launch) {
  uint64_t bytes = 0;
  for (const launch::Buffer& buffer : launch.buffers) bytes += buffer.initial->size();
  return bytes;
}

/// Which part of its buffers the kernel asks for, by a run of the emulator.
Result<double> used_share(const Item& item, uint32_t size, Launches& launches,
                          pipeline::Execution& execution) {
  TRY(pipeline::Job job, launches.job_of(item, size));
  job.expected.reset();
  const model::Device device;
  pipeline::RunOptions plain;
  plain.keep.blocks = trace::Keep::Blocks::None;
  plain.checks = emulator::Checks::None;
  TRY(const auto run, execution.run(job, device, plain));
  uint64_t asked = 0;
  for (const trace::Site& site : run->trace->sites)
    if (site.operation.space == trace::Space::Global) asked += run->trace->totals[site.id.value].bytes;
  return std::min(
      1.0, static_cast<double>(asked) / static_cast<double>(std::max<uint64_t>(1, bytes_of(*job.launch))));
}

/// Times with a cold and with a warm L2.
template <class Time>
Result<recordings::RecordedTimes> times_of(uint64_t bytes, const RecordArguments& arguments,
                                           gpu::Filling contents, Time&& time) {
  gpu::TimingOptions options{.repetitions = arguments.repetitions, .contents = contents};
  TRY(const gpu::Timing cold, time(options));
  options.l2 = gpu::TimingOptions::Cache::Warm;
  TRY(const gpu::Timing warm, time(options));
  return recordings::RecordedTimes{bytes, seconds_of(cold), seconds_of(warm)};
}

/// What a kernel computes may decide how long it takes, but for the transposes, whose large buffers would
/// take longer to fill than to be timed.
gpu::Filling contents_of(const Item& item) {
  const lesson::Kernel& kernel = lesson::kernel_of(*item.lesson, item.settings);
  return kernel.expect && kernel.expect->rule ? gpu::Filling::Any : gpu::Filling::Initial;
}

/// Records items one after the other.
class Recorder {
 public:
  Recorder(const RecordArguments& arguments, const pipeline::Options& options, gpu::Gpu& gpu)
      : arguments_(arguments), execution_(options), launches_(options, execution_), gpu_(gpu) {}

  pipeline::Execution& execution() { return execution_; }

  Result<void> time(Item& item, recordings::Recording& recording) {
    recordings::Recording::Text& recorded = recording.texts[item.key];
    TRY(const pipeline::Job text, launches_.job_of(item, sizes(item).front()));
    recorded.kernel = text.kernel;
    recorded.defines = text.options.defines;
    TRY(item.used_share, used_share(item, size_of_share(sizes(item)), launches_, execution_));
    for (const uint32_t size : sizes(item)) {
      TRY(const auto launch, launches_.of(item, size));
      const auto bytes = static_cast<uint64_t>(item.used_share * static_cast<double>(bytes_of(*launch)));
      TRY(recorded.sizes[size],
          times_of(bytes, arguments_, contents_of(item), [&](const gpu::TimingOptions& options) {
            return gpu_.time(kernel_of(item), *launch, options);
          }));
      const uint64_t of_one = bytes / 2;
      if (of_one == 0 || recording.copies.contains(of_one)) continue;
      TRY(recording.copies[of_one],
          times_of(2 * of_one, arguments_, gpu::Filling::Any,
                   [&](const gpu::TimingOptions& options) { return gpu_.time_copy(of_one, options); }));
    }
    return {};
  }

  /// After all times, since a profiled context is slower.
  Result<void> count(const Item& item, recordings::Recording& recording) {
    for (const uint32_t size : counted_sizes(item)) {
      TRY(const auto launch, launches_.of(item, size));
      TRY(recording.texts[item.key].counts[size], gpu_.count(kernel_of(item), *launch, contents_of(item)));
    }
    return {};
  }

 private:
  static gpu::Kernel kernel_of(const Item& item) {
    return {item.ptx, item.key + ".ptx", lesson::kernel_of(*item.lesson, item.settings).entry};
  }

  std::vector<uint32_t> sizes(const Item& item) const {
    const bool has_sizes = !item.lesson->size_toggle.empty();
    return arguments_.sizes.empty() || !has_sizes ? lesson::sizes_to_record(*item.lesson) : arguments_.sizes;
  }

  /// The largest one that the emulator runs at once: the unused margin of a small matrix is a larger part.
  static uint32_t size_of_share(const std::vector<uint32_t>& sizes) {
    constexpr uint32_t kLargestEmulated = 1024;
    uint32_t size = sizes.front();
    for (const uint32_t one : sizes)
      if (one > size && one <= kLargestEmulated) size = one;
    return size;
  }

  std::vector<uint32_t> counted_sizes(const Item& item) const {
    if (!arguments_.count_sizes.empty() && !item.lesson->size_toggle.empty()) return arguments_.count_sizes;
    std::vector<uint32_t> all = sizes(item);
    std::erase_if(all, [&](uint32_t size) { return size > kLargestCounted && size != all.front(); });
    return all.size() < 2 ? all : std::vector{all.front(), all.back()};
  }

  const RecordArguments& arguments_;
  pipeline::Execution execution_;
  Launches launches_;
  gpu::Gpu& gpu_;
};

Result<int> record(const RecordArguments& arguments, const Paths& paths) {
  TRY_VOID(check_place(arguments.output));
  TRY(const auto gpu, choose_gpu(arguments.gpu, paths));
  TRY(const gpu::Description description, gpu->describe());
  recordings::Recording recording;
  describe_gpu(description, recording);
  recording.repetitions = arguments.repetitions;
  const pipeline::Options options = session_options(paths);
  Recorder recorder(arguments, options, *gpu);
  std::vector<Item> items;
  const auto folder = paths.assets / "lessons";
  for (const std::string& name :
       arguments.lessons.empty() ? lesson::lesson_names(folder) : arguments.lessons) {
    TRY(lesson::Lesson lesson, lesson::find_lesson(folder, name));
    TRY(std::vector<Item> its,
        items_of(std::make_shared<const lesson::Lesson>(std::move(lesson)), options, recorder.execution()));
    std::ranges::move(its, std::back_inserter(items));
  }
  if (arguments.only_new) {
    const recordings::Recordings kept = recordings::read_recordings(paths.assets / "recordings");
    std::erase_if(items, [&](const Item& item) {
      return std::ranges::any_of(kept.by_name,
                                 [&](const auto& one) { return one.second.texts.contains(item.key); });
    });
  }
  const auto save = [&] { return write_file(arguments.output, recordings::recording_text(recording)); };
  const auto for_each = [&](const char* what, auto&& each) -> Result<void> {
    size_t done = 0;
    for (Item& item : items) {
      fmt::print(stderr, "\r{}: {} of {} kernels", what, ++done, items.size());
      auto worked = each(item);
      if (!worked) {
        fmt::print(stderr, "\n");
        worked.error().message = fmt::format("lesson {}, kernel {}: {}", item.lesson->name,
                                             item.settings.kernel, worked.error().message);
        return worked;
      }
      // It takes minutes: what there is survives an end in between.
      constexpr size_t kOften = 32;
      if (done % kOften == 0) TRY_VOID(save());
    }
    fmt::print(stderr, "\n");
    return {};
  };
  TRY_VOID(for_each("times", [&](Item& item) { return recorder.time(item, recording); }));
  TRY_VOID(save());
  const auto counted = for_each("counters", [&](Item& item) { return recorder.count(item, recording); });
  // Times are worth storing even if counters are not permitted.
  if (!counted && counted.error().kind == ErrorKind::Unsupported)
    fmt::print(stderr, "without counters: {}\n", counted.error().message);
  else
    TRY_VOID(counted);
  TRY_VOID(save());
  return 0;
}

}  // namespace

void add_record_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<RecordArguments>();
  const Verb verb =
      program.add_verb("record", "time and count every lesson on this machine's GPU, for assets/recordings");
  add_gpu_choice(verb, arguments->gpu);
  verb.add("-o,--output", arguments->output, "the file, FILE.json").required();
  verb.add("--lesson", arguments->lessons, "only these lessons (default: all)");
  verb.add("--new", arguments->only_new, "only the kernels that assets/recordings does not have yet");
  verb.add("--sizes", arguments->sizes,
           "values of the lessons' size toggles, with commas between (default: those that each lesson names)")
      .with_comma_between_values()
      .between(1, 1u << 30);
  verb.add("--count-sizes", arguments->count_sizes,
           "sizes whose hardware counters are read (default: the smallest and the largest up to 4096)")
      .with_comma_between_values()
      .between(1, 1u << 30);
  verb.add("--repetitions", arguments->repetitions, "timed launches of each kernel (default: 15)")
      .between(1, 1000);
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return record(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
