#include "shell/window/damage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

// xxHash inlined reads our floats as integers; a compiler may assume that those never alias, unless by
// memcpy.
#define XXH_FORCE_MEMORY_ACCESS 0
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lanescope::shell {
namespace {

/// The tiles that a rectangle of the screen touches; empty outside of the screen.
TileRect tiles_of(const ImRect& box, int columns, int rows) {
  const auto tile = [](float at, int most) {
    return std::clamp(static_cast<int>(std::floor(at / static_cast<float>(kTile))), 0, most);
  };
  const auto end = [](float at, int most) {
    return std::clamp(static_cast<int>(std::ceil(at / static_cast<float>(kTile))), 0, most);
  };
  return {tile(box.Min.x, columns), tile(box.Min.y, rows), end(box.Max.x, columns), end(box.Max.y, rows)};
}

/// The pixels that a clip rectangle leaves, rounded as Dear ImGui's backend for OpenGL rounds it.
ImRect on_screen(const ImVec4& clip, const ImDrawData& frame) {
  const ImVec2 scale = frame.FramebufferScale;
  const ImVec2 from = (ImVec2(clip.x, clip.y) - frame.DisplayPos) * scale,
               to = (ImVec2(clip.z, clip.w) - frame.DisplayPos) * scale;
  const float height = std::trunc(frame.DisplaySize.y * scale.y);
  const float left = std::trunc(from.x), bottom = height - std::trunc(height - to.y);
  const ImVec2 size{std::trunc(to.x - from.x), std::trunc(to.y - from.y)};
  return {ImVec2(left, bottom - size.y) / scale, ImVec2(left + size.x, bottom) / scale};
}

struct Triangle {
  std::array<const ImDrawVert*, 3> corner;
  ImRect bounds;  // on the screen, clipped; empty if nothing of it is seen
};

Triangle triangle_at(const ImDrawList& list, const ImDrawCmd& command, unsigned int first, const ImRect& clip,
                     ImVec2 origin) {
  Triangle triangle{};
  for (unsigned int n = 0; n < 3; ++n) {
    const unsigned int vertex = command.VtxOffset + list.IdxBuffer[static_cast<int>(first + n)];
    triangle.corner[n] = &list.VtxBuffer[static_cast<int>(vertex)];
  }
  const ImVec2 a = triangle.corner[0]->pos, b = triangle.corner[1]->pos, c = triangle.corner[2]->pos;
  triangle.bounds = ImRect(ImMin(a, ImMin(b, c)) - origin, ImMax(a, ImMax(b, c)) - origin);
  triangle.bounds.ClipWith(clip);
  return triangle;
}

uint64_t value_of(const Triangle& triangle, uint64_t state) {
  std::array<ImDrawVert, 3> corners{};
  for (size_t n = 0; n < 3; ++n) corners[n] = *triangle.corner[n];
  return XXH3_64bits_withSeed(corners.data(), sizeof corners, state);
}

/// What a command adds to the value of each of its triangles.
uint64_t state_of(const ImDrawCmd& command, const TextureVersion& version) {
  const ImTextureData* data = command.TexRef._TexData;
  struct {
    ImVec4 clip;
    int64_t data;
    ImTextureID id;
    uint64_t version;
  } state{command.ClipRect, data != nullptr ? data->UniqueID : -1, command.TexRef._TexID,
          version(command.TexRef)};
  return XXH3_64bits(&state, sizeof state);
}

/// Rows of damaged tiles, joined with equal ones above.
std::vector<TileRect> rectangles_of(const std::vector<bool>& damaged, int columns, int rows) {
  std::vector<TileRect> made;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const auto at = [&](int x) { return damaged[static_cast<size_t>(row * columns + x)]; };
      if (!at(column)) continue;
      const int left = column;
      while (column < columns && at(column)) ++column;
      const auto above = std::ranges::find_if(made, [&](const TileRect& rect) {
        return rect.left == left && rect.right == column && rect.bottom == row;
      });
      if (above != made.end())
        ++above->bottom;
      else
        made.push_back({left, row, column, row + 1});
    }
  }
  return made;
}

}  // namespace

