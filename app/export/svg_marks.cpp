#include "export/svg_marks.h"

#include "export/png.h"
#include "export/svg.h"
#include "plot/text_width.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using plot::Color;
using plot::Label;

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(std::string_view bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const auto part = [&](size_t n) {
      return at + n < bytes.size() ? uint32_t{static_cast<uint8_t>(bytes[at + n])} : 0u;
    };
    const uint32_t bits = part(0) << 16 | part(1) << 8 | part(2);
    for (size_t n = 0; n < 4; ++n) text += at + n > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * n) & 63];
  }
  return text;
}

class SvgWriter {
 public:
  explicit SvgWriter(plot::Theme theme) : theme_(theme) {}

  Result<void> operator()(const plot::Rect& rect) {
    if (rect.width <= 0 || rect.height <= 0) return {};
    const std::string fill = rect.fill ? paint("fill", *rect.fill) : " fill=\"none\"";
    const std::string stroke =
        rect.stroke ? paint("stroke", *rect.stroke) + fmt::format(" stroke-width=\"{}\"", rect.stroke_width)
                    : "";
    const std::string radius = rect.radius > 0 ? fmt::format(" rx=\"{}\"", rect.radius) : "";
    text_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}{}/>\n", rect.x, rect.y,
                         rect.width, rect.height, radius, fill, stroke);
    return {};
  }

  Result<void> operator()(const plot::Line& line) {
    text_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke-width=\"{}\"{}/>\n", line.x1,
                         line.y1, line.x2, line.y2, line.width, paint("stroke", line.color));
    return {};
  }

  Result<void> operator()(const Label& label) {
    if (label.text.empty()) return {};
    constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
    const bool is_mono = label.face == Label::Face::Mono;
    text_ += fmt::format(
        "<text x=\"{}\" y=\"{:.2f}\" font-size=\"{}\" text-anchor=\"{}\" font-family=\"{}\"{}{} "
        "xml:space=\"preserve\">{}</text>\n",
        label.x, label.y + plot::kCapitalHeight / 2 * label.size, label.size,
        kAnchors[static_cast<size_t>(label.anchor)],
        is_mono ? "JetBrains Mono, monospace" : "Inter, sans-serif",
        label.face == Label::Face::Strong ? " font-weight=\"600\"" : "", paint("fill", label.color),
        escaped(label.text));
    return {};
  }

  Result<void> operator()(const plot::Cells& cells) {
    if (cells.rows == 0 || cells.columns == 0 || cells.width <= 0 || cells.height <= 0) return {};
    std::vector<uint8_t> rgba;
    rgba.reserve(cells.value.size() * 4);
    for (const uint32_t value : cells.value) {
      const plot::Rgba color =
          plot::resolve(value == 0 ? Color::of(plot::Role::Sunken) : plot::color_of(cells, value), theme_);
      rgba.insert(rgba.end(), {color.red, color.green, color.blue, color.alpha});
    }
    TRY(const std::string png, png_of(rgba, cells.columns, cells.rows));
    text_ += fmt::format(
        "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
        "image-rendering=\"pixelated\" href=\"data:image/png;base64,{}\"/>\n",
        cells.x, cells.y, cells.width, cells.height, base64(png));
    return {};
  }

  const std::string& text() const { return text_; }

 private:
  std::string paint(std::string_view what, Color color) const {
    const plot::Rgba rgba = plot::resolve(color, theme_);
    const std::string opacity =
        rgba.alpha == 255 ? "" : fmt::format(" {}-opacity=\"{:.3f}\"", what, rgba.alpha / 255.0);
    return fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"{}", what, rgba.red, rgba.green, rgba.blue, opacity);
  }

  plot::Theme theme_;
  std::string text_;
};

}  // namespace

Result<std::string> svg_of(const Page& page, plot::Theme theme) {
  SvgWriter writer(theme);
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

}  // namespace lanescope::exporting
