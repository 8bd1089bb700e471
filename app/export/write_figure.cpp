// Method: each format is made in memory first and then written at once, so that a failure leaves no partial
// file.

#include "base/file.h"
#include "export/drawn_formats.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::exporting {
namespace {

/// The function that makes the bytes of a file with this extension.
Result<Writer> writer_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::vector<std::string_view> known;
  for (const DrawnFormat& format : drawn_formats()) {
    if (extension == format.extension) return format.write;
    known.push_back(format.extension);
  }
  if (extension == ".csv")
    return [](Figures figures, const Style&) -> Result<std::string> { return to_csv(figures); };
  if (extension == ".json")
    return [](Figures figures, const Style&) -> Result<std::string> { return to_json(figures); };
  const std::string listed =
      fmt::format("a figure can be written as {}, .csv or .json", fmt::join(known, ", "));
  if (extension.empty()) {
    return fail(ErrorKind::Usage, fmt::format("'{}' has no extension: {}", file.string(), listed));
  }
  return fail(ErrorKind::Usage,
              fmt::format("'{}' has the unknown extension '{}': {}", file.string(), extension, listed));
}

}  // namespace

std::vector<std::string> figure_formats() {
  std::vector<std::string> formats;
  for (const DrawnFormat& format : drawn_formats()) formats.emplace_back(format.extension.substr(1));
  formats.insert(formats.end(), {"csv", "json"});
  return formats;
}

Result<void> check_format(const std::filesystem::path& file) {
  TRY_VOID(writer_of(file));
  return {};
}

Result<void> write_figure(const plot::Figure& figure, const std::filesystem::path& file, const Style& style) {
  return write_figures({&figure, 1}, file, style);
}

Result<void> write_figures(Figures figures, const std::filesystem::path& file, const Style& style) {
  TRY(const Writer write, writer_of(file));
  std::vector<plot::Figure> named(figures.begin(), figures.end());
  for (size_t run = 0; named.size() > 1 && run < named.size(); ++run)
    named[run].title = fmt::format("{} · {}", static_cast<char>('A' + run), named[run].title);
  TRY(const std::string bytes, write(named, style));
  return write_file(file, bytes);
}

}  // namespace lanescope::exporting
