#include "support/ptx_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using testing::HasSubstr;

std::string register_name(const Function& function, const Operand& operand) {
  return function.registers[std::get<RegisterOperand>(operand).index].name;
}

TEST(Instruction, modifiers_become_fields) {
  const auto load = first_instruction("ld.volatile.global.v2.f32 {%f1, %f2}, [%rd1];");
  EXPECT_EQ(load.op, Op::ld);
  EXPECT_EQ(load.type, Type::f32);
  EXPECT_EQ(load.second_type, std::nullopt);
  EXPECT_EQ(load.modifiers.space, Space::Global);
  EXPECT_EQ(load.modifiers.order, MemoryOrder::Volatile);
  EXPECT_EQ(load.modifiers.vector_width, 2);

  const auto convert = first_instruction("cvt.rzi.ftz.sat.u32.f32 %r1, %f1;");
  EXPECT_EQ(convert.type, Type::u32);
  EXPECT_EQ(convert.second_type, Type::f32);
  EXPECT_EQ(convert.modifiers.integer_rounding, IntegerRounding::Zero);
  EXPECT_TRUE(convert.modifiers.flush_to_zero);
  EXPECT_TRUE(convert.modifiers.saturate);

  const auto atomic = first_instruction("atom.acq_rel.gpu.shared.add.u32 _, [%r1], 5;");
  EXPECT_EQ(atomic.modifiers.atomic, AtomicOperation::Add);
  EXPECT_EQ(atomic.modifiers.order, MemoryOrder::AcquireRelease);
  EXPECT_EQ(atomic.modifiers.scope, Scope::Gpu);
  EXPECT_EQ(atomic.modifiers.space, Space::Shared);
  EXPECT_TRUE(std::holds_alternative<Sink>(atomic.operands[0]));
  EXPECT_TRUE(std::holds_alternative<Absent>(atomic.operands[3]));
}

TEST(Instruction, cache_hints_are_kept) {
  const auto store = first_instruction("st.global.cs.L1::no_allocate.b32 [%rd1], %r1;");
  EXPECT_EQ(store.modifiers.cache, CacheOperator::Cs);
  EXPECT_EQ(store.modifiers.eviction, EvictionPriority::NoAllocate);
  EXPECT_EQ(first_instruction("ld.global.L2::128B.b32 %r1, [%rd1];").modifiers.prefetch, Prefetch::B128);
}

TEST(Instruction, a_guard_names_its_predicate) {
  const Module module = parse_body("@!%p3 add.s32 %r1, %r2, 1;").value();
  const Function& kernel = kernel_of(module);
  ASSERT_TRUE(kernel.instructions[0].guard);
  EXPECT_TRUE(kernel.instructions[0].guard->negated);
  EXPECT_EQ(kernel.registers[kernel.instructions[0].guard->predicate].name, "%p3");
  EXPECT_THAT(complaint("@%r1 ret;"), HasSubstr("'%r1' guards an instruction but is no predicate"));
  EXPECT_NE(complaint("@%p1 @%p2 ret;"), "");
}

TEST(Instruction, an_address_is_a_base_and_bytes) {
  const Module module = parse_body(
                            "ld.global.u32 %r1, [%rd7+4*3];"
                            "st.shared.u32 [tile+132], %r1;"
                            "ld.param.u64 %rd1, [out];"
                            "ld.global.u32 %r1, [table+-8];"
                            "ld.const.u32 %r1, [64];")
                            .value();
  const Function& kernel = kernel_of(module);
  const auto address = [&](size_t i, size_t place) {
    return std::get<AddressOperand>(kernel.instructions[i].operands[place]);
  };
  EXPECT_EQ(address(0, 1).offset, 12);
  EXPECT_EQ(kernel.registers[std::get<RegisterOperand>(address(0, 1).base).index].name, "%rd7");
  EXPECT_EQ(address(1, 0), (AddressOperand{SymbolOperand{SymbolKind::Local, 0, 0}, 132}));
  EXPECT_EQ(address(2, 1), (AddressOperand{SymbolOperand{SymbolKind::Parameter, 0, 0}, 0}));
  EXPECT_EQ(address(3, 1), (AddressOperand{SymbolOperand{SymbolKind::Global, 0, 0}, -8}));
  EXPECT_EQ(address(4, 1), (AddressOperand{Absent{}, 64}));
}

