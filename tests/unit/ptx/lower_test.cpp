// Lowering: operands as slots, basic blocks and reconvergence points, which registers share a slot, where
// memory is, which parameters are written through.

#include "ptx/lower.h"

#include "ptx/module.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

Result<Program> lower_text(std::string_view body, std::string_view before = "",
                           std::string_view parameters = ".param .u64 in, .param .u64 out, .param .u32 n") {
  const std::string text = fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n{}\n.visible .entry k({})\n{{\n"
      ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<9>;\n{}\n}}\n",
      before, parameters, body);
  TRY(const Module module, parse(text, "t.ptx"));
  return lower(module, "k");
}

Program program_of(std::string_view body, std::string_view before = "") {
  auto program = lower_text(body, before);
  EXPECT_TRUE(program) << describe(program.error());
  return program ? *std::move(program) : Program{};
}

const SlotInfo& source(const Program& program, size_t step, size_t n) {
  return program.slots[program.steps[step].source[n]];
}

TEST(Lower, an_unknown_kernel_is_an_error_that_lists_what_there_is) {
  const auto module =
      parse(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }", "t.ptx");
  ASSERT_TRUE(module);
  const auto program = lower(*module, "other");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().kind, ErrorKind::Usage);
  EXPECT_NE(program.error().message.find("k"), std::string::npos);
}

TEST(Lower, every_instruction_is_a_step_with_its_line_and_text) {
  const Program program = program_of("mov.u32 %r1, 5;\nadd.s32 %r2, %r1, -1;\nret;");
  ASSERT_EQ(program.steps.size(), 3u);
  EXPECT_EQ(program.steps[1].op, Op::add);
  EXPECT_EQ(program.steps[1].type, Type::s32);
  EXPECT_EQ(program.origins[1].ptx_text, "add.s32 %r2, %r1, -1");
  EXPECT_EQ(program.origins[1].ptx_line, 9);
  EXPECT_EQ(program.steps[2].op, Op::exit);
}

TEST(Lower, constants_and_special_registers_are_slots_that_are_shared) {
  const Program program = program_of(
      "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 7; add.u32 %r3, %r2, 7; mul.f32 %f1, %f2, 2.0; ret;");
  EXPECT_EQ(source(program, 0, 0).content, SlotContent::Special);
  EXPECT_EQ(source(program, 0, 0).special, SpecialRegister::tid_x);
  EXPECT_EQ(source(program, 1, 1).content, SlotContent::Constant);
  EXPECT_EQ(source(program, 1, 1).value, 7u);
  EXPECT_EQ(program.steps[1].source[1], program.steps[2].source[1]);
  EXPECT_EQ(source(program, 3, 1).value, 0x40000000u);
}

TEST(Lower, a_constant_is_as_wide_as_its_operand) {
  const Program program =
      program_of("mul.wide.u32 %rd1, %r1, 4; shl.b64 %rd2, %rd1, 3; add.u64 %rd3, %rd2, -8; ret;");
  EXPECT_EQ(source(program, 0, 1).width, SlotWidth::Word);
  EXPECT_EQ(source(program, 1, 1).width, SlotWidth::Word);
  EXPECT_EQ(source(program, 2, 1).width, SlotWidth::Double);
  EXPECT_EQ(source(program, 2, 1).value, ~uint64_t{7});
}

TEST(Lower, shared_and_local_variables_are_aligned_and_dynamic_memory_follows_them) {
  const Program program = program_of(
      ".shared .align 1 .b8 a[3]; .shared .align 16 .b8 b[20]; .local .align 8 .b8 c[9]; "
      "mov.u32 %r1, a; mov.u32 %r2, b+4; mov.u32 %r3, dynamic; mov.u64 %rd1, c; ret;",
      ".extern .shared .align 32 .b8 dynamic[];");
  EXPECT_EQ(source(program, 0, 0).value, 0u);
  EXPECT_EQ(source(program, 1, 0).value, 20u);
  EXPECT_EQ(source(program, 2, 0).value, 64u);
  EXPECT_EQ(program.static_shared_bytes, 64u);
  EXPECT_EQ(program.local_bytes, 9u);
}

