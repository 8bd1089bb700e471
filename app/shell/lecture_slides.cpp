#include "shell/lecture_slides.h"

#include "base/file.h"
#include "base/limited_process.h"
#include "base/temporary_folder.h"
#include "pipeline/value_maps.h"
#include "plot/figure_table.h"
#include "session/lecture_state.h"
#include "session/settings_text.h"
#include "session/shown_run.h"
#include "shell/shown_figure.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

std::vector<model::ValueMap> values_of(const session::Snapshot& now, const lesson::LectureStep& step) {
  if (std::ranges::count(step.look, "values") == 0) return {};
  return pipeline::value_maps(*now.run);
}

/// With the side in the title, and what the other one has not.
plot::Figure named(plot::Figure figure, const char* side, const session::Choices& own,
                   const session::Choices& other) {
  figure.title = fmt::format("{}: {}", side, session::label_beside(own, other, own.language));
  return figure;
}

/// Adds the figure of both runs on one scale.
void add_beside(std::vector<plot::Figure>& figures, const plot::FigureRow& row, const plot::FigureData& of_a,
                const plot::FigureData& of_b, plot::Frame frame) {
  const auto alone = row.draw(of_a, frame);
  if (!alone) return;
  frame.scale = alone->scale;
  auto b = row.draw(of_b, frame);
  if (!b) return;
  frame.scale = b->scale;
  figures.push_back(*row.draw(of_a, frame));
  figures.push_back(*std::move(b));
}

/// The figures that the step is about, of A and B where it compares; where none of them can be drawn, the
/// first of the lecture that can.
std::vector<plot::Figure> figures_of(const session::Snapshot& now) {
  const lesson::LectureStep& step = now.lecture->shown();
  const session::Snapshot* const a = step.settings_of_a ? now.pinned.get() : nullptr;
  const size_t runs = a != nullptr ? 2 : 1, most_rows = 4 / runs;
  const std::vector<model::ValueMap> values = values_of(now, step);
  const plot::FigureData data = figure_data_of(now, values);
  std::vector<const plot::FigureRow*> rows;
  const auto add = [&](const std::vector<std::string>& panels, size_t most) {
    for (const std::string& panel : panels) {
      const plot::FigureRow* const row = plot::find_figure(panel);
      if (row != nullptr && rows.size() < most && row->draw(data, {})) rows.push_back(row);
    }
  };
  add(step.look, most_rows);
  if (rows.empty()) add(now.lecture->lecture->panels, 1);
  plot::Frame frame = exporting::slide_frame(rows.size() * runs);
  frame.language = now.choices.language;
  std::vector<plot::Figure> figures;
  if (a != nullptr) {
    const std::vector<model::ValueMap> values_of_a = values_of(*a, step);
    for (const plot::FigureRow* const row : rows)
      add_beside(figures, *row, figure_data_of(*a, values_of_a), data, frame);
    for (size_t n = 0; n < figures.size(); n += 2) {
      figures[n] = named(std::move(figures[n]), "A", a->choices, now.choices);
      figures[n + 1] = named(std::move(figures[n + 1]), "B", now.choices, a->choices);
    }
    return figures;
  }
  for (const plot::FigureRow* const row : rows)
    if (auto figure = row->draw(data, frame)) figures.push_back(*std::move(figure));
  return figures;
}

std::vector<exporting::CaptionPiece> caption_of(const session::LectureTexts::Paragraphs& paragraphs) {
  std::vector<exporting::CaptionPiece> pieces;
  for (const lesson::Paragraph& paragraph : paragraphs) {
    if (!pieces.empty()) pieces.push_back({" "});
    for (const lesson::Run& run : paragraph.runs)
      pieces.push_back({run.text, run.face == lesson::Run::Face::Strong});
  }
  return pieces;
}

/// What the command shows, with its run and its numbers.
Result<std::shared_ptr<const session::Snapshot>> shown(session::Session& session,
                                                       const session::Command& command) {
  session.post(command);
  session.wait_until_modelled();
  auto now = session.latest();
  if (now->error && !session::is_finding(*now)) return std::unexpected(*now->error);
  return now;
}

