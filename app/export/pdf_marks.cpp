#include "export/pdf_marks.h"

#include "export/pixel_marks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

namespace lanescope::exporting {
namespace {

using plot::Color;
using plot::Label;
using plot::Rgba;

/// A number as PDF has it: without exponent.
std::string number(float value) {
  std::string text = fmt::format("{:.3f}", value);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

/// Operators for the path. `scale`: of its points; y is multiplied by `up` as well.
std::string path_text(const Path& path, float scale = 1, float up = 1) {
  std::string text;
  const auto add = [&](Point point) {
    text += number(point.x * scale) + ' ' + number(point.y * scale * up) + ' ';
  };
  for (const PathStep& step : path) {
    if (step.kind == PathStep::Kind::Curve) add(step.first), add(step.second);
    add(step.end);
    text += step.kind == PathStep::Kind::Move ? "m\n" : step.kind == PathStep::Kind::Line ? "l\n" : "c\n";
  }
  return text;
}

/// UTF-16 with the high byte first, as digits.
std::string utf16(std::span<const char32_t> letters) {
  std::string text;
  for (char32_t letter : letters) {
    if (letter < 0x10000) {
      text += fmt::format("{:04X}", static_cast<uint32_t>(letter));
    } else {
      letter -= 0x10000;
      text += fmt::format("{:04X}{:04X}", 0xd800 + static_cast<uint32_t>(letter >> 10),
                          0xdc00 + static_cast<uint32_t>(letter & 0x3ff));
    }
  }
  return text;
}

/// The objects of a file in their order, with the table of where they begin.
class PdfFile {
 public:
  /// A number for an object that is added later.
  size_t reserve() {
    objects_.emplace_back();
    return objects_.size();
  }
  void put(size_t number, std::string object) { objects_[number - 1] = std::move(object); }
  size_t add(std::string object) {
    const size_t number = reserve();
    put(number, std::move(object));
    return number;
  }
  /// `entries`: of its dictionary.
  Result<size_t> add_stream(std::string_view bytes, std::string_view entries = "") {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string packed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                  reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()),
                  Z_BEST_COMPRESSION) != Z_OK)
      return fail(ErrorKind::Internal, "a picture could not be packed for PDF: memory is full");
    packed.resize(size);
    return add(fmt::format("<</Length {}/Filter/FlateDecode{}>>\nstream\n{}\nendstream", packed.size(),
                           entries, packed));
  }

  std::string finish(size_t root, size_t info) const {
    std::string file = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", table;
    for (size_t n = 0; n < objects_.size(); ++n) {
      table += fmt::format("{:010} 00000 n \n", file.size());
      file += fmt::format("{} 0 obj\n{}\nendobj\n", n + 1, objects_[n]);
    }
    const size_t start = file.size();
    file += fmt::format(
        "xref\n0 {0}\n0000000000 65535 f \n{1}trailer\n<</Size {0}/Root {2} 0 R/Info {3} 0 R>>\n"
        "startxref\n{4}\n%%EOF\n",
        objects_.size() + 1, table, root, info, start);
    return file;
  }

 private:
  std::vector<std::string> objects_;
};

/// A font of at most 255 letters, whose codes are their places from 1 on.
struct LetterFont {
  Label::Face face;
  std::vector<char32_t> letters;
};

class PdfWriter {
 public:
  PdfWriter(plot::Theme theme, GlyphFaces& faces) : theme_(theme), faces_(faces) {}

  Result<void> operator()(const plot::Rect& rect) {
    if (rect.width <= 0 || rect.height <= 0) return {};
    const std::string path = path_text(outline(rect)) + "h ";
    if (rect.fill) paint(*rect.fill, "rg", path + "f\n");
    if (rect.stroke) paint(*rect.stroke, "RG", number(rect.stroke_width) + " w " + path + "S\n");
    return {};
  }

  Result<void> operator()(const plot::Line& line) {
    paint(line.color, "RG",
          number(line.width) + " w " +
              path_text(
                  {{PathStep::Kind::Move, {line.x1, line.y1}}, {PathStep::Kind::Line, {line.x2, line.y2}}}) +
              "S\n");
    return {};
  }

