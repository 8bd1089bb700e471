#include "session/kept_launches.h"

#include "base/file.h"
#include "compile/content_key.h"

#include <system_error>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

namespace fs = std::filesystem;

fs::path place_of(const fs::path& folder, const fs::path& file) {
  const std::string key =
      compile::content_key({.file_name = file.string(), .text = {}, .headers = {}}, {}, "");
  return folder / fmt::format("{}-{}.toml", file.stem().string(), key.substr(0, 16));
}

}  // namespace

std::optional<pipeline::LaunchFile> find_kept_launches(const fs::path& folder, const fs::path& file) {
  if (folder.empty()) return {};
  auto kept = pipeline::read_launch_file(place_of(folder, file));
  if (!kept) return {};
  return *std::move(kept);
}

void keep_launches(const fs::path& folder, const fs::path& file, const pipeline::LaunchFile& launches) {
  if (folder.empty()) return;
  std::error_code problem;
  fs::create_directories(folder, problem);
  // What is not kept is guessed again.
  (void)write_file(place_of(folder, file), pipeline::launch_file_text(launches));
}

}  // namespace lanescope::session
