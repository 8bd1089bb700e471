#include "export/svg_marks.h"

#include "export/base64.h"
#include "export/png.h"
#include "export/svg.h"
#include "plot/text_width.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using plot::Color;
using plot::Label;

/// One theme, or light and dark.
struct Themes {
  plot::Theme first = plot::Theme::Light;
  std::optional<plot::Theme> second = {};
};

class SvgWriter {
 public:
  explicit SvgWriter(Themes themes) : themes_(themes) {}

  Result<void> operator()(const plot::Rect& rect) {
    if (rect.width <= 0 || rect.height <= 0) return {};
    const std::string fill = rect.fill ? paint("fill", *rect.fill) : " fill=\"none\"";
    const std::string stroke =
        rect.stroke ? paint("stroke", *rect.stroke) + fmt::format(" stroke-width=\"{}\"", rect.stroke_width)
                    : "";
    const std::string radius = rect.radius > 0 ? fmt::format(" rx=\"{}\"", points(rect.radius)) : "";
    text_ +=
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}{}{}/>\n", points(rect.x),
                    points(rect.y), points(rect.width), points(rect.height), radius, fill, stroke, style());
    return {};
  }

  Result<void> operator()(const plot::Line& line) {
    const std::string stroke = paint("stroke", line.color);
    text_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke-width=\"{}\"{}{}/>\n",
                         points(line.x1), points(line.y1), points(line.x2), points(line.y2),
                         points(line.width), stroke, style());
    return {};
  }

  Result<void> operator()(const Label& label) {
    if (label.text.empty()) return {};
    constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
    const bool is_mono = label.face == Label::Face::Mono;
    const std::string fill = paint("fill", label.color);
    text_ += fmt::format(
        "<text x=\"{}\" y=\"{:.2f}\" font-size=\"{}\" text-anchor=\"{}\" font-family=\"{}\"{}{}{}{} "
        "xml:space=\"preserve\">{}</text>\n",
        points(label.x), label.y + plot::kCapitalHeight / 2 * label.size, points(label.size),
        kAnchors[static_cast<size_t>(label.anchor)],
        is_mono ? "JetBrains Mono, monospace" : "Inter, sans-serif",
        label.face == Label::Face::Strong ? " font-weight=\"600\"" : "", fill, width_of(label), style(),
        escaped(label.text));
    return {};
  }

  Result<void> operator()(const plot::Cells& cells) {
    if (cells.rows == 0 || cells.columns == 0 || cells.width <= 0 || cells.height <= 0) return {};
    if (!themes_.second) return add_image(cells, themes_.first, "");
    TRY_VOID(add_image(cells, themes_.first, " class=\"on-light\""));
    return add_image(cells, *themes_.second, " class=\"on-dark\"");
  }

  const std::string& text() const { return text_; }

 private:
  /// Makes a viewer without the program's faces keep to the width that was laid out. A single character has
  /// no gap that could change.
  static std::string width_of(const Label& label) {
    if (label.text.size() < 2) return "";
    return fmt::format(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"",
                       points(plot::text_width(label.text, label.size, label.face)));
  }

  /// Hundredths are less than a screen shows.
  static std::string points(float value) {
    std::string text = fmt::format("{:.2f}", value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
  }

  Result<void> add_image(const plot::Cells& cells, plot::Theme theme, std::string_view attributes) {
    std::vector<uint8_t> rgba;
    rgba.reserve(cells.value.size() * 4);
    for (const uint32_t value : cells.value) {
      const plot::Rgba color =
          plot::resolve(value == 0 ? Color::of(plot::Role::Sunken) : plot::color_of(cells, value), theme);
      rgba.insert(rgba.end(), {color.red, color.green, color.blue, color.alpha});
    }
    TRY(const std::string png, png_of(rgba, cells.columns, cells.rows));
    text_ += fmt::format(
        "<image{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
        "image-rendering=\"pixelated\" href=\"data:image/png;base64,{}\"/>\n",
        attributes, points(cells.x), points(cells.y), points(cells.width), points(cells.height), base64(png));
    return {};
  }

  /// An attribute with the color of the first theme. Where the second has another, style() has both.
  std::string paint(std::string_view what, Color color) {
    const plot::Rgba rgba = plot::resolve(color, themes_.first);
    const plot::Rgba other = themes_.second ? plot::resolve(color, *themes_.second) : rgba;
    if (other != rgba) style_ += fmt::format("{}:light-dark({},{});", what, hex(rgba), hex(other));
    const std::string opacity =
        rgba.alpha == 255 ? "" : fmt::format(" {}-opacity=\"{:.3f}\"", what, rgba.alpha / 255.0);
    return fmt::format(" {}=\"{}\"{}", what, hex(rgba), opacity);
  }
  static std::string hex(plot::Rgba rgba) {
    return fmt::format("#{:02x}{:02x}{:02x}", rgba.red, rgba.green, rgba.blue);
  }
  /// Of the mark that was painted last.
  std::string style() {
    return style_.empty() ? "" : fmt::format(" style=\"{}\"", std::exchange(style_, {}));
  }

  Themes themes_;
  std::string style_;
  std::string text_;
};

Result<std::string> svg_in(const Page& page, Themes themes) {
  SvgWriter writer(themes);
  const plot::Rect background{.width = page.size.width,
                              .height = page.size.height,
                              .fill = Color::of(plot::Role::Surface),
                              .stroke = {}};
  TRY_VOID(writer(background));
  for (const plot::Mark& mark : page.marks) TRY_VOID(std::visit(writer, mark));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}pt\" "
      "height=\"{1}pt\" viewBox=\"0 0 {0} {1}\">\n{2}</svg>\n",
      page.size.width, page.size.height, writer.text());
}

}  // namespace

Result<std::string> svg_of(const Page& page, plot::Theme theme) { return svg_in(page, {theme}); }

Result<std::string> svg_of_both_themes(const Page& page) {
  return svg_in(page, {plot::Theme::Light, plot::Theme::Dark});
}

}  // namespace lanescope::exporting
