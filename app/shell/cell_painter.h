// Paints a map of cells into a texture with the shaders of shaders/cells.*: millions of cells cost one
// triangle. Method: the values are uploaded once per version as an integer texture; the fragment shader looks
// them up. Tests: tests/gui (the picture of the matrix map)

#pragma once

#include "base/error.h"
#include "view/context.h"

#include <cstdint>
#include <filesystem>
#include <map>

namespace lanescope::shell {

class CellPainter {
 public:
  /// Needs a current OpenGL 3.3 context, as all of its functions. Errors: File for a shader that is missing,
  /// Internal with the driver's words for one that does not compile.
  static Result<CellPainter> make(const std::filesystem::path& shaders);
  CellPainter(CellPainter&& other) noexcept;
  CellPainter& operator=(CellPainter&&) = delete;
  CellPainter(const CellPainter&) = delete;
  CellPainter& operator=(const CellPainter&) = delete;
  ~CellPainter();

  /// The picture of the job, valid until the same cells are painted again. Equal jobs are painted once.
  ImTextureID paint(const view::CellJob& job);
  /// Forgets pictures that were not asked for since the last call.
  void end_frame();

 private:
  struct Picture {
    uint32_t values = 0;  // textures and a framebuffer of OpenGL
    uint32_t target = 0;
    uint32_t framebuffer = 0;
    uint64_t version = 0;
    view::CellJob done;  // what `target` shows; its cells are null before the first painting
    bool used = true;
  };

  explicit CellPainter(uint32_t program);
  void upload(Picture& picture, const view::CellJob& job);
  void draw(Picture& picture, const view::CellJob& job);
  static void forget(Picture& picture);

  uint32_t program_ = 0;
  uint32_t vertices_ = 0;  // an empty vertex array: the shader makes its own corners
  uint32_t palette_ = 0;
  std::map<const plot::Cells*, Picture> pictures_;
};

}  // namespace lanescope::shell
