// Live numbers in a text: "{{EXPRESSION}}" is replaced by the value that the expression has in a run, in
// bold. The expressions are those of lesson/expression.h; pipeline/live_numbers.h knows the names. Tests:
// tests/unit/lesson/live_text_test.cpp

#pragma once

#include "base/error.h"
#include "base/text.h"
#include "lesson/expression.h"

#include <string>
#include <string_view>

namespace lanescope::lesson {

/// Error (Syntax) where a live number is not closed or is no expression.
Result<void> check_live_text(std::string_view markdown, const Location& where);

/// The text with its numbers, each in bold ("**32**"). Errors: those of `lookup`, and division by zero.
Result<std::string> fill_live_text(std::string_view markdown, const Location& where, Language language,
                                   const Expression::RealLookup& lookup);

/// The text before its numbers are known: an ellipsis for each.
std::string empty_live_text(std::string_view markdown);

/// "1,024", "2.5", "0.031": whole numbers with separators, others with at least two significant digits.
std::string live_number_text(Language language, double value);

/// Whether a guess is the answer: equal as both are printed.
bool is_right_guess(double guess, double answer);

}  // namespace lanescope::lesson
