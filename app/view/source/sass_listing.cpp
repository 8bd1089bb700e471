#include "view/source/sass_listing.h"

#include "base/counted_phrase.h"
#include "base/number.h"
#include "model/residency.h"
#include "plot/wording.h"
#include "view/level_mark.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

std::string hex(uint32_t address) { return fmt::format("{:#06x}", address); }

/// "0120  LDS.128    [R4+0x10]"
ListingLine line_of(uint32_t address, const std::string& name, const std::string& operands) {
  const std::string pc = fmt::format("{:04x}  ", address);
  const auto begin = static_cast<uint32_t>(pc.size()), end = static_cast<uint32_t>(pc.size() + name.size());
  ListingLine line;
  line.text = fmt::format("{}{:<10} {}", pc, name, operands);
  line.words = {{0, begin, Role::SyntaxComment}, {begin, end, Role::SyntaxKeyword}};
  return line;
}

}  // namespace

SassListing::Row SassListing::row_of(uint32_t access) const {
  const sass::MachineAccess& its = level_->match.accesses[access];
  const std::string name = sass::name_of(its);
  return {.code = line_of(its.pc, name, sass::address_of(its)),
          .name = name,
          .pc = its.pc,
          .ptx_line = static_cast<int>(its.ptx_line),
          .access = access,
          .about = "1"};
}

SassListing::Row SassListing::row_of(const sass::ConvergenceInstruction& instruction) const {
  using Kind = sass::ConvergenceInstruction::Kind;
  const std::string name = sass::name_of(instruction);
  Row row{.code = line_of(instruction.pc, name, sass::operands_of(instruction)),
          .name = name,
          .pc = instruction.pc,
          .ptx_line = static_cast<int>(instruction.ptx_line),
          .about = {}};
  if (instruction.kind == Kind::Warpsync) row.tip = Text::window_sass_warpsync;
  if (instruction.kind == Kind::Bssy) {
    row.tip = Text::window_sass_bssy;
    row.about = hex(instruction.target);
  }
  if (const auto* const bssy = sass::bssy_of(level_->convergence, instruction)) {
    const bool is_bsync = instruction.kind == Kind::Bsync;
    row.tip = is_bsync ? Text::window_sass_bsync : Text::window_sass_break;
    row.about = hex(is_bsync ? bssy->pc : sass::bsync_of(*bssy));
  }
  return row;
}

void SassListing::read(const std::shared_ptr<const sass::MachineLevel>& level) {
  if (level_ == level) return;
  level_ = level;
  rows_.clear();
  scrolled_to_ = -1;
  const sass::Match& match = level->match;
  for (uint32_t n = 0; n < match.accesses.size(); ++n) rows_.push_back(row_of(n));
  for (const sass::SiteMatch& site : match.sites)
    for (const uint32_t index : site.instructions) rows_[index].tip = text_of(site.fate);
  for (const sass::MergedAccess& merged : match.merged)
    for (const uint32_t index : merged.instructions) {
      if (merged.sites.size() > 1) rows_[index].tip = Text::window_sass_merged;
      rows_[index].about = std::to_string(merged.sites.size());
    }
  for (const uint32_t index : match.spills) rows_[index].tip = Text::window_sass_spill;
  for (const sass::ConvergenceInstruction& instruction : level->convergence)
    rows_.push_back(row_of(instruction));
  std::ranges::sort(rows_, {}, &Row::pc);
}

SassListing::Current SassListing::current_of(const Context& context) const {
  Current current;
  const auto& access = context.now.selection.current;
  const sass::Match& match = level_->match;
  if (!access || access->traced.access.site.value >= match.sites.size()) return current;
  const sass::SiteMatch& site = match.sites[access->traced.access.site.value];
  current.instructions = site.instructions;
  if (site.merged != sass::SiteMatch::kNone) {
    const auto& joint = match.merged[site.merged].instructions;
    current.instructions.insert(current.instructions.end(), joint.begin(), joint.end());
  }
  if (!current.instructions.empty())
    current.bssy = sass::enclosing_bssy(level_->convergence, match.accesses[current.instructions.front()].pc);
  return current;
}

