// Steps and toggles of the lesson Transpose, as the page asks for them.

#include "handout/lab.h"

#include "support/project_options.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::handout {
namespace {

using Json = nlohmann::json;

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

class HandoutLab : public testing::Test {
 protected:
  static std::unique_ptr<Lab> lab_of(const char* device) {
    const pipeline::Options options = tests::project_options(1);
    auto lesson = *lesson::find_lesson(options.assets / "lessons", "transpose");
    return std::make_unique<Lab>(options, std::make_shared<const lesson::Lesson>(std::move(lesson)),
                                 *model::find_device(options.assets / "devices", device));
  }
  static Json request(const Json& more) {
    Json all = {{"settings", {{"kernel", "tiled"}, {"size", "128"}}},
                {"change", nullptr},
                {"a", nullptr},
                {"block", 0},
                {"warp", 0},
                {"access", nullptr},
                {"language", "en"},
                {"width", 640},
                {"whole_width", 500},
                {"whole", true}};
    all.update(more);
    return all;
  }
  Json ask(const Json& more) { return Json::parse(answer(*lab_, request(more).dump())); }

  std::unique_ptr<Lab> lab_ = lab_of("h200");
};

/// The tile is read by columns: all lanes in one bank. A warp has 4 loads and 4 stores of each kind of
/// memory.
TEST_F(HandoutLab, begins_at_the_costliest_access) {
  const Json reply = ask(Json::object());
  EXPECT_EQ(reply["count"], 16);
  EXPECT_EQ(reply["access"], 8);
  EXPECT_EQ(reply["line"], 28);
  EXPECT_EQ(reply["grid"], 16);
  EXPECT_EQ(reply["warps"], 8);
  const std::string step = reply["step"][0];
  EXPECT_TRUE(has(step, "32 wavefronts; ideal 1"));
  EXPECT_TRUE(has(step, "data-figure=\"banks\""));
  EXPECT_TRUE(has(step, "data-figure=\"timeline\""));
  EXPECT_TRUE(has(reply["source"][0], "<span data-line=\"28\" class=\"at\">"));
  EXPECT_TRUE(has(reply["figures"][0], "data-figure=\"totals\""));
  EXPECT_TRUE(has(step, "viewBox=\"0 0 640 "));
  EXPECT_TRUE(has(reply["figures"][0], "viewBox=\"0 0 500 "));
}

TEST_F(HandoutLab, a_step_leaves_the_run_out) {
  const Json reply = ask({{"access", 0}, {"whole", false}});
  EXPECT_EQ(reply["access"], 0);
  EXPECT_FALSE(reply.contains("figures"));
  EXPECT_TRUE(has(reply["step"][0], "4 sectors; ideal 4"));
}

TEST_F(HandoutLab, a_toggle_runs_the_kernel_again) {
  const Json reply = ask({{"change", {"padding", "1"}}});
  EXPECT_EQ(reply["settings"]["padding"], "1");
  EXPECT_EQ(reply["settings"]["kernel"], "padded");  // whose presets these are
  EXPECT_FALSE(has(reply["step"][0], "32 wavefronts;"));
}

TEST_F(HandoutLab, a_beside_b_is_at_the_same_access) {
  const Json reply = ask({{"settings", {{"kernel", "padded"}, {"size", "128"}}},
                          {"a", {{"kernel", "tiled"}, {"size", "128"}}},
                          {"access", 8}});
  ASSERT_EQ(reply["step"].size(), 2u);
  EXPECT_TRUE(has(reply["step"][0], "1 wavefront; ideal 1"));
  EXPECT_TRUE(has(reply["step"][1], "32 wavefronts; ideal 1"));
  EXPECT_TRUE(has(reply["head"][1], ">A</b>"));
  EXPECT_TRUE(has(reply["figures"][0], "fewer wavefronts than A"));
}

TEST_F(HandoutLab, a_device_with_partitions_shows_them_and_speaks_of_transactions) {
  lab_ = lab_of("gt200");
  const Json reply = ask(Json::object());
  EXPECT_TRUE(has(reply["figures"][0], "data-figure=\"partitions\""));
  EXPECT_TRUE(has(reply["figures"][0], "data-figure=\"blocks\""));
}

TEST_F(HandoutLab, french_is_french) {
  EXPECT_TRUE(has(ask({{"language", "fr"}})["head"][0], "Le résultat est juste."));
}

TEST_F(HandoutLab, what_there_is_not_is_a_sentence) {
  EXPECT_TRUE(has(ask({{"block", 16}})["error"], "16 blocks"));
  EXPECT_TRUE(has(ask({{"change", {"padding", "9"}}})["error"], "padding"));
  EXPECT_TRUE(has(ask({{"settings", {{"kernel", "<b>"}}}})["error"], "<b>"));
  EXPECT_TRUE(Json::parse(answer(*lab_, "{")).contains("error"));
  EXPECT_TRUE(Json::parse(answer(*lab_, "{}")).contains("error"));
}

}  // namespace
}  // namespace lanescope::handout
