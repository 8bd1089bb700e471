#include "shell/page/figure_call.h"

#include "export/drawn_formats.h"
#include "export/export.h"
#include "lesson/setting_text.h"
#include "pipeline/value_maps.h"
#include "plot/figure_table.h"
#include "plot/wording.h"
#include "session/session.h"
#include "session/shown_run.h"
#include "shell/shown_figure.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

namespace lanescope::shell::page {
namespace {

using Needs = plot::FigureRow::Needs;

constexpr float kLeastSide = 100, kMostSide = 8192;

Result<const plot::FigureRow*> row_of(const FigureRequest& request) {
  const plot::FigureRow* const row = plot::find_figure(request.figure);
  const bool is_of_a_view =
      row != nullptr && row->needs != Needs::RecordedSlices && row->needs != Needs::Caches;
  if (!is_of_a_view) {
    std::string names;
    for (const plot::FigureRow& one : plot::figure_rows())
      if (one.needs != Needs::RecordedSlices && one.needs != Needs::Caches)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
    return fail(ErrorKind::Usage,
                fmt::format("there is no figure '{}' of a view; choose one of: {}", request.figure, names));
  }
  const auto is_side = [](float side) { return side >= kLeastSide && side <= kMostSide; };
  if (!is_side(request.size.width) || !is_side(request.size.height))
    return fail(ErrorKind::Usage,
                fmt::format("a figure has {} to {} points in width and height; found {} x {}", kLeastSide,
                            kMostSide, request.size.width, request.size.height));
  return row;
}

/// The access of the other kind of memory, where the selected one is not of the figure's.
void take_companion(plot::FigureData& data, const plot::FigureRow& row,
                    const pipeline::Selection& selection) {
  const bool is_missing = (row.needs == Needs::SharedAccess && data.banks == nullptr) ||
                          (row.needs == Needs::GlobalAccess && data.sectors == nullptr);
  if (!is_missing || !selection.companion) return;
  const pipeline::AccessDetail& other = *selection.companion;
  data.access = &other.drawn;
  data.banks = other.banks ? &*other.banks : nullptr;
  data.sectors = other.sectors ? &*other.sectors : nullptr;
}

/// Until the link is shown. What a session models while it is idle takes seconds, and one figure shows it.
Result<void> work_on(session::Session& session, const plot::FigureRow& row) {
  const bool shows_times = row.needs == Needs::RecordedTimes;
  while (session.pump()) {
    const auto now = session.latest();
    if (!now->busy && (now->error || (now->run && !shows_times))) break;
  }
  const auto now = session.latest();
  if (now->error && !session::is_finding(*now)) return std::unexpected(*now->error);
  if (!now->run) return fail(ErrorKind::Usage, "the link opens no lesson; it begins with lesson=NAME");
  return {};
}

}  // namespace

Result<std::string> drawn_figure(const pipeline::Options& options, const FigureRequest& request) {
  TRY(const plot::FigureRow* const row, row_of(request));
  session::Session session(options, session::Engine::Pumped);
  session.post(session::OpenLink{"#" + request.link});
  TRY_VOID(work_on(session, *row));
  const auto now = session.latest();
  std::vector<model::ValueMap> values;
  if (row->name == "values") values = pipeline::value_maps(*now->run);
  plot::FigureData data = figure_data_of(*now, values);
  take_companion(data, *row, now->selection);
  const Language language = now->choices.language;
  TRY(plot::Figure figure, row->draw(data, {.size = request.size, .language = language}));
  plot::add_to_subtitle(figure, now->run->kernel);
  if (now->choices.lesson)
    plot::add_to_subtitle(figure,
                          lesson::settings_text(*now->choices.lesson, now->choices.settings, language));
  plot::add_to_subtitle(figure, now->choices.device.title);
  const auto formats = exporting::drawn_formats();
  const auto format = std::ranges::find(formats, request.format, &exporting::DrawnFormat::extension);
  if (format == formats.end())
    return fail(ErrorKind::Usage, fmt::format("a figure is .svg, .pdf or .png, not '{}'", request.format));
  exporting::Style style;
  style.theme = request.theme;
  style.font_directory = options.assets / "fonts";
  return format->write(std::span(&figure, 1), style);
}

}  // namespace lanescope::shell::page
