// The verbs of the command line: each adds its options to the parser and runs if it was chosen. A verb
// returns Result<int>: the exit status, or the error that main prints. Tests: tests/cli

#pragma once

#include "shell/gpu_choice.h"
#include "shell/parser.h"
#include "shell/paths.h"

#include <functional>

namespace lanescope::shell {

/// The verb that main runs after parsing; empty if none was given.
using Action = std::function<Result<int>(const Paths&)>;

#define VERB(name) void add_##name##_verb(const Verb& program, Action& action);
#include "shell/verbs.def"
#undef VERB

struct WindowChoice {
  std::string lesson;   // its name; empty: the first
  bool notes = false;   // a second window has the notes of the lecture
  std::string lecture;  // in place of a lesson: its name, or its path
  std::string file;     // in place of a lesson: a file of the user's, or a lesson's folder
  std::vector<std::string> include_directories;  // of that file
  std::string program;  // arguments of the program that the file is, joined by kWordEnd (shell/parser.h)
  GpuChoice gpu;        // for runs and measurements
  std::string producer = "emulator";  // or gpu: the producer at the start
  std::string language;               // en or fr; empty: as at the last start, or as LANG says
  std::string device;                 // whose partitions and models are shown; empty: the first
};
Result<int> open_window(const Paths& paths, const WindowChoice& choice);
/// --producer, for the window and for screenshots.
void add_window_producer(const Verb& verb, std::string& producer);

/// How hardware counters are read on this machine, or why not.
Result<std::string> counters_state(const Paths& paths);

/// Lets the session trace and measure on the chosen GPU: this machine's, if there is one, or a host's.
void offer_gpu(pipeline::Options& options, const GpuChoice& gpu, const Paths& paths);

/// Prints names on standard output, one per line.
void print_names(const std::vector<std::string>& names);

}  // namespace lanescope::shell
