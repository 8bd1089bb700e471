#include "view/keys.h"

#include "session/opened_file.h"
#include "view/compare_menu.h"
#include "view/stepping.h"
#include "view/toggles.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lanescope::view {

using session::Step;

namespace {

constexpr std::pair<ImGuiKey, Step::To> kSteps[] = {
    {ImGuiKey_LeftArrow, Step::To::Previous},
    {ImGuiKey_RightArrow, Step::To::Next},
    {ImGuiKey_Home, Step::To::First},
    {ImGuiKey_End, Step::To::Last},
    {ImGuiKey_UpArrow, Step::To::PreviousOnLine},
    {ImGuiKey_DownArrow, Step::To::NextOnLine},
};

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(key); }

void turn_text(Preferences& preferences) {
  const float before = preferences.text;
  if (pressed(ImGuiKey_Equal) || pressed(ImGuiKey_KeypadAdd)) preferences.text += 1;
  if (pressed(ImGuiKey_Minus) || pressed(ImGuiKey_KeypadSubtract)) preferences.text -= 1;
  if (pressed(ImGuiKey_0) || pressed(ImGuiKey_Keypad0)) preferences.text = kOrdinaryText;
  preferences.text = std::clamp(preferences.text, kMinimumText, kMaximumText);
  if (preferences.text != before || pressed(ImGuiKey_0)) preferences.is_projected = false;
}

void next_kernel(const Context& context, Turn turn) {
  const auto& kernels = context.now.choices.lesson->kernels;
  const auto here = std::ranges::find(kernels, context.now.choices.settings.kernel, &lesson::Kernel::name);
  const auto count = static_cast<int>(kernels.size());
  const int next =
      (static_cast<int>(here - kernels.begin()) + (turn == Turn::Forwards ? 1 : count - 1)) % count;
  context.post(session::SetToggle{"kernel", kernels[static_cast<size_t>(next)].name});
}

/// The next launch of several, else the next kernel that can be run.
void next_of_file(const Context& context, const session::OpenedFile& file, Turn turn) {
  const size_t runs = context.now.runs.size();
  if (runs > 1) {
    const size_t next = (context.now.choices.launch + (turn == Turn::Forwards ? 1 : runs - 1)) % runs;
    context.post(session::SelectLaunch{static_cast<uint32_t>(next)});
    return;
  }
  std::vector<std::string> kernels;
  for (const pipeline::ListedKernel& kernel : file.kernels)
    if (!kernel.refused) kernels.push_back(pipeline::choosing_name(file.kernels, kernel));
  if (kernels.size() < 2 || file.launches.launches.empty()) return;
  const auto here = std::ranges::find(kernels, file.launches.launches.front().kernel) - kernels.begin();
  const auto step = turn == Turn::Forwards ? 1 : static_cast<ptrdiff_t>(kernels.size()) - 1;
  const auto next = static_cast<size_t>(here + step) % kernels.size();
  context.post(session::SetToggle{"kernel", kernels[next]});
}

void post_undo_keys(const Context& context) {
  const bool is_z = ImGui::IsKeyPressed(ImGuiKey_Z, false), is_shifted = ImGui::GetIO().KeyShift;
  if (is_z && !is_shifted && context.now.undo) context.post(session::Undo{});
  if (((is_z && is_shifted) || ImGui::IsKeyPressed(ImGuiKey_Y, false)) && context.now.redo)
    context.post(session::Redo{});
}

Turn turn_of_keys() { return ImGui::GetIO().KeyShift ? Turn::Backwards : Turn::Forwards; }

void turn_toggles(const Context& context) {
  const Turn turn = turn_of_keys();
  for (const lesson::Toggle& toggle : context.now.choices.lesson->toggles) {
    if (toggle.key < 'A' || toggle.key > 'Z' ||
        !ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_A + (toggle.key - 'A')), false))
      continue;
    if (toggle_applies(context, toggle))
      flip(context, toggle, turn);
    else
      context.notify(without_effect(context, toggle));
  }
  if (ImGui::IsKeyPressed(ImGuiKey_K, false)) next_kernel(context, turn);
}

