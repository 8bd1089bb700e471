// The grammar of --arg: every form, and many malformed ones.

#include "launch/argument_spec.h"

#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Launch with(std::initializer_list<std::string_view> specs) {
  Launch launch;
  for (const auto spec : specs) {
    const auto added = add_argument(launch, spec);
    EXPECT_TRUE(added.has_value()) << added.error().message;
  }
  return launch;
}

Error refusal(std::string_view spec, std::initializer_list<std::string_view> earlier = {}) {
  Launch launch = with(earlier);
  const auto added = add_argument(launch, spec);
  EXPECT_FALSE(added.has_value()) << spec;
  EXPECT_EQ(launch.arguments.size(), earlier.size()) << spec;
  return added ? Error{} : added.error();
}

TEST(ArgumentSpec, a_scalar_is_its_bytes) {
  const Launch launch = with({"i32:-2"});
  EXPECT_THAT(std::get<Value>(launch.arguments[0]).bytes,
              ElementsAre(std::byte{0xfe}, std::byte{0xff}, std::byte{0xff}, std::byte{0xff}));
}

TEST(ArgumentSpec, a_struct_by_value_is_written_in_hexadecimal) {
  const Launch launch = with({"bytes:0011aaBb"});
  EXPECT_THAT(std::get<Value>(launch.arguments[0]).bytes,
              ElementsAre(std::byte{0x00}, std::byte{0x11}, std::byte{0xaa}, std::byte{0xbb}));
}

TEST(ArgumentSpec, a_buffer_may_be_uninitialized) {
  const Launch launch = with({"a=f32[3]:zeros", "b=f32[3]:none"});
  EXPECT_TRUE(launch.buffers[0].has_contents);
  EXPECT_FALSE(launch.buffers[1].has_contents);
  EXPECT_EQ(launch.buffers[1].initial->size(), 12u);
}

TEST(ArgumentSpec, a_buffer_may_be_uninitialized_in_parts) {
  const tests::TemporaryFolder folder("argument-spec");
  const std::string path = (folder / "a, b.raw").string();
  std::ofstream(path, std::ios::binary) << std::string(12, '\1');
  const Launch launch = with({"a=u8[12]:partly(" + path + ",77)"});
  EXPECT_TRUE(launch.buffers[0].has_contents);
  EXPECT_EQ(launch.buffers[0].pattern_key, 77u);
  EXPECT_EQ((*launch.buffers[0].initial)[11], std::byte{1});
  for (const std::string wrong : {"", ",0", ",x", ",77x"})
    EXPECT_THAT(refusal("a=u8[12]:partly(" + path + wrong + ")").message, HasSubstr("partly(PATH,KEY)"));
}

TEST(ArgumentSpec, buffers_are_numbered_in_order_among_scalars) {
  const Launch launch = with({"f32[4096]:iota", "i32:1024", "out=f32[32x64]:zeros"});
  ASSERT_EQ(launch.arguments.size(), 3u);
  EXPECT_EQ(std::get<BufferArgument>(launch.arguments[0]).buffer, 0u);
  EXPECT_EQ(std::get<BufferArgument>(launch.arguments[2]).buffer, 1u);
  EXPECT_EQ(launch.buffers[0].name, "");
  EXPECT_THAT(launch.buffers[0].shape, ElementsAre(4096));
  EXPECT_EQ(launch.buffers[1].name, "out");
  EXPECT_THAT(launch.buffers[1].shape, ElementsAre(32, 64));
  EXPECT_EQ(launch.buffers[1].initial->size(), 32u * 64 * 4);
}

TEST(ArgumentSpec, every_type_of_the_grammar_makes_a_buffer) {
  for (const std::string type :
       {"u8", "i8", "u16", "i16", "f16", "bf16", "u32", "i32", "f32", "u64", "i64", "f64"}) {
    const Launch launch = with({type + "[3]:fill(1)"});
    EXPECT_EQ(name_of(launch.buffers[0].type), type);
    EXPECT_EQ(launch.buffers[0].initial->size(), 3 * size_bytes(launch.buffers[0].type));
  }
}

