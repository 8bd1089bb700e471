// What the window keeps while it runs, and shows again.

#include "session/kept_state.h"

#include "base/file.h"
#include "session/opened_file.h"
#include "session/session.h"
#include "session/session_file.h"
#include "session/source_texts.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kSource = "__global__ void add(float* out) { out[threadIdx.x] += 1; }\n";
constexpr const char* kOther = "__global__ void add(float* out) { out[threadIdx.x] += 2; }\n";

class KeptState : public testing::Test {
 protected:
  std::shared_ptr<const Snapshot> after(Session& session, const Command& command) {
    session.post(command);
    session.wait_until_idle();
    return session.latest();
  }
  void keep(const Snapshot& now, const std::vector<EditedText>& typed = {}) {
    ASSERT_TRUE(write_file(folder_ / kKeptTexts, text_of(edited_texts_of(now, typed))));
    const auto session = session_text(now, {.path = folder_ / kKeptSession, .panels = {}, .enlarged = {}});
    ASSERT_TRUE(session);
    ASSERT_TRUE(write_file(folder_ / kKeptSession, *session));
  }
  std::filesystem::path source() {
    std::ofstream(folder_ / "a b.cu") << kSource;
    return folder_ / "a b.cu";
  }

  tests::TemporaryFolder folder_{"kept"};
};

TEST_F(KeptState, texts_of_any_bytes_are_read_as_they_were_written) {
  const KeptTexts texts{.present = {{"/a b\n.cu", "1 2\npresent 3 4\n"}, {"/b", std::string("\0\xff", 2)}},
                        .pinned = {{"/c", ""}},
                        .made_from = {{"/b", "\n"}}};
  ASSERT_TRUE(write_file(folder_ / "texts", text_of(texts)));
  const auto read = read_kept_texts(folder_ / "texts");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->present, texts.present);
  EXPECT_EQ(read->pinned, texts.pinned);
  EXPECT_EQ(read->made_from, texts.made_from);
}

TEST_F(KeptState, a_file_that_is_cut_anywhere_is_an_error_or_whole_texts) {
  const std::string whole = text_of({.present = {{"/a", "one"}, {"/b", "two"}}, .pinned = {}});
  for (size_t length = 0; length < whole.size(); ++length) {
    ASSERT_TRUE(write_file(folder_ / "texts", whole.substr(0, length)));
    const auto read = read_kept_texts(folder_ / "texts");
    if (!read) continue;
    for (const EditedText& text : read->present)
      EXPECT_TRUE(text == (EditedText{"/a", "one"}) || text == (EditedText{"/b", "two"})) << length;
  }
  ASSERT_TRUE(write_file(folder_ / "texts", "lanescope_texts 1\npresent 99999999999999999999 3\n/aone\n"));
  EXPECT_FALSE(read_kept_texts(folder_ / "texts"));
}

TEST_F(KeptState, edited_texts_settings_and_the_place_are_there_again) {
  {
    Session session{tests::project_options(1)};
    const auto file = source();
    after(session, OpenLesson{"transpose"});
    after(session, SetToggle{"padding", "1"});
    after(session, SelectBlock{CtaId{3}});
    after(session, SelectWarp{WarpId{2}});
    const auto now = after(session, SelectAccess{5});
    const auto edited = now->sources->files.front().path;
    after(session, SetText{edited, *now->sources->files.front().text + "// mine\n", 1});
    keep(*session.latest(), {{file, kOther}});
  }
  Session session{tests::project_options(1)};
  after(session, OpenLesson{"warp"});
  const auto now = after(session, ContinueKept{folder_.path()});
  ASSERT_FALSE(now->error) << now->error->message;
  EXPECT_EQ(now->choices.lesson->name, "transpose");
  EXPECT_EQ(now->choices.settings.values.at("padding"), "1");
  EXPECT_EQ(now->selection.cta.value, 3u);
  EXPECT_EQ(now->selection.warp.value, 2u);
  EXPECT_EQ(now->selection.access, 5u);
  EXPECT_TRUE(now->run->source_text.ends_with("// mine\n"));
  EXPECT_FALSE(now->sources->files.front().is_saved);
  // The text of a file that is not open is there when it is opened.
  EXPECT_EQ(after(session, OpenFile{folder_ / "a b.cu"})->run->source_text, kOther);
}

