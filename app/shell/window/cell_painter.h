// Paints maps of cells with the shader of shaders/cells.*.glsl into textures that the draw lists show.
// Method: the cells are uploaded to the GPU once, as an integer texture; a picture is painted again only when
// the visible part, its size or the theme changes, so a static map costs one textured rectangle per frame.
// Colors come from plot/color.h, as in files. Test: tests/gui/figure_test.cpp

#pragma once

#include "base/error.h"
#include "view/context.h"

#include <array>
#include <cstdint>
#include <filesystem>

namespace lanescope::shell {

class CellPainter {
 public:
  /// Compiles the shaders of `folder`. Needs a current OpenGL context, here and until it is destroyed.
  static Result<CellPainter> load(const std::filesystem::path& folder);
  ~CellPainter();
  CellPainter(CellPainter&& other) noexcept;
  CellPainter& operator=(CellPainter&&) = delete;

  /// The texture with the picture; valid until the next picture of other cells replaces it. Zero if the map
  /// is larger than the maximum texture.
  ImTextureID paint(const view::CellJob& job);
  /// How often a texture was painted; 0 for one of others.
  uint64_t version_of(ImTextureID texture) const;

 private:
  struct Slot {
    const plot::Cells* cells = nullptr;
    view::CellJob painted;
    uint32_t data = 0, picture = 0, framebuffer = 0;
    uint64_t used = 0;
    uint64_t version = 0;
  };

  CellPainter() = default;
  Slot& slot_of(const view::CellJob& job);
  void upload(Slot& slot, const view::CellJob& job) const;
  void upload_palette(plot::Theme mode);

  uint32_t program_ = 0, nothing_ = 0, palette_ = 0;
  std::array<Slot, 8> slots_{};
  uint64_t clock_ = 0;
};

}  // namespace lanescope::shell
