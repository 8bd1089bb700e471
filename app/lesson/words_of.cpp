#include "lesson/words_of.h"

#include <algorithm>

namespace lanescope::lesson {

std::vector<Word> words_of(const std::vector<Run>& runs) {
  std::vector<Word> words;
  bool is_open = false;  // the last word goes on
  for (const Run& run : runs) {
    std::string_view rest = run.text;
    while (!rest.empty()) {
      const bool is_space = rest.front() == ' ';
      const size_t length = std::min(is_space ? rest.find_first_not_of(' ') : rest.find(' '), rest.size());
      if (!is_space) {
        if (!is_open) words.emplace_back();
        words.back().push_back({run.face, rest.substr(0, length)});
      }
      is_open = !is_space;
      rest.remove_prefix(length);
    }
  }
  return words;
}

}  // namespace lanescope::lesson
