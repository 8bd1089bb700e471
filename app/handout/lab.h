// Runs what a handout is of with the settings that are asked for, and shows it: what answers a reader's
// step or toggle, and what the program writes into the page. Method: the last runs are kept, so that a step
// looks up one access. Test: tests/unit/handout/lab_test.cpp

#pragma once

#include "handout/side.h"
#include "handout/subject.h"
#include "pipeline/execution.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::handout {

struct Place {
  CtaId cta;
  WarpId warp;
  std::optional<uint32_t> access;  // none: first_shown_access()
};

/// What a reader wants to see.
struct Wish {
  lesson::Settings settings;
  std::optional<lesson::Settings> a;  // to compare with
  Place place;
};

/// Used by one thread.
class Lab {
 public:
  Lab(pipeline::Options options, Subject subject, model::Device device)
      : options_(std::move(options)),
        execution_(options_),
        subject_(std::move(subject)),
        device_(std::move(device)) {}

  const Subject& subject() const { return subject_; }
  /// Null where the subject is another one.
  std::shared_ptr<const lesson::Lesson> lesson() const;
  const pipeline::Options& options() const { return options_; }
  const model::Device& device() const { return device_; }
  pipeline::Execution& execution() { return execution_; }

  /// Errors: those of a run; Usage for a block that the grid has not. A block or warp that is beyond the end
  /// of A is its last.
  Result<Sides> show(const Wish& wish);
  /// Spares the run with these settings that somebody made.
  void keep(const lesson::Settings& settings, CtaId values_of, std::shared_ptr<const pipeline::Run> run);
  /// Drops the runs that are kept, for their memory.
  void forget() { kept_.clear(); }

 private:
  struct Kept {
    lesson::Settings settings;
    CtaId values_of;
    std::shared_ptr<const pipeline::Run> run;
  };
  Result<std::shared_ptr<const pipeline::Run>> run(const lesson::Settings& settings, CtaId values_of);
  Result<std::shared_ptr<const pipeline::Run>> run_anew(const lesson::Settings& settings, CtaId values_of);

  pipeline::Options options_;
  pipeline::Execution execution_;
  Subject subject_;
  model::Device device_;
  std::deque<Kept> kept_;  // the latest last
};

/// Answers a request of the page in JSON with JSON. The request has "settings" {toggle: value, "kernel":
/// ...}, "change" [toggle, value] or null, "a" like settings or null, "block", "warp", "access" (null: the
/// first to show), "language" "en" or "fr", "width" and "whole_width" of pictures of the step and of the run,
/// and "whole": whether the run is wanted or the step alone. The answer has "settings", "applies" [toggle],
/// "grid", "warps", "count", "access", "line", "a_line", "step" [B, A], and where the run is wanted "head",
/// "figures" and "source" [B, A] each; or "error", one sentence.
std::string answer(Lab& lab, std::string_view request);

}  // namespace lanescope::handout
