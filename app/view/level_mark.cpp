#include "view/level_mark.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace lanescope::view {
namespace {

using plot::Role;
using sass::Fate;

/// The panels of the accesses of a warp or a block, and of the selected one.
constexpr PanelId kOfAccesses[] = {PanelId::Banks, PanelId::Sectors,  PanelId::Warp,     PanelId::Warps,
                                   PanelId::Grid,  PanelId::Elements, PanelId::Timeline, PanelId::Partitions,
                                   PanelId::Lanes, PanelId::Accesses};

/// The access that the panel draws; null where it draws none.
const pipeline::AccessDetail* access_of(const Context& context) {
  const pipeline::Selection& selection = context.now.selection;
  const auto with = [&](auto report) -> const pipeline::AccessDetail* {
    for (const auto* access : {&selection.current, &selection.companion})
      if (*access && ((**access).*report)) return &**access;
    return nullptr;
  };
  switch (context.panel) {
    case PanelId::Banks:
      return with(&pipeline::AccessDetail::banks);
    case PanelId::Sectors:
      return with(&pipeline::AccessDetail::sectors);
    case PanelId::Lanes:
      return selection.current ? &*selection.current : nullptr;
    default:
      return nullptr;
  }
}

/// Mark of a panel that draws the access as the machine code makes it.
LevelMark mark_of_drawn(const Context& context, const sass::MachineLevel& machine,
                        const model::TracedAccess& drawn) {
  LevelMark mark{.text = drawn.instruction,
                 .shorter = std::string(context.text(Text::window_level_sass)),
                 .tip = std::string(context.text(Text::window_level_drawn_why)),
                 .role = Role::Accent};
  mark.tip += "\n" + mark.text;
  if (const auto why = text_of(machine.match.sites[drawn.access.site.value].fate))
    mark.tip += "\n" + context.phrase(*why, drawn.parts);
  return mark;
}

LevelMark mark_of_access(const Context& context, const sass::MachineLevel& machine) {
  LevelMark mark{.text = std::string(context.text(Text::window_level_ptx)),
                 .shorter = std::string(context.text(Text::window_level_ptx)),
                 .tip = std::string(context.text(Text::window_level_access_why))};
  const pipeline::AccessDetail* const access = access_of(context);
  if (access != nullptr && context.panel != PanelId::Lanes && !access->drawn.instruction.empty())
    return mark_of_drawn(context, machine, access->drawn);
  const size_t site = access == nullptr ? machine.match.sites.size() : access->traced.access.site.value;
  if (site >= machine.match.sites.size()) return mark;
  const sass::SiteMatch& match = machine.match.sites[site];
  const auto why = text_of(match.fate);
  if (!why) return mark;
  const bool is_joint = match.merged != sass::SiteMatch::kNone;
  const sass::MergedAccess* const merged = is_joint ? &machine.match.merged[match.merged] : nullptr;
  const auto& instructions = is_joint ? merged->instructions : match.instructions;
  mark.text = instructions.empty()
                  ? std::string(context.text(Text::window_level_removed))
                  : context.phrase(Text::window_level_becomes,
                                   sass::name_of(machine.match.accesses[instructions.front()]));
  mark.tip += "\n" + mark.text + "\n" + context.phrase(*why, is_joint ? merged->sites.size() : 1);
  mark.role = Role::Ink;
  return mark;
}

}  // namespace

std::optional<Text> text_of(Fate fate) {
  switch (fate) {
    case Fate::Same:
      break;
    case Fate::Merged:
      return Text::window_sass_merged;
    case Fate::Removed:
      return Text::window_sass_removed;
    case Fate::Narrower:
      return Text::window_sass_narrower;
    case Fate::Replaced:
      return Text::window_sass_replaced;
  }
  return std::nullopt;
}

std::optional<LevelMark> level_mark(const Context& context) {
  if (!context.now.run) return std::nullopt;
  const sass::MachineLevel* const machine = pipeline::counted_machine(*context.now.run);
  const bool is_machine = context.now.run->trace->level == trace::CountLevel::MachineCode;
  if (!is_machine) return std::nullopt;
  if (context.panel == PanelId::Source || context.panel == PanelId::Totals) {
    // By the rules of an older device the stored accesses are counted, which are those of the PTX.
    if (pipeline::units_of(*context.now.run) != model::CostUnits::Sectors) return std::nullopt;
    return LevelMark{.text = std::string(context.text(Text::window_level_sass)),
                     .shorter = std::string(context.text(Text::window_level_sass)),
                     .tip = std::string(context.text(Text::window_level_sass_why)),
                     .role = Role::Accent};
  }
  if (std::ranges::find(kOfAccesses, context.panel) == std::end(kOfAccesses)) return std::nullopt;
  if (machine == nullptr)
    return LevelMark{.text = std::string(context.text(Text::window_level_ptx)),
                     .shorter = std::string(context.text(Text::window_level_ptx)),
                     .tip = std::string(context.text(Text::window_level_access_why))};
  return mark_of_access(context, *machine);
}

}  // namespace lanescope::view
