#include "shell/window/clipboard.h"

#include "base/limited_process.h"
#include "base/temporary_folder.h"

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

std::string_view setting(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets it
  return value != nullptr ? value : "";
}

std::optional<fs::path> program_in_path(const std::string& name) {
  std::string_view rest = setting("PATH");
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    const fs::path file = fs::path(folder) / name;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

/// The desktop's tool takes the picture from `png`.
Result<void> hand_over(const fs::path& png) {
  const bool wayland = !setting("WAYLAND_DISPLAY").empty();
  const std::string name = wayland ? "wl-copy" : "xclip";
  const auto program = program_in_path(name);
  if (!program)
    return fail(
        ErrorKind::Unsupported,
        fmt::format("the clipboard takes pictures from the program '{}', which is not installed; install "
                    "{}, or export to a file",
                    name, wayland ? "wl-clipboard" : "xclip"));
  // wl-copy reads its standard input.
  const std::vector<std::string> words =
      wayland ? std::vector<std::string>{"/bin/sh", "-c", "exec \"$0\" --type image/png <\"$1\"",
                                         program->string(), png.string()}
              : std::vector<std::string>{program->string(), "-selection", "clipboard", "-t",
                                         "image/png",       "-i",         png.string()};
  TRY(const Ended ended, run_limited(words, {.seconds = 5}));
  if (ended.how != Ended::How::Exited || ended.number != 0)
    return fail(
        ErrorKind::Unsupported,
        fmt::format("the picture was not copied: {} said '{}'; export it to a file", name, ended.error));
  return {};
}

}  // namespace

Result<void> copy_picture(const std::function<Result<void>(const fs::path&)>& write) {
  // A folder that nobody else can write to: a name in the common one could be taken by a link.
  TRY(const TemporaryFolder folder, TemporaryFolder::make("picture"));
  const fs::path png = folder / "picture.png";
  TRY_VOID(write(png));
  return hand_over(png);
}

}  // namespace lanescope::shell
