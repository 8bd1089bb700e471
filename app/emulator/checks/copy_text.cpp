#include "emulator/checks/copy_text.h"

#include "emulator/values/culprit.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

using End = AsyncCopy::End;

/// Advice about a copy of a commit group. `function`: format of the wait, with the number of groups that it
/// leaves.
std::string advice_about_groups(const Code& code, const RaceSide& here, const AsyncCopy& copy,
                                const AsyncCopies& copies, std::string_view function) {
  const auto call = [&](uint32_t left) { return fmt::format(fmt::runtime(function), left); };
  const std::optional<AsyncCopies::Wait>& wait = copies.wait_of(copy);
  if (wait && copy.group < wait->groups) {
    const uint32_t left = std::min(wait->left, wait->groups);
    return fmt::format("{}{} leaves {} group{} under way, and this copy is in {}; call {}", call(wait->left),
                       line_of(code, wait->step, here), left, left == 1 ? "" : "s",
                       left == 1 ? "it" : "one of them", call(wait->groups - copy.group - 1));
  }
  const bool is_bulk = copy.end == End::BulkGroup;
  const std::string commit =
      copy.group < copies.groups_of(copy)
          ? ""
          : fmt::format("{} and ", is_bulk ? "cp.async.bulk.commit_group" : "__pipeline_commit()");
  const std::string_view barrier =
      here.thread == copy.thread ? "" : " before the barrier, which alone does not wait for copies";
  return fmt::format("no wait has followed it: {}{} {} missing{}", commit, call(0),
                     commit.empty() ? "is" : "are", barrier);
}

std::string advice_for(const RacePlace& place, const RaceSide& here, const AsyncCopy& copy,
                       const AsyncCopies& copies) {
  const bool also_copies = place.code.steps[here.step].kind == trace::Kind::AsyncCopy;
  if (place.finding == Finding::CopyUnderWay && copy.end != End::BulkGroup) {
    constexpr std::string_view kAdvice = "use one more buffer, or copy one stage less ahead";
    if (also_copies && !copy.was_read)
      return fmt::format("the data of that copy have not been read yet; {}", kAdvice);
    if (copy.replaces_unread)
      return fmt::format("it began before the data of an earlier copy to the same place were read; {}",
                         kAdvice);
  }
  switch (copy.end) {
    case End::Group:
      return advice_about_groups(place.code, here, copy, copies, "__pipeline_wait_prior({})");
    case End::Phase:
      return "the phase of its mbarrier has not been waited for; wait for it first";
    case End::BulkGroup:
      if (place.finding == Finding::CopySource)
        return advice_about_groups(place.code, here, copy, copies, "cp.async.bulk.wait_group.read {}");
      if (copy.source_is_read)
        return "cp.async.bulk.wait_group.read only waits until the source is read; call "
               "cp.async.bulk.wait_group 0";
      return advice_about_groups(place.code, here, copy, copies, "cp.async.bulk.wait_group {}");
  }
  return {};
}

}  // namespace

trace::Hazard copy_hazard(const RacePlace& place, const RaceSide& here, const AsyncCopy& copy,
                          const AsyncCopies& copies) {
  const Code& code = place.code;
  trace::Hazard hazard = hazard_at(code, here, trace::HazardKind::Race);
  const Dim3 thread = position_of(copy.thread, code.block);
  const std::string line = line_of(code, copy.step, here);
  const std::string its = here.thread == copy.thread ? fmt::format("its own copy{}", line)
                                                     : fmt::format("the copy of thread ({},{},{}){}",
                                                                   thread.x, thread.y, thread.z, line);
  const std::string_view to = code.steps[here.step].kind == trace::Kind::AsyncCopy ? " to" : "";
  hazard.message =
      fmt::format("{}{} {} while {} {} is under way; {}", verb_of(code, here.step), to, name_of_place(place),
                  its, place.finding == Finding::CopySource ? "from there" : "to there",
                  advice_for(place, here, copy, copies));
  hazard.other = culprit_at(code, copy.step, here.block, thread);
  return hazard;
}

}  // namespace lanescope::emulator
