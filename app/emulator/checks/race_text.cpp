#include "emulator/checks/race_text.h"

#include "base/array_shape.h"
#include "base/source_name.h"
#include "emulator/checks/access_places.h"
#include "emulator/checks/race_advice.h"
#include "emulator/values/culprit.h"
#include "ptx/own_place.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

std::string text_of(Dim3 position) { return fmt::format("({},{},{})", position.x, position.y, position.z); }

/// Kind of the statement, if both sides of a race are at one source line, with no barrier between them.
enum class Statement : uint8_t {
  None,
  Update,  // a = a + 1
  Reach    // a[i] = a[i + 1]
};

Statement statement_of(const RacePlace& place, const RaceSide& here, const RaceSide& there) {
  if (there.step == Findings::kNoStep) return Statement::None;
  const ptx::Program& program = *place.code.program;
  const Location one = ptx::own_place_of(program.origins[here.step]).where;
  if (one.line == 0 || one != ptx::own_place_of(program.origins[there.step]).where) return Statement::None;
  return have_one_place(program, here.step, there.step) ? Statement::Update : Statement::Reach;
}

std::string_view advice_for(const RacePlace& place, Statement statement) {
  if (place.copy_awaited_late)
    return "which it waits for only after the barrier; __pipeline_wait_prior(0) is missing before it, or a "
           "barrier after the wait";
  switch (place.finding) {
    case Finding::RaceOfWarps:
      if (statement == Statement::Update)
        return "and nothing orders them, so that updates are lost; use an atomic";
      if (statement == Statement::Reach)
        return "of the same statement, and no barrier is between them; put __syncthreads() between one round "
               "and the next, or between reading and writing";
      if (place.space != ptx::Space::Global) return kNoBarrier;
      if (place.may_lack_fence)
        return "and nothing orders them; if an atomic is to, as that of a lock, __threadfence() is missing "
               "before it, and else put __syncthreads() between them, or use an atomic";
      return "and nothing orders them; put __syncthreads() between them, or use an atomic";
    case Finding::RaceOfLanes:
      if (statement == Statement::Update)
        return "of the same statement, so that updates are lost; use an atomic";
      if (statement == Statement::Reach)
        return "of the same statement, and only lanes that run in step order them, which no device since "
               "Volta promises; put __syncwarp() between one round and the next, and between reading and "
               "writing";
      return place.space == ptx::Space::Global
                 ? "and only lanes that run in step order them, which no device since Volta promises; put "
                   "__syncwarp() between them, or use an atomic"
                 : "and only lanes that run in step order them, which no device since Volta promises; put "
                   "__syncwarp() between them";
    case Finding::RaceInInstruction:
      return "another value in the same instruction, and which one stays is undefined; let one lane write, "
             "or use an atomic";
    case Finding::RaceOfBlocks:
      if (place.space != ptx::Space::Global)
        return "and no barrier of the cluster is between them; call cluster.sync() there, or use an atomic";
      if (place.may_lack_fence)
        return "and nothing orders the blocks; if an atomic is to, __threadfence() is missing before it, and "
               "else use an atomic here, let one block do it, or launch two kernels";
      return "and nothing orders the blocks; use an atomic, let one block do it, or launch two kernels";
    case Finding::RaceAhead:
      return "and nothing orders them; that is fine if the compiler reads ahead of a condition that does not "
             "hold there, and else a race";
    case Finding::TestAndSet:
      return "and nothing orders them; that is fine if the test has one result for the value before and the "
             "value that is set, which is the same for all threads";
    default:
      return "the same value, so the result is the same; one thread is enough, or an atomic if each is to "
             "count";
  }
}

}  // namespace

std::string_view verb_of(const Code& code, uint32_t step) {
  if (step == Findings::kNoStep) return "accesses";
  switch (code.steps[step].kind) {
    case trace::Kind::Load:
      return "reads";
    case trace::Kind::Store:
      return "writes";
    case trace::Kind::AsyncCopy:
      return "copies";
    default:
      return "updates";
  }
}

