#include "pipeline/guessed_run.h"

#include "launch/buffer_spec.h"
#include "launch/number.h"
#include "pipeline/value_flow.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::pipeline {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 30;  // of all buffers of a launch
constexpr int kMostRounds = 40;

/// What became of the sizes.
struct Sizes {
  std::vector<Step> steps;
  std::vector<Enlarged> of_buffers;
  std::vector<std::optional<Enlarged>> of_shared;  // [step]
};

std::string spec_of(const launch::Buffer& buffer, const std::string& contents) {
  return fmt::format("{}[{}]:{}", name_of(buffer.type), fmt::join(buffer.shape, "x"), contents);
}

/// The buffer with at least so many bytes.
Result<launch::Buffer> with_size(const launch::Buffer& buffer, uint64_t bytes, const std::string& contents) {
  launch::Buffer larger = buffer;
  uint64_t row_bytes = launch::size_bytes(buffer.type);
  for (size_t n = 1; n < buffer.shape.size(); ++n) row_bytes *= buffer.shape[n];
  larger.shape.front() = (bytes + row_bytes - 1) / row_bytes;
  larger.initial = nullptr;
  TRY_VOID(launch::fill_buffer(larger, contents));
  return larger;
}

const Guess::Buffer* guessed_buffer(const Guess& guess, const std::string& name) {
  const auto found = std::ranges::find(guess.buffers, name, &Guess::Buffer::name);
  return found == guess.buffers.end() ? nullptr : &*found;
}

/// Keeps the newest size of a buffer.
void note(std::vector<Enlarged>& all, Enlarged one) {
  const auto known = std::ranges::find(all, one.buffer, &Enlarged::buffer);
  if (known == all.end())
    all.push_back(std::move(one));
  else
    *known = std::move(one);
}

void put_buffer(Sizes& sizes, size_t number, const launch::Buffer& buffer) {
  for (Step& step : sizes.steps) {
    auto launch = std::make_shared<launch::Launch>(*step.job.launch);
    launch->buffers[number] = buffer;
    step.job.launch = std::move(launch);
  }
}

bool enlarge_buffer(Sizes& sizes, const Guess& guess, uint32_t number, const trace::Hazard& hazard) {
  // The launches share their buffers.
  const std::vector<launch::Buffer>& buffers = sizes.steps.front().job.launch->buffers;
  if (number >= buffers.size()) return false;
  const Guess::Buffer* const guessed = guessed_buffer(guess, buffers[number].name);
  if (guessed == nullptr) return false;
  uint64_t others = 0;
  for (size_t n = 0; n < buffers.size(); ++n) others += n == number ? 0 : buffers[n].initial->size();
  if (hazard.excess->end_bytes > kMostBytes || others + hazard.excess->end_bytes > kMostBytes) return false;
  // Twice as large where that is enough: the first access beyond the end is rarely the farthest.
  const uint64_t bytes = std::max(hazard.excess->end_bytes, 2 * uint64_t{buffers[number].initial->size()});
  const auto buffer = with_size(buffers[number], bytes, guessed->contents);
  if (!buffer) return false;
  note(sizes.of_buffers,
       {buffer->name, spec_of(*buffer, guessed->contents), buffer->initial->size(), hazard.where});
  put_buffer(sizes, number, *buffer);
  return true;
}

bool enlarge_shared(Sizes& sizes, size_t number, const trace::Trace& trace, const trace::Hazard& hazard) {
  Step& step = sizes.steps[number];
  const uint64_t missing =
      hazard.excess->end_bytes - std::min<uint64_t>(trace.shared_bytes, hazard.excess->end_bytes);
  auto launch = std::make_shared<launch::Launch>(*step.job.launch);
  const uint64_t room = launch::kMaximumSharedBytes - (trace.shared_bytes - launch->dynamic_shared_bytes);
  const uint64_t bytes = launch->dynamic_shared_bytes + missing;
  if (missing == 0 || bytes > room) return false;
  launch->dynamic_shared_bytes =
      static_cast<uint32_t>(std::min(room, std::max(bytes, 2 * uint64_t{launch->dynamic_shared_bytes})));
  sizes.of_shared[number] =
      Enlarged{"", fmt::to_string(launch->dynamic_shared_bytes), launch->dynamic_shared_bytes, hazard.where};
  step.job.launch = std::move(launch);
  return true;
}

