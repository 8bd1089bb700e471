// Where recorders go in a PTX text, and what is refused. That they record the right thing: tests/gpu.

#include "gpu/instrument/instrument.h"

#include "gpu/instrument/address_map.h"
#include "gpu/instrument/insertion_points.h"
#include "ptx/lower.h"
#include "trace/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kKernel = R"(.version 8.0
.target sm_90
.address_size 64
.global .align 4 .b8 table[64];
.visible .entry kernel(.param .u64 p) {
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;
  .shared .align 4 .b8 tile[128];
  .loc 1 4 2
$START:
  ld.param.u64 %rd1, [p];
  @!%p1 ld.global.u32 %r1, [%rd1+8];
  st.shared.u32 [tile+4], %r1;
  red.global.add.u32 [table], 1;
  ret;
}
.file 1 "kernel.cu"
)";

struct Parsed {
  ptx::Module module;
  ptx::Program program;
};

Parsed parsed(std::string_view text) {
  Parsed parsed{ptx::parse(text, "kernel.ptx").value(), {}};
  parsed.program = ptx::lower(parsed.module, "kernel").value();
  return parsed;
}

RecorderLayout plan_of(const Parsed& kernel, RecorderLayout::What what) {
  RecorderLayout plan;
  plan.what = what;
  plan.block = {32, 1, 1};
  plan.grid = {1, 1, 1};
  plan.address = 0x10000000000;
  plan.sites = static_cast<uint32_t>(kernel.program.sites.size());
  plan.list_capacity = 8;
  plan.chunk_units = 8;
  plan.kept_blocks = 1;
  return plan;
}

TEST(InsertionPoints, are_after_the_declarations_and_before_the_first_label) {
  const Parsed kernel = parsed(kKernel);
  const auto place = after_declarations(kernel.module, kernel.module.functions[0]);
  ASSERT_TRUE(place);
  EXPECT_TRUE(std::string_view(kKernel).substr(*place).starts_with("$START:"));
}

TEST(Instrument, keeps_every_word_of_the_kernel_in_order) {
  const Parsed kernel = parsed(kKernel);
  const auto made = instrument(kernel.module, kernel.program, plan_of(kernel, RecorderLayout::What::Records));
  ASSERT_TRUE(made) << describe(made.error());
  size_t at = 0;
  for (const std::string_view line :
       {"ld.param.u64 %rd1", "@!%p1 ld.global.u32 %r1, [%rd1+8];", "st.shared.u32 [tile+4], %r1;",
        "red.global.add.u32 [table], 1;", "ret;"}) {
    at = made->text.find(line, at);
    EXPECT_NE(at, std::string::npos) << line;
  }
}

/// Blocks that are not recorded run the kernel as it is: behind the recorders' copy, with labels of its own.
TEST(Instrument, leaves_a_copy_of_loops_without_recorders_for_the_other_blocks) {
  using What = RecorderLayout::What;
  std::string text(kKernel);
  text.insert(text.find("  ret;"), "  @%p1 bra $START;\n");
  const Parsed kernel = parsed(text);
  const auto made = instrument(kernel.module, kernel.program, plan_of(kernel, What::Records));
  ASSERT_TRUE(made) << describe(made.error());
  const size_t choice = made->text.find("bra $lanescope_plain;");
  const size_t plain = made->text.find("$lanescope_plain:");
  ASSERT_NE(plain, std::string::npos);
  EXPECT_LT(choice, made->text.find("$START:"));
  const std::string copy = made->text.substr(plain);
  EXPECT_THAT(copy, HasSubstr("$START_lanescope_plain:"));
  EXPECT_THAT(copy, HasSubstr("@%p1 bra $START_lanescope_plain;"));
  EXPECT_THAT(copy, HasSubstr("@!%p1 ld.global.u32 %r1, [%rd1+8];"));
  EXPECT_THAT(copy, Not(HasSubstr("shfl"))) << "no recorder";
  const Parsed straight = parsed(kKernel);
  for (const auto& other : {instrument(kernel.module, kernel.program, plan_of(kernel, What::Totals)),
                            instrument(straight.module, straight.program, plan_of(straight, What::Records))})
    EXPECT_THAT(other->text, Not(HasSubstr("lanescope_plain")))
        << "all blocks are counted; nothing to unroll";
}

TEST(Instrument, skips_a_recorder_where_the_guard_is_false) {
  const Parsed kernel = parsed(kKernel);
  const auto made = instrument(kernel.module, kernel.program, plan_of(kernel, RecorderLayout::What::Totals));
  ASSERT_TRUE(made);
  EXPECT_THAT(made->text, HasSubstr("@%p1 bra $lanescope_0_skip;"));
  EXPECT_THAT(made->text, Not(HasSubstr(".uni")));
}

TEST(Instrument, keeps_the_addresses_of_the_variables_that_the_kernel_names) {
  const Parsed kernel = parsed(kKernel);
  const auto made = instrument(kernel.module, kernel.program, plan_of(kernel, RecorderLayout::What::Totals));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->variables.size(), 2u);
  EXPECT_EQ(kernel.program.variables[made->variables[0]].name, "table");
  EXPECT_EQ(kernel.program.variables[made->variables[1]].name, "tile");
}

TEST(Instrument, gives_a_text_that_parses) {
  const Parsed kernel = parsed(kKernel);
  for (const auto what : {RecorderLayout::What::Totals, RecorderLayout::What::Records}) {
    RecorderLayout plan = plan_of(kernel, what);
    plan.expected = {ExpectedSteps{4, 0}, ExpectedSteps{-8, 0}, std::nullopt};
    const auto made = instrument(kernel.module, kernel.program, plan);
    ASSERT_TRUE(made);
    const auto again = ptx::parse(made->text, "instrumented.ptx");
    EXPECT_TRUE(again) << describe(again.error());
  }
}

