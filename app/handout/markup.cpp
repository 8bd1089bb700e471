#include "handout/markup.h"

#include "base/utf8.h"
#include "export/page.h"
#include "export/svg.h"
#include "export/svg_marks.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

namespace lanescope::handout {
namespace {

std::string run_html(const lesson::Run& run, bool is_code) {
  switch (run.face) {
    case lesson::Run::Face::Strong:
      return fmt::format("<strong>{}</strong>", plain(run.text));
    case lesson::Run::Face::Code:
      return is_code ? plain(run.text) : fmt::format("<code>{}</code>", plain(run.text));
    case lesson::Run::Face::Plain:
      break;
  }
  return plain(run.text);
}

std::string value_text(const plot::TableValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return plain(*text);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.6g}", *number);
  return fmt::to_string(std::get<int64_t>(value));
}

std::string table_html(const plot::Table& table, Language language) {
  if (table.rows.empty()) return {};
  const bool is_french = language == Language::French;
  // Names of columns are those of the CSV, and are not translated.
  std::string html = fmt::format(
      "<details class=\"numbers\"><summary>{}</summary>\n<div class=\"wide\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"{}\"><table>\n<thead><tr>",
      is_french ? "Ses nombres en tableau" : "Its numbers as a table", is_french ? "Tableau" : "Table");
  for (const plot::Column& column : table.columns)
    html += fmt::format("<th scope=\"col\" lang=\"en\">{}{}</th>", plain(column.name),
                        column.unit.empty() ? "" : fmt::format(" ({})", plain(column.unit)));
  html += "</tr></thead>\n<tbody>\n";
  const size_t shown = std::min(table.rows.size(), kMostRows);
  for (size_t n = 0; n < shown; ++n) {
    html += "<tr>";
    for (const plot::TableValue& value : table.rows[n])
      html +=
          fmt::format("<td{}>{}</td>", std::holds_alternative<std::string>(value) ? "" : " class=\"number\"",
                      value_text(value));
    html += "</tr>\n";
  }
  html += "</tbody>\n</table></div>\n";
  if (const size_t more = table.rows.size() - shown; more > 0)
    html += fmt::format(
        "<p class=\"dim\">{}</p>\n",
        is_french ? fmt::format("{} lignes de plus : lanescope plot --figure les écrit toutes.", more)
                  : fmt::format("{} more rows: lanescope plot --figure writes them all.", more));
  return html + "</details>\n";
}

}  // namespace

std::string plain(std::string_view text) { return exporting::escaped_in_quotes(valid_utf8(text)); }

std::string badge(Provenance provenance, Language language) {
  return fmt::format("<span class=\"badge {}\">{}</span>", name_of(provenance),
                     say(language, exporting::badge_text(provenance)));
}

std::string paragraphs(std::span<const lesson::Paragraph> all) {
  using Kind = lesson::Paragraph::Kind;
  std::string html;
  bool is_in_list = false;
  for (const lesson::Paragraph& paragraph : all) {
    const bool is_item = paragraph.kind == Kind::Item;
    if (is_item != is_in_list) html += is_item ? "<ul>\n" : "</ul>\n";
    is_in_list = is_item;
    std::string text;
    for (const lesson::Run& run : paragraph.runs) text += run_html(run, paragraph.kind == Kind::Code);
    if (is_item) {
      html += fmt::format("<li>{}</li>\n", text);
    } else if (paragraph.kind == Kind::Code) {
      html += fmt::format("<pre class=\"code\" tabindex=\"0\"><code>{}</code></pre>\n", text);
    } else {
      html += fmt::format("<p>{}</p>\n", text);
    }
  }
  return is_in_list ? html + "</ul>\n" : html;
}

Result<std::string> figure_html(const plot::Figure& figure) {
  std::string html = fmt::format("<figure data-figure=\"{}\">\n<h3>{} {}</h3>\n", plain(figure.name),
                                 plain(figure.title), badge(figure.provenance, figure.language));
  if (!figure.subtitle.empty()) html += fmt::format("<p class=\"dim\">{}</p>\n", plain(figure.subtitle));
  if (!figure.warning.empty()) html += fmt::format("<p class=\"bad\">{}</p>\n", plain(figure.warning));
  if (!figure.headlines.empty()) {
    html += "<p class=\"headlines\">";
    for (const plot::Headline& headline : figure.headlines)
      html += fmt::format("<span><b>{}</b> {}</span> ", plain(headline.value), plain(headline.label));
    html += "</p>\n";
  }
  const exporting::Page page{figure.size, figure.marks};
  TRY(std::string svg, exporting::svg_of_both_themes(page));
  svg = exporting::finish_svg(std::move(svg), {&figure, 1});
  // The sentence and the table below say what it shows.
  html +=
      fmt::format("<div class=\"picture\">\n<svg role=\"img\" {}</div>\n", svg.substr(svg.find("<svg ") + 5));
  html += "<figcaption>\n";
  if (!figure.explanation.empty()) html += fmt::format("<p>{}</p>\n", plain(figure.explanation));
  if (!figure.source.empty()) html += fmt::format("<p class=\"dim\">{}</p>\n", plain(figure.source));
  return html + table_html(figure.table, figure.language) + "</figcaption>\n</figure>\n";
}

}  // namespace lanescope::handout