/// Encodes the slides with ffmpeg, each as long as it takes to read.
Result<void> write_film(const std::vector<exporting::Slide>& slides, const fs::path& folder,
                        const fs::path& file, const exporting::Style& style) {
  TRY(const auto pictures, exporting::write_slides(slides, folder / "slide.png", style));
  std::string list = "ffconcat version 1.0\n";
  for (size_t n = 0; n < pictures.size(); ++n)
    list += fmt::format("file '{}'\nduration {:.3f}\n", pictures[n].filename().string(),
                        exporting::reading_milliseconds(slides[n]) / 1000.0);
  // The last duration counts only where a picture follows.
  list += fmt::format("file '{}'\n", pictures.back().filename().string());
  TRY_VOID(write_file(folder / "list.ffconcat", list));
  std::error_code ignored;
  const fs::path film = folder / "film.mp4";
  TRY(const Ended ended, run_limited({"/usr/bin/env", "ffmpeg", "-loglevel", "error", "-y", "-i",
                                      (folder / "list.ffconcat").string(), "-vf", "format=yuv420p,fps=25",
                                      "-movflags", "+faststart", film.string()},
                                     {.seconds = 600}));
  if (ended.how != Ended::How::Exited || ended.number != 0)
    return fail(ErrorKind::Unsupported,
                ended.number == 127
                    ? "a film is made by the program 'ffmpeg', which is not installed; install it, or write "
                      "an animation: a file that ends in .apng"
                    : fmt::format("ffmpeg made no film; it said: {}", ended.error));
  fs::copy_file(film, file, fs::copy_options::overwrite_existing, ignored);
  if (ignored)
    return fail(ErrorKind::File, fmt::format("the film cannot be written: {}", ignored.message()),
                Location{file.string(), 0});
  return {};
}

std::optional<size_t> number_in(std::string_view text) {
  const auto number = lesson::parse_integer(text);
  return number && *number > 0 ? std::optional(static_cast<size_t>(*number)) : std::nullopt;
}

}  // namespace

Result<StepRange> parse_steps(const std::string& text) {
  if (text.empty()) return StepRange{};
  const size_t dash = text.find('-');
  const auto first = number_in(std::string_view(text).substr(0, dash));
  const auto last = dash == std::string::npos ? first : number_in(std::string_view(text).substr(dash + 1));
  if (first && last && *first <= *last) return StepRange{*first, *last};
  return fail(ErrorKind::Usage, fmt::format("--steps is a number or FIRST-LAST, from 1, not '{}'", text));
}

Result<void> for_each_step(session::Session& session, const std::string& lecture, StepRange steps,
                           const std::function<Result<void>(const session::Snapshot&)>& f) {
  TRY(auto now, shown(session, session::OpenLecture{lecture}));
  const size_t count = now->lecture->lecture->steps.size();
  const size_t last = steps.last == 0 ? count : steps.last;
  if (last > count)
    return fail(ErrorKind::Usage,
                fmt::format("--steps: there is no step {}; the lecture has {} steps", last, count));
  for (size_t n = steps.first; n <= last; ++n) {
    // The lecture opens on its first step.
    if (now->lecture->step + 1 != n) {
      TRY(now, shown(session, session::ShowLectureStep{static_cast<uint32_t>(n - 1)}));
    }
    TRY_VOID(f(*now));
  }
  return {};
}

Result<std::vector<exporting::Slide>> slides_of(session::Session& session, const std::string& lecture,
                                                StepRange steps) {
  std::vector<exporting::Slide> slides;
  TRY_VOID(for_each_step(session, lecture, steps, [&](const session::Snapshot& now) -> Result<void> {
    const session::LectureState& state = *now.lecture;
    const session::LectureTexts& texts = state.texts_in(now.choices.language);
    exporting::Slide slide{.title = state.lecture->title.in(now.choices.language),
                           .count = fmt::format("{} / {}", state.step + 1, state.lecture->steps.size()),
                           .figures = {},
                           .caption = caption_of(texts.say)};
    if (state.shown().predicts) {
      slides.push_back(slide);
      if (!texts.reveal.empty()) slide.caption = caption_of(texts.reveal);
    }
    slide.figures = figures_of(now);
    slides.push_back(std::move(slide));
    return {};
  }));
  return slides;
}

Result<void> check_lecture_format(const fs::path& file) {
  if (file.extension() == ".mp4") return {};
  const auto known = exporting::check_slide_format(file);
  if (known) return known;
  return fail(ErrorKind::Usage, known.error().message + "; .mp4 is a film");
}

Result<std::vector<fs::path>> write_lecture(const std::vector<exporting::Slide>& slides, const fs::path& file,
                                            const exporting::Style& style) {
  if (file.extension() != ".mp4") return exporting::write_slides(slides, file, style);
  TRY(const TemporaryFolder folder, TemporaryFolder::make("film"));
  TRY_VOID(write_film(slides, folder.path(), file, style));
  return std::vector{file};
}

}  // namespace lanescope::shell
