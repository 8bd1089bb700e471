// A product and a sum that are written apart and without a rounding (`mul.f32`, then `add.f32` or `sub.f32`)
// may be fused into one fma with one rounding, and the driver's assembler does so; `mul.rn` and `add.rn` are
// left alone. Fusing them here as well makes results equal a GPU's to the last bit. Method: a product is
// fused where every use of it is such a sum in the same block, and nothing in between writes its factors; of
// two products in one sum the first operand is fused, and the other one stays what it is everywhere. The
// product's own step stays too, so the count of instructions is that of the PTX.
// Source: PTX ISA, "Floating-Point Instructions: add, sub, mul" (which allows it); when it happens is
// measured: ptxas 13.0 for sm_90, and tests/data/h200 (mandelbrot, fft_256, axpy_bf16). Across blocks the
// assembler fuses in some loops too, which is not followed here. Tests: tests/unit/ptx/contract_test.cpp

#include "ptx/lower_passes.h"

#include <algorithm>
#include <optional>

namespace lanescope::ptx {
namespace {

constexpr uint32_t kNowhere = 0xffffffff;

/// What is known of a slot's one product.
struct Product {
  uint32_t step = kNowhere;  // the mul that writes it; kNowhere: it is no product that may be fused
  bool is_kept = false;      // someone needs it rounded
};

class Contraction {
 public:
  explicit Contraction(Program& program)
      : program_(program), writes_(program.slots.size()), products_(program.slots.size()) {}

  void run() {
    count_writes();
    for (const BasicBlock& block : program_.blocks) find_products(block);
    for (uint32_t n = 0; n < program_.blocks.size(); ++n) keep_what_others_use(n);
    for (const BasicBlock& block : program_.blocks)
      for (uint32_t at = block.first; at < block.end; ++at) fuse(at);
  }

 private:
  void count_writes() {
    for (const Step& step : program_.steps)
      for_each_destination(program_, step, [&](Slot slot) { ++writes_[slot]; });
  }

  const Modifiers& modifiers_of(const Step& step) const { return program_.modifiers[step.modifiers]; }

  bool is_loose(const Step& step) const {
    return (is_float(step.type) || is_half(step.type)) && modifiers_of(step).rounding == Rounding::None &&
           !modifiers_of(step).relu;
  }

  /// The products that a basic block computes, valid until its end or until a factor is written.
  void find_products(const BasicBlock& block) {
    for (uint32_t at = block.first; at < block.end; ++at) {
      const Step& step = program_.steps[at];
      if (step.op != Op::mul || !is_loose(step) || modifiers_of(step).saturate || step.guard != kNoSlot)
        continue;
      const Slot slot = step.destination[0];
      if (slot != kNoSlot && writes_[slot] == 1) products_[slot].step = at;
    }
  }

  /// A product that anything but a sum of its block reads is kept.
  void keep_what_others_use(uint32_t block_number) {
    const BasicBlock& block = program_.blocks[block_number];
    for (uint32_t at = block.first; at < block.end; ++at) {
      const Step& step = program_.steps[at];
      for_each_source(program_, step, [&](Slot slot) {
        Product& product = products_[slot];
        if (product.step == kNowhere || product.is_kept) return;
        const bool here = product.step >= block.first && product.step < at;
        if (!here || !takes(step, product.step) || is_factor_written(product.step, at))
          product.is_kept = true;
      });
    }
  }

  /// Whether the step is a sum that the product of step `product` could be fused into.
  bool takes(const Step& step, uint32_t product) const {
    const Step& multiplication = program_.steps[product];
    return (step.op == Op::add || step.op == Op::sub) && is_loose(step) && step.type == multiplication.type &&
           modifiers_of(step).flush_to_zero == modifiers_of(multiplication).flush_to_zero &&
           step.source[0] != step.source[1] && step.guard != multiplication.destination[0];
  }

  bool is_factor_written(uint32_t product, uint32_t end) const {
    const Step& multiplication = program_.steps[product];
    for (uint32_t at = product; at < end; ++at) {
      bool found = false;
      for_each_destination(program_, program_.steps[at], [&](Slot slot) {
        found = found || slot == multiplication.source[0] || slot == multiplication.source[1];
      });
      if (found) return true;
    }
    return false;
  }

  void fuse(uint32_t at) {
    Step& step = program_.steps[at];
    if (step.op != Op::add && step.op != Op::sub) return;
    for (const int chosen : {0, 1}) {
      const Slot slot = step.source[static_cast<size_t>(chosen)];
      if (slot == kNoSlot || products_[slot].step == kNowhere || products_[slot].is_kept) continue;
      const Slot other = step.source[static_cast<size_t>(1 - chosen)];
      products_[other].is_kept = true;
      const Step& multiplication = program_.steps[products_[slot].step];
      Modifiers modifiers = modifiers_of(step);
      modifiers.rounding = Rounding::NearestEven;
      if (step.op == Op::sub)
        modifiers.fused_sign = chosen == 0 ? FusedSign::NegativeAddend : FusedSign::NegativeProduct;
      step.op = Op::fma;
      step.source = {multiplication.source[0], multiplication.source[1], other, kNoSlot};
      step.modifiers = index_of(modifiers);
      return;
    }
  }

  uint16_t index_of(const Modifiers& modifiers) {
    const auto found = std::ranges::find(program_.modifiers, modifiers);
    const auto index = static_cast<uint16_t>(found - program_.modifiers.begin());
    if (found == program_.modifiers.end()) program_.modifiers.push_back(modifiers);
    return index;
  }

  Program& program_;
  std::vector<uint32_t> writes_;   // [slot]
  std::vector<Product> products_;  // [slot]
};

}  // namespace

void contract(Program& program) { Contraction(program).run(); }

}  // namespace lanescope::ptx
