#include "shell/window/cell_painter.h"

#include "shell/window/platform.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <glad/gl.h>

namespace lanescope::shell {
namespace {

using plot::Color;
using plot::Role;

constexpr int kPaletteWidth = 256;

Result<uint32_t> compile(const std::filesystem::path& file, uint32_t kind) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream || text.empty())
    return fail(ErrorKind::File,
                fmt::format("the shader {} is missing; it is part of the project", file.string()));
  const uint32_t shader = glCreateShader(kind);
  // The version comes first, and differs between OpenGL and OpenGL ES.
  const std::array<const char*, 2> source{kShaderHead, text.c_str()};
  glShaderSource(shader, static_cast<int>(source.size()), source.data(), nullptr);
  glCompileShader(shader);
  int fine = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
  if (fine != 0) return shader;
  std::array<char, 2048> log{};
  glGetShaderInfoLog(shader, static_cast<int>(log.size()), nullptr, log.data());
  glDeleteShader(shader);
  return fail(ErrorKind::Internal, fmt::format("the driver refuses the shader: {}", log.data()),
              Location{file.string(), 0});
}

void keep_texels() {
  for (const uint32_t filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  for (const uint32_t wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
}

bool same_picture(const view::CellJob& a, const view::CellJob& b) {
  return a.version == b.version && a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1 &&
         a.width == b.width && a.height == b.height && a.mode == b.mode;
}

void set_color(uint32_t program, const char* name, plot::Rgba rgba) {
  glUniform4f(glGetUniformLocation(program, name), static_cast<float>(rgba.red) / 255,
              static_cast<float>(rgba.green) / 255, static_cast<float>(rgba.blue) / 255, 1);
}

}  // namespace

Result<CellPainter> CellPainter::load(const std::filesystem::path& folder) {
  TRY(const uint32_t vertex, compile(folder / "cells.vert.glsl", GL_VERTEX_SHADER));
  auto fragment = compile(folder / "cells.frag.glsl", GL_FRAGMENT_SHADER);
  if (!fragment) {
    glDeleteShader(vertex);
    return std::unexpected(fragment.error());
  }
  CellPainter painter;
  painter.program_ = glCreateProgram();
  glAttachShader(painter.program_, vertex);
  glAttachShader(painter.program_, *fragment);
  glLinkProgram(painter.program_);
  glDeleteShader(vertex);
  glDeleteShader(*fragment);
  int fine = 0;
  glGetProgramiv(painter.program_, GL_LINK_STATUS, &fine);
  if (fine == 0)
    return fail(ErrorKind::Internal, "the driver cannot link the shaders of the cells",
                Location{folder.string(), 0});
  glGenVertexArrays(1, &painter.nothing_);
  glGenTextures(1, &painter.palette_);
  return painter;
}

CellPainter::CellPainter(CellPainter&& other) noexcept
    : program_(std::exchange(other.program_, 0)),
      nothing_(std::exchange(other.nothing_, 0)),
      palette_(std::exchange(other.palette_, 0)),
      slots_(std::exchange(other.slots_, {})),
      clock_(other.clock_) {}

CellPainter::~CellPainter() {
  if (program_ == 0) return;
  for (const Slot& slot : slots_) {
    glDeleteTextures(1, &slot.data);
    glDeleteTextures(1, &slot.picture);
    glDeleteFramebuffers(1, &slot.framebuffer);
  }
  glDeleteTextures(1, &palette_);
  glDeleteVertexArrays(1, &nothing_);
  glDeleteProgram(program_);
}

CellPainter::Slot& CellPainter::slot_of(const view::CellJob& job) {
  const auto found = std::ranges::find(slots_, job.cells, &Slot::cells);
  Slot& slot = found != slots_.end() ? *found : *std::ranges::min_element(slots_, {}, &Slot::used);
  slot.used = ++clock_;
  return slot;
}

void CellPainter::upload(Slot& slot, const view::CellJob& job) const {
  if (slot.data == 0) {
    glGenTextures(1, &slot.data);
    glGenTextures(1, &slot.picture);
    glGenFramebuffers(1, &slot.framebuffer);
  }
  glBindTexture(GL_TEXTURE_2D, slot.data);
  keep_texels();
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, static_cast<int>(job.cells->columns),
               static_cast<int>(job.cells->rows), 0, GL_RED_INTEGER, GL_UNSIGNED_INT,
               job.cells->value.data());
}

