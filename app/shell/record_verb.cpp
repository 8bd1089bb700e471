// `lanescope record`: the times and the hardware counts of every lesson's kernels, with every toggle and
// several sizes, on this machine's GPU, in a file for assets/recordings.

#include "export/export.h"
#include "pipeline/execution.h"
#include "pipeline/stored_ptx.h"
#include "recordings/kernel_key.h"
#include "shell/gpu_choice.h"
#include "shell/gpu_report.h"
#include "shell/verbs.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

struct RecordArguments {
  GpuChoice gpu;
  std::string output;
  std::vector<uint32_t> sizes{1024, 2048, 4096, 8192, 16384};
  std::vector<uint32_t> count_sizes{1024, 4096};
  unsigned repetitions = 15;
};

/// Launches that differ only in the kernel share their buffers, which take a while to fill.
class Launches {
 public:
  explicit Launches(const pipeline::Options& options) : options_(options) {}

  Result<std::shared_ptr<const launch::Launch>> of(const lesson::Lesson& lesson, lesson::Settings settings,
                                                   uint32_t side) {
    TRY(settings, lesson::with_toggle(lesson, settings, lesson.size_toggle, fmt::to_string(side)));
    std::string types = lesson.name;  // of the buffers
    for (const lesson::BufferPlan& buffer : lesson::kernel_of(lesson, settings).launch.buffers) {
      const auto value = settings.values.find(buffer.type);
      types += " " + (value == settings.values.end() ? buffer.type : value->second);
    }
    std::shared_ptr<const launch::Launch>& last = last_[{types, side}];
    TRY(const pipeline::Job job, pipeline::job_of(lesson, settings, options_, last.get()));
    last = job.launch;
    return last;
  }

 private:
  const pipeline::Options& options_;
  std::map<std::tuple<std::string, uint32_t>, std::shared_ptr<const launch::Launch>> last_;
};

uint64_t bytes_of(const launch::Launch& launch) {
  uint64_t bytes = 0;
  for (const launch::Buffer& buffer : launch.buffers) bytes += buffer.initial->size();
  return bytes;
}

/// Times with a cold and with a warm L2.
template <class Time>
Result<recordings::RecordedTimes> times_of(uint64_t bytes, const RecordArguments& arguments, Time&& time) {
  gpu::TimingOptions options{.repetitions = arguments.repetitions, .contents = gpu::Filling::Any};
  TRY(const gpu::Timing cold, time(options));
  options.l2 = gpu::TimingOptions::Cache::Warm;
  TRY(const gpu::Timing warm, time(options));
  return recordings::RecordedTimes{bytes, seconds_of(cold), seconds_of(warm)};
}

/// A text of a lesson, compiled.
struct Compiled {
  const pipeline::LessonText& text;
  const lesson::Lesson& lesson;
  std::string ptx;
  std::string key;  // by which its times are found
  gpu::Kernel kernel() const { return {ptx, key + ".ptx", text.job.kernel}; }
};

Result<Compiled> compile(const pipeline::LessonText& text, const lesson::Lesson& lesson,
                         pipeline::Execution& execution) {
  TRY(std::string ptx, execution.ptx_text(text.job));
  TRY(const std::string shapes, recordings::launch_shapes(lesson, text.settings));
  std::string key = recordings::kernel_key(ptx, text.job.kernel, shapes);
  return Compiled{text, lesson, std::move(ptx), std::move(key)};
}

Result<void> record_text(const Compiled& compiled, const RecordArguments& arguments, Launches& launches,
                         gpu::Gpu& gpu, recordings::Recording& recording) {
  const pipeline::LessonText& text = compiled.text;
  recordings::Recording::Text& recorded = recording.texts[compiled.key];
  recorded.kernel = text.job.kernel;
  recorded.defines = text.job.options.defines;
  const gpu::Kernel kernel = compiled.kernel();
  for (const uint32_t side : arguments.sizes) {
    TRY(const auto launch, launches.of(compiled.lesson, text.settings, side));
    TRY(recorded.sizes[side], times_of(bytes_of(*launch), arguments, [&](const gpu::TimingOptions& options) {
          return gpu.time(kernel, *launch, options);
        }));
    const uint64_t of_one = launch->buffers[0].initial->size();
    if (recording.copies.contains(of_one)) continue;
    TRY(recording.copies[of_one], times_of(2 * of_one, arguments, [&](const gpu::TimingOptions& options) {
          return gpu.time_copy(of_one, options);
        }));
  }
  return {};
}

