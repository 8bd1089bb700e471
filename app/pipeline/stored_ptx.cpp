#include "pipeline/stored_ptx.h"

#include "base/file.h"
#include "compile/content_key.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::pipeline {
namespace {

namespace fs = std::filesystem;

std::string key_of(const Job& job) { return compile::content_key(job.source, job.options, ""); }

constexpr std::string_view kKey = " key=";

}  // namespace

fs::path stored_ptx_file(const fs::path& assets, const LessonText& text) {
  return assets / "ptx" / text.lesson / (text.settings.kernel + ".ptx");
}

std::string stored_text(const Job& job, std::string_view ptx) {
  return fmt::format("// {} {} {}{}{}\n{}", job.source.file_name, job.options.arch,
                     fmt::join(job.options.defines, " "), kKey, key_of(job), ptx);
}

std::optional<std::string> find_stored_ptx(const fs::path& assets, const Job& job) {
  if (job.lesson.empty()) return {};
  const std::string wanted = std::string(kKey) + key_of(job);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(assets / "ptx" / job.lesson, ignored)) {
    std::ifstream file(entry.path());
    std::string first;
    if (!std::getline(file, first) || !first.ends_with(wanted)) continue;
    if (auto text = read_text(entry.path())) return *std::move(text);
  }
  return {};
}

Result<std::vector<LessonText>> all_texts(const lesson::Lesson& lesson, const Options& options) {
  std::vector<LessonText> texts;
  std::set<std::string> keys;
  for (const lesson::Kernel& kernel : lesson.kernels) {
    TRY(const lesson::Settings chosen,
        lesson::with_toggle(lesson, lesson::initial_settings(lesson), "kernel", kernel.name));
    for (const lesson::Settings& settings : lesson::all_macros(lesson, chosen)) {
      TRY(Job job, text_job_of(lesson, settings, options));
      const std::string key = key_of(job);
      if (keys.insert(key).second) texts.push_back({lesson.name, settings, key, std::move(job)});
    }
  }
  return texts;
}

Result<std::vector<LessonText>> all_lesson_texts(const Options& options) {
  std::vector<LessonText> texts;
  for (const std::string& name : lesson::lesson_names(options.assets / "lessons")) {
    TRY(const lesson::Lesson lesson, lesson::find_lesson(options.assets / "lessons", name));
    TRY(std::vector<LessonText> its, all_texts(lesson, options));
    std::ranges::move(its, std::back_inserter(texts));
  }
  return texts;
}

Result<std::vector<LessonText>> preset_texts(const Options& options) {
  std::vector<LessonText> texts;
  for (const std::string& name : lesson::lesson_names(options.assets / "lessons")) {
    TRY(const lesson::Lesson lesson, lesson::find_lesson(options.assets / "lessons", name));
    for (const auto* kernels : {&lesson.kernels, &lesson.references})
      for (const lesson::Kernel& kernel : *kernels) {
        lesson::Settings settings = lesson::initial_settings(lesson);
        settings.kernel = kernel.name;
        for (const auto& [toggle, value] : kernel.presets) settings.values[toggle] = value;
        TRY(Job job, text_job_of(lesson, settings, options));
        const std::string key = key_of(job);
        texts.push_back({name, settings, key, std::move(job)});
      }
  }
  return texts;
}

Result<size_t> store_all(const Options& options, const compile::Compiler& compiler) {
  if (compiler.major() != kStoredMajor || compiler.minor() != kStoredMinor)
    return fail(ErrorKind::Unsupported,
                fmt::format("stored PTX is made by NVRTC {}.{}, found was {}.{}", kStoredMajor, kStoredMinor,
                            compiler.major(), compiler.minor()));
  TRY(const std::vector<LessonText> texts, preset_texts(options));
  std::set<fs::path> needed;
  size_t written = 0;
  for (const LessonText& text_of_lesson : texts) {
    const Job& job = text_of_lesson.job;
    compile::Options compile_options = job.options;
    compile_options.cache_directory.clear();
    TRY(const compile::Compilation compilation, compile::compile(compiler, job.source, compile_options));
    if (!compilation.ptx) return fail(ErrorKind::Compile, compilation.log, Location{job.source.file_name, 0});
    const fs::path file = stored_ptx_file(options.assets, text_of_lesson);
    fs::create_directories(file.parent_path());
    needed.insert(file);
    const std::string text = stored_text(job, *compilation.ptx);
    if (const auto before = read_text(file); before && *before == text) continue;
    std::ofstream(file, std::ios::binary) << text;
    ++written;
  }
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(options.assets / "ptx", ignored))
    if (entry.is_regular_file(ignored) && !needed.contains(entry.path())) fs::remove(entry.path(), ignored);
  return written;
}

}  // namespace lanescope::pipeline
