#include "emulator/operations.h"

#include "base/ids.h"
#include "ptx/opcode_traits.h"

namespace lanescope::emulator {
namespace {

using ptx::Type;

/// Operations of a lane; 0: the step computes nothing that is counted.
uint64_t weight_of(const ptx::OpcodeTraits& traits) {
  if (traits.has(ptx::Trait::TwoOperations)) return 2;
  return traits.has(ptx::Trait::Operation) ? 1 : 0;
}

void add(trace::Operations& operations, Type type, uint64_t count) {
  switch (type) {
    case Type::f16:
    case Type::bf16:
      operations.fp16 += count;
      break;
    case Type::f16x2:
    case Type::bf16x2:
      operations.fp16 += 2 * count;
      break;
    case Type::f32:
      operations.fp32 += count;
      break;
    case Type::f32x2:
      operations.fp32 += 2 * count;
      break;
    case Type::f64:
      operations.fp64 += count;
      break;
    default:
      operations.integer += count;
  }
}

/// True if the elements of a product of matrices have 16 bits or more.
bool has_wide_elements(const ptx::Step& step) {
  return step.second_type == Type::f16 || step.second_type == Type::bf16 || step.second_type == Type::tf32 ||
         step.second_type == Type::f64;
}

/// Multiply-adds of a product of matrices, of one warp. A product of a warpgroup reads shared memory itself.
uint64_t products_of_warp(const ptx::Program& program, const ptx::Step& step) {
  const ptx::MatrixShape shape = program.modifiers[step.modifiers].shape;
  const uint64_t products = uint64_t{shape.rows} * shape.columns * shape.depth;
  constexpr uint64_t kWarpsOfGroup = 4;
  return ptx::is_memory(step.op) ? products / kWarpsOfGroup : products;
}

}  // namespace

trace::Operations operations_of(const ptx::Program& program, std::span<const uint64_t> lanes_of_step) {
  trace::Operations operations;
  for (size_t n = 0; n < program.steps.size() && n < lanes_of_step.size(); ++n) {
    const ptx::Step& step = program.steps[n];
    const uint64_t lanes = lanes_of_step[n];
    const ptx::OpcodeTraits& traits = ptx::traits_of(step.op);
    if (traits.has(ptx::Trait::MatrixProduct))
      (has_wide_elements(step) ? operations.tensor : operations.tensor8) +=
          lanes / kLanes * 2 * products_of_warp(program, step);
    else if (const uint64_t weight = weight_of(traits); weight != 0)
      add(operations, step.type, weight * lanes);
  }
  return operations;
}

}  // namespace lanescope::emulator
