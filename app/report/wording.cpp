#include "report/wording.h"

#include "base/number.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace lanescope::report {
namespace {

using Named = std::pair<std::string_view, std::string_view>;  // a name of ours, French

struct Kind {
  std::string_view name, french, meaning, french_meaning;
};

constexpr auto kKinds = std::to_array<Kind>({
#define KIND(name, french, meaning, french_meaning) {#name, french, meaning, french_meaning},
#include "report/kinds.def"
#undef KIND
});

constexpr std::array kSpaces{
    Named{"global", "globale"},     Named{"shared", "partagée"},     Named{"local", "locale"},
    Named{"constant", "constante"}, Named{"texture", "de texture"},  Named{"surface", "de surface"},
    Named{"cluster", "du cluster"}, Named{"parameter", "paramètre"},
};

constexpr std::array kTraffic{
    Named{"load", "lecture"},
    Named{"store", "écriture"},
    Named{"atomic", "opération atomique"},
    Named{"reduction", "réduction"},
    Named{"async copy", "copie asynchrone"},
    Named{"bulk load", "lecture en bloc"},
    Named{"bulk store", "écriture en bloc"},
    Named{"bulk reduce", "réduction en bloc"},
    Named{"tensor load", "lecture des tensor cores"},
};

/// The French of a name; the name itself where there is none.
std::string_view french_of(std::span<const Named> pairs, std::string_view name) {
  const auto pair = std::ranges::find(pairs, name, &Named::first);
  return pair == pairs.end() ? name : pair->second;
}

/// A number with two digits after the mark.
std::string two_digits(Language language, double value) {
  return with_mark(language, fmt::format("{:.2f}", value));
}

std::string_view measure_words(Language language, const std::string& measure) {
  if (measure == "sectors") return say(language, Words::measure_sectors);
  if (measure == "wavefronts") return say(language, Words::measure_wavefronts);
  return measure == "hazards" ? say(language, Words::measure_hazards) : std::string_view(measure);
}

uint64_t measures_of(const Comparison& comparison, Change::Verdict verdict) {
  return static_cast<uint64_t>(std::ranges::count(comparison.changes, verdict, &Change::verdict));
}

}  // namespace

std::string cost_words(Language language, uint64_t cost, Unit unit) {
  if (unit == Unit::None) return {};
  return said(language, unit == Unit::Sectors ? Words::sectors : Words::wavefronts, number(language, cost));
}

std::string extent_words(Dim3 extent) {
  if (extent.z > 1) return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z);
  if (extent.y > 1) return fmt::format("{} x {}", extent.x, extent.y);
  return fmt::to_string(extent.x);
}

std::string duration_words(Language language, double seconds) {
  if (seconds < 1e-3)
    return said(language, Words::microseconds, with_mark(language, fmt::format("{:.1f}", seconds * 1e6)));
  if (seconds < 1) return said(language, Words::milliseconds, two_digits(language, seconds * 1e3));
  return said(language, Words::seconds, two_digits(language, seconds));
}

std::string_view level_words(Language language, model::Level level) {
  static constexpr std::array<Words, model::kLevels> kLevelWords{
      Words::level_dram,    Words::level_l2, Words::level_lines,     Words::level_shared,
      Words::level_latency, Words::level_l1, Words::level_arithmetic};
  return say(language, kLevelWords[static_cast<size_t>(level)]);
}

std::string_view provenance_words(Language language, Provenance provenance) {
  static constexpr std::array kTexts{Text::measured, Text::recorded, Text::emulated, Text::traced,
                                     Text::modelled};
  return say(language, kTexts[static_cast<size_t>(provenance)]);
}

std::string_view verdict_words(Language language, Change::Verdict verdict) {
  if (verdict == Change::Verdict::Same) return say(language, Words::same);
  return say(language, verdict == Change::Verdict::Better ? Words::better : Words::worse);
}

std::string access_words(Language language, std::string_view access) {
  const size_t space = access.find(' ');
  if (language == Language::English || space == std::string_view::npos) return std::string(access);
  return fmt::format("{} {}", french_of(kTraffic, access.substr(space + 1)),
                     french_of(kSpaces, access.substr(0, space)));
}

void begin_with_capital(std::string& sentence) {
  constexpr std::string_view kSmall = "é", kCapital = "É";
  if (sentence.starts_with(kSmall))
    sentence.replace(0, kSmall.size(), kCapital);
  else if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z')
    sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
}

