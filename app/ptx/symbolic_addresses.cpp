// The address of each memory instruction as a sum: registers times constants, and a constant. Two sites with
// the same registers differ by a constant. Method: a register with one definition that no guard skips is
// replaced by that definition, as far as it is a sum or a product by a constant; any other register stays in
// the sum. A loop's variable is such a register. Sums are taken not to wrap around. Before slots are shared,
// when each is one register. Tests: tests/unit/ptx/symbolic_address_test.cpp

#include "ptx/lower_passes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

namespace lanescope::ptx {
namespace {

/// What stays in a sum: a slot, a parameter that was loaded, or a global variable.
struct Term {
  enum class Kind : uint8_t { Slot, Parameter, Variable };
  Kind kind = Kind::Slot;
  uint64_t number = 0;  // the slot; the offset in parameter space; the index of the variable
  bool is_pointer = false;
  auto operator<=>(const Term&) const = default;
};

struct Sum {
  std::map<Term, int64_t> factors;  // none is 0
  int64_t constant = 0;
  bool is_constant() const { return factors.empty(); }
};

int64_t wrapping_product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
int64_t wrapping_sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

Sum times(Sum sum, int64_t factor) {
  for (auto& [term, its] : sum.factors) its = wrapping_product(its, factor);
  std::erase_if(sum.factors, [](const auto& entry) { return entry.second == 0; });
  sum.constant = wrapping_product(sum.constant, factor);
  return sum;
}

Sum plus(Sum a, const Sum& b) {
  for (const auto& [term, factor] : b.factors) a.factors[term] = wrapping_sum(a.factors[term], factor);
  std::erase_if(a.factors, [](const auto& entry) { return entry.second == 0; });
  a.constant = wrapping_sum(a.constant, b.constant);
  return a;
}

/// Largest power of two, up to kMostAlignment, of which the terms' sum is a multiple.
uint32_t alignment_of(const Sum& sum) {
  uint64_t bits = SymbolicAddress::kMostAlignment;
  for (const auto& [term, factor] : sum.factors)
    if (!term.is_pointer) bits |= static_cast<uint64_t>(factor);
  return uint32_t{1} << std::countr_zero(bits);
}

class SumFinder {
 public:
  explicit SumFinder(const Program& program)
      : program_(program), definitions_(program.slots.size()), known_(program.slots.size()) {
    for (uint32_t n = 0; n < program.steps.size(); ++n) {
      for_each_destination(program, program.steps[n], [&](Slot slot) {
        Definition& definition = definitions_[slot];
        ++definition.count;
        definition.step = n;
      });
    }
  }

  Sum sum_of(Slot slot, int depth = 0) {
    if (slot == kNoSlot) return {};
    if (known_[slot]) return *known_[slot];
    const SlotInfo& info = program_.slots[slot];
    Sum sum = of_slot(slot, info);
    const bool is_followed =
        info.content == SlotContent::PerLane && definitions_[slot].count == 1 && depth < kMostDepth;
    if (is_followed) {
      if (auto found = of_definition(program_.steps[definitions_[slot].step], slot, depth))
        sum = std::move(*found);
    }
    if (sum.factors.size() > kMostTerms) sum = Sum{{{Term{.number = slot}, 1}}};
    known_[slot] = sum;
    return sum;
  }

 private:
  static constexpr int kMostDepth = 64;
  static constexpr size_t kMostTerms = 16;
  struct Definition {
    uint32_t count = 0;
    uint32_t step = 0;  // the last
  };

  static Sum of_slot(Slot slot, const SlotInfo& info) {
    switch (info.content) {
      case SlotContent::Constant: {
        const auto value = info.width == SlotWidth::Double
                               ? static_cast<int64_t>(info.value)
                               : int64_t{static_cast<int32_t>(static_cast<uint32_t>(info.value))};
        return {.factors = {}, .constant = value};
      }
      case SlotContent::Symbol:
        return {
            .factors = {{Term{.kind = Term::Kind::Variable, .number = info.value >> 32, .is_pointer = true},
                         1}},
            .constant = static_cast<int32_t>(static_cast<uint32_t>(info.value))};
      default:
        return {.factors = {{Term{.number = slot}, 1}}};
    }
  }

