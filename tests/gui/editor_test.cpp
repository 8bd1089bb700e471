// The editor of the source panel: typing runs, errors are on their lines, find, undo, save, and nothing that
// is on disk is lost or damaged.

#include "compile/compiler.h"
#include "gui_test.h"
#include "session/failed_run.h"
#include "session/opened_file.h"
#include "session/source_texts.h"
#include "support/two_kernels.h"
#include "trace/traffic.h"

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace lanescope {
namespace {

namespace fs = std::filesystem;

class Editor : public GuiTest {
 protected:
  pipeline::Options session_options() const override {
    pipeline::Options options = GuiTest::session_options();
    options.own_launches = scratch("launches");
    options.submissions = scratch("own");
    return options;
  }
  void SetUp() override {
    if (!compile::find_compiler(GuiTest::session_options().fetched)) GTEST_SKIP() << "there is no NVRTC";
    GuiTest::SetUp();
  }
  fs::path write(const char* name, const std::string& text) const {
    std::ofstream(scratch(name), std::ios::binary) << text;
    return scratch(name);
  }
  static std::string read(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  void open(ImGuiTestContext& context, const fs::path& file) {
    session_->post(session::OpenFile{file});
    settle(context);
    context.Yield(12);
  }
  void press_button(ImGuiTestContext& context, const char* name) {
    context.SetRef(window(context, "###source"));
    context.ItemClick(name);
    context.Yield(2);
    settle(context);
  }
  /// Types after the beginning of a line, from 1, and waits until it was compiled.
  void type_at(ImGuiTestContext& context, int line, const char* text) {
    context.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Home);
    // A line may take several rows.
    for (int n = 1; n < line; ++n) {
      context.KeyPress(ImGuiKey_End);
      context.KeyPress(ImGuiKey_RightArrow);
    }
    type(context, text);
  }
  void type(ImGuiTestContext& context, const char* text) {
    context.KeyChars(text);
    rest(context);
  }
  /// The pause after which a text is run.
  void rest(ImGuiTestContext& context) {
    context.Yield(2);
    std::this_thread::sleep_for(std::chrono::milliseconds(450));
    context.Yield(3);
    settle(context);
  }
  const session::SourceText& source(size_t number = 0) {
    shown_ = now();  // stays while it is looked at
    return shown_->sources->files.at(number);
  }
  std::string run_text() { return now()->run->source_text; }

  std::shared_ptr<const session::Snapshot> shown_;
};

TEST_F(Editor, what_is_typed_runs_and_is_saved_in_the_file) {
  const fs::path file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    press_button(context, "edit");
    type_at(context, 7, "  // typed\n");
    EXPECT_NE(run_text().find("  // typed\n  int i"), std::string::npos) << run_text();
    EXPECT_FALSE(now()->error);
    EXPECT_FALSE(source().is_saved);
    EXPECT_EQ(read(file), tests::kTwoKernels);
    picture(context, "editor");
    press(context, ImGuiMod_Ctrl | ImGuiKey_S);
    EXPECT_EQ(read(file), run_text());
    EXPECT_TRUE(source().is_saved);
  });
}

TEST_F(Editor, control_e_begins_and_ends_and_letters_are_no_keys_of_the_window_meanwhile) {
  const fs::path file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    const plot::Theme before = workspace().preferences().mode;
    press(context, ImGuiMod_Ctrl | ImGuiKey_E);
    context.Yield(3);
    // A press of L and the character that comes with it.
    context.KeyPress(ImGuiKey_L);
    type(context, "l");
    EXPECT_EQ(workspace().preferences().mode, before);
    EXPECT_NE(source().text->find('l'), std::string::npos);
    EXPECT_TRUE(source().is_edited);
    press(context, ImGuiMod_Ctrl | ImGuiKey_E);
    context.Yield(3);
    press(context, ImGuiKey_L);
    EXPECT_NE(workspace().preferences().mode, before);
    EXPECT_TRUE(source().is_edited) << "edits stay";
  });
}

TEST_F(Editor, an_error_is_on_its_line_and_the_run_before_stays_until_it_compiles) {
  const fs::path file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    press_button(context, "edit");
    type_at(context, 8, "  y[0] = missing;\n");
    ASSERT_NE(now()->failed, nullptr);
    ASSERT_EQ(now()->failed->errors.size(), 1u);
    EXPECT_EQ(now()->failed->errors[0].line, 8);
    EXPECT_EQ(run_text(), tests::kTwoKernels);
    picture(context, "editor_error");
    press_button(context, "undo");
    for (int n = 0; n < 40 && source().is_edited; ++n) press_button(context, "undo");
    rest(context);
    EXPECT_EQ(now()->failed, nullptr);
    EXPECT_FALSE(source().is_edited);
    press_button(context, "redo");
    rest(context);
    EXPECT_TRUE(source().is_edited);
  });
}

