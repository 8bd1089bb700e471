#include "export/slides.h"

#include "base/file.h"
#include "export/animation.h"
#include "export/faces.h"
#include "export/page.h"
#include "export/painter.h"
#include "export/surface.h"
#include "plot/sheet.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <cairo-pdf.h>
#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

namespace fs = std::filesystem;

using plot::Box;
using plot::Color;
using plot::Label;
using plot::Role;

constexpr float kMargin = 36, kGap = 20;
constexpr float kHead = 22, kCaption = 27;  // sizes of type
constexpr float kLineOfCaption = 1.4f;      // of its size
constexpr float kFigureText = 16;
constexpr float kCaptionLines = 3;
/// Images inside a PDF get this many pixels per point.
constexpr float kSlideImageScale = 2;

/// Where the figures of a slide are.
Box body() {
  const float top = kMargin + 2 * kHead,
              bottom = kSlideSize.height - kMargin - kGap - kCaptionLines * kLineOfCaption * kCaption;
  return {kMargin, top, kSlideSize.width - 2 * kMargin, bottom - top};
}

/// The part of the slide for each of `count` figures: in a row, four in two.
Box part_of(size_t count, size_t n) {
  const size_t columns = count == 4 ? 2 : std::max<size_t>(count, 1), rows = count == 4 ? 2 : 1;
  const Box all = body();
  const float width = (all.width - static_cast<float>(columns - 1) * kGap) / static_cast<float>(columns);
  const float height = (all.height - static_cast<float>(rows - 1) * kGap) / static_cast<float>(rows);
  const size_t row = n / columns;
  return {all.x + static_cast<float>(n % columns) * (width + kGap),
          all.y + static_cast<float>(row) * (height + kGap), width, height};
}

/// The caption as labels, a word each, in lines that fit the slide; `y` is the middle of the first line.
class Caption {
 public:
  Caption(cairo_t* cairo, const Faces& faces, float size, float y)
      : cairo_(cairo), faces_(faces), size_(size), y_(y), space_(width_of(" ", Label::Face::Regular)) {}

  std::vector<plot::Mark> marks_of(const std::vector<CaptionPiece>& pieces) {
    for (const CaptionPiece& piece : pieces) add(piece);
    return std::move(marks_);
  }

 private:
  float width_of(const std::string& text, Label::Face face) const {
    faces_.select(cairo_, face, size_);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, text.c_str(), &extents);
    return static_cast<float>(extents.x_advance);
  }

  void add(const CaptionPiece& piece) {
    const Label::Face face = piece.is_strong ? Label::Face::Strong : Label::Face::Regular;
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      const bool is_space = rest.front() == ' ';
      const size_t length = std::min(is_space ? rest.find_first_not_of(' ') : rest.find(' '), rest.size());
      if (is_space)
        has_space_ = true;
      else
        add_word(std::string(rest.substr(0, length)), face);
      rest.remove_prefix(length);
    }
  }

  void add_word(const std::string& word, Label::Face face) {
    const float width = width_of(word, face);
    if (std::exchange(has_space_, false) && x_ > kMargin) x_ += space_;
    if (x_ + width > kSlideSize.width - kMargin && x_ > kMargin) {
      x_ = kMargin;
      y_ += kLineOfCaption * size_;
    }
    marks_.emplace_back(
        Label{.x = x_, .y = y_, .text = word, .size = size_, .color = Color::of(Role::Ink), .face = face});
    x_ += width;
  }

  cairo_t* cairo_;
  const Faces& faces_;
  float size_, x_ = kMargin, y_, space_;
  bool has_space_ = false;  // before the next word
  std::vector<plot::Mark> marks_;
};

/// What is around the figures.
std::vector<plot::Mark> frame_of(const Slide& slide) {
  std::vector<plot::Mark> marks;
  const float y = kMargin + kHead / 2;
  marks.emplace_back(Label{.x = kMargin,
                           .y = y,
                           .text = slide.title,
                           .size = kHead,
                           .color = Color::of(Role::Dim),
                           .face = Label::Face::Strong});
  marks.emplace_back(Label{.x = kSlideSize.width - kMargin,
                           .y = y,
                           .text = slide.count,
                           .size = kHead,
                           .color = Color::of(Role::Dim),
                           .anchor = Label::Anchor::End,
                           .face = Label::Face::Strong});
  return marks;
}

