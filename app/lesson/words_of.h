// Splits a paragraph into words, between which a line may end. Test: tests/unit/lesson/words_of_test.cpp

#pragma once

#include "lesson/markdown.h"

#include <string_view>
#include <vector>

namespace lanescope::lesson {

/// A part of a word in one face: "`out`," has two.
struct WordPart {
  Run::Face face = Run::Face::Plain;
  std::string_view text;  // of the paragraph
  bool operator==(const WordPart&) const = default;
};
using Word = std::vector<WordPart>;

/// The words of runs in order, without the spaces between them. A change of face does not end a word.
std::vector<Word> words_of(const std::vector<Run>& runs);

}  // namespace lanescope::lesson
