#include "compile/harmless_names.h"

#include "base/file.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "lanescope-links";
constexpr std::string_view kOwnName = ".own";  // ends the name of the link beside a copy

std::string name_of(const fs::path& target) {
  const std::string& name = target.native();
  return fmt::format("{:016x}", XXH3_64bits(name.data(), name.size()));
}

/// Makes `link` lead to `target`.
Result<void> set_link(const fs::path& link, const fs::path& target) {
  std::error_code error;
  if (fs::read_symlink(link, error) == target) return {};
  fs::create_directories(link.parent_path(), error);
  fs::remove(link, error);
  fs::create_symlink(target, link, error);
  // Another process may have made it at the same moment.
  if (fs::read_symlink(link, error) == target) return {};
  return fail(ErrorKind::File,
              fmt::format("nvcc needs another name for '{}', and no link can be made here; make the folder "
                          "writable, or rename it",
                          target.string()),
              Location{link.parent_path().string(), 0});
}

}  // namespace

bool is_harmless(const fs::path& name) {
  constexpr std::string_view kOfShell = "\"$`\\\n";
  return name.native().find_first_of(kOfShell) == std::string::npos;
}

fs::path links_folder(const fs::path& cache) { return cache / kFolder; }

Result<fs::path> harmless_folder(const fs::path& folder, const fs::path& links) {
  const fs::path whole = fs::absolute(folder);
  if (is_harmless(whole)) return whole;
  fs::path link = links / name_of(whole);
  TRY_VOID(set_link(link, whole));
  return link;
}

Result<fs::path> harmless_file(const fs::path& file, const fs::path& links) {
  const fs::path whole = fs::absolute(file);
  std::error_code error;
  const fs::path real = fs::canonical(whole, error);
  if (is_harmless(whole) && is_harmless(real)) return whole;
  const std::string extension = whole.extension().string();
  fs::path copy = links / (name_of(whole) + (is_harmless(extension) ? extension : ".cu"));
  TRY_VOID(set_link(copy.native() + std::string(kOwnName), whole));
  TRY(const std::string text, read_text(whole));
  // A copy that is the same keeps its time, by which what was compiled is known to be current.
  if (const auto known = read_text(copy); !known || *known != text) TRY_VOID(write_file(copy, text));
  return copy;
}

Result<fs::path> harmless_macro(const std::string& define, const fs::path& links) {
  if (define.contains('\n'))
    return fail(ErrorKind::Usage, fmt::format("a macro of one line was expected, found '{}'", define));
  const size_t equals = std::min(define.find('='), define.size());
  const std::string value = equals == define.size() ? "1" : define.substr(equals + 1);
  const std::string text = fmt::format("#define {} {}\n", define.substr(0, equals), value);
  fs::path header = links / (name_of(text) + ".h");
  // One that is the same keeps its time, by which what was compiled is known to be current.
  if (const auto known = read_text(header); known && *known == text) return header;
  std::error_code ignored;
  fs::create_directories(links, ignored);
  TRY_VOID(write_file(header, text));
  return header;
}

std::string with_own_names(std::string text) {
  const std::string marker = fmt::format("/{}/", kFolder);
  for (size_t found = text.find(marker); found != std::string::npos; found = text.find(marker, found)) {
    // A name is written as "FOLDERS/lanescope-links/NAME": absolute, without the characters that end names.
    const size_t before = text.find_last_of(" \t\n\"'(:,=", found);
    const size_t start = text.find('/', before == std::string::npos ? 0 : before + 1);
    size_t end = found + marker.size();
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.'))
      ++end;
    while (end > found && text[end - 1] == '.') --end;  // of a sentence
    std::error_code error;
    const std::string name = text.substr(start, end - start);
    fs::path own = fs::read_symlink(name + std::string(kOwnName), error);
    if (error) own = fs::read_symlink(name, error);
    found = end;
    if (error) continue;
    text.replace(start, end - start, own.string());
    found = start + own.native().size();
  }
  return text;
}

}  // namespace lanescope::compile