std::string heading_of(Language language, const std::string& kind) {
  const auto known = std::ranges::find(kKinds, kind, &Kind::name);
  if (language == Language::French && known != kKinds.end()) return std::string(known->french);
  std::string heading = kind;
  std::ranges::replace(heading, '_', ' ');
  begin_with_capital(heading);
  return heading;
}

std::string_view meaning_of(Language language, const std::string& kind) {
  const auto known = std::ranges::find(kKinds, kind, &Kind::name);
  if (known == kKinds.end()) return {};
  return language == Language::French ? known->french_meaning : known->meaning;
}

std::string bound_words(Language language, const Bound& bound) {
  std::string words = said(language, Words::bound, duration_words(language, bound.seconds),
                           level_words(language, bound.limit));
  constexpr double kShownFactor = 1.005;  // what is less is 1.00 with two digits
  if (bound.without_all && *bound.without_all >= kShownFactor)
    words += said(language, Words::without_all, two_digits(language, *bound.without_all));
  return words;
}

std::string place_words(const Location& where) {
  return where.line == 0 ? "" : fmt::format("{}:{}", where.file, where.line);
}

std::string gain_words(Language language, const Finding& finding) {
  constexpr double kLeastGain = 1.005;
  if (!finding.factor) return {};
  if (*finding.factor < kLeastGain)
    return said(language, Words::no_gain,
                finding.without ? level_words(language, *finding.without) : std::string_view());
  return said(language, Words::gain, two_digits(language, *finding.factor));
}

std::string change_words(Language language, const Change& change) {
  const std::string_view space = language == Language::French ? "\u00a0" : " ";
  const double ratio = static_cast<double>(change.after) / static_cast<double>(change.before);
  const std::string share =
      change.before == 0
          ? ""
          : fmt::format(" ({}{}%)", with_mark(language, fmt::format("{:+.1f}", 100 * (ratio - 1))), space);
  return fmt::format("{} -> {} {}{}", number(language, change.before), number(language, change.after),
                     measure_words(language, change.measure), share);
}

std::string launch_words(Language language, const LaunchReport& launch) {
  return said(
      language, Words::launch, fmt::to_string(launch.number),
      launch.times == 1 ? std::string() : said(language, Words::alike, number(language, launch.times)),
      extent_words(launch.grid), extent_words(launch.block));
}

std::string level_sentence(Language language, const LaunchReport& launch) {
  if (launch.level == trace::CountLevel::Ptx) return {};
  if (!launch.matched) return said(language, Words::machine_code);
  return said(language, Words::machine_code_matched, percent(language, *launch.matched));
}

std::string summary_of(const Report& report) {
  const Language language = report.language;
  uint64_t launches = 0, findings = 0, hazards = 0;
  for (const LaunchReport& launch : report.launches) {
    launches += launch.times;
    for (const Finding& finding : launch.findings)
      if (!finding.suppressed) ++(finding.is_hazard ? hazards : findings);
  }
  std::string summary = said(language, Words::outcome, number(language, launches),
                             number(language, kernel_costs(report).size()), number(language, hazards),
                             number(language, findings));
  if (report.suppressed != 0)
    summary += said(language, Words::outcome_suppressed, number(language, report.suppressed));
  return summary + ".";
}

std::string verdict_of(Language language, const Comparison& comparison) {
  return said(language, comparison.is_worse ? Words::is_worse : Words::is_not_worse, comparison.with,
              number(language, measures_of(comparison, Change::Verdict::Worse)),
              with_mark(language, fmt::format("{:g}", comparison.tolerance_percent)),
              number(language, measures_of(comparison, Change::Verdict::Better)),
              number(language, comparison.new_findings), number(language, comparison.gone_findings));
}

std::string method_of(const Report& report) {
  const Language language = report.language;
  Words level = Words::the_ptx;
  if (counts_machine_code(report)) {
    const bool is_all = std::ranges::none_of(
        report.launches, [](const LaunchReport& launch) { return launch.level == trace::CountLevel::Ptx; });
    level = is_all ? Words::the_machine_code : Words::each_level;
  }
  std::string text = said(language, Words::method, say(language, level));
  if (!report.device.empty()) text += said(language, Words::method_times, report.device);
  return text + std::string(say(language, Words::english_sentences));
}

}  // namespace lanescope::report
