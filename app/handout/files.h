// The files that the module of a handout reads: the lesson, its kernels' sources, the device, and the PTX of
// every text that the offered toggles can make. Test: tests/unit/handout/files_test.cpp

#pragma once

#include "base/error.h"
#include "lesson/lesson.h"
#include "model/device.h"
#include "pipeline/execution.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::handout {

/// The settings that a reader may choose: values of toggles, and of "kernel". A toggle that is not here keeps
/// the value that the kernel begins with.
using Offer = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Every choice of every toggle and every kernel of the lesson.
Offer whole_offer(const lesson::Lesson& lesson);
/// "NAME" with all its choices, or "NAME=A,B", each among the choices or free values. Errors: Usage.
Result<Offer> parse_offer(const lesson::Lesson& lesson, const std::vector<std::string>& words);

struct PackedFiles {
  std::map<std::string, std::string> texts;  // [path in the module]
  std::map<std::string, std::string> bytes;  // of what is no text, as the picture that a buffer begins with
  size_t without_ptx = 0;                    // texts that could not be compiled here
  std::string reason;                        // of the first of those
};
/// `start`: the settings before a reader chooses. Errors: File; Usage for a toggle.
Result<PackedFiles> files_of(const lesson::Lesson& lesson, const lesson::Settings& start, const Offer& offer,
                             const model::Device& device, const pipeline::Options& options,
                             pipeline::Execution& execution);

}  // namespace lanescope::handout