  /// The sum that the step leaves in `slot`; no value if it is none.
  std::optional<Sum> of_definition(const Step& step, Slot slot, int depth) {
    if (step.guard != kNoSlot || step.destination[0] != slot) return std::nullopt;
    const auto source = [&](size_t n) { return sum_of(step.source[n], depth + 1); };
    const auto product = [&]() -> std::optional<Sum> {
      if (program_.modifiers[step.modifiers].part == ProductPart::High) return std::nullopt;
      const Sum a = source(0);
      const Sum b = source(1);
      if (a.is_constant()) return times(b, a.constant);
      if (b.is_constant()) return times(a, b.constant);
      return std::nullopt;
    };
    if (step.op == Op::ld) return of_parameter(step);
    if (step.list_size != 0 || is_float(step.type) || size_bytes(step.type) < 4) return std::nullopt;
    const auto is_one_of = [&](auto... ops) { return ((step.op == ops) || ...); };
    if (is_one_of(Op::mov, Op::cvta, Op::cvta_to)) return source(0);
    if (step.op == Op::cvt && !is_float(step.second_type) && size_bytes(step.second_type) >= 4)
      return source(0);
    if (step.op == Op::add) return plus(source(0), source(1));
    if (step.op == Op::sub) return plus(source(0), times(source(1), -1));
    if (step.op == Op::shl) return shifted(source(0), source(1));
    if (step.op == Op::or_) return with_low_bits(source(0), source(1));
    if (step.op == Op::mul) return product();
    if (step.op != Op::mad) return std::nullopt;
    const std::optional<Sum> first = product();
    if (!first) return std::nullopt;
    return plus(*first, source(2));
  }

  static std::optional<Sum> shifted(const Sum& sum, const Sum& by) {
    if (!by.is_constant() || by.constant < 0 || by.constant > 31) return std::nullopt;
    return times(sum, int64_t{1} << by.constant);
  }

  /// The sum with a constant in bits that are 0: `or` adds such a constant.
  static std::optional<Sum> with_low_bits(const Sum& sum, const Sum& bits) {
    if (!bits.is_constant() || bits.constant < 0) return std::nullopt;
    const int zeros = std::countr_zero(uint64_t{alignment_of(sum)} | static_cast<uint64_t>(sum.constant));
    if (static_cast<uint64_t>(bits.constant) >= uint64_t{1} << zeros) return std::nullopt;
    return plus(sum, bits);
  }

  std::optional<Sum> of_parameter(const Step& step) const {
    const Slot base = step.source[0];
    if (program_.modifiers[step.modifiers].space != Space::Parameter || base == kNoSlot ||
        step.list_size != 0 || program_.slots[base].content != SlotContent::Constant)
      return std::nullopt;
    const uint64_t offset = program_.slots[base].value + static_cast<uint64_t>(int64_t{step.immediate});
    const bool is_pointer = size_bytes(step.type) == 8;
    return Sum{
        .factors = {{Term{.kind = Term::Kind::Parameter, .number = offset, .is_pointer = is_pointer}, 1}}};
  }

  const Program& program_;
  std::vector<Definition> definitions_;    // [slot]
  std::vector<std::optional<Sum>> known_;  // [slot]
};

}  // namespace

void find_symbolic_addresses(Program& program) {
  SumFinder finder(program);
  std::map<std::map<Term, int64_t>, uint32_t> numbers;
  for (const Step& step : program.steps) {
    const Space space = program.modifiers[step.modifiers].space;
    if (!is_memory(step.op) || space == Space::Parameter || space == Space::Frame) continue;
    const Sum sum = finder.sum_of(step.source[0]);
    const auto number = numbers.emplace(sum.factors, static_cast<uint32_t>(numbers.size()));
    const SymbolicAddress address{.terms = number.first->second,
                                  .alignment = alignment_of(sum),
                                  .offset = wrapping_sum(sum.constant, step.immediate)};
    const size_t end = std::min<size_t>(step.site + site_count(space), program.sites.size());
    for (size_t n = step.site; n < end; ++n) program.sites[n].address = address;
  }
}

}  // namespace lanescope::ptx
