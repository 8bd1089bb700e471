#include "caches/l2_cache.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>

namespace lanescope::caches {
namespace {

constexpr double kDirtyBytes = 22.5e6;  // stored data that stays in the L2 when a kernel ends
constexpr SectorMask kLowPair = 0x3, kHighPair = 0xc;

/// Neighboring lines go to neighboring sets, and each round begins a little later, so that strides of powers
/// of two use all sets.
uint32_t set_of(uint64_t line, uint32_t sets) {
  constexpr uint64_t kLowBits = 0xffffffff;
  constexpr double kRound = 1.00383;
  const uint64_t low = line & kLowBits;
  const auto shift = static_cast<uint64_t>(static_cast<double>(low) * kRound / sets);
  return static_cast<uint32_t>((low + shift) % sets);
}

uint64_t mixed(uint64_t bits) {
  bits ^= bits >> 33;
  bits *= 0xff51afd7ed558ccdU;
  bits ^= bits >> 33;
  bits *= 0xc4ceb9fe1a85ec53U;
  return bits ^ bits >> 33;
}

uint64_t count(SectorMask sectors) { return static_cast<uint64_t>(std::popcount(sectors)); }

/// Sectors that a miss of `missing` reads.
SectorMask fetched(SectorMask missing, uint32_t bytes, bool pairs) {
  if (bytes >= kLineBytes) return kAllSectors;
  if (!pairs) return missing;
  SectorMask all = missing;
  for (const SectorMask pair : {kLowPair, kHighPair})
    if ((missing & pair) != 0) all |= pair;
  return all;
}

}  // namespace

double share_of_partial_sectors_read(double bytes) {
  struct Point {
    double megabytes, share;
  };
  constexpr std::array kPoints{Point{5, 0},    Point{6, .06},  Point{8, .09},  Point{10, .18}, Point{12, .36},
                               Point{14, .55}, Point{16, .66}, Point{20, .76}, Point{24, .81}, Point{32, .81},
                               Point{48, .88}, Point{64, .91}, Point{96, .94}};
  const double megabytes = bytes / (1 << 20);
  if (megabytes <= kPoints.front().megabytes) return 0;
  constexpr double kRest = 5.9;
  if (megabytes >= kPoints.back().megabytes) return 1 - kRest / megabytes;
  const auto* const above = std::ranges::upper_bound(kPoints, megabytes, {}, &Point::megabytes);
  const Point& below = *(above - 1);
  return below.share +
         (above->share - below.share) * (megabytes - below.megabytes) / (above->megabytes - below.megabytes);
}

L2Cache::L2Cache(uint64_t partition_bytes, const Rules& rules, double scale)
    : rules_(rules),
      scale_(scale),
      sets_(static_cast<uint32_t>(partition_bytes / kLineBytes / kWays * (rules.halves ? 1 : 2))) {
  for (uint32_t partition = 0; partition < (rules.halves ? kPartitions : 1); ++partition)
    sets_of_[partition].resize(sets_);
}

uint32_t L2Cache::home_of(uint64_t line) const {
  constexpr int kLinesTogether = 5;  // bits: 4 KiB
  return rules_.halves ? static_cast<uint32_t>(mixed(line >> kLinesTogether ^ 0x1234567) & 1) : 0;
}

L2Cache::Line* L2Cache::find(uint32_t partition, uint64_t line) {
  return line_in(sets_of_[partition][set_of(line, sets_)], line);
}

void L2Cache::add_sectors(Line& line, SectorMask sectors) {
  line.valid |= static_cast<uint8_t>(sectors);
  line.in_part &= static_cast<uint8_t>(~sectors);
}

L2Cache::Line& L2Cache::place_for(uint32_t partition, uint64_t line, bool leaves_first) {
  Set& set = sets_of_[partition][set_of(line, sets_)];
  const std::optional<size_t> found = way_of(set, line);
  size_t way = found.value_or(0);
  if (!found) {
    way = static_cast<size_t>(std::ranges::min_element(set.last_use) - set.last_use.begin());
    if (set.numbers[way] == kNoLine) ++counts_.lines_held;
    counts_.dram_written += count(set.lines[way].dirty);
    dirty_sectors_ -= count(set.lines[way].dirty);
    set.numbers[way] = line;
    set.lines[way] = {};
    set.last_use[way] = kFirstToLeave;
  }
  if (!leaves_first || !rules_.evict_first) set.last_use[way] = ++now_;
  return set.lines[way];
}

void L2Cache::expect_read(uint32_t partition, uint64_t line) const {
  constexpr size_t kCacheLine = 64;
  const uint32_t set = set_of(line, sets_);
  const auto expect = [&](uint32_t of) {
    const Set& place = sets_of_[of][set];
    for (size_t at = 0; at < offsetof(Set, lines); at += kCacheLine)
      __builtin_prefetch(reinterpret_cast<const std::byte*>(&place) + at);
  };
  if (!rules_.halves) return expect(0);
  expect(partition);
  if (home_of(line) != partition) expect(home_of(line));
}

L2Cache::Found L2Cache::read(uint32_t partition, uint64_t line, SectorMask sectors, uint32_t fetched_bytes,
                             bool leaves_first) {
  if (!rules_.halves) partition = 0;
  Line& here = place_for(partition, line, leaves_first);
  const SectorMask missing = sectors & ~SectorMask{here.valid};
  counts_.read += count(sectors);
  counts_.read_hits += count(sectors & ~missing);
  last_missing_ = 0;
  if (missing == 0) return Found::Here;
  constexpr uint32_t kTwoLines = 2 * kLineBytes;
  if (fetched_bytes >= kTwoLines)
    fetch(place_for(partition, line ^ 1, leaves_first), partition, line ^ 1, kAllSectors, leaves_first);
  const SectorMask read =
      fetch(here, partition, line, fetched(missing, fetched_bytes, rules_.pairs), leaves_first);
  last_missing_ = missing & read;
  counts_.from_home += count(missing & ~read);
  return last_missing_ == 0 ? Found::AtHome : Found::Dram;
}

SectorMask L2Cache::fetch(Line& here, uint32_t partition, uint64_t line, SectorMask sectors,
                          bool leaves_first) {
  sectors &= ~SectorMask{here.valid};
  add_sectors(here, sectors);
  const uint32_t home = home_of(line);
  if (home != partition) {
    Line& there = place_for(home, line, leaves_first);
    sectors &= ~SectorMask{there.valid};
    add_sectors(there, sectors);
  }
  counts_.dram_read += count(sectors);
  return sectors;
}

/// Notes that a line has sectors in part. Of so many such lines that there is no room for more, the oldest is
/// looked at, and its rest is read unless it is complete by then.
void L2Cache::add_partial(uint64_t number, Line& line) {
  if (!rules_.partial_lines || line.is_listed) return;
  line.is_listed = true;
  partial_.push_back(number);
  const auto ever = static_cast<double>(++partial_ever_);
  const auto most =
      static_cast<uint64_t>(ever * (1 - share_of_partial_sectors_read(ever * kLineBytes / scale_)));
  while (partial_.size() > most) {
    const uint64_t oldest = partial_.front();
    partial_.pop_front();
    Line* const found = find(home_of(oldest), oldest);
    if (found == nullptr) continue;
    found->is_listed = false;
    counts_.dram_read += count(found->in_part);
    add_sectors(*found, found->in_part);
  }
}

void L2Cache::write(uint64_t line, const std::array<uint32_t, kSectorsOfLine>& bytes) {
  Line& home = place_for(home_of(line), line);
  SectorMask sectors = 0;
  for (uint32_t sector = 0; sector < kSectorsOfLine; ++sector) {
    if (bytes[sector] == 0) continue;
    const auto bit = static_cast<uint8_t>(1u << sector);
    sectors |= bit;
    home.stored[sector] |= bytes[sector];
    if (home.stored[sector] == ~uint32_t{0}) home.valid |= bit;
  }
  home.in_part = static_cast<uint8_t>((home.in_part | sectors) & ~home.valid);
  counts_.written += count(sectors);
  dirty_sectors_ += count(sectors & ~SectorMask{home.dirty});
  home.dirty |= static_cast<uint8_t>(sectors);
  if (home.in_part != 0) add_partial(line, home);
}

void L2Cache::bring(uint64_t line, bool leaves_first, bool is_dirty) {
  Line& home = place_for(home_of(line), line, leaves_first);
  add_sectors(home, kAllSectors);
  if (!is_dirty) return;
  dirty_sectors_ += count(kAllSectors & ~SectorMask{home.dirty});
  home.dirty = static_cast<uint8_t>(kAllSectors);
}

uint64_t L2Cache::excess_dirty_sectors() const {
  const auto most = static_cast<uint64_t>(kDirtyBytes * scale_) / kSectorBytes;
  return dirty_sectors_ - std::min(dirty_sectors_, most);
}

L2Counts L2Cache::counts() const {
  L2Counts counts = counts_;
  counts.dram_written += excess_dirty_sectors() - std::min(excess_dirty_sectors(), excess_before_);
  return counts;
}

void L2Cache::begin_launch() {
  counts_ = {.lines_held = counts_.lines_held};
  excess_before_ = excess_dirty_sectors();
}

L2Cache L2Cache::resized(uint64_t partition_bytes) const {
  L2Cache other(partition_bytes, rules_, scale_);
  for (uint32_t partition = 0; partition < kPartitions; ++partition) {
    struct Held {
      uint32_t last_use = 0;
      uint64_t number = 0;
      const Line* line = nullptr;
    };
    std::vector<Held> held;
    for (const Set& set : sets_of_[partition])
      for (size_t way = 0; way < kWays; ++way)
        if (set.numbers[way] != kNoLine)
          held.push_back({set.last_use[way], set.numbers[way], &set.lines[way]});
    std::ranges::sort(held, {}, &Held::last_use);
    for (const Held& each : held) {
      other.place_for(partition, each.number) = *each.line;
      other.dirty_sectors_ += count(each.line->dirty);
    }
  }
  other.partial_ = partial_;
  other.partial_ever_ = partial_ever_;
  other.begin_launch();
  return other;
}

}  // namespace lanescope::caches
