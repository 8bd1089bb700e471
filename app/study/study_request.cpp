#include "study/study_request.h"

#include <algorithm>

namespace lanescope::study {
namespace {

/// What it needs of the timing model: times of its separate runs, or of the run that the window shows.
enum class Needs : uint8_t { NoTiming, Timing, TimingOfCurrentRun };

struct Entry {
  Study study;
  std::string_view name;
  Text title;
  Needs needs;
};
constexpr std::array<Entry, kStudies.size()> kEntries{{
    {Study::Strides, "strides", Text::figure_strides, Needs::NoTiming},
    {Study::Published, "published", Text::figure_published, Needs::Timing},
    {Study::Assumptions, "assumptions", Text::figure_assumptions, Needs::Timing},
    {Study::Widths, "widths", Text::figure_widths, Needs::Timing},
    {Study::Queues, "queues", Text::figure_queues, Needs::Timing},
    {Study::Traffic, "traffic", Text::figure_traffic, Needs::TimingOfCurrentRun},
    {Study::Remedies, "remedies", Text::figure_remedies, Needs::Timing},
    {Study::Roofline, "roofline", Text::figure_roofline, Needs::NoTiming},
    {Study::Bound, "bound", Text::figure_bound, Needs::NoTiming},
    {Study::Device, "device", Text::figure_device, Needs::NoTiming},
}};

const Entry& entry_of(Study study) { return *std::ranges::find(kEntries, study, &Entry::study); }

}  // namespace

std::string_view name_of(Study study) { return entry_of(study).name; }
Text title_of(Study study) { return entry_of(study).title; }
bool needs_timing(Study study) { return entry_of(study).needs != Needs::NoTiming; }
bool shows_current_run(Study study) { return entry_of(study).needs == Needs::TimingOfCurrentRun; }

std::optional<Study> find_study(std::string_view name) {
  const auto found = std::ranges::find(kEntries, name, &Entry::name);
  if (found == kEntries.end()) return {};
  return found->study;
}

}  // namespace lanescope::study
