#include "report/suppressions.h"

#include "base/lines.h"
#include "lesson/table_reader.h"
#include "report/words.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::report {
namespace {

bool is_kind(const std::string& kind) {
  const std::vector<std::string> kinds = finding_kinds();
  return std::ranges::find(kinds, kind) != kinds.end();
}

std::string unknown_kind(const std::string& kind) {
  return fmt::format("no finding is of the kind '{}'; there are {}", kind, fmt::join(finding_kinds(), ", "));
}

/// The text with single spaces between its words.
std::string with_single_spaces(std::string_view text) {
  std::string result;
  for (const char c : trimmed(text)) {
    const bool is_space = c == ' ' || c == '\t';
    if (!is_space || !result.ends_with(' ')) result += is_space ? ' ' : c;
  }
  return result;
}

/// Where a comment begins whose text begins with "lanescope:"; the end of the line where there is none.
size_t start_of_comment(std::string_view line) {
  constexpr std::string_view kName = "lanescope:";
  for (size_t at = line.find(kName); at != std::string_view::npos; at = line.find(kName, at + 1)) {
    const size_t before = line.substr(0, at).find_last_not_of(" \t");
    if (before == std::string_view::npos || before == 0) continue;
    const std::string_view sign = line.substr(before - 1, 2);
    if (sign == "//" || sign == "/*") return before - 1;
  }
  return line.size();
}

/// The text of a line without a comment that suppresses.
std::string code_of(std::string_view line) {
  return with_single_spaces(line.substr(0, start_of_comment(line)));
}

std::string_view name_of_kernel(std::string_view kernel) {
  return trimmed(kernel.substr(0, kernel.find_first_of("<(")));
}

bool is_about(const SuppressionRule& rule, const std::string& kernel, const Finding& finding) {
  if (rule.kind != finding.kind) return false;
  if (rule.about) return finding.source.where == *rule.about;
  if (!rule.kernel.empty() && rule.kernel != kernel && rule.kernel != name_of_kernel(kernel)) return false;
  return rule.text.empty() || code_of(rule.text) == code_of(finding.source.text);
}

/// The files in which lines or findings of the report are.
std::set<std::string> files_of(const Report& report) {
  std::set<std::string> files;
  for (const LaunchReport& launch : report.launches) {
    for (const LineCost& line : launch.lines) files.insert(line.source.where.file);
    for (const Finding& finding : launch.findings) files.insert(finding.source.where.file);
  }
  files.erase("");
  return files;
}

}  // namespace

Result<std::vector<SuppressionRule>> read_suppressions(const std::filesystem::path& file) {
  TRY(const toml::table root, lesson::read_toml(file));
  lesson::TableReader reader(file.string());
  std::vector<SuppressionRule> rules;
  reader.only(root, {"allow"});
  reader.each(root, "allow", lesson::TableReader::Need::None, [&](const toml::table& table) {
    reader.only(table, {"kind", "kernel", "line", "reason"});
    SuppressionRule rule{.kind = reader.text(table, "kind"),
                         .kernel = reader.text(table, "kernel", ""),
                         .text = reader.text(table, "line", ""),
                         .reason = reader.text(table, "reason"),
                         .where = reader.where(table)};
    if (!is_kind(rule.kind)) reader.wrong(table, unknown_kind(rule.kind));
    if (trimmed(rule.reason).empty()) reader.wrong(table, "a rule says why: 'reason' is empty");
    rules.push_back(std::move(rule));
  });
  if (reader.error()) return std::unexpected(*reader.error());
  return rules;
}

std::vector<SuppressionRule> rules_in_source(const std::string& file, std::string_view text,
                                             std::vector<std::string>& problems) {
  constexpr std::string_view kMark = "lanescope: allow ";
  std::vector<SuppressionRule> rules;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const size_t at = start_of_comment(line);
    const size_t mark = line.find(kMark, at);
    if (mark == std::string_view::npos) continue;
    const std::string_view rest = line.substr(mark + kMark.size());
    const size_t end =
        line.substr(at).starts_with("/*") ? std::min(rest.find("*/"), rest.size()) : rest.size();
    const size_t colon = std::min(rest.find(':'), end);
    const bool is_alone = trimmed(line.substr(0, at)).empty();
    const Location where{file, number};
    SuppressionRule rule{.kind = std::string(trimmed(rest.substr(0, colon))),
                         .kernel = {},
                         .text = {},
                         .reason = std::string(trimmed(rest.substr(0, end).substr(std::min(colon + 1, end)))),
                         .where = where,
                         .about = Location{file, is_alone ? number + 1 : number}};
    if (rule.reason.empty())
      problems.push_back(
          describe({ErrorKind::Syntax,
                    "a comment that suppresses is '// lanescope: allow KIND: REASON', and this "
                    "one has no reason; it has no effect",
                    where}));
    else if (!is_kind(rule.kind))
      problems.push_back(describe({ErrorKind::Syntax, unknown_kind(rule.kind), where}));
    else
      rules.push_back(std::move(rule));
  }
  return rules;
}

void apply_suppressions(std::vector<SuppressionRule> rules, SourceTexts& sources, Report& report) {
  std::vector<std::string> problems;
  for (const std::string& file : files_of(report)) {
    auto more = rules_in_source(file, sources.text(file), problems);
    std::ranges::move(more, std::back_inserter(rules));
  }
  for (std::string& problem : problems) report.notes.push_back({std::move(problem)});
  for (const SuppressionRule& rule : rules) {
    bool is_used = false;
    for (LaunchReport& launch : report.launches)
      for (Finding& finding : launch.findings) {
        if (!is_about(rule, launch.kernel, finding)) continue;
        is_used = true;
        if (finding.suppressed) continue;
        finding.suppressed = Suppression{.reason = rule.reason,
                                         .by = fmt::format("{}:{}", rule.where.file, rule.where.line),
                                         .in_source = rule.about.has_value()};
        ++report.suppressed;
      }
    if (!is_used)
      report.unused_suppressions.push_back(describe(
          {ErrorKind::Usage, said(report.language, Words::unused_rule, rule.kind, rule.reason), rule.where}));
  }
}

}  // namespace lanescope::report
