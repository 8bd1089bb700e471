#include "gui_test.h"

#include "shell/window/picture.h"
#include "support/project.h"
#include "support/project_options.h"

#include <cfloat>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace lanescope {
namespace {

using tests::kProject;

shell::WindowFiles files() {
  return {.fonts = kProject / "assets/fonts",
          .shaders = kProject / "shaders",
          .settings = {},
          .program = tests::lanescope_program()};
}

}  // namespace

GuiTest::GuiTest() {
  std::string name = (std::filesystem::temp_directory_path() / "lanescope-gui-XXXXXX").string();
  scratch_ = mkdtemp(name.data());
}

pipeline::Options GuiTest::session_options() const { return tests::project_options(); }

void GuiTest::SetUp() {
  session_ = std::make_unique<session::Session>(session_options());
  session_->post(session::OpenLesson{"transpose"});
  session_->wait_until_idle();
  auto frames =
      shell::Frames::open(*session_, files(), {.width = 1600, .height = 900, .platform = platform_});
  ASSERT_TRUE(frames) << frames.error().message;
  frames_ = std::make_unique<shell::Frames>(std::move(*frames));
  engine_ = ImGuiTestEngine_CreateContext();
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
  io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
  io.ConfigSavedSettings = false;
  io.ConfigNoThrottle = true;
  io.ConfigMouseDrawCursor = false;
  // CTest limits the time of a test, since it can allow for other load on the machine.
  io.ConfigWatchdogWarning = FLT_MAX;
  io.ConfigWatchdogKillTest = FLT_MAX;
  ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
}

GuiTest::~GuiTest() {
  // The engine outlives the context of Dear ImGui, as it demands.
  if (engine_ != nullptr) ImGuiTestEngine_Stop(engine_);
  frames_.reset();
  if (engine_ != nullptr) ImGuiTestEngine_DestroyContext(engine_);
  std::error_code error;
  std::filesystem::remove_all(scratch_, error);
}

void GuiTest::drive(const std::function<void(ImGuiTestContext&)>& steps) {
  ImGuiTest* test = ImGuiTestEngine_RegisterTest(engine_, "gui", "steps", __FILE__, __LINE__);
  std::function<void(ImGuiTestContext&)> copy = steps;
  test->UserData = &copy;
  test->TestFunc = [](ImGuiTestContext* context) {
    (*static_cast<std::function<void(ImGuiTestContext&)>*>(context->Test->UserData))(*context);
  };
  ImGuiTestEngine_QueueTest(engine_, test);
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) {
    frames_->window().wait_for_events(0);
    frames_->draw();
    if (!picture_.empty()) {
      const std::string file = std::exchange(picture_, {});
      EXPECT_TRUE(shell::write_png(frames_->window().read_back(), file)) << file;
    }
    ImGuiTestEngine_PostSwap(engine_);
  }
  EXPECT_EQ(test->Output.Status, ImGuiTestStatus_Success) << test->Output.Log.Buffer.c_str();
  ImGuiTestEngine_UnregisterTest(engine_, test);
}

void GuiTest::settle(ImGuiTestContext& context) {
  session_->wait_until_modelled();
  context.Yield(4);
}

void GuiTest::draw_until(ImGuiTestContext& context,
                         const std::function<bool(const session::Snapshot&)>& is_so) {
  for (int n = 0; n < 400 && !is_so(*now()); ++n) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    context.Yield();
  }
  context.Yield(4);
}

void GuiTest::picture(ImGuiTestContext& context, const char* name) {
  const char* folder = std::getenv("LANESCOPE_PICTURES");
  if (folder == nullptr) return;
  context.Yield(3);
  picture_ = (std::filesystem::path(folder) / (std::string(name) + ".png")).string();
  context.Yield();
}

void GuiTest::press(ImGuiTestContext& context, ImGuiKeyChord keys) {
  context.KeyPress(keys);
  context.Yield();
  settle(context);
}

ImGuiID GuiTest::window(ImGuiTestContext& context, const char* name) {
  const std::string path = std::string("//") + name;
  return context.WindowInfo(path.c_str()).ID;
}

void GuiTest::click(ImGuiTestContext& context, const char* window_name, const char* item) {
  context.SetRef(window(context, window_name));
  context.ItemClick(item);
  context.Yield();
  settle(context);
}

std::optional<ImVec2> GuiTest::place_of(ImGuiTestContext& context, view::PanelId panel,
                                        const std::function<bool(const plot::Pick&)>& wanted) {
  const plot::Figure* figure = workspace().figure(panel);
  if (figure == nullptr) return {};
  const std::string name(view::name_of(panel));
  const ImGuiID id = panel == view::PanelId::Timeline ? window(context, "Lanescope/stepper/timeline")
                                                      : window(context, ("###" + name).c_str());
  context.SetRef(id);
  const ImVec2 corner = context.ItemInfo(figure->name.c_str()).RectFull.Min;
  for (const plot::Mark& mark : figure->marks) {
    const auto* rect = std::get_if<plot::Rect>(&mark);
    if (rect == nullptr || !rect->pick) continue;
    const float x = rect->x + rect->width / 2, y = rect->y + rect->height / 2;
    const plot::Pick* top = plot::pick_at(*figure, x, y);
    if (top != nullptr && wanted(*top)) return corner + ImVec2(x, y);
  }
  return {};
}

}  // namespace lanescope
