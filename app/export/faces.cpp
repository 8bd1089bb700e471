#include "export/faces.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <string_view>
#include <system_error>
#include <vector>

#include <cairo-ft.h>

namespace lanescope::exporting {
namespace {

using plot::Label;

std::vector<std::string_view> file_names(Label::Face face) {
  switch (face) {
    case Label::Face::Regular:
      return {"Inter-Regular.otf", "Inter-Regular.ttf"};
    case Label::Face::Strong:
      return {"Inter-SemiBold.otf", "Inter-SemiBold.ttf", "Inter-Bold.otf", "Inter-Bold.ttf"};
    case Label::Face::Mono:
      return {"JetBrainsMono-Regular.ttf", "JetBrainsMono-Regular.otf"};
  }
  return {};
}

/// A FreeType face with a separate library: Cairo caches faces, so they are freed when Cairo releases them
/// and not with the Faces object.
struct Opened {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  Opened() = default;
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    if (face != nullptr) FT_Done_Face(face);
    if (library != nullptr) FT_Done_FreeType(library);
  }
};

cairo_font_face_t* open_face(const std::filesystem::path& file) {
  static const cairo_user_data_key_t owner_key{};
  auto opened = std::make_unique<Opened>();
  if (FT_Init_FreeType(&opened->library) != 0) return nullptr;
  if (FT_New_Face(opened->library, file.c_str(), 0, &opened->face) != 0) return nullptr;
  cairo_font_face_t* face = cairo_ft_font_face_create_for_ft_face(opened->face, FT_LOAD_NO_HINTING);
  const auto free_owner = [](void* owner) { delete static_cast<Opened*>(owner); };
  if (cairo_font_face_set_user_data(face, &owner_key, opened.get(), free_owner) != CAIRO_STATUS_SUCCESS) {
    cairo_font_face_destroy(face);
    return nullptr;
  }
  (void)opened.release();  // Cairo owns it from here
  return face;
}

}  // namespace

Faces::Faces(const std::filesystem::path& directory) {
  if (directory.empty()) return;
  for (const auto face : {Label::Face::Regular, Label::Face::Strong, Label::Face::Mono}) {
    auto& slot = faces_[static_cast<size_t>(face)];
    for (const std::string_view name : file_names(face)) {
      std::error_code ignored;
      if (slot || !std::filesystem::exists(directory / name, ignored)) continue;
      slot.reset(open_face(directory / name));
    }
  }
}

void Faces::select(cairo_t* cairo, Label::Face face, float size) const {
  if (const auto& opened = faces_[static_cast<size_t>(face)]) {
    cairo_set_font_face(cairo, opened.get());
  } else {
    cairo_select_font_face(cairo, face == Label::Face::Mono ? "monospace" : "sans-serif",
                           CAIRO_FONT_SLANT_NORMAL,
                           face == Label::Face::Strong ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  }
  cairo_set_font_size(cairo, static_cast<double>(size));
}

}  // namespace lanescope::exporting