TEST(Instruction, what_is_left_out_of_a_pair_is_absent) {
  const auto plain = first_instruction("setp.ge.s32 %p1, %r1, %r2;");
  EXPECT_TRUE(std::holds_alternative<Absent>(plain.operands[1]));
  EXPECT_TRUE(std::holds_alternative<Absent>(plain.operands[4]));
  const auto sink = first_instruction("setp.ge.s32 _|%p2, %r1, %r2;");
  EXPECT_TRUE(std::holds_alternative<Sink>(sink.operands[0]));
  EXPECT_TRUE(std::holds_alternative<RegisterOperand>(sink.operands[1]));
}

TEST(Instruction, mov_packs_unpacks_and_takes_addresses) {
  const auto unpack = first_instruction("mov.b64 {%r1, _}, %rd1;");
  EXPECT_EQ(std::get<VectorOperand>(unpack.operands[0]).elements.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Sink>(std::get<VectorOperand>(unpack.operands[0]).elements[1]));
  const auto pack = first_instruction("mov.b64 %rd1, {%rs1, %rs2, %rs3, 7};");
  EXPECT_EQ(std::get<VectorOperand>(pack.operands[1]).elements.size(), 4u);
  const auto symbol = first_instruction("mov.u64 %rd1, tile+8;");
  EXPECT_EQ(std::get<SymbolOperand>(symbol.operands[1]), (SymbolOperand{SymbolKind::Local, 0, 8}));
  const auto special = first_instruction("mov.u32 %r1, %nctaid.z;");
  EXPECT_EQ(std::get<SpecialRegister>(special.operands[1]), SpecialRegister::nctaid_z);
}

TEST(Instruction, labels_may_come_later_and_are_local_to_their_braces) {
  const Module module = parse_body(
                            "{ L: bra L; bra END; }"
                            "{ L: bra L; }"
                            "END:")
                            .value();
  const Function& kernel = kernel_of(module);
  const auto target = [&](size_t i) {
    return kernel.labels[std::get<LabelOperand>(kernel.instructions[i].operands[0]).index].instruction;
  };
  EXPECT_EQ(target(0), 0u);
  EXPECT_EQ(target(1), 3u) << "END is before the ret";
  EXPECT_EQ(target(2), 2u);
  EXPECT_THAT(complaint("{ L: } bra L;"), HasSubstr("there is no label 'L'"));
  EXPECT_THAT(complaint("L: L: ret;"), HasSubstr("defined twice"));
}

TEST(Instruction, a_branch_table_lists_labels) {
  const Module module = parse_body("T: .branchtargets A, B, A; brx.idx %r1, T; A: trap; B:").value();
  const Function& kernel = kernel_of(module);
  EXPECT_EQ(std::get<BranchTableOperand>(kernel.instructions[0].operands[1]).index, 0u);
  ASSERT_EQ(kernel.branch_tables[0].targets.size(), 3u);
  EXPECT_EQ(kernel.labels[kernel.branch_tables[0].targets[0]].name, "A");
  EXPECT_EQ(kernel.labels[kernel.branch_tables[0].targets[1]].instruction, 2u);
  EXPECT_NE(complaint("T: .branchtargets A; brx.idx %r1, A; A:"), "") << "a label is no table";
}

TEST(Instruction, a_call_has_results_callee_and_arguments) {
  const Module module = parse_body(
                            "{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0+0], %r1;"
                            "call.uni (r0), helper, (p0); ld.param.b32 %r2, [r0+0]; }"
                            "call.uni helper;")
                            .value();
  const Function& kernel = kernel_of(module);
  const Instruction& call = kernel.instructions[1];
  EXPECT_TRUE(call.modifiers.uniform);
  EXPECT_EQ(std::get<VectorOperand>(call.operands[0]).elements.size(), 1u);
  const auto callee = std::get<SymbolOperand>(call.operands[1]);
  EXPECT_EQ(callee.kind, SymbolKind::Function);
  EXPECT_EQ(module.functions[callee.index].name, "helper");
  EXPECT_EQ(std::get<SymbolOperand>(std::get<VectorOperand>(call.operands[2]).elements[0]).kind,
            SymbolKind::Local);
  EXPECT_TRUE(std::get<VectorOperand>(kernel.instructions[3].operands[2]).elements.empty());
}

