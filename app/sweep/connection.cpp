#include "sweep/connection.h"

#include "base/pipe.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace lanescope::sweep {

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::bind(std::string_view text) {
  sqlite3_bind_text(handle_.get(), ++bound_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::bind(uint64_t number) {
  sqlite3_bind_int64(handle_.get(), ++bound_, static_cast<sqlite3_int64>(number));
  return *this;
}

Statement& Statement::bind(double number) {
  sqlite3_bind_double(handle_.get(), ++bound_, number);
  return *this;
}

Statement& Statement::bind_null() {
  sqlite3_bind_null(handle_.get(), ++bound_);
  return *this;
}

bool Statement::step() {
  if (failed_) return false;
  const int code = sqlite3_step(handle_.get());
  failed_ = code != SQLITE_ROW && code != SQLITE_DONE;
  return code == SQLITE_ROW;
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
  bound_ = 0;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

std::string Statement::text(int column) const {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  return text == nullptr
             ? std::string()
             : std::string(text, static_cast<size_t>(sqlite3_column_bytes(handle_.get(), column)));
}

uint64_t Statement::number(int column) const {
  return static_cast<uint64_t>(sqlite3_column_int64(handle_.get(), column));
}

double Statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }

void Connection::Close::operator()(sqlite3* handle) const { sqlite3_close(handle); }

Result<Connection> Connection::open(const std::filesystem::path& file, Mode mode) {
  TRY_VOID(refuse_pipe(file));
  Connection connection;
  connection.file_ = file.string();
  const int flags = mode == Mode::Read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  connection.handle_.reset(handle);
  if (code != SQLITE_OK) return std::unexpected(connection.error("the database cannot be opened"));
  constexpr int kPatience = 10'000;  // ms, for another process that reads or writes
  sqlite3_busy_timeout(handle, kPatience);
  return connection;
}

Result<void> Connection::run(std::string_view what, const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return std::unexpected(error(what));
}

Result<Statement> Connection::prepare(const char* sql) {
  sqlite3_stmt* handle = nullptr;
  Statement statement;
  const int code = sqlite3_prepare_v2(handle_.get(), sql, -1, &handle, nullptr);
  statement.handle_.reset(handle);
  if (code != SQLITE_OK) return std::unexpected(error("the database cannot be read"));
  return statement;
}

Result<uint64_t> Connection::number(const char* sql) {
  TRY(Statement statement, prepare(sql));
  const bool has_row = statement.step();
  if (statement.failed()) return std::unexpected(error("the database cannot be read"));
  return has_row ? statement.number(0) : 0;
}

bool Connection::is_taken() const { return (sqlite3_errcode(handle_.get()) & 0xff) == SQLITE_CONSTRAINT; }

Error Connection::error(std::string_view what) const {
  const char* const reason = handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory";
  return {ErrorKind::File, fmt::format("{}: {}", what, reason), Location{file_, 0}};
}

}  // namespace lanescope::sweep