TEST_F(KeptState, both_runs_that_are_compared_have_their_own_texts) {
  {
    Session session{tests::project_options(1)};
    const auto file = source();
    after(session, OpenFile{file});
    after(session, SetText{file, "// A\n" + std::string(kSource), 1});
    after(session, Pin{});
    keep(*after(session, SetText{file, "// B\n" + std::string(kSource), 2}));
  }
  Session session{tests::project_options(1)};
  const auto now = after(session, ContinueKept{folder_.path()});
  ASSERT_FALSE(now->error) << now->error->message;
  ASSERT_TRUE(now->pinned);
  EXPECT_TRUE(now->pinned->run->source_text.starts_with("// A\n"));
  EXPECT_TRUE(now->run->source_text.starts_with("// B\n"));
}

TEST_F(KeptState, a_file_that_another_program_changed_meanwhile_is_not_overwritten_unasked) {
  const auto file = source();
  {
    Session session{tests::project_options(1)};
    after(session, OpenFile{file});
    keep(*after(session, SetText{file, kOther, 1}));
  }
  const std::string theirs = "// theirs\n" + std::string(kSource);
  std::ofstream(file) << theirs;
  Session session{tests::project_options(1)};
  const auto now = after(session, ContinueKept{folder_.path()});
  ASSERT_FALSE(now->error) << now->error->message;
  EXPECT_EQ(now->run->source_text, kOther) << "what was typed is not lost";
  EXPECT_EQ(now->sources->files.front().dispute, Dispute::FileChanged);
  after(session, SaveText{file});
  EXPECT_EQ(*read_text(file), theirs);
  after(session, ChooseText{file, ChooseText::Which::Edited});
  EXPECT_EQ(after(session, SaveText{file})->sources->files.front().dispute, Dispute::None);
  EXPECT_EQ(*read_text(file), kOther);
}

TEST_F(KeptState, a_file_that_nobody_changed_meanwhile_has_no_dispute) {
  const auto file = source();
  {
    Session session{tests::project_options(1)};
    after(session, OpenFile{file});
    keep(*after(session, SetText{file, kOther, 1}));
  }
  Session session{tests::project_options(1)};
  const auto now = after(session, ContinueKept{folder_.path()});
  EXPECT_EQ(now->sources->files.front().dispute, Dispute::None);
}

TEST_F(KeptState, what_is_typed_counts_before_what_the_session_has) {
  Session session{tests::project_options(1)};
  const auto file = source();
  after(session, OpenFile{file});
  const auto now = after(session, SetText{file, kOther, 1});
  EXPECT_THAT(edited_texts_of(*now, {}).present, ElementsAre(EditedText{file, kOther}));
  EXPECT_THAT(edited_texts_of(*now, {{file, "typed"}}).present, ElementsAre(EditedText{file, "typed"}));
  const auto saved = after(session, SaveText{file});
  EXPECT_THAT(edited_texts_of(*saved, {}).present, IsEmpty());
}

TEST_F(KeptState, a_damaged_state_is_one_sentence_and_changes_nothing) {
  Session session{tests::project_options(1)};
  after(session, OpenLesson{"transpose"});
  ASSERT_TRUE(write_file(folder_ / kKeptTexts, "lanescope_texts 1\npresent 5 500\n/abcdcut"));
  const auto now = after(session, ContinueKept{folder_.path()});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, testing::HasSubstr("cut or changed"));
  EXPECT_EQ(now->choices.lesson->name, "transpose");
}

}  // namespace
}  // namespace lanescope::session
