#include "sweep/database.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::sweep {
namespace {

namespace fs = std::filesystem;

const char* const kSchema = R"(
CREATE TABLE sweep (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE axes (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, option TEXT NOT NULL);
CREATE TABLE choices (axis INTEGER NOT NULL, position INTEGER NOT NULL, value TEXT NOT NULL,
                      PRIMARY KEY (axis, position)) WITHOUT ROWID;
CREATE TABLE combinations (number INTEGER PRIMARY KEY, problem TEXT, note TEXT, entry TEXT, launch_grid TEXT,
                           launch_block TEXT, shared_bytes INTEGER, launches INTEGER, provenance TEXT,
                           output_correct INTEGER, requests INTEGER, lanes INTEGER, bytes INTEGER,
                           sectors INTEGER, ideal_sectors INTEGER, lines INTEGER, wavefronts INTEGER,
                           ideal_wavefronts INTEGER, warp_instructions INTEGER, lane_instructions INTEGER,
                           findings INTEGER, l1_load_sectors INTEGER, l1_load_sectors_hit INTEGER,
                           l2_read_sectors INTEGER, l2_read_sectors_hit INTEGER, dram_read_bytes INTEGER,
                           seconds REAL);
CREATE TABLE settings (combination INTEGER NOT NULL, axis INTEGER NOT NULL, value TEXT NOT NULL,
                       PRIMARY KEY (combination, axis)) WITHOUT ROWID;
CREATE TABLE totals (combination INTEGER NOT NULL, kind TEXT NOT NULL, requests INTEGER, lanes INTEGER,
                     bytes INTEGER, sectors INTEGER, ideal_sectors INTEGER, lines INTEGER, wavefronts INTEGER,
                     ideal_wavefronts INTEGER, PRIMARY KEY (combination, kind)) WITHOUT ROWID;
CREATE TABLE findings (combination INTEGER NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL,
                       PRIMARY KEY (combination, kind)) WITHOUT ROWID;
)";

constexpr const char* kWhatToDo = "the rows cannot be stored; free some room, and the same command goes on";

/// Values of one row of a table; absent ones are null.
void bind_totals(Statement& statement, const trace::Totals& totals) {
  for (const auto& [name, member] : kCounts) statement.bind(totals.*member);
}

trace::Totals totals_at(const Statement& statement, int column) {
  trace::Totals totals;
  for (const auto& [name, member] : kCounts) totals.*member = statement.number(column++);
  return totals;
}

void bind_caches(Statement& statement, const std::optional<CacheCounts>& caches) {
  for (const auto& [name, member] : kCacheCounts)
    caches ? statement.bind((*caches).*member) : statement.bind_null();
}

void bind_row(Statement& statement, const Row& row) {
  statement.bind(row.number);
  const auto text = [&](const std::string& value) {
    value.empty() ? statement.bind_null() : statement.bind(value);
  };
  text(row.problem);
  text(row.note);
  text(row.kernel);
  text(row.grid);
  text(row.block);
  if (!row.problem.empty()) {
    for (int n = 0; n < 20; ++n) statement.bind_null();
  } else {
    statement.bind(row.shared_bytes).bind(row.launches).bind(row.provenance);
    row.output_correct ? statement.bind(uint64_t{*row.output_correct ? 1u : 0u}) : statement.bind_null();
    bind_totals(statement, row.sum());
    statement.bind(row.warp_instructions).bind(row.lane_instructions).bind(row.finding_count());
    bind_caches(statement, row.caches);
  }
  statement.bind(row.seconds);
}

}  // namespace

Result<Database> Database::open(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return fail(ErrorKind::File, "there is no such file; 'lanescope sweep ... -o FILE.sqlite' makes one",
                Location{file.string(), 0});
  TRY(Connection connection, Connection::open(file, Connection::Mode::Read));
  Database database(std::move(connection), file);
  TRY_VOID(database.read_definition());
  return database;
}

Result<Database> Database::open_or_create(const fs::path& file, const Definition& definition) {
  std::error_code ignored;
  const bool is_new = !fs::exists(file, ignored) || fs::file_size(file, ignored) == 0;
  TRY(Connection connection, Connection::open(file, Connection::Mode::Write));
  Database database(std::move(connection), file);
  // A journal that a killed process left gives the file its former size, which may be none.
  if (is_new || database.connection_.number("SELECT count(*) FROM sqlite_schema").value_or(1) == 0) {
    TRY_VOID(database.create(definition));
    return database;
  }
  TRY_VOID(database.read_definition());
  const Definition& own = database.definition_;
  if (const std::string differs = difference(own, definition, file.string(), "this command");
      !differs.empty()) {
    const bool is_other_sweep = own.version == definition.version && own.sources == definition.sources;
    return fail(is_other_sweep ? ErrorKind::Usage : ErrorKind::File,
                fmt::format("{}; choose another -o, or delete the file", differs));
  }
  if (own.shard != definition.shard)
    return fail(ErrorKind::Usage,
                fmt::format("{} has {}, not {}; choose another -o, and merge the files in the end",
                            file.string(), name_of(own.shard), name_of(definition.shard)));
  return database;
}

