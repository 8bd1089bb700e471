#include "report/html_report.h"

#include "base/number.h"
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

std::string badge(Language language, Provenance provenance) {
  return fmt::format("<span class=\"badge\">{}</span>", provenance_words(language, provenance));
}

std::string paragraph(std::string_view text, std::string_view style = {}) {
  if (text.empty()) return {};
  return style.empty() ? fmt::format("<p>{}</p>\n", plain(text))
                       : fmt::format("<p class=\"{}\">{}</p>\n", style, plain(text));
}

/// What a program, a compiler or a check says in English is marked as such on a page in French.
std::string language_mark(Language of_page, Language of_text) {
  if (of_page == of_text) return {};
  return of_text == Language::English ? " lang=\"en\"" : " lang=\"fr\"";
}

std::string note_html(Language of_page, const Note& note, std::string_view style) {
  if (note.text.empty()) return {};
  return fmt::format("<p class=\"{}\"{}>{}</p>\n", style, language_mark(of_page, note.language),
                     plain(note.text));
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
std::string against_ideal(Language language, uint64_t cost, uint64_t ideal) {
  if (cost == 0) return "-";
  const char* const style = cost > ideal ? "bad" : "good";
  return fmt::format("<span class=\"{}\">{}</span> / {}", style, number(language, cost),
                     number(language, ideal));
}

std::string anchor(size_t launch) { return fmt::format("launch-{}", launch + 1); }

std::string table_of_launches(const Report& report) {
  const Language language = report.language;
  const auto label = [&](Words words) { return say(language, words); };
  std::vector<std::vector<Cell>> rows;
  for (size_t n = 0; n < report.launches.size(); ++n) {
    const LaunchReport& launch = report.launches[n];
    size_t open = 0;
    for (const Finding& finding : launch.findings) open += finding.suppressed ? 0 : 1;
    rows.push_back(
        {{label(Words::kernel), fmt::format("<a href=\"#{}\">{}</a>", anchor(n), code(launch.kernel))},
         {label(Words::grid), extent_words(launch.grid), true},
         {label(Words::block), extent_words(launch.block), true},
         {label(Words::launches), number(language, launch.times), true},
         {label(Words::sectors_ideal),
          against_ideal(language, launch.cost.sectors, launch.cost.ideal_sectors), true},
         {label(Words::wavefronts_ideal),
          against_ideal(language, launch.cost.wavefronts, launch.cost.ideal_wavefronts), true},
         {label(Words::time_at_least), launch.bound ? duration_words(language, launch.bound->seconds) : "-",
          true},
         {label(Words::findings), number(language, open), true}});
  }
  return table(rows);
}

std::string finding_html(Language language, const Finding& finding) {
  std::string html =
      fmt::format("<li{}>\n<p><strong>{}</strong>", finding.is_hazard ? " class=\"hazard\"" : "",
                  plain(heading_of(language, finding.kind)));
  if (const std::string place = place_words(finding.source.where); !place.empty())
    html += fmt::format(" <span class=\"dim\">{}</span>", plain(place));
  if (finding.novelty == Novelty::New && !finding.suppressed)
    html += fmt::format(" <span class=\"bad\">{}</span>", say(language, Words::new_one));
  html += "</p>\n";
  if (!finding.source.text.empty()) html += fmt::format("<p>{}</p>\n", code(finding.source.text));
  const std::string mark = finding.is_hazard ? language_mark(language, Language::English) : "";
  if (!finding.sentence.empty()) html += fmt::format("<p{}>{}</p>\n", mark, plain(finding.sentence));
  if (!finding.advice.empty())
    html += fmt::format("<p><strong>{}</strong> {}</p>\n", say(language, Words::change_label),
                        plain(finding.advice));
  if (const std::string gain = gain_words(language, finding); !gain.empty())
    html += fmt::format("<p><strong>{}</strong> {} {}</p>\n", say(language, Words::gain_label), plain(gain),
                        badge(language, Provenance::Modelled));
  if (finding.suppressed)
    html += fmt::format("<p class=\"dim\">{}</p>\n",
                        said(language, Words::suppressed_by, plain(finding.suppressed->by),
                             plain(finding.suppressed->reason)));
  return html + "</li>\n";
}

std::string findings_html(Language language, const LaunchReport& launch) {
  std::string open, suppressed;
  for (const Finding& finding : launch.findings)
    (finding.suppressed ? suppressed : open) += finding_html(language, finding);
  const auto heading = [&](Words words) { return fmt::format("<h3>{}</h3>\n", say(language, words)); };
  std::string html = heading(Words::what_to_change);
  html += open.empty() ? paragraph(say(language, Words::nothing))
                       : "<ol class=\"findings\">\n" + open + "</ol>\n";
  if (!open.empty() && !suppressed.empty()) html += heading(Words::suppressed);
  if (!suppressed.empty()) {
    if (open.empty()) html = heading(Words::suppressed);
    html += "<ol class=\"findings\">\n" + suppressed + "</ol>\n";
  }
  return html;
}

std::string lines_html(Language language, const LaunchReport& launch) {
  const auto label = [&](Words words) { return say(language, words); };
  std::vector<std::vector<Cell>> rows;
  for (const LineCost& line : launch.lines) {
    const bool is_ideal = line.cost <= line.ideal;
    rows.push_back({{label(Words::line), plain(place_words(line.source.where)), false, true},
                    {label(Words::access), plain(access_words(language, line.access)), false, true},
                    {label(Words::requests), number(language, line.requests), true},
                    {label(Words::cost), cost_words(language, line.cost, line.unit), true},
                    {label(Words::ideal), line.unit == Unit::None ? "" : number(language, line.ideal), true},
                    {label(Words::compared),
                     line.verdict.empty() ? ""
                                          : fmt::format("<span class=\"{}\">{}</span>",
                                                        is_ideal ? "good" : "bad", plain(line.verdict)),
                     false, true},
                    {label(Words::source), code(line.source.text)}});
  }
  if (rows.empty()) return paragraph(say(language, Words::no_access));
  return fmt::format("<h3>{} {}</h3>\n{}", say(language, Words::each_line),
                     badge(language, launch.provenance), table(rows));
}

Result<std::string> picture_html(Language language, const LaunchReport& launch) {
  if (!launch.picture) return std::string();
  plot::Figure figure = *launch.picture;
  figure.explanation.clear();  // the caption has it
  const exporting::Page page = exporting::compose(figure);
  std::string html = fmt::format("<h3>{} {}</h3>\n<figure>\n", say(language, Words::costliest),
                                 badge(language, launch.provenance));
  for (const plot::Theme theme : {plot::Theme::Light, plot::Theme::Dark}) {
    TRY(std::string svg, exporting::svg_of(page, theme));
    svg = exporting::finish_svg(std::move(svg), {&*launch.picture, 1});
    const size_t root = svg.find("<svg");
    // A phone scrolls the picture sideways: keys must be able to reach it.
    html += fmt::format("<div class=\"{}\" role=\"group\" aria-label=\"{}\" tabindex=\"0\">\n{}</div>\n",
                        theme == plot::Theme::Light ? "on-light" : "on-dark",
                        exporting::escaped_in_quotes(say(language, Words::costliest)), svg.substr(root));
  }
  return html + fmt::format("<figcaption>{}</figcaption>\n</figure>\n", plain(launch.picture->explanation));
}

Result<std::string> launch_html(Language language, const LaunchReport& launch, size_t n) {
  std::string html = fmt::format("<section>\n<h2 id=\"{}\">{}</h2>\n", anchor(n), code(launch.kernel));
  html += fmt::format("<p>{}{}. {}</p>\n", launch_words(language, launch),
                      launch.shared_bytes == 0
                          ? ""
                          : said(language, Words::shared_bytes, number(language, launch.shared_bytes)),
                      badge(language, launch.provenance));
  html += paragraph(level_sentence(language, launch));
  if (launch.bound) {
    html += fmt::format("<p>{}. {}</p>\n", bound_words(language, *launch.bound),
                        badge(language, Provenance::Modelled));
  } else {
    html += note_html(language, launch.bound_missing, "dim");
  }
  for (const Note& note : launch.notes) html += note_html(language, note, "dim");
  html += findings_html(language, launch);
  TRY(const std::string picture, picture_html(language, launch));
  html += picture + lines_html(language, launch);
  return html + "</section>\n";
}

std::string comparison_html(Language language, const Comparison& comparison) {
  std::string html = fmt::format("<h2>{}</h2>\n", said(language, Words::against, plain(comparison.with)));
  html += paragraph(verdict_of(language, comparison), comparison.is_worse ? "bad" : "good");
  std::vector<std::vector<Cell>> rows;
  for (const Change& change : comparison.changes) {
    const bool is_worse = change.verdict == Change::Verdict::Worse;
    const bool is_same = change.verdict == Change::Verdict::Same;
    const std::string_view word = verdict_words(language, change.verdict);
    rows.push_back({{say(language, Words::kernel), code(change.kernel)},
                    {say(language, Words::change), plain(change_words(language, change))},
                    {say(language, Words::verdict), is_same ? std::string(word)
                                                            : fmt::format("<span class=\"{}\">{}</span>",
                                                                          is_worse ? "bad" : "good", word)}});
  }
  html += table(rows);
  for (const std::string& kernel : comparison.new_kernels)
    html += fmt::format("<p>{}</p>\n", said(language, Words::new_kernel, code(kernel)));
  for (const std::string& kernel : comparison.gone_kernels)
    html += fmt::format("<p>{}</p>\n", said(language, Words::gone_kernel, code(kernel)));
  return html;
}

}  // namespace

Result<std::string> html_report(const Report& report) {
  const Language language = report.language;
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<main>\n<h1>{}</h1>\n",
      language == Language::French ? "fr" : "en", said(language, Words::page_title, plain(report.title)),
      kHtmlStyle, said(language, Words::title, plain(report.title)));
  html += paragraph(summary_of(report));
  for (const Note& problem : report.problems) html += note_html(language, problem, "bad");
  if (report.comparison) html += comparison_html(language, *report.comparison);
  for (const Note& note : report.notes) html += note_html(language, note, "dim");
  html += table_of_launches(report);
  for (size_t n = 0; n < report.launches.size(); ++n) {
    TRY(const std::string launch, launch_html(language, report.launches[n], n));
    html += launch;
  }
  for (const std::string& unused : report.unused_suppressions) html += paragraph(unused, "dim");
  return html +
         fmt::format("</main>\n<footer>\n<p>{}</p>\n<p>Lanescope {}.</p>\n</footer>\n</body>\n</html>\n",
                     plain(method_of(report)), LANESCOPE_VERSION);
}

}  // namespace lanescope::report
