// The effect of each executed instruction of one warp on its registers; a cursor steps forward and backward.
// Method: for each instruction, the lanes that executed it, and the values before and after of each register
// that it writes. A position is the number of instructions before it. The registers there follow from those
// at the previous position and the changes in between, so nothing is stored twice. Tests:
// tests/unit/emulator/history_test.cpp

#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "base/lane_mask.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::trace {

struct History {
  /// Meaning of the bits of a register, for their display, by the type of the instruction.
  enum class Meaning : uint8_t { Bits, Unsigned, Signed, Float, Truth };

  /// As in the PTX; each function has separate registers.
  struct Register {
    std::string name;
    uint32_t function = 0;  // index in `functions`
    uint32_t bytes = 4;     // 4 or 8; 1 for a predicate, which is 0 or 1
    bool operator==(const Register&) const = default;
  };
  /// An instruction as written in the PTX.
  struct Instruction {
    Location source;  // line 0 when the PTX carries no .loc
    int ptx_line = 0;
    std::string ptx_text;
    uint32_t function = 0;
  };
  struct Change {
    uint32_t reg = 0;  // index in `registers`
    Meaning meaning = Meaning::Bits;
    Meaning meaning_before = Meaning::Bits;
    LaneMask lanes;      // that wrote it
    LaneMask fresh;      // the lanes that wrote it for the first time
    uint32_t first = 0;  // in `values`: [n-th lane] before, then [n-th lane] after
  };
  struct Entry {
    uint32_t instruction = 0;  // index in `instructions`
    LaneMask active;           // lanes that reached it together
    LaneMask lanes;            // the active lanes whose predicate is true
    uint32_t access = 0;  // accesses of the warp before it: WarpAccess::step of its access, if it makes one
    uint32_t first_change = 0;
    uint32_t end_change = 0;
  };

  CtaId cta;
  WarpId warp;
  std::vector<std::string> functions;
  std::vector<Register> registers;
  std::vector<Instruction> instructions;  // [instruction of the program]
  std::vector<Entry> entries;             // [instruction executed by the warp]
  std::vector<Change> changes;
  std::vector<uint64_t> values;
  bool is_cut = false;  // the warp executed more instructions
};

/// The value of a register in the lanes that wrote it.
struct RegisterValue {
  LaneMask written;
  History::Meaning meaning = History::Meaning::Bits;
  std::array<uint64_t, kLanes> lanes{};
};

/// Registers at a position in a history.
class HistoryCursor {
 public:
  explicit HistoryCursor(const History& history);

  /// Number of instructions before this position.
  uint32_t place() const { return place_; }
  /// Moves to the position, forwards or backwards; not beyond the end.
  void go_to(uint32_t place);
  /// [register of the history]
  const std::vector<RegisterValue>& registers() const { return values_; }
  /// By function and name; null if no lane has written it yet.
  const RegisterValue* find(uint32_t function, std::string_view name) const;

 private:
  void forward();
  void backward();

  const History& history_;
  uint32_t place_ = 0;
  std::vector<RegisterValue> values_;
};

/// "17", "-3", "1.5", "0x3f", "true": the low `bytes` bytes of `bits`. Addresses in global memory are in
/// hexadecimal.
std::string value_text(History::Meaning meaning, uint32_t bytes, uint64_t bits);

}  // namespace lanescope::trace
