#include "driver/program_log.h"

#include "base/file.h"
#include "pipeline/program_run.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

constexpr std::chrono::milliseconds kBetweenWrites{500};
constexpr size_t kMostNotes = 100, kMostUnsupported = 1000, kMostSources = 100;
constexpr size_t kMostSourceBytes = size_t{1} << 20;

}  // namespace

ProgramLog::ProgramLog(std::filesystem::path folder, std::vector<std::string> command, std::string device)
    : folder_(std::move(folder)), command_(std::move(command)), device_(std::move(device)) {}

uint32_t ProgramLog::take_number() {
  const std::lock_guard lock(mutex_);
  return next_++;
}

void ProgramLog::add(LaunchRecord record) {
  bool is_due = false;
  {
    const std::lock_guard lock(mutex_);
    records_.push_back(std::move(record));
    const auto now = std::chrono::steady_clock::now();
    is_due = !folder_.empty() && now - written_ > kBetweenWrites;
    if (is_due) written_ = now;
  }
  // A folder that cannot be written to is an error at the end.
  if (is_due) (void)write();
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

void ProgramLog::add_source(const std::string& name, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (text.empty() || text.size() > kMostSourceBytes) return;
  if (sources_.size() < kMostSources || sources_.contains(name)) sources_[name] = text;
}

void ProgramLog::end(int status) {
  const std::lock_guard lock(mutex_);
  status_ = status;
}

std::vector<LaunchRecord> ProgramLog::records() const {
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

nlohmann::json ProgramLog::json() const {
  const std::lock_guard lock(mutex_);
  nlohmann::json launches = nlohmann::json::array(), unsupported = nlohmann::json::array();
  for (const LaunchRecord& record : records_) launches.push_back(to_json(record));
  for (const auto& [function, calls] : unsupported_)
    unsupported.push_back({{"function", function}, {"calls", calls}});
  nlohmann::json json{{"lanescope_run", 1},       {"command", command_},  {"device", device_},
                      {"provenance", "emulated"}, {"launches", launches}, {"unsupported", unsupported},
                      {"notes", notes_}};
  if (!sources_.empty()) json["sources"] = sources_;
  if (status_) json["status"] = *status_;
  return json;
}

Result<void> ProgramLog::write() const {
  if (folder_.empty()) return {};
  return write_file(pipeline::run_file_of(folder_),
                    json().dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace lanescope::driver
