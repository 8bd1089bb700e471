#include "handout/files.h"

#include "base/file.h"
#include "compile/content_key.h"
#include "pipeline/stored_ptx.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::handout {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> values_of(const lesson::Toggle& toggle) {
  std::vector<std::string> values;
  for (const lesson::Choice& choice : toggle.choices) values.push_back(choice.value);
  return values;
}

std::vector<std::string> kernel_names(const lesson::Lesson& lesson) {
  std::vector<std::string> names;
  for (const lesson::Kernel& kernel : lesson.kernels) names.push_back(kernel.name);
  return names;
}

const std::vector<std::string>* offered(const Offer& offer, std::string_view name) {
  const auto found = std::ranges::find(offer, name, &Offer::value_type::first);
  return found == offer.end() ? nullptr : &found->second;
}

/// The lesson with no other choices than those that a reader has.
lesson::Lesson trimmed(lesson::Lesson lesson, const lesson::Settings& start, const Offer& offer) {
  for (lesson::Toggle& toggle : lesson.toggles) {
    const std::vector<std::string>* const values = offered(offer, toggle.name);
    std::erase_if(toggle.choices, [&](const lesson::Choice& choice) {
      return values != nullptr ? std::ranges::find(*values, choice.value) == values->end()
                               : choice.value != start.values.at(toggle.name);
    });
    const std::string& value = start.values.at(toggle.name);
    if (toggle.choices.empty())
      toggle.choices.push_back({.value = value, .define = value, .label = {}, .type = {}});
  }
  return lesson;
}

/// Settings of every text that the reader's choices can make, those of questions too.
Result<std::vector<lesson::Settings>> settings_of_texts(const lesson::Lesson& lesson,
                                                        const lesson::Settings& start, const Offer& offer) {
  std::vector<lesson::Settings> all{start};
  const std::vector<std::string>* const kernels = offered(offer, "kernel");
  for (const std::string& name : kernels != nullptr ? *kernels : std::vector{start.kernel}) {
    lesson::Settings of_kernel = start;
    if (name != start.kernel) {
      TRY(of_kernel, lesson::with_toggle(lesson, start, "kernel", name));
    }
    for (const lesson::Settings& settings : lesson::all_macros(trimmed(lesson, of_kernel, offer), of_kernel))
      all.push_back(settings);
  }
  for (const lesson::Question& question : lesson.questions) {
    TRY(lesson::Settings settings,
        lesson::with_toggles(lesson, lesson::initial_settings(lesson), question.set));
    all.push_back(std::move(settings));
  }
  return all;
}

Result<void> add_file(PackedFiles& files, const fs::path& file, const std::string& name) {
  TRY(std::string text, read_text(file));
  files.texts.emplace(name, std::move(text));
  return {};
}

/// What buffers of the lesson may begin with: the files of its folder that are neither text nor code.
Result<void> add_contents(PackedFiles& files, const fs::path& lesson, const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(lesson, ignored)) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file(ignored) ||
        !(extension == ".png" || extension == ".npy" || extension == ".raw"))
      continue;
    TRY(std::string bytes, read_text(entry.path()));
    files.bytes.emplace(folder + entry.path().filename().string(), std::move(bytes));
  }
  return {};
}

/// The job's PTX, and that of the kernels that are run with it.
Result<void> add_ptx(PackedFiles& files, const pipeline::Job& job, const std::string& lesson,
                     pipeline::Execution& execution, std::set<std::string>& keys) {
  const std::string key = compile::content_key(job.source, job.options, "");
  if (keys.insert(key).second) {
    if (const auto ptx = execution.compiler().ptx_text(job)) {
      files.texts.emplace(fmt::format("/assets/ptx/{}/{}.ptx", lesson, key),
                          pipeline::stored_text(job, *ptx));
    } else if (files.without_ptx++ == 0) {
      files.reason = describe(ptx.error());
    }
  }
  for (const pipeline::Job& before : job.before) TRY_VOID(add_ptx(files, before, lesson, execution, keys));
  return {};
}