TEST_F(Editor, it_is_drawn_in_french_and_in_the_dark_too) {
  const fs::path file = write("own.cu", tests::kTwoKernels);
  session_->post(session::SetLanguage{Language::French});
  drive([&](ImGuiTestContext& context) {
    workspace().preferences().mode = plot::Theme::Dark;
    open(context, file);
    press_button(context, "edit");
    press(context, ImGuiMod_Ctrl | ImGuiKey_F);
    press_button(context, "find_close");
    type_at(context, 8, "  y[0] = missing + x[threadIdx.x + blockIdx.x * blockDim.x];\n");
    EXPECT_NE(now()->failed, nullptr);
    picture(context, "editor_french_dark");
    workspace().preferences().text = 20;
    picture(context, "editor_french_dark_large");
  });
  frames_->draw();
  EXPECT_EQ(ImGui::GetCurrentContext()->ErrorCountCurrentFrame, 0) << "mistakes in how the window is drawn";
}

TEST_F(Editor, find_selects_and_replace_replaces) {
  const fs::path file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    press_button(context, "edit");
    press(context, ImGuiMod_Ctrl | ImGuiKey_F);
    context.SetRef(window(context, "###source"));
    context.ItemInputValue("##find", "*= 2");
    context.ItemInputValue("##replace", "*= 3");
    picture(context, "editor_find");
    press_button(context, "find_next");
    press_button(context, "replace");
    rest(context);
    EXPECT_NE(source().text->find("x[i] *= 3;"), std::string::npos);
    context.ItemInputValue("##find", "threadIdx");
    context.ItemInputValue("##replace", "blockIdx");
    press_button(context, "replace_all");
    rest(context);
    EXPECT_EQ(source().text->find("threadIdx"), std::string::npos);
    press_button(context, "find_close");
    context.SetRef(window(context, "###source"));
    EXPECT_FALSE(context.ItemExists("##find"));
  });
}

TEST_F(Editor, a_lessons_kernel_is_edited_with_its_toggles_and_saved_as_a_copy) {
  drive([&](ImGuiTestContext& context) {
    settle(context);
    const fs::path file = source().path;
    const std::string original = *source().text;
    press_button(context, "edit");
    type_at(context, 1, "// mine\n");
    EXPECT_EQ(run_text(), "// mine\n" + original);
    EXPECT_EQ(now()->run->output_correct, true);
    press(context, ImGuiMod_Ctrl | ImGuiKey_E);
    context.Yield(3);
    press(context, ImGuiKey_P);
    EXPECT_EQ(now()->choices.settings.values.at("padding"), "1");
    EXPECT_EQ(run_text(), "// mine\n" + original);
    press_button(context, "edit");
    press_button(context, "save");
    EXPECT_EQ(read(scratch("own/my_kernels/transpose/transpose_tiled.cu")), "// mine\n" + original);
    EXPECT_EQ(read(file), original) << "the program's own file";
    picture(context, "editor_copy");
    press_button(context, "original");
    EXPECT_EQ(run_text(), original);
    press_button(context, "my_copy");
    EXPECT_EQ(run_text(), "// mine\n" + original);
  });
}

TEST_F(Editor, saving_under_another_name_opens_that_file_and_asks_before_it_replaces_one) {
  const fs::path file = write("own.cu", tests::kTwoKernels);
  const fs::path taken = write("taken.cu", "before");
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    press_button(context, "edit");
    type_at(context, 1, "// other\n");
    press_button(context, "save_as");
    context.SetRef("//save_dialog");
    ASSERT_TRUE(context.ItemExists("##path"));
    context.ItemInputValue("##path", taken.c_str());
    settle(context);
    picture(context, "save_dialog");
    EXPECT_EQ(read(taken), "before") << "a second press is asked for";
    context.ItemClick("save");
    settle(context);
    context.Yield(12);
    EXPECT_EQ(read(taken), std::string("// other\n") + tests::kTwoKernels);
    EXPECT_EQ(read(file), tests::kTwoKernels);
    EXPECT_EQ(now()->choices.file->path, taken);
  });
}

