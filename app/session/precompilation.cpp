#include "session/precompilation.h"

#include "session/edited_texts.h"

#include <algorithm>
#include <utility>

namespace lanescope::session {

void Precompilation::plan(const Choices& choices) {
  clear();
  if (!choices.lesson) return;
  settings_ = lesson::single_flips(*choices.lesson, choices.settings);
  std::ranges::reverse(settings_);
}

void Precompilation::advance(const Choices& choices, pipeline::Execution& execution) {
  if (settings_.empty()) return;
  const lesson::Settings settings = std::move(settings_.back());
  settings_.pop_back();
  if (auto job = text_job_of(*choices.lesson, settings, with_edited(options_, choices)))
    (void)execution.compiler().compile(*job, {.fetch = pipeline::Fetch::Never});  // nobody asked for it yet
}

}  // namespace lanescope::session
