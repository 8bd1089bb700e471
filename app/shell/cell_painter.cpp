#include "shell/cell_painter.h"

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <glad/gl.h>

namespace lanescope::shell {
namespace {

constexpr int kKinds = 8;    // colours of Okabe and Ito
constexpr int kSteps = 256;  // of the scale of amounts

Result<uint32_t> compile_shader(const std::filesystem::path& file, GLenum kind) {
  std::ifstream stream(file);
  if (!stream)
    return fail(ErrorKind::File, "the shader is missing; restore the folder shaders/",
                Location{file.string(), 0});
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const char* pointer = text.c_str();
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &pointer, nullptr);
  glCompileShader(shader);
  GLint done = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (done == GL_TRUE) return shader;
  std::array<char, 1024> log{};
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
  glDeleteShader(shader);
  return fail(ErrorKind::Internal, fmt::format("the graphics driver refuses the shader: {}", log.data()),
              Location{file.string(), 0});
}

void set_color(GLuint program, const char* name, plot::Rgba color) {
  glUniform4f(glGetUniformLocation(program, name), static_cast<float>(color.red) / 255.0f,
              static_cast<float>(color.green) / 255.0f, static_cast<float>(color.blue) / 255.0f,
              static_cast<float>(color.alpha) / 255.0f);
}

GLuint make_texture(GLint filter) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture;
}

void upload_palette(const view::CellJob& job) {
  const bool kinds = job.cells->scale == plot::Cells::Scale::Kind;
  std::array<plot::Rgba, kSteps> colors{};
  for (int i = 0; i < kSteps; ++i)
    colors[static_cast<size_t>(i)] =
        plot::resolve(kinds ? plot::Color::of_kind(static_cast<uint32_t>(i))
                            : plot::Color::of_amount(static_cast<float>(i) / (kSteps - 1)),
                      job.mode);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kSteps, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, colors.data());
}

bool equal(const view::CellJob& a, const view::CellJob& b) {
  return a.cells == b.cells && a.version == b.version && a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 &&
         a.y1 == b.y1 && a.width == b.width && a.height == b.height && a.mode == b.mode;
}

}  // namespace

Result<CellPainter> CellPainter::make(const std::filesystem::path& shaders) {
  TRY(const uint32_t vertex, compile_shader(shaders / "cells.vert", GL_VERTEX_SHADER));
  TRY(const uint32_t fragment, compile_shader(shaders / "cells.frag", GL_FRAGMENT_SHADER));
  const GLuint program = glCreateProgram();
  glAttachShader(program, vertex);
  glAttachShader(program, fragment);
  glLinkProgram(program);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint done = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &done);
  if (done != GL_TRUE) {
    std::array<char, 1024> log{};
    glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
    glDeleteProgram(program);
    return fail(ErrorKind::Internal,
                fmt::format("the graphics driver cannot link the shaders: {}", log.data()));
  }
  return CellPainter(program);
}

CellPainter::CellPainter(uint32_t program) : program_(program) {
  glGenVertexArrays(1, &vertices_);
  palette_ = make_texture(GL_LINEAR);
}

CellPainter::CellPainter(CellPainter&& other) noexcept
    : program_(std::exchange(other.program_, 0)),
      vertices_(std::exchange(other.vertices_, 0)),
      palette_(std::exchange(other.palette_, 0)),
      pictures_(std::exchange(other.pictures_, {})) {}

CellPainter::~CellPainter() {
  if (program_ == 0) return;
  for (auto& [cells, picture] : pictures_) forget(picture);
  glDeleteTextures(1, &palette_);
  glDeleteVertexArrays(1, &vertices_);
  glDeleteProgram(program_);
}

void CellPainter::forget(Picture& picture) {
  glDeleteTextures(1, &picture.values);
  glDeleteTextures(1, &picture.target);
  glDeleteFramebuffers(1, &picture.framebuffer);
}

ImTextureID CellPainter::paint(const view::CellJob& job) {
  if (job.cells == nullptr || job.cells->rows == 0 || job.cells->columns == 0 || job.width <= 0 ||
      job.height <= 0)
    return {};
  Picture& picture = pictures_[job.cells];
  picture.used = true;
  if (picture.done.cells != nullptr && equal(picture.done, job))
    return static_cast<ImTextureID>(picture.target);
  if (picture.values == 0 || picture.version != job.version) upload(picture, job);
  draw(picture, job);
  picture.done = job;
  return static_cast<ImTextureID>(picture.target);
}

void CellPainter::upload(Picture& picture, const view::CellJob& job) {
  if (picture.values == 0) picture.values = make_texture(GL_NEAREST);
  glBindTexture(GL_TEXTURE_2D, picture.values);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, static_cast<GLsizei>(job.cells->columns),
               static_cast<GLsizei>(job.cells->rows), 0, GL_RED_INTEGER, GL_UNSIGNED_INT,
               job.cells->value.data());
  picture.version = job.version;
}

void CellPainter::draw(Picture& picture, const view::CellJob& job) {
  // Dear ImGui sets its own state before it draws; what it does not set is put back here.
  GLint framebuffer_before = 0;
  std::array<GLint, 4> viewport_before{};
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer_before);
  glGetIntegerv(GL_VIEWPORT, viewport_before.data());

  if (picture.target == 0) {
    picture.target = make_texture(GL_LINEAR);
    glGenFramebuffers(1, &picture.framebuffer);
  }
  if (picture.done.width != job.width || picture.done.height != job.height) {
    glBindTexture(GL_TEXTURE_2D, picture.target);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, job.width, job.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  }
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, picture.framebuffer);
  glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture.target, 0);
  glViewport(0, 0, job.width, job.height);
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);

  glUseProgram(program_);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, palette_);
  upload_palette(job);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, picture.values);
  const auto place = [&](const char* name) { return glGetUniformLocation(program_, name); };
  glUniform1i(place("values"), 0);
  glUniform1i(place("palette"), 1);
  glUniform1ui(place("maximum"), job.cells->maximum);
  glUniform1i(place("kinds"), job.cells->scale == plot::Cells::Scale::Kind ? kKinds : 0);
  glUniform2i(place("extent"), static_cast<GLint>(job.cells->columns), static_cast<GLint>(job.cells->rows));
  glUniform4f(place("part"), static_cast<float>(job.x0), static_cast<float>(job.y0),
              static_cast<float>(job.x1), static_cast<float>(job.y1));
  glUniform2f(place("cells_per_pixel"), static_cast<float>((job.x1 - job.x0) / job.width),
              static_cast<float>((job.y1 - job.y0) / job.height));
  set_color(program_, "empty", plot::resolve(plot::Color::of(plot::Role::Sunken), job.mode));
  set_color(program_, "grid", plot::resolve(plot::Color::of(plot::Role::Surface), job.mode));
  glBindVertexArray(vertices_);
  glDrawArrays(GL_TRIANGLES, 0, 3);

  glBindVertexArray(0);
  glUseProgram(0);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(framebuffer_before));
  glViewport(viewport_before[0], viewport_before[1], viewport_before[2], viewport_before[3]);
}

void CellPainter::end_frame() {
  for (auto entry = pictures_.begin(); entry != pictures_.end();) {
    if (std::exchange(entry->second.used, false)) {
      ++entry;
    } else {
      forget(entry->second);
      entry = pictures_.erase(entry);
    }
  }
}

}  // namespace lanescope::shell
