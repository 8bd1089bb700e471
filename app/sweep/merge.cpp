#include "sweep/merge.h"

#include "sweep/database.h"

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

}  // namespace

Result<Merged> merge(std::span<const fs::path> files, const fs::path& output) {
  std::map<uint64_t, Origin> rows;  // [number]
  Definition definition;
  Merged merged;
  for (const fs::path& file : files) {
    std::error_code ignored;
    if (fs::equivalent(file, output, ignored))
      return fail(ErrorKind::Usage,
                  fmt::format("{} is one of the files that are merged; give -o another name", file.string()));
    TRY(Database database, Database::open(file));
    if (&file == &files.front())
      definition = database.definition();
    else if (const std::string differs =
                 difference(database.definition(), definition, file.string(), files.front().string());
             !differs.empty())
      return fail(ErrorKind::Usage, differs + "; only parts of one sweep are merged");
    TRY(std::vector<Row> more, database.rows());
    for (Row& row : more) {
      const uint64_t number = row.number;
      const auto [at, is_new] = rows.try_emplace(number, Origin{row, &file});
      if (is_new) continue;
      ++merged.repeated;
      if (!agree(at->second.row, row))
        return fail(
            ErrorKind::File,
            fmt::format("{} has other results ({}) for {} than {} ({}); delete the wrong file, and run "
                        "its part again",
                        file.string(), counts_of(row), name_of(definition.axes, number),
                        at->second.file->string(), counts_of(at->second.row)));
    }
  }
  definition.shard = {};
  merged.rows = rows.size();
  merged.combinations = combinations(definition.axes);
  std::vector<Row> all;
  all.reserve(rows.size());
  for (auto& [number, origin] : rows) all.push_back(std::move(origin.row));
  const fs::path made = output.string() + ".new";
  std::error_code ignored;
  fs::remove(made, ignored);
  {
    TRY(Database database, Database::open_or_create(made, definition));
    if (const auto inserted = database.insert(all); !inserted) {
      fs::remove(made, ignored);
      return std::unexpected(inserted.error());
    }
  }
  TRY_VOID(replace(made, output));
  return merged;
}

}  // namespace lanescope::sweep
