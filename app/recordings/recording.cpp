#include "recordings/recording.h"

#include "base/file.h"
#include "pipeline/job.h"
#include "recordings/json_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::recordings {
namespace {

using Json = nlohmann::json;
using Reader = JsonReader<Json>;

constexpr size_t kNumbers = 9;  // of times: bytes, then four of each kind
constexpr size_t kMostColumns = 256;
constexpr uint64_t kMostBytes = uint64_t{64} << 20;

std::unexpected<Error> no_recording(const std::string& name, std::string_view what) {
  return fail(ErrorKind::Syntax,
              fmt::format("a recording was expected, made by 'lanescope record'; {}", what),
              Location{name, 0});
}

std::string number_text(double seconds) { return fmt::format("{:.4g}", seconds); }

std::string seconds_text(const RecordedSeconds& seconds) {
  return fmt::format("{}, {}, {}, {}", number_text(seconds.minimum), number_text(seconds.lower_quartile),
                     number_text(seconds.median), number_text(seconds.upper_quartile));
}

std::string times_text(const RecordedTimes& times) {
  return fmt::format("[{}, {}, {}]", times.bytes, seconds_text(times.cold), seconds_text(times.warm));
}

template <class Key>
std::string map_text(const std::map<Key, RecordedTimes>& times) {
  std::string text;
  for (const auto& [key, value] : times)
    text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", key, times_text(value));
  return "{" + text + "}";
}

/// {"1024": [n, null, ...]}, in the order of the table of counts.
std::string counts_text(const std::map<uint32_t, trace::HardwareCounts>& counts) {
  std::string text;
  for (const auto& [side, values] : counts) {
    std::string numbers;
    for (const std::optional<uint64_t>& value : values.values)
      numbers += fmt::format("{}{}", numbers.empty() ? "" : ",", value ? fmt::to_string(*value) : "null");
    text += fmt::format("{}\"{}\": [{}]", text.empty() ? "" : ", ", side, numbers);
  }
  return "{" + text + "}";
}

std::string column_names() {
  std::string text;
  for (const trace::HardwareCountRow& row : trace::hardware_count_rows())
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", row.name);
  return "[" + text + "]";
}

/// Whether it is a finite, positive number of seconds or bytes.
bool is_amount(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() > 0;
}

RecordedSeconds seconds_at(const Json& numbers, size_t first) {
  const auto number = [&](size_t n) { return numbers[first + n].get<double>(); };
  return {number(0), number(1), number(2), number(3)};
}

template <class Key>
Result<Key> size_of(const std::string& text, const std::string& name) {
  Key key = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), key);
  if (status != std::errc{} || end != text.data() + text.size())
    return no_recording(name, fmt::format("a size was expected, '{}' was found", text.substr(0, 40)));
  return key;
}

template <class Key>
Result<std::map<Key, RecordedTimes>> times_of(const Json& object, const std::string& name) {
  if (!object.is_object()) return no_recording(name, "times by size are missing");
  std::map<Key, RecordedTimes> all;
  for (const auto& [text, numbers] : object.items()) {
    TRY(const Key key, size_of<Key>(text, name));
    if (!numbers.is_array() || numbers.size() != kNumbers || !std::ranges::all_of(numbers, is_amount) ||
        !numbers[0].is_number_unsigned())
      return no_recording(name, fmt::format("bytes and 8 times were expected for size {}", key));
    all[key] = {numbers[0].template get<uint64_t>(), seconds_at(numbers, 1), seconds_at(numbers, 5)};
  }
  return all;
}

/// The count of each column of the file; absent for an unknown one.
using Columns = std::vector<std::optional<trace::HardwareCount>>;

Result<Columns> columns_of(const Json& json, const std::string& name) {
  Columns columns;
  const Json names = json.value("counts", Json::array());
  if (!names.is_array() || names.size() > kMostColumns ||
      !std::ranges::all_of(names, [](const Json& column) { return column.is_string(); }))
    return no_recording(name, "the list 'counts' holds no names");
  for (const Json& column : names)
    columns.push_back(trace::find_hardware_count(column.get_ref<const std::string&>()));
  return columns;
}

Result<std::map<uint32_t, trace::HardwareCounts>> counts_of(const Json& object, const Columns& columns,
                                                            const std::string& name) {
  if (!object.is_object()) return no_recording(name, "counts by size are no object");
  std::map<uint32_t, trace::HardwareCounts> all;
  for (const auto& [text, numbers] : object.items()) {
    TRY(const auto side, size_of<uint32_t>(text, name));
    if (!numbers.is_array() || numbers.size() != columns.size() ||
        !std::ranges::all_of(
            numbers, [](const Json& number) { return number.is_number_unsigned() || number.is_null(); }))
      return no_recording(name, fmt::format("{} counts were expected for size {}", columns.size(), side));
    for (size_t n = 0; n < columns.size(); ++n)
      if (columns[n] && !numbers[n].is_null()) all[side][*columns[n]] = numbers[n].get<uint64_t>();
  }
  return all;
}

