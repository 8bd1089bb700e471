#include "study/study_request.h"

#include <algorithm>

namespace lanescope::study {
namespace {

struct Entry {
  Study study;
  std::string_view name;
  Text title;
};
constexpr std::array<Entry, kStudies.size()> kEntries{{
    {Study::Strides, "strides", Text::figure_strides},
    {Study::Published, "published", Text::figure_published},
    {Study::Assumptions, "assumptions", Text::figure_assumptions},
    {Study::Widths, "widths", Text::figure_widths},
    {Study::Queues, "queues", Text::figure_queues},
    {Study::Traffic, "traffic", Text::figure_traffic},
    {Study::Remedies, "remedies", Text::figure_remedies},
    {Study::Roofline, "roofline", Text::figure_roofline},
    {Study::Bound, "bound", Text::figure_bound},
    {Study::Device, "device", Text::figure_device},
}};

const Entry& entry_of(Study study) { return *std::ranges::find(kEntries, study, &Entry::study); }

}  // namespace

std::string_view name_of(Study study) { return entry_of(study).name; }
Text title_of(Study study) { return entry_of(study).title; }

std::optional<Study> find_study(std::string_view name) {
  const auto found = std::ranges::find(kEntries, name, &Entry::name);
  if (found == kEntries.end()) return {};
  return found->study;
}

}  // namespace lanescope::study
