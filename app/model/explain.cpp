// The cases, from the most specific to the most general; the sentences are in base/text.def.

#include "model/explain.h"

#include "base/counted_phrase.h"
#include "model/device_cost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>

namespace lanescope::model {
namespace {

using trace::Kind;
using trace::WarpAccess;

/// Lane l is at first + l * step, in any unit.
struct Line {
  int64_t first = 0;
  int64_t step = 0;
};

/// The constant stride of the active lanes' addresses, whether stored as affine or as a list.
std::optional<Line> line_of(const WarpAccess& access) {
  if (access.active.count() < 2) return std::nullopt;
  if (access.addresses.affine()) {
    return Line{static_cast<int64_t>(access.addresses.base), access.addresses.stride};
  }
  const int first_lane = std::countr_zero(access.active.bits);
  const int second_lane = std::countr_zero(access.active.bits & (access.active.bits - 1));
  const auto first = static_cast<int64_t>(access.addresses.list[0]);
  const int64_t rise = static_cast<int64_t>(access.addresses.list[1]) - first;
  if (rise % (second_lane - first_lane) != 0) return std::nullopt;
  Line line{0, rise / (second_lane - first_lane)};
  line.first = first - line.step * first_lane;
  bool fits = true;
  trace::for_each_address(access, [&](int, int lane, uint64_t address) {
    fits = fits && static_cast<int64_t>(address) == line.first + line.step * lane;
  });
  return fits ? std::optional(line) : std::nullopt;
}

/// "32·k + 3", "k", "7", "31 - k".
std::string formula(const Line& line) {
  const auto times_k = [](int64_t factor) {
    return factor == 1 ? std::string("k") : fmt::format("{}·k", factor);
  };
  if (line.step == 0) return fmt::format("{}", line.first);
  if (line.step < 0) return fmt::format("{} - {}", line.first, times_k(-line.step));
  if (line.first == 0) return times_k(line.step);
  // Lane 0 may be before the start if it is inactive.
  if (line.first < 0) return fmt::format("{} - {}", times_k(line.step), -line.first);
  return fmt::format("{} + {}", times_k(line.step), line.first);
}

struct Busiest {
  int bank = 0;
  int words = 0;       // in that bank
  int banks_used = 0;  // by the whole access
};

Busiest busiest_of(const BankReport& report) {
  std::array<std::set<uint32_t>, kBanks> words;
  for (const BankWord& word : report.words) words[word.bank].insert(word.word);
  Busiest busiest;
  for (int bank = 0; bank < kBanks; ++bank) {
    const auto count = static_cast<int>(words[static_cast<size_t>(bank)].size());
    busiest.banks_used += count != 0;
    if (count > busiest.words) busiest = {bank, count, busiest.banks_used};
  }
  return busiest;
}

bool is_serialised(const WarpAccess& access) {
  return (access.operation.kind == Kind::Atomic || access.operation.kind == Kind::Reduction) &&
         access.operation.detail != trace::Detail::UnusedIncrement;
}

/// Of an asynchronous copy with more wavefronts than its bytes need.
std::string explain_copy(const BankReport& report, const WarpAccess& access, Language language) {
  const Text text = access.operation.detail == trace::Detail::BypassL1 ? Text::explain_copy_chunks
                    : report.is_by_source                              ? Text::explain_copy_source
                                                                       : Text::explain_copy_target;
  return phrase(language, text, report.wavefronts, report.ideal);
}

std::string explain_atomic(const BankReport& report, Language language) {
  std::array<LaneMask, kBanks> lanes{};
  for (const BankWord& word : report.words) lanes[word.bank].bits |= word.lanes.bits;
  const auto busiest = std::ranges::max_element(lanes, {}, &LaneMask::count);
  return phrase(language, Text::explain_serialised, busiest->count(), busiest - lanes.begin(),
                report.wavefronts, report.ideal);
}

/// Lanes of up to 4 bytes at a constant stride of whole words.
std::string explain_words(const BankReport& report, const WarpAccess& access, Line line, Language language) {
  line = {line.first >> 2, line.step / 4};  // bytes to words, rounded down also for negative values
  const int lanes = access.active.count();
  if (line.step == 0) return phrase(language, Text::explain_broadcast, lanes, line.first);
  const std::string where = phrase(language, Text::explain_at_word, formula(line)) + ' ';
  const Busiest busiest = busiest_of(report);
  if (report.wavefronts == 1) return where + phrase(language, Text::explain_every_bank, lanes);
  if (busiest.banks_used == 1) {
    return where + phrase(language, Text::explain_one_bank, busiest.bank, busiest.words, report.wavefronts,
                          report.ideal);
  }
  return where + phrase(language, Text::explain_few_banks, busiest.banks_used, busiest.words,
                        report.wavefronts, report.ideal);
}

int percent(uint32_t part, uint32_t whole) {
  return static_cast<int>((200 * uint64_t{part} + whole) / (2 * uint64_t{whole}));
}

std::string counted(Language language, uint32_t count, Text one, Text many) {
  return phrase(language, count == 1 ? one : many, count);
}

/// Of GPUs before 5.0.
std::string explain_passes(const BankReport& report, const WarpAccess& access, Language language) {
  if (!access.active.any()) return {};
  const std::string passes =
      counted(language, report.wavefronts, Text::figure_one_pass, Text::figure_many_passes);
  if (report.compute_capability < 20)
    return phrase(language, Text::figure_passes_of_halves, report.banks, passes, access.active.count(),
                  report.ideal);
  return phrase(language, Text::figure_passes_explained, report.banks, access.active.count(), passes,
                report.ideal);
}

std::string explain_transactions(const SectorReport& report, Language language) {
  if (report.segments.empty()) return {};
  uint64_t moved = 0;
  for (const Segment& segment : report.segments) moved += segment.bytes;
  return phrase(
      language, Text::figure_transactions_explained,
      say(language, report.compute_capability < 20 ? Text::figure_half_warp : Text::figure_whole_warp),
      counted(language, report.sectors, Text::figure_one_transaction, Text::figure_many_transactions), moved,
      report.bytes_wanted);
}

}  // namespace

std::string explain(const BankReport& report, const WarpAccess& access, Language language) {
  if (units_of(report.compute_capability) == CostUnits::Transactions)
    return explain_passes(report, access, language);
  if (report.words.empty()) return {};
  if (access.operation.kind == Kind::AsyncCopy && report.wavefronts > report.ideal)
    return explain_copy(report, access, language);
  if (is_serialised(access) && report.wavefronts > report.ideal) return explain_atomic(report, language);
  const int bytes = access.operation.bytes_per_lane;
  const int lanes = access.active.count();
  const auto line = line_of(access);
  if (line && line->step % 4 == 0 && bytes <= 4) return explain_words(report, access, *line, language);
  const Busiest busiest = busiest_of(report);
  if (report.wavefronts <= report.ideal) {
    if (report.wavefronts == 1 && busiest.words == 1)
      return phrase(language, Text::explain_no_conflict, lanes);
    const bool all_differ =
        std::ranges::all_of(report.words, [](const BankWord& word) { return word.lanes.count() == 1; });
    if (all_differ) {
      return phrase(language, Text::explain_wide_ideal, lanes, bytes, lanes * bytes, report.wavefronts);
    }
    std::set<uint32_t> words;
    for (const BankWord& word : report.words) words.insert(word.word);
    return phrase(language, Text::explain_shared_words, lanes, words.size(), report.wavefronts);
  }
  // With wide accesses either one bank has as many words as there are wavefronts, or each group of lanes
  // leaves banks idle; only in the first case is one bank the cause.
  if (busiest.words < report.wavefronts) {
    return phrase(language, Text::explain_excess, lanes, report.wavefronts, report.ideal);
  }
  return phrase(language, Text::explain_conflict, busiest.bank, busiest.words, report.wavefronts,
                report.ideal);
}

std::string explain(const SectorReport& report, const WarpAccess& access, Language language) {
  if (units_of(report.compute_capability) == CostUnits::Transactions)
    return explain_transactions(report, language);
  if (report.used.empty()) return {};
  const uint32_t moved = report.sectors * kSectorBytes;
  const int lanes = access.active.count();
  if (access.operation.space == trace::Space::Local) {
    return phrase(language, Text::explain_local, report.sectors, report.lines, report.bytes_wanted);
  }
  const auto line = line_of(access);
  if (line && line->step == 0 && report.sectors == 1) {
    return phrase(language, Text::explain_one_address, lanes, report.bytes_wanted);
  }
  if (moved == report.bytes_wanted) {
    const uint32_t fewest_lines = (moved + kLineBytes - 1) / kLineBytes;
    if (report.lines > fewest_lines) {
      return phrase(language, Text::explain_many_lines, report.sectors, report.lines, fewest_lines);
    }
    if (line && line->step == access.operation.bytes_per_lane) {
      return phrase(language, Text::explain_unit_stride, formula({0, line->step}), report.sectors);
    }
    return phrase(language, Text::explain_all_wanted, report.sectors);
  }
  const SectorUse& first = report.used.front();
  const int first_byte = std::countr_zero(first.bytes);
  if (line && line->step == access.operation.bytes_per_lane && report.sectors > report.ideal_sectors &&
      report.bytes_wanted == static_cast<uint32_t>(lanes) * access.operation.bytes_per_lane &&
      first_byte != 0) {
    return phrase(language, Text::explain_misaligned, report.bytes_wanted, first_byte, report.sectors,
                  report.ideal_sectors);
  }
  const int share = percent(report.bytes_wanted, moved);
  if (line && line->step > access.operation.bytes_per_lane) {
    return phrase(language, Text::explain_stride, formula({0, line->step}), report.sectors,
                  report.bytes_wanted, share);
  }
  if (report.sectors == 1)
    return counted_phrase(language, say(language, Text::explain_one_sector), lanes, moved,
                          report.bytes_wanted, share);
  if (report.lines == 1)
    return counted_phrase(language, say(language, Text::explain_one_line), lanes, report.sectors, moved,
                          report.bytes_wanted, share);
  return phrase(language, Text::explain_scattered, lanes, report.sectors, report.lines, moved,
                report.bytes_wanted, share);
}

}  // namespace lanescope::model
