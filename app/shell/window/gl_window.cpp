#include "shell/window/gl_window.h"

#include "shell/window/platform.h"
#include "view/imgui.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include <backends/imgui_impl_opengl3.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glad/gl.h>

namespace lanescope::shell {
namespace {

// Of the window in screen coordinates: below, the bars lie over each other.
constexpr int kLeastWidth = 640;
constexpr int kLeastHeight = 400;

std::string glfw_reason() {
  const char* reason = nullptr;
  glfwGetError(&reason);
  return reason != nullptr ? reason : "no reason was given";
}

bool is_set(const char* name) {
  // Read before the window exists, whose libraries might change the environment.
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr && *value != '\0';
}

/// The libraries of the display that the environment names, as far as this system lacks them: GLFW opens them
/// at run time, and says of none that it is missing.
std::vector<const char*> missing_libraries() {
  std::vector<const char*> names;
  if (is_set("DISPLAY"))
    names = {"libX11.so.6", "libGL.so.1"};
  else if (is_set("WAYLAND_DISPLAY"))
    names = {"libwayland-client.so.0", "libEGL.so.1"};
  std::erase_if(names, [](const char* name) {
    void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library != nullptr) dlclose(library);
    return library != nullptr;
  });
  return names;
}

Error no_window(Platform platform, const std::string& reason) {
  if (platform == Platform::Offscreen)
    return {ErrorKind::Unsupported,
            fmt::format("no picture can be drawn: offscreen EGL with OpenGL 3.3 is needed ({}); on Debian "
                        "install libegl1 and libgl1-mesa-dri",
                        reason)};
  if (const auto missing = missing_libraries(); !missing.empty())
    return {ErrorKind::Unsupported,
            fmt::format("no window can be opened: {} {} not found; on Debian install libgl1, libegl1, "
                        "libgl1-mesa-dri, libx11-6 and libwayland-client0",
                        fmt::join(missing, ", "), missing.size() == 1 ? "was" : "were")};
  return {ErrorKind::Unsupported,
          fmt::format("no window can be opened: a display with OpenGL 3.3 is needed ({}); without one use "
                      "'lanescope screenshot' or 'lanescope plot'",
                      reason)};
}

void hint_context() {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
}

}  // namespace

Result<GlWindow> GlWindow::open(const WindowRequest& request) {
  const bool offscreen = request.platform == Platform::Offscreen;
  // Libraries print their own messages if the display does not exist.
  if (!kIsPage && !offscreen && !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY"))
    return std::unexpected(no_window(request.platform, "neither DISPLAY nor WAYLAND_DISPLAY is set"));
  glfwInitHint(GLFW_PLATFORM, offscreen ? GLFW_PLATFORM_NULL : GLFW_ANY_PLATFORM);
  if (glfwInit() != GLFW_TRUE) return std::unexpected(no_window(request.platform, glfw_reason()));
  hint_context();
  if (offscreen) glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
  GLFWwindow* made = glfwCreateWindow(request.width, request.height, request.title.c_str(), nullptr, nullptr);
  if (made == nullptr) {
    const Error error = no_window(request.platform, glfw_reason());
    glfwTerminate();
    return std::unexpected(error);
  }
  if (!offscreen) glfwSetWindowSizeLimits(made, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  GlWindow window(made, request.platform);
  TRY_VOID(window.prepare());
  return window;
}

Result<void> GlWindow::prepare() {
  glfwMakeContextCurrent(window_);
  if (gladLoadGL(glfwGetProcAddress) == 0)
    return std::unexpected(no_window(platform_, "the driver has no OpenGL 3.3"));
  if (platform_ == Platform::Desktop) glfwSwapInterval(1);
  keep_framebuffer(width(), height());
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    return std::unexpected(no_window(platform_, "the driver refuses a framebuffer of that size"));
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  has_context_ = true;
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigDpiScaleFonts = false;
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  glfwSetWindowUserPointer(window_, events_.get());
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    auto& dropped = static_cast<Events*>(glfwGetWindowUserPointer(window))->dropped;
    dropped.insert(dropped.end(), paths, paths + count);
  });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) {
    static_cast<Events*>(glfwGetWindowUserPointer(window))->is_exposed = true;
  });
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  connect_to_page(window_);
  ImGui_ImplOpenGL3_Init(kShaderVersion);
  return {};
}

