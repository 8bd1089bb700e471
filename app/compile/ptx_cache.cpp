#include "compile/ptx_cache.h"

#include "base/file.h"

#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <xxhash.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

/// First line of a cached file: a checksum of the rest.
std::string seal_of(std::string_view content) {
  return fmt::format("// lanescope {:016x}\n", XXH3_64bits(content.data(), content.size()));
}

}  // namespace

std::optional<std::string> read_cached(const fs::path& folder, std::string_view key,
                                       std::string_view extension) {
  std::ifstream stream(folder / fmt::format("{}.{}", key, extension), std::ios::binary);
  if (!stream) return {};
  const std::string all{std::istreambuf_iterator<char>(stream), {}};
  const size_t end = all.find('\n');
  if (end == std::string::npos) return {};
  std::string content = all.substr(end + 1);
  if (all.substr(0, end + 1) != seal_of(content)) return {};
  return content;
}

void write_cached(const fs::path& folder, std::string_view key, std::string_view extension,
                  std::string_view content) {
  std::error_code error;
  fs::create_directories(folder, error);
  (void)write_file(folder / fmt::format("{}.{}", key, extension), seal_of(content).append(content));
}

}  // namespace lanescope::compile
