#include "shell/window/fonts.h"

#include <array>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

constexpr float kAnySize = 16;  // faces are rasterized later at the requested size
constexpr std::array<ImWchar, 3> kDigits{'0', '9', 0};

struct FaceFile {
  const char* name;
  float line_height;  // (ascender - descender) / units per em, of the file's hhea table
  float digit_width;  // widest digit over the em; 0: the face is monospaced
};

constexpr std::array<FaceFile, 3> kFiles{FaceFile{"Inter-Regular.otf", 1.2102f, 0.642f},
                                         FaceFile{"Inter-SemiBold.otf", 1.2102f, 0.6669f},
                                         FaceFile{"JetBrainsMono-Regular.ttf", 1.32f, 0}};

}  // namespace

Result<view::Faces> load_faces(const std::filesystem::path& folder) {
  view::Faces faces;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  for (size_t n = 0; n < kFiles.size(); ++n) {
    const FaceFile& wanted = kFiles[n];
    const std::string file = (folder / wanted.name).string();
    std::error_code problem;
    if (!std::filesystem::is_regular_file(file, problem))
      return fail(ErrorKind::File,
                  fmt::format("the font {} is missing; it is part of the project's assets", file));
    ImFontConfig config;
    if (wanted.digit_width > 0) config.GlyphExcludeRanges = kDigits.data();
    ImFont* font = atlas.AddFontFromFileTTF(file.c_str(), kAnySize, &config);
    if (font != nullptr && wanted.digit_width > 0) {
      ImFontConfig digits;
      digits.MergeMode = true;
      digits.DstFont = font;
      digits.GlyphRanges = kDigits.data();
      digits.GlyphMinAdvanceX = digits.GlyphMaxAdvanceX = kAnySize / wanted.line_height * wanted.digit_width;
      static constexpr std::array<ImWchar, 5> kNotDigits{1, '0' - 1, '9' + 1, 0xffff, 0};
      digits.GlyphExcludeRanges = kNotDigits.data();
      font = atlas.AddFontFromFileTTF(file.c_str(), kAnySize, &digits);
    }
    if (font == nullptr)
      return fail(ErrorKind::File,
                  fmt::format("the font {} cannot be read; fetch the project's assets again", file));
    faces.font[n] = font;
    faces.line_height[n] = wanted.line_height;
  }
  return faces;
}

}  // namespace lanescope::shell
