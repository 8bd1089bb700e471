#include "support/h200_run.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

/// The fields of a line; the last one takes the rest of the line, commas and all.
std::vector<std::string> fields_of(const std::string& line, size_t count) {
  std::vector<std::string> fields;
  size_t at = 0;
  while (fields.size() + 1 < count) {
    const size_t end = line.find(',', at);
    if (end == std::string::npos) break;
    fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  fields.push_back(line.substr(at));
  return fields;
}

}  // namespace

Result<Table> read_table(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) return fail(ErrorKind::File, "a table was expected", Location{file, 0});
  const std::vector<std::string> names = fields_of(line, std::string::npos);
  Table table;
  for (int number = 2; std::getline(stream, line); ++number) {
    const std::vector<std::string> fields = fields_of(line, names.size());
    if (fields.size() != names.size())
      return fail(ErrorKind::Syntax,
                  fmt::format("{} fields were expected, {} found", names.size(), fields.size()),
                  Location{file, number});
    auto& row = table.emplace_back();
    for (size_t i = 0; i < names.size(); ++i) row[names[i]] = fields[i];
  }
  return table;
}

Result<std::vector<std::byte>> unzip(const std::filesystem::path& file) {
  const std::string command = fmt::format("gzip -dc '{}'", file.string());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::vector<std::byte> bytes;
  std::array<std::byte, 65536> part{};
  for (size_t got = 0; pipe && (got = std::fread(part.data(), 1, part.size(), pipe.get())) != 0;)
    bytes.insert(bytes.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
  if (bytes.empty())
    return fail(ErrorKind::File, "a file compressed by gzip was expected", Location{file, 0});
  return bytes;
}

}  // namespace lanescope::tests
