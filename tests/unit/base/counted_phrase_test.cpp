#include "base/counted_phrase.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(CountedPhrase, a_word_has_the_number_of_the_count_before_it) {
  constexpr std::string_view kSentence = "{} · {} block[|s] of {} thread[|s]";
  EXPECT_EQ(with_number_of(kSentence, std::array{false, true, false}), "{} · {} block of {} threads");
  EXPECT_EQ(with_number_of(kSentence, std::array{false, false, true}), "{} · {} blocks of {} thread");
  EXPECT_EQ(with_number_of("f[3] {}", std::array{true}), "f[3] {}");
}

TEST(CountedPhrase, each_language_counts_in_its_own_way) {
  const auto place = [](Language language, const char* blocks, const char* threads) {
    return counted_phrase(language, Text::figure_totals_place, std::string("k"), std::string(blocks),
                          std::string(threads));
  };
  EXPECT_EQ(place(Language::English, "1", "32"), "k · 1 block of 32 threads");
  EXPECT_EQ(place(Language::English, "1,024", "1"), "k · 1,024 blocks of 1 thread");
  EXPECT_EQ(place(Language::French, "1", "32"), "k · 1 bloc de 32 threads");
  EXPECT_EQ(place(Language::French, "64", "1"), "k · 64 blocs de 1 thread");
  EXPECT_EQ(counted_phrase(Language::English, Text::figure_partitions_missing, 0),
            "0 blocks are not shown: their accesses were not stored or not read.");
  EXPECT_EQ(counted_phrase(Language::English, Text::figure_partitions_missing, 1),
            "1 block is not shown: its accesses were not stored or not read.");
  EXPECT_EQ(counted_phrase(Language::French, Text::figure_partitions_missing, 0).substr(0, 6), "0 bloc");
}

}  // namespace
}  // namespace lanescope