TEST(Instruction, its_text_is_one_line_and_keeps_the_spelling) {
  const Module module = parse_body("\n  @%p1\tld.global.u32 \t%r1,\n   [%rd1+4] ; // note").value();
  const Instruction& load = kernel_of(module).instructions[0];
  EXPECT_EQ(text_of(module, load), "@%p1 ld.global.u32 %r1, [%rd1+4]");
  EXPECT_EQ(load.ptx_line, 2);
}

TEST(Instruction, what_is_unknown_is_unsupported_with_line_and_text) {
  EXPECT_EQ(complaint("\n  frobnicate.u32 %r1, %r2;"),
            "t.ptx:2: the instruction 'frobnicate' is not supported: frobnicate.u32 %r1, %r2;");
  EXPECT_EQ(kind_of_complaint("frobnicate;"), ErrorKind::Unsupported);
  EXPECT_EQ(kind_of_complaint("add.e4m3 %r1, %r2, %r3;"), ErrorKind::Unsupported);
  EXPECT_EQ(kind_of_complaint("add.wide.u32 %r1, %r2, %r3;"), ErrorKind::Unsupported);
  EXPECT_EQ(kind_of_complaint("add.b32 %r1, %r2, %r3;"), ErrorKind::Unsupported);
  EXPECT_EQ(kind_of_complaint("vote.all.pred %p1, %p2;"), ErrorKind::Unsupported);
  EXPECT_EQ(kind_of_complaint("mov.u32 %r1, %reserved_smem_offset;"), ErrorKind::Unsupported);
}

TEST(Instruction, a_cache_policy_is_read_and_dropped) {
  const auto load = first_instruction("ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd2;");
  EXPECT_TRUE(load.modifiers.cache_hint);
  EXPECT_EQ(load.operands.size(), 2u);
  const auto atomic = first_instruction("atom.global.add.L2::cache_hint.u32 %r1, [%rd1], %r2, %rd2;");
  EXPECT_TRUE(std::holds_alternative<Absent>(atomic.operands[3]));
  const auto swap = first_instruction("atom.global.cas.L2::cache_hint.b32 %r1, [%rd1], %r2, %r3, %rd2;");
  EXPECT_TRUE(std::holds_alternative<RegisterOperand>(swap.operands[3]));
  EXPECT_EQ(kind_of_complaint("ld.global.L2::cache_hint.u32 %r1, [%rd1];"), ErrorKind::Syntax);
}

TEST(Instruction, an_image_has_a_handle_and_coordinates_of_its_dimensions) {
  const auto layered =
      first_instruction("tex.a2d.v4.s32.f32 {%r1, _, %r3, %r4}, [%rd1, {3, %f1, %f2, %f2}];");
  EXPECT_EQ(layered.op, Op::tex);
  EXPECT_EQ(layered.modifiers.space, Space::Texture);
  EXPECT_EQ(layered.modifiers.geometry, Geometry::Layers2);
  EXPECT_EQ(layered.type, Type::s32);
  EXPECT_EQ(layered.second_type, Type::f32);
  EXPECT_EQ(std::get<VectorOperand>(layered.operands[2]).elements.size(), 4u);
  const auto alone = first_instruction("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, %r1];");
  EXPECT_TRUE(std::holds_alternative<RegisterOperand>(alone.operands[1]));
  EXPECT_TRUE(std::holds_alternative<RegisterOperand>(alone.operands[2]));
  EXPECT_EQ(
      first_instruction("tld4.b.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];").modifiers.channel,
      Channel::Blue);
  EXPECT_EQ(first_instruction("sust.b.2d.v2.b16.clamp [%rd1, {%r1, 4}], {%rs1, %rs2};").modifiers.boundary,
            Boundary::Clamp);
}

TEST(Instruction, what_an_image_lacks_is_refused) {
  const auto refuses = [](const char* text) { return kind_of_complaint(text) == ErrorKind::Syntax; };
  EXPECT_TRUE(refuses("tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %f3}];"));
  EXPECT_TRUE(refuses("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%rd1, %rd2}];"));
  EXPECT_TRUE(refuses("tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];"));
  EXPECT_TRUE(refuses("tex.2d.v2.f32.f32 {%f1, %f2}, [%rd1, {%f1, %f2}];"));
  EXPECT_TRUE(refuses("tex.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];"));
  EXPECT_TRUE(refuses("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%r1, {%f1, %f2}];"));
  EXPECT_TRUE(refuses("tld4.r.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}];"));
  EXPECT_TRUE(refuses("suld.b.2d.b32 {%r1}, [%rd1, {%r1, %r2}];"));
  EXPECT_TRUE(refuses("suld.b.2d.b32.trap {%r1}, [%rd1, {%rd1, %r2}];"));
  EXPECT_TRUE(refuses("suld.b.2d.v4.b64.trap {%rd1, %rd2, %rd3, %rd4}, [%rd1, {%r1, %r2}];"));
  EXPECT_TRUE(refuses("tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1};"));
  EXPECT_TRUE(refuses("tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];"));
  EXPECT_TRUE(refuses("tex.cube.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2, %r2, %r2}];"));
}

