#include "export/profile.h"

#include "export/ncu_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using Fields = std::vector<std::string>;

/// Takes a row of the table off the text: fields between commas, with RFC 4180's quotation marks.
Fields take_row(std::string_view& text) {
  Fields row(1);
  bool is_quoted = false;
  size_t n = 0;
  for (; n < text.size(); ++n) {
    const char c = text[n];
    if (c == '"') {
      if (is_quoted && n + 1 < text.size() && text[n + 1] == '"')
        row.back() += text[n++];
      else
        is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      row.emplace_back();
    } else if (c == '\n' && !is_quoted) {
      break;
    } else if (c != '\r') {
      row.back() += c;
    }
  }
  text.remove_prefix(std::min(n + 1, text.size()));
  return row;
}

/// The first row that begins with "ID", and the text after it.
std::optional<Fields> take_header(std::string_view& text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    if (text.starts_with("\"ID\",") || text.starts_with("ID,")) return take_row(text);
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return std::nullopt;
}

std::optional<size_t> column_of(const Fields& header, std::string_view name) {
  const auto found = std::ranges::find(header, name);
  if (found == header.end()) return std::nullopt;
  return static_cast<size_t>(found - header.begin());
}

/// A count as any language groups its digits: "1,048,576", "1.048.576", "1048576", "12.00"; no value for
/// "n/a" and the like.
std::optional<uint64_t> count_of(std::string_view text) {
  std::string digits;
  size_t since_mark = 0;
  bool has_mark = false;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      digits += c;
      ++since_mark;
    } else {
      // Marks of several bytes, as a narrow space in UTF-8, leave no digit between their bytes.
      has_mark = true;
      since_mark = 0;
    }
  }
  // What follows the last mark is a group of thousands, or the fraction of a count, which is zero.
  const bool is_fraction = has_mark && since_mark != 0 && since_mark != 3;
  if (is_fraction) {
    if (!std::ranges::all_of(digits.substr(digits.size() - since_mark), [](char c) { return c == '0'; }))
      return std::nullopt;
    digits.resize(digits.size() - since_mark);
  }
  uint64_t count = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (digits.empty() || status != std::errc{}) return std::nullopt;
  return count;
}

/// "(32, 8, 1)", and "32, 8, 1" of older versions.
std::optional<Dim3> extent_of(std::string_view text) {
  std::array<uint32_t, 3> parts{1, 1, 1};
  size_t count = 0;
  for (size_t at = 0; at < text.size() && count < 3;) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) {
      ++at;
      continue;
    }
    const auto [end, status] = std::from_chars(text.data() + at, text.data() + text.size(), parts[count++]);
    if (status != std::errc{}) return std::nullopt;
    at = static_cast<size_t>(end - text.data());
  }
  if (count == 0) return std::nullopt;
  return Dim3{parts[0], parts[1], parts[2]};
}

/// "9.0" is 90.
std::optional<int> capability_of(std::string_view text) {
  int major = 0;
  int minor = 0;
  const auto [dot, status] = std::from_chars(text.data(), text.data() + text.size(), major);
  const char* const end = text.data() + text.size();
  if (status != std::errc{} || dot == end || *dot != '.') return std::nullopt;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc{}) return std::nullopt;
  return major * 10 + minor;
}

constexpr std::string_view kCommand = "ncu --set full --csv --page raw";

/// The columns of the table.
struct ProfileColumns {
  std::optional<size_t> id, process, kernel, grid, block, capability, registers;
  std::optional<size_t> metric, unit, value;  // of a table with a row for each metric
  std::vector<std::pair<size_t, trace::HardwareCount>> counts;
};

bool is_counted(trace::HardwareCount count) {
  return std::ranges::find(counted_traffic(), count, &CountedTraffic::count) != counted_traffic().end();
}

/// The count of a metric that follows from addresses.
std::optional<trace::HardwareCount> counted_metric(std::string_view metric) {
  const auto row = std::ranges::find(trace::hardware_count_rows(), metric, &trace::HardwareCountRow::metric);
  if (row == trace::hardware_count_rows().end() || !is_counted(row->count)) return std::nullopt;
  return row->count;
}

constexpr std::string_view kRegisters = "launch__registers_per_thread";

ProfileColumns columns_of_metric_rows(const Fields& header) {
  return {.id = column_of(header, "ID"),
          .process = column_of(header, "Process ID"),
          .kernel = column_of(header, "Kernel Name"),
          .grid = column_of(header, "Grid Size"),
          .block = column_of(header, "Block Size"),
          .capability = column_of(header, "CC"),
          .registers = {},
          .metric = column_of(header, "Metric Name"),
          .unit = column_of(header, "Metric Unit"),
          .value = column_of(header, "Metric Value"),
          .counts = {}};
}

ProfileColumns columns_of(const Fields& header, size_t& others) {
  ProfileColumns columns{.id = column_of(header, "ID"),
                         .process = {},
                         .kernel = column_of(header, "Kernel Name"),
                         .grid = column_of(header, "Grid Size"),
                         .block = column_of(header, "Block Size"),
                         .capability = column_of(header, "CC"),
                         .registers = column_of(header, kRegisters),
                         .metric = {},
                         .unit = {},
                         .value = {},
                         .counts = {}};
  for (size_t n = 0; n < header.size(); ++n) {
    if (const auto count = counted_metric(header[n]))
      columns.counts.emplace_back(n, *count);
    else if (header[n].contains("__") && header[n] != kRegisters)
      ++others;
  }
  return columns;
}

/// "Ksector" and the like: the count is rounded.
bool is_scaled(std::string_view unit) {
  return unit.size() > 1 && std::string_view("KMGT").contains(unit.front());
}

