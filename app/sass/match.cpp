#include "sass/match.h"

#include "ptx/lower_passes.h"
#include "sass/used_elements.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

namespace lanescope::sass {
namespace {

bool updates(MemoryKind kind) { return kind == MemoryKind::Atomic || kind == MemoryKind::Reduction; }

/// True if an instruction in `machine` may access the space of a site.
bool may_access(MachineSpace machine, MemorySpace space) {
  switch (machine) {
    case MachineSpace::Global:
      return space == MemorySpace::Global;
    case MachineSpace::Shared:
      return space == MemorySpace::Shared;
    case MachineSpace::Local:
      return space == MemorySpace::Local;
    case MachineSpace::Generic:
      return true;
  }
  return false;
}

/// A site as the matching needs it.
struct PlacedSite {
  const ptx::MemorySite* site = nullptr;
  bool is_fragment = false;  // of a matrix of wmma
  uint32_t block = 0;        // basic block
  uint32_t step = 0;         // index in Program::steps
};

class Matcher {
 public:
  Matcher(const ptx::Program& program, const MachineFunction& function) : program_(program) {
    result_.accesses = accesses_of(function);
    result_.sites.resize(program.sites.size());
    place_sites();
    for (const ptx::ProgramVariable& variable : program.variables)
      if (variable.space == ptx::Space::Local)
        arrays_end_ = std::max(arrays_end_, variable.offset + variable.size_bytes);
  }

  Match run() {
    for (uint32_t n = 0; n < result_.accesses.size(); ++n) place(n);
    join_merged();
    for (uint32_t n = 0; n < result_.merged.size(); ++n)
      for (const uint32_t site : result_.merged[n].sites) {
        result_.sites[site].fate = Fate::Merged;
        result_.sites[site].merged = n;
      }
    find_moved();
    find_parts();
    find_elections();
    return std::move(result_);
  }

 private:
  void place_sites() {
    placed_.resize(program_.sites.size());
    for (uint32_t block = 0; block < program_.blocks.size(); ++block) {
      for (uint32_t n = program_.blocks[block].first; n < program_.blocks[block].end; ++n) {
        const ptx::Step& step = program_.steps[n];
        if (!ptx::is_memory(step.op)) continue;
        const auto traits = ptx::access_of(step.op);
        const bool is_fragment = traits && traits->shape == ptx::AccessShape::Fragment;
        const ptx::Space space = program_.modifiers[step.modifiers].space;
        if (space == ptx::Space::Parameter || space == ptx::Space::Frame) continue;
        const uint32_t line = static_cast<uint32_t>(program_.origins[n].ptx_line);
        for (uint32_t site = step.site; site < program_.sites.size(); ++site) {
          if (static_cast<uint32_t>(program_.sites[site].ptx_line) != line) break;
          placed_[site] = {&program_.sites[site], is_fragment, block, n};
        }
      }
    }
    for (uint32_t site = 0; site < placed_.size(); ++site)
      if (placed_[site].site != nullptr)
        by_line_[static_cast<uint32_t>(placed_[site].site->ptx_line)].push_back(site);
  }

  bool is_spill(const MachineAccess& access, const std::vector<uint32_t>& sites) const {
    if (access.space != MachineSpace::Local) return false;
    const bool has_local = std::ranges::any_of(
        sites, [&](uint32_t site) { return placed_[site].site->operation.space == MemorySpace::Local; });
    return !has_local || (access.base_register == kStackRegister &&
                          static_cast<int64_t>(access.offset) >= static_cast<int64_t>(arrays_end_));
  }

  /// Matches one machine instruction with the sites of its line.
  void place(uint32_t index) {
    const MachineAccess& access = result_.accesses[index];
    const auto found = by_line_.find(access.ptx_line);
    static const std::vector<uint32_t> kNoSites;
    const std::vector<uint32_t>& here = found == by_line_.end() ? kNoSites : found->second;
    if (is_spill(access, here)) {
      result_.spills.push_back(index);
      return;
    }
    if (here.empty()) {
      result_.unmatched.push_back(index);
      return;
    }
    for (const uint32_t site : here) {
      SiteMatch& match = result_.sites[site];
      match.instructions.push_back(index);
      note_fate(match, fate_of(access, site));
    }
    // Sites of one line are those of one instruction, in several spaces.
    const auto wide =
        std::ranges::find_if(here, [&](uint32_t site) { return fate_of(access, site) == Fate::Merged; });
    if (wide != here.end()) merge(index, *wide);
  }