TEST(Lower, sites_are_numbered_in_program_order) {
  const Program program = program_of(
      "ld.param.u64 %rd1, [in]; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16]; st.shared.u8 [%r1], %rs1; "
      "ld.u64 %rd2, [%rd1]; "
      "red.global.add.u32 [%rd1], %r2; ret;");
  ASSERT_EQ(program.sites.size(), 1u + 1 + 4 + 1);
  EXPECT_EQ(program.sites[0].operation.bytes_per_lane, 16);
  EXPECT_EQ(program.sites[0].operation.kind, MemoryKind::Load);
  EXPECT_EQ(program.steps[1].immediate, 16);
  EXPECT_EQ(program.sites[1].operation.space, MemorySpace::Shared);
  EXPECT_EQ(program.sites[1].operation.kind, MemoryKind::Store);
  EXPECT_EQ(program.sites[2].operation.space, MemorySpace::Global);
  EXPECT_EQ(program.sites[3].operation.space, MemorySpace::Shared);
  EXPECT_EQ(program.sites[4].operation.space, MemorySpace::Local);
  EXPECT_EQ(program.sites[5].operation.space, MemorySpace::Constant);
  EXPECT_EQ(program.sites[6].operation.kind, MemoryKind::Reduction);
  EXPECT_EQ(program.steps[4].site, 6);
}

TEST(Lower, an_unused_increment_of_shared_memory_is_cheaper_unless_its_address_is_generic) {
  const Program program = program_of("red.shared.add.u32 [%r1], 1; red.add.u32 [%rd1], 1; ret;");
  EXPECT_EQ(program.sites[0].operation.detail, MemoryDetail::UnusedIncrement);
  EXPECT_EQ(program.sites[2].operation.space, MemorySpace::Shared);
  EXPECT_EQ(program.sites[2].operation.detail, MemoryDetail::Plain);
}

TEST(Lower, parameters_keep_name_offset_and_size) {
  const auto program = lower_text("ret;", "", ".param .u8 a, .param .align 8 .b8 s[12], .param .u64 p");
  ASSERT_TRUE(program);
  ASSERT_EQ(program->parameters.size(), 3u);
  EXPECT_EQ(program->parameters[1].name, "s");
  EXPECT_EQ(program->parameters[1].offset, 8u);
  EXPECT_EQ(program->parameters[1].size_bytes, 12u);
  EXPECT_EQ(program->parameters[2].offset, 24u);
}

TEST(Lower, a_branch_ends_a_basic_block_and_its_lanes_reconverge_after_the_arms) {
  const Program program = program_of(
      "setp.eq.u32 %p1, %r1, 0; @%p1 bra A; mov.u32 %r2, 1; bra B; A: mov.u32 %r2, 2; B: mov.u32 %r3, %r2; "
      "ret;");
  ASSERT_EQ(program.blocks.size(), 4u);
  EXPECT_EQ(program.blocks[0].end, 2u);
  EXPECT_EQ(program.steps[1].immediate, 2);  // A is block 2
  EXPECT_EQ(program.blocks[3].position, 4u);
  EXPECT_EQ(program.blocks[3].pending, (std::vector<PositionRange>{{2, 4}}));
}

TEST(Lower, a_jump_to_the_end_is_an_end) {
  const Program program = program_of("setp.eq.u32 %p1, %r1, 0; @%p1 bra END; bar.sync 0; END: ret;");
  EXPECT_EQ(program.steps[1].op, Op::exit);
  EXPECT_NE(program.steps[1].guard, kNoSlot);
  EXPECT_TRUE(program.blocks[0].reaches_barrier);
  EXPECT_FALSE(program.blocks.back().reaches_barrier);
}