void draw(cairo_t* cairo, const Slide& slide, const Style& style, float image_scale) {
  const Faces faces(style.font_directory);
  paint_background(cairo, kSlideSize, style.theme);
  for (size_t n = 0; n < slide.figures.size(); ++n) {
    const Page page = compose(slide.figures[n]);
    const Box part = part_of(slide.figures.size(), n);
    const float scale = std::min(part.width / page.size.width, part.height / page.size.height);
    cairo_save(cairo);
    cairo_translate(cairo, part.x + (part.width - scale * page.size.width) / 2, part.y);
    cairo_scale(cairo, scale, scale);
    paint(cairo, page.marks, style.theme, faces, image_scale * scale);
    cairo_restore(cairo);
  }
  paint(cairo, frame_of(slide), style.theme, faces, image_scale);
  const Box figures = body();
  // A question alone has the slide to itself.
  const bool is_alone = slide.figures.empty();
  const float size = is_alone ? 1.5f * kCaption : kCaption;
  const float y = is_alone ? figures.y + figures.height / 2 : figures.y + figures.height + kGap + size / 2;
  paint(cairo, Caption(cairo, faces, size, y).marks_of(slide.caption), style.theme, faces, image_scale);
}

std::unexpected<Error> refused(cairo_status_t status) {
  return fail(ErrorKind::Internal,
              fmt::format("a slide cannot be drawn: {}", cairo_status_to_string(status)));
}

Result<std::string> to_pdf(std::span<const Slide> slides, const Style& style) {
  std::string bytes;
  const Surface surface = pdf_surface(bytes, kSlideSize.width, kSlideSize.height);
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, slides.front().title.c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Lanescope " LANESCOPE_VERSION);
  for (const Slide& slide : slides) {
    const CairoContext cairo = context_of(surface, 1);
    draw(cairo.get(), slide, style, kSlideImageScale);
    cairo_show_page(cairo.get());
    if (const cairo_status_t status = cairo_status(cairo.get()); status != CAIRO_STATUS_SUCCESS)
      return refused(status);
  }
  cairo_surface_finish(surface.get());
  return bytes;
}

Result<std::string> to_animation(std::span<const Slide> slides, const Style& style) {
  std::vector<AnimationFrame> frames;
  for (const Slide& slide : slides) {
    TRY(std::string png, slide_png(slide, style));
    frames.push_back({std::move(png), static_cast<uint16_t>(reading_milliseconds(slide))});
  }
  return to_animated_png(frames);
}

/// "slides.png" -> "slides-03.png".
fs::path numbered(const fs::path& file, size_t number, size_t count) {
  const int digits = static_cast<int>(std::to_string(count).size());
  fs::path name = file;
  return name.replace_filename(
      fmt::format("{}-{:0{}}{}", file.stem().string(), number, digits, file.extension().string()));
}

}  // namespace

plot::Frame slide_frame(size_t figures) {
  const Box part = part_of(figures, 0);
  // A figure beside others is drawn larger and scaled down: its labels need room.
  const float larger = figures < 2 ? 1 : figures == 2 ? 1.25f : 1.6f;
  const float around = 2 * 1.2f * kFigureText;
  return {.size = {larger * part.width - around - 10 * kFigureText,
                   std::max(larger * part.height - around - 9 * kFigureText, 12 * kFigureText)},
          .text = kFigureText};
}

Result<void> check_slide_format(const fs::path& file) {
  const std::string extension = file.extension().string();
  for (const char* const known : {".pdf", ".png", ".apng"})
    if (extension == known) return {};
  return fail(
      ErrorKind::Usage,
      fmt::format("slides are written as .pdf, .png (a file for each) or .apng (an animation), not as "
                  "'{}'",
                  file.filename().string()));
}

Result<std::string> slide_png(const Slide& slide, const Style& style) {
  const double scale = std::clamp(static_cast<double>(style.scale), 0.25, 4.0);
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                             static_cast<int>(std::lround(kSlideSize.width * scale)),
                                             static_cast<int>(std::lround(kSlideSize.height * scale))));
  const CairoContext cairo = context_of(surface, scale);
  draw(cairo.get(), slide, style, static_cast<float>(scale));
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) return refused(status);
  return bytes;
}

unsigned reading_milliseconds(const Slide& slide) {
  // 15 characters in a second, as subtitles have it, and a moment for the figures.
  constexpr unsigned kPerCharacter = 1000 / 15, kForFigures = 2500, kMost = 60000;
  size_t characters = 0;
  for (const CaptionPiece& piece : slide.caption) characters += piece.text.size();
  return std::min(kForFigures + kPerCharacter * static_cast<unsigned>(std::min<size_t>(characters, 10000)),
                  kMost);
}

Result<std::vector<fs::path>> write_slides(std::span<const Slide> slides, const fs::path& file,
                                           const Style& style) {
  TRY_VOID(check_slide_format(file));
  std::vector<fs::path> written;
  if (file.extension() == ".png") {
    for (size_t n = 0; n < slides.size(); ++n) {
      TRY(const std::string png, slide_png(slides[n], style));
      written.push_back(numbered(file, n + 1, slides.size()));
      TRY_VOID(write_file(written.back(), png));
    }
    return written;
  }
  TRY(const std::string bytes,
      file.extension() == ".pdf" ? to_pdf(slides, style) : to_animation(slides, style));
  TRY_VOID(write_file(file, bytes));
  written.push_back(file);
  return written;
}

}  // namespace lanescope::exporting
