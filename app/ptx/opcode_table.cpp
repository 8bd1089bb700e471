// The tables of opcode.h: rows of opcode.def, modifiers, special registers, and the look-ups by spelling.

#include "ptx/opcode.h"
#include "ptx/opcode_row.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lanescope::ptx {

namespace {

constexpr TypeSet kNoTypes;
constexpr TypeSet kPred = types(Type::pred);
constexpr TypeSet kU32 = types(Type::u32);
constexpr TypeSet kS32 = types(Type::s32);
constexpr TypeSet kB32 = types(Type::b32);
constexpr TypeSet kB64 = types(Type::b64);
constexpr TypeSet kB163264 = types(Type::b16) | kB32 | kB64;
constexpr TypeSet kF32 = types(Type::f32);
constexpr TypeSet kFloat = types(Type::f32, Type::f64);
constexpr TypeSet kHalf = types(Type::f16, Type::bf16);
constexpr TypeSet kPackedHalf = types(Type::f16x2, Type::bf16x2);
constexpr TypeSet kPackedInteger = types(Type::u16x2, Type::s16x2);
constexpr TypeSet kInteger32 = types(Type::u32, Type::s32);
constexpr TypeSet kInteger3264 = kInteger32 | types(Type::u64, Type::s64);
constexpr TypeSet kInteger163264 = kInteger3264 | types(Type::u16, Type::s16);
constexpr TypeSet kSigned163264 = types(Type::s16, Type::s32, Type::s64);
constexpr TypeSet k3264u = types(Type::u32, Type::u64);
constexpr TypeSet kLogic = kPred | kB163264;
constexpr TypeSet kMovable =
    kPred | kB163264 | kInteger163264 | kFloat | kHalf | kPackedHalf | types(Type::b128);
constexpr TypeSet kSelectable = kB163264 | kInteger163264 | kFloat;
constexpr TypeSet kComparable = kSelectable | kHalf | kPackedHalf;
constexpr TypeSet kMemory = kB163264 | kInteger163264 | kFloat | kHalf | kPackedHalf |
                            types(Type::b8, Type::u8, Type::s8, Type::b128);
constexpr TypeSet kConvertible = kInteger163264 | kFloat | kHalf | kPackedHalf |
                                 types(Type::u8, Type::s8, Type::tf32, Type::e4m3x2, Type::e5m2x2);
constexpr TypeSet kQuarters = types(Type::e4m3x2, Type::e5m2x2);
constexpr TypeSet kPackable = types(Type::u16, Type::s16, Type::u8, Type::s8);
constexpr TypeSet kB16 = types(Type::b16);
constexpr TypeSet kMatrixElement =
    types(Type::f16, Type::bf16, Type::tf32, Type::f32, Type::f64, Type::s8, Type::u8, Type::s4, Type::u4,
          Type::b1, Type::s32, Type::e4m3, Type::e5m2);
constexpr TypeSet kMatrixSum = types(Type::f16, Type::f32, Type::f64, Type::s32);
constexpr TypeSet kTexel = kInteger32 | kF32;
constexpr TypeSet kCoordinate = kF32 | kS32;
constexpr TypeSet kSurfaceElement = types(Type::b8) | kB163264;
constexpr TypeSet kAtomic = kB163264 | kInteger3264 | kFloat | kHalf | kPackedHalf | types(Type::b128);

constexpr TypeSet kBulkReduced = kB32 | kB64 | kInteger3264 | kFloat | kHalf;

constexpr ModifierGroups group(ModifierGroup which) { return {uint64_t{1} << static_cast<uint64_t>(which)}; }

constexpr ModifierGroups kNothing;
constexpr ModifierGroups kSpace = group(ModifierGroup::Space);
constexpr ModifierGroups kVector = group(ModifierGroup::Vector);
constexpr ModifierGroups kOrder = group(ModifierGroup::Order);
constexpr ModifierGroups kScope = group(ModifierGroup::Scope);
constexpr ModifierGroups kMembarScope = group(ModifierGroup::MembarScope);
constexpr ModifierGroups kHint = group(ModifierGroup::CacheHint);
constexpr ModifierGroups kCache = group(ModifierGroup::Cache) | group(ModifierGroup::Eviction) |
                                  group(ModifierGroup::EvictionLevel2) | group(ModifierGroup::Prefetch) |
                                  kHint;
constexpr ModifierGroups kEvictionLevel2 = group(ModifierGroup::EvictionLevel2);
constexpr ModifierGroups kSecondEviction = group(ModifierGroup::SecondEviction);
constexpr ModifierGroups kPrefetchLevel = group(ModifierGroup::CacheLevel);
constexpr ModifierGroups kNonCoherent = group(ModifierGroup::NonCoherent);
constexpr ModifierGroups kRounding = group(ModifierGroup::Rounding);
constexpr ModifierGroups kIntegerRounding = group(ModifierGroup::IntegerRounding);
constexpr ModifierGroups kFtz = group(ModifierGroup::FlushToZero);
constexpr ModifierGroups kNoFtz = group(ModifierGroup::NoFlushToZero);
constexpr ModifierGroups kSat = group(ModifierGroup::Saturate);
constexpr ModifierGroups kRelu = group(ModifierGroup::Relu);
constexpr ModifierGroups kApproximate = group(ModifierGroup::Approximate);
constexpr ModifierGroups kFull = group(ModifierGroup::FullRange);
constexpr ModifierGroups kCarryOut = group(ModifierGroup::CarryOut);
constexpr ModifierGroups kNan = group(ModifierGroup::Nan);
constexpr ModifierGroups kMagnitude =
    group(ModifierGroup::MagnitudeSign) | group(ModifierGroup::MagnitudeSignAbs);
constexpr ModifierGroups kPart = group(ModifierGroup::Part);
constexpr ModifierGroups kComparison = group(ModifierGroup::Comparison);
constexpr ModifierGroups kCombination = group(ModifierGroup::Combination);
constexpr ModifierGroups kAtomicOperation = group(ModifierGroup::AtomicOperation);
constexpr ModifierGroups kShuffle = group(ModifierGroup::Shuffle);
constexpr ModifierGroups kVote = group(ModifierGroup::Vote);
constexpr ModifierGroups kDirection = group(ModifierGroup::Direction);
constexpr ModifierGroups kShiftMode = group(ModifierGroup::ShiftMode);
constexpr ModifierGroups kPermute = group(ModifierGroup::Permute);
constexpr ModifierGroups kShiftAmount = group(ModifierGroup::ShiftAmount);
constexpr ModifierGroups kUniform = group(ModifierGroup::Uniform);
constexpr ModifierGroups kAligned = group(ModifierGroup::Aligned);
constexpr ModifierGroups kSync = group(ModifierGroup::Sync) | kAligned;
constexpr ModifierGroups kSatFinite = group(ModifierGroup::SaturateFinite);
constexpr ModifierGroups kAsyncRoute =
    group(ModifierGroup::AsyncDestination) | group(ModifierGroup::AsyncSource);
constexpr ModifierGroups kCompleteBytes = group(ModifierGroup::CompleteBytes);
constexpr ModifierGroups kBulkGroup = group(ModifierGroup::BulkGroup);
constexpr ModifierGroups kBulkRead = group(ModifierGroup::BulkRead);
constexpr ModifierGroups kNoIncrement = group(ModifierGroup::NoIncrement);
constexpr ModifierGroups kProxy = group(ModifierGroup::Proxy);
constexpr ModifierGroups kMatrices = group(ModifierGroup::Matrices);
constexpr ModifierGroups kTransposed = group(ModifierGroup::Transposed);
constexpr ModifierGroups kLayout = group(ModifierGroup::LayoutA);
constexpr ModifierGroups kLayouts = kLayout | group(ModifierGroup::LayoutB);
constexpr ModifierGroups kBitOperation =
    group(ModifierGroup::BitOperation) | group(ModifierGroup::Population);
constexpr ModifierGroups kShape = group(ModifierGroup::Shape);
constexpr ModifierGroups kVideo =
    group(ModifierGroup::VideoOperation) | group(ModifierGroup::Saturate) | group(ModifierGroup::ThreeTypes);
constexpr ModifierGroups kVideoScale = group(ModifierGroup::VideoScale);
constexpr ModifierGroups kGeometry = group(ModifierGroup::Geometry);
constexpr ModifierGroups kBoundary = group(ModifierGroup::Boundary);
constexpr ModifierGroups kChannel = group(ModifierGroup::Channel);
constexpr ModifierGroups kThreeTypes = group(ModifierGroup::ThreeTypes);
constexpr ModifierGroups kFourTypes = group(ModifierGroup::FourTypes);

// The vocabulary of the column `traits`.
using namespace table;

constexpr std::array kModifiers{
#define MODIFIER(group, spelling, effect) \
  ModifierRow{ModifierGroup::group, spelling, [](Modifiers& m) { effect; }},
#include "ptx/modifier.def"
#undef MODIFIER
};

struct SpecialRow {
  std::string_view spelling;
  Type type;
};
constexpr std::array kSpecials{
#define SPECIAL_REGISTER(name, spelling, type) SpecialRow{spelling, Type::type},
#include "ptx/special_register.def"
#undef SPECIAL_REGISTER
};

constexpr std::array kRows{
#define REFUSED(spelling, reason, section)
#define OPCODE(name, spelling, operands, types, second_types, modifiers, traits, section) \
  decode_row({Op::name, spelling, {}, 0, types, second_types, modifiers, section, traits}, operands),
#include "ptx/opcode.def"
#undef OPCODE
#undef REFUSED
};
constexpr std::array kRefused{
#define OPCODE(name, spelling, operands, types, second_types, modifiers, traits, section)
#define REFUSED(spelling, reason, section) RefusedRow{spelling, reason, section},
#include "ptx/opcode.def"
#undef OPCODE
#undef REFUSED
};

/// Other spellings: a name that begins with the left one means the right one.
struct Alias {
  std::string_view written;
  std::string_view meant;
};
constexpr std::array kAliases{
    Alias{"bar.cta.", "bar."},
    Alias{"barrier.cta.", "barrier."},
    Alias{"barrier.red.", "bar.red."},
    Alias{"barrier.cta.red.", "bar.red."},
    Alias{"cp.async.bulk.shared::cta.global", "cp.async.bulk.shared::cluster.global"},
    Alias{"mma.sp::ordered_metadata.", "mma.sp."}};

constexpr auto kBySpelling = [] {
  std::array<const OpcodeRow*, kRows.size()> sorted{};
  for (size_t i = 0; i < kRows.size(); ++i) sorted[i] = &kRows[i];
  std::ranges::sort(sorted, {}, [](const OpcodeRow* row) { return row->spelling; });
  return sorted;
}();

}  // namespace

