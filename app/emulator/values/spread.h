// Differences of a register's values within a block: of each lane from the first lane. They are mostly the
// same in all blocks. A register in a form (form.h) is one value and a spread, so that an instruction
// computes one value for all lanes, and bounds and alignment of an access follow from its spread. Tests:
// tests/unit/emulator/{spread,form}_test.cpp

#pragma once

#include "base/ids.h"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace lanescope::emulator {

/// Parts of a register that are valid, as bits of Form::state (form.h). Without any bit the values are in the
/// lanes alone.
inline constexpr uint32_t kInForm = 1;
inline constexpr uint32_t kOnlyForm = 2;    // the cells of the lanes are out of date
inline constexpr uint32_t kIsUniform = 4;   // one value in each warp
inline constexpr uint32_t kIsConstant = 8;  // one value in the block: its spread is kConstantSpread

/// Lane l of warp w has base[w] + l % row_lanes * step[w] + l / row_lanes * row[w] more than lane 0 of warp
/// 0, whose base is 0. Numbers of a 32-bit register are signed 32-bit numbers. Entries after the block's last
/// warp are 0.
struct SpreadNumbers {
  static constexpr uint32_t kMostWarps = 32;  // 1024 threads: launch::check

  alignas(64) int64_t base[kMostWarps] = {};
  alignas(64) int64_t step[kMostWarps] = {};
  alignas(64) int64_t row[kMostWarps] = {};
};

/// Spread of a register: the numbers, and the properties that Spreads::find() derives from them.
struct Spread : SpreadNumbers {
  static constexpr int64_t kLongest = int64_t{1} << 40;  // no region of memory is longer

  uint32_t state = kInForm | kOnlyForm | kIsUniform | kIsConstant;  // of a register that has it
  uint64_t number = 0;  // unique among all spreads of a block, forgotten ones too
  int64_t lowest = 0;   // of all lanes; like `highest` unknown if is_long
  int64_t highest = 0;
  uint64_t bits = 0;           // OR of all numbers: alignment depends on them
  uint64_t base_bits = 0;      // OR of the bases
  bool is_uniform = true;      // one value in each warp: steps and rows are 0
  bool has_same_steps = true;  // all warps have one step and one row
  bool is_affine = true;       // each row continues the steps of the row before
  bool is_long = false;        // a number is longer than kLongest
};

/// Spread of a value that all lanes of the block share.
inline constexpr Spread kConstantSpread;

/// [warp] mask of lanes.
using WarpLanes = std::array<uint32_t, SpreadNumbers::kMostWarps>;

/// Mask of the first `count` warps of a group.
constexpr uint32_t first_warps(uint32_t count) { return static_cast<uint32_t>((uint64_t{1} << count) - 1); }

/// Lanes in which a comparison of two operands in forms was true when it was last executed. The next block
/// often has the same operands.
struct KnownTruths {
  struct Compared {
    const Spread* spread = nullptr;  // null: nothing was compared
    uint64_t first = 0;
    bool operator==(const Compared&) const = default;
  };
  std::array<Compared, 2> of;
  WarpLanes truths{};
};

/// The spreads that a block has met, each once, and what instructions made of them. Used by one worker.
class Spreads {
 public:
  /// `instructions`: number of instructions of the program; each remembers its last result. `warps`: number
  /// of warps of the block or batch.
  Spreads(size_t instructions, uint32_t warps, uint32_t row_lanes);

  uint32_t warps() const { return warps_; }
  /// The spread with these numbers; null where there is no room for more. The spread stays valid until
  /// forget().
  const Spread* find(const SpreadNumbers& numbers);

  /// True if the instruction may make more spreads. An instruction that has made many is in a loop with
  /// another factor each time: there it is cheaper to compute the lanes.
  bool may_make(size_t instruction) const { return made_[instruction].count < kMostOfOne; }
  /// find(), for the result of an instruction.
  const Spread* make(size_t instruction, const SpreadNumbers& numbers) {
    const size_t before = all_.size();
    const Spread* const found = find(numbers);
    made_[instruction].count += all_.size() != before ? 1 : 0;
    return found;
  }

  /// The spread that an instruction made when it was last executed, if its operands had the same spreads and
  /// factor; null if not. `factor`: the value of an operand that multiplies them.
  const Spread* last_result(size_t instruction, const Spread* a, const Spread* b, uint64_t factor) const {
    const Made& made = made_[instruction];
    return made.a == a && made.b == b && made.factor == factor ? made.result : nullptr;
  }
  void set_last_result(size_t instruction, const Spread* a, const Spread* b, uint64_t factor,
                       const Spread* result) {
    made_[instruction] = {a, b, factor, result, made_[instruction].count};
  }

  /// Truths of the last execution of an instruction that compares. The reference is valid until forget().
  KnownTruths& known_truths(size_t instruction) {
    std::unique_ptr<KnownTruths>& known = truths_[instruction];
    if (known == nullptr) known = std::make_unique<KnownTruths>();
    return *known;
  }

  /// Spread of offsets in the shared memory of a batch. In `addresses`, each address is an offset in the
  /// shared memory of its block, which begins at starts[warp]. Null where there is no room for the spread.
  const Spread* places_of(size_t instruction, const Spread& addresses, const std::vector<uint32_t>& starts);

  /// Protects the spreads that exist now from forget().
  void keep_all() { kept_ = all_.size(); }
  /// Makes room if at least half of it is taken. True if spreads were forgotten: then no register may keep
  /// its form.
  bool forget();

 private:
  static constexpr uint32_t kMostOfOne = 16;
  struct Made {
    const Spread* a = nullptr;
    const Spread* b = nullptr;
    uint64_t factor = 0;
    const Spread* result = nullptr;
    uint32_t count = 0;  // of spreads that the instruction was the first to make
  };

  uint32_t warps_;
  uint32_t row_lanes_;
  size_t kept_ = 0;
  uint64_t numbered_ = 0;  // the last number of a spread
  std::vector<std::unique_ptr<Spread>> all_;
  std::unordered_multimap<uint64_t, const Spread*> by_hash_;
  struct Places {
    const Spread* of = nullptr;
    const Spread* places = nullptr;
  };
  std::vector<Made> made_;                            // [instruction]
  std::vector<Places> places_;                        // [instruction] of its last addresses
  std::vector<std::unique_ptr<KnownTruths>> truths_;  // [instruction] null at first
};

}  // namespace lanescope::emulator
