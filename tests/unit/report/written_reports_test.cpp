// The formats of a report: HTML, Markdown, JSON, SARIF and JUnit of one report with names that are markup.

#include "report/ci_reports.h"
#include "report/html_report.h"
#include "report/markdown_report.h"
#include "report/report_json.h"
#include "report/wording.h"
#include "support/temporary_folder.h"

#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

/// A launch with a race and a costly line, whose names are markup of all formats.
Report strange_report() {
  LaunchReport launch{.kernel = "f<img src=x onerror=alert(1)>", .grid = {4, 2, 1}, .block = {32, 1, 1}};
  launch.cost = launch.all = {2, 36, 8, 0, 0};
  launch.bound = Bound{.seconds = 4.2e-6, .limit = model::Level::Memory};
  Finding race{.kind = "race", .is_hazard = true, .sentence = "thread (0,0,0) writes"};
  race.source = {{"a \"b\" & <c>.cu", 3}, "x = `y` | *z* ]]> </script>;"};
  Finding cost{.kind = "excess_sectors",
               .access = "global load",
               .sentence = "Global load takes 32 sectors.",
               .advice = "Change it.",
               .unit = Unit::Sectors,
               .cost = 32,
               .ideal = 4,
               .factor = 1.5};
  cost.source = {{"k.cu", 4}, "y = z;"};
  launch.findings = {race, cost};
  launch.lines = {{.source = cost.source,
                   .access = "global load",
                   .unit = Unit::Sectors,
                   .requests = 1,
                   .cost = 32,
                   .ideal = 4,
                   .verdict = "8x uncoalesced"}};
  Report report{.title = "<b>&\"x\"</b>", .device = "NVIDIA H200"};
  report.launches.push_back(launch);
  return report;
}

TEST(CostWords, one_sector_is_one) {
  EXPECT_EQ(cost_words(Language::English, 1, Unit::Sectors), "1 sector");
  EXPECT_EQ(cost_words(Language::English, 1048, Unit::Wavefronts), "1,048 wavefronts");
  EXPECT_EQ(cost_words(Language::French, 1048, Unit::Sectors), "1\u00a0048 secteurs");
  EXPECT_EQ(cost_words(Language::English, 3, Unit::None), "");
}

TEST(WrittenReports, html_keeps_markup_of_the_source_as_text) {
  const std::string html = *html_report(strange_report());
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
  EXPECT_THAT(html, HasSubstr("f&lt;img src=x onerror=alert(1)&gt;"));
  EXPECT_THAT(html,
              HasSubstr("<strong>Gain:</strong> about 1.50 times faster <span class=\"badge\">modelled"));
  EXPECT_THAT(html, HasSubstr("at least 4.2 us, which the DRAM decides"));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  // Nothing is fetched and nothing runs.
  EXPECT_THAT(html, Not(HasSubstr("http://")));
  EXPECT_THAT(html, Not(HasSubstr("https://")));
  EXPECT_THAT(html, Not(HasSubstr("src=\"")));
}

TEST(WrittenReports, markdown_keeps_markup_of_the_source_as_text) {
  const std::string text = markdown_report(strange_report());
  EXPECT_THAT(text, HasSubstr("<code>f&#60;img src=x onerror=alert(1)&#62;</code>"));
  EXPECT_THAT(
      text, HasSubstr("<code>x = &#96;y&#96; &#124; &#42;z&#42; &#93;&#93;&#62; &#60;/script&#62;;</code>"));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(
      text,
      HasSubstr("| k.cu:4 | global load | 1 | 32 sectors | 4 | 8x uncoalesced | <code>y = z;</code> |"));
  EXPECT_THAT(text, HasSubstr("It takes at least 4.2 us, which the DRAM decides (modelled)."));
  EXPECT_EQ(markdown_text("a\nb"), "a b");
  EXPECT_EQ(markdown_code(""), "");
}

/// The strange report in French, with a comparison, a sentence of each kind that the writers have, and one of
/// the program in English.
Report french_report() {
  Report report = strange_report();
  report.language = Language::French;
  LaunchReport& launch = report.launches[0];
  launch.times = 3;
  launch.shared_bytes = 4096;
  launch.bound->without_all = 1.25;
  launch.findings[1].sentence = "Lecture globale";
  launch.findings[1].advice = "Autrement.";
  launch.lines[0].verdict = "8x, non coalescé";
  launch.notes = {{"Le kernel a été arrêté.", Language::French}, {"The guess is a guess."}};
  launch.findings.push_back(launch.findings[1]);
  launch.findings[2].suppressed = Suppression{"connu", "k.cu:4", true};
  report.suppressed = 1;
  report.problems = {{"the program ended with status 3"}};
  report.launches.push_back({.kernel = "g", .grid = {1, 1, 1}, .block = {32, 1, 1}});
  report.launches[1].bound_missing = {"The caches are not known."};
  report.comparison = Comparison{.with = "base.json", .tolerance_percent = 1.5, .is_worse = true};
  report.comparison->changes = {{Change::Verdict::Worse, "f", "sectors", 32, 64},
                                {Change::Verdict::Better, "f", "wavefronts", 64, 32},
                                {Change::Verdict::Same, "f", "hazards", 1, 1}};
  report.comparison->new_kernels = {"n"};
  report.comparison->gone_kernels = {"o"};
  return report;
}