/// False: what was found is not for want of size.
bool enlarge(Sizes& sizes, const Runs& runs) {
  const size_t last = runs.size() - 1;
  const trace::Trace& trace = *runs[last]->trace;
  for (const trace::Hazard& hazard : trace.hazards) {
    if (!hazard.excess) continue;
    const Guess& guess = sizes.steps[last].guess;
    if (hazard.excess->buffer) return enlarge_buffer(sizes, guess, *hazard.excess->buffer, hazard);
    return guess.shared && enlarge_shared(sizes, last, trace, hazard);
  }
  return false;
}

/// [buffer] the bytes up to the end of the farthest access of all runs; none where not all are kept.
std::vector<uint64_t> ends_of_accesses(const Runs& runs, size_t buffers) {
  std::vector<uint64_t> ends(buffers, 0);
  for (const auto& run : runs) {
    const trace::Trace& trace = *run->trace;
    if (trace.dropped != 0) return {};
    for (const trace::StoredBlock& block : trace.blocks)
      for (const trace::StoredAccess& stored : block.accesses) {
        const trace::WarpAccess access = trace::view(trace, block, stored);
        if (access.operation.space != trace::Space::Global) continue;
        trace::for_each_address(access, [&](int, int, uint64_t address) {
          if (!trace::has_buffer(address) || trace::buffer_of(address) >= buffers) return;
          uint64_t& end = ends[trace::buffer_of(address)];
          end = std::max(end, trace::offset_of(address) + access.operation.bytes_per_lane);
        });
      }
  }
  return ends;
}

/// Gives the enlarged buffers the size that the accesses need, where that is less.
Result<Runs> with_exact_sizes(Sizes& sizes, Runs runs, const RunAll& run_all) {
  const bool is_whole =
      std::ranges::all_of(runs, [](const auto& run) { return run->trace->hazards.empty(); });
  if (sizes.of_buffers.empty() || !is_whole || runs.size() != sizes.steps.size()) return runs;
  TRY(const Runs all, run_all(sizes.steps, Kept::All));
  const std::vector<launch::Buffer> buffers = sizes.steps.front().job.launch->buffers;
  const std::vector<uint64_t> ends = ends_of_accesses(all, buffers.size());
  Sizes exact = sizes;
  for (size_t n = 0; n < ends.size(); ++n) {
    const auto enlarged = std::ranges::find(exact.of_buffers, buffers[n].name, &Enlarged::buffer);
    const Guess::Buffer* const guessed = guessed_buffer(sizes.steps.front().guess, buffers[n].name);
    if (enlarged == exact.of_buffers.end() || guessed == nullptr || ends[n] >= buffers[n].initial->size())
      continue;
    TRY(const launch::Buffer buffer, with_size(buffers[n], ends[n], guessed->contents));
    *enlarged = {buffer.name, spec_of(buffer, guessed->contents), buffer.initial->size(), enlarged->where};
    put_buffer(exact, n, buffer);
  }
  TRY(Runs again, run_all(exact.steps, Kept::AsAsked));
  const bool is_enough =
      std::ranges::all_of(again, [](const auto& run) { return run->trace->hazards.empty(); });
  if (!is_enough) return runs;
  sizes = std::move(exact);
  return again;
}

/// Whether another launch of the kernel may not have this hazard. `flow`: that of the kernel.
bool may_be_of_guess(const trace::Hazard& hazard, const Step& step, const ValueFlow& flow) {
  if (step.guess.is_of_numbers()) return true;
  if (hazard.excess && hazard.excess->buffer) {
    const auto& buffers = step.job.launch->buffers;
    const uint32_t number = *hazard.excess->buffer;
    if (number < buffers.size() && guessed_buffer(step.guess, buffers[number].name) != nullptr) return true;
  }
  if (!step.guess.contents) return false;
  return flow.data_lines.contains(hazard.ptx_line) ||
         (hazard.other && flow.data_lines.contains(hazard.other->ptx_line));
}

/// The run with its findings as questions where they may come from the guess.
std::shared_ptr<const Run> with_questions(std::shared_ptr<const Run> run, const Step& step) {
  if (run->trace->hazards.empty() || !step.guess.is_any()) return run;
  const ValueFlow flow = find_value_flow(run->ptx_text, run->entry);
  auto trace = std::make_shared<trace::Trace>(*run->trace);
  for (trace::Hazard& hazard : trace->hazards) {
    if (!may_be_of_guess(hazard, step, flow)) continue;
    hazard.is_question = true;
    hazard.message += "; the launch is a guess: does it happen with yours?";
  }
  auto asked = std::make_shared<Run>(*run);
  asked->trace = std::move(trace);
  return asked;
}

/// Threads of the last block, in x and y, that have no element where guessed counts do not fill it.
constexpr uint64_t kIdleThreads = 5;

