#include "handout/side.h"

#include "handout/markup.h"
#include "lesson/setting_text.h"
#include "lesson/source_mark.h"
#include "pipeline/hazards.h"
#include "pipeline/lesson_prose.h"
#include "plot/access_cost.h"
#include "plot/figures.h"
#include "plot/wording.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace lanescope::handout {
namespace {

/// A figure before its frame is known: two runs that are compared have one scale.
struct Drawing {
  std::string_view name;
  float height = 0;
  std::function<Result<plot::Figure>(const plot::Frame&)> draw;
};

constexpr float kAccessHeight = 320, kTimelineHeight = 84, kMapHeight = 340;
constexpr float kTotalsHead = 60, kTotalsRow = 46, kMostTotals = 640;

/// Bars of a figure of totals: the instructions of a line that do the same are one.
size_t bars_of(const trace::Trace& trace) {
  std::set<std::pair<int, std::string>> bars;
  for (const trace::Site& site : trace.sites)
    bars.emplace(site.source.line, plot::operation_name(site.operation));
  return bars.size();
}

void add_access(std::vector<Drawing>& drawings, const pipeline::AccessDetail& access) {
  if (access.banks)
    drawings.push_back({"banks", kAccessHeight, [&access](const plot::Frame& frame) -> Result<plot::Figure> {
                          return plot::bank_figure(access.drawn, *access.banks, frame);
                        }});
  if (access.sectors)
    drawings.push_back(
        {"sectors", kAccessHeight, [&access](const plot::Frame& frame) -> Result<plot::Figure> {
           return plot::sector_figure(access.drawn, *access.sectors, frame, access.origins);
         }});
}

std::vector<Drawing> drawings_of_step(const Side& side) {
  std::vector<Drawing> drawings;
  if (side.selection.timeline.empty()) return drawings;
  drawings.push_back({"timeline", kTimelineHeight, [&side](const plot::Frame& frame) -> Result<plot::Figure> {
                        return plot::timeline_figure(
                            side.selection.timeline,
                            {.current = side.selection.access, .units = side.selection.units},
                            side.run->trace->provenance, frame);
                      }});
  if (side.selection.current) add_access(drawings, *side.selection.current);
  if (side.selection.companion) add_access(drawings, *side.selection.companion);
  return drawings;
}

plot::RunTotals totals_of_side(const Side& side) {
  return {*side.run->trace, pipeline::totals_of(*side.run), pipeline::units_of(*side.run)};
}

std::vector<Drawing> drawings_of_run(const Side& side, const Side* against) {
  const pipeline::Run& run = *side.run;
  std::vector<Drawing> drawings;
  const auto rows = static_cast<float>(bars_of(*run.trace));
  drawings.push_back({"totals", std::min(kTotalsHead + kTotalsRow * rows, kMostTotals),
                      [&side, against](const plot::Frame& frame) -> Result<plot::Figure> {
                        if (against == nullptr) return plot::totals_figure(totals_of_side(side), frame);
                        const plot::RunTotals in_a = totals_of_side(*against);
                        return plot::totals_figure(totals_of_side(side), frame, &in_a);
                      }});
  if (run.partitions)
    drawings.push_back({"partitions", kMapHeight, [&](const plot::Frame& frame) -> Result<plot::Figure> {
                          return plot::partition_figure(*run.trace, *run.partitions, side.device, frame);
                        }});
  if (run.tiles && !run.tiles->empty())
    drawings.push_back({"blocks", kMapHeight, [&](const plot::Frame& frame) -> Result<plot::Figure> {
                          return plot::block_figure(
                              *run.trace, *run.tiles, side.device,
                              {.selected = side.selection.cta, .partitions = run.partitions.get()}, frame);
                        }});
  return drawings;
}

plot::Frame frame_of(const Drawing& drawing, float width, Language language) {
  return {.size = {std::clamp(width, kLeastWidth, kMostWidth), drawing.height}, .language = language};
}

/// [now, a] The figures of both, where those of one name have the same scale.
Result<std::vector<std::string>> figures_html(const std::vector<Drawing>& now, const std::vector<Drawing>* a,
                                              float width, const Look& look) {
  std::vector<std::string> html(a == nullptr ? 1 : 2);
  const auto add = [&](const Drawing& drawing, const plot::Scale& scale, size_t n) -> Result<void> {
    plot::Frame frame = frame_of(drawing, width, look.language);
    frame.scale = scale;
    TRY(plot::Figure figure, drawing.draw(frame));
    if (drawing.name == "timeline" && !look.with_timeline_table) figure.table.rows.clear();
    TRY(const std::string drawn, figure_html(figure));
    html[n] += drawn;
    return {};
  };
  const auto scale_of = [&](const std::vector<Drawing>* drawings, std::string_view name) -> plot::Scale {
    if (drawings == nullptr) return {};
    const auto found = std::ranges::find(*drawings, name, &Drawing::name);
    if (found == drawings->end()) return {};
    const auto figure = found->draw(frame_of(*found, width, look.language));
    return figure ? figure->scale : plot::Scale{};
  };
  for (const Drawing& drawing : now) TRY_VOID(add(drawing, scale_of(a, drawing.name), 0));
  if (a != nullptr)
    for (const Drawing& drawing : *a) TRY_VOID(add(drawing, scale_of(&now, drawing.name), 1));
  return html;
}

/// What ran: "A" or "B" where two are compared, the kernel and its toggles, or the launch of a file.
std::string title_html(const Side& side, const char* letter, Language language) {
  const std::string what = side.lesson
                               ? lesson::settings_text(*side.lesson, side.settings, language)
                               : fmt::format("{} <<<{}, {}>>>", side.run->kernel,
                                             volume(side.run->trace->grid), volume(side.run->trace->block));
  std::string chosen;
  if (!side.lesson)
    for (const auto& [name, value] : side.settings.values) chosen += fmt::format(" · {}={}", name, value);
  return fmt::format("<p class=\"what\">{}{} {} <span class=\"dim\">{}</span></p>\n",
                     *letter == 0 ? "" : fmt::format("<b class=\"letter\">{}</b> ", letter),
                     plain(what + chosen), badge(side.run->trace->provenance, language),
                     plain(side.device.title));
}

/// What the checks and the comparison with the host say of the run.
std::string verdict_html(const Side& side, Language language) {
  std::string html;
  if (side.run->output_correct)
    html += fmt::format("<p class=\"{}\">{}</p>\n", *side.run->output_correct ? "good" : "bad",
                        say(language, *side.run->output_correct ? Words::correct : Words::wrong));
  if (const auto found = pipeline::error_of(*side.run->trace))
    html += fmt::format("<p class=\"bad\">{}</p>\n<pre class=\"code\" tabindex=\"0\" lang=\"en\">{}</pre>\n",
                        say(language, Words::found), plain(describe(*found)));
  if (!side.run->note.empty()) html += fmt::format("<p class=\"dim\">{}</p>\n", plain(side.run->note));
  return html;
}

Result<std::string> told_html(const Side& side, Language language) {
  if (!side.lesson) return std::string();
  TRY(const pipeline::LessonProse prose,
      pipeline::prose_of(pipeline::told_of(*side.lesson, side.settings, *side.run, side.device), language));
  return paragraphs(prose.kernel);
}

}  // namespace

