#include "report/html_report.h"

#include "base/utf8.h"
#include "export/page.h"
#include "export/svg.h"
#include "export/svg_marks.h"
#include "report/html_style.h"
#include "report/wording.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace lanescope::report {
namespace {

/// Text of a stranger's, in which nothing is markup.
std::string plain(std::string_view text) { return exporting::escaped(valid_utf8(text)); }

std::string code(std::string_view text) {
  return text.empty() ? "" : fmt::format("<code>{}</code>", plain(text));
}

std::string badge(Provenance provenance) {
  return fmt::format("<span class=\"badge\">{}</span>", name_of(provenance));
}

std::string paragraph(std::string_view text, std::string_view style = {}) {
  if (text.empty()) return {};
  return style.empty() ? fmt::format("<p>{}</p>\n", plain(text))
                       : fmt::format("<p class=\"{}\">{}</p>\n", style, plain(text));
}

struct Cell {
  std::string_view label;  // of the column
  std::string html;
  bool is_number = false;
  bool is_short = false;  // not to be broken
};

std::string table(const std::vector<std::vector<Cell>>& rows) {
  if (rows.empty()) return {};
  std::string html = "<table>\n<thead><tr>";
  for (const Cell& cell : rows.front())
    html += fmt::format("<th scope=\"col\"{}>{}</th>", cell.is_number ? " class=\"number\"" : "", cell.label);
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell>& row : rows) {
    html += "<tr>";
    for (const Cell& cell : row)
      html += fmt::format("<td data-label=\"{}\"{}>{}</td>", cell.label,
                          cell.is_number  ? " class=\"number\""
                          : cell.is_short ? " class=\"short\""
                                          : "",
                          cell.html);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

/// A cost beside its ideal: nothing where there is none.
std::string against_ideal(uint64_t cost, uint64_t ideal) {
  if (cost == 0) return "-";
  const char* const style = cost > ideal ? "bad" : "good";
  return fmt::format("<span class=\"{}\">{}</span> / {}", style, count(cost), count(ideal));
}

std::string anchor(size_t launch) { return fmt::format("launch-{}", launch + 1); }

std::string table_of_launches(const Report& report) {
  std::vector<std::vector<Cell>> rows;
  for (size_t n = 0; n < report.launches.size(); ++n) {
    const LaunchReport& launch = report.launches[n];
    size_t open = 0;
    for (const Finding& finding : launch.findings) open += finding.suppressed ? 0 : 1;
    rows.push_back(
        {{"kernel", fmt::format("<a href=\"#{}\">{}</a>", anchor(n), code(launch.kernel))},
         {"grid", extent_words(launch.grid), true},
         {"block", extent_words(launch.block), true},
         {"launches", count(launch.times), true},
         {"sectors / ideal", against_ideal(launch.cost.sectors, launch.cost.ideal_sectors), true},
         {"wavefronts / ideal", against_ideal(launch.cost.wavefronts, launch.cost.ideal_wavefronts), true},
         {"time at least (modelled)", launch.bound ? duration_words(launch.bound->seconds) : "-", true},
         {"findings", count(open), true}});
  }
  return table(rows);
}

std::string finding_html(const Finding& finding) {
  std::string html =
      fmt::format("<li{}>\n<p><strong>{}</strong>", finding.is_hazard ? " class=\"hazard\"" : "",
                  plain(heading_of(finding.kind)));
  if (const std::string place = place_words(finding.source.where); !place.empty())
    html += fmt::format(" <span class=\"dim\">{}</span>", plain(place));
  if (finding.novelty == Novelty::New && !finding.suppressed) html += " <span class=\"bad\">new</span>";
  html += "</p>\n";
  if (!finding.source.text.empty()) html += fmt::format("<p>{}</p>\n", code(finding.source.text));
  html += paragraph(finding.sentence);
  if (!finding.advice.empty())
    html += fmt::format("<p><strong>Change:</strong> {}</p>\n", plain(finding.advice));
  if (const std::string gain = gain_words(finding); !gain.empty())
    html += fmt::format("<p><strong>Gain:</strong> {} {}</p>\n", plain(gain), badge(Provenance::Modelled));
  if (finding.suppressed)
    html += fmt::format("<p class=\"dim\">Suppressed by {}: {}</p>\n", plain(finding.suppressed->by),
                        plain(finding.suppressed->reason));
  return html + "</li>\n";
}

std::string findings_html(const LaunchReport& launch) {
  std::string open, suppressed;
  for (const Finding& finding : launch.findings)
    (finding.suppressed ? suppressed : open) += finding_html(finding);
  std::string html = "<h3>What to change</h3>\n";
  html += open.empty() ? "<p>Nothing: no hazard was found, and every access is ideal.</p>\n"
                       : "<ol class=\"findings\">\n" + open + "</ol>\n";
  if (!open.empty() && !suppressed.empty()) html += "<h3>Suppressed</h3>\n";
  if (!suppressed.empty()) {
    if (open.empty()) html = "<h3>Suppressed</h3>\n";
    html += "<ol class=\"findings\">\n" + suppressed + "</ol>\n";
  }
  return html;
}

std::string lines_html(const LaunchReport& launch) {
  std::vector<std::vector<Cell>> rows;
  for (const LineCost& line : launch.lines) {
    const bool is_ideal = line.cost <= line.ideal;
    rows.push_back({{"line", plain(place_words(line.source.where)), false, true},
                    {"access", plain(line.access), false, true},
                    {"requests", count(line.requests), true},
                    {"cost", cost_words(line.cost, line.unit), true},
                    {"ideal", line.unit == Unit::None ? "" : count(line.ideal), true},
                    {"compared",
                     line.verdict.empty() ? ""
                                          : fmt::format("<span class=\"{}\">{}</span>",
                                                        is_ideal ? "good" : "bad", plain(line.verdict)),
                     false, true},
                    {"source", code(line.source.text)}});
  }
  if (rows.empty()) return "<p>The kernel accessed no memory.</p>\n";
  return fmt::format("<h3>What each line costs {}</h3>\n{}", badge(launch.provenance), table(rows));
}

Result<std::string> picture_html(const LaunchReport& launch) {
  if (!launch.picture) return std::string();
  plot::Figure figure = *launch.picture;
  figure.explanation.clear();  // the caption has it
  const exporting::Page page = exporting::compose(figure);
  std::string html = fmt::format("<h3>Its costliest access {}</h3>\n<figure>\n", badge(launch.provenance));
  for (const plot::Theme theme : {plot::Theme::Light, plot::Theme::Dark}) {
    TRY(std::string svg, exporting::svg_of(page, theme));
    svg = exporting::finish_svg(std::move(svg), {&*launch.picture, 1});
    const size_t root = svg.find("<svg");
    html += fmt::format("<div class=\"{}\">\n{}</div>\n",
                        theme == plot::Theme::Light ? "on-light" : "on-dark", svg.substr(root));
  }
  return html + fmt::format("<figcaption>{}</figcaption>\n</figure>\n", plain(launch.picture->explanation));
}

Result<std::string> launch_html(const LaunchReport& launch, size_t n) {
  std::string html = fmt::format("<section>\n<h2 id=\"{}\">{}</h2>\n", anchor(n), code(launch.kernel));
  html += fmt::format(
      "<p>Launch {}{}: grid {}, block {}{}. {}</p>\n", launch.number,
      launch.times == 1 ? "" : fmt::format(", one of {} alike", count(launch.times)),
      extent_words(launch.grid), extent_words(launch.block),
      launch.shared_bytes == 0 ? "" : fmt::format(", {} bytes of shared memory", count(launch.shared_bytes)),
      badge(launch.provenance));
  if (launch.bound) {
    html += fmt::format("<p>{}. {}</p>\n", bound_words(*launch.bound), badge(Provenance::Modelled));
  } else {
    html += paragraph(launch.bound_missing, "dim");
  }
  for (const std::string& note : launch.notes) html += paragraph(note, "dim");
  html += findings_html(launch);
  TRY(const std::string picture, picture_html(launch));
  html += picture + lines_html(launch);
  return html + "</section>\n";
}

std::string comparison_html(const Comparison& comparison) {
  std::string html = fmt::format("<h2>Against {}</h2>\n", plain(comparison.with));
  html += paragraph(verdict_of(comparison), comparison.is_worse ? "bad" : "good");
  std::vector<std::vector<Cell>> rows;
  for (const Change& change : comparison.changes) {
    const bool is_worse = change.verdict == Change::Verdict::Worse;
    const bool is_same = change.verdict == Change::Verdict::Same;
    rows.push_back({{"kernel", code(change.kernel)},
                    {"change", plain(change_words(change))},
                    {"verdict", is_same    ? "same"
                                : is_worse ? "<span class=\"bad\">worse</span>"
                                           : "<span class=\"good\">better</span>"}});
  }
  html += table(rows);
  for (const std::string& kernel : comparison.new_kernels)
    html += fmt::format("<p>New: {}</p>\n", code(kernel));
  for (const std::string& kernel : comparison.gone_kernels)
    html += fmt::format("<p>Gone: {}</p>\n", code(kernel));
  return html;
}

}  // namespace

Result<std::string> html_report(const Report& report) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{0}: memory "
      "report</title>\n<style>{1}</style>\n"
      "</head>\n<body>\n<main>\n<h1>What {0} does to memory</h1>\n",
      plain(report.title), kHtmlStyle);
  html += paragraph(summary_of(report));
  for (const std::string& problem : report.problems) html += paragraph(problem, "bad");
  if (report.comparison) html += comparison_html(*report.comparison);
  for (const std::string& note : report.notes) html += paragraph(note, "dim");
  html += table_of_launches(report);
  for (size_t n = 0; n < report.launches.size(); ++n) {
    TRY(const std::string launch, launch_html(report.launches[n], n));
    html += launch;
  }
  for (const std::string& unused : report.unused_suppressions) html += paragraph(unused, "dim");
  return html +
         fmt::format("</main>\n<footer>\n<p>{}</p>\n<p>Lanescope {}.</p>\n</footer>\n</body>\n</html>\n",
                     plain(method_of(report)), LANESCOPE_VERSION);
}

}  // namespace lanescope::report
