// A run's trace as a page carries it, and the steps that its module makes of it.

#include "handout/packed_trace.h"

#include "handout/lab.h"
#include "handout/packing.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::handout {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class PackedTrace : public testing::Test {
 protected:
  PackedTrace() {
    const auto lesson = std::make_shared<const lesson::Lesson>(
        *lesson::find_lesson(options_.assets / "lessons", "transpose"));
    lesson::Settings settings = lesson::initial_settings(*lesson);
    settings.values["size"] = "128";
    Lab lab(options_, lesson, device_);
    run_ = lab.show({.settings = settings, .a = {}, .place = {}})->now.run;
  }
  Json step(Lab& lab, uint32_t block, const Json& access) {
    const Json request = {{"settings", Json::object()},
                          {"change", nullptr},
                          {"a", nullptr},
                          {"block", block},
                          {"warp", 1},
                          {"access", access},
                          {"language", "en"},
                          {"width", 640},
                          {"whole_width", 500},
                          {"whole", true}};
    return Json::parse(answer(lab, request.dump()));
  }

  tests::TemporaryFolder folder_{"trace"};
  pipeline::Options options_ = tests::project_options(1);
  model::Device device_ = *model::find_device(options_.assets / "devices", "h200");
  std::shared_ptr<const pipeline::Run> run_;
};

/// The tile is read by columns: all lanes in one bank, at access 9 of 16. The grid has 4 x 4 blocks.
TEST_F(PackedTrace, is_stepped_through_at_any_block) {
  const auto files = files_of(*run_, device_, options_);
  ASSERT_TRUE(files) << describe(files.error());
  EXPECT_EQ(files->subject, "/file/run.lane");
  EXPECT_TRUE(files->needs_sqlite);
  std::ofstream(folder_ / "run.lane", std::ios::binary) << files->bytes.at("/file/run.lane");
  std::ofstream(folder_ / "source.txt", std::ios::binary) << files->texts.at("/file/source.txt");
  const auto run = read_packed_trace(folder_ / "run.lane", device_);
  ASSERT_TRUE(run) << describe(run.error());
  Lab lab(options_, *run, device_);
  const Json shown = step(lab, 15, nullptr);
  EXPECT_EQ(shown["grid"], 16) << shown;
  EXPECT_EQ(shown["count"], 16);
  EXPECT_EQ(shown["access"], 8);
  EXPECT_EQ(shown["line"], 28);
  EXPECT_EQ(shown["applies"], Json::array());
  EXPECT_THAT(shown["step"][0].get<std::string>(), HasSubstr("32 wavefronts; ideal 1"));
  EXPECT_THAT(shown["source"][0].get<std::string>(), HasSubstr("data-line=\"28\" class=\"at\""));
  EXPECT_THAT(step(lab, 15, 0)["step"][0].get<std::string>(), HasSubstr("4 sectors; ideal 4"));
  EXPECT_THAT(step(lab, 16, 0)["error"].get<std::string>(), HasSubstr("16 blocks"));
}

TEST_F(PackedTrace, names_no_folder_of_this_machine) {
  const auto files = files_of(*run_, device_, options_);
  ASSERT_TRUE(files) << describe(files.error());
  EXPECT_THAT(files->bytes.at("/file/run.lane"), Not(HasSubstr(tests::kProject.string())));
}

/// 8192 blocks of 8 warps that make 16 accesses each: a million.
TEST_F(PackedTrace, that_is_too_large_for_a_page_is_a_sentence) {
  trace::Trace large = *run_->trace;
  for (size_t n = 16; n < 8192; ++n) large.blocks.push_back(large.blocks[n % 16]);
  pipeline::Run run = *run_;
  run.trace = std::make_shared<const trace::Trace>(std::move(large));
  EXPECT_THAT(files_of(run, device_, options_).error().message,
              HasSubstr("more than the 1.0 MB, compressed,"));
}

TEST(Packing, deflates_to_says_what_deflated_has) {
  std::string bytes;
  uint32_t random = 1;
  for (int n = 0; n < 300'000; ++n)
    bytes += static_cast<char>((random = random * 1664525 + 1013904223) >> 27);
  for (const std::string& text : {std::string(), std::string("a"), bytes, std::string(1 << 16, 'x')}) {
    const size_t size = deflated(text).size();
    EXPECT_TRUE(deflates_to(text, size + 16)) << text.size();
    EXPECT_FALSE(deflates_to(text, size - 8)) << text.size();
  }
}

TEST_F(PackedTrace, that_is_damaged_is_a_sentence) {
  std::ofstream(folder_ / "run.lane") << "SQLite";
  EXPECT_THAT(read_packed_trace(folder_ / "run.lane", device_).error().message, HasSubstr("not a database"));
}

}  // namespace
}  // namespace lanescope::handout