TEST_F(Editor, a_change_by_another_program_is_shown_or_asked_about) {
  const fs::path file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    press_button(context, "edit");
    // Nothing was edited: the editor shows the file's text, and typing goes on from it.
    write("own.cu", std::string("// outside\n") + tests::kTwoKernels);
    draw_until(context,
               [](const session::Snapshot& s) { return s.run->source_text.starts_with("// outside"); });
    settle(context);
    type_at(context, 1, "// inside\n");
    EXPECT_TRUE(run_text().starts_with("// inside\n// outside\n"));
    // Both have changes now.
    write("own.cu", std::string("// outside again\n") + tests::kTwoKernels);
    draw_until(context, [](const session::Snapshot& s) {
      return s.sources->files[0].dispute == session::Dispute::FileChanged;
    });
    EXPECT_TRUE(run_text().starts_with("// inside"));
    picture(context, "editor_dispute");
    press(context, ImGuiMod_Ctrl | ImGuiKey_S);
    EXPECT_TRUE(read(file).starts_with("// outside again"));
    press_button(context, "take");
    EXPECT_TRUE(run_text().starts_with("// outside again"));
    context.Yield(4);
    type_at(context, 1, "// more\n");
    EXPECT_TRUE(run_text().starts_with("// more\n// outside again"));
  });
}

TEST_F(Editor, keeping_ones_edits_lets_save_replace_the_file) {
  const fs::path file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    press_button(context, "edit");
    type_at(context, 1, "// inside\n");
    write("own.cu", std::string("// outside\n") + tests::kTwoKernels);
    press(context, ImGuiMod_Ctrl | ImGuiKey_S);
    EXPECT_TRUE(read(file).starts_with("// outside"));
    press_button(context, "keep");
    press_button(context, "save");
    EXPECT_TRUE(read(file).starts_with("// inside"));
  });
}

TEST_F(Editor, returns_tabs_and_foreign_bytes_are_saved_as_they_were) {
  const std::string text =
      "\xef\xbb\xbf// caf\xe9 \xf0\x9f\x98\x80\r\n__global__ void f(float* x) {\r\n\tx[0] = 1;\r\n}";
  const fs::path file = write("odd.cu", text);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    ASSERT_FALSE(now()->error);
    press_button(context, "edit");
    type_at(context, 3, "");
    context.KeyPress(ImGuiKey_Tab);
    type(context, "x[1] = 2;\n");
    EXPECT_FALSE(now()->error);
    picture(context, "editor_odd");
    press_button(context, "save");
    std::string wanted = text;
    wanted.insert(wanted.find("\tx[0]"), "\tx[1] = 2;\r\n");
    EXPECT_EQ(read(file), wanted);
  });
}

TEST_F(Editor, hostile_texts_are_shown_and_neither_crash_nor_hang) {
  std::string one_line = "__global__ void f(float* x) { x[0] = 1; } /*";
  one_line.append(size_t{10} << 20, 'x');
  one_line += "*/";
  std::string deep = "__global__ void f(float* x) { x[0] = 1; }\n//";
  deep.append(200'000, '(');
  const fs::path long_file = write("long.cu", one_line), deep_file = write("deep.cu", deep);
  const fs::path zero = write("zero.cu", std::string("__global__ void f() {}\n\0\0", 25));
  drive([&](ImGuiTestContext& context) {
    open(context, long_file);
    ASSERT_NE(now()->run, nullptr);
    context.SetRef(window(context, "###source"));
    EXPECT_TRUE(context.ItemInfo("edit").ItemFlags & ImGuiItemFlags_Disabled)
        << "too large to be edited here";
    open(context, deep_file);
    press_button(context, "edit");
    type_at(context, 1, "// a line\n");
    EXPECT_TRUE(run_text().starts_with("// a line\n__global__"));
    press_button(context, "save");
    EXPECT_EQ(read(deep_file), "// a line\n" + deep);
    open(context, zero);
    EXPECT_TRUE(now()->error);
  });
}

TEST_F(Editor, a_header_has_a_tab_and_is_edited_too) {
  const fs::path header = write("count.h", "#define COUNT 32\n");
  const fs::path file = write("own.cu",
                              "#include \"count.h\"\n__global__ void f(float* x) {\n"
                              "  for (int i = 0; i < COUNT; i += 32) x[i] = 1;\n}\n");
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    press_button(context, "file1");
    picture(context, "header_tab");
    press_button(context, "edit");
    type_at(context, 1, "// of the header\n");
    EXPECT_EQ(*source(1).text, "// of the header\n#define COUNT 32\n");
    EXPECT_FALSE(now()->error);
    press_button(context, "save");
    EXPECT_EQ(read(header), "// of the header\n#define COUNT 32\n");
    press_button(context, "file0");
    context.SetRef(window(context, "###source"));
    EXPECT_TRUE(context.ItemExists("edit"));
  });
}

