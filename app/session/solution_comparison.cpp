#include "session/solution_comparison.h"

#include "base/text.h"
#include "session/exercise_state.h"

#include <system_error>
#include <utility>

namespace lanescope::session {

Choices choices_of_exercise(const lesson::Exercise& exercise, const std::filesystem::path& submission,
                            const Choices& around) {
  lesson::Lesson lesson = exercise.lesson;
  lesson::Kernel& kernel = lesson.kernels.front();
  kernel.label = {std::string(say(Language::English, Text::window_setting_solution)),
                  std::string(say(Language::French, Text::window_setting_solution))};
  if (!submission.empty()) {
    kernel.file = submission.string();
    kernel.label = {submission.filename().string(), submission.filename().string()};
  }
  Choices choices = around;
  choices.file = nullptr;
  choices.launch = 0;
  choices.settings = exercise.cases.front();
  choices.exercise = exercise.name;
  choices.lesson = std::make_shared<const lesson::Lesson>(std::move(lesson));
  return choices;
}

Result<SessionChoices> solution_and_submission(const Snapshot& snapshot) {
  const ExerciseState* state = snapshot.exercise.get();
  if (state == nullptr || !state->chosen || state->chosen->error)
    return fail(ErrorKind::Usage, "no exercise is chosen; open a lesson that has exercises");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(state->file.path, ignored))
    return fail(ErrorKind::File, "there is no file of yours yet; write the starter first",
                Location{state->file.path.string(), 0});
  const lesson::Exercise& exercise = state->chosen->exercise;
  const auto share = [&](const std::filesystem::path& file) {
    return std::make_shared<const Choices>(choices_of_exercise(exercise, file, snapshot.choices));
  };
  return SessionChoices{.present = share(state->file.path), .place = {}, .pinned = share({})};
}

}  // namespace lanescope::session
