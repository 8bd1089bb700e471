// Buffers whose elements are not those that the source declares.

#include "check_run.h"

#include <gmock/gmock.h>

namespace lanescope::emulator {
namespace {

std::vector<std::string> notes_of(std::string declared, launch::ElementType given) {
  Result<ptx::Program> program =
      program_of(kernel_text(".param .u64 x, .param .u64 y",
                             "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.global.u32 %r1, [%rd1+4]; "
                             "st.global.u32 [%rd2], %r1; ret;"));
  EXPECT_TRUE(program) << describe(program.error());
  if (!program) return {};
  program->parameters[0].declared = std::move(declared);
  LaunchBuilder builder({1, 1, 1}, {1, 1, 1});
  builder.buffer("x", std::vector<uint64_t>(8)).buffer("y", std::vector<uint32_t>(8));
  builder.launch.buffers[0].type = given;
  builder.launch.buffers[0].shape = {8 * sizeof(uint64_t) / launch::size_bytes(given)};
  NoValuesSink sink;
  const auto outcome =
      run(*program, builder.launch, [&](unsigned) -> trace::Sink& { return sink; }, {.checks = Checks::All});
  EXPECT_TRUE(outcome) << describe(outcome.error());
  return outcome ? texts_of(outcome->notes) : std::vector<std::string>{};
}

TEST(ArgumentType, doubles_for_a_pointer_to_floats_are_a_note) {
  EXPECT_THAT(notes_of("const float*", launch::ElementType::F64),
              testing::ElementsAre(testing::HasSubstr(
                  "reads 'x' through a const float*, and the buffer was given with elements of f64; give it "
                  "elements of f32, or change the parameter")));
  EXPECT_EQ(notes_of("int *", launch::ElementType::F32).size(), 1u);
}

TEST(ArgumentType, the_type_itself_bytes_and_what_is_not_known_are_fine) {
  EXPECT_TRUE(notes_of("const float*", launch::ElementType::F32).empty());
  EXPECT_TRUE(notes_of("unsigned*", launch::ElementType::I32).empty());
  EXPECT_TRUE(notes_of("char*", launch::ElementType::F64).empty());
  EXPECT_TRUE(notes_of("float**", launch::ElementType::U64).empty());
  EXPECT_TRUE(notes_of("Pair*", launch::ElementType::F64).empty());
  EXPECT_TRUE(notes_of("", launch::ElementType::F64).empty());
}

}  // namespace
}  // namespace lanescope::emulator
