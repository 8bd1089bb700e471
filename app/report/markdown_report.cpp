#include "report/markdown_report.h"

#include "base/utf8.h"
#include "report/wording.h"

#include <fmt/format.h>

namespace lanescope::report {
namespace {

std::string heading(int level, const std::string& text) {
  return fmt::format("{} {}\n\n", std::string(static_cast<size_t>(level), '#'), text);
}

std::string cost_words(uint64_t cost, uint64_t ideal) {
  return cost == 0 ? "-" : fmt::format("{} / {}", count(cost), count(ideal));
}

std::string launches_text(const Report& report) {
  if (report.launches.empty()) return {};
  std::string text =
      "| kernel | grid | block | launches | sectors / ideal | wavefronts / ideal | time at least (modelled) "
      "|\n"
      "|---|---:|---:|---:|---:|---:|---:|\n";
  for (const LaunchReport& launch : report.launches)
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", markdown_code(launch.kernel),
                        extent_words(launch.grid), extent_words(launch.block), count(launch.times),
                        cost_words(launch.cost.sectors, launch.cost.ideal_sectors),
                        cost_words(launch.cost.wavefronts, launch.cost.ideal_wavefronts),
                        launch.bound ? duration_words(launch.bound->seconds) : "-");
  return text + "\n";
}

std::string finding_text(const Finding& finding) {
  std::string text = fmt::format("- **{}**", markdown_text(heading_of(finding.kind)));
  if (const std::string place = place_words(finding.source.where); !place.empty())
    text += " " + markdown_text(place);
  if (!finding.source.text.empty()) text += " " + markdown_code(finding.source.text);
  if (finding.novelty == Novelty::New && !finding.suppressed) text += " **new**";
  text += "\\\n  " + markdown_text(finding.sentence) + "\n";
  if (finding.suppressed)
    return text + fmt::format("  Suppressed by {}: {}\n", markdown_text(finding.suppressed->by),
                              markdown_text(finding.suppressed->reason));
  if (!finding.advice.empty()) text += fmt::format("  *Change:* {}\n", markdown_text(finding.advice));
  if (const std::string gain = gain_words(finding); !gain.empty())
    text += fmt::format("  *Gain (modelled):* {}\n", markdown_text(gain));
  return text;
}

std::string lines_text(const LaunchReport& launch) {
  if (launch.lines.empty()) return "The kernel accessed no memory.\n\n";
  std::string text = fmt::format(
      "| line | access | requests | cost ({}) | ideal | | source |\n|---|---|---:|---:|---:|---|---|\n",
      name_of(launch.provenance));
  for (const LineCost& line : launch.lines) {
    const bool has_cost = line.unit != Unit::None;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n",
                        markdown_text(place_words(line.source.where)), line.access, count(line.requests),
                        cost_words(line.cost, line.unit), has_cost ? count(line.ideal) : "",
                        markdown_text(line.verdict), markdown_code(line.source.text));
  }
  return text + "\n";
}

std::string launch_text(const LaunchReport& launch) {
  std::string text = heading(2, markdown_code(launch.kernel));
  text += fmt::format("Launch {}{}: grid {}, block {} ({}).", launch.number,
                      launch.times == 1 ? "" : fmt::format(", one of {} alike", count(launch.times)),
                      extent_words(launch.grid), extent_words(launch.block), name_of(launch.provenance));
  if (launch.bound)
    text += " " + bound_words(*launch.bound) + " (modelled).\n\n";
  else
    text += " " + markdown_text(launch.bound_missing) + "\n\n";
  for (const std::string& note : launch.notes) text += markdown_text(note) + "\n\n";
  for (const Finding& finding : launch.findings) text += finding_text(finding);
  if (launch.findings.empty()) text += "Nothing to change: no hazard was found, and every access is ideal.\n";
  text += "\n" + lines_text(launch);
  return text;
}

std::string against_text(const Comparison& comparison) {
  std::string text = heading(2, "Against " + markdown_text(comparison.with));
  text += fmt::format("**{}**\n\n", markdown_text(verdict_of(comparison)));
  for (const Change& change : comparison.changes) {
    if (change.verdict == Change::Verdict::Same) continue;
    text += fmt::format("- {} {}: {}\n", change.verdict == Change::Verdict::Worse ? "worse:" : "better:",
                        markdown_code(change.kernel), markdown_text(change_words(change)));
  }
  for (const std::string& kernel : comparison.new_kernels)
    text += fmt::format("- new: {}\n", markdown_code(kernel));
  for (const std::string& kernel : comparison.gone_kernels)
    text += fmt::format("- gone: {}\n", markdown_code(kernel));
  return text + "\n";
}

/// A number of HTML for the characters that Markdown or HTML read as markup.
std::string with_entities(std::string_view text, std::string_view markup) {
  std::string result;
  for (const char c : text) {
    if (markup.contains(c))
      result += fmt::format("&#{};", static_cast<int>(c));
    else
      result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return result;
}

}  // namespace

std::string markdown_text(std::string_view text) {
  return with_entities(valid_utf8(text), "&<>|*_[]~\\`#@!");
}

std::string markdown_code(std::string_view text) {
  if (text.empty()) return {};
  return "<code>" + with_entities(valid_utf8(text), "&<>|*_[]~\\`#@!:") + "</code>";
}

std::string markdown_report(const Report& report) {
  std::string text = heading(1, "What " + markdown_text(report.title) + " does to memory");
  text += markdown_text(summary_of(report)) + "\n\n";
  for (const std::string& problem : report.problems)
    text += fmt::format("**{}**\n\n", markdown_text(problem));
  if (report.comparison) text += against_text(*report.comparison);
  for (const std::string& note : report.notes) text += markdown_text(note) + "\n\n";
  text += launches_text(report);
  for (const LaunchReport& launch : report.launches) text += launch_text(launch);
  for (const std::string& unused : report.unused_suppressions) text += markdown_text(unused) + "\n\n";
  return text + markdown_text(method_of(report)) + "\n";
}

}  // namespace lanescope::report
