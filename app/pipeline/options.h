// Where the program's data lies and what it may use.

#pragma once

#include "base/error.h"
#include "base/text.h"
#include "emulator/checks/checks.h"
#include "pipeline/producer.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace lanescope::gpu {
class Gpu;
}

namespace lanescope::pipeline {

struct Options {
  std::filesystem::path assets;   // devices/, lessons/, ptx/
  std::filesystem::path kernels;  // CUDA sources of the lessons
  std::filesystem::path cache;    // compiled PTX; empty: none
  std::filesystem::path
      own_devices;                // device files of the user's own, beside those of the assets; empty: none
  std::filesystem::path fetched;  // the packages that the set-up unpacked: NVRTC, CUDA headers
  unsigned threads = 0;           // emulator; 0: all cores
  Language language = Language::English;
  std::string device = "gt200";  // whose partition map is shown first
  emulator::Checks checks = emulator::Checks::All;
  std::string recording = "h200";        // whose times are shown, by name; if it is not there another
  std::filesystem::path own_recordings;  // a folder of the user's, beside assets/recordings; empty: none
  /// The GPU that traces and measures; empty where there is none. Waiting for its answers ends when the token
  /// says so.
  std::function<Result<std::unique_ptr<gpu::Gpu>>(std::stop_token)> open_gpu;
  Producer producer = Producer::Emulator;  // who runs the first kernel
};

}  // namespace lanescope::pipeline