GlWindow::GlWindow(GlWindow&& other) noexcept
    : window_(std::exchange(other.window_, nullptr)),
      events_(std::move(other.events_)),
      platform_(other.platform_),
      title_(std::move(other.title_)),
      windowed_(other.windowed_),
      framebuffer_(std::exchange(other.framebuffer_, 0)),
      color_(std::exchange(other.color_, 0)),
      drawn_width_(other.drawn_width_),
      drawn_height_(other.drawn_height_),
      damage_(std::move(other.damage_)),
      background_(other.background_),
      has_context_(std::exchange(other.has_context_, false)) {}

GlWindow::~GlWindow() {
  if (window_ == nullptr) return;
  if (has_context_) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  if (framebuffer_ != 0) {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteTextures(1, &color_);
  }
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool GlWindow::wants_to_close() const { return glfwWindowShouldClose(window_) == GLFW_TRUE; }
void GlWindow::stay_open() { glfwSetWindowShouldClose(window_, GLFW_FALSE); }

void GlWindow::set_title(const std::string& title) {
  if (title == title_) return;
  title_ = title;
  glfwSetWindowTitle(window_, title.c_str());
}

float GlWindow::scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::max(x / density(), 0.5f);
}

float GlWindow::density() const {
  int units = 0;
  glfwGetWindowSize(window_, &units, nullptr);
  return units > 0 ? std::max(static_cast<float>(width()) / static_cast<float>(units), 0.5f) : 1;
}

int GlWindow::width() const {
  int width = 0;
  glfwGetFramebufferSize(window_, &width, nullptr);
  return width;
}

int GlWindow::height() const {
  int height = 0;
  glfwGetFramebufferSize(window_, nullptr, &height);
  return height;
}

bool GlWindow::has_input() const {
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0 || events_->is_exposed ||
         !events_->dropped.empty();
}

void GlWindow::wait_for_events(double seconds) {
  if (seconds > 0 && !kIsPage)  // a browser calls for each frame
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
}

std::vector<std::filesystem::path> GlWindow::take_dropped() { return std::exchange(events_->dropped, {}); }

void GlWindow::wake() { glfwPostEmptyEvent(); }

WindowPlace GlWindow::place() const {
  if (platform_ != Platform::Desktop) return {};
  if (glfwGetWindowMonitor(window_) != nullptr) return windowed_;
  WindowPlace place;
  glfwGetWindowPos(window_, &place.x, &place.y);
  glfwGetWindowSize(window_, &place.width, &place.height);
  place.is_maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE;
  return place;
}

void GlWindow::put(const WindowPlace& place) {
  if (platform_ != Platform::Desktop) return;
  // A screen that is gone leaves no window out of sight.
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  bool is_in_sight = false;
  for (int n = 0; n < count; ++n) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitors[n], &x, &y, &width, &height);
    is_in_sight |= place.x >= x - place.width / 2 && place.x < x + width - 100 && place.y >= y - 50 &&
                   place.y < y + height - 100;
  }
  if (is_in_sight) glfwSetWindowPos(window_, place.x, place.y);
  glfwSetWindowSize(window_, place.width, place.height);
  if (place.is_maximized) glfwMaximizeWindow(window_);
}

void GlWindow::resize(int width, int height) { glfwSetWindowSize(window_, width, height); }

void GlWindow::toggle_full_screen() {
  if (platform_ != Platform::Desktop) return;
  if (glfwGetWindowMonitor(window_) != nullptr) {
    glfwSetWindowMonitor(window_, nullptr, windowed_.x, windowed_.y, windowed_.width, windowed_.height, 0);
    return;
  }
  windowed_ = place();
  const int middle_x = windowed_.x + windowed_.width / 2, middle_y = windowed_.y + windowed_.height / 2;
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* on = glfwGetPrimaryMonitor();
  for (int n = 0; n < count; ++n) {
    int x = 0, y = 0;
    glfwGetMonitorPos(monitors[n], &x, &y);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[n]);
    if (mode != nullptr && middle_x >= x && middle_x < x + mode->width && middle_y >= y &&
        middle_y < y + mode->height)
      on = monitors[n];
  }
  const GLFWvidmode* mode = on != nullptr ? glfwGetVideoMode(on) : nullptr;
  if (mode != nullptr) glfwSetWindowMonitor(window_, on, 0, 0, mode->width, mode->height, mode->refreshRate);
}

