// The panels of one access: banks and wavefronts of an access to shared memory, sectors and lines of one to
// global memory. Where the current access is to the other kind of memory, its companion is shown, faded.
// Test: tests/gui/stepping_test.cpp

#include "plot/figures.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <algorithm>
#include <functional>

namespace lanescope::view {
namespace {

struct ShownAccess {
  std::function<plot::Figure(const plot::Frame&)> make;
  std::optional<uint32_t> beside;  // its index, where it is the companion
};

/// What the two panels differ in.
struct AccessKind {
  trace::Space space;
  Text none_here, none_at_all, elsewhere, go_to_first;
  std::optional<ShownAccess> (*shown)(const session::Snapshot&);
};

using AccessFigure = plot::Figure (*)(const pipeline::AccessDetail&, const plot::Frame&);

/// The current access if it has such a report, else its companion.
template <class Report>
std::optional<ShownAccess> shown_access(const pipeline::Selection& selection,
                                        std::optional<Report> pipeline::AccessDetail::* report,
                                        AccessFigure figure) {
  const auto show = [&](const pipeline::AccessDetail& detail, std::optional<uint32_t> beside) {
    return ShownAccess{[figure, &detail](const plot::Frame& frame) { return figure(detail, frame); }, beside};
  };
  const auto has_report = [&](const std::optional<pipeline::AccessDetail>& detail) {
    return detail && ((*detail).*report).has_value();
  };
  if (has_report(selection.current)) return show(*selection.current, {});
  if (has_report(selection.companion)) return show(*selection.companion, selection.companion->traced.index);
  return {};
}

constexpr AccessKind kBanks{.space = trace::Space::Shared,
                            .none_here = Text::window_no_shared_here,
                            .none_at_all = Text::window_no_shared_at_all,
                            .elsewhere = Text::window_choose_kernel,
                            .go_to_first = Text::window_first_shared,
                            .shown = [](const session::Snapshot& now) {
                              return shown_access(
                                  now.selection, &pipeline::AccessDetail::banks,
                                  [](const pipeline::AccessDetail& detail, const plot::Frame& frame) {
                                    return plot::bank_figure(detail.drawn, *detail.banks, frame);
                                  });
                            }};

constexpr AccessKind kSectors{
    .space = trace::Space::Global,
    .none_here = Text::window_no_global_here,
    .none_at_all = Text::window_no_global_at_all,
    .elsewhere = Text::window_other_block,
    .go_to_first = Text::window_first_global,
    .shown = [](const session::Snapshot& now) {
      return shown_access(now.selection, &pipeline::AccessDetail::sectors,
                          [](const pipeline::AccessDetail& detail, const plot::Frame& frame) {
                            return plot::sector_figure(detail.drawn, *detail.sectors, frame, detail.origins);
                          });
    }};

class AccessPanel : public FigurePanel {
 public:
  explicit AccessPanel(const AccessKind& kind) : kind_(kind) {}
  void draw(const Context& context) override;

 private:
  void draw_empty(const Context& context);

  const AccessKind& kind_;
};

void AccessPanel::draw_empty(const Context& context) {
  view_.clear();
  draw_header(context);
  const auto& timeline = context.now.selection.timeline;
  const auto first = std::ranges::find(
      timeline, kind_.space, [](const model::TimelineEntry& entry) { return entry.operation.space; });
  const bool any = first != timeline.end();
  if (empty_state(context.theme, context.text(any ? kind_.none_here : kind_.none_at_all),
                  context.text(any ? Text::window_go_on : kind_.elsewhere),
                  any ? context.text(kind_.go_to_first) : std::string_view()))
    context.post(session::SelectAccess{static_cast<uint32_t>(first - timeline.begin())});
}

void AccessPanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const auto access = kind_.shown(context.now);
  if (!access) return draw_empty(context);
  view_.draw(context, {.version = {context.now.generation}, .make = access->make, .beside = access->beside});
}

}  // namespace

std::unique_ptr<Panel> make_banks_panel() { return std::make_unique<AccessPanel>(kBanks); }
std::unique_ptr<Panel> make_sectors_panel() { return std::make_unique<AccessPanel>(kSectors); }

}  // namespace lanescope::view
