// A window with OpenGL 3.3 and Dear ImGui in it: on the desktop, or off any screen for pictures.
// Method: GLFW; off screen its null platform with EGL, drawn into the invisible window and read back.
// Tests: tests/gui

#pragma once

#include "base/error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct GLFWwindow;

namespace lanescope::shell {

enum class Platform : uint8_t { Desktop, Offscreen };

/// Pixels from the top left corner, [row][column][red, green, blue, alpha].
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> pixels;
};

class GlWindow {
 public:
  /// Errors: Unsupported, with GLFW's reason, when there is no display or no OpenGL 3.3.
  static Result<std::unique_ptr<GlWindow>> open(Platform platform, int width, int height,
                                                const std::string& title);
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  bool wants_to_close() const;
  /// Pixels per point of the screen: 1, or 2 on a dense one.
  float scale() const;

  /// Takes events, sleeping up to `seconds` when there are none, and starts a frame of Dear ImGui.
  void begin_frame(double seconds);
  /// Draws what Dear ImGui collected over `background` (red, green, blue, 0 to 255) and shows it.
  void end_frame(const uint8_t (&background)[3]);
  /// What end_frame() drew last.
  Picture read() const;
  /// Ends a sleep in begin_frame(). From any thread.
  static void wake();

 private:
  GlWindow(GLFWwindow* window, Platform platform);
  GLFWwindow* window_;
  Platform platform_;
  Picture last_;
};

/// Writes the picture as PNG.
Result<void> write_png(const Picture& picture, const std::string& file);

}  // namespace lanescope::shell
