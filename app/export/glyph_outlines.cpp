#include "export/glyph_outlines.h"

#include "base/file.h"
#include "base/utf8.h"
#include "plot/text_width.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <imstb_truetype.h>

namespace lanescope::exporting {
namespace {

using plot::Label;

constexpr std::array<const char*, 3> kFiles{"Inter-Regular.otf", "Inter-SemiBold.otf",
                                            "JetBrainsMono-Regular.ttf"};  // [Label::Face]

std::optional<stbtt_fontinfo> font_of(const std::vector<unsigned char>& bytes) {
  stbtt_fontinfo font{};
  if (bytes.empty() || stbtt_InitFont(&font, bytes.data(), 0) == 0) return {};
  return font;
}

/// A curve with one handle as one with two.
PathStep raised(Point start, Point handle, Point end) {
  const auto toward = [](float from, float to) { return from + (to - from) * 2 / 3; };
  return {PathStep::Kind::Curve,
          end,
          {toward(start.x, handle.x), toward(start.y, handle.y)},
          {toward(end.x, handle.x), toward(end.y, handle.y)}};
}

Path path_of(const stbtt_fontinfo& font, int index, float scale) {
  stbtt_vertex* steps = nullptr;
  const int count = stbtt_GetGlyphShape(&font, index, &steps);
  const auto at = [&](int x, int y) {
    return Point{static_cast<float>(x) * scale, -static_cast<float>(y) * scale};
  };
  Path path;
  Point last;
  for (int n = 0; n < count; ++n) {
    const stbtt_vertex& step = steps[n];
    const Point end = at(step.x, step.y);
    if (step.type == STBTT_vmove) path.push_back({PathStep::Kind::Move, end});
    if (step.type == STBTT_vline) path.push_back({PathStep::Kind::Line, end});
    if (step.type == STBTT_vcurve) path.push_back(raised(last, at(step.cx, step.cy), end));
    if (step.type == STBTT_vcubic)
      path.push_back({PathStep::Kind::Curve, end, at(step.cx, step.cy), at(step.cx1, step.cy1)});
    last = end;
  }
  stbtt_FreeShape(&font, steps);
  return path;
}

}  // namespace

Result<GlyphFaces> GlyphFaces::open(const std::filesystem::path& folder) {
  GlyphFaces faces;
  for (size_t n = 0; n < kFiles.size(); ++n) {
    TRY(const std::string bytes, read_text(folder / kFiles[n]));
    faces.files_[n].assign(bytes.begin(), bytes.end());
    if (!font_of(faces.files_[n]))
      return fail(ErrorKind::File, "a font was expected", Location{(folder / kFiles[n]).string(), 0});
  }
  return faces;
}

const Glyph& GlyphFaces::glyph(Label::Face face, char32_t letter) {
  const auto which = static_cast<size_t>(face);
  const auto [place, is_new] = known_[which].try_emplace(letter);
  if (!is_new) return place->second;
  if (const auto font = font_of(files_[which])) {
    const float scale = stbtt_ScaleForMappingEmToPixels(&*font, 1);
    const int index = stbtt_FindGlyphIndex(&*font, static_cast<int>(letter));
    int advance = 0;
    stbtt_GetGlyphHMetrics(&*font, index, &advance, nullptr);
    place->second = {static_cast<float>(advance) * scale, path_of(*font, index, scale)};
  }
  return place->second;
}

std::vector<char32_t> letters_of(std::string_view text) {
  std::vector<char32_t> letters;
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    char32_t letter = 0xfffd;
    if (length == 1) letter = static_cast<unsigned char>(text.front());
    if (length > 1) {
      letter = static_cast<unsigned char>(text.front()) & (0xffu >> (length + 1));
      for (size_t n = 1; n < length; ++n)
        letter = letter << 6 | (static_cast<unsigned char>(text[n]) & 0x3fu);
    }
    letters.push_back(letter);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return letters;
}

Point start_of(const Label& label, GlyphFaces& faces) {
  float width = 0;
  for (const char32_t letter : letters_of(label.text)) width += faces.glyph(label.face, letter).advance;
  const float before = label.anchor == Label::Anchor::Start    ? 0
                       : label.anchor == Label::Anchor::Middle ? width / 2
                                                               : width;
  return {label.x - before * label.size, label.y + static_cast<float>(plot::kCapitalHeight / 2) * label.size};
}

Path outline(const plot::Rect& rect, float inset, bool turns_back) {
  const float left = rect.x + inset, top = rect.y + inset;
  const float right = std::max(rect.x + rect.width - inset, left);
  const float bottom = std::max(rect.y + rect.height - inset, top);
  const float radius = std::clamp(rect.radius - inset, 0.0f, std::min(right - left, bottom - top) / 2);
  if (rect.radius <= 0 || radius <= 0) {
    Path path{{PathStep::Kind::Move, {left, top}},
              {PathStep::Kind::Line, {right, top}},
              {PathStep::Kind::Line, {right, bottom}},
              {PathStep::Kind::Line, {left, bottom}},
              {PathStep::Kind::Line, {left, top}}};
    if (turns_back) std::swap(path[1], path[3]);
    return path;
  }
  constexpr float kRound = 0.4477f;  // of the radius, from a corner to a handle: nearly a circle
  const float near = radius * kRound;
  using enum PathStep::Kind;
  if (turns_back)
    return {{Move, {left, top + radius}},
            {Line, {left, bottom - radius}},
            {Curve, {left + radius, bottom}, {left, bottom - near}, {left + near, bottom}},
            {Line, {right - radius, bottom}},
            {Curve, {right, bottom - radius}, {right - near, bottom}, {right, bottom - near}},
            {Line, {right, top + radius}},
            {Curve, {right - radius, top}, {right, top + near}, {right - near, top}},
            {Line, {left + radius, top}},
            {Curve, {left, top + radius}, {left + near, top}, {left, top + near}}};
  return {{Move, {left + radius, top}},
          {Line, {right - radius, top}},
          {Curve, {right, top + radius}, {right - near, top}, {right, top + near}},
          {Line, {right, bottom - radius}},
          {Curve, {right - radius, bottom}, {right, bottom - near}, {right - near, bottom}},
          {Line, {left + radius, bottom}},
          {Curve, {left, bottom - radius}, {left + near, bottom}, {left, bottom - near}},
          {Line, {left, top + radius}},
          {Curve, {left + radius, top}, {left, top + near}, {left + near, top}}};
}

}  // namespace lanescope::exporting