TEST(Instruction, what_is_not_executed_is_refused_by_name_and_line) {
  const std::string texture = complaint("\ntex.base.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];");
  EXPECT_NE(texture.find("t.ptx:2"), std::string::npos) << texture;
  EXPECT_NE(texture.find("tex.base.2d.v4.f32.f32"), std::string::npos) << texture;
  EXPECT_NE(texture.find("mipmaps are not emulated"), std::string::npos) << texture;
  const std::string tensor =
      complaint("cp.async.bulk.tensor.2d.shared::cluster.global.tile [tile], [%rd1, {%r1, %r2}], [tile];");
  EXPECT_NE(tensor.find("tensor maps"), std::string::npos) << tensor;
  EXPECT_NE(tensor.find("copy row by row with the one-dimensional cp.async.bulk"), std::string::npos)
      << tensor;
  const std::string sparse = complaint("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1}, %rd1;");
  EXPECT_NE(sparse.find("with a sparse matrix are not emulated"), std::string::npos) << sparse;
  for (const char* text :
       {"sured.b.add.1d.b32.trap [%rd1, {%r2}], %r3;", "tcgen05.wait::ld.sync.aligned;",
        "tensormap.replace.tile.rank.global.b1024.b32 [%rd1], 1;",
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%rd1], "
        "[tile], 64, [tile];"})
    EXPECT_EQ(kind_of_complaint(text), ErrorKind::Unsupported) << text;
}

TEST(Instruction, other_spellings_of_a_barrier_are_the_same) {
  EXPECT_EQ(first_instruction("barrier.cta.sync.aligned 0;").op, Op::barrier_sync);
  EXPECT_EQ(first_instruction("bar.cta.arrive 1, 64;").op, Op::bar_arrive);
  const auto reduction = first_instruction("barrier.cta.red.popc.aligned.u32 %r1, 1, 64, !%p1;");
  EXPECT_EQ(reduction.op, Op::bar_red_popc);
  EXPECT_EQ(reduction.operands[3], Operand(RegisterOperand{1, true}));
  EXPECT_TRUE(std::holds_alternative<Absent>(first_instruction("bar.red.popc.u32 %r1, 0, %p1;").operands[2]));
  EXPECT_EQ(kind_of_complaint("bar.red.popc.u32 %r1, 0;"), ErrorKind::Syntax);
}

TEST(Instruction, only_what_is_called_bar_is_aligned_without_saying_so) {
  EXPECT_TRUE(first_instruction("bar.red.popc.u32 %r1, 0, %p1;").modifiers.aligned);
  EXPECT_TRUE(first_instruction("barrier.cta.red.popc.aligned.u32 %r1, 0, %p1;").modifiers.aligned);
  EXPECT_FALSE(first_instruction("barrier.cta.red.popc.u32 %r1, 0, %p1;").modifiers.aligned);
  EXPECT_TRUE(first_instruction("bar.sync 0;").modifiers.aligned);
  EXPECT_FALSE(first_instruction("barrier.sync 0;").modifiers.aligned);
}

TEST(Instruction, an_index_after_a_name_counts_elements) {
  const auto offset = [](std::string_view body) {
    return std::get<SymbolOperand>(first_instruction(body).operands[1]).offset;
  };
  EXPECT_EQ(offset("mov.u64 %rd1, table[3];"), 12) << "of 32 bits";
  EXPECT_EQ(offset("mov.u32 %r1, tile[3];"), 3) << "of 8 bits";
  EXPECT_EQ(offset("mov.u64 %rd1, table+3;"), 3);
  EXPECT_EQ(kind_of_complaint("mov.u64 %rd1, table[0x7fffffffffffffff];"), ErrorKind::Syntax);
  EXPECT_EQ(kind_of_complaint("mov.u64 %rd1, helper[1];"), ErrorKind::Syntax);
}

