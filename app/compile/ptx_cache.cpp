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
std::string seal_of(std::string_view ptx) {
  return fmt::format("// lanescope {:016x}\n", XXH3_64bits(ptx.data(), ptx.size()));
}

}  // namespace

std::optional<std::string> read_cached_ptx(const fs::path& folder, std::string_view key) {
  std::ifstream stream(folder / fmt::format("{}.ptx", key), std::ios::binary);
  if (!stream) return {};
  const std::string all{std::istreambuf_iterator<char>(stream), {}};
  const size_t end = all.find('\n');
  if (end == std::string::npos) return {};
  std::string ptx = all.substr(end + 1);
  if (all.substr(0, end + 1) != seal_of(ptx)) return {};
  return ptx;
}

void cache_ptx(const fs::path& folder, std::string_view key, std::string_view ptx) {
  std::error_code error;
  fs::create_directories(folder, error);
  (void)write_file(folder / fmt::format("{}.ptx", key), seal_of(ptx).append(ptx));
}

}  // namespace lanescope::compile
