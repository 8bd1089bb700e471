// What differs between the window on a desktop and the one in a browser (app/shell/page): GLFW, of which
// Emscripten has a part on a canvas, and OpenGL, which is WebGL 2 there, with the shading language of OpenGL
// ES 3.

#pragma once

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

namespace lanescope::shell {

#ifdef __EMSCRIPTEN__
// Its GLFW has one platform, and gives no reasons.
#define GLFW_PLATFORM 0
#define GLFW_PLATFORM_NULL 0
#define GLFW_ANY_PLATFORM 0
#ifndef GLFW_SCALE_TO_MONITOR
#define GLFW_SCALE_TO_MONITOR 0x0002200C
#endif
inline int glfwGetError(const char**) { return 0; }
inline void glfwInitHint(int, int) {}

inline constexpr bool kIsPage = true;
/// The first lines of a shader. OpenGL ES has no precision of its own for these types.
inline constexpr const char* kShaderHead =
    "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp usampler2D;\n";
inline constexpr const char* kShaderVersion = "#version 300 es";
/// The wheel and the size of the window come from the page.
inline void connect_to_page(GLFWwindow* window) {
  ImGui_ImplGlfw_InstallEmscriptenCallbacks(window, "#canvas");
}
#else
inline constexpr bool kIsPage = false;
inline constexpr const char* kShaderHead = "#version 330 core\n";
inline constexpr const char* kShaderVersion = "#version 330 core";
inline void connect_to_page(GLFWwindow*) {}
#endif

}  // namespace lanescope::shell
