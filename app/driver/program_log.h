// Everything that `lanescope run` says of a program: its launches, what it called that is not supported, and
// notes. Written to run.json in the folder of the run, now and then and at the end; read again by the window
// (pipeline/program_run.h). Safe to use from several threads. Tests: tests/unit/driver/launch_record_test.cpp

#pragma once

#include "base/error.h"
#include "driver/launch_record.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lanescope::driver {

class ProgramLog {
 public:
  /// `folder`: empty if nothing is written. `command`: the program and its arguments.
  ProgramLog(std::filesystem::path folder, std::vector<std::string> command, std::string device);

  const std::filesystem::path& folder() const { return folder_; }
  /// The number of the next launch.
  uint32_t take_number();
  void add(LaunchRecord record);
  void add_unsupported(const std::string& function, uint64_t calls);
  void add_note(const std::string& sentence);
  /// The text of a source that kept launches are made of, by its name in their traces.
  void add_source(const std::string& name, const std::string& text);
  /// The program has ended.
  void end(int status);

  std::vector<LaunchRecord> records() const;
  std::map<std::string, uint64_t> unsupported() const;  // [function] calls
  std::vector<std::string> notes() const;
  nlohmann::json json() const;
  /// Errors: File.
  Result<void> write() const;

 private:
  mutable std::mutex mutex_;
  std::filesystem::path folder_;
  std::vector<std::string> command_;
  std::string device_;
  uint32_t next_ = 0;
  std::vector<LaunchRecord> records_;
  std::map<std::string, uint64_t> unsupported_;
  std::vector<std::string> notes_;
  std::map<std::string, std::string> sources_;
  std::optional<int> status_;  // none: the program runs
  std::chrono::steady_clock::time_point written_{};
};

}  // namespace lanescope::driver