TEST_F(Editor, headers_are_found_in_the_folders_of_the_launch_panel) {
  fs::create_directories(scratch("headers"));
  write("headers/far.h", "#define FAR 3\n");
  const fs::path file =
      write("own.cu", "#include <far.h>\n__global__ void f(float* x) { x[threadIdx.x] = FAR; }\n");
  session_->post(session::OpenFile{file, {scratch("headers").string()}});
  drive([&](ImGuiTestContext& context) {
    settle(context);
    context.Yield(12);
    ASSERT_FALSE(now()->error);
    const auto type_folders = [&](const char* text) {
      context.SetRef(window(context, "###launch/form"));
      context.ItemInputValue("##include", text);
      context.Yield(2);
      settle(context);
    };
    type_folders("nowhere");
    EXPECT_TRUE(now()->error);
    type_folders("headers");
    EXPECT_FALSE(now()->error);
    EXPECT_EQ(now()->choices.file->launches.include_directories,
              std::vector<std::string>{scratch("headers").string()});
    picture(context, "include_folders");
  });
}

TEST_F(Editor, closing_asks_while_a_text_is_not_saved) {
  drive([&](ImGuiTestContext& context) {
    open(context, write("mine.cu", "__global__ void f(float* x) { x[threadIdx.x] = 1; }\n"));
    EXPECT_TRUE(workspace().may_leave(*now()));
    press(context, ImGuiMod_Ctrl | ImGuiKey_E);
    type_at(context, 1, "// ");
    EXPECT_FALSE(workspace().may_leave(*now()));
    context.Yield(2);
    context.SetRef("//leave_dialog");
    picture(context, "leave_dialog");
    context.ItemClick("stay");
    EXPECT_FALSE(workspace().leaves());
    EXPECT_FALSE(workspace().may_leave(*now()));
    context.Yield(2);
    context.ItemClick("leave");
    EXPECT_TRUE(workspace().leaves());
    EXPECT_TRUE(workspace().may_leave(*now()));
  });
}

TEST_F(Editor, closing_can_save_what_was_typed) {
  drive([&](ImGuiTestContext& context) {
    const std::string text = "__global__ void f(float* x) { x[threadIdx.x] = 1; }\n";
    open(context, write("mine.cu", text));
    press(context, ImGuiMod_Ctrl | ImGuiKey_E);
    type_at(context, 1, "// ");
    EXPECT_FALSE(workspace().may_leave(*now()));
    context.Yield(2);
    context.SetRef("//leave_dialog");
    context.ItemClick("save");
    for (int frame = 0; frame < 4000 && !workspace().leaves(); ++frame) context.Yield();
    EXPECT_TRUE(workspace().leaves());
    EXPECT_EQ(read(scratch("mine.cu")), "// " + text);
  });
}

TEST_F(Editor, closing_does_not_overwrite_what_another_program_wrote) {
  drive([&](ImGuiTestContext& context) {
    const auto file = write("mine.cu", "__global__ void f(float* x) { x[threadIdx.x] = 1; }\n");
    open(context, file);
    press(context, ImGuiMod_Ctrl | ImGuiKey_E);
    type_at(context, 1, "// ");
    const std::string others = "__global__ void f(float* x) { x[threadIdx.x] = 2; }\n";
    write("mine.cu", others);
    EXPECT_FALSE(workspace().may_leave(*now()));
    context.Yield(2);
    context.SetRef("//leave_dialog");
    context.ItemClick("save");
    settle(context);
    context.Yield(20);
    EXPECT_FALSE(workspace().leaves());
    EXPECT_EQ(now()->sources->files.front().dispute, session::Dispute::FileChanged);
    EXPECT_EQ(read(file), others);
  });
}

TEST_F(Editor, another_find_replaces_the_term_before) {
  const fs::path file = write("own.cu", tests::kTwoKernels);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    press_button(context, "edit");
    for (const char* term : {"threadIdx", "blockIdx"}) {
      press(context, ImGuiMod_Ctrl | ImGuiKey_F);
      context.Yield(3);
      context.KeyChars(term);
      context.Yield(2);
      context.SetRef(window(context, "###source"));
      const ImGuiInputTextState* typed = ImGui::GetInputTextState(context.ItemInfo("##find").ID);
      ASSERT_NE(typed, nullptr);
      EXPECT_STREQ(typed->TextA.Data, term);
      press(context, ImGuiMod_Ctrl | ImGuiKey_E);
      press(context, ImGuiMod_Ctrl | ImGuiKey_E);
    }
  });
}

TEST_F(Editor, a_path_that_is_typed_after_ctrl_o_goes_to_the_dialog) {
  const std::string text = "__global__ void f(float* x) { x[threadIdx.x] = 1; }\n";
  const fs::path file = write("own.cu", text);
  drive([&](ImGuiTestContext& context) {
    open(context, file);
    press_button(context, "edit");
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    press(context, ImGuiMod_Ctrl | ImGuiKey_O);
    context.Yield(3);
    ASSERT_NE(ImGui::GetTopMostPopupModal(), nullptr);
    context.KeyChars("/tmp");
    rest(context);
    EXPECT_EQ(*source().text, text);
  });
}

}  // namespace
}  // namespace lanescope
