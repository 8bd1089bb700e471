// Pictures of the window in a browser: a PNG without Cairo, and no picture on the clipboard, which browsers
// give only to pages of a secure origin.

#include "base/file.h"
#include "export/png.h"
#include "shell/window/clipboard.h"
#include "shell/window/picture.h"

namespace lanescope::shell {

Result<void> write_png(const Image& image, const std::filesystem::path& file) {
  TRY(const std::string png,
      exporting::png_of(image.rgba, static_cast<uint32_t>(image.width), static_cast<uint32_t>(image.height)));
  return write_file(file, png);
}

Result<void> copy_picture(const std::function<Result<void>(const std::filesystem::path&)>&) {
  return fail(ErrorKind::Unsupported,
              "a browser takes no picture to the clipboard from here; export it to a file");
}

}  // namespace lanescope::shell
