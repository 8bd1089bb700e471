#include "handout/lab.h"

#include "base/utf8.h"
#include "handout/settings_json.h"
#include "pipeline/matching_access.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

namespace lanescope::handout {
namespace {

using exporting::Json;

/// Runs that are kept: those of both sides, and those before a toggle was flipped.
constexpr size_t kKeptRuns = 3;
/// Warp instructions after which a kernel that does not end is stopped: nobody can stop it in a page.
constexpr uint64_t kLimitSteps = 1'000'000'000;

pipeline::Selection selection_at(const pipeline::Run& run, const Place& place, const model::Device& device) {
  pipeline::SelectionRequest wanted{place.cta, place.warp, place.access.value_or(0)};
  pipeline::Selection selection = pipeline::select(run, wanted, device.compute_capability);
  if (place.access || selection.timeline.empty()) return selection;
  wanted.access = first_shown_access(selection);
  return wanted.access == 0 ? selection : pipeline::select(run, wanted, device.compute_capability);
}

/// The toggles and the kernel of a request, which is a stranger's.
Result<lesson::Settings> settings_of(const lesson::Lesson& lesson, const Json& values) {
  lesson::Settings settings = lesson::initial_settings(lesson);
  TRY(settings, lesson::with_toggle(lesson, settings, "kernel", values.at("kernel").get<std::string>()));
  for (const lesson::Toggle& toggle : lesson.toggles)
    if (values.contains(toggle.name)) {
      TRY(settings,
          lesson::with_toggle(lesson, settings, toggle.name, values.at(toggle.name).get<std::string>()));
    }
  return settings;
}

Result<Json> answered(Lab& lab, const Json& request) {
  const lesson::Lesson& lesson = lab.lesson();
  Wish wish;
  TRY(wish.settings, settings_of(lesson, request.at("settings")));
  if (const Json& change = request.at("change"); !change.is_null()) {
    TRY(wish.settings, lesson::with_toggle(lesson, wish.settings, change.at(0).get<std::string>(),
                                           change.at(1).get<std::string>()));
  }
  if (const Json& a = request.at("a"); !a.is_null()) {
    TRY(wish.a, settings_of(lesson, a));
  }
  wish.place = {CtaId{request.at("block").get<uint32_t>()}, WarpId{request.at("warp").get<uint32_t>()}, {}};
  if (const Json& access = request.at("access"); !access.is_null())
    wish.place.access = access.get<uint32_t>();
  Look look;
  look.language = request.at("language") == "fr" ? Language::French : Language::English;
  look.step_width = request.at("width").get<float>();
  look.whole_width = request.at("whole_width").get<float>();
  TRY(const Sides sides, lab.show(wish));
  const pipeline::Selection& selection = sides.now.selection;
  TRY(const auto step, step_html(sides, look));
  Json reply{{"settings", json_of(wish.settings)},
             {"applies", Json::array()},
             {"grid", volume(sides.now.run->trace->grid)},
             {"warps", selection.warps},
             {"block", selection.cta.value},
             {"warp", selection.warp.value},
             {"count", selection.timeline.size()},
             {"access", selection.access},
             {"line", line_of(sides.now)},
             {"a_line", sides.a ? line_of(*sides.a) : 0},
             {"step", step}};
  for (const lesson::Toggle& toggle : lesson.toggles)
    if (lesson::applies(lesson, wish.settings, toggle)) reply["applies"].push_back(toggle.name);
  if (request.at("whole").get<bool>()) {
    TRY(const auto run, run_html(sides, look));
    for (const RunHtml& html : run) {
      reply["head"].push_back(html.head);
      reply["figures"].push_back(html.figures);
    }
    reply["source"] = Json::array({source_html(sides.now, look.language)});
    if (sides.a) reply["source"].push_back(source_html(*sides.a, look.language));
  }
  return reply;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

Result<std::shared_ptr<const pipeline::Run>> Lab::run(const lesson::Settings& settings, CtaId values_of) {
  const auto same = std::ranges::find_if(
      kept_, [&](const Kept& one) { return one.settings == settings && one.values_of == values_of; });
  if (same != kept_.end()) {
    std::rotate(same, same + 1, kept_.end());
    return kept_.back().run;
  }
  TRY(const pipeline::Job job, pipeline::job_of(*lesson_, settings, options_));
  if (values_of.value >= volume(job.launch->grid))
    return fail(ErrorKind::Usage,
                fmt::format("the grid has {} blocks, counted from 0, and block {} was asked for",
                            volume(job.launch->grid), values_of.value));
  pipeline::RunOptions options;
  options.keep.values_of = values_of;
  options.limit_steps = kLimitSteps;
  options.keeps_origins = true;
  TRY(auto made, execution_.run(job, device_, options));
  kept_.push_back({settings, values_of, made});
  if (kept_.size() > kKeptRuns) kept_.pop_front();
  return made;
}

Result<Sides> Lab::show(const Wish& wish) {
  Sides sides;
  const auto side = [&](const lesson::Settings& settings, CtaId cta) -> Result<Side> {
    TRY(auto made, run(settings, cta));
    return Side{std::move(made), lesson_, settings, device_, {}};
  };
  TRY(sides.now, side(wish.settings, wish.place.cta));
  sides.now.selection = selection_at(*sides.now.run, wish.place, device_);
  if (!wish.a) return sides;
  Side a;
  if (auto same_block = side(*wish.a, wish.place.cta)) {
    a = *std::move(same_block);
  } else {
    TRY(a, side(*wish.a, CtaId{0}));  // A has fewer blocks
  }
  Place place = wish.place;
  place.access = 0;
  const pipeline::Selection whole = selection_at(*a.run, place, device_);
  place.cta = whole.cta;
  place.access =
      pipeline::matching_access(sides.now.selection.timeline, sides.now.selection.access, whole.timeline);
  a.selection = selection_at(*a.run, place, device_);
  sides.a = std::move(a);
  return sides;
}

std::string answer(Lab& lab, std::string_view request) {
  const auto try_to = [&] {
    const auto reply = answered(lab, Json::parse(request));
    return text_of(reply ? *reply : Json{{"error", describe(reply.error())}});
  };
  try {
    try {
      return try_to();
    } catch (const std::bad_alloc&) {
      lab.forget();
      return try_to();
    }
  } catch (const std::bad_alloc&) {
    return text_of(
        Json{{"error", "this run does not fit into the memory of a browser; choose a smaller size"}});
  } catch (const std::exception& exception) {
    return text_of(Json{{"error", exception.what()}});
  }
}

}  // namespace lanescope::handout