Result<Recording::Text> text_of(const Reader& reader, const Columns& columns, const std::string& name) {
  const Json& object = reader.object;
  Recording::Text text;
  TRY(text.kernel, reader.text("kernel"));
  if (!object.contains("defines") || !object["defines"].is_array() ||
      !std::ranges::all_of(object["defines"], [](const Json& define) { return define.is_string(); }))
    return no_recording(name, "the list 'defines' is missing");
  text.defines = object["defines"].get<std::vector<std::string>>();
  TRY(text.sizes, times_of<uint32_t>(object.value("sizes", Json()), name));
  TRY(text.counts, counts_of(object.value("counts", Json::object()), columns, name));
  return text;
}

}  // namespace

Result<Recording> parse_recording(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return no_recording(name, "this is no JSON object");
  Recording recording;
  const Reader reader{json, [&](const std::string& what) { return no_recording(name, what); }};
  TRY(recording.gpu, reader.gpu());
  TRY(recording.date, reader.text("date"));
  TRY(recording.repetitions, reader.count("repetitions", UINT32_MAX));
  TRY(recording.copies, times_of<uint64_t>(json.value("copies", Json()), name));
  TRY(const Columns columns, columns_of(json, name));
  const Json texts = json.value("texts", Json());
  if (!texts.is_object()) return no_recording(name, "'texts' is missing");
  for (const auto& [key, object] : texts.items()) {
    if (!object.is_object()) return no_recording(name, fmt::format("'{}' is no object", key.substr(0, 40)));
    TRY(recording.texts[key], text_of(reader.of(object), columns, name));
  }
  return recording;
}

Result<Recording> read_recording(const std::filesystem::path& file) {
  TRY(const std::string text, read_text(file, kMostBytes));
  return parse_recording(text, file.string());
}

std::string recording_text(const Recording& recording) {
  // One line per text, so that the difference between two recordings is readable.
  std::string text = "{\n";
  const auto add = [&](std::string_view key, const std::string& value) {
    text += fmt::format("\"{}\": {},\n", key, Json(value).dump());
  };
  add("lanescope", LANESCOPE_VERSION);
  add("gpu", recording.gpu.name);
  add("compute_capability", recording.gpu.compute_capability);
  add("driver", recording.gpu.driver);
  add("cuda", recording.gpu.cuda);
  add("date", recording.date);
  text += fmt::format("\"repetitions\": {},\n", recording.repetitions);
  text +=
      "\"times\": \"bytes moved by definition; seconds: minimum, lower quartile, "
      "median, upper quartile; with a cold L2, then with a warm one\",\n";
  text += fmt::format("\"counts\": {},\n", column_names());
  text += fmt::format("\"copies\": {},\n\"texts\": {{", map_text(recording.copies));
  const char* separator = "\n";
  for (const auto& [key, value] : recording.texts) {
    text += fmt::format("{}\"{}\": {{\"kernel\": {}, \"defines\": {}, \"sizes\": {}", separator, key,
                        Json(value.kernel).dump(), Json(value.defines).dump(), map_text(value.sizes));
    if (!value.counts.empty()) text += fmt::format(", \"counts\": {}", counts_text(value.counts));
    text += "}";
    separator = ",\n";
  }
  return text + "\n}\n}\n";
}

namespace {

/// Adds what another file has of the same GPU.
void add(Recording& whole, Recording part) {
  for (auto& [key, text] : part.texts) {
    text.date = part.date;
    whole.texts.insert_or_assign(key, std::move(text));
  }
  whole.copies.merge(part.copies);
}

}  // namespace

Recordings read_recordings(const std::filesystem::path& folder, const std::filesystem::path& own) {
  Recordings all;
  std::map<std::string, Recording> files;  // [file name], in which h200.json comes before h200.lessons.json
  for (const std::filesystem::path& place : {folder, own}) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(place, ignored)) {
      if (entry.path().extension() != ".json") continue;
      auto recording = read_recording(entry.path());
      if (recording)
        files[entry.path().filename().string()] = *std::move(recording);
      else
        all.errors.push_back(recording.error());
    }
  }
  for (auto& [file, recording] : files) {
    const auto [known, is_new] = all.by_name.try_emplace(file.substr(0, file.find('.')), recording);
    if (!is_new) add(known->second, std::move(recording));
  }
  return all;
}

std::vector<uint32_t> recorded_sizes(const Recording& recording) {
  std::set<uint32_t> sizes;
  for (const auto& [key, text] : recording.texts)
    for (const auto& [side, times] : text.sizes) sizes.insert(side);
  return {sizes.begin(), sizes.end()};
}

const RecordedTimes* find_times(const Recording& recording, const std::string& key, uint32_t side) {
  const auto text = recording.texts.find(key);
  if (text == recording.texts.end()) return nullptr;
  const auto times = text->second.sizes.find(side);
  return times == text->second.sizes.end() ? nullptr : &times->second;
}

const trace::HardwareCounts* find_counts(const Recording& recording, const std::string& key, uint32_t side) {
  const auto text = recording.texts.find(key);
  if (text == recording.texts.end()) return nullptr;
  const auto counts = text->second.counts.find(side);
  return counts == text->second.counts.end() ? nullptr : &counts->second;
}

const RecordedTimes* find_copy(const Recording& recording, uint64_t bytes_moved) {
  const auto copy = recording.copies.find(bytes_moved / 2);
  return copy == recording.copies.end() ? nullptr : &copy->second;
}

}  // namespace lanescope::recordings
