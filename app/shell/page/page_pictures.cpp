// Pictures of the window in a browser: a PNG without Cairo, also for the clipboard, which browsers give only
// to pages of a secure origin.

#include "base/file.h"
#include "export/png.h"
#include "shell/page/browser.h"
#include "shell/window/clipboard.h"
#include "shell/window/picture.h"

namespace lanescope::shell {

Result<void> write_png(const Image& image, const std::filesystem::path& file) {
  TRY(const std::string png,
      exporting::png_of(image.rgba, static_cast<uint32_t>(image.width), static_cast<uint32_t>(image.height)));
  return write_file(file, png);
}

Result<void> copy_picture(const std::function<Result<void>(const std::filesystem::path&)>& write) {
  if (!page::takes_pictures())
    return fail(
        ErrorKind::Unsupported,
        "the browser takes a picture to the clipboard only over HTTPS or from localhost; save it as a file");
  const std::filesystem::path file = "/copied.png";
  TRY_VOID(write(file));
  page::copy_png(file);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return {};
}

}  // namespace lanescope::shell
