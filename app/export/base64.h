// Bytes as text, for files that hold others. Source: RFC 4648, section 4. Test:
// tests/unit/export/base64_test.cpp

#pragma once

#include <string>
#include <string_view>

namespace lanescope::exporting {

/// One line, with padding.
std::string base64(std::string_view bytes);

}  // namespace lanescope::exporting
