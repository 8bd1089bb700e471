#include "report/markdown_report.h"

#include "base/number.h"
#include "base/utf8.h"
#include "report/wording.h"

#include <fmt/format.h>

namespace lanescope::report {
namespace {

std::string heading(int level, const std::string& text) {
  return fmt::format("{} {}\n\n", std::string(static_cast<size_t>(level), '#'), text);
}

std::string beside_ideal(Language language, uint64_t cost, uint64_t ideal) {
  return cost == 0 ? "-" : fmt::format("{} / {}", number(language, cost), number(language, ideal));
}

std::string launches_text(const Report& report) {
  if (report.launches.empty()) return {};
  const Language language = report.language;
  std::string text = "|";
  for (const Words words : {Words::kernel, Words::grid, Words::block, Words::launches, Words::sectors_ideal,
                            Words::wavefronts_ideal, Words::time_at_least})
    text += fmt::format(" {} |", say(language, words));
  text += "\n|---|---:|---:|---:|---:|---:|---:|\n";
  for (const LaunchReport& launch : report.launches)
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", markdown_code(launch.kernel),
                        extent_words(launch.grid), extent_words(launch.block), number(language, launch.times),
                        beside_ideal(language, launch.cost.sectors, launch.cost.ideal_sectors),
                        beside_ideal(language, launch.cost.wavefronts, launch.cost.ideal_wavefronts),
                        launch.bound ? duration_words(language, launch.bound->seconds) : "-");
  return text + "\n";
}

std::string finding_text(Language language, const Finding& finding) {
  std::string text = fmt::format("- **{}**", markdown_text(heading_of(language, finding.kind)));
  if (const std::string place = place_words(finding.source.where); !place.empty())
    text += " " + markdown_text(place);
  if (!finding.source.text.empty()) text += " " + markdown_code(finding.source.text);
  if (finding.novelty == Novelty::New && !finding.suppressed)
    text += fmt::format(" **{}**", say(language, Words::new_one));
  text += "\\\n  " + markdown_text(finding.sentence) + "\n";
  if (finding.suppressed)
    return text +
           fmt::format("  {}\n", said(language, Words::suppressed_by, markdown_text(finding.suppressed->by),
                                      markdown_text(finding.suppressed->reason)));
  const auto add = [&](Words label, const std::string& words) {
    if (!words.empty()) text += fmt::format("  *{}* {}\n", say(language, label), markdown_text(words));
  };
  add(Words::change_label, finding.advice);
  add(Words::modelled_gain_label, gain_words(language, finding));
  return text;
}

std::string lines_text(Language language, const LaunchReport& launch) {
  if (launch.lines.empty()) return fmt::format("{}\n\n", say(language, Words::no_access));
  std::string text =
      fmt::format("| {} | {} | {} | {} | {} | | {} |\n|---|---|---:|---:|---:|---|---|\n",
                  say(language, Words::line), say(language, Words::access), say(language, Words::requests),
                  said(language, Words::cost_of, provenance_words(language, launch.provenance)),
                  say(language, Words::ideal), say(language, Words::source));
  for (const LineCost& line : launch.lines) {
    const bool has_cost = line.unit != Unit::None;
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", markdown_text(place_words(line.source.where)),
                    access_words(language, line.access), number(language, line.requests),
                    cost_words(language, line.cost, line.unit), has_cost ? number(language, line.ideal) : "",
                    markdown_text(line.verdict), markdown_code(line.source.text));
  }
  return text + "\n";
}

std::string launch_text(Language language, const LaunchReport& launch) {
  std::string text = heading(2, markdown_code(launch.kernel));
  text +=
      fmt::format("{} ({}).", launch_words(language, launch), provenance_words(language, launch.provenance));
  if (launch.bound)
    text += fmt::format(" {} ({}).\n\n", bound_words(language, *launch.bound),
                        provenance_words(language, Provenance::Modelled));
  else
    text += " " + markdown_text(launch.bound_missing.text) + "\n\n";
  if (const std::string level = level_sentence(language, launch); !level.empty())
    text += markdown_text(level) + "\n\n";
  for (const Note& note : launch.notes) text += markdown_text(note.text) + "\n\n";
  for (const Finding& finding : launch.findings) text += finding_text(language, finding);
  if (launch.findings.empty()) text += fmt::format("{}\n", say(language, Words::nothing_to_change));
  text += "\n" + lines_text(language, launch);
  return text;
}

std::string against_text(Language language, const Comparison& comparison) {
  std::string text = heading(2, said(language, Words::against, markdown_text(comparison.with)));
  text += fmt::format("**{}**\n\n", markdown_text(verdict_of(language, comparison)));
  const auto add = [&](Words label, const std::string& rest) {
    text += fmt::format("- {}\n", said(language, Words::labelled, say(language, label), rest));
  };
  for (const Change& change : comparison.changes) {
    if (change.verdict == Change::Verdict::Same) continue;
    add(change.verdict == Change::Verdict::Worse ? Words::worse : Words::better,
        fmt::format("{}: {}", markdown_code(change.kernel), markdown_text(change_words(language, change))));
  }
  for (const std::string& kernel : comparison.new_kernels) add(Words::new_one, markdown_code(kernel));
  for (const std::string& kernel : comparison.gone_kernels) add(Words::gone, markdown_code(kernel));
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
  const Language language = report.language;
  std::string text = heading(1, said(language, Words::title, markdown_text(report.title)));
  text += markdown_text(summary_of(report)) + "\n\n";
  for (const Note& problem : report.problems) text += fmt::format("**{}**\n\n", markdown_text(problem.text));
  if (report.comparison) text += against_text(language, *report.comparison);
  for (const Note& note : report.notes) text += markdown_text(note.text) + "\n\n";
  text += launches_text(report);
  for (const LaunchReport& launch : report.launches) text += launch_text(language, launch);
  for (const std::string& unused : report.unused_suppressions) text += markdown_text(unused) + "\n\n";
  return text + markdown_text(method_of(report)) + "\n";
}

}  // namespace lanescope::report
