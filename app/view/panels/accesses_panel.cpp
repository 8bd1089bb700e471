// The accesses of the selected warp as a list: those that a filter accepts, sorted by a column. A click goes
// to the access. Test: tests/gui/accesses_panel_test.cpp

#include "model/access_filter.h"
#include "plot/access_cost.h"
#include "plot/wording.h"
#include "view/control_name.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/table_headers.h"
#include "view/widgets.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

enum class SortColumn : uint8_t { Number, Line, Operation, Bytes, Lanes, Cost, Excess };
constexpr int kSortColumns = 7;

struct Order {
  SortColumn column = SortColumn::Number;
  bool is_falling = false;
  bool operator==(const Order&) const = default;
};

class AccessesPanel : public Panel {
 public:
  void draw(const Context& context) override;

 private:
  void choose_rows(const Context& context, const Order& order);
  void draw_filter(const Context& context);
  void draw_rows(const Context& context);
  void draw_row(const Context& context, uint32_t number);

  /// What the rows were chosen of.
  struct Chosen {
    uint64_t run = 0;
    CtaId cta;
    WarpId warp;
    size_t count = 0;
    std::string filter;
    Order order;
    bool operator==(const Chosen&) const = default;
  };
  std::string filter_;
  std::optional<std::string> problem_;  // of the filter
  Chosen chosen_;
  std::vector<uint32_t> rows_;  // indices into the timeline
};

uint32_t excess_of(const model::TimelineEntry& access) {
  return model::cost_of(access) - std::min(model::cost_of(access), model::ideal_cost_of(access));
}

/// What a column is sorted by.
int64_t key_of(const model::TimelineEntry& access, uint32_t number, SortColumn column) {
  switch (column) {
    case SortColumn::Number:
      return number;
    case SortColumn::Line:
      return access.line;
    case SortColumn::Operation:
      return static_cast<int64_t>(access.operation.space) * 16 + static_cast<int64_t>(access.operation.kind);
    case SortColumn::Bytes:
      return access.operation.bytes_per_lane;
    case SortColumn::Lanes:
      return access.active.count();
    case SortColumn::Cost:
      return model::cost_of(access);
    case SortColumn::Excess:
      return excess_of(access);
  }
  return number;
}

/// The order that a click on a title chose.
Order chosen_order() {
  const ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
  if (specs == nullptr || specs->SpecsCount == 0) return {};
  return {static_cast<SortColumn>(specs->Specs[0].ColumnIndex),
          specs->Specs[0].SortDirection == ImGuiSortDirection_Descending};
}

}  // namespace

void AccessesPanel::choose_rows(const Context& context, const Order& order) {
  const pipeline::Selection& selection = context.now.selection;
  Chosen now{context.now.run_generation, selection.cta, selection.warp,
             selection.timeline.size(),  filter_,       order};
  if (now == chosen_) return;
  chosen_ = std::move(now);
  rows_.clear();
  const auto filter = model::parse_access_filter(filter_);
  problem_ = filter ? std::nullopt : std::optional(filter.error().message);
  const model::AccessFilter accepted = filter.value_or(model::AccessFilter{});
  for (uint32_t n = 0; n < selection.timeline.size(); ++n)
    if (model::accepts(accepted, selection.timeline[n])) rows_.push_back(n);
  const auto key = [&](uint32_t n) { return key_of(selection.timeline[n], n, order.column); };
  if (order.is_falling)
    std::ranges::stable_sort(rows_, std::ranges::greater(), key);
  else
    std::ranges::stable_sort(rows_, std::ranges::less(), key);
}

void AccessesPanel::draw_filter(const Context& context) {
  const Theme& theme = context.theme;
  ImGui::SetNextItemWidth(theme.em(22));
  text_field(theme, "##access_filter", filter_, theme.em(22), problem_.has_value(),
             context.text(Text::accesses_filter_tip));
  ImGui::SameLine();
  const std::string shown =
      problem_ ? *problem_
               : context.phrase(Text::accesses_shown, rows_.size(), context.now.selection.timeline.size());
  paragraph(theme, {Face::Regular, kSmallText, Color::of(problem_ ? Role::Bad : Role::Dim)}, shown);
}

void AccessesPanel::draw_row(const Context& context, uint32_t number) {
  const model::TimelineEntry& access = context.now.selection.timeline[number];
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool is_selected = number == context.now.selection.access;
  if (ImGui::Selectable(fmt::format("{}##{}", number + 1, number).c_str(), is_selected,
                        ImGuiSelectableFlags_SpanAllColumns))
    context.post(session::SelectAccess{number});
  name_control(fmt::format("{} {}", number + 1, plot::operation_name(access.operation)), is_selected);
  const auto cell = [](const std::string& text) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(text.c_str());
  };
  cell(access.line > 0 ? std::to_string(access.line) : "–");
  cell(plot::operation_name(access.operation));
  cell(std::to_string(access.operation.bytes_per_lane));
  cell(std::to_string(access.active.count()));
  cell(plot::cost_name(context.language(), access, context.now.selection.units));
  ImGui::TableNextColumn();
  const uint32_t excess = excess_of(access);
  const ColorScope ink(ImGuiCol_Text, context.theme.color(excess > 0 ? Role::Bad : Role::Good));
  ImGui::TextUnformatted(std::to_string(excess).c_str());
}

void AccessesPanel::draw_rows(const Context& context) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                     ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_Resizable |
                                     ImGuiTableFlags_Sortable | ImGuiTableFlags_Hideable |
                                     ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_PadOuterX;
  if (!ImGui::BeginTable("accesses", kSortColumns, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("#", ImGuiTableColumnFlags_DefaultSort);
  using enum Text;
  for (const Text title :
       {accesses_line, accesses_operation, accesses_bytes, accesses_lanes, accesses_cost, figure_excess})
    ImGui::TableSetupColumn(begin_of(context.text(title)));
  // A class predicts them first.
  const bool has_costs = !context.prediction.covers(PanelId::Accesses);
  for (const SortColumn column : {SortColumn::Cost, SortColumn::Excess})
    ImGui::TableSetColumnEnabled(static_cast<int>(column), has_costs);
  draw_table_headers();
  choose_rows(context, chosen_order());
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows_.size()));
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
      draw_row(context, rows_[static_cast<size_t>(row)]);
  ImGui::EndTable();
}

void AccessesPanel::draw(const Context& context) {
  if (draw_no_run(context)) return;
  const session::Snapshot& now = context.now;
  const Dim3 block = position_of(now.selection.cta.value, now.run->trace->grid);
  draw_header(context,
              {.subtitle = context.phrase(Text::window_warp_of, now.selection.warp.value, block.x, block.y),
               .provenance = now.run->trace->provenance});
  if (now.selection.timeline.empty())
    return void(empty_state(context.theme, context.text(Text::window_no_access),
                            context.text(Text::window_other_warp)));
  draw_filter(context);
  draw_rows(context);
}

std::unique_ptr<Panel> make_accesses_panel() { return std::make_unique<AccessesPanel>(); }

}  // namespace lanescope::view