TEST(Lower, a_kernel_without_a_last_ret_ends) {
  const Program program = program_of("mov.u32 %r1, 1;");
  ASSERT_EQ(program.steps.size(), 2u);
  EXPECT_EQ(program.steps[1].op, Op::exit);
  const Program label_at_end = program_of("setp.eq.u32 %p1, %r1, 0; @%p1 bra END; mov.u32 %r1, 1; ret; END:");
  EXPECT_EQ(label_at_end.steps.back().op, Op::exit);
}

TEST(Lower, registers_that_are_not_live_together_share_a_slot) {
  std::string body = "mov.u32 %r1, %tid.x;";
  for (int n = 2; n < 32; ++n) body += fmt::format("add.u32 %r{}, %r{}, 1;", n, n - 1);
  const Program program = program_of(body + "st.global.u32 [%rd1], %r31; ret;");
  const auto per_lane = std::ranges::count_if(program.slots, [](const SlotInfo& slot) {
    return slot.content == SlotContent::PerLane && slot.width == SlotWidth::Word;
  });
  EXPECT_EQ(per_lane, 1);
}

TEST(Lower, registers_that_are_live_together_do_not_share_a_slot) {
  const Program program = program_of(
      "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; L: add.u32 %r3, %r1, %r2; setp.lt.u32 %p1, %r3, 100; "
      "mov.u32 %r2, %r3; @%p1 bra L; "
      "st.global.u32 [%rd1], %r1; ret;");
  // %r1 lives through the loop; %r2 and %r3 take turns.
  EXPECT_NE(program.steps[0].destination[0], program.steps[1].destination[0]);
  EXPECT_NE(program.steps[0].destination[0], program.steps[2].destination[0]);
}

TEST(Lower, a_guarded_write_keeps_what_was_there_before) {
  const Program program = program_of(
      "mov.u32 %r1, %tid.x; mov.u32 %r2, 5; setp.lt.u32 %p1, %r1, 3; @%p1 mov.u32 %r2, 6; add.u32 %r3, %r1, "
      "%r2; st.global.u32 [%rd1], %r3; ret;");
  EXPECT_NE(program.steps[1].destination[0], program.steps[0].destination[0]);
  EXPECT_EQ(program.steps[1].destination[0], program.steps[3].destination[0]);
}

TEST(Lower, a_parameter_is_written_only_if_a_store_reaches_memory_through_it) {
  const Program program = program_of(
      "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [n]; cvta.to.global.u64 %rd3, "
      "%rd1; cvta.to.global.u64 %rd4, %rd2; "
      "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd6, %rd3, 8; add.u64 %rd7, %rd4, 16; ld.global.u32 %r2, [%rd6]; "
      "st.global.u32 [%rd7], %r2; ret;");
  EXPECT_FALSE(program.parameters[0].may_be_written);
  EXPECT_TRUE(program.parameters[1].may_be_written);
  EXPECT_FALSE(program.parameters[2].may_be_written);
}

TEST(Lower, a_parameter_is_read_only_if_a_load_reaches_memory_through_it) {
  const Program program = program_of(
      "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [n]; add.u64 %rd6, %rd1, 8; "
      "ld.global.u32 %r2, [%rd6]; st.global.u32 [%rd2], %r2; red.global.add.u32 [%rd2], 1; ret;");
  EXPECT_TRUE(program.parameters[0].may_be_read);
  EXPECT_FALSE(program.parameters[1].may_be_read);
  EXPECT_FALSE(program.parameters[2].may_be_read);
  const Program updated = program_of(
      "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; atom.global.add.u32 %r1, [%rd2], 1; "
      "st.global.u32 [%rd1], %r1; ret;");
  EXPECT_TRUE(updated.parameters[1].may_be_read);
  const Program through_a_pointer =
      program_of("ld.param.u64 %rd1, [in]; ld.global.u64 %rd3, [%rd1]; ld.global.u32 %r2, [%rd3]; ret;");
  EXPECT_TRUE(through_a_pointer.parameters[1].may_be_read) << "the pointer that was loaded may lead there";
  const Program copied = program_of(
      ".shared .align 16 .b8 tile[16]; ld.param.u64 %rd1, [in]; mov.u32 %r1, tile; "
      "cp.async.ca.shared.global [%r1], [%rd1], 16; ret;");
  EXPECT_TRUE(copied.parameters[0].may_be_read);
}

