// What opcodes do, looked up; and rows that would not compile.

#include "ptx/opcode_traits.h"

#include "ptx/lower.h"
#include "ptx/opcode_row.h"
#include "support/ptx_text.h"

#include <type_traits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using namespace table;

/// A row of opcode.def with these operands and traits, of .b32 and .b128.
constexpr OpcodeRow row(std::string_view operands, OpcodeTraits traits) {
  return read_operands({Op::ret, "new", {}, 0, types(Type::b32, Type::b128), {}, {}, "", traits}, operands);
}
constexpr bool compiles(std::string_view operands, OpcodeTraits traits) {
  return agrees(row(operands, traits));
}

// A row without traits cannot be built.
static_assert(!std::is_default_constructible_v<OpcodeTraits>);
static_assert(!std::is_default_constructible_v<OpcodeRow>);

static_assert(compiles("d, [a]", access(Load, PerLane)));
static_assert(compiles("[a], b", access(Store, PerLane)));
static_assert(!compiles("d, [a]", kComputes), "an address, and nothing is done there");
static_assert(!compiles("d, [a]", kReadsLanes));
static_assert(!compiles("d, a", access(Load, PerLane)), "an access without an address");
static_assert(!compiles("[a], b", access(Load, PerLane)), "a load that gives nothing");
static_assert(!compiles("d, [a]", access(Store, PerLane)), "a store that gives something");
static_assert(!compiles("[a], b", access(Atomic, PerLane)));
static_assert(!compiles("d, [a]", OpcodeTraits(Effect::Accesses)), "an access of no kind");
static_assert(!compiles("d:frag, [a]", access(Load, PerLane) | kWholeWarp),
              "a part of a matrix for each lane");
static_assert(!compiles("d:frag, [a]", access(Load, Fragment)), "a matrix of no warp");
static_assert(compiles("d:frag, [a]", access(Load, Fragment) | kWholeWarp));
static_assert(!compiles("d, a, b:members", kComputes), "what waits for others reads their values");
static_assert(!compiles("d:frag, a:frag", kComputes));
static_assert(!compiles("a", kComputes), "a computation without a result");
static_assert(!compiles("[a]", kReadsLanes));
static_assert(!compiles("a", kJumps | kOnlyArrives));
static_assert(!compiles("d:texel, [a]", access(Load, Texture)), "an image at an address");
static_assert(!compiles("d:texel, [a:u64, b:coordinates]", access(Load, Texture)), "of no dimensions");
static_assert(!compiles("a", kBarrier | kReducesPredicate));
static_assert(!compiles("d, [a]", access(Load, PerLane) | kPollsIfOrdered), "it takes no memory order");

Modifiers ordered(MemoryOrder order) {
  Modifiers modifiers;
  modifiers.order = order;
  return modifiers;
}

TEST(OpcodeTraits, the_address_and_the_member_mask_are_where_the_operands_say) {
  EXPECT_EQ(traits_of(Op::ld).address, 1);
  EXPECT_EQ(traits_of(Op::st).address, 0);
  EXPECT_EQ(traits_of(Op::cp_async).address, 0) << "where it is written";
  EXPECT_EQ(traits_of(Op::add).address, std::nullopt);
  EXPECT_EQ(members_source(Op::bar_warp_sync), 0);
  EXPECT_EQ(members_source(Op::vote_sync), 1);
  EXPECT_EQ(members_source(Op::match_all_sync), 1);
  EXPECT_EQ(members_source(Op::shfl_sync), 3);
  EXPECT_EQ(members_source(Op::mma), std::nullopt);
  EXPECT_TRUE(waits_for_members(Op::mma));
  EXPECT_FALSE(waits_for_members(Op::activemask));
}

TEST(OpcodeTraits, an_atomic_loads_and_stores) {
  for (const Op op : {Op::ld, Op::ldu, Op::ldmatrix, Op::wmma_load_a}) {
    EXPECT_TRUE(loads(op) && !stores(op) && !updates_memory(op)) << name_of(op);
  }
  for (const Op op : {Op::st, Op::stmatrix, Op::cp_async, Op::cp_async_bulk_to_global}) {
    EXPECT_TRUE(stores(op) && !loads(op) && !updates_memory(op)) << name_of(op);
  }
  EXPECT_TRUE(loads(Op::atom) && stores(Op::atom) && updates_memory(Op::atom));
  for (const Op op : {Op::red, Op::cp_reduce_async_bulk}) {
    EXPECT_TRUE(stores(op) && !loads(op) && updates_memory(op)) << name_of(op);
  }
  for (const Op op : {Op::add, Op::prefetch, Op::mbarrier_init, Op::bar_sync}) {
    EXPECT_FALSE(is_memory(op) || loads(op) || stores(op) || updates_memory(op)) << name_of(op);
  }
}

TEST(OpcodeTraits, jumps_calls_and_barriers_end_a_basic_block) {
  for (const Op op : {Op::bra, Op::brx_idx, Op::ret, Op::exit, Op::trap, Op::call, Op::bar_sync,
                      Op::bar_arrive, Op::bar_red_popc, Op::barrier_sync})
    EXPECT_TRUE(ends_block(op)) << name_of(op);
  for (const Op op : {Op::bar_warp_sync, Op::barrier_cluster_wait, Op::atom, Op::nanosleep, Op::brkpt})
    EXPECT_FALSE(ends_block(op)) << name_of(op);
  Step jump{.op = Op::bra};
  EXPECT_TRUE(never_falls_through(jump));
  jump.guard = 1;
  EXPECT_FALSE(never_falls_through(jump));
  EXPECT_FALSE(never_falls_through({.op = Op::bar_sync}));
}

TEST(OpcodeTraits, a_load_polls_if_it_is_ordered) {
  EXPECT_FALSE(may_poll({}, Op::ld));
  EXPECT_FALSE(may_poll(ordered(MemoryOrder::Weak), Op::ld));
  EXPECT_TRUE(may_poll(ordered(MemoryOrder::Volatile), Op::ld));
  EXPECT_TRUE(may_poll({}, Op::atom));
  EXPECT_TRUE(may_poll({}, Op::mbarrier_try_wait));
  EXPECT_FALSE(may_poll(ordered(MemoryOrder::Relaxed), Op::st));
}

// The one that the emulator's table and that of the sites once had different kinds for.
TEST(OpcodeTraits, a_bulk_reduction_reduces_global_memory_and_loads_shared_memory) {
  const Module module =
      parse_body("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [tile], 64;").value();
  const Program program = lower(module, "k").value();
  ASSERT_EQ(program.sites.size(), 2u);
  EXPECT_EQ(access_of(Op::cp_reduce_async_bulk)->kind, MemoryKind::Reduction);
  EXPECT_EQ(program.sites[0].operation,
            (MemoryOperation{MemorySpace::Global, MemoryKind::Reduction, 16, MemoryDetail::Bulk}));
  EXPECT_EQ(program.sites[1].operation,
            (MemoryOperation{MemorySpace::Shared, MemoryKind::Load, 16, MemoryDetail::Bulk}));
}

}  // namespace
}  // namespace lanescope::ptx