/// After all times, since a profiled context is slower.
Result<void> count_text(const Compiled& compiled, const RecordArguments& arguments, Launches& launches,
                        gpu::Gpu& gpu, recordings::Recording& recording) {
  const gpu::Kernel kernel = compiled.kernel();
  for (const uint32_t side : arguments.count_sizes) {
    TRY(const auto launch, launches.of(compiled.lesson, compiled.text.settings, side));
    TRY(recording.texts[compiled.key].counts[side], gpu.count(kernel, *launch, gpu::Filling::Any));
  }
  return {};
}

Result<int> record(const RecordArguments& arguments, const Paths& paths) {
  TRY_VOID(exporting::check_place(arguments.output));
  TRY(const auto gpu, choose_gpu(arguments.gpu, paths));
  TRY(const gpu::Description description, gpu->describe());
  recordings::Recording recording;
  describe_gpu(description, recording);
  recording.repetitions = arguments.repetitions;
  const pipeline::Options options = session_options(paths);
  TRY(const auto texts, pipeline::all_lesson_texts(options));
  Launches launches(options);
  pipeline::Execution execution(options);
  const auto for_each = [&](const char* what, auto&& each) -> Result<void> {
    size_t done = 0;
    for (const pipeline::LessonText& text : texts) {
      fmt::print(stderr, "\r{}: {} of {} kernels", what, ++done, texts.size());
      TRY(const lesson::Lesson lesson, lesson::find_lesson(paths.assets / "lessons", text.lesson));
      if (lesson.size_toggle.empty()) continue;  // its launches have no size to record by
      TRY(const Compiled compiled, compile(text, lesson, execution));
      TRY_VOID(each(compiled));
    }
    fmt::print(stderr, "\n");
    return {};
  };
  TRY_VOID(for_each("times", [&](const Compiled& compiled) {
    return record_text(compiled, arguments, launches, *gpu, recording);
  }));
  // Times are worth storing even if counters are not permitted or fail.
  TRY_VOID(exporting::write_file(arguments.output, recordings::recording_text(recording)));
  size_t texts_counted = 0;
  const auto counted = for_each("counters", [&](const Compiled& compiled) -> Result<void> {
    TRY_VOID(count_text(compiled, arguments, launches, *gpu, recording));
    // Counters take minutes: what there is survives an end in between.
    constexpr size_t kOften = 32;
    if (++texts_counted % kOften != 0) return {};
    return exporting::write_file(arguments.output, recordings::recording_text(recording));
  });
  if (!counted) fmt::print(stderr, "\n");  // after the count of kernels
  if (!counted && counted.error().kind == ErrorKind::Unsupported)
    fmt::print(stderr, "without counters: {}\n", counted.error().message);
  else
    TRY_VOID(counted);
  TRY_VOID(exporting::write_file(arguments.output, recordings::recording_text(recording)));
  return 0;
}

}  // namespace

void add_record_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<RecordArguments>();
  const Verb verb =
      program.add_verb("record", "time and count every lesson on this machine's GPU, for assets/recordings");
  add_gpu_choice(verb, arguments->gpu);
  verb.add("-o,--output", arguments->output, "the file, FILE.json").required();
  verb.add("--sizes", arguments->sizes,
           "sides of the square matrices, with commas between (default: 1024 to 16384)")
      .with_comma_between_values()
      .between(1, 32768);
  verb.add("--count-sizes", arguments->count_sizes,
           "sides of the matrices whose hardware counters are read (default: 1024,4096)")
      .with_comma_between_values()
      .between(1, 32768);
  verb.add("--repetitions", arguments->repetitions, "timed launches of each kernel (default: 15)")
      .between(1, 1000);
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return record(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