TEST(Lower, a_store_to_an_address_from_nowhere_may_reach_all_buffers) {
  const Program anywhere = program_of("mov.u64 %rd1, 0x10000000000; st.global.u32 [%rd1], 7; ret;");
  EXPECT_TRUE(anywhere.parameters[0].may_be_written);
  EXPECT_TRUE(anywhere.parameters[1].may_be_written);
  const Program spilled = program_of(".local .u32 spill; st.local.u32 [spill], 7; ret;");
  EXPECT_FALSE(spilled.parameters[0].may_be_written);
}

TEST(Lower, an_address_that_went_through_memory_or_a_choice_still_counts) {
  const Program spilled = program_of(
      ".local .u64 spill; ld.param.u64 %rd1, [in]; st.local.u64 [spill], %rd1; ld.local.u64 %rd2, [spill]; "
      "st.global.u32 [%rd2], %r1; ret;");
  EXPECT_TRUE(spilled.parameters[0].may_be_written);
  EXPECT_FALSE(spilled.parameters[1].may_be_written);
  const Program chosen = program_of(
      "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; selp.b64 %rd3, %rd1, %rd2, %p1; red.global.add.u32 "
      "[%rd3], %r1; ret;");
  EXPECT_TRUE(chosen.parameters[0].may_be_written);
  EXPECT_TRUE(chosen.parameters[1].may_be_written);
  const Program indexed =
      program_of("mov.b64 %rd1, in; ld.param.u64 %rd2, [%rd1+8]; st.global.u32 [%rd2], %r1; ret;");
  EXPECT_TRUE(indexed.parameters[0].may_be_written);
}

TEST(Lower, what_cannot_be_lowered_is_named_with_its_line) {
  const auto call = lower_text("call.uni helper, ();\nret;", ".extern .func helper();");
  ASSERT_FALSE(call);
  EXPECT_EQ(call.error().kind, ErrorKind::Unsupported);
  EXPECT_NE(call.error().message.find("call"), std::string::npos);
  ASSERT_TRUE(call.error().where);
  EXPECT_EQ(call.error().where->line, 8);
}

TEST(Lower, the_carry_is_a_predicate_that_one_step_writes_and_the_next_reads) {
  const Program program =
      program_of("add.cc.u32 %r1, %r2, %r3; addc.cc.u32 %r4, %r5, %r6; addc.u32 %r7, %r8, %r9; ret;");
  const Slot carry = program.steps[0].destination[1];
  EXPECT_EQ(program.slots[carry].width, SlotWidth::Predicate);
  EXPECT_EQ(program.steps[1].source[3], carry);
  EXPECT_EQ(program.steps[1].destination[1], carry);
  EXPECT_EQ(program.steps[2].source[3], carry);
  EXPECT_EQ(program.steps[2].destination[1], kNoSlot);
}

/// f(x) gives g(x), which is 2 x; the kernel calls f.
Program program_that_calls() {
  return lower_text(
             "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), f, (a); ld.param.b32 %r2, "
             "[b]; } st.global.u32 [%rd1], %r2; ret;",
             ".func (.param .b32 r) g(.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x]; add.u32 %r2, "
             "%r1, %r1; st.param.b32 [r], %r2; ret; }"
             ".func (.param .b32 r) f(.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x]; call (%r2), "
             "g, "
             "(%r1); st.param.b32 [r], %r2; ret; }"
             ".func unused() { ret; }")
      .value();
}

