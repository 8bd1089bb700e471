#include "handout/lab.h"

#include "base/utf8.h"
#include "handout/packed_launches.h"
#include "handout/settings_json.h"
#include "pipeline/matching_access.h"
#include "pipeline/sequence.h"

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

Result<void> check_block(CtaId block, Dim3 grid) {
  if (block.value < volume(grid)) return {};
  return fail(ErrorKind::Usage,
              fmt::format("the grid has {} blocks, counted from 0, and block {} was asked for", volume(grid),
                          block.value));
}

/// The macros of a file, of which there are settings for each.
Result<lesson::Settings> settings_of(const Offer& macros, const Json& values) {
  lesson::Settings settings;
  for (const auto& [name, known] : macros) settings.values[name] = values.at(name).get<std::string>();
  return settings;
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

Result<lesson::Settings> settings_of(const Lab& lab, const Json& values) {
  if (const auto lesson = lab.lesson()) return settings_of(*lesson, values);
  const auto* const file = std::get_if<FileLaunches>(&lab.subject());
  return settings_of(file != nullptr ? file->macros : Offer(), values);
}

/// `settings` after a reader has chosen a value. Errors: Usage.
Result<lesson::Settings> with_change(const Lab& lab, lesson::Settings settings, const std::string& name,
                                     const std::string& value) {
  if (const auto lesson = lab.lesson()) return lesson::with_toggle(*lesson, settings, name, value);
  const auto found = settings.values.find(name);
  if (found == settings.values.end())
    return fail(ErrorKind::Usage, fmt::format("there is nothing to choose by the name '{}'", name));
  found->second = value;
  return settings;
}

/// Names of the toggles that matter with these settings.
Json names_that_apply(const Lab& lab, const lesson::Settings& settings) {
  Json names = Json::array();
  if (const auto lesson = lab.lesson()) {
    for (const lesson::Toggle& toggle : lesson->toggles)
      if (lesson::applies(*lesson, settings, toggle)) names.push_back(toggle.name);
  } else {
    for (const auto& [name, value] : settings.values) names.push_back(name);
  }
  return names;
}

Result<Json> answered(Lab& lab, const Json& request) {
  Wish wish;
  TRY(wish.settings, settings_of(lab, request.at("settings")));
  if (const Json& change = request.at("change"); !change.is_null()) {
    TRY(wish.settings,
        with_change(lab, wish.settings, change.at(0).get<std::string>(), change.at(1).get<std::string>()));
  }
  if (const Json& a = request.at("a"); !a.is_null()) {
    TRY(wish.a, settings_of(lab, a));
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
             {"applies", names_that_apply(lab, wish.settings)},
             {"grid", volume(sides.now.run->trace->grid)},
             {"warps", selection.warps},
             {"block", selection.cta.value},
             {"warp", selection.warp.value},
             {"count", selection.timeline.size()},
             {"access", selection.access},
             {"line", line_of(sides.now)},
             {"a_line", sides.a ? line_of(*sides.a) : 0},
             {"step", step}};
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

std::shared_ptr<const lesson::Lesson> Lab::lesson() const {
  const auto* const lesson = std::get_if<std::shared_ptr<const lesson::Lesson>>(&subject_);
  return lesson == nullptr ? nullptr : *lesson;
}

Result<std::shared_ptr<const pipeline::Run>> Lab::run_anew(const lesson::Settings& settings,
                                                           CtaId values_of) {
  if (const auto* const run = std::get_if<std::shared_ptr<const pipeline::Run>>(&subject_)) {
    TRY_VOID(check_block(values_of, (*run)->trace->grid));
    return *run;
  }
  pipeline::RunOptions options;
  options.keep.values_of = values_of;
  options.limit_steps = kLimitSteps;
  options.keeps_origins = true;
  if (const auto* const file = std::get_if<FileLaunches>(&subject_)) {
    TRY(const auto steps, pipeline::steps_of_files(launches_at(*file, settings), file->options));
    TRY_VOID(check_block(values_of, steps.back().job.launch->grid));
    TRY(const auto runs, pipeline::run_steps(execution_, steps, device_, options, [](const auto&) {}));
    return runs.back();
  }
  TRY(const pipeline::Job job, pipeline::job_of(*lesson(), settings, options_));
  TRY_VOID(check_block(values_of, job.launch->grid));
  return execution_.run(job, device_, options);
}

Result<std::shared_ptr<const pipeline::Run>> Lab::run(const lesson::Settings& settings, CtaId values_of) {
  const auto same = std::ranges::find_if(
      kept_, [&](const Kept& one) { return one.settings == settings && one.values_of == values_of; });
  if (same != kept_.end()) {
    std::rotate(same, same + 1, kept_.end());
    return kept_.back().run;
  }
  TRY(auto made, run_anew(settings, values_of));
  keep(settings, values_of, made);
  return made;
}

void Lab::keep(const lesson::Settings& settings, CtaId values_of, std::shared_ptr<const pipeline::Run> run) {
  kept_.push_back({settings, values_of, std::move(run)});
  if (kept_.size() > kKeptRuns) kept_.pop_front();
}

Result<Sides> Lab::show(const Wish& wish) {
  Sides sides;
  const auto side = [&](const lesson::Settings& settings, CtaId cta) -> Result<Side> {
    TRY(auto made, run(settings, cta));
    return Side{std::move(made), lesson(), settings, device_, {}};
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
