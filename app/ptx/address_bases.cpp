// What each memory instruction's address is computed from: one variable, or one pointer that the kernel was
// given. Method: as for uniform slots, every register begins with nothing known and is joined with what each
// of its definitions says, until nothing changes. Sums keep the base of the one side that has it; whatever
// else is done with an address, two bases in one sum, or two that meet in a register leave none. Before slots
// are shared, when each is one register. Tests: tests/unit/ptx/address_base_test.cpp

#include "ptx/lower_passes.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

/// What a register may hold, as far as the definitions say that were looked at.
struct Value {
  enum class Kind : uint8_t {
    Nothing,  // no definition was looked at
    Number,   // no address of a variable takes part
    Based,    // `base` and a number
    Mixed,    // several bases, or an address and more than a sum
  };
  Kind kind = Kind::Nothing;
  AddressBase base = {};

  bool operator==(const Value&) const = default;
  /// Whether it may hide an address of a variable.
  bool has_variable() const {
    return kind == Kind::Mixed || (kind == Kind::Based && base.kind == AddressBase::Kind::Variable);
  }
};
constexpr Value kNumber{Value::Kind::Number};
constexpr Value kMixed{Value::Kind::Mixed};

Value joined(const Value& a, const Value& b) {
  if (a.kind == Value::Kind::Nothing) return b;
  return b.kind == Value::Kind::Nothing || a == b ? a : kMixed;
}

Value sum(const Value& a, const Value& b) {
  if (a.kind == Value::Kind::Nothing || b.kind == Value::Kind::Nothing) return {};
  if (a == kNumber) return b;
  return b == kNumber ? a : kMixed;
}

Value difference(const Value& a, const Value& b) {
  if (a.kind == Value::Kind::Nothing || b.kind != Value::Kind::Based) return sum(a, b);
  return a == b ? kNumber : kMixed;
}

class BaseFinder {
 public:
  explicit BaseFinder(const Program& program) : program_(program), values_(program.slots.size()) {
    for (size_t n = 0; n < values_.size(); ++n) {
      const SlotInfo& slot = program.slots[n];
      if (slot.shared_variable != SlotInfo::kNoVariable)
        values_[n] = {Value::Kind::Based, {AddressBase::Kind::Variable, slot.shared_variable}};
      else if (slot.content == SlotContent::Symbol)
        values_[n] = {Value::Kind::Based,
                      {AddressBase::Kind::Variable, static_cast<uint32_t>(slot.value >> 32)}};
      else if (slot.content == SlotContent::Constant || slot.content == SlotContent::Special)
        values_[n] = kNumber;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Step& step : program.steps) changed = pass(step) || changed;
    }
  }

  AddressBase base_of(Slot slot) const {
    const Value value = value_of(slot);
    return value.kind == Value::Kind::Based ? value.base : AddressBase{};
  }

 private:
  Value value_of(Slot slot) const { return slot == kNoSlot ? kNumber : values_[slot]; }

  /// Joins what the step leaves in its destinations; whether that changed anything.
  bool pass(const Step& step) {
    bool changed = false;
    uint32_t nth = 0;
    for_each_destination(program_, step, [&](Slot slot) {
      const Value now = joined(values_[slot], result_of(step, nth++));
      changed = changed || now != values_[slot];
      values_[slot] = now;
    });
    return changed;
  }

  /// Of the `nth` destination.
  Value result_of(const Step& step, uint32_t nth) const {
    const auto source = [&](int n) { return value_of(step.source[static_cast<size_t>(n)]); };
    if (is_memory(step.op)) return loaded(step, nth);
    if (step.list_size != 0) return of_other(step);
    const auto is_one_of = [&](auto... ops) { return ((step.op == ops) || ...); };
    if (is_one_of(Op::mov, Op::cvta, Op::cvta_to)) return source(0);
    if (step.op == Op::cvt && size_bytes(step.type) >= 4 && !is_float(step.type)) return source(0);
    // `or` adds to an aligned address.
    if (is_one_of(Op::add, Op::or_)) return sum(source(0), source(1));
    if (step.op == Op::sub) return difference(source(0), source(1));
    if (step.op == Op::and_ && rounds_down(step)) return source(0);
    if (step.op == Op::selp) return joined(source(0), source(1));
    if (is_one_of(Op::mad, Op::mad24) && !source(0).has_variable() && !source(1).has_variable())
      return sum(source(2), kNumber);
    return of_other(step);
  }

  /// Whether the other side clears low bits alone.
  bool rounds_down(const Step& step) const {
    if (step.source[1] == kNoSlot) return false;
    const SlotInfo& mask = program_.slots[step.source[1]];
    const int top = mask.width == SlotWidth::Double ? 63 : 31;
    return mask.content == SlotContent::Constant && (mask.value >> top & 1) != 0;
  }

  /// What is in memory may be any address, but a parameter of 64 bits is the same in each thread.
  Value loaded(const Step& step, uint32_t nth) const {
    if (program_.modifiers[step.modifiers].space != Space::Parameter || size_bytes(step.type) != 8 ||
        program_.slots[step.source[0]].content != SlotContent::Constant)
      return kNumber;
    const uint64_t offset = program_.slots[step.source[0]].value + static_cast<uint64_t>(step.immediate);
    return {Value::Kind::Based, {AddressBase::Kind::Parameter, static_cast<uint32_t>(offset + 8 * nth)}};
  }

  Value of_other(const Step& step) const {
    bool hides = false;
    for_each_source(program_, step, [&](Slot slot) { hides = hides || values_[slot].has_variable(); });
    return hides ? kMixed : kNumber;
  }

  const Program& program_;
  std::vector<Value> values_;  // [slot]
};

}  // namespace

void find_address_bases(Program& program) {
  const BaseFinder bases(program);
  for (const Step& step : program.steps) {
    const Space space = program.modifiers[step.modifiers].space;
    if (!is_memory(step.op) || space == Space::Parameter || space == Space::Frame) continue;
    const size_t end = std::min<size_t>(step.site + site_count(space), program.sites.size());
    for (size_t n = step.site; n < end; ++n) program.sites[n].base = bases.base_of(step.source[0]);
  }
}

}  // namespace lanescope::ptx
