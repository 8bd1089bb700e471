#include "session/source_texts.h"

#include "compile/include_files.h"
#include "compile/source_tokens.h"

#include <algorithm>
#include <optional>

namespace lanescope::session {
namespace {

/// More files than a person looks at in turn.
constexpr size_t kMostFiles = 12;
constexpr size_t kMostBytes = size_t{1} << 20;  // of a text in which toggles are looked for

std::optional<int> first_use(std::string_view text, std::string_view macro) {
  if (text.size() > kMostBytes) return {};
  for (const compile::Token& token : compile::code_tokens_of(text))
    if (token.text == macro) return token.line;
  return {};
}

}  // namespace

std::vector<SourceFile> source_files_of(const pipeline::Job& job,
                                        const std::vector<std::filesystem::path>& known) {
  std::vector<SourceFile> found;
  found.push_back(
      {job.source.file_name,
       pipeline::edited_name(known.empty() ? std::filesystem::path(job.source.file_name) : known.front())});
  if (job.text == pipeline::Job::Text::Ptx) return found;
  const auto read = compile::read_source_files(job.source, job.options, {});
  if (!read) return found;
  const size_t given = job.source.headers.size();
  std::vector<bool> is_seen(read->files.size());
  std::vector<size_t> order{0};
  for (size_t next = 0; next < order.size() && order.size() < kMostFiles; ++next)
    for (const compile::IncludeLine& line : read->files[order[next]].includes) {
      using Found = compile::IncludeLine::Found;
      const bool is_own =
          line.found == Found::Given || (line.found == Found::File && read->files[line.file].is_beside);
      if (!is_own || line.file == 0 || is_seen[line.file]) continue;
      is_seen[line.file] = true;
      order.push_back(line.file);
    }
  for (const size_t number : order) {
    if (number == 0) continue;
    const std::string& name = read->files[number].name;
    if (number > given) {
      found.push_back({name, pipeline::edited_name(name)});
    } else if (known.size() > number) {
      found.push_back({name, pipeline::edited_name(known[number])});
    } else {
      // An edited header of a person's: given by its name from one of the folders.
      for (const std::filesystem::path& folder : job.options.include_directories) {
        std::error_code ignored;
        const std::filesystem::path whole = pipeline::edited_name(folder / name);
        if (!std::filesystem::exists(whole, ignored)) continue;
        found.push_back({name, whole});
        break;
      }
    }
  }
  return found;
}

std::vector<ToggleLine> toggle_lines_of(const lesson::Lesson& lesson, const lesson::Settings& settings,
                                        const std::vector<SourceText>& files) {
  std::vector<ToggleLine> found;
  for (const lesson::Toggle& toggle : lesson.toggles) {
    if (toggle.define.empty() || !lesson::applies(lesson, settings, toggle)) continue;
    for (size_t file = 0; file < files.size(); ++file) {
      const auto line = first_use(*files[file].text, toggle.define);
      if (!line) continue;
      found.push_back({toggle.name, file, *line});
      break;
    }
  }
  return found;
}

}  // namespace lanescope::session
