#include "recordings/kernel_key.h"

#include "lesson/launch_plan.h"
#include "pipeline/job.h"

#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

namespace lanescope::recordings {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view line) {
  const size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlanks) - first + 1);
}

/// The text without // and /* */; NVRTC writes both, and no quoted text of its PTX holds them.
std::string without_comments(std::string_view ptx) {
  std::string text;
  text.reserve(ptx.size());
  while (!ptx.empty()) {
    const size_t at = ptx.find('/');
    text += ptx.substr(0, at);
    if (at == std::string_view::npos) break;
    ptx.remove_prefix(at);
    if (ptx.starts_with("//")) {
      ptx.remove_prefix(std::min(ptx.find('\n'), ptx.size()));
    } else if (ptx.starts_with("/*")) {
      const size_t end = ptx.find("*/", 2);
      ptx.remove_prefix(end == std::string_view::npos ? ptx.size() : end + 2);
    } else {
      text += '/';
      ptx.remove_prefix(1);
    }
  }
  return text;
}

void append_image(std::string& text, const launch::Image& image) {
  const launch::Sampler& sampler = image.sampler;
  text += fmt::format("{}{}:{}x{}x{}x{}x{}:{}{}{}", image.kind == launch::ImageKind::Texture ? 't' : 's',
                      image.buffer, image.channels, image.width, image.height, image.depth, image.layers,
                      static_cast<int>(sampler.filter), static_cast<int>(sampler.normalized),
                      static_cast<int>(sampler.reads_float));
  for (const launch::AddressMode mode : sampler.address) text += fmt::format(":{}", name_of(mode));
  text += ';';
}

void append_shape(std::string& text, const launch::Launch& launch) {
  const auto add_dim3 = [&](Dim3 size) { text += fmt::format("{},{},{};", size.x, size.y, size.z); };
  add_dim3(launch.grid);
  add_dim3(launch.block);
  text += fmt::format("{};", launch.dynamic_shared_bytes);
  for (const launch::Buffer& buffer : launch.buffers)
    text += fmt::format("{}[{}];", launch::name_of(buffer.type), fmt::join(buffer.shape, "x"));
  const auto add_pointer = [&](const launch::BufferArgument& to) {
    text += to.offset_bytes == 0 ? fmt::format("&{};", to.buffer)
                                 : fmt::format("&{}+{};", to.buffer, to.offset_bytes);
  };
  for (const launch::Argument& argument : launch.arguments) {
    if (const auto* buffer = std::get_if<launch::BufferArgument>(&argument)) {
      add_pointer(*buffer);
      continue;
    }
    if (const auto* image = std::get_if<launch::ImageArgument>(&argument)) {
      append_image(text, launch.images[image->image]);
      continue;
    }
    const auto& value = std::get<launch::Value>(argument);
    for (const std::byte byte : value.bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
    text += ';';
    for (const launch::Value::Pointer& pointer : value.pointers) {
      text += fmt::format("@{}", pointer.at);
      add_pointer(pointer.to);
    }
  }
}

/// Names the files, macros and launch that a key follows from.
Result<std::string> name_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                            const std::vector<std::filesystem::path>& files) {
  TRY(const std::string shapes, launch_shapes(lesson, settings));
  std::string name = shapes;
  for (const std::filesystem::path& file : files) name += file.string() + "\n";
  return name + fmt::format("{}", fmt::join(lesson::defines(lesson, settings), " "));
}

std::vector<std::filesystem::file_time_type> times_of(const std::vector<std::filesystem::path>& files) {
  // A file that is not there is as old as can be; reading it says so.
  std::vector<std::filesystem::file_time_type> times;
  std::error_code ignored;
  for (const std::filesystem::path& file : files)
    times.push_back(std::filesystem::last_write_time(file, ignored));
  return times;
}

}  // namespace

std::string bare_ptx(std::string_view ptx) {
  const std::string text = without_comments(ptx);
  std::string bare;
  bool in_section = false;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.starts_with(".section")) in_section = true;
    if (in_section) {
      if (line.ends_with('}')) in_section = false;
      continue;
    }
    if (line.empty() || line.starts_with(".loc") || line.starts_with(".file")) continue;
    bare += line;
    bare += '\n';
  }
  return bare;
}

Result<std::string> launch_shapes(const lesson::Lesson& lesson, const lesson::Settings& settings) {
  const lesson::Kernel& kernel = lesson::kernel_of(lesson, settings);
  std::string text;
  const auto add = [&](const lesson::Settings& at) -> Result<void> {
    TRY(const launch::Launch launch, lesson::make_launch(lesson, kernel, at, nullptr, lesson::Filling::None));
    append_shape(text, launch);
    return {};
  };
  bool is_sized = false;
  if (!lesson.size_toggle.empty())
    for (const char* size : {"1024", "1000"})
      if (const auto at = lesson::with_toggle(lesson, settings, lesson.size_toggle, size)) {
        TRY_VOID(add(*at));
        is_sized = true;
      }
  if (!is_sized) TRY_VOID(add(settings));
  return text;
}

std::string kernel_key(std::string_view ptx, std::string_view entry, std::string_view shapes) {
  std::string all;
  const std::string bare = bare_ptx(ptx);
  for (const std::string_view part : {std::string_view(bare), entry, shapes})
    all += fmt::format("{}:{}", part.size(), part);
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Result<std::string> KernelKeys::key_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                                       const pipeline::Options& options, pipeline::Execution& execution) {
  const auto files = pipeline::files_of(lesson, lesson::kernel_of(lesson, settings), options);
  for (const std::filesystem::path& file : files)
    if (pipeline::find_edited(options.edited, file) != nullptr)
      return fail(ErrorKind::Usage, "the text is edited; take back the edits, or time the file by itself",
                  Location{file.string(), 0});
  TRY(const std::string name, name_of(lesson, settings, files));
  const auto written = times_of(files);
  const auto known = known_.find(name);
  if (known != known_.end() && known->second.written == written) return known->second.key;
  TRY(const pipeline::Job job, text_job_of(lesson, settings, options));
  TRY(const std::string ptx, execution.compiler().ptx_text(job, {.fetch = pipeline::Fetch::Never}));
  TRY(const std::string shapes, launch_shapes(lesson, settings));
  Known& kept = known_[name];
  kept = {written, kernel_key(ptx, job.kernel, shapes)};
  return kept.key;
}

bool KernelKeys::knows(const lesson::Lesson& lesson, const lesson::Settings& settings,
                       const pipeline::Options& options) const {
  const auto files = pipeline::files_of(lesson, lesson::kernel_of(lesson, settings), options);
  const auto name = name_of(lesson, settings, files);
  const auto known = name ? known_.find(*name) : known_.end();
  return known != known_.end() && known->second.written == times_of(files);
}

}  // namespace lanescope::recordings