/// The launch with counts that do not fill the last block, and buffers of that size, with `more` elements for
/// each count; none where no count is a guess.
std::optional<Step> with_idle_threads(const Step& step, const std::vector<Enlarged>& enlarged,
                                      uint64_t more) {
  const std::vector<Guess::Count>& counts = step.guess.counts;
  if (counts.empty() || std::ranges::min(counts, {}, &Guess::Count::value).value <= 2 * kIdleThreads)
    return {};
  launch::Launch launch = *step.job.launch;
  for (const Guess::Count& count : counts) {
    auto* const value = count.argument < launch.arguments.size()
                            ? std::get_if<launch::Value>(&launch.arguments[count.argument])
                            : nullptr;
    if (value == nullptr || !value->type) return {};
    auto bytes = launch::parse_number(*value->type, fmt::to_string(count.value - kIdleThreads));
    if (!bytes) return {};
    value->bytes = *std::move(bytes);
  }
  for (launch::Buffer& buffer : launch.buffers) {
    const Guess::Buffer* const guessed = guessed_buffer(step.guess, buffer.name);
    const bool is_enlarged = std::ranges::find(enlarged, buffer.name, &Enlarged::buffer) != enlarged.end();
    const bool is_of_counts = std::ranges::all_of(buffer.shape, [&](uint64_t extent) {
      return std::ranges::find(counts, extent, &Guess::Count::value) != counts.end();
    });
    if (guessed == nullptr || !guessed->is_of_threads || is_enlarged || !is_of_counts) continue;
    for (uint64_t& extent : buffer.shape) extent -= kIdleThreads - more;
    if (!launch::fill_buffer(buffer, guessed->contents)) return {};
  }
  Step probe = step;
  probe.job.launch = std::make_shared<const launch::Launch>(std::move(launch));
  return probe;
}

/// "`width` = 251, `height` = 251": the counts that do not fill the last block.
std::string text_of_counts(const Guess& guess) {
  std::vector<std::string> all;
  for (const Guess::Count& count : guess.counts)
    all.push_back(fmt::format("`{}` = {}", count.name, count.value - kIdleThreads));
  return fmt::format("{}", fmt::join(all, ", "));
}

bool leaves_a_buffer(const trace::Hazard& hazard, const Step& step) {
  return hazard.excess && hazard.excess->buffer && *hazard.excess->buffer < step.job.launch->buffers.size();
}

/// What the kernel does wrong where its last block is not full, as questions for the run with full blocks.
void ask_for_guard(std::shared_ptr<const Run>& run, const Step& step, const RunAll& run_all) {
  // A block alone that has as much dynamic shared memory as threads has a count that is its own size.
  if (volume(step.job.launch->grid) == 1 && step.job.launch->dynamic_shared_bytes != 0) return;
  const auto probe = with_idle_threads(step, run->enlarged, 0);
  if (!probe) return;
  const auto runs = run_all(std::span(&*probe, 1), Kept::AsAsked);
  if (!runs || runs->empty()) return;
  std::vector<trace::Hazard> questions = runs->front()->trace->hazards;
  if (questions.empty()) return;
  // With room for one more, a guard that is off by one leaves no buffer.
  bool is_by_one = false;
  const auto leaves = [&](const trace::Hazard& one) { return leaves_a_buffer(one, *probe); };
  if (std::ranges::any_of(questions, leaves)) {
    // Races of threads that have no element follow from it.
    std::erase_if(questions, std::not_fn(leaves));
    if (const auto larger = with_idle_threads(step, run->enlarged, 1)) {
      const auto again = run_all(std::span(&*larger, 1), Kept::AsAsked);
      is_by_one = again && !again->empty() && std::ranges::none_of(again->front()->trace->hazards, leaves);
    }
  }
  const std::string counts = text_of_counts(step.guess);
  for (trace::Hazard& question : questions) {
    question.is_question = true;
    if (leaves(question))
      question.message =
          fmt::format("accesses `{}` beyond its end with {}, which does not fill the last block: {}",
                      probe->job.launch->buffers[*question.excess->buffer].name, counts,
                      is_by_one ? "does the guard let one thread too many pass, as <= in place of < would?"
                                : "is the guard missing, or is the size always a multiple of the block?");
    else
      question.message +=
          fmt::format("; it is so with {}, which does not fill the last block: may that happen?", counts);
  }
  auto trace = std::make_shared<trace::Trace>(*run->trace);
  trace->notes.insert(trace->notes.end(), questions.begin(), questions.end());
  auto asked = std::make_shared<Run>(*run);
  asked->trace = std::move(trace);
  run = std::move(asked);
}

