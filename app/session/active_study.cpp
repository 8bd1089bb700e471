#include "session/active_study.h"

#include "session/study_state.h"

namespace lanescope::session {

void ActiveStudy::begin(Snapshot& snapshot, const study::StudyRequest& request) {
  StudyState state{.request = request, .version = ++version_};
  work_.reset();
  auto plan = plan_study(request, {options_, snapshot.choices.device, snapshot.run});
  if (plan) {
    work_.emplace(*std::move(plan), options_);
    state.runs = work_->runs();
  } else {
    state.error = plan.error();
  }
  show(snapshot, std::move(state));
}

void ActiveStudy::cancel(Snapshot& snapshot) {
  if (!work_) return;
  work_.reset();
  StudyState state = *snapshot.study;
  state.cancelled = true;
  show(snapshot, std::move(state));
}

Result<void> ActiveStudy::advance(Snapshot& snapshot, pipeline::Execution& execution,
                                  const std::stop_token& stop) {
  if (!work_->finished()) TRY_VOID(work_->advance(execution, cache_, stop));
  show(snapshot, *snapshot.study);
  return {};
}

void ActiveStudy::fail(Snapshot& snapshot, Error error) {
  work_.reset();
  StudyState state = *snapshot.study;
  state.error = std::move(error);
  show(snapshot, std::move(state));
}

void ActiveStudy::show(Snapshot& snapshot, StudyState state) {
  if (work_) {
    state.runs_done = work_->runs_done();
    if (work_->has_figure()) {
      state.make = work_->figure();
      state.version = ++version_;
    }
    if (work_->finished()) work_.reset();
  }
  snapshot.study = std::make_shared<const StudyState>(std::move(state));
}

}  // namespace lanescope::session
