#include "export/divergence_text.h"

#include "base/escape.h"
#include "base/text.h"
#include "export/place_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using How = DivergentLine::How;

/// Lanes of a warp, on average: the last warp of a block may have fewer than 32.
double lanes_per_warp(const trace::Trace& trace) {
  const uint64_t threads = volume(trace.block);
  return static_cast<double>(threads) / static_cast<double>((threads + kLanes - 1) / kLanes);
}

double lanes_per_request(const DivergentLine& line) {
  return static_cast<double>(line.lanes) / static_cast<double>(line.requests);
}

void find_barrier(DivergentLine& line, const sass::MachineLevel& level, uint32_t instruction) {
  const sass::MachineAccess& access = level.match.accesses[instruction];
  line.is_guarded = access.is_guarded;
  if (access.is_guarded) line.how = How::Predicate;
  const auto* const bssy = sass::enclosing_bssy(level.convergence, access.pc);
  if (bssy == nullptr) return;
  const auto bsync =
      std::ranges::find(level.convergence, sass::bsync_of(*bssy), &sass::ConvergenceInstruction::pc);
  if (bsync == level.convergence.end()) return;
  line.how = How::Barrier;
  line.bssy = *bssy;
  line.bsync = *bsync;
}

std::string text_of(const DivergentLine& line, double lanes, bool at_barriers) {
  std::string text = fmt::format("  {}: {:.1f} of {:.3g} lanes on average; ", place_text(line.where),
                                 lanes_per_request(line), lanes);
  switch (line.how) {
    case How::Barrier:
      text +=
          fmt::format("those that pass {} (BSSY at 0x{:x}) wait for each other at {} (BSYNC at 0x{:x})",
                      place_text(line.bssy.where), line.bssy.pc, place_text(line.bsync.where), line.bsync.pc);
      if (line.is_guarded) text += "; it has a predicate, too, which may be false in some of them";
      break;
    case How::Predicate:
      text += "the others have a false predicate: no lane branches or waits";
      break;
    case How::Apart:
      text += "no barrier encloses it, so ";
      text += at_barriers
                  ? "lanes that parted stay apart"
                  : "the machine code does not say where they reconverge; counted as they do in the PTX";
      break;
  }
  return without_control_characters(text) + '\n';
}

std::string_view word_of(How how) {
  switch (how) {
    case How::Barrier:
      return "barrier";
    case How::Predicate:
      return "predicate";
    case How::Apart:
      break;
  }
  return "apart";
}

Json json_of(const sass::ConvergenceInstruction& instruction) {
  return {{"address", instruction.pc}, {"file", instruction.where.file}, {"line", instruction.where.line}};
}

}  // namespace

std::vector<DivergentLine> divergent_lines(const trace::Trace& trace, const sass::MachineLevel& level) {
  constexpr double kFew = 0.75;
  const double whole = lanes_per_warp(trace);
  std::vector<DivergentLine> lines;
  for (const trace::Site& site : trace.sites) {
    const uint32_t n = site.id.value;
    const sass::SiteMatch& match = level.match.sites[n];
    const bool is_merged = match.merged != sass::SiteMatch::kNone;
    const auto& instructions = is_merged ? level.match.merged[match.merged].instructions : match.instructions;
    const trace::Totals& totals = level.totals()[n];
    if (instructions.empty() || totals.requests == 0) continue;
    DivergentLine line{.where = site.source,
                       .operation = site.operation,
                       .requests = totals.requests,
                       .lanes = totals.lanes};
    if (lanes_per_request(line) >= kFew * whole) continue;
    // Of copies one without a predicate says more.
    const auto plain = std::ranges::find_if(
        instructions, [&](uint32_t index) { return !level.match.accesses[index].is_guarded; });
    find_barrier(line, level, plain == instructions.end() ? instructions.front() : *plain);
    const auto same = std::ranges::find_if(lines, [&](const DivergentLine& other) {
      return other.where == line.where && other.how == line.how && other.bssy == line.bssy;
    });
    if (same == lines.end()) {
      lines.push_back(std::move(line));
    } else {
      same->requests += line.requests;
      same->lanes += line.lanes;
    }
  }
  return lines;
}

std::string divergence_text(const trace::Trace& trace, const sass::MachineLevel& level) {
  const bool at_barriers = level.reconvergence.kind == sass::Reconvergence::Kind::AtBarriers;
  std::string text;
  for (const DivergentLine& line : divergent_lines(trace, level))
    text += text_of(line, lanes_per_warp(trace), at_barriers);
  if (!text.empty() && level.reconvergence.kind == sass::Reconvergence::Kind::Unknown)
    text +=
        "  where lanes reconverge in the machine code does not follow from its barriers: lanes are those of "
        "the "
        "PTX\n";
  return text;
}

Json divergence_json(const trace::Trace& trace, const sass::MachineLevel& level) {
  Json lines = Json::array();
  for (const DivergentLine& line : divergent_lines(trace, level)) {
    Json json{{"file", line.where.file},
              {"line", line.where.line},
              {"requests", line.requests},
              {"lanes", line.lanes},
              {"how", word_of(line.how)}};
    if (line.how == How::Barrier) {
      json["bssy"] = json_of(line.bssy);
      json["bsync"] = json_of(line.bsync);
    }
    lines.push_back(std::move(json));
  }
  return lines;
}

}  // namespace lanescope::exporting