  /// Keeps the fate that says most: of copies of one site, one may be wider.
  static void note_fate(SiteMatch& match, Fate fate) {
    const bool is_first = match.instructions.size() == 1;
    if (is_first || match.fate == Fate::Replaced || fate == Fate::Merged) match.fate = fate;
  }

  Fate fate_of(const MachineAccess& access, uint32_t site) const {
    const MemoryOperation& operation = placed_[site].site->operation;
    if (access.is_matrix || access.is_bulk || operation.detail == MemoryDetail::Matrix ||
        operation.detail == MemoryDetail::Bulk || operation.detail == MemoryDetail::Tensor)
      return Fate::Same;
    if (access.kind == MemoryKind::AsyncCopy) return Fate::Same;
    const bool same_kind = updates(access.kind) == updates(operation.kind) &&
                           (updates(access.kind) || access.kind == operation.kind);
    if (!same_kind) return Fate::Replaced;
    // Another space of a generic address: not the one that it has.
    if (!may_access(access.space, operation.space)) return Fate::Same;
    if (updates(access.kind) || access.bytes == 0 || access.bytes == operation.bytes_per_lane)
      return Fate::Same;
    return access.bytes > operation.bytes_per_lane ? Fate::Merged : Fate::Narrower;
  }

  /// Sites of the anchor's kind and terms whose addresses are less than `bytes` from its address.
  std::vector<uint32_t> near(uint32_t anchor, uint32_t bytes) const {
    const ptx::MemorySite& its = *placed_[anchor].site;
    std::vector<uint32_t> sites;
    for (uint32_t site = 0; site < placed_.size(); ++site) {
      const ptx::MemorySite* const other = placed_[site].site;
      if (other == nullptr || other->operation.space != its.operation.space ||
          other->operation.kind != its.operation.kind || other->operation.detail != its.operation.detail ||
          other->address.terms != its.address.terms)
        continue;
      if (std::abs(other->address.offset - its.address.offset) < bytes) sites.push_back(site);
    }
    return sites;
  }

  /// The sites among `pool` whose bytes lie in the window of `bytes` from `start` on, one for each offset:
  /// the one that is nearest in the text. `covers`: they fill the window.
  std::vector<uint32_t> inside(const std::vector<uint32_t>& pool, uint32_t anchor, int64_t start,
                               uint32_t bytes, bool& covers) const {
    std::map<int64_t, uint32_t> best;
    for (const uint32_t site : pool) {
      const ptx::MemorySite& its = *placed_[site].site;
      const int64_t offset = its.address.offset;
      if (offset < start || offset + its.operation.bytes_per_lane > start + bytes) continue;
      const auto distance = [&](uint32_t n) { return std::abs(int64_t{n} - int64_t{anchor}); };
      const auto [at, is_new] = best.emplace(offset, site);
      if (!is_new && distance(site) < distance(at->second)) at->second = site;
    }
    std::vector<uint32_t> sites;
    int64_t end = start;
    covers = true;
    for (const auto& [offset, site] : best) {
      covers = covers && offset <= end;
      end = std::max(end, offset + placed_[site].site->operation.bytes_per_lane);
      sites.push_back(site);
    }
    covers = covers && end >= start + bytes;
    return sites;
  }

  /// Where the window may begin. The line of a merged instruction is that of its first load or last store.
  static std::vector<int64_t> starts_of(const ptx::MemorySite& anchor, uint32_t bytes) {
    const int64_t at = anchor.address.offset;
    if (anchor.address.alignment >= bytes) {
      const int64_t rest = ((at % bytes) + bytes) % bytes;
      return {at - rest};
    }
    std::vector<int64_t> starts;
    for (int64_t before = 0; before + anchor.operation.bytes_per_lane <= bytes;
         before += anchor.operation.bytes_per_lane)
      starts.push_back(at - before);
    if (anchor.operation.kind == MemoryKind::Store) std::ranges::reverse(starts);
    return starts;
  }

