// Log of a program under `lanescope run`: launches, calls of libraries, unsupported functions that it called,
// and notes. Written to run.json in the folder of the run at the end, and in between when launches were
// added, at a limited rate. The window reads the file (pipeline/program_run.h). Safe to use from several
// threads. Tests: tests/unit/driver/launch_record_test.cpp

#pragma once

#include "base/error.h"
#include "driver/server/launch_records.h"
#include "driver/server/library_calls.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lanescope::driver {

class ProgramLog {
 public:
  /// `folder`: empty if nothing is written. `command`: the program and its arguments. `device`: the emulated
  /// one. `gpu`: the name of the GPU that runs the launches; none: the emulator does.
  ProgramLog(std::filesystem::path folder, std::vector<std::string> command, std::string device,
             std::optional<std::string> gpu = {});

  const std::filesystem::path& folder() const { return folder_; }
  /// The number of the next launch.
  uint32_t take_number();
  /// Number of launches so far.
  uint32_t launches() const;
  void add(LaunchRecord record);
  /// Changes the record of this number, if there is one.
  void change(uint32_t number, const std::function<void(LaunchRecord&)>& change);
  void add_unsupported(const std::string& function, uint64_t calls);
  void add_note(const std::string& sentence);
  /// A call of a library has ended. `failure`: empty if it succeeded.
  void add_library_call(const std::string& function, double seconds, const std::string& failure);
  /// The text of a source that kept launches are made of, by its name in their traces.
  void add_source(const std::string& name, const std::string& text);
  /// The program has ended.
  void end(int status);

  bool is_of_gpu() const { return gpu_.has_value(); }
  LaunchRecords records() const;
  /// The record of this number, if it was added.
  std::optional<LaunchRecord> record(uint32_t number) const;
  std::map<std::string, uint64_t> unsupported() const;  // [function] calls
  std::vector<std::string> notes() const;
  std::vector<LibraryCalls> library_calls() const;  // in the order of the functions' first calls
  /// The report with each launch whole.
  nlohmann::json json() const;
  /// Text of the report, a launch in a line. Of more than 10,000 launches, a further one that is equal to an
  /// earlier one but for number, process and times refers to it ("like", its number).
  std::string text() const;
  /// Errors: File.
  Result<void> write();

 private:
  void write_if_due();
  nlohmann::json json_without_launches() const;

  mutable std::mutex mutex_;
  std::filesystem::path folder_;
  std::vector<std::string> command_;
  std::string device_;
  std::optional<std::string> gpu_;
  uint32_t next_ = 0;
  LaunchRecords records_;
  std::map<uint64_t, uint64_t> modules_;  // [number of the contents] number in the report, from 1
  std::map<std::string, uint64_t> unsupported_;
  std::vector<std::string> notes_;
  std::vector<LibraryCalls> library_calls_;
  std::map<std::string, std::string> sources_;
  std::optional<int> status_;  // none: the program runs
  std::mutex file_;            // one writes it at a time
  std::chrono::steady_clock::time_point next_write_{};
};

}  // namespace lanescope::driver
