#include "view/source/sass_listing.h"

#include "base/counted_phrase.h"
#include "base/number.h"
#include "model/residency.h"
#include "plot/wording.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>

namespace lanescope::view {

using plot::Color;
using plot::Role;
using sass::Fate;

void SassListing::read(const std::shared_ptr<const sass::MachineLevel>& level) {
  if (level_ == level) return;
  level_ = level;
  rows_.clear();
  scrolled_to_ = -1;
  const sass::Match& match = level->match;
  for (const sass::MachineAccess& access : match.accesses) {
    const std::string pc = fmt::format("{:04x}  ", access.pc);
    const std::string name = sass::name_of(access);
    Row row{.code = {}, .ptx_line = static_cast<int>(access.ptx_line)};
    row.code.text = fmt::format("{}{:<10} {}", pc, name, sass::address_of(access));
    row.code.words = {{0, static_cast<uint32_t>(pc.size()), Role::SyntaxComment},
                      {static_cast<uint32_t>(pc.size()), static_cast<uint32_t>(pc.size() + name.size()),
                       Role::SyntaxKeyword}};
    rows_.push_back(std::move(row));
  }
  const auto set_tip = [&](uint32_t index, Text tip) {
    rows_[index].tip = tip;
    rows_[index].has_tip = true;
  };
  for (const sass::SiteMatch& site : match.sites)
    for (const uint32_t index : site.instructions) {
      if (site.fate == Fate::Narrower) set_tip(index, Text::window_sass_narrower);
      if (site.fate == Fate::Replaced) set_tip(index, Text::window_sass_replaced);
    }
  for (const sass::MergedAccess& merged : match.merged)
    for (const uint32_t index : merged.instructions) {
      set_tip(index, Text::window_sass_merged);
      rows_[index].sites = merged.sites.size();
    }
  for (const uint32_t index : match.spills) set_tip(index, Text::window_sass_spill);
}

void SassListing::draw_resources(const Context& context) const {
  const trace::Trace& trace = *context.now.run->trace;
  const model::Device& device = context.now.choices.device;
  // The machine code is not that of an older device.
  if (device.compute_capability < 50) return;
  const model::Residency residency = model::residency_of(trace, device);
  const Language language = context.language();
  ImGui::Indent(context.theme.space(Space::Large));
  paragraph(context.theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
            counted_phrase(language, Text::window_sass_resources, level_->registers,
                           number(language, trace.shared_bytes), residency.per_multiprocessor,
                           plot::limit_name(language, residency.limit, trace::CountLevel::MachineCode)));
  ImGui::Unindent(context.theme.space(Space::Large));
}

bool SassListing::is_of_access(const Context& context, size_t row) const {
  const auto& access = context.now.selection.current;
  if (!access) return false;
  const size_t site = access->traced.access.site.value;
  const sass::Match& match = level_->match;
  if (site >= match.sites.size()) return false;
  const auto has = [&](const std::vector<uint32_t>& instructions) {
    return std::ranges::find(instructions, static_cast<uint32_t>(row)) != instructions.end();
  };
  const uint32_t merged = match.sites[site].merged;
  return has(match.sites[site].instructions) ||
         (merged != sass::SiteMatch::kNone && has(match.merged[merged].instructions));
}

void SassListing::draw_row(const Context& context, size_t row, int source_line) {
  const Theme& theme = context.theme;
  const Row& its = rows_[row];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = code_line_height(theme);
  const float left = at.x + theme.space(Space::Large), middle = at.y + height / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (is_of_access(context, row)) {
    list.AddRectFilled(at, at + ImVec2(width, height), theme.color(Role::AccentSoft));
    list.AddRectFilled(at, at + ImVec2(3 * theme.scale, height), theme.color(Role::Accent));
  }
  draw_code(theme, list, {left, middle}, its.code);
  ImGui::PushID(static_cast<int>(row));
  ImGui::InvisibleButton("machine instruction", {std::max(width, 1.0f), height});
  ImGui::PopID();
  if (!ImGui::IsItemHovered()) return;
  hovered_ = source_line;
  const sass::MachineAccess& access = level_->match.accesses[row];
  std::string tip = context.phrase(Text::window_sass_hover, sass::name_of(access),
                                   fmt::format("{:#06x}", access.pc), its.ptx_line);
  if (its.has_tip) tip += "\n" + context.phrase(its.tip, its.sites);
  tooltip(theme, tip);
}

int SassListing::draw(const Context& context, const std::vector<int>& source_line_of, int line) {
  hovered_ = 0;
  const auto source_line = [&](size_t row) {
    const auto ptx = static_cast<size_t>(rows_[row].ptx_line);
    return ptx == 0 || ptx > source_line_of.size() ? 0 : source_line_of[ptx - 1];
  };
  if (ImGui::BeginChild("sass", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar)) {
    const float height = code_line_height(context.theme);
    int count = 0;
    for (size_t row = 0; row < rows_.size(); ++row) {
      if (line != 0 && source_line(row) != line && !is_of_access(context, row)) continue;
      if (is_of_access(context, row) && scrolled_to_ != static_cast<int>(row)) {
        scrolled_to_ = static_cast<int>(row);
        const float y = static_cast<float>(count) * height;
        ImGui::SetScrollY(std::max(0.0f, y - std::floor(ImGui::GetWindowHeight() / 2 / height) * height));
      }
      ++count;
      draw_row(context, row, source_line(row));
    }
    if (count == 0)
      paragraph(context.theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
                "  " + std::string(context.text(Text::window_sass_none_here)));
    draw_resources(context);
  }
  ImGui::EndChild();
  return hovered_;
}

}  // namespace lanescope::view