void CellPainter::upload_palette(plot::Theme mode) {
  constexpr size_t kPalettes = 3;  // amounts, kinds, grays
  std::array<plot::Rgba, kPalettes * kPaletteWidth> texels{};
  for (int n = 0; n < kPaletteWidth; ++n) {
    const float amount = static_cast<float>(n) / (kPaletteWidth - 1);
    texels[static_cast<size_t>(n)] = plot::resolve(Color::of_amount(amount), mode);
    texels[size_t{kPaletteWidth} + static_cast<size_t>(n)] =
        plot::resolve(Color::of_kind(static_cast<uint32_t>(n)), mode);
    texels[size_t{2} * kPaletteWidth + static_cast<size_t>(n)] = plot::resolve(Color::of_gray(amount), mode);
  }
  static_assert(sizeof(plot::Rgba) == 4);
  glBindTexture(GL_TEXTURE_2D, palette_);
  keep_texels();
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kPaletteWidth, kPalettes, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               texels.data());
}

ImTextureID CellPainter::paint(const view::CellJob& job) {
  int largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const auto limit = static_cast<uint32_t>(largest);
  if (job.cells->columns > limit || job.cells->rows > limit || job.width < 1 || job.height < 1) return 0;
  Slot& slot = slot_of(job);
  if (slot.cells == job.cells && same_picture(slot.painted, job)) return slot.picture;

  int framebuffer = 0, program = 0, texture = 0;
  std::array<int, 4> viewport{};
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
  glGetIntegerv(GL_CURRENT_PROGRAM, &program);
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
  glGetIntegerv(GL_VIEWPORT, viewport.data());
  glActiveTexture(GL_TEXTURE0);
  if (slot.cells != job.cells || slot.painted.version != job.version) upload(slot, job);
  upload_palette(job.mode);
  glBindTexture(GL_TEXTURE_2D, slot.picture);
  keep_texels();
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, job.width, job.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glBindFramebuffer(GL_FRAMEBUFFER, slot.framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, slot.picture, 0);
  glViewport(0, 0, job.width, job.height);

  glUseProgram(program_);
  const auto location = [&](const char* name) { return glGetUniformLocation(program_, name); };
  glUniform1i(location("cells"), 0);
  glUniform1i(location("palette"), 1);
  glUniform4f(location("shown"), static_cast<float>(job.x0), static_cast<float>(job.y0),
              static_cast<float>(job.x1), static_cast<float>(job.y1));
  glUniform2f(location("pixels"), static_cast<float>(job.width), static_cast<float>(job.height));
  glUniform1ui(location("maximum"), job.cells->maximum);
  glUniform1i(location("scale"), static_cast<int>(job.cells->scale));
  set_color(program_, "empty_color", plot::resolve(Color::of(Role::Sunken), job.mode));
  set_color(program_, "line_color", plot::resolve(Color::of(Role::Surface), job.mode));
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, palette_);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, slot.data);
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glBindVertexArray(nothing_);
  glDrawArrays(GL_TRIANGLES, 0, 3);

  glBindVertexArray(0);
  glBindTexture(GL_TEXTURE_2D, static_cast<uint32_t>(texture));
  glUseProgram(static_cast<uint32_t>(program));
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<uint32_t>(framebuffer));
  glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
  slot.cells = job.cells;
  slot.painted = job;
  ++slot.version;
  return slot.picture;
}

uint64_t CellPainter::version_of(ImTextureID texture) const {
  const auto slot = std::ranges::find(slots_, texture, &Slot::picture);
  return texture != 0 && slot != slots_.end() ? slot->version : 0;
}

}  // namespace lanescope::shell
