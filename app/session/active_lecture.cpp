#include "session/active_lecture.h"

#include "lesson/live_text.h"
#include "pipeline/lesson_prose.h"
#include "plot/figures.h"
#include "session/lecture_state.h"
#include "session/shown_prose.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::session {
namespace {

using lesson::LectureStep;

/// The name for what the panel Bandwidth says of the shown kernel, in decimal GB/s.
constexpr std::string_view kBandwidth = "bandwidth";

std::optional<double> shown_bandwidth(const Snapshot& snapshot) {
  if (snapshot.timings.bandwidth)
    for (const plot::Bandwidth::Bar& bar : snapshot.timings.bandwidth->bars)
      if (bar.current) return bar.gb_per_second;
  return {};
}

/// Makes the texts of a step with the numbers of the snapshot.
class Teller {
 public:
  explicit Teller(const Snapshot& snapshot) : snapshot_(snapshot), told_(told_of(snapshot)) {}
  /// Whether a bandwidth was missing, which may still come.
  bool waits() const { return waits_; }

  Result<LectureTexts> texts_of(const LectureStep& step, Language language) {
    LectureTexts texts;
    TRY(texts.say, paragraphs_of(step.say.in(language), step.where, language));
    TRY(texts.reveal, paragraphs_of(step.reveal.in(language), step.where, language));
    TRY(texts.notes, paragraphs_of(step.notes.in(language), step.where, language));
    return texts;
  }

 private:
  Result<LectureTexts::Paragraphs> paragraphs_of(std::string_view markdown, const Location& where,
                                                 Language language) {
    const lesson::Expression::RealLookup lookup = [&](std::string_view name) { return number(name); };
    TRY(const std::string text, lesson::fill_live_text(markdown, where, language, lookup));
    return lesson::parse_markdown(pipeline::with_unit_words(text, told_.units, language));
  }

  Result<double> number(std::string_view name) {
    if (name != kBandwidth) return pipeline::live_number(told_, name);
    if (const auto bandwidth = shown_bandwidth(snapshot_)) return *bandwidth;
    waits_ = true;
    return fail(ErrorKind::Usage, "the panel Bandwidth has no time of this kernel");
  }

  const Snapshot& snapshot_;
  pipeline::Told told_;
  bool waits_ = false;
};

LectureTexts texts_without_numbers(const LectureState& lecture, model::CostUnits units, Language language) {
  const auto part = [&](const lesson::Words& words) {
    return lesson::parse_markdown(
        pipeline::with_unit_words(lesson::empty_live_text(words.in(language)), units, language));
  };
  const LectureStep& step = lecture.shown();
  LectureTexts texts{
      .say = part(step.say), .reveal = part(step.reveal), .notes = part(step.notes), .after = {}};
  if (lecture.step + 1 < lecture.lecture->steps.size())
    texts.after = part(lecture.lecture->steps[lecture.step + 1].say);
  return texts;
}

/// Whether the snapshot has the run that the step is about.
bool shows(const Snapshot& snapshot, const LectureStep& step, std::string_view device) {
  const Choices& now = snapshot.choices;
  return snapshot.run && now.lesson && now.lesson->folder == step.lesson->folder &&
         now.settings == step.settings && now.device.name == device;
}

std::string device_of(const LectureStep& step) {
  return step.device.empty() ? step.lesson->device : step.device;
}

}  // namespace

Result<SessionChoices> ActiveLecture::begin(Snapshot& snapshot, const OpenLecture& command) {
  TRY(lesson::Lecture lecture, lesson::find_lecture(options_.assets / "lessons", command.name));
  LectureState state;
  state.lecture = std::make_shared<const lesson::Lecture>(std::move(lecture));
  state.step = std::min<size_t>(command.step, state.lecture->steps.size() - 1);
  return show(snapshot, std::move(state));
}

Result<SessionChoices> ActiveLecture::begin(Snapshot& snapshot, const ShowLectureStep& command) {
  if (!snapshot.lecture)
    return fail(ErrorKind::Usage, "no lecture is open; open one by 'lanescope lecture NAME'");
  LectureState state;
  state.lecture = snapshot.lecture->lecture;
  state.step = std::min<size_t>(command.number, state.lecture->steps.size() - 1);
  return show(snapshot, std::move(state));
}

Result<SessionChoices> ActiveLecture::show(Snapshot& snapshot, LectureState state) {
  const LectureStep& step = state.shown();
  auto choices = std::make_shared<Choices>(snapshot.choices);
  choices->lesson = step.lesson;
  choices->settings = step.settings;
  choices->file = nullptr;
  choices->launch = 0;
  choices->exercise.clear();
  auto device = model::find_device(options_.assets / "devices", device_of(step));
  if (!device)
    return fail(device.error().kind, device.error().message,
                device.error().where ? *device.error().where : step.where);
  choices->device = *std::move(device);
  state.showings = ++showings_;
  if (!snapshot.lecture) ++snapshot.openings;
  const model::CostUnits units = model::units_of(choices->device.compute_capability);
  state.english = texts_without_numbers(state, units, Language::English);
  state.french = texts_without_numbers(state, units, Language::French);
  snapshot.lecture = std::make_shared<const LectureState>(std::move(state));
  tried_ = {};
  SessionChoices shown{.present = choices, .place = {step.cta, WarpId{step.warp}, step.access}, .pinned = {}};
  if (step.settings_of_a) {
    auto of_a = std::make_shared<Choices>(*choices);
    of_a->settings = *step.settings_of_a;
    shown.pinned = std::move(of_a);
  }
  return shown;
}

void ActiveLecture::close(Snapshot& snapshot) { snapshot.lecture = nullptr; }

void ActiveLecture::follow(Snapshot& snapshot, Errors& errors) {
  if (!snapshot.lecture || snapshot.lecture->has_numbers || snapshot.busy || snapshot.failed) return;
  const LectureStep& step = snapshot.lecture->shown();
  const std::pair now(snapshot.run_generation, snapshot.timings.generation);
  if (now == tried_ || !shows(snapshot, step, device_of(step))) return;
  tried_ = now;
  Teller teller(snapshot);
  auto english = teller.texts_of(step, Language::English);
  auto french = teller.texts_of(step, Language::French);
  if (teller.waits()) return;
  LectureState state = *snapshot.lecture;
  state.has_numbers = true;
  if (english && french) {
    english->after = std::move(state.english.after);
    french->after = std::move(state.french.after);
    state.english = *std::move(english);
    state.french = *std::move(french);
  } else if (!errors.run) {
    errors.run = !english ? english.error() : french.error();
  }
  snapshot.lecture = std::make_shared<const LectureState>(std::move(state));
}

}  // namespace lanescope::session
