#include "session/shown_prose.h"

#include "pipeline/lesson_prose.h"

namespace lanescope::session {

void show_prose_without_run(Snapshot& snapshot) {
  const Choices& choices = snapshot.choices;
  if (!choices.lesson) return;
  snapshot.prose = std::make_shared<const pipeline::LessonProse>(
      pipeline::prose_without_run(*choices.lesson, choices.settings, choices.language,
                                  pipeline::units_of_text(*choices.lesson, choices.device)));
  snapshot.blank_prose = snapshot.prose;
}

pipeline::Told told_of(const Snapshot& snapshot) {
  const Choices& choices = snapshot.choices;
  return pipeline::told_of(*choices.lesson, choices.settings, *snapshot.run, choices.device);
}

void show_prose(Snapshot& snapshot, Errors& errors) {
  const Choices& choices = snapshot.choices;
  if (!choices.lesson || !snapshot.run) return show_prose_without_run(snapshot);
  show_prose_without_run(snapshot);
  auto prose = pipeline::prose_of(told_of(snapshot), choices.language);
  if (prose) {
    snapshot.prose = std::make_shared<const pipeline::LessonProse>(*std::move(prose));
    return;
  }
  if (!errors.run) errors.run = prose.error();
}

}  // namespace lanescope::session