TEST(Lower, the_functions_that_a_kernel_reaches_follow_it) {
  const Program program = program_that_calls();
  ASSERT_EQ(program.functions.size(), 3u);
  EXPECT_EQ(program.functions[0].name, "k");
  EXPECT_EQ(program.functions[1].name, "f");
  EXPECT_EQ(program.functions[2].name, "g");
  ASSERT_EQ(program.calls.size(), 2u);
  EXPECT_EQ(program.calls[0].function, 1u);
  EXPECT_EQ(program.calls[1].function, 2u);
  EXPECT_EQ(program.functions[1].first_step, program.functions[0].end_step);
  EXPECT_EQ(program.blocks[program.functions[2].entry].first, program.functions[2].first_step);
  EXPECT_EQ(program.steps[program.functions[2].end_step - 1].op, Op::ret);
}

TEST(Lower, a_result_and_an_argument_take_eight_bytes_of_a_frame_that_begins_at_a_multiple_of_16) {
  const Program program = program_that_calls();
  EXPECT_EQ(program.functions[2].frame_bytes, 8u);
  EXPECT_EQ(program.calls[0].frame_offset, 0u);
  EXPECT_EQ(program.calls[1].frame_offset, 16u);
  EXPECT_EQ(program.local_bytes, 24u);
  EXPECT_FALSE(program.recursive);
  EXPECT_FALSE(program.calls[0].may_recur);
}

TEST(Lower, functions_share_no_slot) {
  const Program program = program_that_calls();
  std::vector<int> owners(program.slots.size());
  for (const ProgramFunction& function : program.functions)
    for (const Slot slot : function.slots) ++owners[slot];
  EXPECT_EQ(std::ranges::count_if(owners, [](int count) { return count > 1; }), 0);
}

TEST(Lower, a_cycle_of_calls_is_seen) {
  const Program program =
      lower_text("call f, (); ret;",
                 ".func g(); .func f() { call g, (); ret; } .func g() { call f, (); ret; }")
          .value();
  EXPECT_TRUE(program.recursive);
  EXPECT_FALSE(program.calls[0].may_recur);  // the kernel's
  EXPECT_TRUE(program.calls[1].may_recur);
  EXPECT_EQ(program.local_bytes, kStackBytes);
}

TEST(Lower, the_stack_begins_after_all_frames_and_no_other_register_shares_its_slot) {
  const Program program =
      lower_text(
          ".local .align 4 .b8 own[20]; mov.u64 %rd3, own; alloca.u64 %rd1, %rd2; call f, (); "
          "st.local.u64 [%rd3], %rd1; ret;",
          ".func f() { .reg .b64 %x<3>; alloca.u64 %x1, 8; st.local.u64 [%x1], %x1; ret; }")
          .value();
  EXPECT_EQ(program.frame_bytes, 32u);  // 20, and f begins at a multiple of 16
  EXPECT_EQ(program.local_bytes, 32 + kStackBytes);
  const Step& begins = program.steps.front();
  EXPECT_EQ(begins.destination[0], program.stack);
  EXPECT_EQ(program.slots[begins.source[0]].value, 32u);
  for (const ProgramFunction& function : program.functions)
    EXPECT_EQ(std::ranges::count(function.slots, program.stack), 0) << function.name;
  // f keeps the stack where it begins and brings it back where it ends.
  const ProgramFunction& f = program.functions[1];
  EXPECT_EQ(program.steps[f.first_step].source[0], program.stack);
  EXPECT_EQ(program.steps[f.end_step - 2].destination[0], program.stack);
  EXPECT_EQ(program.steps[f.end_step - 1].op, Op::ret);
  EXPECT_EQ(lower_text("ret;", "").value().stack, kNoSlot);
}

