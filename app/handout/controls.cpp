#include "handout/controls.h"

#include "handout/markup.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace lanescope::handout {
namespace {

std::string option_html(std::string_view value, std::string_view label, bool is_chosen) {
  return fmt::format("<option value=\"{}\"{}>{}</option>", plain(value), is_chosen ? " selected" : "",
                     plain(label));
}

/// The label of a choice; a free value is its own.
std::string label_of(const lesson::Toggle& toggle, const std::string& value, Language language) {
  const auto choice = std::ranges::find(toggle.choices, value, &lesson::Choice::value);
  const bool has_label = choice != toggle.choices.end() && !choice->label.in(language).empty();
  return has_label ? choice->label.in(language) : value;
}

/// A list of the values, which `key` steps through; 0: none does. A value that is not among them comes first.
template <class F>
std::string list_html(const std::string& name, std::string_view label, std::string_view hint, char key,
                      std::vector<std::string> values, const std::string& chosen, F&& label_of_value) {
  if (std::ranges::find(values, chosen) == values.end()) values.insert(values.begin(), chosen);
  std::string html =
      fmt::format("<label title=\"{}\"><span>{}</span> <select data-toggle=\"{}\"{}>", plain(hint),
                  plain(label), plain(name), key == 0 ? "" : fmt::format(" data-key=\"{}\"", key));
  for (const std::string& value : values) html += option_html(value, label_of_value(value), value == chosen);
  return html + "</select></label>\n";
}

std::string number_html(std::string_view label, const char* name, uint64_t most, uint32_t value) {
  return fmt::format(
      "<label><span>{}</span> <input type=\"number\" inputmode=\"numeric\" data-place=\"{}\" min=\"0\" "
      "max=\"{}\" value=\"{}\"></label>\n",
      label, name, most, value);
}

/// The buttons and the slider.
std::string stepper_html(const Side& side, Language language) {
  const size_t count = side.selection.timeline.size();
  std::string html = fmt::format("<div class=\"stepper\" hidden role=\"group\" aria-label=\"{}\">\n",
                                 say(language, Words::access));
  const auto button = [&](const char* to, Words label, const char* sign) {
    html += fmt::format("<button type=\"button\" data-to=\"{}\" aria-label=\"{}\" title=\"{}\">{}</button>\n",
                        to, say(language, label), say(language, label), sign);
  };
  button("first", Words::first, "⇤");
  button("previous", Words::previous, "←");
  html +=
      fmt::format("<input type=\"range\" data-access min=\"1\" max=\"{}\" value=\"{}\" aria-label=\"{}\">\n",
                  std::max<size_t>(count, 1), side.selection.access + 1, say(language, Words::access));
  button("next", Words::next, "→");
  button("last", Words::last, "⇥");
  html += fmt::format("<output>{} / {}</output>\n</div>\n", side.selection.access + 1, count);
  return html + fmt::format("<p class=\"dim how\" hidden>{}</p>\n<p class=\"state\" role=\"status\"></p>\n",
                            say(language, Words::how_to_use));
}

}  // namespace

std::string controls_html(const lesson::Lesson* lesson, const lesson::Settings& settings, const Offer& offer,
                          const Side& side, Language language) {
  std::string html = fmt::format("<form class=\"controls\" hidden>\n<fieldset>\n<legend>{}</legend>\n",
                                 say(language, Words::toggles));
  for (const auto& [name, values] : offer) {
    if (lesson == nullptr) {
      html += list_html(name, name, "", 0, values, settings.values.at(name), std::identity());
      continue;
    }
    if (name == "kernel") {
      html += list_html(
          name, say(language, Words::kernel), "", lesson::kWindowKeys.front(), values, settings.kernel,
          [&](const auto& value) { return lesson::find_kernel(*lesson, value)->label.in(language); });
      continue;
    }
    const lesson::Toggle& toggle = *lesson::find_toggle(*lesson, name);
    html += list_html(name, toggle.label.in(language), toggle.hint.in(language), toggle.key, values,
                      settings.values.at(name),
                      [&](const auto& value) { return label_of(toggle, value, language); });
  }
  html += number_html(say(language, Words::block), "block", volume(side.run->trace->grid) - 1,
                      side.selection.cta.value);
  html += number_html(say(language, Words::warp), "warp", std::max(side.selection.warps, 1u) - 1,
                      side.selection.warp.value);
  if (!offer.empty() || lesson != nullptr)
    html +=
        fmt::format("<label class=\"check\"><input type=\"checkbox\" data-compare> <span>{}</span></label>\n",
                    say(language, Words::compare));
  return html + "</fieldset>\n</form>\n" + stepper_html(side, language);
}

}  // namespace lanescope::handout
