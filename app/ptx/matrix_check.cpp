// Matrix instructions: which shapes exist for which types, and how many registers a fragment has.
// Source: PTX ISA, "Warp-Level Matrix Instructions", "Asynchronous Warpgroup Level Matrix Instructions", the
// tables of supported shapes and types.

#include "ptx/check.h"
#include "ptx/matrix_fragment.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

using Checked = Result<void>;

struct Product {
  FragmentOf of;
  MatrixShape shape;
  TypeSet factors;  // A and B
  TypeSet sums;     // C and D
};

constexpr TypeSet kHalves = types(Type::f16);
constexpr TypeSet kBfloats = types(Type::bf16);
constexpr TypeSet kTf32 = types(Type::tf32);
constexpr TypeSet kDoubles = types(Type::f64);
constexpr TypeSet kBytes = types(Type::s8, Type::u8);
constexpr TypeSet kNibbles = types(Type::s4, Type::u4);
constexpr TypeSet kBits = types(Type::b1);
constexpr TypeSet kQuarters = types(Type::e4m3, Type::e5m2);
constexpr TypeSet kHalfOrFloat = types(Type::f16, Type::f32);
constexpr TypeSet kFloats = types(Type::f32);
constexpr TypeSet kIntegers = types(Type::s32);

constexpr std::array kProducts{
    Product{FragmentOf::Mma, {8, 8, 4}, kHalves, kHalfOrFloat},
    Product{FragmentOf::Mma, {16, 8, 8}, kHalves, kHalfOrFloat},
    Product{FragmentOf::Mma, {16, 8, 16}, kHalves, kHalfOrFloat},
    Product{FragmentOf::Mma, {16, 8, 8}, kBfloats, kFloats},
    Product{FragmentOf::Mma, {16, 8, 16}, kBfloats, kFloats},
    Product{FragmentOf::Mma, {16, 8, 4}, kTf32, kFloats},
    Product{FragmentOf::Mma, {16, 8, 8}, kTf32, kFloats},
    Product{FragmentOf::Mma, {16, 8, 16}, kQuarters, kHalfOrFloat},
    Product{FragmentOf::Mma, {16, 8, 32}, kQuarters, kHalfOrFloat},
    Product{FragmentOf::Mma, {8, 8, 4}, kDoubles, kDoubles},
    Product{FragmentOf::Mma, {16, 8, 4}, kDoubles, kDoubles},
    Product{FragmentOf::Mma, {16, 8, 8}, kDoubles, kDoubles},
    Product{FragmentOf::Mma, {16, 8, 16}, kDoubles, kDoubles},
    Product{FragmentOf::Mma, {8, 8, 16}, kBytes, kIntegers},
    Product{FragmentOf::Mma, {16, 8, 16}, kBytes, kIntegers},
    Product{FragmentOf::Mma, {16, 8, 32}, kBytes, kIntegers},
    Product{FragmentOf::Mma, {8, 8, 32}, kNibbles, kIntegers},
    Product{FragmentOf::Mma, {16, 8, 32}, kNibbles, kIntegers},
    Product{FragmentOf::Mma, {16, 8, 64}, kNibbles, kIntegers},
    Product{FragmentOf::Mma, {8, 8, 128}, kBits, kIntegers},
    Product{FragmentOf::Mma, {16, 8, 128}, kBits, kIntegers},
    Product{FragmentOf::Mma, {16, 8, 256}, kBits, kIntegers},
    Product{FragmentOf::SparseMma, {16, 8, 16}, kHalves, kHalfOrFloat},
    Product{FragmentOf::SparseMma, {16, 8, 32}, kHalves, kHalfOrFloat},
    Product{FragmentOf::SparseMma, {16, 8, 16}, kBfloats, kFloats},
    Product{FragmentOf::SparseMma, {16, 8, 32}, kBfloats, kFloats},
    Product{FragmentOf::SparseMma, {16, 8, 8}, kTf32, kFloats},
    Product{FragmentOf::SparseMma, {16, 8, 16}, kTf32, kFloats},
    Product{FragmentOf::SparseMma, {16, 8, 32}, kBytes, kIntegers},
    Product{FragmentOf::SparseMma, {16, 8, 64}, kBytes, kIntegers},
    Product{FragmentOf::SparseMma, {16, 8, 64}, kNibbles, kIntegers},
    Product{FragmentOf::SparseMma, {16, 8, 128}, kNibbles, kIntegers},
    Product{FragmentOf::SparseMma, {16, 8, 64}, kQuarters, kFloats},
    Product{FragmentOf::Wmma, {16, 16, 16}, kHalves, kHalfOrFloat},
    Product{FragmentOf::Wmma, {32, 8, 16}, kHalves, kHalfOrFloat},
    Product{FragmentOf::Wmma, {8, 32, 16}, kHalves, kHalfOrFloat},
    Product{FragmentOf::Wmma, {16, 16, 16}, kBfloats, kFloats},
    Product{FragmentOf::Wmma, {32, 8, 16}, kBfloats, kFloats},
    Product{FragmentOf::Wmma, {8, 32, 16}, kBfloats, kFloats},
    Product{FragmentOf::Wmma, {16, 16, 16}, kBytes, kIntegers},
    Product{FragmentOf::Wmma, {32, 8, 16}, kBytes, kIntegers},
    Product{FragmentOf::Wmma, {8, 32, 16}, kBytes, kIntegers},
    Product{FragmentOf::Wmma, {16, 16, 8}, kTf32, kFloats},
    Product{FragmentOf::Wmma, {8, 8, 4}, kDoubles, kDoubles},
    Product{FragmentOf::Wmma, {8, 8, 32}, kNibbles, kIntegers},
    Product{FragmentOf::Wmma, {8, 8, 128}, kBits, kIntegers},
};

