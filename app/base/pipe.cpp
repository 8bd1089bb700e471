#include "base/pipe.h"

namespace lanescope {

Result<void> refuse_pipe(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto status = std::filesystem::status(file, unknown);
  if (!std::filesystem::is_fifo(status) && !std::filesystem::is_socket(status)) return {};
  return fail(ErrorKind::File, "this is a pipe; write what comes from it to a file, and give that",
              Location{file.string(), 0});
}

}  // namespace lanescope