TEST(ArgumentSpec, a_path_may_contain_the_punctuation_of_the_grammar) {
  const Error error = refusal("u8[1]:file(/no/a=b[2]:(c))");
  EXPECT_EQ(error.kind, ErrorKind::File);
  EXPECT_EQ(error.where.value_or(Location{}).file, "/no/a=b[2]:(c)");
}

TEST(ArgumentSpec, the_message_quotes_the_argument_and_shows_the_syntax) {
  const std::string message = refusal("1024").message;
  EXPECT_THAT(message, HasSubstr("--arg '1024'"));
  EXPECT_THAT(message, HasSubstr("i32:1024"));
}

TEST(ArgumentSpec, malformed_arguments_are_usage_errors) {
  for (const auto* spec : {"",
                           ":",
                           "i32",
                           "i32:",
                           "int:5",
                           "I32:5",
                           "i32:5 ",
                           "f32[]:zeros",
                           "f32[0]:zeros",
                           "f32[4:zeros",
                           "f32[4]",
                           "f32[4]zeros",
                           "f32[4]:",
                           "f32[-4]:zeros",
                           "f32[4x]:zeros",
                           "f32[x4]:zeros",
                           "f32[4]x:zeros",
                           "=f32[4]:zeros",
                           "1a=f32[4]:zeros",
                           "a b=f32[4]:zeros",
                           "a=b=f32[4]:zeros",
                           "[4]:zeros",
                           "bytes:",
                           "bytes:0",
                           "bytes:0g",
                           "bytes:-1",
                           "bytes[4]:zeros",
                           "f32[1x1x1x1]:zeros",
                           "f32[4,4]:zeros"}) {
    EXPECT_EQ(refusal(spec).kind, ErrorKind::Usage) << spec;
  }
}

TEST(ArgumentSpec, a_shape_whose_size_overflows_is_refused) {
  EXPECT_EQ(refusal("f32[4294967296x4294967296]:zeros").kind, ErrorKind::Limit);
  EXPECT_EQ(refusal("u8[18446744073709551615]:zeros").kind, ErrorKind::Limit);
  EXPECT_EQ(refusal("f64[9223372036854775808x2]:zeros").kind, ErrorKind::Limit);
  EXPECT_EQ(refusal("u8[18446744073709551616]:zeros").kind, ErrorKind::Usage);
}

TEST(ArgumentSpec, a_parameter_above_the_limit_is_refused) {
  EXPECT_EQ(refusal("bytes:" + std::string(2 * 32765, '0')).kind, ErrorKind::Limit);
}

TEST(ArgumentSpec, two_buffers_of_one_name_are_refused) {
  Launch launch = with({"a=f32[1]:zeros"});
  const auto added = add_argument(launch, "a=f32[1]:zeros");
  ASSERT_FALSE(added.has_value());
  EXPECT_THAT(added.error().message, HasSubstr("two arguments are called 'a'"));
  EXPECT_EQ(launch.buffers.size(), 1u);
}

TEST(ArgumentSpec, a_scalar_may_have_a_name) {
  const Launch launch = with({"n=i32:5"});
  const auto& value = std::get<Value>(launch.arguments[0]);
  EXPECT_EQ(value.name, "n");
  EXPECT_EQ(value.bytes[0], std::byte{5});
  EXPECT_THAT(refusal("n=i32:5", {"n=i32:4"}).message, HasSubstr("two arguments are called 'n'"));
}