/// Where the lanes wait that take no part in the access.
void SassListing::draw_divergence(const Context& context, const Current& current) const {
  if (current.instructions.empty()) return;
  const trace::WarpAccess& access = context.now.selection.current->traced.access;
  const uint64_t threads = volume(context.now.run->trace->block);
  const auto all =
      static_cast<int>(std::min<uint64_t>(kLanes, threads - uint64_t{kLanes} * access.warp.value));
  const int active = access.active.count();
  if (active >= all) return;
  const bool is_guarded = level_->match.accesses[current.instructions.front()].is_guarded;
  const Language language = context.language();
  std::string sentence;
  if (current.bssy != nullptr)
    sentence = counted_phrase(language, Text::window_sass_some_lanes, active, all, hex(current.bssy->pc),
                              hex(sass::bsync_of(*current.bssy)));
  else
    sentence = counted_phrase(
        language, is_guarded ? Text::window_sass_guarded : Text::window_sass_lanes_apart, active, all);
  ImGui::Indent(context.theme.space(Space::Large));
  paragraph(context.theme, {Face::Regular, kSmallText, Color::of(Role::Ink)}, sentence);
  ImGui::Unindent(context.theme.space(Space::Large));
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
                           plot::limit_name(language, residency.limit, trace.level)));
  ImGui::Unindent(context.theme.space(Space::Large));
}

void SassListing::draw_row(const Context& context, const Row& row, bool is_marked, int source_line) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = code_line_height(theme);
  const float left = at.x + theme.space(Space::Large), middle = at.y + height / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (is_marked) {
    list.AddRectFilled(at, at + ImVec2(width, height), theme.color(Role::AccentSoft));
    list.AddRectFilled(at, at + ImVec2(3 * theme.scale, height), theme.color(Role::Accent));
  }
  draw_code(theme, list, {left, middle}, row.code);
  ImGui::PushID(static_cast<int>(row.pc));
  ImGui::InvisibleButton("machine instruction", {std::max(width, 1.0f), height});
  ImGui::PopID();
  if (!ImGui::IsItemHovered()) return;
  hovered_ = source_line;
  std::string tip = context.phrase(Text::window_sass_hover, row.name, hex(row.pc), row.ptx_line);
  if (row.tip) tip += "\n" + context.phrase(*row.tip, row.about);
  tooltip(theme, tip);
}

int SassListing::draw(const Context& context, const std::vector<int>& source_line_of, int line) {
  hovered_ = 0;
  const auto source_line = [&](const Row& row) {
    const auto ptx = static_cast<size_t>(row.ptx_line);
    return ptx == 0 || ptx > source_line_of.size() ? 0 : source_line_of[ptx - 1];
  };
  const Current current = current_of(context);
  const auto is_marked = [&](const Row& row) {
    return row.access && std::ranges::find(current.instructions, *row.access) != current.instructions.end();
  };
  const auto is_barrier = [&](const Row& row) {
    return current.bssy != nullptr && (row.pc == current.bssy->pc || row.pc == sass::bsync_of(*current.bssy));
  };
  if (ImGui::BeginChild("sass", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar)) {
    const float height = code_line_height(context.theme);
    int count = 0;
    bool is_first = true;  // of the marked ones
    for (const Row& row : rows_) {
      if (line != 0 && source_line(row) != line && !is_marked(row) && !is_barrier(row)) continue;
      if (is_marked(row) && std::exchange(is_first, false) && scrolled_to_ != static_cast<int>(row.pc)) {
        scrolled_to_ = static_cast<int>(row.pc);
        const float y = static_cast<float>(count) * height;
        ImGui::SetScrollY(std::max(0.0f, y - std::floor(ImGui::GetWindowHeight() / 2 / height) * height));
      }
      ++count;
      draw_row(context, row, is_marked(row), source_line(row));
    }
    if (count == 0)
      paragraph(context.theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
                "  " + std::string(context.text(Text::window_sass_none_here)));
    draw_divergence(context, current);
    draw_resources(context);
  }
  ImGui::EndChild();
  return hovered_;
}

}  // namespace lanescope::view