/// ptxas 13.0 (sm_90) takes each of these.
TEST(Instruction, the_parts_of_a_name_come_in_any_order) {
  const Instruction ballot = first_instruction("vote.ballot.sync.b32 %r1, %p1, 0xffffffff;");
  EXPECT_EQ(ballot.op, Op::vote_sync_ballot);
  EXPECT_EQ(ballot.type, Type::b32);
  const Instruction any = first_instruction("vote.any.sync.pred %p2, %p1, 0xffffffff;");
  EXPECT_EQ(any.op, Op::vote_sync);
  EXPECT_EQ(any.modifiers.vote, VoteMode::Any);
  EXPECT_EQ(first_instruction("shfl.b32.sync.idx %r2, %r1, 3, 31, 0xffffffff;").op, Op::shfl_sync);
  EXPECT_EQ(complaint("match.any.sync.b32 %r2, %r1, 0xffffffff;"), "");
  EXPECT_EQ(complaint("redux.add.sync.s32 %r2, %r1, 0xffffffff;"), "");
  EXPECT_EQ(complaint("barrier.aligned.sync 0;"), "");
  EXPECT_EQ(kind_of_complaint("vote.ballot.b32 %r1, %p1, 0xffffffff;"), ErrorKind::Unsupported);
}

/// As Triton writes them; ptxas 13.0 refuses those of atomics.
TEST(Instruction, a_vector_of_one_is_its_element) {
  const Instruction load = first_instruction("ld.global.b32 { %r1 }, [ %rd1 + 4 ];");
  EXPECT_EQ(load.operands[0], first_instruction("ld.global.b32 %r1, [%rd1+4];").operands[0]);
  EXPECT_EQ(load.modifiers.vector_width, 1);
  EXPECT_EQ(complaint("st.global.b32 [%rd1], { %r1 };"), "");
  EXPECT_EQ(complaint("st.global.b32 [%rd1], { 3 };"), "");
  EXPECT_EQ(complaint("mov.b32 {%r1}, {%r2};"), "");
  EXPECT_EQ(kind_of_complaint("ld.global.v2.b32 {%r1}, [%rd1];"), ErrorKind::Syntax);
  EXPECT_EQ(kind_of_complaint("atom.global.add.u32 {%r1}, [%rd1], 1;"), ErrorKind::Syntax);
  EXPECT_EQ(kind_of_complaint("ld.global.b32 {}, [%rd1];"), ErrorKind::Syntax);
}

TEST(Instruction, malformed_text_is_a_syntax_error) {
  for (const char* body : {"add.u32 %r1, %r2;",
                           "add.u32 %r1 %r2, %r3;",
                           "add.u32 %r1, %r2, %r3, %r4;",
                           "add.u32 %r1, %r2, %r3",
                           "add %r1, %r2, %r3;",
                           "ld.global.u32 %r1, %rd1;",
                           "ld.global.u32 %r1, [%rd1;",
                           "bra;",
                           "bra 5;",
                           "add.s32.s32 ;",
                           "ld.global.shared.u32 %r1, [%rd1];",
                           "mov.u32 %r1, %r10;",
                           "mov.u32 %r1, nothing;",
                           "st.global.u32 [nothing], 1;",
                           "setp.lt.lt.s32 %p1, %r1, %r2;",
                           "mov.b64 %rd1, {%r1, };x",
                           "@ ret;",
                           "call (p), helper;",
                           "call nothing;",
                           "call table;",
                           "ret; }",
                           "{"}) {
    EXPECT_EQ(describe(parse_body(body).error()).empty(), false);
    const ErrorKind kind = kind_of_complaint(body);
    EXPECT_TRUE(kind == ErrorKind::Syntax || kind == ErrorKind::Unsupported) << body;
  }
}

TEST(Instruction, registers_that_are_mentioned_are_kept_once) {
  const Module module = parse_body("add.u32 %r5, %r5, %r5; add.u32 %r5, %r1, 1;").value();
  const Function& kernel = kernel_of(module);
  ASSERT_EQ(kernel.registers.size(), 2u);
  EXPECT_EQ(register_name(kernel, kernel.instructions[0].operands[2]), "%r5");
  EXPECT_EQ(register_name(kernel, kernel.instructions[1].operands[1]), "%r1");
  EXPECT_EQ(kernel.registers[0].type, Type::b32);
}

}  // namespace
}  // namespace lanescope::ptx
