#include "session/shown_prose.h"

#include "model/bank_rules.h"
#include "pipeline/lesson_prose.h"

namespace lanescope::session {
namespace {

/// A text is about one device, by whose rules its numbers are counted where that is the chosen one.
model::CostUnits units_of_text(const Choices& choices) {
  const bool is_about_it = choices.lesson->device == choices.device.name;
  return is_about_it ? model::units_of(choices.device.compute_capability) : model::CostUnits::Sectors;
}

}  // namespace

void show_prose_without_run(Snapshot& snapshot) {
  const Choices& choices = snapshot.choices;
  if (!choices.lesson) return;
  snapshot.prose = std::make_shared<const pipeline::LessonProse>(pipeline::prose_without_run(
      *choices.lesson, choices.settings, choices.language, units_of_text(choices)));
  snapshot.blank_prose = snapshot.prose;
}

pipeline::Told told_of(const Snapshot& snapshot) {
  const Choices& choices = snapshot.choices;
  pipeline::Told told{*choices.lesson, choices.settings, *snapshot.run};
  if (units_of_text(choices) == pipeline::units_of(*snapshot.run)) {
    told.units = units_of_text(choices);
    if (told.units == model::CostUnits::Transactions)
      told.banks = model::bank_count(choices.device.compute_capability);
  }
  return told;
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
