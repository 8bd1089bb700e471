#include "compile/nearby_files.h"

#include "base/file.h"
#include "compile/headers.h"
#include "compile/host_main.h"
#include "compile/source_tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostSourceBytes = uint64_t{1} << 20;
constexpr size_t kMostSources = 200;  // of a folder

/// Name in a directive `#include "name"`; absent for any other.
std::optional<std::string> quoted_name_of(const Token& token) {
  const Directive directive = directive_of(token);
  if (directive.keyword != "include" || !directive.rest.starts_with('"')) return std::nullopt;
  const size_t close = directive.rest.find('"', 1);
  if (close == std::string::npos || close == 1) return std::nullopt;
  return directive.rest.substr(1, close - 1);
}

/// Name of the function of which a linker misses the definition, without namespaces, types and arguments.
std::string missing_function_in(std::string_view message) {
  constexpr std::string_view kStart = "undefined reference to `";
  const size_t start = message.find(kStart);
  if (start == std::string_view::npos) return {};
  std::string_view name = message.substr(start + kStart.size());
  name = name.substr(0, std::min(name.find_first_of("('"), name.size()));
  name = name.substr(0, std::min(name.find('<'), name.size()));
  size_t first = name.size();
  while (first > 0 && is_word(name[first - 1])) --first;
  return std::string(name.substr(first));
}

/// True where the text has `name(...) {`.
bool defines_function(std::string_view text, std::string_view name) {
  const std::vector<Token> tokens = code_tokens_of(text);
  for (size_t n = 0; n + 1 < tokens.size(); ++n) {
    if (tokens[n].text != name || tokens[n + 1].text != "(") continue;
    int depth = 0;
    for (size_t end = n + 1; end < tokens.size(); ++end) {
      if (tokens[end].text == "(") ++depth;
      if (tokens[end].text == ")" && --depth == 0) {
        if (end + 1 < tokens.size() && tokens[end + 1].text == "{") return true;
        break;
      }
    }
  }
  return false;
}

}  // namespace

fs::path folder_with(const std::string& header, const fs::path& source) {
  constexpr std::array kFolders{"",       "include", "inc",  "common", "common/inc",
                                "Common", "src",     "util", "utils"};
  constexpr int kMostLevels = 4;
  std::error_code ignored;
  fs::path level = fs::absolute(source).parent_path();
  for (int n = 0; n < kMostLevels && level != level.root_path(); ++n, level = level.parent_path())
    for (const char* folder : kFolders)
      if (fs::is_regular_file(level / folder / header, ignored)) return level / folder;
  return {};
}

std::vector<fs::path> folders_of_headers(std::string_view text, const fs::path& source,
                                         const std::vector<fs::path>& folders) {
  std::vector<fs::path> found;
  std::error_code ignored;
  const auto has_header = [&](const std::vector<fs::path>& searched, const std::string& name) {
    return std::ranges::any_of(searched,
                               [&](const fs::path& folder) { return fs::exists(folder / name, ignored); });
  };
  for (const Token& token : directives_of(text)) {
    const auto name = quoted_name_of(token);
    if (!name || name->contains('\0') || is_standard_header(*name)) continue;
    if (has_header(folders, *name) || has_header(found, *name)) continue;
    if (fs::path folder = folder_with(*name, source); !folder.empty()) found.push_back(std::move(folder));
  }
  return found;
}

fs::path source_with_missing_function(std::string_view message, const fs::path& source) {
  constexpr std::array kFolders{"", "src", "source", "common", "lib", "util", "utils"};
  constexpr std::array kExtensions{".cu", ".cpp", ".cc", ".c"};
  const std::string name = missing_function_in(message);
  if (name.empty()) return {};
  std::error_code ignored;
  for (const char* folder : kFolders) {
    const fs::path searched =
        source.has_parent_path() ? source.parent_path() / folder : fs::path(".") / folder;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(searched, ignored))
      if (files.size() < kMostSources && is_one_of(entry.path().extension().string(), kExtensions) &&
          entry.is_regular_file(ignored))
        files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      const auto text = read_text(file, kMostSourceBytes);
      if (text && text->contains(name) && defines_function(*text, name) && !defines_main(*text))
        return file.lexically_normal();
    }
  }
  return {};
}

}  // namespace lanescope::compile