  Result<void> operator()(const Label& label) {
    if (label.text.empty()) return {};
    const Point at = start_of(label, faces_);
    std::string text, codes;
    std::optional<size_t> font;
    const auto flush = [&] {
      if (!codes.empty()) text += fmt::format("/F{} 1 Tf <{}> Tj\n", *font, codes);
      codes.clear();
    };
    for (const char32_t letter : letters_of(label.text)) {
      const auto [its_font, code] = place(label.face, letter);
      if (font != its_font) flush();
      font = its_font;
      codes += fmt::format("{:02X}", code);
    }
    flush();
    const std::string size = number(label.size);
    // The page's y points down, letters' up.
    paint(label.color, "rg",
          fmt::format("BT {} 0 0 -{} {} {} Tm\n{}ET\n", size, size, number(at.x), number(at.y), text));
    return {};
  }

  /// Viewers blur an image of a pixel for each cell.
  Result<void> operator()(const plot::Cells& cells) {
    if (cells.rows == 0 || cells.columns == 0 || cells.width <= 0 || cells.height <= 0) return {};
    static constexpr float kPixelsPerPoint = 3, kMost = 4096;
    const auto pixels = [](float points) {
      return static_cast<uint32_t>(std::lround(std::clamp(points * kPixelsPerPoint, 1.0f, kMost)));
    };
    const uint32_t columns = pixels(cells.width), rows = pixels(cells.height);
    std::string rgb;
    rgb.reserve(size_t{columns} * rows * 3);
    const std::vector<uint8_t> rgba = pixels_of(cells, theme_, columns, rows);
    for (size_t n = 0; n < rgba.size(); ++n)
      if (n % 4 != 3) rgb += static_cast<char>(rgba[n]);
    TRY(const size_t image,
        file_.add_stream(rgb,
                         fmt::format("/Type/XObject/Subtype/Image/Width {}/Height {}/ColorSpace/DeviceRGB"
                                     "/BitsPerComponent 8",
                                     columns, rows)));
    content_ += fmt::format("q {} 0 0 -{} {} {} cm /I{} Do Q\n", number(cells.width), number(cells.height),
                            number(cells.x), number(cells.y + cells.height), images_.size());
    images_.push_back(image);
    return {};
  }

  Result<std::string> finish(plot::Size size, const PdfTexts& texts) {
    std::string fonts, images, states;
    for (size_t n = 0; n < fonts_.size(); ++n) {
      TRY(const size_t font, add_font(fonts_[n]));
      fonts += fmt::format("/F{} {} 0 R", n, font);
    }
    for (size_t n = 0; n < images_.size(); ++n) images += fmt::format("/I{} {} 0 R", n, images_[n]);
    for (const uint8_t alpha : alphas_)
      states += fmt::format("/A{0}<</ca {1}/CA {1}>>", alpha, number(static_cast<float>(alpha) / 255));
    TRY(const size_t content,
        file_.add_stream(fmt::format("1 0 0 -1 0 {} cm\n{}", number(size.height), content_)));
    const size_t pages = file_.reserve();
    const size_t page = file_.add(
        fmt::format("<</Type/Page/Parent {} 0 R/MediaBox[0 0 {} {}]/Contents {} 0 R/Resources<</Font<<{}>>"
                    "/XObject<<{}>>/ExtGState<<{}>>>>>>",
                    pages, number(size.width), number(size.height), content, fonts, images, states));
    file_.put(pages, fmt::format("<</Type/Pages/Kids[{} 0 R]/Count 1>>", page));
    const size_t root = file_.add(fmt::format("<</Type/Catalog/Pages {} 0 R>>", pages));
    const size_t info = file_.add(fmt::format("<</Title<FEFF{}>/Subject<FEFF{}>/Creator(Lanescope {})>>",
                                              utf16(letters_of(texts.title)),
                                              utf16(letters_of(texts.subject)), LANESCOPE_VERSION));
    return file_.finish(root, info);
  }

 private:
  /// `operators` in the color, which the operator "rg" sets for areas and "RG" for lines.
  void paint(Color color, std::string_view sets, std::string_view operators) {
    const Rgba rgba = plot::resolve(color, theme_);
    const bool is_opaque = rgba.alpha == 255;
    if (!is_opaque) {
      if (std::ranges::find(alphas_, rgba.alpha) == alphas_.end()) alphas_.push_back(rgba.alpha);
      content_ += fmt::format("q /A{} gs ", rgba.alpha);
    }
    const auto part = [](uint8_t channel) { return number(static_cast<float>(channel) / 255); };
    content_ += fmt::format("{} {} {} {} {}{}", part(rgba.red), part(rgba.green), part(rgba.blue), sets,
                            operators, is_opaque ? "" : "Q\n");
  }

