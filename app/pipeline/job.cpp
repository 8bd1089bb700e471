#include "pipeline/job.h"

#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

namespace lanescope::pipeline {
Result<std::string> read_text(const std::filesystem::path& file, uint64_t limit_bytes) {
  const Location where{file.string(), 0};
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status))
    return fail(ErrorKind::File, "there is no such file; check the path", where);
  if (std::filesystem::is_directory(status))
    return fail(ErrorKind::File, "this is a folder; name a file in it", where);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail(ErrorKind::File, "the file cannot be opened; check its permissions", where);
  // Read up to the limit and one byte more: a file that is no regular one has no size to ask for.
  std::string text;
  std::vector<char> chunk(1 << 16);
  while (stream && text.size() <= limit_bytes) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<size_t>(stream.gcount()));
  }
  if (stream.bad()) return fail(ErrorKind::File, "the file cannot be read to its end", where);
  if (text.size() > limit_bytes)
    return fail(ErrorKind::File,
                fmt::format("the file is larger than {} MiB, the most that is read", limit_bytes >> 20),
                where);
  return text;
}

Result<compile::Source> source_of(const std::filesystem::path& kernels, const std::string& file) {
  TRY(std::string text, read_text(kernels / file));
  TRY(std::string tile, read_text(kernels / "tile.h"));
  return compile::Source{file, std::move(text), {{"tile.h", std::move(tile)}}};
}

Result<Job> text_job_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                        const Options& options) {
  const lesson::Kernel& kernel = lesson::kernel_of(lesson, settings);
  Job job;
  TRY(job.source, source_of(options.kernels, kernel.file));
  job.options.defines = lesson::defines(lesson, settings);
  job.options.cache_directory = options.cache;
  job.kernel = kernel.entry;
  return job;
}

Result<Job> job_of(const lesson::Lesson& lesson, const lesson::Settings& settings, const Options& options,
                   const launch::Launch* previous) {
  if (lesson.launch != "matrix_tiles")
    return fail(ErrorKind::Unsupported, fmt::format("lesson '{}' launches by '{}'; known is matrix_tiles",
                                                    lesson.name, lesson.launch));
  TRY(Job job, text_job_of(lesson, settings, options));
  TRY(auto launch, lesson::matrix_launch(settings, previous));
  job.launch = std::make_shared<const launch::Launch>(std::move(launch));
  if (const std::string& check = lesson::kernel_of(lesson, settings).check; !check.empty()) {
    // The launch knows them also of a lesson that has no toggle for them.
    const launch::Buffer& input = job.launch->buffers[0];
    const lesson::MatrixSize size{static_cast<uint32_t>(input.shape[1]),
                                  static_cast<uint32_t>(input.shape[0])};
    job.expected = ExpectedOutput{check, size, static_cast<uint32_t>(launch::size_bytes(input.type)),
                                  job.launch->block.x};
  }
  return job;
}

Result<Job> job_of_file(const std::filesystem::path& file) {
  TRY(std::string text, read_text(file));
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
  job.options.include_directories.push_back(file.has_parent_path() ? file.parent_path() : ".");
  return job;
}

}  // namespace lanescope::pipeline
