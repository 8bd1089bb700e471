// An SQLite database that is open, and its statements. Method: a thin layer over SQLite's interface in C,
// with its result codes as errors. Tests: tests/unit/sweep/database_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace lanescope::sweep {

/// A prepared statement. A failure stays: what follows it does nothing, and Connection::error() tells it.
class Statement {
 public:
  /// Values in the order of the question marks, from the first.
  Statement& bind(std::string_view text);
  Statement& bind(uint64_t number);
  Statement& bind(double number);
  Statement& bind_null();
  /// True for a row, false at the end and after a failure.
  bool step();
  /// Whether the last step failed.
  bool failed() const { return failed_; }
  /// Ready for the next values.
  void reset();

  bool is_null(int column) const;
  std::string text(int column) const;
  uint64_t number(int column) const;
  double real(int column) const;

 private:
  friend class Connection;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int bound_ = 0;
  bool failed_ = false;
};

class Connection {
 public:
  enum class Mode { Read, Write };
  /// Errors: File.
  static Result<Connection> open(const std::filesystem::path& file, Mode mode);

  /// Errors: File, with SQLite's words and `what` was to be done.
  Result<void> run(std::string_view what, const std::string& sql);
  Result<Statement> prepare(const char* sql);
  /// The first value of the first row of the answer.
  Result<uint64_t> number(const char* sql);
  /// Whether the latest failure is that a key is there already.
  bool is_taken() const;
  /// The latest failure as an error.
  Error error(std::string_view what) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
  std::string file_;
};

}  // namespace lanescope::sweep