Result<void> Database::create(const Definition& definition) {
  constexpr const char* kWhat = "the database cannot be written";
  // Where another process made it meanwhile, CREATE TABLE fails.
  TRY_VOID(
      connection_.run(kWhat, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE;"));
  TRY_VOID(connection_.run(kWhat, kSchema));
  TRY_VOID(connection_.run(kWhat, fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                                              kApplicationId, kDatabaseVersion)));
  const std::vector<std::pair<const char*, std::string>> entries{
      {"lanescope", definition.version},
      {"subject", definition.subject},
      {"options",
       nlohmann::json(definition.options).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)},
      {"sources", definition.sources},
      {"shard", fmt::format("{}/{}", definition.shard.index, definition.shard.count)},
      {"combinations", fmt::to_string(combinations(definition.axes))}};
  TRY(Statement sweep, connection_.prepare("INSERT INTO sweep VALUES (?, ?)"));
  for (const auto& [key, value] : entries) {
    sweep.reset();
    sweep.bind(std::string_view(key)).bind(std::string_view(value)).step();
  }
  TRY(Statement axes, connection_.prepare("INSERT INTO axes VALUES (?, ?, ?)"));
  TRY(Statement choices, connection_.prepare("INSERT INTO choices VALUES (?, ?, ?)"));
  for (uint64_t n = 0; n < definition.axes.size(); ++n) {
    const Axis& axis = definition.axes[n];
    axes.reset();
    axes.bind(n).bind(std::string_view(axis.name)).bind(std::string_view(axis.option)).step();
    for (uint64_t position = 0; position < axis.values.size(); ++position) {
      choices.reset();
      choices.bind(n).bind(position).bind(std::string_view(axis.values[position])).step();
    }
  }
  if (sweep.failed() || axes.failed() || choices.failed()) return std::unexpected(connection_.error(kWhat));
  sweep.reset();
  axes.reset();
  choices.reset();
  TRY_VOID(connection_.run(kWhat, "COMMIT"));
  definition_ = definition;
  return {};
}

Result<void> Database::read_definition() {
  const auto refuse = [&](std::string sentence) {
    return fail(ErrorKind::File, std::move(sentence), Location{file_.string(), 0});
  };
  const auto id = connection_.number("PRAGMA application_id");
  if (!id) {
    // SQLite reads nothing of a file before the first question.
    const bool is_none = id.error().message.ends_with("file is not a database");
    return is_none ? refuse("the file is no database; choose another name for that of a sweep")
                   : std::unexpected(id.error());
  }
  if (*id != kApplicationId) return refuse("the database is not that of a sweep; choose another name");
  TRY(const uint64_t version, connection_.number("PRAGMA user_version"));
  if (version != kDatabaseVersion)
    return refuse(fmt::format("the tables are of version {}, and this program has version {}", version,
                              kDatabaseVersion));
  std::map<std::string, std::string> values;
  TRY(Statement sweep, connection_.prepare("SELECT key, value FROM sweep"));
  while (sweep.step()) values[sweep.text(0)] = sweep.text(1);
  definition_.version = values["lanescope"];
  definition_.subject = values["subject"];
  definition_.sources = values["sources"];
  const auto options = nlohmann::json::parse(values["options"], nullptr, false);
  const auto shard = parse_shard(values["shard"]);
  if (sweep.failed() || !options.is_array() || !shard) return refuse("the table 'sweep' is damaged");
  definition_.shard = *shard;
  for (const auto& option : options)
    if (option.is_string()) definition_.options.push_back(option);
  TRY(Statement axes, connection_.prepare("SELECT name, option FROM axes ORDER BY number"));
  while (axes.step())
    definition_.axes.push_back({.option = axes.text(1), .name = axes.text(0), .values = {}});
  TRY(Statement choices, connection_.prepare("SELECT axis, value FROM choices ORDER BY axis, position"));
  while (choices.step())
    if (choices.number(0) < definition_.axes.size())
      definition_.axes[choices.number(0)].values.push_back(choices.text(1));
  const bool is_empty =
      std::ranges::any_of(definition_.axes, [](const Axis& axis) { return axis.values.empty(); });
  if (axes.failed() || choices.failed() || is_empty || !check_axes(definition_.axes))
    return refuse("the tables 'axes' and 'choices' are damaged");
  return {};
}

Result<std::vector<bool>> Database::done() {
  std::vector<bool> done(combinations(definition_.axes));
  TRY(Statement numbers, connection_.prepare("SELECT number FROM combinations"));
  while (numbers.step())
    if (numbers.number(0) < done.size()) done[numbers.number(0)] = true;
  if (numbers.failed()) return std::unexpected(connection_.error("the rows cannot be read"));
  return done;
}