  void merge(uint32_t index, uint32_t anchor) {
    const uint32_t bytes = result_.accesses[index].bytes;
    const ptx::MemorySite& its = *placed_[anchor].site;
    MergedAccess merged{.space = its.operation.space,
                        .kind = its.operation.kind,
                        .bytes = bytes,
                        .sites = {anchor},
                        .instructions = {index}};
    if (!placed_[anchor].is_fragment) merged.sites = sites_of_window(anchor, bytes);
    result_.merged.push_back(std::move(merged));
  }

  std::vector<uint32_t> sites_of_window(uint32_t anchor, uint32_t bytes) const {
    const std::vector<uint32_t> all = near(anchor, bytes);
    std::vector<uint32_t> of_block;
    std::ranges::copy_if(all, std::back_inserter(of_block),
                         [&](uint32_t site) { return placed_[site].block == placed_[anchor].block; });
    const std::vector<int64_t> starts = starts_of(*placed_[anchor].site, bytes);
    bool covers = false;
    for (const std::vector<uint32_t>* pool : {&std::as_const(of_block), &all}) {
      for (const int64_t start : starts) {
        std::vector<uint32_t> sites = inside(*pool, anchor, start, bytes, covers);
        if (covers) return sites;
      }
    }
    // A window with a hole, or one that several iterations of a loop fill.
    return inside(of_block, anchor, starts.front(), bytes, covers);
  }

  /// The assembler gives a load that it moves to another one the line of that one. Finds such loads: a site
  /// without an instruction has the one that its neighbor has too many, as far from the neighbor's own in the
  /// machine code as the sites are in the PTX.
  void find_moved() {
    for (uint32_t n = 0; n < placed_.size(); ++n) {
      const SiteMatch& match = result_.sites[n];
      if (placed_[n].site == nullptr || !match.instructions.empty() || match.merged != SiteMatch::kNone)
        continue;
      for (uint32_t other = 0; other < placed_.size(); ++other) {
        if (!are_alike(n, other)) continue;
        const int64_t distance = placed_[n].site->address.offset - placed_[other].site->address.offset;
        if (distance != 0 && take_copy(result_.sites[other], distance, result_.sites[n])) break;
      }
    }
  }

  void find_elections() {
    for (uint32_t n = 0; n < placed_.size(); ++n) {
      if (placed_[n].site == nullptr) continue;
      const MemoryOperation& operation = placed_[n].site->operation;
      const bool is_atomic = operation.kind == MemoryKind::Atomic || operation.kind == MemoryKind::Reduction;
      SiteMatch& match = result_.sites[n];
      if (!is_atomic || match.fate != Fate::Same) continue;
      const auto of_one = std::ranges::count_if(
          match.instructions, [&](uint32_t index) { return result_.accesses[index].is_of_one_lane; });
      match.election = of_one == 0                                ? Election::None
                       : of_one == std::ssize(match.instructions) ? Election::OfActiveLanes
                                                                  : Election::OfFullWarps;
    }
  }

  /// True if two sites differ in the offset of their address alone.
  bool are_alike(uint32_t a, uint32_t b) const {
    if (a == b || placed_[b].site == nullptr) return false;
    const ptx::MemorySite& first = *placed_[a].site;
    const ptx::MemorySite& second = *placed_[b].site;
    return first.operation == second.operation && first.address.terms == second.address.terms;
  }

  /// Moves one of two instructions of `from` that are `distance` apart to `to`. False if there are none.
  bool take_copy(SiteMatch& from, int64_t distance, SiteMatch& to) {
    if (from.fate != Fate::Same) return false;
    for (const uint32_t own : from.instructions) {
      const MachineAccess& its = result_.accesses[own];
      const auto moved = std::ranges::find_if(from.instructions, [&](uint32_t index) {
        const MachineAccess& access = result_.accesses[index];
        return access.base_register == its.base_register && access.bytes == its.bytes &&
               access.offset - its.offset == distance;
      });
      if (moved == from.instructions.end()) continue;
      to.fate = Fate::Same;
      to.instructions.push_back(*moved);
      from.instructions.erase(moved);
      return true;
    }
    return false;
  }