bool GlWindow::is_full_screen() const { return glfwGetWindowMonitor(window_) != nullptr; }

void GlWindow::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

bool GlWindow::keep_framebuffer(int width, int height) {
  if (framebuffer_ != 0) glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  if (framebuffer_ != 0 && width == drawn_width_ && height == drawn_height_) return true;
  if (framebuffer_ == 0) {
    glGenTextures(1, &color_);
    glGenFramebuffers(1, &framebuffer_);
  }
  glBindTexture(GL_TEXTURE_2D, color_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, std::max(width, 1), std::max(height, 1), 0, GL_RGBA,
               GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_, 0);
  drawn_width_ = width;
  drawn_height_ = height;
  return false;
}

void GlWindow::show_framebuffer(int width, int height) {
  if (platform_ != Platform::Desktop) return;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glfwSwapBuffers(window_);
}

namespace {

void clear(plot::Rgba background) {
  const auto part = [](uint8_t value) { return static_cast<float>(value) / 255; };
  glClearColor(part(background.red), part(background.green), part(background.blue), 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

/// Tiles can be clipped to whole pixels only where a unit is a whole number of them.
bool has_whole_pixels(const ImDrawData& frame) {
  return frame.FramebufferScale.x == std::floor(frame.FramebufferScale.x) &&
         frame.FramebufferScale.y == std::floor(frame.FramebufferScale.y);
}

}  // namespace

double GlWindow::end_frame(plot::Rgba background, const TextureVersion& version) {
  ImGui::Render();
  ImDrawData& frame = *ImGui::GetDrawData();
  const int wide = width(), high = height();
  if (!keep_framebuffer(wide, high) || std::exchange(background_, background) != background ||
      !has_whole_pixels(frame))
    damage_.forget();
  const std::vector<TileRect> damaged = damage_.advance(frame, version);
  const bool was_exposed = std::exchange(events_->is_exposed, false);
  int tiles = 0;
  for (const TileRect& rect : damaged) tiles += (rect.right - rect.left) * (rect.bottom - rect.top);
  const int all = damage_.columns() * damage_.rows();
  glViewport(0, 0, wide, high);
  glEnable(GL_SCISSOR_TEST);
  const int x = static_cast<int>(frame.FramebufferScale.x) * kTile,
            y = static_cast<int>(frame.FramebufferScale.y) * kTile;
  if (tiles == all) {
    glDisable(GL_SCISSOR_TEST);
    clear(background);
  } else {
    for (const TileRect& rect : damaged) {
      glScissor(rect.left * x, high - rect.bottom * y, (rect.right - rect.left) * x,
                (rect.bottom - rect.top) * y);
      clear(background);
    }
    glDisable(GL_SCISSOR_TEST);
    keep_damaged(frame, damaged);
  }
  // Also where nothing is damaged: it uploads new glyphs.
  ImGui_ImplOpenGL3_RenderDrawData(&frame);
  if (tiles > 0 || was_exposed) show_framebuffer(wide, high);
  return all > 0 ? static_cast<double>(tiles) / all : 1;
}

void GlWindow::finish() { glFinish(); }

Image GlWindow::read_back() const {
  Image image;
  glfwGetFramebufferSize(window_, &image.width, &image.height);
  const size_t row = static_cast<size_t>(image.width) * 4;
  std::vector<uint8_t> upside_down(row * static_cast<size_t>(image.height));
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
  image.rgba.resize(upside_down.size());
  for (size_t y = 0; y < static_cast<size_t>(image.height); ++y) {
    const auto from =
        upside_down.begin() + static_cast<ptrdiff_t>((static_cast<size_t>(image.height) - 1 - y) * row);
    std::copy(from, from + static_cast<ptrdiff_t>(row), image.rgba.begin() + static_cast<ptrdiff_t>(y * row));
  }
  return image;
}

}  // namespace lanescope::shell
