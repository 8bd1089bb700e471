// What a launch was given, as the file of launches that the driver keeps of it: contents, addresses, numbers.

#include "driver/server/launch_inputs.h"

#include "emulator/memory/fresh_memory.h"
#include "pipeline/launch_file.h"
#include "trace/access.h"
#include "unit/driver/process_fixture.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

using launch::BufferArgument;
using testing::HasSubstr;
using testing::IsEmpty;

/// copy(const float* in, float* out, int n, float** list), whose lines are of k.cu. It reads `scale`.
constexpr const char* kCopyPtx = R"(.version 8.0
.target sm_80
.address_size 64
.file 1 "k.cu"
.global .align 4 .f32 scale;
.global .align 4 .f32 unused;
.visible .entry _Z4copyPKfPfiPS1_(.param .u64 in, .param .u64 out, .param .u32 n, .param .u64 list) {
  .reg .b64 %rd<4>; .reg .f32 %f<4>;
  .loc 1 2 3
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.global.f32 %f1, [%rd1];
  ld.global.f32 %f2, [scale];
  mul.f32 %f1, %f1, %f2;
  st.global.f32 [%rd2], %f1;
  ret;
}
)";

class LaunchInputs : public ProcessFixture {
 protected:
  LaunchInputs() {
    run_.most_input_bytes = 1 << 20;
    module_ = ask(kLanescopeLoadModule, 0, 0, kCopyPtx).reply.r[0];
  }
  std::byte* at(uint64_t address) {
    return process_.memory().regions()[trace::buffer_of(address)].data + trace::offset_of(address);
  }
  template <class T>
  void write(uint64_t address, std::initializer_list<T> values) {
    std::memcpy(at(address), values.begin(), values.size() * sizeof(T));
  }
  void launch(uint64_t in, uint64_t out, int n, uint64_t list, uint32_t cluster = 0) {
    LanescopeLaunch shape = shape_of(2, 1);
    shape.dynamic_shared_bytes = 64;
    if (cluster != 0) shape.cluster[0] = cluster, shape.cluster[1] = shape.cluster[2] = 1;
    const uint64_t kernel = ask(kLanescopeGetFunction, module_, 0, "_Z4copyPKfPfiPS1_").reply.r[0];
    ASSERT_EQ(ask_to_launch(kernel, shape, in, out, n, list).reply.result, 0);
  }
  LaunchRecord record() const { return log_.records().back(); }
  /// The launch that the kept file describes.
  launch::Launch repeated() {
    const auto file = pipeline::read_launch_file(folder_ / record().inputs);
    EXPECT_TRUE(file) << describe(file.error());
    const auto steps = pipeline::steps_of(
        *file,
        [](const std::string&, const std::string&) -> Result<pipeline::Job> { return pipeline::Job{}; });
    EXPECT_TRUE(steps) << describe(steps.error());
    return *steps->front().job.launch;
  }
  template <class T>
  static std::vector<T> values(const launch::Contents& contents) {
    std::vector<T> values(contents->size() / sizeof(T));
    std::memcpy(values.data(), contents->data(), contents->size());
    return values;
  }

  uint64_t module_ = 0;
};