TEST(ArgumentSpec, an_earlier_buffer_may_be_given_again_also_from_an_offset_on) {
  const Launch launch = with({"a=f32[16]:zeros", "a", "a+60", "a+64"});
  EXPECT_EQ(launch.buffers.size(), 1u);
  EXPECT_EQ(std::get<BufferArgument>(launch.arguments[1]), (BufferArgument{0, 0}));
  EXPECT_EQ(std::get<BufferArgument>(launch.arguments[2]), (BufferArgument{0, 60}));
  EXPECT_EQ(std::get<BufferArgument>(launch.arguments[3]), (BufferArgument{0, 64}));
  EXPECT_THAT(refusal("b", {"a=f32[16]:zeros"}).message, HasSubstr("'b', there is: a"));
  EXPECT_THAT(refusal("a+65", {"a=f32[16]:zeros"}).message, HasSubstr("beyond its end"));
  EXPECT_EQ(refusal("a+-4", {"a=f32[16]:zeros"}).kind, ErrorKind::Usage);
}

TEST(ArgumentSpec, a_struct_is_laid_out_as_by_the_compiler) {
  // u8 at 0, i32 at 4, the pointer at 8, the inner struct {u8, u16} at 16; 20 bytes padded to 24.
  const Launch launch = with({"a=f32[16]:zeros", "s={u8:1,i32:2,a+8,{u8:3,u16:4}}"});
  const auto& value = std::get<Value>(launch.arguments[1]);
  EXPECT_EQ(value.name, "s");
  EXPECT_EQ(value.bytes.size(), 24u);
  EXPECT_EQ(value.bytes[0], std::byte{1});
  EXPECT_EQ(value.bytes[4], std::byte{2});
  EXPECT_EQ(value.bytes[16], std::byte{3});
  EXPECT_EQ(value.bytes[18], std::byte{4});
  EXPECT_THAT(value.pointers, testing::ElementsAre(Value::Pointer{8, {0, 8}}));
  const auto bytes = parameter_bytes(
      launch.arguments[1], [](uint32_t) { return uint64_t{0x100}; }, [](uint32_t) { return uint64_t{0}; });
  EXPECT_EQ(bytes[8], std::byte{0x08});
  EXPECT_EQ(bytes[9], std::byte{0x01});
}

TEST(ArgumentSpec, a_malformed_struct_is_a_usage_error) {
  for (const auto* spec : {"{", "{}", "}", "{i32:1", "{i32:1}}", "{i32:1},", "{i32:1}{i32:2}", "{,}",
                           "{f32[2]:zeros}", "{{{{{{{{{{i32:1}}}}}}}}}}"})
    EXPECT_EQ(refusal(spec).kind, ErrorKind::Usage) << spec;
}

TEST(ArgumentSpec, text_is_a_string_with_its_zero) {
  const Launch launch = with({"text(hello)", "i8[8]:text(hi)"});
  EXPECT_EQ(launch.buffers[0].initial->size(), 6u);
  EXPECT_EQ((*launch.buffers[0].initial)[4], std::byte{'o'});
  EXPECT_EQ((*launch.buffers[0].initial)[5], std::byte{0});
  EXPECT_EQ((*launch.buffers[1].initial)[1], std::byte{'i'});
  EXPECT_EQ((*launch.buffers[1].initial)[2], std::byte{0});
  EXPECT_THAT(refusal("f32[8]:text(hi)").message, HasSubstr("one byte"));
  EXPECT_THAT(refusal("u8[1]:text(hi)").message, HasSubstr("2 bytes"));
}

TEST(Dim3, one_to_three_numbers) {
  EXPECT_EQ(parse_dim3("7").value(), (Dim3{7, 1, 1}));
  EXPECT_EQ(parse_dim3("32,8").value(), (Dim3{32, 8, 1}));
  EXPECT_EQ(parse_dim3("1,2,4294967295").value(), (Dim3{1, 2, 4294967295u}));
}

TEST(Dim3, everything_else_is_refused) {
  for (const auto* text :
       {"", ",", "0", "1,0", "1,2,3,4", "1,", ",1", "-1", "1.5", "4294967296", "32x8", " 1"}) {
    const auto extent = parse_dim3(text);
    ASSERT_FALSE(extent.has_value()) << text;
    EXPECT_EQ(extent.error().kind, ErrorKind::Usage);
  }
}

}  // namespace
}  // namespace lanescope::launch