Result<void> Database::insert(std::span<const Row> rows) {
  TRY_VOID(connection_.run(kWhatToDo, "BEGIN IMMEDIATE"));
  const auto inserted = insert_all(rows);
  if (inserted) {
    const auto committed = connection_.run(kWhatToDo, "COMMIT");
    if (committed) return {};
    (void)connection_.run(kWhatToDo, "ROLLBACK");
    return committed;
  }
  (void)connection_.run(kWhatToDo, "ROLLBACK");
  return inserted;
}

Result<void> Database::insert_all(std::span<const Row> rows) {
  TRY(Statement combination,
      connection_.prepare("INSERT INTO combinations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                          "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  TRY(Statement setting, connection_.prepare("INSERT INTO settings VALUES (?, ?, ?)"));
  TRY(Statement total, connection_.prepare("INSERT INTO totals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  TRY(Statement finding, connection_.prepare("INSERT INTO findings VALUES (?, ?, ?)"));
  for (const Row& row : rows) {
    combination.reset();
    bind_row(combination, row);
    combination.step();
    if (combination.failed() && connection_.is_taken())
      return fail(ErrorKind::File,
                  fmt::format("another process stored combination {} meanwhile; give each process a -o of "
                              "its own, and merge the files in the end",
                              row.number),
                  Location{file_.string(), 0});
    const std::vector<std::string> values = values_of(definition_.axes, row.number);
    for (uint64_t axis = 0; axis < values.size(); ++axis) {
      setting.reset();
      setting.bind(row.number).bind(axis).bind(std::string_view(values[axis])).step();
    }
    for (const auto& [kind, totals] : row.totals) {
      total.reset();
      total.bind(row.number).bind(std::string_view(kind));
      bind_totals(total, totals);
      total.step();
    }
    for (const auto& [kind, count] : row.findings) {
      finding.reset();
      finding.bind(row.number).bind(std::string_view(kind)).bind(count).step();
    }
    if (combination.failed() || setting.failed() || total.failed() || finding.failed())
      return std::unexpected(connection_.error(kWhatToDo));
  }
  return {};
}

Result<std::vector<Row>> Database::rows(uint64_t first, uint64_t end) {
  std::vector<Row> rows;
  std::map<uint64_t, size_t> at;  // [number]
  TRY(Statement all,
      connection_.prepare("SELECT number, problem, note, entry, launch_grid, launch_block, shared_bytes, "
                          "launches, provenance, output_correct, warp_instructions, lane_instructions, "
                          "l1_load_sectors, l1_load_sectors_hit, l2_read_sectors, l2_read_sectors_hit, "
                          "dram_read_bytes, seconds FROM combinations WHERE number >= ? AND number < ? "
                          "ORDER BY number"));
  all.bind(first).bind(end);
  while (all.step()) {
    Row row{.number = all.number(0),
            .problem = all.text(1),
            .note = all.text(2),
            .kernel = all.text(3),
            .grid = all.text(4),
            .block = all.text(5),
            .shared_bytes = all.number(6),
            .launches = all.number(7),
            .provenance = all.text(8),
            .output_correct = {},
            .warp_instructions = all.number(10),
            .lane_instructions = all.number(11),
            .totals = {},
            .findings = {},
            .caches = {},
            .seconds = all.real(17)};
    if (!all.is_null(9)) row.output_correct = all.number(9) != 0;
    if (!all.is_null(12))
      row.caches = {all.number(12), all.number(13), all.number(14), all.number(15), all.number(16)};
    at[row.number] = rows.size();
    rows.push_back(std::move(row));
  }
  TRY(Statement totals,
      connection_.prepare(
          "SELECT combination, kind, requests, lanes, bytes, sectors, ideal_sectors, lines, "
          "wavefronts, ideal_wavefronts FROM totals WHERE combination >= ? AND combination < ? "
          "ORDER BY combination, kind"));
  totals.bind(first).bind(end);
  while (totals.step())
    if (const auto row = at.find(totals.number(0)); row != at.end())
      rows[row->second].totals.emplace_back(totals.text(1), totals_at(totals, 2));
  TRY(Statement findings,
      connection_.prepare("SELECT combination, kind, count FROM findings WHERE combination >= ? AND "
                          "combination < ? ORDER BY combination, kind"));
  findings.bind(first).bind(end);
  while (findings.step())
    if (const auto row = at.find(findings.number(0)); row != at.end())
      rows[row->second].findings.emplace_back(findings.text(1), findings.number(2));
  if (all.failed() || totals.failed() || findings.failed())
    return std::unexpected(connection_.error("the rows cannot be read"));
  return rows;
}

}  // namespace lanescope::sweep
