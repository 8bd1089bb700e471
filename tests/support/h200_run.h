// What an H200 left in memory and counted, as tests/data/h200 keeps it. Method and provenance: the README
// there.

#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lanescope::tests {

/// A CSV file whose first line names the columns: [row][column name]. No quotes, no commas inside.
using Table = std::vector<std::map<std::string, std::string>>;
Result<Table> read_table(const std::filesystem::path& file);

/// The bytes of a file compressed by gzip.
Result<std::vector<std::byte>> unzip(const std::filesystem::path& file);

}  // namespace lanescope::tests