ProfiledLaunch launch_of(const Fields& row, const ProfileColumns& columns) {
  const auto field = [&](std::optional<size_t> column) {
    return column && *column < row.size() ? std::string_view(row[*column]) : std::string_view();
  };
  ProfiledLaunch launch{.kernel = kernel_of_signature(field(columns.kernel)),
                        .grid = extent_of(field(columns.grid)),
                        .block = extent_of(field(columns.block)),
                        .compute_capability = capability_of(field(columns.capability)),
                        .registers = count_of(field(columns.registers)),
                        .counts = {}};
  for (const auto& [column, count] : columns.counts) launch.counts[count] = count_of(field(column));
  return launch;
}

/// True if a row is of the same launch as `first`.
bool is_of_launch(const Fields& first, const Fields& row, const ProfileColumns& columns) {
  return std::ranges::all_of(std::array{columns.id, columns.process, columns.kernel}, [&](auto column) {
    return !column || (*column < row.size() && *column < first.size() && row[*column] == first[*column]);
  });
}

bool has_counts(const ProfiledLaunch& launch) {
  return std::ranges::any_of(trace::hardware_count_rows(),
                             [&](const auto& row) { return launch.counts[row.count].has_value(); });
}

/// What says that a metric is printed rounded.
std::unexpected<Error> rounded(const std::string& name, std::string_view metric, std::string_view unit) {
  return fail(ErrorKind::Syntax,
              fmt::format("{}: the counts of {} are rounded to {}; print them with --print-units base", name,
                          metric, unit));
}

/// Reads a table with a row for each metric of a launch, as ncu prints those of --metrics without --page raw.
Result<Profile> read_metric_rows(const Fields& header, std::string_view text, const std::string& name) {
  const ProfileColumns columns = columns_of_metric_rows(header);
  Profile profile;
  Fields launch;  // the first row of the present one
  while (!text.empty()) {
    const Fields row = take_row(text);
    const std::optional<size_t> needed[] = {columns.metric, columns.unit, columns.value, columns.kernel};
    if (!std::ranges::all_of(needed, [&](auto column) { return column && *column < row.size(); })) continue;
    const std::string& metric = row[*columns.metric];
    const auto count = counted_metric(metric);
    if (!count) {
      if (metric.contains("__") && metric != kRegisters) ++profile.other_metrics;
      if (metric != kRegisters) continue;
    }
    if (count && is_scaled(row[*columns.unit])) return rounded(name, metric, row[*columns.unit]);
    if (launch.empty() || !is_of_launch(launch, row, columns)) {
      launch = row;
      profile.launches.push_back(launch_of(row, columns));
    }
    const auto value = count_of(row[*columns.value]);
    if (count)
      profile.launches.back().counts[*count] = value;
    else
      profile.launches.back().registers = value;
  }
  if (std::ranges::none_of(profile.launches, has_counts))
    return fail(ErrorKind::Syntax,
                fmt::format("{}: no row of this table, which has one for each metric, is of a metric that "
                            "follows from addresses; print them with {}",
                            name, kCommand));
  return profile;
}

}  // namespace

std::string kernel_of_signature(std::string_view signature) {
  std::string name;
  int depth = 0;
  for (size_t n = 0; n < signature.size(); ++n) {
    const char c = signature[n];
    if (c == '(') {
      const size_t close = signature.find(')', n);
      const bool is_end = close == std::string_view::npos;
      // Before a number or a name it is a cast, "(int)32", or an unnamed namespace; else the parameters.
      const char next = is_end || close + 1 == signature.size() ? '\0' : signature[close + 1];
      const bool is_cast = depth > 0 || next == ':';
      if (!is_cast || is_end) break;
      n = next == ':' ? close + 2 : close;
      continue;
    }
    depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (c == ' ' && depth == 0)
      name.clear();  // the return type
    else
      name += c;
  }
  return name;
}

Result<Profile> read_profile(std::string_view text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return fail(ErrorKind::Syntax,
                fmt::format("{}: the file is empty; print a profile into it with {}", name, kCommand));
  const std::optional<Fields> header = take_header(text);
  if (!header)
    return fail(
        ErrorKind::Syntax,
        fmt::format("{}: no table of Nsight Compute was found, whose header begins with \"ID\"; print "
                    "one with {}",
                    name, kCommand));
  if (column_of(*header, "Metric Name")) return read_metric_rows(*header, text, name);
  Profile profile;
  const ProfileColumns columns = columns_of(*header, profile.other_metrics);
  if (!columns.kernel)
    return fail(
        ErrorKind::Syntax,
        fmt::format("{}: the table has no column \"Kernel Name\", so it is not of ncu --page raw; print "
                    "it with {}",
                    name, kCommand));
  if (columns.counts.empty())
    return fail(ErrorKind::Syntax,
                fmt::format("{}: none of its {} metrics follows from addresses; print those that do with {}",
                            name, profile.other_metrics, kCommand));
  bool is_first = true;
  while (!text.empty()) {
    const Fields row = take_row(text);
    if (row.size() < header->size() || (is_first && row.front().empty())) {
      for (const auto& [column, count] : columns.counts)
        if (is_first && column < row.size() && is_scaled(row[column]))
          return rounded(name, (*header)[column], row[column]);
      is_first = false;
      continue;
    }
    is_first = false;
    profile.launches.push_back(launch_of(row, columns));
  }
  if (profile.launches.empty())
    return fail(
        ErrorKind::Syntax,
        fmt::format("{}: the table has no launch below its header; print it again with {}", name, kCommand));
  return profile;
}

}  // namespace lanescope::exporting
