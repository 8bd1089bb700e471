// A saved trace of which the window has some blocks in memory: what it shows of the others, and that saving
// keeps all.

#include "export/trace_file.h"
#include "gui_test.h"

#include <algorithm>

namespace lanescope {
namespace {

class LargeTrace : public GuiTest {
 protected:
  /// Reads as if a tenth of the lesson's blocks had filled the memory.
  pipeline::Options session_options() const override {
    pipeline::Options options = GuiTest::session_options();
    options.read_trace = [this](const auto& file, trace::WantedBlocks wanted) {
      wanted.most_bytes = std::min(wanted.most_bytes, most_bytes_);
      return exporting::read_trace_part(file, wanted);
    };
    options.reads_all_blocks = reads_all_;
    return options;
  }
  void open(ImGuiTestContext& context) {
    settle(context);
    const trace::Trace& trace = *now()->run->trace;
    most_bytes_ =
        trace.blocks.front().accesses.size() * sizeof(trace::StoredAccess) * trace.blocks.size() / 10;
    ASSERT_TRUE(exporting::save_trace(trace, scratch("large.lane")));
    session_->post(session::OpenFile{scratch("large.lane")});
    settle(context);
    ASSERT_FALSE(now()->error) << describe(*now()->error);
    ASSERT_TRUE(now()->run->unread);
    ImGui::SetWindowFocus("###blocks");
    context.Yield(4);
  }

  bool reads_all_ = true;
  uint64_t most_bytes_ = UINT64_MAX;
};

TEST_F(LargeTrace, all_blocks_are_shown_once_they_were_read_and_saving_keeps_them) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    draw_until(context, [](const session::Snapshot& now) { return now.run->unread->are_counted; });
    session_->post(session::SelectBlock{CtaId{1000}});
    settle(context);
    EXPECT_EQ(now()->selection.timeline.size(), 16u);
    EXPECT_EQ(now()->run->trace->blocks.size(), 1u);
    EXPECT_EQ(now()->run->tiles->front().tiles.size(), 1024u);
    picture(context, "large_trace");
    click(context, "Lanescope/toolbar", "file");
    context.SetRef("//$FOCUSED");
    context.ItemClick("###save_trace");
    context.Yield(2);
    context.SetRef("//trace_dialog");
    context.ItemInputValue("##path", scratch("copy.lane").c_str());
    settle(context);
    const auto copy = exporting::read_trace(scratch("copy.lane"));
    ASSERT_TRUE(copy) << describe(copy.error());
    EXPECT_EQ(copy->blocks.size(), 1024u);
  });
}

class LargeTraceAtFirst : public LargeTrace {
 protected:
  LargeTraceAtFirst() { reads_all_ = false; }
};

TEST_F(LargeTraceAtFirst, the_panels_say_how_many_blocks_were_read) {
  drive([&](ImGuiTestContext& context) {
    open(context);
    EXPECT_FALSE(now()->run->unread->are_counted);
    EXPECT_FALSE(now()->reading);
    picture(context, "large_trace_at_first");
  });
}

}  // namespace
}  // namespace lanescope
