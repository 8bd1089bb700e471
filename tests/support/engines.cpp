#include "support/engines.h"

#include "model/cost.h"
#include "trace/recorder.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using emulator::Checks;
using emulator::Engine;
using emulator::Options;
using emulator::Vectors;

struct Way {
  std::string_view name;
  Engine engine = Engine::Reference;
  Vectors vectors = Vectors::Widest;
};
constexpr std::array kWays{Way{"reference"}, Way{"groups", Engine::Groups},
                           Way{"groups with plain vectors", Engine::Groups, Vectors::Plain},
                           Way{"groups with AVX2", Engine::Groups, Vectors::Avx2},
                           Way{"batches", Engine::Batches}};

/// More than any test's kernel needs.
constexpr uint64_t kMostSteps = 200'000'000;

struct EngineRun {
  std::optional<Error> error;
  emulator::Outcome outcome;
  trace::Trace trace;
};

EngineRun run_with(const ptx::Program& program, const launch::Launch& launch, const Way& way, Checks checks) {
  trace::Recorder recorder(emulator::trace_header(program, launch), model::cost_of, {});
  const Options options{.threads = 1,
                        .limit_steps = kMostSteps,
                        .vectors = way.vectors,
                        .checks = checks,
                        .engine = way.engine};
  auto outcome = emulator::run(
      program, launch, [&](unsigned worker) -> trace::Sink& { return recorder.sink(worker); }, options);
  if (!outcome) return {.error = outcome.error(), .outcome = {}, .trace = {}};
  return {.error = {}, .outcome = std::move(*outcome), .trace = recorder.finish()};
}

/// Kind and lines, whichever of two accesses came first.
std::string text_of(const trace::Hazard& hazard) {
  int first = hazard.ptx_line, second = hazard.other ? hazard.other->ptx_line : 0;
  if (first > second) std::swap(first, second);
  return fmt::format("{} {} {}", trace::name_of(hazard.kind), first, second);
}

/// Whether a race is about the line as well. Whether what raced is found uninitialized too depends on which
/// of both came first.
bool is_in_race(const std::vector<trace::Hazard>& hazards, int line) {
  return std::ranges::any_of(hazards, [&](const trace::Hazard& hazard) {
    return hazard.kind == trace::HazardKind::Race &&
           (hazard.ptx_line == line || (hazard.other && hazard.other->ptx_line == line));
  });
}

std::vector<std::string> texts_of(const std::vector<trace::Hazard>& hazards) {
  std::vector<std::string> texts;
  for (const trace::Hazard& hazard : hazards)
    if (hazard.kind != trace::HazardKind::Uninitialized || !is_in_race(hazards, hazard.ptx_line))
      texts.push_back(text_of(hazard));
  std::ranges::sort(texts);
  const auto repeated = std::ranges::unique(texts);
  texts.erase(repeated.begin(), repeated.end());
  return texts;
}

std::vector<std::string> findings_of(const EngineRun& run) {
  std::vector<trace::Hazard> all = run.outcome.hazards;
  all.insert(all.end(), run.outcome.notes.begin(), run.outcome.notes.end());
  return texts_of(all);
}

/// What record() says, which makes a second run where blocks race.
Result<std::vector<std::string>> recorded_findings(const ptx::Program& program, const launch::Launch& launch,
                                                   Engine engine) {
  const Options options{.threads = 1, .limit_steps = kMostSteps, .checks = Checks::All, .engine = engine};
  auto recording =
      emulator::record(program, launch, model::cost_of,
                       {.blocks = trace::Keep::Blocks::None, .listed = {}, .values_of = {}}, options);
  if (!recording) return std::unexpected(recording.error());
  std::vector<trace::Hazard> all = recording->trace.hazards;
  all.insert(all.end(), recording->trace.notes.begin(), recording->trace.notes.end());
  return texts_of(all);
}

std::string access_text(const trace::WarpAccess& access) {
  std::vector<uint64_t> addresses;
  trace::for_each_address(access, [&](int, int, uint64_t address) { addresses.push_back(address); });
  return fmt::format("site {} warp {} step {} lanes {:08x} at {}", access.site.value, access.warp.value,
                     access.step, access.active.bits, fmt::join(addresses, " "));
}

/// The first access in which two blocks differ; empty where there is none.
std::string difference_of(const trace::Trace& one, const trace::Trace& other, size_t index) {
  const trace::StoredBlock &a = one.blocks[index], &b = other.blocks[index];
  if (a.cta != b.cta || a.accesses.size() != b.accesses.size())
    return fmt::format("block {} has {} accesses, and block {} has {}", a.cta.value, a.accesses.size(),
                       b.cta.value, b.accesses.size());
  for (size_t n = 0; n < a.accesses.size(); ++n) {
    const std::string first = access_text(trace::view(one, a, a.accesses[n])),
                      second = access_text(trace::view(other, b, b.accesses[n]));
    if (first != second) return fmt::format("block {}: {} / {}", a.cta.value, first, second);
  }
  return {};
}

