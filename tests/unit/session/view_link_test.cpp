#include "session/view_link.h"

#include "session/lecture_state.h"
#include "session/session.h"
#include "support/project_options.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

class ViewLink : public testing::Test {
 protected:
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  /// What is wrong with a link; empty: nothing.
  static std::string problem_of(const std::string& link) {
    const LinkedView view = view_of_link(link, tests::project_options(1), {});
    return view.problem ? view.problem->message : "";
  }

  Session session_{tests::project_options(1)};
};

TEST_F(ViewLink, a_view_with_a_and_b_comes_back) {
  after(OpenLesson{"transpose"});
  after(Pin{});
  after(SetToggle{"padding", "1"});
  after(SetDevice{"h200"});
  after(SelectBlock{CtaId{33}});
  after(SelectWarp{WarpId{2}});
  const auto shown = after(SelectAccess{5});
  const auto link = link_of(*shown);
  ASSERT_TRUE(link) << describe(link.error());
  EXPECT_THAT(*link, testing::StartsWith("lanescope://view?lesson=transpose&kernel=padded&"));
  EXPECT_THAT(*link, HasSubstr("&padding=1&"));
  EXPECT_THAT(*link, HasSubstr("&block=1,1,0&warp=2&access=5&lang=en&a.kernel=tiled&"));

  Session other(tests::project_options(1));
  other.post(OpenLink{*link});
  other.wait_until_idle();
  const auto opened = other.latest();
  ASSERT_FALSE(opened->error) << describe(*opened->error);
  EXPECT_EQ(opened->choices.settings, shown->choices.settings);
  EXPECT_EQ(opened->choices.device.name, "h200");
  EXPECT_EQ(opened->selection.cta.value, 33u);
  EXPECT_EQ(opened->selection.warp.value, 2u);
  EXPECT_EQ(opened->selection.access, 5u);
  ASSERT_NE(opened->pinned, nullptr);
  EXPECT_EQ(opened->pinned->choices.settings.values.at("padding"), "0");
  EXPECT_EQ(opened->pinned->choices.device.name, "gt200");
}

TEST_F(ViewLink, the_text_of_a_page_and_of_a_person_is_read) {
  const auto now = after(OpenLink{"#lesson=transpose&padding=1&kernel=tiled&lang=fr&block=1"});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.settings.values.at("padding"), "1");
  EXPECT_EQ(now->choices.language, Language::French);
  EXPECT_EQ(now->choices.device.name, "gt200") << "that of the lesson";
  EXPECT_EQ(now->selection.cta.value, 1u);
  EXPECT_EQ(now->pinned, nullptr);
  const auto step = after(OpenLink{"lanescope://view?v=1&lecture=mover&step=4"});
  ASSERT_NE(step->lecture, nullptr);
  EXPECT_EQ(step->lecture->step, 3u);
}

TEST_F(ViewLink, the_address_of_a_page_is_a_link_and_a_link_leads_to_a_page) {
  const std::string page = "http://192.0.2.7:8000/course/";
  EXPECT_TRUE(is_link(page + "#lesson=transpose"));
  EXPECT_TRUE(is_link("lanescope://view?lesson=transpose"));
  EXPECT_FALSE(is_link("https://192.0.2.7/file.ptx")) << "says nothing of a view";
  EXPECT_FALSE(is_link("folder/a#b.ptx"));
  const auto now = after(OpenLink{page + "#lesson=transpose&kernel=tiled&padding=1"});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.settings.values.at("padding"), "1");
  EXPECT_THAT(link_of(*now, page + '#').value_or(""),
              testing::StartsWith(page + "#lesson=transpose&kernel=padded&"));
}

TEST_F(ViewLink, a_lesson_with_a_toggle_named_block_has_links_too) {
  after(OpenLesson{"rows_columns"});
  after(SetToggle{"block", "16"});
  const auto shown = after(SelectBlock{CtaId{1}});
  const std::string link = link_of(*shown).value_or("");
  EXPECT_THAT(link, HasSubstr("&block=16&"));
  EXPECT_THAT(link, HasSubstr("&block=1,0,0&"));
  after(OpenLesson{"transpose"});
  const auto now = after(OpenLink{link});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.settings.values.at("block"), "16");
  EXPECT_EQ(now->selection.cta.value, 1u);
}

TEST_F(ViewLink, a_link_with_a_language_alone_keeps_what_is_open_or_opens_the_first_lesson) {
  const auto first = after(OpenLink{"#lang=fr"});
  ASSERT_FALSE(first->error) << describe(*first->error);
  EXPECT_EQ(first->choices.language, Language::French);
  EXPECT_EQ(first->choices.lesson->name, first->available.lessons.front());
  after(OpenLesson{"transpose"});
  const auto then = after(OpenLink{"#lang=en"});
  EXPECT_EQ(then->choices.language, Language::English);
  EXPECT_EQ(then->choices.lesson->name, "transpose");
}

TEST_F(ViewLink, a_link_opens_no_path) {
  for (const char* path : {"..", ".", "%2Fetc", "./transpose", "../lessons/transpose", "transpose/..", ""}) {
    EXPECT_THAT(problem_of("#lesson=" + std::string(path)), HasSubstr("no lesson '")) << path;
    EXPECT_THAT(problem_of("#lecture=" + std::string(path)), HasSubstr("no lecture '")) << path;
  }
  EXPECT_THAT(problem_of("#lesson=transpose&device=/etc/passwd"), HasSubstr("no device '/etc/passwd'"));
  EXPECT_THAT(problem_of("#lesson=transpose&device=./mine.toml"), HasSubstr("no device"));
}