std::string line_of(const Code& code, uint32_t step, const RaceSide& here) {
  if (step == Findings::kNoStep) return " earlier";
  const ptx::Origin& origin = code.program->origins[step];
  const Location where = ptx::own_place_of(origin).where;
  if (where.line == 0) return fmt::format(" at PTX line {}", origin.ptx_line);
  if (where.file == ptx::own_place_of(code.program->origins[here.step]).where.file)
    return fmt::format(" at line {}", where.line);
  return fmt::format(" at line {} of {}", where.line, where.file.substr(where.file.rfind('/') + 1));
}

trace::Hazard hazard_at(const Code& code, const RaceSide& here, trace::HazardKind kind) {
  return hazard_at(code, here.step, here.thread, here.block, kind);
}

std::string element_of_place(const RacePlace& place) {
  if (place.space == ptx::Space::Global)
    return place.memory.element_of_buffer(trace::buffer_of(place.address), trace::offset_of(place.address));
  if (place.space == ptx::Space::Local) return {};
  const ptx::Program& program = *place.code.program;
  const ptx::ProgramVariable* dynamic = nullptr;
  for (const ptx::ProgramVariable& variable : program.variables) {
    if (variable.space != ptx::Space::Shared) continue;
    if (place.address - variable.offset < variable.size_bytes)
      return element_at(variable_name_of(variable.name), variable.shape, place.address - variable.offset);
    if (variable.size_bytes != 0) continue;
    if (dynamic != nullptr) return {};  // two arrays begin at one address
    dynamic = &variable;
  }
  if (dynamic == nullptr || place.address < dynamic->offset) return {};
  return element_at(variable_name_of(dynamic->name), dynamic->shape, place.address - dynamic->offset);
}

std::string name_of_place(const RacePlace& place) {
  const auto& [code, memory, space, address, bytes, finding, owner, late, may_lack_fence] = place;
  const std::string element = element_of_place(place);
  switch (space) {
    case ptx::Space::Global:
      return place_at(element, trace::offset_of(address),
                      fmt::format("'{}'", memory.name_of_buffer(trace::buffer_of(address))));
    case ptx::Space::Local:
      return fmt::format("offset {} of its local memory", address);
    default:
      break;
  }
  const std::string of_block = owner ? " of block " + text_of(*owner) : "";
  for (const ptx::ProgramVariable& variable : code.program->variables)
    if (variable.space == ptx::Space::Shared && address - variable.offset < variable.size_bytes)
      return place_at(element, address - variable.offset,
                      fmt::format("'{}' in {}shared memory{}", variable_name_of(variable.name),
                                  owner ? "the " : "", of_block));
  if (address >= code.program->static_shared_bytes)
    return place_at(element, address - code.program->static_shared_bytes,
                    fmt::format("{}dynamic shared memory{}", owner ? "the " : "", of_block));
  return fmt::format("offset {} of {}shared memory{}", address, owner ? "the " : "", of_block);
}

trace::Hazard race_hazard(const RacePlace& place, const RaceSide& here, const RaceSide& there) {
  trace::Hazard hazard = hazard_at(place.code, here, trace::HazardKind::Race);
  hazard.element = element_of_place(place);
  const Dim3 thread = position_of(there.thread, place.code.block);
  trace::Culprit other{.where = {}, .block = there.block, .thread = thread};
  if (there.step != Findings::kNoStep) other = culprit_at(place.code, there.step, there.block, thread);
  if (there.step == Findings::kNoStep && here.block != there.block) {
    hazard.message =
        fmt::format("{} {}, which block {} accesses, {}", verb_of(place.code, here.step),
                    name_of_place(place), text_of(there.block), advice_for(place, Statement::None));
    hazard.other = std::move(other);
    return hazard;
  }
  const bool same_instruction = place.finding == Finding::RaceInInstruction;
  hazard.message = fmt::format(
      "{} {}, where {}{} {}{}{} {}", verb_of(place.code, here.step), name_of_place(place),
      there.is_some_lane ? "another thread of the warp" : "thread " + text_of(thread),
      here.block == there.block ? "" : " of block " + text_of(there.block), verb_of(place.code, there.step),
      same_instruction ? "" : line_of(place.code, there.step, here),
      same_instruction || place.finding == Finding::EqualValues ? "" : ",",
      advice_for(place, statement_of(place, here, there)));
  hazard.other = std::move(other);
  return hazard;
}