  /// The font that has the letter, and its code there.
  std::pair<size_t, size_t> place(Label::Face face, char32_t letter) {
    constexpr size_t kMostLetters = 255;
    std::optional<size_t> with_room;
    for (size_t n = 0; n < fonts_.size(); ++n) {
      if (fonts_[n].face != face) continue;
      const auto found = std::ranges::find(fonts_[n].letters, letter);
      if (found != fonts_[n].letters.end())
        return {n, static_cast<size_t>(found - fonts_[n].letters.begin()) + 1};
      if (fonts_[n].letters.size() < kMostLetters) with_room = n;
    }
    if (!with_room) {
      with_room = fonts_.size();
      fonts_.push_back({face, {}});
    }
    fonts_[*with_room].letters.push_back(letter);
    return {*with_room, fonts_[*with_room].letters.size()};
  }

  /// In thousandths of an em.
  Result<size_t> add_font(const LetterFont& font) {
    constexpr float kEm = 1000;
    std::string widths, names, glyphs, letters;
    for (size_t n = 0; n < font.letters.size(); ++n) {
      const Glyph& glyph = faces_.glyph(font.face, font.letters[n]);
      float left = 0, right = 0, bottom = 0, top = 0;
      for (const PathStep& step : glyph.path)
        for (const Point point : {step.end, step.kind == PathStep::Kind::Curve ? step.first : step.end,
                                  step.kind == PathStep::Kind::Curve ? step.second : step.end}) {
          left = std::min(left, point.x), right = std::max(right, point.x);
          bottom = std::min(bottom, -point.y), top = std::max(top, -point.y);
        }
      TRY(const size_t outline,
          file_.add_stream(fmt::format("{} 0 {} {} {} {} d1\n{}f", number(glyph.advance * kEm),
                                       number(left * kEm), number(bottom * kEm), number(right * kEm),
                                       number(top * kEm), path_text(glyph.path, kEm, -1))));
      widths += number(glyph.advance * kEm) + ' ';
      names += fmt::format("/g{}", n + 1);
      glyphs += fmt::format("/g{} {} 0 R", n + 1, outline);
      letters +=
          fmt::format("1 beginbfchar\n<{:02X}> <{}>\nendbfchar\n", n + 1, utf16({&font.letters[n], 1}));
    }
    TRY(const size_t unicode,
        file_.add_stream(fmt::format("/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
                                     "/CMapName /Letters def /CMapType 2 def\n"
                                     "1 begincodespacerange <00> <FF> endcodespacerange\n{}"
                                     "endcmap CMapName currentdict /CMap defineresource pop end end",
                                     letters)));
    return file_.add(
        fmt::format("<</Type/Font/Subtype/Type3/FontBBox[0 0 0 0]/FontMatrix[.001 0 0 .001 0 0]"
                    "/FirstChar 1/LastChar {}/Widths[{}]/Encoding<</Type/Encoding/Differences[1{}]>>"
                    "/CharProcs<<{}>>/Resources<<>>/ToUnicode {} 0 R>>",
                    font.letters.size(), widths, names, glyphs, unicode));
  }

  plot::Theme theme_;
  GlyphFaces& faces_;
  PdfFile file_;
  std::string content_;
  std::vector<LetterFont> fonts_;
  std::vector<size_t> images_;
  std::vector<uint8_t> alphas_;  // of colors that let through what is below
};

}  // namespace

Result<std::string> pdf_of(const Page& page, const PdfTexts& texts, plot::Theme theme, GlyphFaces& faces) {
  PdfWriter writer(theme, faces);
  TRY_VOID(writer(plot::Rect{.width = page.size.width,
                             .height = page.size.height,
                             .fill = Color::of(plot::Role::Surface),
                             .stroke = {}}));
  for (const plot::Mark& mark : page.marks) TRY_VOID(std::visit(writer, mark));
  return writer.finish(page.size, texts);
}

}  // namespace lanescope::exporting