uint32_t first_shown_access(const pipeline::Selection& selection) {
  const auto dearest = std::ranges::max_element(selection.timeline, {}, plot::excess_of);
  return static_cast<uint32_t>(dearest - selection.timeline.begin());
}

int line_of(const Side& side) {
  const pipeline::Selection& selection = side.selection;
  return selection.access < selection.timeline.size() ? selection.timeline[selection.access].line : 0;
}

Result<std::vector<RunHtml>> run_html(const Sides& sides, const Look& look) {
  const Side* const a = sides.a ? &*sides.a : nullptr;
  const std::vector<Drawing> now = drawings_of_run(sides.now, a);
  const std::vector<Drawing> other = a == nullptr ? std::vector<Drawing>() : drawings_of_run(*a, nullptr);
  TRY(std::vector<std::string> figures,
      figures_html(now, a == nullptr ? nullptr : &other, look.whole_width, look));
  std::vector<RunHtml> html;
  for (size_t n = 0; n < figures.size(); ++n) {
    const Side& side = n == 0 ? sides.now : *a;
    const char* const letter = a == nullptr ? "" : n == 0 ? "B" : "A";
    TRY(const std::string told, told_html(side, look.language));
    html.push_back({title_html(side, letter, look.language) + told + verdict_html(side, look.language),
                    std::move(figures[n])});
  }
  return html;
}

Result<std::vector<std::string>> step_html(const Sides& sides, const Look& look) {
  const Side* const a = sides.a ? &*sides.a : nullptr;
  const std::vector<Drawing> now = drawings_of_step(sides.now);
  const std::vector<Drawing> other = a == nullptr ? std::vector<Drawing>() : drawings_of_step(*a);
  TRY(std::vector<std::string> html,
      figures_html(now, a == nullptr ? nullptr : &other, look.step_width, look));
  for (size_t n = 0; n < html.size(); ++n) {
    const Side& side = n == 0 ? sides.now : *a;
    const pipeline::Selection& selection = side.selection;
    const bool has_access = selection.access < selection.timeline.size();
    const std::string sentence =
        has_access ? plot::access_tip(look.language, selection.access, selection.timeline[selection.access],
                                      selection.units, plot::Costs::Told)
                   : std::string(say(look.language, Words::no_access));
    const char* const letter = a == nullptr ? "" : n == 0 ? "B" : "A";
    html[n] = fmt::format("<p class=\"sentence\">{}{} {}</p>\n",
                          *letter == 0 ? "" : fmt::format("<b class=\"letter\">{}</b> ", letter),
                          plain(sentence), badge(side.run->trace->provenance, look.language)) +
              html[n];
  }
  return html;
}

std::string source_html(const Side& side, Language language) {
  if (side.run->source_text.empty()) return {};
  const std::string name = plain(std::filesystem::path(side.run->source_name).filename().string());
  std::string html = fmt::format(
      "<h3>{0} <code>{1}</code></h3>\n<div class=\"lines\">\n<pre class=\"source\" tabindex=\"0\" "
      "role=\"group\" "
      "aria-label=\"{0} {1}\" lang=\"en\"><code>",
      say(language, Words::source), name);
  const int at = line_of(side);
  std::string_view rest = side.run->source_text;
  const std::string text = lesson::without_marks(rest);
  rest = text;
  for (int line = 1; !rest.empty(); ++line) {
    const size_t end = rest.find('\n');
    html += fmt::format("<span data-line=\"{}\"{}>{}\n</span>", line, line == at ? " class=\"at\"" : "",
                        plain(rest.substr(0, end)));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return html + "</code></pre>\n</div>\n";
}

}  // namespace lanescope::handout
