// What a person reads of an exercise on the command line: task, hints, solution. Markdown is printed as it
// is, in lines of at most 100 characters. Tests: tests/cli/check_test.cpp

#pragma once

#include "lesson/exercise.h"

#include <cstddef>
#include <string>

namespace lanescope::shell {

/// Its title, and what to write.
std::string task_text(const lesson::Exercise& exercise, Language language);
size_t hints_of(const lesson::Exercise& exercise);
/// Hint `number`, from 1. Error (Usage): there are fewer.
Result<std::string> hint_text(const lesson::Exercise& exercise, size_t number, Language language);
/// The source, and why it is so. Error (File): the source cannot be read.
Result<std::string> solution_text(const lesson::Exercise& exercise, Language language);

}  // namespace lanescope::shell