trace::Hazard unwritten_hazard(const RacePlace& place, const RaceSide& here) {
  trace::Hazard hazard = hazard_at(place.code, here, trace::HazardKind::Uninitialized);
  hazard.element = element_of_place(place);
  const std::string where = name_of_place(place);
  if (place.finding == Finding::PartlyUnwritten) {
    hazard.message = fmt::format(
        "{} {} bytes at {}, some of which are uninitialized; that is fine if they are padding and not used",
        verb_of(place.code, here.step), place.bytes, where);
    return hazard;
  }
  if (place.finding != Finding::PartlyUnwritten && place.space == ptx::Space::Global &&
      place.memory.has_fresh(trace::buffer_of(place.address))) {
    hazard.message = fmt::format(
        "{} {} bytes at {}, which are uninitialized: nothing has written them since they were allocated; {}",
        verb_of(place.code, here.step), place.bytes, where,
        place.finding == Finding::UnwrittenInput
            ? "the program has put no data on the device so far, so its results have no meaning"
        : place.finding == Finding::UnwrittenAhead
            ? "that is fine if the compiler reads ahead of a condition that does not hold there"
            : "copy or fill them, or write them in a kernel first");
    return hazard;
  }
  if (place.finding == Finding::UnwrittenAhead) {
    hazard.message = fmt::format(
        "{} {} bytes at {}, which are uninitialized; that is fine if the compiler reads ahead of a "
        "condition "
        "that does not hold there, and else a mistake",
        verb_of(place.code, here.step), place.bytes, where);
    return hazard;
  }
  const std::string_view advice = place.space == ptx::Space::Local ? "give the variable a value first"
                                  : place.space == ptx::Space::Global
                                      ? "give the buffer contents, or write before reading"
                                      : "write it first, and check the index";
  hazard.message = fmt::format("{} {} bytes at {}, which are uninitialized; {}",
                               verb_of(place.code, here.step), place.bytes, where, advice);
  return hazard;
}

trace::Hazard absence_hazard(const RacePlace& place, const RaceSide& here) {
  trace::Hazard hazard = hazard_at(place.code, here, trace::HazardKind::Race);
  hazard.message = fmt::format("{} {}, {}", verb_of(place.code, here.step), name_of_place(place),
                               place.finding == Finding::BlockNotStarted
                                   ? "which need not have begun; call cluster.sync() first"
                                   : "which may have ended; call cluster.sync() before blocks end");
  return hazard;
}

trace::Hazard heap_hazard(const RacePlace& place, const RaceSide& here, const HeapFault& fault) {
  trace::Hazard hazard = hazard_at(place.code, here, trace::HazardKind::OutOfBounds);
  const std::string_view doing = verb_of(place.code, here.step);
  if (place.finding == Finding::FreedPiece) {
    hazard.message = fmt::format(
        "{} {} bytes at offset {} of a piece of {} bytes of the device heap that has been freed; free it "
        "after "
        "its last use",
        doing, place.bytes, fault.offset, fault.piece_bytes);
  } else if (fault.piece_bytes == 0) {
    hazard.message = fmt::format(
        "{} {} bytes of the device heap that malloc has not given; check the pointer", doing, place.bytes);
  } else {
    hazard.message = fmt::format(
        "{} {} bytes at offset {} of a piece of the device heap, {} bytes beyond its end (malloc was asked "
        "for "
        "{}); check the index",
        doing, place.bytes, fault.offset, fault.offset + place.bytes - fault.piece_bytes, fault.piece_bytes);
  }
  return hazard;
}

}  // namespace lanescope::emulator
