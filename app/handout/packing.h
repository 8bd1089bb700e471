// What a handout's page carries besides its text: files in base64, compressed so that a browser's
// DecompressionStream unpacks them. Test: tests/unit/handout/page_test.cpp

#pragma once

#include <string>
#include <string_view>

namespace lanescope::handout {

/// `bytes` in the format that browsers call "deflate" (RFC 1950).
std::string deflated(std::string_view bytes);

/// JSON in which a page's `<script>` does not end: every '<' is escaped.
std::string for_script(std::string json);

}  // namespace lanescope::handout