TypeCount types_of(const OpcodeRow& row) {
  // Products of halves name the types of D and C alone; bytes are packed above a third operand or without.
  if (row.modifiers.contains(ModifierGroup::FourTypes)) return {row.op == Op::wmma_mma ? 2u : 4u, 4};
  if (row.modifiers.contains(ModifierGroup::ThreeTypes)) return {row.op == Op::cvt_pack ? 2u : 3u, 3};
  const size_t count = (row.types.empty() ? 0u : 1u) + (row.second_types.empty() ? 0u : 1u);
  return {count, count};
}

const OpcodeRow& row_of(Op op) { return kRows[static_cast<size_t>(op)]; }

std::span<const OpcodeRow> opcode_rows() { return kRows; }
std::span<const RefusedRow> refused_rows() { return kRefused; }

const RefusedRow* refused_as(std::string_view spelling) {
  const auto is_start = [&](const RefusedRow& row) {
    return spelling.starts_with(row.spelling) &&
           (spelling.size() == row.spelling.size() || spelling[row.spelling.size()] == '.');
  };
  const auto found = std::ranges::find_if(kRefused, is_start);
  return found != kRefused.end() ? &*found : nullptr;
}

const OpcodeRow* row_named(std::string_view written) {
  std::string spelling(written);
  for (const Alias& alias : kAliases) {
    if (written.starts_with(alias.written))
      spelling = std::string(alias.meant).append(written.substr(alias.written.size()));
  }
  const auto spelling_of = [](const OpcodeRow* row) { return row->spelling; };
  const auto found = std::ranges::lower_bound(kBySpelling, spelling, {}, spelling_of);
  return found != kBySpelling.end() && (*found)->spelling == spelling ? *found : nullptr;
}

const ModifierRow* modifier_named(std::string_view spelling, ModifierGroups allowed) {
  const auto fits = [&](const ModifierRow& row) {
    return row.spelling == spelling && allowed.contains(row.group);
  };
  const auto found = std::ranges::find_if(kModifiers, fits);
  return found != kModifiers.end() ? &*found : nullptr;
}

bool is_modifier(std::string_view spelling) {
  return std::ranges::find(kModifiers, spelling, &ModifierRow::spelling) != kModifiers.end();
}

std::optional<SpecialRegister> special_register_named(std::string_view spelling) {
  const auto found = std::ranges::find(kSpecials, spelling, &SpecialRow::spelling);
  if (found == kSpecials.end()) return std::nullopt;
  return static_cast<SpecialRegister>(found - kSpecials.begin());
}

std::string_view name_of(Op op) { return row_of(op).spelling; }
std::string_view name_of(SpecialRegister special) { return kSpecials[static_cast<size_t>(special)].spelling; }
Type type_of(SpecialRegister special) { return kSpecials[static_cast<size_t>(special)].type; }

}  // namespace lanescope::ptx
