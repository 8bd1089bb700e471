#include "shell/gl_window.h"

#include <cairo.h>
#include <fmt/format.h>
#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <cstdlib>
#include <cstring>

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

namespace lanescope::shell {
namespace {

std::unexpected<Error> glfw_failure(std::string_view what, std::string_view try_this) {
  const char* reason = nullptr;
  glfwGetError(&reason);
  return fail(ErrorKind::Unsupported,
              fmt::format("{}: {}; {}", what, reason != nullptr ? reason : "no reason was given", try_this));
}

}  // namespace

Result<std::unique_ptr<GlWindow>> GlWindow::open(Platform platform, int width, int height,
                                                 const std::string& title) {
  const bool offscreen = platform == Platform::Offscreen;
  if (offscreen) {
    // Mesa's EGL needs no screen on its surfaceless platform; a choice of the user's own comes first.
    setenv("EGL_PLATFORM", "surfaceless",
           0);  // NOLINT(concurrency-mt-unsafe): before any thread of ours draws
    glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_NULL);
  }
  if (glfwInit() == GLFW_FALSE)
    return glfw_failure("the window cannot be opened",
                        "without a display use 'lanescope screenshot' or 'lanescope plot'");
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  if (offscreen)
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
  else
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (window == nullptr) {
    auto failure = glfw_failure("no OpenGL 3.3 window can be made",
                                "install Mesa's drivers (Debian: libgl1-mesa-dri, libegl1)");
    glfwTerminate();
    return failure;
  }
  glfwMakeContextCurrent(window);
  if (gladLoadGL(glfwGetProcAddress) == 0) {
    glfwDestroyWindow(window);
    glfwTerminate();
    return fail(ErrorKind::Unsupported,
                "OpenGL's functions cannot be loaded; install Mesa's drivers (Debian: libgl1-mesa-dri)");
  }
  if (!offscreen) glfwSwapInterval(1);
  return std::unique_ptr<GlWindow>(new GlWindow(window, platform));
}

GlWindow::GlWindow(GLFWwindow* window, Platform platform) : window_(window), platform_(platform) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
  io.IniFilename = nullptr;  // who keeps the layout says so
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

GlWindow::~GlWindow() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool GlWindow::wants_to_close() const { return glfwWindowShouldClose(window_) != GLFW_FALSE; }

float GlWindow::scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return x > 0 ? x : 1;
}

void GlWindow::begin_frame(double seconds) {
  if (platform_ == Platform::Offscreen || seconds <= 0)
    glfwPollEvents();
  else
    glfwWaitEventsTimeout(seconds);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void GlWindow::end_frame(const uint8_t (&background)[3]) {
  ImGui::Render();
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  glClearColor(static_cast<float>(background[0]) / 255.0f, static_cast<float>(background[1]) / 255.0f,
               static_cast<float>(background[2]) / 255.0f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  if (platform_ == Platform::Offscreen) {
    // After the swap the picture would be gone.
    last_.width = width;
    last_.height = height;
    last_.pixels.resize(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, last_.pixels.data());
  }
  glfwSwapBuffers(window_);
}

Picture GlWindow::read() const {
  // OpenGL's first row is the lowest.
  Picture picture{last_.width, last_.height, std::vector<uint8_t>(last_.pixels.size())};
  const size_t row_bytes = static_cast<size_t>(last_.width) * 4;
  for (int row = 0; row < last_.height; ++row)
    std::memcpy(picture.pixels.data() + static_cast<size_t>(row) * row_bytes,
                last_.pixels.data() + static_cast<size_t>(last_.height - 1 - row) * row_bytes, row_bytes);
  return picture;
}

void GlWindow::wake() { glfwPostEmptyEvent(); }

Result<void> write_png(const Picture& picture, const std::string& file) {
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture.width, picture.height);
  cairo_surface_flush(surface);
  unsigned char* target = cairo_image_surface_get_data(surface);
  cairo_status_t status = cairo_surface_status(surface);
  if (status == CAIRO_STATUS_SUCCESS) {
    const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(surface));
    for (size_t row = 0; row < static_cast<size_t>(picture.height); ++row)
      for (size_t column = 0; column < static_cast<size_t>(picture.width); ++column) {
        const uint8_t* from = picture.pixels.data() + (row * static_cast<size_t>(picture.width) + column) * 4;
        const uint32_t pixel = uint32_t{from[0]} << 16 | uint32_t{from[1]} << 8 | from[2];
        std::memcpy(target + row * stride + column * 4, &pixel, 4);
      }
    cairo_surface_mark_dirty(surface);
    status = cairo_surface_write_to_png(surface, file.c_str());
  }
  cairo_surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return fail(ErrorKind::File,
                fmt::format("the picture cannot be written: {}; check the folder and the space on its disk",
                            cairo_status_to_string(status)),
                Location{file, 0});
  return {};
}

}  // namespace lanescope::shell
