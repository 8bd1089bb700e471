// A figure's table as text. CSV: comment lines with title, provenance and source, a header line with the
// units, then the rows; RFC 4180 quoting. JSON: the same, one object per row.

#include "export/export.h"

#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::exporting {
namespace {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string csv_value(const plot::TableValue& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return fmt::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) {
    return std::isfinite(*real) ? fmt::to_string(*real) : std::string();
  }
  return csv_field(std::get<std::string>(value));
}

/// The text on one line: a line break would end the comment.
std::string comment(std::string_view name, std::string_view text) {
  std::string line = fmt::format("# {}: {}", name, text);
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return line + '\n';
}

nlohmann::ordered_json json_value(const plot::TableValue& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return *real;  // non-finite values become null
  return std::get<std::string>(value);
}

/// Of the column that says whose rows these are, where there are several runs.
constexpr std::string_view kRun = "run";

std::string letter(size_t run) { return {static_cast<char>('A' + run)}; }

std::string csv_comments(const plot::Figure& figure) {
  std::string text = comment("figure", figure.name);
  text += comment("title", figure.title);
  if (!figure.subtitle.empty()) text += comment("subtitle", figure.subtitle);
  text += comment("provenance", name_of(figure.provenance));
  text += comment("source", figure.source);
  text += comment("lanescope", LANESCOPE_VERSION);
  return text;
}

std::string csv_header(const plot::Figure& figure) {
  std::string text;
  for (const plot::Column& column : figure.table.columns) {
    if (!text.empty()) text += ',';
    text += csv_field(column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit));
  }
  return text;
}

nlohmann::ordered_json json_of(const plot::Figure& figure) {
  nlohmann::ordered_json json;
  json["lanescope"] = LANESCOPE_VERSION;
  json["figure"] = figure.name;
  json["title"] = figure.title;
  json["subtitle"] = figure.subtitle;
  json["provenance"] = name_of(figure.provenance);
  json["source"] = figure.source;
  json["explanation"] = figure.explanation;
  json["headlines"] = nlohmann::ordered_json::array();
  for (const plot::Headline& headline : figure.headlines) {
    json["headlines"].push_back({{"value", headline.value}, {"label", headline.label}});
  }
  json["columns"] = nlohmann::ordered_json::array();
  for (const plot::Column& column : figure.table.columns) {
    json["columns"].push_back({{"name", column.name}, {"unit", column.unit}});
  }
  json["rows"] = nlohmann::ordered_json::array();
  for (const auto& row : figure.table.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (size_t n = 0; n < row.size() && n < figure.table.columns.size(); ++n) {
      object[figure.table.columns[n].name] = json_value(row[n]);
    }
    json["rows"].push_back(std::move(object));
  }
  return json;
}

}  // namespace

std::string to_csv(std::span<const plot::Figure> figures) {
  const bool has_runs = figures.size() > 1;
  std::string text;
  for (const plot::Figure& figure : figures) text += csv_comments(figure);
  std::string last_header;
  for (size_t run = 0; run < figures.size(); ++run) {
    // Figures of one kind have the same columns, unless their runs differ in what they can show.
    const std::string header = csv_header(figures[run]);
    if (run == 0 || header != last_header) text += (has_runs ? fmt::format("{},", kRun) : "") + header + '\n';
    last_header = header;
    for (const auto& row : figures[run].table.rows) {
      if (has_runs) text += letter(run) + ',';
      for (size_t n = 0; n < row.size(); ++n) {
        if (n > 0) text += ',';
        text += csv_value(row[n]);
      }
      text += '\n';
    }
  }
  return text;
}

std::string to_json(std::span<const plot::Figure> figures) {
  nlohmann::ordered_json json;
  if (figures.size() == 1) {
    json = json_of(figures.front());
  } else {
    for (size_t run = 0; run < figures.size(); ++run) json[letter(run)] = json_of(figures[run]);
  }
  // Text may come from a user's source file: bytes that are not UTF-8 are replaced, not refused.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace lanescope::exporting
