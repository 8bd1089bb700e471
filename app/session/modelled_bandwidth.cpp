#include "session/modelled_bandwidth.h"

#include "recordings/bandwidth.h"
#include "session/edited_texts.h"

#include <algorithm>

namespace lanescope::session {
namespace {

constexpr double kGiga = 1e9;

/// The lesson's own measure: the first kernel that copies.
std::optional<size_t> copy_among(const lesson::Lesson& lesson, const std::vector<size_t>& kernels) {
  for (size_t n = 0; n < kernels.size(); ++n) {
    const auto& expect = lesson.kernels[kernels[n]].expect;
    if (expect && expect->rule == lesson::OutputRule::Copy) return n;
  }
  return {};
}

}  // namespace

std::optional<MeasureProgress> ModelledBandwidth::progress() const {
  if (!work_) return {};
  return MeasureProgress{work_->runs_done(), work_->runs()};
}

void ModelledBandwidth::begin(const Choices& choices) {
  work_.reset();
  made_.reset();
  if (!choices.lesson || !choices.device.timing) return;
  if (choices.edited != choices_.edited) forget();
  choices_ = choices;
  work_options_ = with_edited(options_, choices);
  kernels_.clear();
  study::StudyPlan plan{.runs = {}, .draw = {}, .lesson = choices.lesson};
  const auto beside = recordings::settings_beside(*choices.lesson, choices.settings);
  for (size_t n = 0; n < beside.size(); ++n) {
    if (!beside[n]) continue;
    plan.runs.push_back({.kernel = beside[n]->kernel,
                         .toggles = {beside[n]->values.begin(), beside[n]->values.end()},
                         .device = choices.device,
                         .most_blocks = kMostBlocks,
                         .done = {}});
    kernels_.push_back(n);
  }
  work_.emplace(std::move(plan), work_options_);
}

Result<void> ModelledBandwidth::advance(pipeline::Execution& execution, const std::stop_token& stop) {
  if (!work_->finished()) TRY_VOID(work_->advance(execution, cache_, stop));
  if (work_->finished()) finish(choices_);
  return {};
}

void ModelledBandwidth::finish(const Choices& choices) {
  const lesson::Lesson& lesson = *choices.lesson;
  plot::Bandwidth bandwidth{.bars = {},
                            .provenance = Provenance::Modelled,
                            .gpu = choices.device.title,
                            .driver = {},
                            .cuda = {},
                            .date = {},
                            .size = {}};
  for (size_t n = 0; n < kernels_.size(); ++n) {
    const lesson::Kernel& kernel = lesson.kernels[kernels_[n]];
    const study::StudyOutcome& outcome = *work_->outcomes()[n];
    const double rate = outcome.timing.bytes_per_second() / kGiga;
    plot::Bandwidth::Bar bar;
    bar.kernel = kernel.label.in(choices.language);
    bar.gb_per_second = bar.lowest = bar.highest = rate;
    bar.current = kernel.name == choices.settings.kernel;
    bar.bytes = static_cast<uint64_t>(outcome.work.memory_bytes);
    bar.work = recordings::work_of(lesson, kernel);
    bandwidth.bars.push_back(std::move(bar));
  }
  const auto current = std::ranges::find(bandwidth.bars, true, &plot::Bandwidth::Bar::current);
  const auto copy = copy_among(lesson, kernels_);
  if (copy && current != bandwidth.bars.end() && plot::moves_as_much(bandwidth.bars[*copy], *current)) {
    bandwidth.copy_gb_per_second = bandwidth.bars[*copy].gb_per_second;
    for (plot::Bandwidth::Bar& bar : bandwidth.bars)
      bar.share_of_copy = bar.gb_per_second / bandwidth.copy_gb_per_second;
  }
  const auto size = choices.settings.values.find(lesson.size_toggle);
  if (size != choices.settings.values.end()) bandwidth.size = size->second;
  made_ = std::move(bandwidth);
  work_.reset();
}

}  // namespace lanescope::session
