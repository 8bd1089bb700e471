// What a handout's page carries besides its text: files in base64, compressed so that a browser's
// DecompressionStream unpacks them. Tests: tests/unit/handout/{page,packed_trace}_test.cpp

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanescope::handout {

/// `bytes` in the format that browsers call "deflate" (RFC 1950).
std::string deflated(std::string_view bytes);

/// Whether deflated(bytes) has at most `most` bytes. Stops where it has more.
bool deflates_to(std::string_view bytes, size_t most);

/// JSON in which a page's `<script>` does not end: every '<' is escaped.
std::string for_script(std::string json);

}  // namespace lanescope::handout