/// The settings of the kernel whose output a kernel's is compared with; none where a rule says what it is.
std::optional<lesson::Settings> settings_of_reference(const lesson::Lesson& lesson,
                                                      lesson::Settings settings) {
  const lesson::Kernel& kernel = lesson::kernel_of(lesson, settings);
  if (!kernel.expect || kernel.expect->rule) return {};
  const lesson::Kernel& reference = *lesson::find_kernel(lesson, kernel.expect->reference);
  if (reference.name != settings.kernel)
    for (const auto& [name, value] : reference.presets) settings.values[name] = value;
  settings.kernel = reference.name;
  return settings;
}

}  // namespace

Result<void> add_device(PackedFiles& files, const model::Device& device, const pipeline::Options& options) {
  const auto folder = options.own_devices.empty() ? options.assets / "devices" : options.own_devices;
  return add_file(files, folder / (device.name + ".toml"),
                  fmt::format("/assets/devices/{}.toml", device.name));
}

std::vector<std::string> values_listed(std::string_view list) {
  std::vector<std::string> values;
  for (;;) {
    const size_t comma = list.find(',');
    values.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return values;
    list.remove_prefix(comma + 1);
  }
}

Offer whole_offer(const lesson::Lesson& lesson) {
  Offer offer{{"kernel", kernel_names(lesson)}};
  for (const lesson::Toggle& toggle : lesson.toggles) offer.emplace_back(toggle.name, values_of(toggle));
  return offer;
}

Result<Offer> parse_offer(const lesson::Lesson& lesson, const std::vector<std::string>& words) {
  if (words.empty()) return whole_offer(lesson);
  Offer offer;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const lesson::Toggle* const toggle = lesson::find_toggle(lesson, name);
    std::vector<std::string> values;
    if (equals == std::string::npos) {
      if (toggle != nullptr) values = values_of(*toggle);
      if (name == "kernel") values = kernel_names(lesson);
    } else {
      values = values_listed(std::string_view(word).substr(equals + 1));
    }
    // Names the lesson's toggles, or the toggle's values, where there is none of these.
    for (const std::string& value : values.empty() ? std::vector<std::string>{""} : values)
      TRY_VOID(lesson::with_toggle(lesson, lesson::initial_settings(lesson), name, value));
    if (offered(offer, name) != nullptr)
      return fail(ErrorKind::Usage,
                  fmt::format("--toggle {} is given twice; give all its values in one", name));
    offer.emplace_back(name, std::move(values));
  }
  return offer;
}

Result<PackedFiles> files_of(const lesson::Lesson& lesson, const lesson::Settings& start, const Offer& offer,
                             const model::Device& device, const pipeline::Options& options,
                             pipeline::Execution& execution) {
  PackedFiles files;
  const std::string folder = fmt::format("/assets/lessons/{}/", lesson.name);
  files.subject = "/assets/lessons/" + lesson.name;
  for (const char* name : {lesson::kLessonFile, "english.md", "french.md"}) {
    std::error_code ignored;
    if (fs::exists(lesson.folder / name, ignored))
      TRY_VOID(add_file(files, lesson.folder / name, folder + name));
  }
  TRY_VOID(add_device(files, device, options));
  for (const auto* kernels : {&lesson.kernels, &lesson.references})
    for (const lesson::Kernel& kernel : *kernels)
      for (const fs::path& file : pipeline::files_of(lesson, kernel, options)) {
        const bool is_of_lesson = file.parent_path() == lesson.folder;
        TRY_VOID(add_file(files, file, (is_of_lesson ? folder : "/kernels/") + file.filename().string()));
      }
  TRY_VOID(add_contents(files, lesson.folder, folder));
  std::set<std::string> keys;
  TRY(const auto all, settings_of_texts(lesson, start, offer));
  for (const lesson::Settings& settings : all) {
    TRY(const pipeline::Job job, pipeline::job_of(lesson, settings, options, nullptr, lesson::Filling::None));
    TRY_VOID(add_ptx(files, job, lesson.name, execution, keys));
    if (const auto reference = settings_of_reference(lesson, settings)) {
      TRY(const pipeline::Job its, pipeline::text_job_of(lesson, *reference, options));
      TRY_VOID(add_ptx(files, its, lesson.name, execution, keys));
    }
  }
  return files;
}

}  // namespace lanescope::handout