TEST(Instrument, counts_lanes_that_access_textures_and_surfaces_at_address_0) {
  std::string text(kKernel);
  text.insert(text.find("  ret;"),
              "  tex.1d.v4.u32.s32 {%r1, %r2, %r3, _}, [%rd1, {%r2}];\n"
              "  @%p1 sust.b.1d.b32.zero [%rd2, {%r2}], {%r3};\n");
  const Parsed kernel = parsed(text);
  EXPECT_TRUE(check_traceable(kernel.module, kernel.program));
  for (const auto what : {RecorderLayout::What::Totals, RecorderLayout::What::Records}) {
    const auto made = instrument(kernel.module, kernel.program, plan_of(kernel, what));
    ASSERT_TRUE(made) << describe(made.error());
    const size_t texture = made->text.find("tex.1d");
    const size_t first = made->text.rfind("mov.u32 %lanescope_lo, 0;", texture);
    const size_t second = made->text.find("mov.u32 %lanescope_lo, 0;", texture);
    EXPECT_LT(first, texture);
    EXPECT_LT(second, made->text.find("sust.b"));
    EXPECT_TRUE(ptx::parse(made->text, "instrumented.ptx"));
  }
}

TEST(Instrument, refuses_names_with_the_prefix_of_the_recorders) {
  std::string text(kKernel);
  text.replace(text.find("table"), 5, "lanescope_table");
  text.replace(text.find("[table]"), 7, "[lanescope_table]");
  const Parsed kernel = parsed(text);
  const auto may = check_traceable(kernel.module, kernel.program);
  ASSERT_FALSE(may);
  EXPECT_EQ(may.error().kind, ErrorKind::Unsupported);
  EXPECT_THAT(may.error().message, HasSubstr("--producer emulator"));
}

TEST(Instrument, accepts_file_names_with_the_prefix_of_the_recorders) {
  std::string text(kKernel);
  text.replace(text.find("\"kernel.cu"), 1, "\"/lanescope_demo/");
  const Parsed kernel = parsed(text);
  EXPECT_TRUE(check_traceable(kernel.module, kernel.program));
}

TEST(Instrument, refuses_variables_that_are_declared_after_instructions) {
  for (const char* late : {".shared .align 4 .b8 late[4];\n", "{ .shared .align 4 .b8 late[4]; }\n",
                           ".loc 1 4 2\n.local .align 4 .b8 late[4];\n"}) {
    std::string text(kKernel);
    text.insert(text.find("  ret;"), late);
    const Parsed kernel = parsed(text);
    const auto may = check_traceable(kernel.module, kernel.program);
    ASSERT_FALSE(may) << late;
    EXPECT_EQ(may.error().kind, ErrorKind::Unsupported);
    EXPECT_THAT(may.error().message, HasSubstr("declared in an inner scope or after an instruction"));
    ASSERT_TRUE(may.error().where);
    EXPECT_EQ(may.error().where->line, late[0] == '.' && late[1] == 'l' && late[3] == 'c' ? 15 : 14) << late;
  }
  // Registers may be declared anywhere, and other functions have their own variables.
  std::string text(kKernel);
  text.insert(text.find("  ret;"), "{ .reg .b32 %x; ld.shared.u32 %x, [tile]; }\n");
  text += ".func other() { .local .align 4 .b8 own[4]; ret; }\n";
  const Parsed kernel = parsed(text);
  const auto may = check_traceable(kernel.module, kernel.program);
  EXPECT_TRUE(may) << describe(may.error());
}

TEST(Instrument, raises_the_version_to_the_first_with_all_instructions_of_the_recorders) {
  for (const auto& [version, raised] :
       {std::pair{"6.0", "6.2"}, std::pair{"5.0", "6.2"}, std::pair{"6.2", "6.2"}, std::pair{"8.0", "8.0"}}) {
    std::string text(kKernel);
    text.replace(text.find("8.0"), 3, version);
    text.replace(text.find("sm_90"), 5, "sm_60");
    const Parsed kernel = parsed(text);
    const auto made =
        instrument(kernel.module, kernel.program, plan_of(kernel, RecorderLayout::What::Totals));
    ASSERT_TRUE(made) << describe(made.error());
    EXPECT_THAT(made->text, testing::StartsWith(std::string(".version ") + raised + "\n.target sm_60"));
  }
}

TEST(AddressMap, finds_buffers_and_variables_at_any_address) {
  const Parsed kernel = parsed(kKernel);
  launch::Launch launch;
  launch.buffers.push_back({.name = "in",
                            .type = launch::ElementType::U8,
                            .shape = {100},
                            .initial = std::make_shared<const launch::Bytes>(100)});
  const std::vector<uint64_t> buffers{0x7f0000000000};
  const std::vector<uint32_t> variables{0, 1};
  const std::vector<uint64_t> addresses{0x7f1234000000, 0x400};
  const AddressMap map(kernel.program, launch, buffers, variables, addresses);
  EXPECT_EQ(map.normalized(trace::Space::Global, 0x7f0000000063), trace::global_address(0, 99));
  EXPECT_EQ(map.normalized(trace::Space::Global, 0x7f1234000010), trace::global_address(1, 16));
  EXPECT_EQ(map.normalized(trace::Space::Shared, 0x47c), 124u);
  EXPECT_FALSE(trace::has_buffer(map.normalized(trace::Space::Global, 0x7f0000000064)));
}

}  // namespace
}  // namespace lanescope::gpu
