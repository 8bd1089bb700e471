// The verbs of the command line: each adds its options to the parser and runs when it was chosen. A verb
// returns Result<int>: the exit status, or the error that main prints. Tests: tests/cli

#pragma once

#include "shell/gpu_choice.h"
#include "shell/parser.h"
#include "shell/paths.h"

#include <functional>

namespace lanescope::shell {

/// What main runs after parsing; empty while no verb was given.
using Action = std::function<Result<int>(const Paths&)>;

void add_trace_verb(const Verb& program, Action& action);
void add_model_verb(const Verb& program, Action& action);
void add_time_verb(const Verb& program, Action& action);
void add_record_verb(const Verb& program, Action& action);
void add_serve_verb(const Verb& program, Action& action);
void add_slices_verb(const Verb& program, Action& action);
void add_plot_verb(const Verb& program, Action& action);
void add_lesson_verb(const Verb& program, Action& action);
void add_screenshot_verb(const Verb& program, Action& action);
void add_doctor_verb(const Verb& program, Action& action);
void add_help_verb(const Verb& program, Action& action);

struct WindowChoice {
  GpuChoice gpu;                      // that runs and measures what is to be run and measured on one
  std::string producer = "emulator";  // or gpu: who runs the kernel first
  std::string device;                 // whose partitions and models are shown; empty: the first one's
};
/// The window on a lesson.
Result<int> open_window(const Paths& paths, const std::string& lesson, const WindowChoice& choice);
/// --producer, of a window or its picture.
void add_window_producer(const Verb& verb, std::string& producer);

/// How the hardware counters are read here, or why not.
Result<std::string> counters_state(const Paths& paths);

/// Lets the session trace and measure on the GPU that was chosen: this machine's where there is one, or a
/// host's.
void offer_gpu(pipeline::Options& options, const GpuChoice& gpu, const Paths& paths);

/// Names, one a line, on standard output.
void print_names(const std::vector<std::string>& names);

}  // namespace lanescope::shell