bool exists(FragmentOf of, MatrixShape shape, MatrixRole role, Type type) {
  return std::ranges::any_of(kProducts, [&](const Product& product) {
    return product.of == of && product.shape == shape &&
           (role == MatrixRole::C ? product.sums : product.factors).contains(type);
  });
}

/// Registers of `size` bytes, `count` of them.
Checked check_registers(const Operand& operand, int count, int size, const std::vector<Register>& registers) {
  const auto* vector = std::get_if<VectorOperand>(&operand);
  const int given = vector != nullptr ? static_cast<int>(vector->elements.size()) : 1;
  if (given != count)
    return wrong(
        fmt::format("{} registers were expected here for this shape and type, {} were given", count, given));
  const auto check = [&](const auto& element) -> Checked {
    const auto* reg = std::get_if<RegisterOperand>(&element);
    if (reg == nullptr || reg->negated) return wrong("a part of a matrix is made of registers");
    const Register& declared = registers[reg->index];
    if (size_bytes(declared.type) != size)
      return wrong(fmt::format("'{}' is declared .{}; a register of {} bits was expected", declared.name,
                               name_of(declared.type), 8 * size));
    return {};
  };
  if (vector == nullptr) return check(operand);
  for (const ScalarOperand& element : vector->elements) TRY_VOID(check(element));
  return {};
}

Checked check_fragment(const Instruction& instruction, size_t place, FragmentOf of, MatrixRole role,
                       Type type, const std::vector<Register>& registers) {
  const MatrixShape shape = instruction.modifiers.shape;
  if (!exists(of, shape, role, type))
    return wrong(fmt::format("'{}' has no shape m{}n{}k{} for type .{}", name_of(instruction.op), shape.rows,
                             shape.columns, shape.depth, name_of(type)));
  const Fragment fragment(role, shape, type, of);
  return check_registers(instruction.operands[place], fragment.registers(), fragment.bits() == 64 ? 8 : 4,
                         registers);
}

