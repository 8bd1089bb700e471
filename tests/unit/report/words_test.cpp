// The words of the written reports: English and French say the same with the same placeholders.

#include "report/words.h"

#include "report/report.h"
#include "report/wording.h"
#include "support/bilingual_words.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::report {
namespace {

struct Row {
  std::string_view id, english, french;
};

const std::vector<Row> kRows{
#define WORDS(name, english, french) Row{#name, english, french},
#include "report/text.def"
#undef WORDS
};

TEST(ReportWords, are_in_both_languages_with_the_same_placeholders) {
  ASSERT_GT(kRows.size(), 80u);
  for (const Row& row : kRows) tests::expect_both_languages(row.id, row.english, row.french);
}

TEST(ReportWords, a_number_decides_between_one_and_many) {
  EXPECT_EQ(said(Language::English, Words::outcome, "1", "1", "0", "2"),
            "1 launch of 1 kernel; 0 hazards, 2 lines or launches to improve");
  EXPECT_EQ(said(Language::French, Words::outcome, "2", "1", "0", "2"),
            "2 lancements de 1 kernel\u00a0; 0 défaut, 2 lignes ou lancements à améliorer");
  EXPECT_EQ(said(Language::French, Words::idle, uint64_t{1}, 132), "1 multiprocesseur a un bloc, sur 132.");
}

TEST(ReportWords, each_kind_of_finding_and_each_level_has_a_name) {
  for (const std::string& kind : finding_kinds()) {
    EXPECT_NE(heading_of(Language::French, kind), kind);
    EXPECT_NE(meaning_of(Language::English, kind), "") << kind;
    EXPECT_NE(meaning_of(Language::French, kind), meaning_of(Language::English, kind)) << kind;
    EXPECT_EQ(heading_of(Language::English, kind).find('_'), std::string::npos);
  }
  for (size_t level = 0; level < model::kLevels; ++level)
    EXPECT_NE(level_words(Language::French, static_cast<model::Level>(level)),
              level_words(Language::English, static_cast<model::Level>(level)));
  EXPECT_EQ(level_words(Language::English, model::Level::Lines), "the path to the L2");
}

TEST(ReportWords, an_access_is_translated_by_its_parts) {
  EXPECT_EQ(access_words(Language::English, "shared async copy"), "shared async copy");
  EXPECT_EQ(access_words(Language::French, "shared async copy"), "copie asynchrone partagée");
  EXPECT_EQ(access_words(Language::French, "global load"), "lecture globale");
}

}  // namespace
}  // namespace lanescope::report