TEST(Lower, calls_that_do_not_fit_the_function_are_refused) {
  const auto arguments = lower_text("call f, (%r1);\nret;", ".func f() { ret; }");
  ASSERT_FALSE(arguments);
  EXPECT_NE(arguments.error().message.find("'f' takes 0 arguments"), std::string::npos);
  const auto size = lower_text("{ .param .b64 a; call f, (a); } ret;", ".func f(.param .b32 x) { ret; }");
  ASSERT_FALSE(size);
  EXPECT_NE(size.error().message.find("'x' has 4 bytes, 'a' has 8"), std::string::npos);
  EXPECT_FALSE(lower_text("{ .param .b32 a; ld.param.b32 %r1, [a]; } ret;", ""));
}

/// The kernel names `mine` (64 bytes), what it calls names `deep` (36 bytes); the others belong to other
/// kernels.
TEST(Lower, shared_memory_of_other_kernels_takes_no_room) {
  constexpr const char* kVariables =
      ".shared .align 16 .b8 theirs[4096]; .shared .align 4 .b8 mine[64]; .shared .align 4 .b8 deep[36];"
      ".extern .shared .align 128 .b8 dynamic[];"
      ".func f() { .reg .b32 %x; ld.shared.u32 %x, [deep]; ret; }"
      ".func g() { .reg .b32 %x; ld.shared.u32 %x, [theirs]; ret; }"
      ".entry other() { .reg .b32 %x; ld.shared.u32 %x, [dynamic]; call g; ret; }";
  const Program alone = program_of("ld.shared.u32 %r1, [mine];\nret;", kVariables);
  EXPECT_EQ(alone.static_shared_bytes, 64u);
  EXPECT_EQ(alone.variables[0].space, kNoSpace);
  EXPECT_EQ(alone.variables[3].space, kNoSpace) << "and no dynamic shared memory is missing";
  EXPECT_EQ(program_of("ld.shared.u32 %r1, [mine];\ncall f;\nret;", kVariables).static_shared_bytes, 100u);
  EXPECT_EQ(program_of("ld.shared.u32 %r1, [mine];\nld.shared.u32 %r1, [dynamic];\nret;", kVariables)
                .static_shared_bytes,
            128u);
}

/// The assembler of CUDA 13.0 places them so.
TEST(Lower, shared_memory_of_the_kernel_comes_before_the_module_s_and_that_of_functions) {
  constexpr std::string_view kVariables =
      ".shared .align 4 .b8 common[20];"
      ".func f() { .shared .align 4 .b8 of_f[36]; .reg .b32 %x; ld.shared.u32 %x, [of_f]; ld.shared.u32 %x, "
      "[common]; "
      "ret; }";
  const Program program = program_of(
      ".shared .align 4 .b8 own[52]; ld.shared.u32 %r1, [own];\nld.shared.u32 %r1, [common];\ncall f;\nret;",
      kVariables);
  std::map<std::string, uint64_t> offsets;
  for (const ProgramVariable& variable : program.variables) offsets[variable.name] = variable.offset;
  EXPECT_EQ(offsets["own"], 0u);
  EXPECT_EQ(offsets["common"], 52u);
  EXPECT_EQ(offsets["of_f"], 72u);
  EXPECT_EQ(program.static_shared_bytes, 108u);
}

TEST(Lower, shared_memory_of_the_system_comes_first_where_it_is_named) {
  const Program program = program_of(
      ".shared .align 4 .b8 tile[64]; mov.u32 %r1, %reserved_smem_offset_1; mov.u32 %r2, tile;"
      "mov.u32 %r3, %reserved_smem_offset_end; ret;");
  EXPECT_EQ(program.reserved_shared_bytes, 1024u);
  EXPECT_EQ(program.static_shared_bytes, 1024u + 64);
  EXPECT_EQ(source(program, 0, 0).value, 512u);
  EXPECT_EQ(source(program, 1, 0).value, 1024u);
  EXPECT_EQ(source(program, 2, 0).value, 1024u);
  EXPECT_EQ(program_of(".shared .align 4 .b8 tile[64]; mov.u32 %r2, tile; ret;").static_shared_bytes, 64u);
}

}  // namespace
}  // namespace lanescope::ptx
