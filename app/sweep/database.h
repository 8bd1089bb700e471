// A sweep's results as a file, an SQLite database, which any SQLite tool opens and any language reads; the
// tables are in docs/sweeps.md. Method: rows are stored in transactions of a rollback journal, which holds on
// a network's file system too, so that a process that is killed at any moment leaves whole rows. The
// definition comes with the first transaction; later ones are refused unless theirs is the same.
// Tests: tests/unit/sweep/database_test.cpp, tests/cli/sweep_test.cpp

#pragma once

#include "base/error.h"
#include "sweep/connection.h"
#include "sweep/definition.h"
#include "sweep/row.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace lanescope::sweep {

inline constexpr int kDatabaseVersion = 1;
inline constexpr int kApplicationId = 0x4c535750;  // "LSWP", in the file's header

/// Beyond each number of a combination, as SQLite can say it.
inline constexpr uint64_t kEndOfNumbers = std::numeric_limits<int64_t>::max();

class Database {
 public:
  /// To read. Errors: File if it cannot be opened, is no database, no sweep's, or of another version.
  static Result<Database> open(const std::filesystem::path& file);
  /// To go on, or a new one. Errors: those of open(); Usage where the file has another sweep or shard, File
  /// where its version or its sources are others.
  static Result<Database> open_or_create(const std::filesystem::path& file, const Definition& definition);

  const Definition& definition() const { return definition_; }
  /// [number] whether the combination has a row.
  Result<std::vector<bool>> done();
  /// All or, after an error, none of the rows. Errors: File, with what to do.
  Result<void> insert(std::span<const Row> rows);
  /// In the order of their numbers: all, or those with numbers from `first` to below `end`.
  Result<std::vector<Row>> rows(uint64_t first = 0, uint64_t end = kEndOfNumbers);

 private:
  Database(Connection connection, std::filesystem::path file)
      : connection_(std::move(connection)), file_(std::move(file)) {}
  Result<void> read_definition();
  Result<void> create(const Definition& definition);
  Result<void> insert_all(std::span<const Row> rows);

  Connection connection_;
  std::filesystem::path file_;
  Definition definition_;
};

}  // namespace lanescope::sweep
