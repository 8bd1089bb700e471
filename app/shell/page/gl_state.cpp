// Answers Dear ImGui's questions for OpenGL's state without asking the browser, which takes a trip to its GPU
// process for each: seven per frame, and each waits until that process has drawn the frame before. Assumes
// that whoever draws sets blending and scissors itself, as Dear ImGui's backend and CellPainter do: what the
// backend puts back after a frame is of no use then. The linker sends each call of glGetIntegerv() here
// (page.cmake). Test: tests/page/page_test.py

#include <algorithm>

#include <GLES3/gl3.h>

extern "C" {

void __real_glGetIntegerv(GLenum name, GLint* values);

/// The values that OpenGL begins with where the browser would have to ask.
void __wrap_glGetIntegerv(GLenum name, GLint* values) {
  switch (name) {
    case GL_SCISSOR_BOX:
      std::fill_n(values, 4, 0);
      break;
    case GL_BLEND_SRC_RGB:
    case GL_BLEND_SRC_ALPHA:
      *values = GL_ONE;
      break;
    case GL_BLEND_DST_RGB:
    case GL_BLEND_DST_ALPHA:
      *values = GL_ZERO;
      break;
    case GL_BLEND_EQUATION_RGB:
    case GL_BLEND_EQUATION_ALPHA:
      *values = GL_FUNC_ADD;
      break;
    default:
      __real_glGetIntegerv(name, values);
  }
}

}  // extern "C"
