// What the kernel printed, or the program that it is of, and before it what the checks found. A click on a
// finding goes to its line. Test: tests/gui/output_test.cpp

#include "session/whole_program.h"
#include "view/finding.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <algorithm>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

class OutputPanel : public Panel {
 public:
  void draw(const Context& context) override;

 private:
  void read(const Context& context, std::string_view text);
  void draw_findings(const Context& context);
  void draw_filter(const Context& context, size_t count);

  std::string filter_;  // of the findings
  std::optional<uint64_t> shown_run_;
  std::string_view shown_text_;                   // to be compared, not read: it may be gone
  std::vector<std::pair<size_t, size_t>> lines_;  // begin and end in the text
};

void draw_finding(const Context& context, int number, const trace::Hazard& hazard, Role role) {
  const Theme& theme = context.theme;
  const std::string text = hazard.where.line != 0 ? fmt::format("{}:{}: {}", hazard.where.file,
                                                                hazard.where.line, trace::sentence_of(hazard))
                                                  : trace::sentence_of(hazard);
  const TextStyle style{Face::Regular, 1, Color::of(role)};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = paragraph_height(theme, style, text, ImGui::GetContentRegionAvail().x);
  ImGui::PushID(number);
  if (ImGui::InvisibleButton("finding", {ImGui::GetContentRegionAvail().x, height},
                             ImGuiButtonFlags_EnableNav))
    go_to(context, hazard);
  if (ImGui::IsItemHovered()) tooltip(theme, where_it_goes(context, hazard));
  ImGui::PopID();
  ImGui::SetCursorScreenPos(at);
  paragraph(theme, style, text);
}

constexpr size_t kFewFindings = 3;  // which need no filter

}  // namespace

void OutputPanel::draw_findings(const Context& context) {
  const Theme& theme = context.theme;
  const trace::Trace& trace = *context.now.run->trace;
  const size_t count = trace.hazards.size() + trace.notes.size();
  const bool has_filter = count > kFewFindings;
  if (has_filter) draw_filter(context, count);
  int number = 0;
  const auto draw_each = [&](const std::vector<trace::Hazard>& hazards, Role role) {
    for (const trace::Hazard& hazard : hazards)
      if (!has_filter || trace::matches(hazard, filter_)) draw_finding(context, number++, hazard, role);
  };
  draw_each(trace.hazards, Role::Bad);
  draw_each(trace.notes, Role::Dim);
  for (const std::string& unchecked : trace.unchecked)
    paragraph(theme, {Face::Regular, 1, Color::of(Role::Dim)},
              context.phrase(Text::window_unchecked, unchecked));
  if (number != 0 || !trace.unchecked.empty()) gap(theme, Space::Medium);
}

/// The words that findings must have, and how many of the findings do.
void OutputPanel::draw_filter(const Context& context, size_t count) {
  const Theme& theme = context.theme;
  const trace::Trace& trace = *context.now.run->trace;
  const auto is_shown = [&](const trace::Hazard& hazard) { return trace::matches(hazard, filter_); };
  const auto shown =
      std::ranges::count_if(trace.hazards, is_shown) + std::ranges::count_if(trace.notes, is_shown);
  ImGui::SetNextItemWidth(theme.em(16));
  text_field(theme, "##finding_filter", filter_, theme.em(16), false,
             context.text(Text::findings_filter_tip));
  ImGui::SameLine();
  paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
            context.phrase(Text::findings_shown, shown, count));
  gap(theme, Space::Small);
}

void OutputPanel::read(const Context& context, std::string_view text) {
  const bool is_same = text.data() == shown_text_.data() && text.size() == shown_text_.size();
  if (is_same && shown_run_ == context.now.run_generation) return;
  shown_text_ = text;
  shown_run_ = context.now.run_generation;
  lines_.clear();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines_.emplace_back(at, end);
    at = end + 1;
  }
}

void OutputPanel::draw(const Context& context) {
  if (draw_no_run(context)) return;
  const Theme& theme = context.theme;
  const trace::Trace& trace = *context.now.run->trace;
  // What a program printed has what its kernels printed in it.
  const session::WholeProgram* program = context.now.whole_program.get();
  const bool is_of_program = program != nullptr && !program->output.empty() &&
                             (context.now.program != nullptr || trace.output.text.empty());
  const std::string_view text = is_of_program ? program->output : trace.output.text;
  read(context, text);
  const bool is_cut = !is_of_program && trace.output.is_cut;
  const bool silent = lines_.empty();
  const std::string lines =
      silent ? std::string()
             : context.phrase(is_cut ? Text::window_output_cut : Text::window_output_lines, lines_.size());
  draw_header(context, {.subtitle = lines,
                        .provenance = Provenance::Emulated,
                        .source = context.text(is_of_program ? Text::program_output_source
                                                             : Text::window_output_source)});
  if (silent && trace.hazards.empty() && trace.notes.empty() && trace.unchecked.empty()) {
    empty_state(theme, context.text(Text::window_no_output), context.text(Text::window_no_output_why));
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ImGui::BeginChild("output", {0, 0}, ImGuiChildFlags_None,
                        ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground)) {
    draw_findings(context);
    const FaceScope mono(theme, Face::Mono, kSmallText);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(lines_.size()), ImGui::GetTextLineHeight());
    while (clipper.Step())
      for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n) {
        const auto [begin, end] = lines_[static_cast<size_t>(n)];
        ImGui::TextUnformatted(text.data() + begin, text.data() + end);
      }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

std::unique_ptr<Panel> make_output_panel() { return std::make_unique<OutputPanel>(); }

}  // namespace lanescope::view
