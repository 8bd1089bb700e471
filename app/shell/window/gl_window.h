// A window with OpenGL 3.3 and Dear ImGui, on a screen or offscreen. Method: GLFW makes the window and the
// context; offscreen it uses its null platform and EGL. Frames are drawn into a framebuffer that keeps the
// picture of the frame before, so that only what changed is drawn (damage.h); it can be read back, and is
// copied to the screen. One at a time in a process: GLFW and Dear ImGui have global state. Tests:
// tests/gui/*, which run on it.

#pragma once

#include "base/error.h"
#include "plot/color.h"
#include "shell/window/damage.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct GLFWwindow;

namespace lanescope::shell {

enum class Platform {
  Desktop,   // a window on the screen
  Offscreen  // no screen, no X server
};

/// Where a window is on the screen, in the units of the screen.
struct WindowPlace {
  int x = 0, y = 0, width = 1600, height = 900;
  bool is_maximized = false;
  bool operator==(const WindowPlace&) const = default;
};

struct WindowRequest {
  std::string title = "Lanescope";
  int width = 1600, height = 900;
  Platform platform = Platform::Desktop;
};

/// Pixels from the top left corner, row by row.
struct Image {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

class GlWindow {
 public:
  /// The error names what is missing: a display, a driver, a version of OpenGL.
  static Result<GlWindow> open(const WindowRequest& request);
  ~GlWindow();
  GlWindow(GlWindow&& other) noexcept;
  GlWindow& operator=(GlWindow&&) = delete;

  bool wants_to_close() const;
  /// Takes the wish to close back.
  void stay_open();
  void set_title(const std::string& title);
  const std::string& title() const { return title_; }
  /// Units of the window's coordinates per point, from the screen's settings. A unit is a pixel, but on
  /// Wayland and in a browser, where the screen's scale is in density().
  float scale() const;
  /// Pixels per unit of the window's coordinates.
  float density() const;
  /// In pixels, as it is now.
  int width() const;
  int height() const;
  /// Whether there is input that no frame has taken yet, or the screen lost what was drawn.
  bool has_input() const;
  /// Handles pending events; if there are none, waits up to `seconds` for one.
  void wait_for_events(double seconds);
  /// May be called from any thread.
  static void wake();
  /// The files that were dropped on the window since the last call.
  std::vector<std::filesystem::path> take_dropped();

  /// Where it is, or was before it filled the screen.
  WindowPlace place() const;
  void put(const WindowPlace& place);
  /// As a person who drags its edge.
  void resize(int width, int height);
  /// Fills the screen that the window is on, or takes its place and size back.
  void toggle_full_screen();
  bool is_full_screen() const;

  void begin_frame();
  /// Draws what changed. Returns the share of the pixels that were drawn, from 0 to 1.
  double end_frame(plot::Rgba background, const TextureVersion& version);
  /// The next frame is drawn whole.
  void forget_picture() { damage_.forget(); }
  /// Waits until the driver, which may draw later, has drawn.
  static void finish();
  /// The frame drawn last.
  Image read_back() const;

 private:
  GlWindow(GLFWwindow* window, Platform platform) : window_(window), platform_(platform) {}
  Result<void> prepare();
  /// Makes the framebuffer as large as the window. Whether it has the size and the picture of before.
  bool keep_framebuffer(int width, int height);
  void show_framebuffer(int width, int height);

  /// What GLFW's callbacks leave.
  struct Events {
    std::vector<std::filesystem::path> dropped;
    bool is_exposed = false;  // the screen lost what was drawn
  };

  GLFWwindow* window_ = nullptr;
  std::unique_ptr<Events> events_ = std::make_unique<Events>();  // GLFW keeps its address
  Platform platform_ = Platform::Desktop;
  std::string title_;
  WindowPlace windowed_;                  // where it was before it filled the screen
  uint32_t framebuffer_ = 0, color_ = 0;  // what was drawn last
  int drawn_width_ = 0, drawn_height_ = 0;
  Damage damage_;
  plot::Rgba background_{};
  bool has_context_ = false;  // of Dear ImGui
};

}  // namespace lanescope::shell