TEST_F(ViewLink, what_is_wrong_is_one_sentence) {
  EXPECT_EQ(problem_of("#lesson=transpose"), "");
  EXPECT_EQ(problem_of("#lesson=transpose&sheep=3"),
            "this lesson has no setting 'sheep=3', which the link asks for; the rest of the link is shown");
  EXPECT_THAT(problem_of("lanescope://open?file=x"), HasSubstr("a link begins with lanescope://view?"));
  EXPECT_THAT(problem_of("#v=2&lesson=transpose"), HasSubstr("format 2"));
  EXPECT_THAT(problem_of("#lesson=transpose&lesson=warp"), HasSubstr("says 'lesson' twice"));
  EXPECT_THAT(problem_of("#lesson=transpose&kernel=wool"), HasSubstr("'kernel=wool'"));
  EXPECT_THAT(problem_of("#lesson=transpose&padding=lots"), HasSubstr("'padding=lots'"));
  EXPECT_THAT(problem_of("#lesson=transpose&a.padding=lots"), HasSubstr("'padding=lots'"));
  EXPECT_THAT(problem_of("#lesson=transpose&block=32"), HasSubstr("not in the grid of 32 x 32 x 1"));
  for (const char* block : {"-1", "1,,2", "1,2,3,4", "x", "99999999999"})
    EXPECT_THAT(problem_of("#lesson=transpose&block=" + std::string(block)), HasSubstr("X,Y,Z")) << block;
  EXPECT_THAT(problem_of("#lesson=transpose&warp=1.5"), HasSubstr("whole number"));
  EXPECT_THAT(problem_of("#lesson=transpose&kernel=tiled&warp=8"), HasSubstr("which has 8 warps"));
  EXPECT_EQ(problem_of("#lesson=transpose&kernel=tiled&warp=7"), "");
  EXPECT_THAT(problem_of("#lesson=%zz"), HasSubstr("hexadecimal"));
  EXPECT_THAT(problem_of("#lesson=%4"), HasSubstr("hexadecimal"));
  EXPECT_THAT(problem_of("#lesson=a%0Ab"), HasSubstr("control characters"));
  EXPECT_THAT(problem_of("#lesson"), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(problem_of("#=x"), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(problem_of("#kernel=tiled"), HasSubstr("names no lesson; the first lesson is shown"));
  EXPECT_THAT(problem_of("#" + std::string(5000, 'a')), HasSubstr("at most 4096"));
  EXPECT_LT(problem_of("#lesson=" + std::string(4000, 'a')).size(), 150u);
  std::string many = "#lesson=transpose";
  for (int n = 0; n < 100; ++n) many += "&k" + std::to_string(n) + "=1";
  EXPECT_THAT(problem_of(many), HasSubstr("at most 64 keys"));
  EXPECT_THAT(problem_of("#lecture=mover&padding=1"), HasSubstr("no part of a link to a lecture"));
}

TEST_F(ViewLink, a_link_with_a_mistake_shows_its_lesson_with_all_that_is_right) {
  const auto now = after(OpenLink{
      "#lesson=transpose&kernel=tiled&padding=lots&device=h200&block=99,0&warp=3&access=99&lang=fr"});
  ASSERT_TRUE(now->error);
  EXPECT_EQ(now->error->message,
            "cette leçon n’a pas de réglage « padding=lots », que le lien demande ; "
            "le reste du lien est montré");
  ASSERT_NE(now->run, nullptr);
  EXPECT_EQ(now->choices.settings.values.at("padding"), "0");
  EXPECT_EQ(now->choices.device.name, "h200");
  EXPECT_EQ(now->selection.cta.value, 0u);
  EXPECT_EQ(now->selection.warp.value, 3u);
  EXPECT_EQ(now->selection.access + 1, now->selection.timeline.size()) << "the last one";
  const auto shown = after(ShowWarps{});
  ASSERT_TRUE(shown->error) << "a panel that comes in sight takes the sentence away";
  EXPECT_FALSE(after(Step{pipeline::StepTo::Previous})->error) << "what a person does next takes it away";
}

TEST_F(ViewLink, of_a_link_with_nothing_to_show_the_first_lesson_or_what_was_open_is_shown) {
  for (const char* link : {"#lesson=wool", "#rubbish", "#%%%", "#lecture=wool", "#lesson="}) {
    Session other(tests::project_options(1));
    other.post(OpenLink{link});
    other.wait_until_idle();
    const auto now = other.latest();
    ASSERT_TRUE(now->error) << link;
    EXPECT_THAT(now->error->message, testing::EndsWith("; the first lesson is shown"));
    ASSERT_NE(now->run, nullptr) << link;
    EXPECT_EQ(now->choices.lesson->name, now->available.lessons.front());
  }
  after(OpenLesson{"reduction"});
  const auto now = after(OpenLink{"#lesson=wool&lang=fr"});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, testing::EndsWith("ce qui était ouvert reste"));
  EXPECT_EQ(now->choices.lesson->name, "reduction");
}

TEST_F(ViewLink, a_file_of_the_persons_own_has_no_link) {
  EXPECT_THAT(link_of(*session_.latest()).error().message, HasSubstr("a link shows a lesson of the program"));
}

}  // namespace
}  // namespace lanescope::session
