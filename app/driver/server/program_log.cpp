#include "driver/server/program_log.h"

#include "base/file.h"
#include "pipeline/program_run.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

constexpr std::chrono::milliseconds kBetweenWrites{500};
constexpr int kRestPerWrite = 20;  // a write of 50 ms is followed by 1 s without one
constexpr size_t kMostNotes = 100, kMostUnsupported = 1000, kMostSources = 100;
constexpr size_t kMostSourceBytes = size_t{1} << 20;

/// Launches that are written whole, whatever came before them.
constexpr size_t kMostWhole = 10000;

std::string dumped(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The n-th launch by an earlier one that it is like.
nlohmann::json short_json_of(const LaunchRecord& record, uint32_t like) {
  nlohmann::json json{{"number", record.number},
                      {"process", record.process},
                      {"kernel", record.kernel},
                      {"seconds", record.seconds},
                      {"like", like}};
  if (record.measured_seconds) json["measured_seconds"] = *record.measured_seconds;
  return json;
}

}  // namespace

ProgramLog::ProgramLog(std::filesystem::path folder, std::vector<std::string> command, std::string device,
                       std::optional<std::string> gpu)
    : folder_(std::move(folder)),
      command_(std::move(command)),
      device_(std::move(device)),
      gpu_(std::move(gpu)) {}

uint32_t ProgramLog::take_number() {
  const std::lock_guard lock(mutex_);
  return next_++;
}

uint32_t ProgramLog::launches() const {
  const std::lock_guard lock(mutex_);
  return next_;
}

void ProgramLog::add(LaunchRecord record) {
  {
    const std::lock_guard lock(mutex_);
    if (record.module != 0)
      record.module = modules_.try_emplace(record.module, modules_.size() + 1).first->second;
    records_.add(std::move(record));
  }
  write_if_due();
}

void ProgramLog::change(uint32_t number, const std::function<void(LaunchRecord&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = records_.find(number)) {
      LaunchRecord record = records_[*found];
      change(record);
      records_.replace(*found, std::move(record));
    }
  }
  write_if_due();
}

std::optional<LaunchRecord> ProgramLog::record(uint32_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(number);
  return found ? std::optional(records_[*found]) : std::nullopt;
}

void ProgramLog::write_if_due() {
  if (folder_.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    if (std::chrono::steady_clock::now() < next_write_) return;
    next_write_ = std::chrono::steady_clock::time_point::max();  // until this write has ended
  }
  // A folder that cannot be written to is an error at the end.
  (void)write();
}

void ProgramLog::add_unsupported(const std::string& function, uint64_t calls) {
  const std::lock_guard lock(mutex_);
  if (unsupported_.size() < kMostUnsupported || unsupported_.contains(function))
    unsupported_[function] += calls;
}

void ProgramLog::add_note(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  if (notes_.size() < kMostNotes && std::ranges::find(notes_, sentence) == notes_.end())
    notes_.push_back(sentence);
}

void ProgramLog::add_library_call(const std::string& function, double seconds, const std::string& failure) {
  const std::lock_guard lock(mutex_);
  add_call(library_calls_, function, seconds, failure);
}

void ProgramLog::add_source(const std::string& name, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (text.empty() || text.size() > kMostSourceBytes) return;
  if (sources_.size() < kMostSources || sources_.contains(name)) sources_[name] = text;
}

void ProgramLog::end(int status) {
  const std::lock_guard lock(mutex_);
  status_ = status;
}

LaunchRecords ProgramLog::records() const {
  const std::lock_guard lock(mutex_);
  return records_;
}

std::map<std::string, uint64_t> ProgramLog::unsupported() const {
  const std::lock_guard lock(mutex_);
  return unsupported_;
}

std::vector<std::string> ProgramLog::notes() const {
  const std::lock_guard lock(mutex_);
  return notes_;
}

std::vector<LibraryCalls> ProgramLog::library_calls() const {
  const std::lock_guard lock(mutex_);
  return library_calls_;
}

/// Everything else in the report. With the lock held.
nlohmann::json ProgramLog::json_without_launches() const {
  nlohmann::json unsupported = nlohmann::json::array(), library_calls = nlohmann::json::array();
  for (const LibraryCalls& calls : library_calls_) library_calls.push_back(to_json(calls));
  for (const auto& [function, calls] : unsupported_)
    unsupported.push_back({{"function", function}, {"calls", calls}});
  nlohmann::json json{{"lanescope", LANESCOPE_VERSION},
                      {"lanescope_run", 1},
                      {"command", command_},
                      {"program", command_},
                      {"device", device_},
                      {"producer", gpu_ ? "gpu" : "emulator"},
                      {"provenance", gpu_ ? "measured" : "emulated"},
                      {"unsupported", unsupported},
                      {"not_supported", unsupported_},
                      {"library_calls", library_calls},
                      {"notes", notes_}};
  if (gpu_) json["gpu"] = *gpu_;
  if (!sources_.empty()) json["sources"] = sources_;
  if (status_) json["status"] = *status_;
  return json;
}

nlohmann::json ProgramLog::json() const {
  const std::lock_guard lock(mutex_);
  nlohmann::json json = json_without_launches();
  json["launches"] = nlohmann::json::array();
  for (const LaunchRecord& record : records_) json["launches"].push_back(to_json(record));
  return json;
}

std::string ProgramLog::text() const {
  const std::lock_guard lock(mutex_);
  std::string text = "{\n";
  const nlohmann::json others = json_without_launches();
  for (const auto& [name, value] : others.items()) text += dumped(name) + ": " + dumped(value) + ",\n";
  text += "\"launches\": [";
  for (size_t n = 0; n < records_.size(); ++n) {
    const size_t first = n < kMostWhole ? n : records_.first_like(n);
    text += n == 0 ? "\n" : ",\n";
    text += dumped(first == n ? to_json(records_[n]) : short_json_of(records_[n], records_[first].number));
  }
  return text + "\n]\n}\n";
}

Result<void> ProgramLog::write() {
  if (folder_.empty()) return {};
  using Clock = std::chrono::steady_clock;
  const std::lock_guard turn(file_);
  const Clock::time_point start = Clock::now();
  auto written = write_file(pipeline::run_file_of(folder_), text());
  const Clock::time_point end = Clock::now();
  const std::lock_guard lock(mutex_);
  next_write_ = end + std::max<Clock::duration>(kBetweenWrites, kRestPerWrite * (end - start));
  return written;
}

}  // namespace lanescope::driver