TEST_F(LaunchInputs, are_the_launch_that_the_program_made) {
  const uint64_t in = allocate(32), out = allocate(8);
  write<float>(in, {1, 2, 3, 4, 5, 6, 7, 8});
  write<float>(ask(kLanescopeGetGlobal, module_, 0, "scale").reply.r[0], {10});
  launch(in + 8, out, -7, 0);
  EXPECT_EQ(record().inputs, "0000-copy.toml");
  const launch::Launch again = repeated();
  EXPECT_EQ(again.grid, (Dim3{2, 1, 1}));
  EXPECT_EQ(again.dynamic_shared_bytes, 64u);
  ASSERT_EQ(again.arguments.size(), 4u);
  EXPECT_EQ(std::get<BufferArgument>(again.arguments[0]), (BufferArgument{0, 8}));
  EXPECT_EQ(std::get<BufferArgument>(again.arguments[1]), (BufferArgument{1, 0}));
  EXPECT_EQ(std::get<launch::Value>(again.arguments[2]).type, launch::ElementType::I32);
  EXPECT_THAT(values<float>(again.buffers[0].initial), testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_EQ(again.buffers[0].type, launch::ElementType::F32);
  EXPECT_FALSE(again.buffers[1].has_contents) << "it is uninitialized";
  ASSERT_EQ(again.variables.size(), 1u) << "the program wrote one";
  EXPECT_THAT(values<float>(again.variables[0].contents), testing::ElementsAre(10))
      << "not what it was after";
}

TEST_F(LaunchInputs, addresses_in_memory_are_those_of_the_run_that_repeats_the_launch) {
  const uint64_t gap = allocate(64), in = allocate(4), row = allocate(8), list = allocate(16);
  ASSERT_EQ(ask(kLanescopeFree, gap).reply.result, 0);
  write<float>(in, {1});
  write<float>(row, {2, 3});
  write<uint64_t>(list, {row + 4, in});
  launch(in, in, 0, list);
  const launch::Launch again = repeated();
  ASSERT_EQ(again.buffers.size(), 3u);
  EXPECT_EQ(std::get<BufferArgument>(again.arguments[1]), std::get<BufferArgument>(again.arguments[0]));
  const uint32_t of_list = std::get<BufferArgument>(again.arguments[3]).buffer;
  const auto addresses = values<uint64_t>(again.buffers[of_list].initial);
  EXPECT_EQ(trace::offset_of(addresses[0]), 4u);
  EXPECT_THAT(values<float>(again.buffers[trace::buffer_of(addresses[0])].initial),
              testing::ElementsAre(2, 3));
  EXPECT_EQ(trace::buffer_of(addresses[1]), std::get<BufferArgument>(again.arguments[0]).buffer);
}

TEST_F(LaunchInputs, have_the_cluster_that_the_launch_asks_for) {
  const uint64_t in = allocate(4), out = allocate(8);
  write<float>(in, {1});
  launch(in, out, 0, 0, 2);
  EXPECT_EQ(record().without_inputs, "");
  EXPECT_EQ(repeated().cluster, (Dim3{2, 1, 1}));
  launch(in, in, 1, 0);
  EXPECT_EQ(repeated().cluster, std::nullopt) << "the kernel's own";
}

TEST_F(LaunchInputs, that_are_uninitialized_in_parts_stay_so) {
  const uint64_t in = allocate(32), out = allocate(8);
  write<float>(in, {1, 2});
  launch(in, out, 0, 0);
  const launch::Buffer part = repeated().buffers[0];
  EXPECT_TRUE(part.has_contents);
  ASSERT_NE(part.pattern_key, 0u);
  const auto words = values<uint32_t>(part.initial);
  EXPECT_EQ(std::bit_cast<float>(words[1]), 2);
  EXPECT_EQ(words[2], emulator::fresh_word(part.pattern_key, 2));
  write<float>(in, {1, 2, 3, 4, 5, 6, 7, 8});
  launch(in, in, 1, 0);
  EXPECT_EQ(repeated().buffers[0].pattern_key, 0u) << "all of it was written";
}

TEST_F(LaunchInputs, that_nothing_has_touched_get_the_pattern_where_there_is_room) {
  run_.most_input_bytes = 16 << 20;
  const uint64_t in = allocate(6 << 20), out = allocate(8);
  write<float>(in + (4 << 20), {1});
  launch(in, out, 0, 0);
  const launch::Buffer part = repeated().buffers[0];
  ASSERT_NE(part.pattern_key, 0u);
  const auto words = values<uint32_t>(part.initial);
  EXPECT_EQ(std::bit_cast<float>(words[1 << 20]), 1);
  for (const size_t word : {size_t{0}, size_t{1} << 19, words.size() - 1})
    EXPECT_EQ(words[word], emulator::fresh_word(part.pattern_key, word)) << word;
}

TEST_F(LaunchInputs, above_the_limit_say_so_and_leave_no_file) {
  const uint64_t in = allocate(2 << 20), out = allocate(8);
  std::memset(at(in), 1, 2 << 20);
  launch(in, out, 0, 0);
  EXPECT_THAT(record().inputs, IsEmpty());
  EXPECT_THAT(record().without_inputs, HasSubstr("more than the 1 MiB that are left"));
  EXPECT_FALSE(record().file.empty());
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_NE(entry.path().extension(), ".raw") << entry.path();
}

TEST_F(LaunchInputs, cost_what_was_written_not_what_is_allocated) {
  const uint64_t in = allocate(6 << 20), out = allocate(6 << 20);
  write<float>(in, {2});
  write<float>(in + (4 << 20), {1});
  launch(in, out, 0, 0);
  EXPECT_EQ(record().without_inputs, "");
  EXPECT_EQ(values<float>(repeated().buffers[0].initial)[1 << 20], 1);
}

}  // namespace
}  // namespace lanescope::driver
