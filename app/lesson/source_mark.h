// Marks of source lines: a comment "// @MARK" names the accesses of its line for the lesson's text. Words may
// follow the mark; a student reads those alone. Test: tests/unit/lesson/source_mark_test.cpp

#pragma once

#include <string>
#include <string_view>

namespace lanescope::lesson {

/// "read" of "x = a[i];  // @read the neighbor"; empty: the line has no mark.
std::string_view mark_of(std::string_view line);

/// The text with the same lines, without their marks: "x = a[i];  // the neighbor".
std::string without_marks(std::string_view text);

}  // namespace lanescope::lesson
