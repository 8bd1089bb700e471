// The files that the module of a handout reads: of a lesson its texts, its kernels' sources, the device, and
// the PTX of every text that the offered toggles can make; of a run its trace. Test:
// tests/unit/handout/files_test.cpp

#pragma once

#include "base/error.h"
#include "handout/subject.h"
#include "lesson/lesson.h"
#include "model/device.h"
#include "pipeline/execution.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::handout {

/// "A,B" as its parts.
std::vector<std::string> values_listed(std::string_view list);
/// Every choice of every toggle and every kernel of the lesson.
Offer whole_offer(const lesson::Lesson& lesson);
/// "NAME" with all its choices, or "NAME=A,B", each among the choices or free values. Errors: Usage.
Result<Offer> parse_offer(const lesson::Lesson& lesson, const std::vector<std::string>& words);

struct PackedFiles {
  std::string subject;                       // what the module opens of them
  std::map<std::string, std::string> texts;  // [path in the module]
  std::map<std::string, std::string> bytes;  // of what is no text, as the picture that a buffer begins with
  bool needs_sqlite = false;                 // what the module reads is a saved trace
  size_t without_ptx = 0;                    // texts that could not be compiled here
  std::string reason;                        // of the first of those
};
/// The device's file, which is in Options::own_devices where those are set. Errors: File.
Result<void> add_device(PackedFiles& files, const model::Device& device, const pipeline::Options& options);

/// `start`: the settings before a reader chooses. Errors: File; Usage for a toggle.
Result<PackedFiles> files_of(const lesson::Lesson& lesson, const lesson::Settings& start, const Offer& offer,
                             const model::Device& device, const pipeline::Options& options,
                             pipeline::Execution& execution);

}  // namespace lanescope::handout