  /// Finds which bytes an instruction loads that is narrower than its site: those of the elements of a vector
  /// that are used. It stays unknown where the instructions differ in width, or the elements do not lie in
  /// one aligned window.
  void find_parts() {
    std::optional<ptx::Successors> successors;
    for (uint32_t n = 0; n < placed_.size(); ++n) {
      SiteMatch& match = result_.sites[n];
      if (match.fate != Fate::Narrower || match.merged != SiteMatch::kNone) continue;
      if (!successors) successors = ptx::successors_of(program_);
      const auto used = used_elements(program_, *successors, placed_[n].block, placed_[n].step);
      const auto width_of = [&](uint32_t index) { return result_.accesses[index].bytes; };
      const uint32_t width = width_of(match.instructions.front());
      const bool has_one_width =
          std::ranges::all_of(match.instructions, [&](uint32_t index) { return width_of(index) == width; });
      if (!used || !has_one_width) continue;
      const MemoryOperation& operation = placed_[n].site->operation;
      const uint32_t element = operation.bytes_per_lane / program_.steps[placed_[n].step].list_written;
      const uint32_t first = used->first * element / width * width;
      if (used->end * element > first + width) continue;
      match.merged = static_cast<uint32_t>(result_.merged.size());
      result_.merged.push_back({.space = operation.space,
                                .kind = operation.kind,
                                .bytes = width,
                                .first_byte = first,
                                .sites = {n},
                                .instructions = match.instructions});
    }
  }

  /// Joins what has a site in common: copies of one instruction, and a loop's remainder.
  void join_merged() {
    std::vector<MergedAccess> joined;
    for (MergedAccess& next : result_.merged) {
      for (size_t n = 0; n < joined.size();) {
        if (std::ranges::find_first_of(joined[n].sites, next.sites) == joined[n].sites.end()) {
          ++n;
          continue;
        }
        add(joined[n], next);
        joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(n));
      }
      joined.push_back(std::move(next));
    }
    for (MergedAccess& merged : joined) {
      for (const uint32_t site : merged.sites)
        for (const uint32_t copy : result_.sites[site].instructions) {
          const MachineAccess& access = result_.accesses[copy];
          if (access.bytes != 0 && access.bytes < merged.bytes && access.kind == merged.kind)
            merged.narrower.push_back(access.bytes);
        }
      sort_unique(merged.narrower);
      sort_unique(merged.sites);
      sort_unique(merged.instructions);
    }
    result_.merged = std::move(joined);
  }

  static void sort_unique(std::vector<uint32_t>& numbers) {
    std::ranges::sort(numbers);
    const auto rest = std::ranges::unique(numbers);
    numbers.erase(rest.begin(), rest.end());
  }

  static void add(const MergedAccess& from, MergedAccess& to) {
    if (from.bytes != to.bytes) to.narrower.push_back(std::min(from.bytes, to.bytes));
    to.bytes = std::max(from.bytes, to.bytes);
    to.narrower.insert(to.narrower.end(), from.narrower.begin(), from.narrower.end());
    to.sites.insert(to.sites.end(), from.sites.begin(), from.sites.end());
    to.instructions.insert(to.instructions.end(), from.instructions.begin(), from.instructions.end());
  }

  const ptx::Program& program_;
  std::vector<PlacedSite> placed_;                     // [site]
  std::map<uint32_t, std::vector<uint32_t>> by_line_;  // [line of PTX] sites
  uint64_t arrays_end_ = 0;                            // bytes of local arrays; spilled registers follow
  Match result_;
};

}  // namespace

Match match(const ptx::Program& program, const MachineFunction& function) {
  return Matcher(program, function).run();
}

}  // namespace lanescope::sass