/// The text of a page, without what is marked as English, code and style.
std::string text_in_french(std::string html) {
  for (const char* part :
       {"<style>[^<]*</style>", "<p[^>]*lang=\"en\"[^>]*>[^<]*</p>", "<code>[^<]*</code>", "<[^>]*>"})
    html = std::regex_replace(html, std::regex(part), " ");
  return html;
}

TEST(WrittenReports, no_english_is_left_in_french) {
  const std::string html = text_in_french(*html_report(french_report()));
  std::string markdown = markdown_report(french_report());
  for (const char* part :
       {"<code>[^<]*</code>", "The [a-z ]*\\.", "thread [^\n]*", "\\*\\*the program[^\n]*"})
    markdown = std::regex_replace(markdown, std::regex(part), " ");
  const std::regex english(
      "\\b(the|of|and|is|are|it|its|what|each|line|launch|launches|block|grid|cost|change|time|least|"
      "decides|faster|worse|better|same|new|gone|against|findings?|hazards?|sectors?|modelled|emulated|"
      "suppressed|by|nothing|bytes|load|store|uncoalesced)\\b",
      std::regex::icase);
  for (const std::string& text : {html, markdown}) {
    std::smatch found;
    EXPECT_FALSE(std::regex_search(text, found, english)) << found.str() << " in:\n" << text;
    EXPECT_THAT(text, HasSubstr("4,2\u00a0µs"));
    EXPECT_THAT(text, HasSubstr("lecture globale"));
    EXPECT_THAT(text, HasSubstr(" 64 secteurs (+100,0\u00a0%)"));
    EXPECT_THAT(text, HasSubstr("environ 1,50 fois plus rapide"));
  }
  EXPECT_THAT(*html_report(french_report()), HasSubstr("<html lang=\"fr\">"));
}

/// Each number of a text, in its order, without its marks.
std::vector<std::string> numbers_of(const std::string& text) {
  const std::string plain = std::regex_replace(text, std::regex("([0-9])(,|\u00a0)(?=[0-9]{3})"), "$1");
  std::vector<std::string> numbers;
  const std::regex number("[0-9]+([.,][0-9]+)?");
  for (std::sregex_iterator one(plain.begin(), plain.end(), number), end; one != end; ++one)
    numbers.push_back(std::regex_replace(one->str(), std::regex(","), "."));
  return numbers;
}

TEST(WrittenReports, both_languages_have_the_same_numbers) {
  Report report = french_report();
  report.launches[0].cost.sectors = 1'234'567;
  const std::vector<std::string> french = numbers_of(markdown_report(report));
  report.language = Language::English;
  EXPECT_EQ(numbers_of(markdown_report(report)), french);
  EXPECT_THAT(french, testing::Contains("1234567"));
  EXPECT_GT(french.size(), 40u);
}

TEST(WrittenReports, files_for_programs_have_the_same_names_in_french) {
  const Json json = Json::parse(json_report(french_report()));
  EXPECT_EQ(json["language"], "fr");
  EXPECT_EQ(json["launches"][0]["bound"]["decides"], "the DRAM");
  EXPECT_EQ(json["launches"][0]["lines"][0]["access"], "global load");
  EXPECT_EQ(json["against"]["changes"][0]["verdict"], "worse");
  EXPECT_EQ(Json::parse(sarif_report(french_report()))["runs"][0]["results"][0]["ruleId"], "race");
  EXPECT_THAT(junit_report(french_report()), HasSubstr("name=\"memory costs\""));
}

TEST(WrittenReports, json_is_what_others_are_compared_with) {
  const tests::TemporaryFolder folder("report");
  std::ofstream(folder / "base.json") << json_report(strange_report());
  const auto baseline = read_baseline(folder / "base.json");
  ASSERT_TRUE(baseline) << describe(baseline.error());
  EXPECT_EQ(baseline->name, "base.json");
  ASSERT_EQ(baseline->kernels.size(), 1u);
  EXPECT_EQ(baseline->kernels[0].cost, (trace::LaunchCost{2, 36, 8, 0, 0}));
  EXPECT_EQ(baseline->kernels[0].hazards, 1u);
  Report same = strange_report();
  compare(same, *baseline, 0);
  EXPECT_EQ(exit_status(same), 0);
  const Json json = Json::parse(json_report(same));
  EXPECT_EQ(json["against"]["with"], "base.json");
  EXPECT_EQ(json["launches"][0]["findings"][0]["new"], false);
  EXPECT_EQ(json["launches"][0]["findings"][1]["saving"]["factor"], 1.5);
}