void compare(const EngineRun& reference, const EngineRun& run, const std::string& name, Common common,
             std::vector<std::string>& differences) {
  const auto differs = [&](std::string_view what) {
    differences.push_back(fmt::format("{}: {}", name, what));
  };
  const emulator::Outcome &a = reference.outcome, &b = run.outcome;
  if (a.output.text != b.output.text) differs("another output");
  for (size_t n = 0; n < a.buffers.size(); ++n)
    if (*a.buffers[n] != *b.buffers[n]) differs(fmt::format("another buffer {}", n));
  if (common == Common::Results) return;
  if (a.warp_instructions != b.warp_instructions)
    differs(fmt::format("{} warp instructions, the reference {}", b.warp_instructions, a.warp_instructions));
  if (a.lane_instructions != b.lane_instructions)
    differs(fmt::format("{} lane instructions, the reference {}", b.lane_instructions, a.lane_instructions));
  if (reference.trace.totals != run.trace.totals) differs("other totals");
  if (reference.trace.blocks.size() != run.trace.blocks.size())
    return differs(fmt::format("{} blocks stored, the reference {}", run.trace.blocks.size(),
                               reference.trace.blocks.size()));
  for (size_t n = 0; n < reference.trace.blocks.size(); ++n)
    if (const std::string access = difference_of(reference.trace, run.trace, n); !access.empty())
      return differs(access);
}

/// The words of a finding: its kind, and the lines of its accesses.
std::set<std::string> words_of(const std::string& finding) {
  std::istringstream words(finding);
  return {std::istream_iterator<std::string>(words), {}};
}

/// True if `others` have the finding, or one of the same kind with which it shares an access.
bool is_named(const std::string& finding, const std::vector<std::string>& others) {
  const std::set<std::string> words = words_of(finding);
  return std::ranges::any_of(others, [&](const std::string& other) {
    if (other == finding) return true;
    std::vector<std::string> common;
    std::ranges::set_intersection(words, words_of(other), std::back_inserter(common));
    return common.size() >= 2;
  });
}

/// True if both engines find the same. Of several reads that race with one store they may name different
/// ones: of the pending reads of an address two are kept, and the order of warps decides which.
bool find_the_same(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  return std::ranges::all_of(some, [&](const std::string& one) { return is_named(one, others); }) &&
         std::ranges::all_of(others, [&](const std::string& one) { return is_named(one, some); });
}

}  // namespace

std::vector<std::string> reference_findings(const ptx::Program& program, const launch::Launch& launch) {
  const auto found = recorded_findings(program, launch, Engine::Reference);
  return found ? *found : std::vector<std::string>{describe(found.error())};
}

std::vector<std::string> engine_differences(const ptx::Program& program, const launch::Launch& launch,
                                            Common common) {
  std::vector<std::string> differences;
  const EngineRun checked = run_with(program, launch, kWays[0], Checks::All);
  for (const Checks checks : {Checks::None, Checks::All}) {
    const EngineRun unchecked =
        checks == Checks::None ? run_with(program, launch, kWays[0], checks) : EngineRun{};
    const EngineRun& reference = checks == Checks::None ? unchecked : checked;
    const bool is_clean = !checked.error && findings_of(checked).empty() && !checked.outcome.suspects;
    for (const Way& way : kWays) {
      if (way.engine == Engine::Reference) continue;
      const std::string name = fmt::format("{}{}", way.name, checks == Checks::All ? ", checked" : "");
      const EngineRun run = run_with(program, launch, way, checks);
      if (run.error.has_value() != reference.error.has_value()) {
        differences.push_back(fmt::format("{}: {}, the reference {}", name,
                                          run.error ? describe(*run.error) : "no error",
                                          reference.error ? describe(*reference.error) : "no error"));
        continue;
      }
      if (is_clean && !run.error) compare(reference, run, name, common, differences);
      // A batch may say less of a race between blocks, of which record() makes a second run.
      if (checks == Checks::All && way.engine == Engine::Groups && !run.error &&
          !find_the_same(findings_of(run), findings_of(reference)))
        differences.push_back(fmt::format("{}: finds [{}], the reference [{}]", name,
                                          fmt::join(findings_of(run), ", "),
                                          fmt::join(findings_of(reference), ", ")));
    }
  }
  const auto fast = recorded_findings(program, launch, Engine::Batches);
  const auto slow = recorded_findings(program, launch, Engine::Reference);
  if (fast.has_value() != slow.has_value())
    differences.push_back("a recording: an error of one engine alone");
  else if (fast && !find_the_same(*fast, *slow))
    differences.push_back(fmt::format("a recording: finds [{}], the reference [{}]", fmt::join(*fast, ", "),
                                      fmt::join(*slow, ", ")));
  return differences;
}

void expect_engines_agree(const ptx::Program& program, const launch::Launch& launch, const std::string& what,
                          Common common) {
  const std::vector<std::string> differences = engine_differences(program, launch, common);
  EXPECT_TRUE(differences.empty()) << what << "\n" << fmt::format("{}", fmt::join(differences, "\n"));
}

}  // namespace lanescope::tests
