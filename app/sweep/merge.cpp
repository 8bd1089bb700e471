#include "sweep/merge.h"

#include "sweep/database.h"

#include <algorithm>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace lanescope::sweep {
namespace {

namespace fs = std::filesystem;

/// A row and the file that has it first.
struct Origin {
  Row row;
  const fs::path* file = nullptr;
};

Result<void> replace(const fs::path& made, const fs::path& output) {
  std::error_code problem;
  fs::rename(made, output, problem);
  if (!problem) return {};
  std::error_code ignored;
  fs::remove(made, ignored);
  return fail(ErrorKind::File, fmt::format("the database cannot be written: {}", problem.message()),
              Location{output.string(), 0});
}

/// What counts of two rows of a combination, for an error.
std::string counts_of(const Row& row) {
  if (!row.problem.empty()) return "'" + row.problem + "'";
  const trace::Totals sum = row.sum();
  return fmt::format("{} sectors, {} wavefronts, {} findings", sum.sectors, sum.wavefronts,
                     row.finding_count());
}

/// The files of one sweep, those that stay open among them.
struct Parts {
  std::span<const fs::path> files;
  std::vector<Database> open;  // [file], or none where there are too many
  Definition definition = {};  // without a shard

  /// The rows of a file with numbers from `first` to below `end`.
  Result<std::vector<Row>> rows(size_t file, uint64_t first, uint64_t end) {
    if (!open.empty()) return open[file].rows(first, end);
    TRY(Database database, Database::open(files[file]));
    return database.rows(first, end);
  }
};

Result<Parts> open_parts(std::span<const fs::path> files, const fs::path& output, size_t most_open) {
  Parts parts{.files = files, .open = {}};
  for (const fs::path& file : files) {
    std::error_code ignored;
    if (fs::equivalent(file, output, ignored))
      return fail(ErrorKind::Usage,
                  fmt::format("{} is one of the files that are merged; give -o another name", file.string()));
    TRY(Database database, Database::open(file));
    if (&file == &files.front())
      parts.definition = database.definition();
    else if (const std::string differs =
                 difference(database.definition(), parts.definition, file.string(), files.front().string());
             !differs.empty())
      return fail(ErrorKind::Usage, differs + "; only parts of one sweep are merged");
    if (files.size() <= most_open) parts.open.push_back(std::move(database));
  }
  parts.definition.shard = {};
  return parts;
}

/// Those with numbers from `first` to below `end` of all files, in their order.
Result<std::vector<Row>> merged_rows(Parts& parts, uint64_t first, uint64_t end, Merged& merged) {
  std::map<uint64_t, Origin> rows;  // [number]
  for (size_t n = 0; n < parts.files.size(); ++n) {
    const fs::path& file = parts.files[n];
    TRY(std::vector<Row> more, parts.rows(n, first, end));
    for (Row& row : more) {
      const uint64_t number = row.number;
      const auto [at, is_new] = rows.try_emplace(number);
      if (is_new) {
        at->second = {std::move(row), &file};
        continue;
      }
      ++merged.repeated;
      if (!agree(at->second.row, row))
        return fail(
            ErrorKind::File,
            fmt::format("{} has other results ({}) for {} than {} ({}); delete the wrong file, and run "
                        "its part again",
                        file.string(), counts_of(row), name_of(parts.definition.axes, number),
                        at->second.file->string(), counts_of(at->second.row)));
    }
  }
  std::vector<Row> all;
  all.reserve(rows.size());
  for (auto& [number, origin] : rows) all.push_back(std::move(origin.row));
  merged.rows += all.size();
  return all;
}

/// Writes the rows to a new database.
Result<Merged> write_merged(Parts& parts, const fs::path& made, uint64_t at_once) {
  Merged merged{.combinations = combinations(parts.definition.axes)};
  TRY(Database database, Database::open_or_create(made, parts.definition));
  for (uint64_t first = 0; first < merged.combinations; first += at_once) {
    TRY(const std::vector<Row> rows,
        merged_rows(parts, first, std::min(first + at_once, merged.combinations), merged));
    TRY_VOID(database.insert(rows));
  }
  return merged;
}

}  // namespace

Result<Merged> merge(std::span<const fs::path> files, const fs::path& output, const MergeSize& size) {
  std::error_code ignored;
  if (fs::exists(output, ignored) && !fs::is_regular_file(output, ignored))
    return fail(ErrorKind::File, "a database is a regular file, and this is none; give -o another name",
                Location{output.string(), 0});
  TRY(Parts parts, open_parts(files, output, size.open_files));
  const fs::path made = output.string() + ".new";
  fs::remove(made, ignored);
  const auto merged = write_merged(parts, made, parts.open.empty() ? size.rows_of_many_files : size.rows);
  if (!merged) {
    fs::remove(made, ignored);
    return merged;
  }
  TRY_VOID(replace(made, output));
  return merged;
}

}  // namespace lanescope::sweep