void step(const Context& context, Preferences& preferences) {
  for (const auto& [key, to] : kSteps)
    if (pressed(key)) {
      post_step(context, to);
      preferences.has_stepped = true;
    }
  if (!context.now.history.recorded) return;
  if (pressed(ImGuiKey_Comma)) context.post(session::StepInstruction{Step::To::Previous});
  if (pressed(ImGuiKey_Period)) context.post(session::StepInstruction{Step::To::Next});
}

/// Pins the lane next to the pinned one; without one the first or the last.
void turn_pin(const Context& context) {
  const bool up = pressed(ImGuiKey_RightArrow), down = pressed(ImGuiKey_LeftArrow);
  if (up == down) return;
  LaneMask& pinned = context.hovered.pinned;
  const int step = up ? 1 : -1;
  const int before = pinned.any() ? std::countr_zero(pinned.bits) : up ? -1 : kLanes;
  pinned = LaneMask{1u << ((before + step + kLanes) % kLanes)};
}

void turn_speed(Preferences& preferences) {
  if (pressed(ImGuiKey_Period) && preferences.speed + 1 < kSpeeds.size()) ++preferences.speed;
  if (pressed(ImGuiKey_Comma) && preferences.speed > 0) --preferences.speed;
}

void turn_unit(Preferences& preferences) {
  const size_t step = turn_of_keys() == Turn::Forwards ? 1 : kStepUnits - 1;
  preferences.step_unit =
      static_cast<StepUnit>((static_cast<size_t>(preferences.step_unit) + step) % kStepUnits);
}

}  // namespace

KeyRequests post_keys(const Context& context, Preferences& preferences, bool has_focus) {
  KeyRequests requests;
  const ImGuiIO& io = ImGui::GetIO();
  // Also while a text is edited.
  if (context.now.whole_program && ImGui::IsKeyPressed(ImGuiKey_F5, false))
    context.post(session::RunProgram{});
  requests.open = io.KeyCtrl && ImGui::IsKeyPressed(ImGuiKey_O, false);
  if (io.WantTextInput) return requests;
  if (io.KeyCtrl) {
    if (ImGui::IsKeyPressed(ImGuiKey_C, false))
      requests.copy = io.KeyShift ? KeyRequests::Copy::Window : KeyRequests::Copy::Panel;
    post_undo_keys(context);
    turn_text(preferences);
    return requests;
  }
  requests.help = ImGui::IsKeyPressed(ImGuiKey_F1, false);
  requests.full_screen = ImGui::IsKeyPressed(ImGuiKey_F11, false);
  requests.frame_rate = ImGui::IsKeyPressed(ImGuiKey_F12, false);
  requests.leave = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  requests.next_step = pressed(ImGuiKey_PageDown);
  requests.previous_step = pressed(ImGuiKey_PageUp);
  if (has_focus || io.KeyAlt) return requests;
  requests.enlarge = ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  requests.play = ImGui::IsKeyPressed(ImGuiKey_Space, false);
  if (ImGui::IsKeyPressed(ImGuiKey_F2, false)) preferences.is_projected = !preferences.is_projected;
  if (ImGui::IsKeyPressed(ImGuiKey_L, false))
    preferences.mode = preferences.mode == plot::Theme::Light ? plot::Theme::Dark : plot::Theme::Light;
  if (io.KeyShift) {
    turn_pin(context);
    turn_speed(preferences);
  } else {
    step(context, preferences);
  }
  if (ImGui::IsKeyPressed(ImGuiKey_U, false)) turn_unit(preferences);
  if (ImGui::IsKeyPressed(ImGuiKey_F3, false)) context.prediction.turn();
  if (ImGui::IsKeyPressed(ImGuiKey_F4, false)) context.prediction.reveal_all();
  const session::Snapshot& now = context.now;
  if (pressed(ImGuiKey_LeftBracket) && now.selection.warp.value > 0)
    context.post(session::SelectWarp{WarpId{now.selection.warp.value - 1}});
  if (pressed(ImGuiKey_RightBracket) && now.selection.warp.value + 1 < now.selection.warps)
    context.post(session::SelectWarp{WarpId{now.selection.warp.value + 1}});
  post_compare_keys(context);
  if (now.choices.lesson) turn_toggles(context);
  if (now.choices.file && ImGui::IsKeyPressed(ImGuiKey_K, false))
    next_of_file(context, *now.choices.file, turn_of_keys());
  return requests;
}

}  // namespace lanescope::view
