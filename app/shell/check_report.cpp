#include "shell/check_report.h"

#include "base/escape.h"
#include "base/utf8.h"

#include <algorithm>

#include <fmt/color.h>
#include <fmt/format.h>

namespace lanescope::shell {
namespace {

using Status = pipeline::Check::Status;

constexpr std::string_view word_of(Status status) {
  switch (status) {
    case Status::Passed:
      return "ok";
    case Status::Failed:
      return "FAIL";
    case Status::NotRun:
      return "not run";
  }
  return "";
}

}  // namespace

std::string mark_of(Status status, Coloring coloring, size_t width) {
  const std::string mark = fmt::format("{:<{}}", word_of(status), width);
  if (coloring == Coloring::Plain || status == Status::NotRun) return mark;
  return fmt::format(fg(status == Status::Passed ? fmt::terminal_color::green : fmt::terminal_color::red),
                     "{}", mark);
}

std::string report_text(const CheckedFile& checked, Coloring coloring) {
  size_t width = 0;
  for (const pipeline::Check& check : checked.checks) width = std::max(width, check.name.size());
  std::string text;
  for (const pipeline::Check& check : checked.checks)
    text += fmt::format("{}  {:<{}}  {}\n", mark_of(check.status, coloring), check.name, width,
                        without_control_characters(check.sentence));
  return text;
}

Json report_json(const CheckedFile& checked) {
  Json checks = Json::array();
  for (const pipeline::Check& check : checked.checks) {
    Json one{{"name", check.name},
             {"status", pipeline::name_of(check.status)},
             {"sentence", valid_utf8(check.sentence)}};
    if (check.line != 0) one["line"] = check.line;
    checks.push_back(std::move(one));
  }
  Json report{{"exercise", valid_utf8(checked.exercise)},
              {"file", valid_utf8(checked.file)},
              {"passed", checked.passed()}};
  if (!checked.problem.empty()) report["problem"] = valid_utf8(checked.problem);
  report["checks"] = std::move(checks);
  report["seconds"] = checked.seconds;
  return report;
}

Result<std::vector<pipeline::Check>> checks_in(std::string_view json) {
  const auto wrong = [] { return fail(ErrorKind::Syntax, "a report of checks was expected"); };
  const Json report = Json::parse(json, nullptr, false);
  if (!report.is_object() || !report.contains("checks") || !report["checks"].is_array()) return wrong();
  std::vector<pipeline::Check> checks;
  for (const Json& one : report["checks"]) {
    pipeline::Check check;
    if (!one.is_object()) return wrong();
    check.name = one.value("name", "");
    check.sentence = one.value("sentence", "");
    check.line = one.value("line", 0);
    const std::string status = one.value("status", "");
    for (const Status known : {Status::Passed, Status::Failed, Status::NotRun})
      if (status == pipeline::name_of(known)) check.status = known;
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace lanescope::shell