TEST(WrittenReports, that_are_none_are_refused) {
  const tests::TemporaryFolder folder("report");
  const auto refused = [&](const std::string& text) {
    std::ofstream(folder / "x.json") << text;
    const auto baseline = read_baseline(folder / "x.json");
    return baseline ? "" : baseline.error().message;
  };
  EXPECT_THAT(refused("{"), HasSubstr("a report of 'lanescope report -o FILE.json' was expected"));
  EXPECT_THAT(refused(R"({"report": 99})"), HasSubstr("in format 1 was expected, the file has format 99"));
  EXPECT_THAT(refused(R"({"report": 1, "kernels": []})"), HasSubstr("the report is damaged"));
  EXPECT_THAT(refused(R"({"report": 1, "kernels": [{"kernel": 3}], "launches": []})"),
              HasSubstr("the report is damaged"));
  EXPECT_THAT(refused(R"({"report": 1, "kernels": [], "launches": {}})"), HasSubstr("the report is damaged"));
  EXPECT_EQ(refused(R"({"report": 1, "kernels": [], "launches": []})"), "");
  for (const char* sectors : {"-1", "1.5", "1e30", "\"2\"", "null", "99999999999999999999999"})
    EXPECT_THAT(
        refused(fmt::format(
            R"({{"report": 1, "launches": [], "kernels": [{{"kernel": "k", "launches": 1, "hazards": 0,
        "requests": 1, "sectors": {}, "ideal_sectors": 1, "wavefronts": 0, "ideal_wavefronts": 0}}]}})",
            sectors)),
        HasSubstr("the report is damaged"))
        << sectors;
}

TEST(WrittenReports, sarif_has_a_result_for_each_finding) {
  Report report = strange_report();
  report.launches[0].findings[1].suppressed = Suppression{"known", "k.cu:4", true};
  const Json sarif = Json::parse(sarif_report(report));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const Json& results = sarif["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["ruleId"], "race");
  EXPECT_EQ(results[0]["level"], "error");
  const Json& place = results[0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "a%20%22b%22%20%26%20%3Cc%3E.cu");
  EXPECT_EQ(place["region"]["startLine"], 3);
  EXPECT_FALSE(results[0].contains("suppressions"));
  EXPECT_EQ(results[1]["suppressions"][0]["kind"], "inSource");
  EXPECT_EQ(results[1]["suppressions"][0]["justification"], "known");
  EXPECT_NE(results[0]["partialFingerprints"], results[1]["partialFingerprints"]);
}

TEST(WrittenReports, sarif_shows_what_is_of_a_launch_in_the_first_line_of_its_file) {
  Report report = strange_report();
  LaunchReport& launch = report.launches[0];
  launch.findings = {{.kind = "idle_multiprocessors", .sentence = "1 of 132 multiprocessors have a block."}};
  LineCost earlier = launch.lines[0], other = launch.lines[0];
  earlier.source.where.line = 2;
  other.source.where = {"header.h", 1};
  launch.lines.push_back(earlier);
  launch.lines.push_back(other);
  const Json sarif = Json::parse(sarif_report(report));
  const Json& place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "k.cu");
  EXPECT_EQ(place["region"]["startLine"], 2);
}

/// What did not change is no reason, and the reason comes first.
TEST(WrittenReports, junit_begins_with_what_is_worse) {
  Report report = strange_report();
  const std::string kernel = report.launches[0].kernel;
  Comparison comparison{.with = "base.json", .tolerance_percent = 1};
  comparison.changes = {
      {.verdict = Change::Verdict::Same, .kernel = kernel, .measure = "wavefronts", .before = 7, .after = 7},
      {.verdict = Change::Verdict::Worse, .kernel = kernel, .measure = "sectors", .before = 8, .after = 16}};
  report.comparison = comparison;
  const std::string xml = junit_report(report);
  EXPECT_THAT(xml,
              HasSubstr("name=\"memory costs\"><failure message=\"worse: 8 -&gt; 16 sectors (+100.0 %)\">"
                        "8 -&gt; 16 sectors (+100.0 %)\n"));
  EXPECT_THAT(xml, Not(HasSubstr("7 -&gt; 7")));
}

TEST(WrittenReports, junit_fails_where_the_exit_status_does) {
  Report report = strange_report();
  const std::string xml = junit_report(report);
  EXPECT_THAT(
      xml,
      HasSubstr(
          "name=\"lanescope report: &lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;\" tests=\"3\" failures=\"1\""));
  EXPECT_THAT(xml, HasSubstr("name=\"hazards\"><failure message=\"Race\">"));
  EXPECT_THAT(xml, HasSubstr("name=\"memory costs\"><system-out>"));
  report.launches[0].findings[0].suppressed = Suppression{"known", "k.cu:3", true};
  EXPECT_THAT(junit_report(report), HasSubstr("failures=\"0\""));
  report.has_failed = true;
  report.problems = {{"the program ended with status 3"}};
  EXPECT_THAT(junit_report(report), HasSubstr("<failure message=\"the program ended with status 3\">"));
  EXPECT_EQ(exit_status(report), 1);
}

}  // namespace
}  // namespace lanescope::report
