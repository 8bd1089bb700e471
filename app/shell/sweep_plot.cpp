#include "shell/sweep_plot.h"

#include "base/file.h"
#include "export/columns.h"
#include "export/export.h"
#include "sweep/database.h"
#include "sweep/figure.h"

#include <filesystem>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

Result<sweep::Question> question_of(const SweepPlotArguments& arguments) {
  sweep::Question question{.x = arguments.x, .by = arguments.by, .y = arguments.y, .where = {}};
  for (const std::string& where : arguments.where) {
    const size_t equals = where.find('=');
    if (equals == std::string::npos)
      return fail(ErrorKind::Usage,
                  fmt::format("--where takes AXIS=VALUE, for example size=1024; found '{}'", where));
    question.where.emplace_back(where.substr(0, equals), where.substr(equals + 1));
  }
  if (question.y.empty())
    return fail(ErrorKind::Usage,
                "--y NUMBER is missing, what of the sweep is shown, for example --y wavefronts");
  if (question.x.empty() && arguments.as != "best")
    return fail(ErrorKind::Usage, "--x AXIS is missing, what of the sweep goes along, for example --x size");
  if (question.by.empty() && arguments.as == "map")
    return fail(ErrorKind::Usage, "--by AXIS is missing, what of the sweep goes down the map");
  return question;
}

/// The table of a figure in columns.
std::string text_of_table(const plot::Table& table) {
  std::vector<exporting::Align> aligns;
  std::vector<std::string> names;
  for (size_t n = 0; n < table.columns.size(); ++n) {
    const bool is_text = !table.rows.empty() && std::holds_alternative<std::string>(table.rows.front()[n]);
    aligns.push_back(is_text ? exporting::Align::Left : exporting::Align::Right);
    names.push_back(table.columns[n].name);
  }
  exporting::Columns columns(std::move(aligns));
  columns.add(std::move(names));
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const plot::TableValue& value : row)
      cells.push_back(std::visit([](const auto& one) { return fmt::format("{}", one); }, value));
    columns.add(std::move(cells));
  }
  return columns.text();
}

Result<int> write_best(sweep::Database& database, const sweep::Question& question,
                       const SweepPlotArguments& arguments, const std::string& output,
                       const plot::Frame& frame) {
  const std::string extension = fs::path(output).extension().string();
  if (!output.empty() && extension != ".csv" && extension != ".json" && extension != ".txt")
    return fail(ErrorKind::Usage,
                fmt::format("a table of the best is text, .csv or .json, not '{}'", output));
  TRY(const std::vector<sweep::Row> rows, database.rows());
  const auto order = arguments.largest ? sweep::Order::Largest : sweep::Order::Least;
  TRY(const std::vector<sweep::Best> best, sweep::best(database.definition(), rows, question, order));
  const plot::Figure figure = sweep::best_table(
      best, order, {database.definition(), question, fs::path(arguments.from).filename().string()},
      sweep::provenance_of(rows, question.y), frame);
  const std::string text = fmt::format("{} ({}), {}\n{}", figure.title, name_of(figure.provenance),
                                       figure.subtitle, text_of_table(figure.table));
  if (output.empty()) {
    fmt::print("{}", text);
    return 0;
  }
  if (extension == ".txt")
    TRY_VOID(write_file(output, text));
  else
    TRY_VOID(exporting::write_figure(figure, output, {}));
  return 0;
}

}  // namespace

void add_sweep_plot_options(const Verb& verb, SweepPlotArguments& arguments) {
  verb.add("--from", arguments.from, "FILE.sqlite: draw a sweep's results in place of a run");
  verb.add("--x", arguments.x, "of a sweep: the axis that goes along, as size");
  verb.add("--y", arguments.y,
           "of a sweep: the number that is shown, as wavefronts, global_load_sectors, race, or A/B");
  verb.add("--by", arguments.by,
           "of a sweep: another axis, a line for each of its values, or what goes down a map");
  verb.add("--where", arguments.where, "AXIS=VALUE of a sweep: only these combinations").repeatable();
  verb.add("--as", arguments.as,
           "of a sweep: lines (default), map, or best, a table of the combinations with the least --y for "
           "each --x")
      .one_of({"lines", "map", "best"});
  verb.add("--largest", arguments.largest, "with --as best: those with the largest");
}

Result<int> plot_sweep(const SweepPlotArguments& arguments, const std::string& output,
                       const plot::Frame& frame, const LookArguments& look, const Paths& paths) {
  TRY(const sweep::Question question, question_of(arguments));
  if (arguments.as != "best") TRY_VOID(exporting::check_format(output));
  TRY(sweep::Database database, sweep::Database::open(arguments.from));
  if (arguments.as == "best") return write_best(database, question, arguments, output, frame);
  TRY(const std::vector<sweep::Row> rows, database.rows());
  TRY(const sweep::Selection selection, sweep::select(database.definition(), rows, question));
  const sweep::Drawn drawn{database.definition(), question, fs::path(arguments.from).filename().string()};
  const plot::Figure figure = arguments.as == "map" ? sweep::map_figure(selection, drawn, frame)
                                                    : sweep::line_figure(selection, drawn, frame);
  exporting::Style style;
  style.font_directory = paths.fonts;
  style.theme = theme_of(look);
  TRY_VOID(exporting::write_figure(figure, output, style));
  return 0;
}

}  // namespace lanescope::shell