Checked check_product(const Instruction& instruction, const std::vector<Register>& registers) {
  const FragmentOf of = fragment_of(instruction.op);
  const Modifiers& m = instruction.modifiers;
  const Type d = instruction.type.value_or(Type::b32);
  const Type a = instruction.second_type.value_or(Type::b32);
  const bool pair = a == m.third_type || (kBytes.contains(a) && kBytes.contains(m.third_type)) ||
                    (kNibbles.contains(a) && kNibbles.contains(m.third_type)) ||
                    (kQuarters.contains(a) && kQuarters.contains(m.third_type));
  if (!pair) return wrong("A and B of a matrix product have types that belong together");
  const bool sums = std::ranges::any_of(kProducts, [&](const Product& product) {
    return product.of == of && product.shape == m.shape && product.factors.contains(a) &&
           product.sums.contains(d) && product.sums.contains(m.fourth_type);
  });
  if (!sums)
    return wrong(fmt::format("'{}' has no shape m{}n{}k{} with types .{}.{}.{}.{}", name_of(instruction.op),
                             m.shape.rows, m.shape.columns, m.shape.depth, name_of(d), name_of(a),
                             name_of(m.third_type), name_of(m.fourth_type)));
  if (is_of_quads(m.shape, a, of)) {
    if (m.layout == MatrixLayout::None || m.second_layout == MatrixLayout::None)
      return wrong("'mma.sync' needs two layouts, each .row or .col");
    if (d == Type::f16 && m.fourth_type == Type::f32)
      return wrong("a product whose C is .f32 has a D of .f32");
  } else if (of != FragmentOf::Wmma &&
             (m.layout != MatrixLayout::RowMajor || m.second_layout != MatrixLayout::ColumnMajor))
    return wrong(fmt::format("'{}' of this shape takes .row.col", name_of(instruction.op)));
  if (a == Type::b1 && m.combination == Combination::None)
    return wrong("a product of single bits needs .xor.popc or .and.popc");
  TRY_VOID(check_fragment(instruction, 0, of, MatrixRole::C, d, registers));
  TRY_VOID(check_fragment(instruction, 1, of, MatrixRole::A, a, registers));
  TRY_VOID(check_fragment(instruction, 2, of, MatrixRole::B, m.third_type, registers));
  return check_fragment(instruction, 3, of, MatrixRole::C, m.fourth_type, registers);
}

/// Which lanes hold the metadata.
Checked check_selector(const Instruction& instruction) {
  const Type a = instruction.second_type.value_or(Type::b32);
  const int count = sparse_selectors(instruction.modifiers.shape, a);
  if (std::get<Immediate>(instruction.operands[5]).bits >= static_cast<uint64_t>(count))
    return wrong(
        fmt::format("the selector of 'mma.sp' of this shape and type is a number from 0 to {}", count - 1));
  return {};
}

// wgmma.mma_async: D, A or its descriptor, the descriptor of B, a predicate, constants.
constexpr size_t kPlaceOfA = 1;
constexpr size_t kFirstConstant = 4;

constexpr TypeSet kSixteenBits = kHalves | kBfloats;

bool is_in_registers(const Operand& a) { return std::holds_alternative<VectorOperand>(a); }

/// imm-scale-a and -b, imm-trans-a where A has a descriptor, imm-trans-b: as many as the types and A have.
size_t constants_of(const Instruction& instruction) {
  const Type type = instruction.second_type.value_or(Type::b32);
  if (kBytes.contains(type)) return 0;
  if (!kSixteenBits.contains(type)) return 2;
  return is_in_registers(instruction.operands[kPlaceOfA]) ? 3 : 4;
}

Checked check_constants(const Instruction& instruction) {
  const size_t count = constants_of(instruction);
  for (size_t n = 0; n < 4; ++n) {
    const auto* given = std::get_if<Immediate>(&instruction.operands[kFirstConstant + n]);
    if ((given != nullptr) != (n < count))
      return wrong(fmt::format("'wgmma.mma_async' of .{} takes {} constants after the predicate{}",
                               name_of(instruction.second_type.value_or(Type::b32)), count,
                               count == 0   ? ""
                               : count == 2 ? ": imm-scale-a, imm-scale-b"
                               : count == 3 ? ", if A is in registers: imm-scale-a, imm-scale-b, imm-trans-b"
                                            : ": imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b"));
    if (given == nullptr) continue;
    const auto value = static_cast<int64_t>(given->bits);
    if (n < 2 && value != 1 && value != -1) return wrong("imm-scale-a and imm-scale-b are 1 or -1");
    if (n >= 2 && value != 0 && value != 1) return wrong("imm-trans-a and imm-trans-b are 0 or 1");
  }
  return {};
}

/// Types and shapes that belong together.
bool is_warpgroup_product(MatrixShape shape, Type d, Type a, Type b) {
  const bool sums_of_bytes = kBytes.contains(a) && kBytes.contains(b) && d == Type::s32;
  const bool quarters = kQuarters.contains(a) && kQuarters.contains(b) && kHalfOrFloat.contains(d);
  const bool halves = a == Type::f16 && b == a && kHalfOrFloat.contains(d);
  const bool floats = (a == Type::bf16 || a == Type::tf32) && b == a && d == Type::f32;
  if (shape.rows != 64 || !(sums_of_bytes || quarters || halves || floats)) return false;
  if (sums_of_bytes && shape.columns > 24 && shape.columns % 16 != 0) return false;
  return shape.depth == 256 / element_bits(a);
}

