// Pieces of HTML: texts of strangers in which nothing is markup, paragraphs, tables, and figures with a
// heading, a sentence and a table, so that a reader without pictures has the same. Test:
// tests/unit/handout/markup_test.cpp

#pragma once

#include "base/error.h"
#include "base/provenance.h"
#include "base/text.h"
#include "lesson/markdown.h"
#include "plot/figure.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::handout {

/// Text in which nothing is markup, also between the quotes of an attribute.
std::string plain(std::string_view text);

/// "emulated" in a rounded outline, in the language.
std::string badge(Provenance provenance, Language language);

std::string paragraphs(std::span<const lesson::Paragraph> all);

/// The most rows of a table that a figure shows; the sentence below says how many there are more.
inline constexpr size_t kMostRows = 64;

/// A figure with its heading at the level of `h3`, light or dark as the page is. Errors: those of
/// exporting::svg_of_both_themes().
Result<std::string> figure_html(const plot::Figure& figure);

}  // namespace lanescope::handout