std::string size_text(uint64_t bytes) {
  constexpr uint64_t kKibi = 1024, kMebi = kKibi * kKibi;
  if (bytes >= kMebi && bytes % (kMebi / 4) == 0)
    return fmt::format("{} MiB", static_cast<double>(bytes) / double{kMebi});
  if (bytes >= kMebi) return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / double{kMebi});
  if (bytes % kKibi == 0) return fmt::format("{} KiB", bytes / kKibi);
  return fmt::format("{} bytes", bytes);
}

}  // namespace

bool has_guess(std::span<const Step> steps) {
  return std::ranges::any_of(steps, [](const Step& step) { return step.guess.is_any(); });
}

Result<Runs> run_guessed(std::span<const Step> steps, const RunAll& run_all) {
  Sizes sizes{{steps.begin(), steps.end()}, {}, std::vector<std::optional<Enlarged>>(steps.size())};
  TRY(Runs runs, run_all(sizes.steps, Kept::AsAsked));
  for (int round = 0; round < kMostRounds && !runs.empty() && enlarge(sizes, runs); ++round) {
    TRY(runs, run_all(sizes.steps, Kept::AsAsked));
  }
  TRY(runs, with_exact_sizes(sizes, std::move(runs), run_all));
  for (size_t n = 0; n < runs.size(); ++n) {
    runs[n] = with_questions(runs[n], sizes.steps[n]);
    auto run = std::make_shared<Run>(*runs[n]);
    run->enlarged = sizes.of_buffers;
    if (sizes.of_shared[n]) run->enlarged.push_back(*sizes.of_shared[n]);
    runs[n] = std::move(run);
  }
  if (runs.size() == 1 && steps.size() == 1 && runs.front()->trace->hazards.empty())
    ask_for_guard(runs.front(), sizes.steps.front(), run_all);
  return runs;
}

void take_sizes(LaunchFile& launches, const Runs& runs) {
  for (size_t n = 0; n < runs.size() && n < launches.launches.size(); ++n)
    for (const Enlarged& one : runs[n]->enlarged) {
      if (one.buffer.empty()) {
        launches.launches[n].shared_bytes = one.bytes;
        continue;
      }
      const auto take = [&](std::string& argument) {
        if (!argument.starts_with(one.buffer + "=")) return;
        const size_t offset = argument.find('+', argument.find(':'));
        const std::string rest = offset == std::string::npos ? "" : argument.substr(offset);
        argument = fmt::format("{}={}{}", one.buffer, one.spec, rest);
      };
      std::ranges::for_each(launches.buffers, take);
      for (LaunchText& launch : launches.launches) std::ranges::for_each(launch.arguments, take);
    }
}

void take_sizes(std::span<Step> steps, const Runs& runs) {
  if (runs.empty() || runs.front()->enlarged.empty()) return;
  for (size_t n = 0; n < steps.size(); ++n) {
    auto launch = std::make_shared<launch::Launch>(*steps[n].job.launch);
    for (const Enlarged& one : runs[std::min(n, runs.size() - 1)]->enlarged) {
      if (one.buffer.empty()) launch->dynamic_shared_bytes = static_cast<uint32_t>(one.bytes);
      for (size_t k = 0; k < launch->buffers.size(); ++k)
        if (!one.buffer.empty() && launch->buffers[k].name == one.buffer)
          launch->buffers[k] = runs.front()->launch->buffers[k];
    }
    steps[n].job.launch = std::move(launch);
  }
}

std::string sentence_of(const std::vector<Enlarged>& enlarged) {
  std::vector<std::string> parts;
  for (const Enlarged& one : enlarged)
    parts.push_back(
        fmt::format("{}: {}, as line {} needs",
                    one.buffer.empty() ? "dynamic shared memory" : fmt::format("`{}`", one.buffer),
                    size_text(one.bytes), one.where.line));
  return fmt::format("{}", fmt::join(parts, "; "));
}

Guess guess_left(const LaunchText& before, const LaunchText& now) {
  Guess guess = before.guess;
  if (before.kernel != now.kernel || before.arguments.size() != now.arguments.size()) return {};
  guess.grid &= before.grid == now.grid;
  guess.block &= before.block == now.block;
  guess.shared &= before.shared_bytes == now.shared_bytes;
  for (size_t n = 0; n < now.arguments.size(); ++n) {
    if (before.arguments[n] == now.arguments[n]) continue;
    std::erase_if(guess.buffers, [&](const Guess::Buffer& buffer) {
      return before.arguments[n].starts_with(buffer.name + "=");
    });
    // A person who changes one number has looked at the others.
    if (!before.arguments[n].contains('[')) {
      guess.values = false;
      guess.counts.clear();
    }
  }
  return guess;
}

}  // namespace lanescope::pipeline