Checked check_warpgroup_product(const Instruction& instruction, const std::vector<Register>& registers) {
  const Modifiers& m = instruction.modifiers;
  const Type d = instruction.type.value_or(Type::b32);
  const Type a = instruction.second_type.value_or(Type::b32);
  if (!is_warpgroup_product(m.shape, d, a, m.third_type))
    return wrong(fmt::format("'wgmma.mma_async' has no shape m{}n{}k{} with types .{}.{}.{}", m.shape.rows,
                             m.shape.columns, m.shape.depth, name_of(d), name_of(a), name_of(m.third_type)));
  if (m.saturate_finite && d != Type::s32) return wrong("'.satfinite' is for products of .s8 and .u8");
  TRY_VOID(check_constants(instruction));
  const MatrixShape of_warp = shape_of_warp(m.shape);
  const Fragment sums(MatrixRole::C, of_warp, d, FragmentOf::Mma);
  TRY_VOID(check_registers(instruction.operands[0], sums.registers(), 4, registers));
  const Operand& operand = instruction.operands[kPlaceOfA];
  if (!is_in_registers(operand)) return check_registers(operand, 1, 8, registers);
  const Fragment factors(MatrixRole::A, of_warp, a, FragmentOf::Mma);
  return check_registers(operand, factors.registers(), 4, registers);
}

Checked check_layout(const Instruction& instruction) {
  if (instruction.modifiers.layout == MatrixLayout::None)
    return wrong(fmt::format("'{}' needs a layout: .row or .col", name_of(instruction.op)));
  return {};
}

}  // namespace

void take_matrix_constants(Instruction& instruction) {
  Modifiers& m = instruction.modifiers;
  const auto is = [&](size_t n, int64_t value) {
    const auto* given = std::get_if<Immediate>(&instruction.operands[kFirstConstant + n]);
    return given != nullptr && static_cast<int64_t>(given->bits) == value;
  };
  const bool in_registers = is_in_registers(instruction.operands[kPlaceOfA]);
  m.negative_a = is(0, -1);
  m.negative_b = is(1, -1);
  m.layout = !in_registers && is(2, 1) ? MatrixLayout::ColumnMajor : MatrixLayout::RowMajor;
  m.second_layout = is(in_registers ? 2 : 3, 1) ? MatrixLayout::RowMajor : MatrixLayout::ColumnMajor;
}

Result<void> check_matrices(const Instruction& instruction, const std::vector<Register>& registers) {
  const Type type = instruction.type.value_or(Type::b32);
  constexpr MatrixShape kEightByEight{8, 8, 0};
  switch (instruction.op) {
    case Op::mma_sp:
      TRY_VOID(check_product(instruction, registers));
      return check_selector(instruction);
    case Op::mma:
    case Op::wmma_mma:
      return check_product(instruction, registers);
    case Op::wgmma_mma_async:
      return check_warpgroup_product(instruction, registers);
    case Op::wmma_load_a:
      TRY_VOID(check_layout(instruction));
      return check_fragment(instruction, 0, FragmentOf::Wmma, MatrixRole::A, type, registers);
    case Op::wmma_load_b:
      TRY_VOID(check_layout(instruction));
      return check_fragment(instruction, 0, FragmentOf::Wmma, MatrixRole::B, type, registers);
    case Op::wmma_load_c:
      TRY_VOID(check_layout(instruction));
      return check_fragment(instruction, 0, FragmentOf::Wmma, MatrixRole::C, type, registers);
    case Op::wmma_store_d:
      TRY_VOID(check_layout(instruction));
      return check_fragment(instruction, 1, FragmentOf::Wmma, MatrixRole::C, type, registers);
    case Op::ldmatrix:
    case Op::stmatrix:
      if (instruction.modifiers.shape != kEightByEight)
        return wrong(fmt::format("'{}' needs the shape .m8n8", name_of(instruction.op)));
      return check_registers(instruction.operands[instruction.op == Op::ldmatrix ? 0 : 1],
                             instruction.modifiers.matrices, 4, registers);
    case Op::movmatrix:
      if (instruction.modifiers.shape != kEightByEight || !instruction.modifiers.transposed)
        return wrong("'movmatrix' needs .m8n8.trans");
      return {};
    default:
      return {};
  }
}

}  // namespace lanescope::ptx
