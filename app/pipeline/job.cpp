#include "pipeline/job.h"

#include "base/file.h"

#include <algorithm>
#include <cstdint>
#include <system_error>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

/// A file of the lesson is in its folder, or in the folder of all kernels.
std::filesystem::path place_of(const lesson::Lesson& lesson, const std::string& file,
                               const Options& options) {
  std::error_code ignored;
  const std::filesystem::path own = lesson.folder / file;
  return std::filesystem::exists(own, ignored) ? own : options.kernels / file;
}

/// "padding=2, element=8": the toggles with macros that are not as choosing the kernel sets them.
std::string flips_of(const lesson::Lesson& lesson, const lesson::Settings& settings) {
  const auto presets =
      lesson::with_toggle(lesson, lesson::initial_settings(lesson), "kernel", settings.kernel);
  std::string flips;
  if (!presets) return flips;
  for (const lesson::Toggle& toggle : lesson.toggles) {
    if (toggle.define.empty() || !lesson::applies(lesson, settings, toggle)) continue;
    const std::string& value = settings.values.at(toggle.name);
    if (value != presets->values.at(toggle.name))
      flips += fmt::format("{}{}={}", flips.empty() ? "" : ", ", toggle.name, value);
  }
  return flips;
}

size_t buffer_named(const lesson::Kernel& kernel, const std::string& name) {
  const auto found = std::ranges::find(kernel.launch.buffers, name, &lesson::BufferPlan::name);
  return static_cast<size_t>(found - kernel.launch.buffers.begin());
}

/// The job of a kernel or reference with the toggles of `settings` and its own presets, and with what is
/// launched before it.
Result<Job> job_of_kernel(const lesson::Lesson& lesson, const lesson::Kernel& kernel,
                          const lesson::Settings& settings, const Options& options,
                          const launch::Launch* previous, lesson::Filling filling) {
  lesson::Settings its = settings;
  if (its.kernel != kernel.name)
    for (const auto& [name, value] : kernel.presets) its.values[name] = value;
  its.kernel = kernel.name;
  TRY(Job job, text_job_of(lesson, its, options));
  TRY(auto launch, lesson::make_launch(lesson, kernel, its, previous, filling));
  job.launch = std::make_shared<const launch::Launch>(std::move(launch));
  for (const std::string& name : kernel.before) {
    TRY(Job step,
        job_of_kernel(lesson, *lesson::find_kernel(lesson, name), its, options, job.launch.get(), filling));
    job.before.push_back(std::move(step));
  }
  return job;
}

Result<ExpectedOutput> expected_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                                   const Options& options, const launch::Launch& launch) {
  const lesson::Kernel& kernel = lesson::kernel_of(lesson, settings);
  const lesson::Expectation& expect = *kernel.expect;
  ExpectedOutput expected;
  expected.buffer = buffer_named(kernel, expect.buffer);
  expected.rule = expect.rule;
  if (expect.rule) {
    expected.of = buffer_named(kernel, expect.of);
    TRY(const int64_t tile, lesson::value_of(lesson, kernel, settings, expect.tile));
    expected.tile = static_cast<uint32_t>(std::clamp<int64_t>(tile, 1, UINT32_MAX));
    return expected;
  }
  const lesson::Kernel& reference = *lesson::find_kernel(lesson, expect.reference);
  TRY(Job job, job_of_kernel(lesson, reference, settings, options, &launch, lesson::Filling::Contents));
  expected.reference_buffer = buffer_named(reference, expect.buffer);
  expected.reference = std::make_shared<const Job>(std::move(job));
  return expected;
}

}  // namespace

std::filesystem::path edited_name(const std::filesystem::path& file) {
  std::error_code problem;
  const auto whole = std::filesystem::absolute(file, problem);
  return (problem ? file : whole).lexically_normal();
}

const std::string* find_edited(const std::shared_ptr<const EditedFiles>& edited,
                               const std::filesystem::path& file) {
  if (!edited) return nullptr;
  const auto found = edited->find(edited_name(file));
  return found == edited->end() ? nullptr : found->second.get();
}

Result<std::string> text_of(const std::filesystem::path& file,
                            const std::shared_ptr<const EditedFiles>& edited) {
  if (const std::string* text = find_edited(edited, file)) return *text;
  return read_text(file);
}

std::vector<std::filesystem::path> files_of(const lesson::Lesson& lesson, const lesson::Kernel& kernel,
                                            const Options& options) {
  std::vector<std::filesystem::path> files{place_of(lesson, kernel.file, options)};
  for (const std::string& header : lesson.headers) files.push_back(place_of(lesson, header, options));
  return files;
}

Result<Job> text_job_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                        const Options& options) {
  const lesson::Kernel& kernel = lesson::kernel_of(lesson, settings);
  const auto files = files_of(lesson, kernel, options);
  Job job;
  TRY(std::string text, text_of(files.front(), options.edited));
  job.source = compile::Source{kernel.file, std::move(text), {}};
  for (size_t n = 0; n < lesson.headers.size(); ++n) {
    TRY(std::string header, text_of(files[n + 1], options.edited));
    job.source.headers.push_back({lesson.headers[n], std::move(header)});
  }
  job.options.defines = lesson::defines(lesson, settings);
  job.options.cache_directory = options.cache;
  if (!kernel.arch.empty()) job.options.arch = kernel.arch;
  job.kernel = kernel.entry;
  job.lesson = lesson.name;
  job.caches = lesson.caches;
  job.flips = flips_of(lesson, settings);
  return job;
}

Result<Job> job_of(const lesson::Lesson& lesson, const lesson::Settings& settings, const Options& options,
                   const launch::Launch* previous, lesson::Filling filling) {
  const lesson::Kernel& kernel = lesson::kernel_of(lesson, settings);
  TRY(Job job, job_of_kernel(lesson, kernel, settings, options, previous, filling));
  if (kernel.expect && filling == lesson::Filling::Contents) {
    TRY(job.expected, expected_of(lesson, settings, options, *job.launch));
  }
  return job;
}

Result<Job> job_of_file(const std::filesystem::path& file, const std::shared_ptr<const EditedFiles>& edited) {
  if (file.extension() == ".lane")
    return fail(ErrorKind::Usage,
                fmt::format("{} is a saved trace; lanescope open {} shows it", file.string(), file.string()));
  TRY(std::string text, text_of(file, edited));
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  const Location where{file.string(), 0};
  const bool is_ptx = file.extension() == ".ptx";
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(ErrorKind::File, "the file is empty; a CUDA source with a __global__ function was expected",
                where);
  if (text.find('\0') != std::string::npos)
    return fail(ErrorKind::File, "the file is not text; a CUDA source (.cu) or PTX (.ptx) was expected",
                where);
  // The kernel may be in a header, or written by a macro: what the PTX has decides.
  if (!is_ptx && text.find("__global__") == std::string::npos && text.find("#include") == std::string::npos)
    return fail(ErrorKind::Compile,
                "the file has no __global__ function; a CUDA source with a kernel was expected", where);
  Job job;
  job.text = is_ptx ? Job::Text::Ptx : Job::Text::Cuda;
  job.source = {file.string(), std::move(text), {}};
  if (!is_ptx) job.options.launched_instances_of = "";
  job.options.include_directories.push_back(file.has_parent_path() ? file.parent_path() : ".");
  return job;
}

}  // namespace lanescope::pipeline
