// A page of marks as PDF without Cairo, for the browser. Method: the letters that the page has are fonts of
// outlines (Type 3), so the file looks the same wherever it is opened, and its text can be selected and
// searched. Cells are an image. Source: PDF Reference, version 1.4. Test: tests/page/filled_marks_test.cpp

#pragma once

#include "base/error.h"
#include "export/glyph_outlines.h"
#include "export/page.h"

#include <string>

namespace lanescope::exporting {

/// What a viewer shows of a file beside its page.
struct PdfTexts {
  std::string title, subject;
};
/// Errors: Internal, where memory is full.
Result<std::string> pdf_of(const Page& page, const PdfTexts& texts, plot::Theme theme, GlyphFaces& faces);

}  // namespace lanescope::exporting
