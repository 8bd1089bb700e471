// What every kernel of every lesson counts at its presets, without checks and with them: a line for each run,
// and one for each site. It is built for this machine and for Node, and tests/page/page_test.py compares what
// they print. Usage: ninja -C build lesson_totals && build/tests/tools/lesson_totals PROJECT

#include "model/device.h"
#include "pipeline/execution.h"
#include "pipeline/stored_ptx.h"

#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>

namespace {

using namespace lanescope;

/// FNV-1a of all buffers.
uint64_t digest_of(const pipeline::Run& run) {
  uint64_t digest = 0xcbf29ce484222325;
  for (const launch::Contents& buffer : run.buffers)
    for (size_t at = 0; buffer && at < buffer->size(); ++at)
      digest = (digest ^ static_cast<uint64_t>((*buffer)[at])) * 0x100000001b3;
  return digest;
}

void report(const pipeline::LessonText& text, const pipeline::Run& run, emulator::Checks checks) {
  const trace::Trace& trace = *run.trace;
  fmt::print("{} {} {}: {} warp instructions, buffers {:016x}, {} hazards, {} notes, output {}\n",
             text.lesson, text.settings.kernel, checks == emulator::Checks::All ? "checked" : "plain",
             trace.warp_instructions, digest_of(run), trace.hazards.size(), trace.notes.size(),
             !run.output_correct   ? "not known"
             : *run.output_correct ? "correct"
                                   : "wrong");
  for (const trace::Totals& totals : trace.totals)
    fmt::print("  {} {} {} {} {} {} {} {}\n", totals.requests, totals.lanes, totals.bytes, totals.sectors,
               totals.ideal_sectors, totals.lines, totals.wavefronts, totals.ideal_wavefronts);
}

Result<void> count(const pipeline::Options& options) {
  TRY(const model::Device device, model::find_device(options.assets / "devices", "h200"));
  TRY(const auto texts, pipeline::preset_texts(options));
  for (const pipeline::LessonText& text : texts) {
    TRY(const lesson::Lesson lesson, lesson::find_lesson(options.assets / "lessons", text.lesson));
    const auto has_name = [&](const lesson::Kernel& kernel) { return kernel.name == text.settings.kernel; };
    if (std::ranges::none_of(lesson.kernels, has_name)) continue;  // a reference is run by the others
    TRY(const pipeline::Job job, pipeline::job_of(lesson, text.settings, options));
    for (const auto checks : {emulator::Checks::None, emulator::Checks::All}) {
      pipeline::Execution execution(options);
      pipeline::RunOptions how;
      how.checks = checks;
      TRY(const auto run, execution.run(job, device, how));
      report(text, *run, checks);
    }
  }
  return {};
}

}  // namespace

int main(int count_of_words, char** words) {
  if (count_of_words != 2) return 2;
  pipeline::Options options;
  options.assets = std::filesystem::path(words[1]) / "assets";
  options.kernels = std::filesystem::path(words[1]) / "kernels";
  options.threads = 1;
  if (const auto counted = count(options); !counted) {
    fmt::print(stderr, "{}\n", describe(counted.error()));
    return 1;
  }
  return 0;
}
