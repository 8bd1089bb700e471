// Every text that the toggles of the transposes in kernels/ can make, compiled: stored, from the cache or by
// NVRTC.

#pragma once

#include "pipeline/execution.h"
#include "pipeline/stored_ptx.h"
#include "support/project_options.h"
#include "support/stored_kernel.h"

namespace lanescope::tests {

/// In the order of their content keys. Errors: File where there is no compiler.
inline Result<std::vector<StoredKernel>> lesson_kernels() {
  const pipeline::Options options = project_options(1);
  TRY(const lesson::Lesson lesson, lesson::find_lesson(options.assets / "lessons", "transpose"));
  TRY(std::vector<pipeline::LessonText> texts, pipeline::all_texts(lesson, options));
  std::erase_if(texts, [&](const pipeline::LessonText& text) {
    return !std::filesystem::exists(options.kernels / text.job.source.file_name);
  });
  std::ranges::sort(texts, {}, &pipeline::LessonText::key);
  pipeline::Execution execution(options);
  std::vector<StoredKernel> kernels;
  for (const pipeline::LessonText& text : texts) {
    StoredKernel kernel{.file = text.job.source.file_name, .defines = {}, .text = {}};
    for (const std::string& define : text.job.options.defines)
      kernel.defines[define.substr(0, define.find('='))] = define.substr(define.find('=') + 1);
    TRY(const std::string ptx, execution.compiler().ptx_text(text.job));
    kernel.text = ptx.starts_with("// " + kernel.file) ? ptx : pipeline::stored_text(text.job, ptx);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace lanescope::tests
