#include "report/source_texts.h"

#include "base/file.h"
#include "base/lines.h"

#include <cstdint>
#include <vector>

namespace lanescope::report {

const std::string& SourceTexts::text(const std::string& file) {
  const auto [known, is_new] = texts_.try_emplace(file);
  if (!is_new || file.empty()) return known->second;
  constexpr uint64_t kMostBytes = uint64_t{8} << 20;
  if (auto read = read_text(file, kMostBytes)) known->second = *std::move(read);
  return known->second;
}

std::string SourceTexts::line(const std::string& file, int number) {
  if (number < 1) return {};
  const std::vector<std::string_view> lines = lines_of(text(file));
  const auto index = static_cast<size_t>(number - 1);
  return index < lines.size() ? std::string(trimmed(lines[index])) : std::string();
}

std::string name_below(const std::filesystem::path& folder, const std::string& file) {
  const std::filesystem::path path(file);
  if (folder.empty() || !path.is_absolute()) return file;
  const std::string relative = path.lexically_normal().lexically_relative(folder).string();
  return relative.empty() || relative.starts_with("..") ? file : relative;
}

std::string sentence_below(const std::filesystem::path& folder, std::string sentence) {
  const std::string prefix = folder.string() + "/";
  if (folder.empty()) return sentence;
  for (size_t at = sentence.find(prefix); at != std::string::npos; at = sentence.find(prefix, at)) {
    // Not within a longer path.
    const bool begins = at == 0 || sentence[at - 1] == ' ' || sentence[at - 1] == '\'';
    if (begins)
      sentence.erase(at, prefix.size());
    else
      at += prefix.size();
  }
  return sentence;
}

}  // namespace lanescope::report