std::vector<TileRect> Damage::advance(const ImDrawData& frame, const TextureVersion& version) {
  const int columns = (static_cast<int>(frame.DisplaySize.x) + kTile - 1) / kTile;
  const int rows = (static_cast<int>(frame.DisplaySize.y) + kTile - 1) / kTile;
  std::vector<uint64_t> now(static_cast<size_t>(columns) * static_cast<size_t>(rows));
  for (const ImDrawList* list : frame.CmdLists) {
    for (const ImDrawCmd& command : list->CmdBuffer) {
      const ImRect clip = on_screen(command.ClipRect, frame);
      const uint64_t state = state_of(command, version);
      for (unsigned int n = 0; n + 2 < command.ElemCount; n += 3) {
        const Triangle triangle = triangle_at(*list, command, command.IdxOffset + n, clip, frame.DisplayPos);
        if (triangle.bounds.IsInverted()) continue;
        const uint64_t value = value_of(triangle, state);
        const TileRect touched = tiles_of(triangle.bounds, columns, rows);
        for (int row = touched.top; row < touched.bottom; ++row)
          for (int column = touched.left; column < touched.right; ++column) {
            uint64_t& tile = now[static_cast<size_t>(row * columns + column)];
            tile = (tile ^ value) * 0x9E3779B97F4A7C15u;  // the order counts
          }
      }
    }
  }
  std::vector<bool> damaged(now.size(), true);
  if (columns == columns_ && rows == rows_ && tiles_.size() == now.size())
    for (size_t n = 0; n < now.size(); ++n) damaged[n] = now[n] != tiles_[n];
  columns_ = columns;
  rows_ = rows;
  tiles_ = std::move(now);
  return rectangles_of(damaged, columns, rows);
}

namespace {

/// Part of a command inside one damaged rectangle, if there is any.
std::optional<ImDrawCmd> part_of(const ImDrawData& frame, const ImDrawList& list, const ImDrawCmd& command,
                                 const TileRect& rect, ImVector<ImDrawIdx>& indices) {
  const ImVec2 origin = frame.DisplayPos;
  ImRect clip = on_screen(command.ClipRect, frame);
  clip.ClipWithFull(ImRect(static_cast<float>(rect.left * kTile), static_cast<float>(rect.top * kTile),
                           static_cast<float>(rect.right * kTile), static_cast<float>(rect.bottom * kTile)));
  if (clip.GetWidth() <= 0 || clip.GetHeight() <= 0) return {};
  ImDrawCmd part = command;
  part.ClipRect =
      ImVec4(clip.Min.x + origin.x, clip.Min.y + origin.y, clip.Max.x + origin.x, clip.Max.y + origin.y);
  part.IdxOffset = static_cast<unsigned int>(indices.Size);
  for (unsigned int n = 0; n + 2 < command.ElemCount; n += 3) {
    const unsigned int first = command.IdxOffset + n;
    if (triangle_at(list, command, first, clip, origin).bounds.IsInverted()) continue;
    for (unsigned int corner = 0; corner < 3; ++corner)
      indices.push_back(list.IdxBuffer[static_cast<int>(first + corner)]);
  }
  part.ElemCount = static_cast<unsigned int>(indices.Size) - part.IdxOffset;
  return part.ElemCount > 0 ? std::optional(part) : std::nullopt;
}

}  // namespace

void keep_damaged(ImDrawData& frame, const std::vector<TileRect>& damaged) {
  for (ImDrawList* list : frame.CmdLists) {
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
    for (const ImDrawCmd& command : list->CmdBuffer)
      for (const TileRect& rect : damaged)
        if (const auto part = part_of(frame, *list, command, rect, indices)) commands.push_back(*part);
    list->CmdBuffer.swap(commands);
    list->IdxBuffer.swap(indices);
  }
}

}  // namespace lanescope::shell
