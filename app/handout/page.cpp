#include "handout/page.h"

#include "export/base64.h"
#include "handout/controls.h"
#include "handout/markup.h"
#include "handout/packing.h"
#include "handout/prose.h"
#include "handout/settings_json.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace lanescope::handout {
namespace {

using exporting::Json;

/// Accesses that are there as still pictures, around the one that is shown first: 30 KB each in a language.
constexpr uint32_t kMostStills = 24;

constexpr std::array kLanguages{Language::English, Language::French};

const char* code_of(Language language) { return language == Language::French ? "fr" : "en"; }

std::string head(const std::string& title, const Dress& dress) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n{}</style>\n"
      "</head>\n<body>\n",
      code_of(dress.language), plain(title), dress.style);
}

std::string languages_html(Language language) {
  const bool is_french = language == Language::French;
  return fmt::format(
      "<nav class=\"languages\" aria-label=\"{0}\"><a href=\"#{1}\" lang=\"{1}\" hreflang=\"{1}\" "
      "data-language=\"{1}\">{2}</a></nav>\n",
      is_french ? "Langue" : "Language", is_french ? "en" : "fr", is_french ? "English" : "Français");
}

std::string foot(Language language) {
  return fmt::format("<footer>\n<p>{}</p>\n<p>Lanescope {}.</p>\n</footer>\n",
                     say(language, Words::step_note), LANESCOPE_VERSION);
}

/// The pieces of the sides as a page has them before anybody steps.
Result<std::string> sides_html(const Sides& sides, const Look& look, const std::string& step_of_all) {
  TRY(const auto runs, run_html(sides, look));
  std::string html = fmt::format("<div class=\"sides{}\">\n", sides.a ? " two" : "");
  for (size_t n = 0; n < runs.size(); ++n) {
    const Side& side = n == 0 ? sides.now : *sides.a;
    std::string step;
    if (step_of_all.empty()) {
      TRY(const auto steps, step_html(sides, look));
      step = steps[n];
    } else if (n == 0) {
      step = step_of_all;
    }
    html += fmt::format(
        "<div class=\"side\">\n<div class=\"head\">\n{}</div>\n<div class=\"step\">\n{}</div>\n"
        "<div class=\"text\">\n{}</div>\n<div class=\"whole\">\n<h2>{}</h2>\n<div "
        "class=\"figures\">\n{}</div>\n"
        "</div>\n</div>\n",
        runs[n].head, step, source_html(side, look.language), say(look.language, Words::whole_run),
        runs[n].figures);
  }
  return html + "</div>\n";
}

/// Each access of the warp, folded, as far as kMostStills goes; the one that is shown first is open.
/// `select`: sides at an access.
template <class F>
Result<std::string> stills_html(const Sides& first, const Look& look, F&& select) {
  const pipeline::Selection& selection = first.now.selection;
  const auto count = static_cast<uint32_t>(selection.timeline.size());
  const uint32_t begin = std::min(selection.access - std::min(selection.access, kMostStills / 2),
                                  count - std::min(count, kMostStills));
  const uint32_t end = std::min(count, begin + kMostStills);
  std::string html;
  if (count > 0)
    html = fmt::format("<p class=\"dim\">{}</p>\n",
                       fmt::format(fmt::runtime(say(look.language, Words::stills)), begin + 1, end, count));
  for (uint32_t n = begin; n < end; ++n) {
    TRY(const Sides sides, select(n));
    Look of_still = look;
    of_still.with_timeline_table = n == selection.access;
    TRY(const auto steps, step_html(sides, of_still));
    html += fmt::format(
        "<details class=\"still\" data-access=\"{}\" data-line=\"{}\" data-a-line=\"{}\"{}>\n<summary>{} {} "
        "/ "
        "{}</summary>\n",
        n, line_of(sides.now), sides.a ? line_of(*sides.a) : 0, n == selection.access ? " open" : "",
        say(look.language, Words::access), n + 1, selection.timeline.size());
    for (const std::string& step : steps) html += step;
    html += "</details>\n";
  }
  if (selection.timeline.empty()) html += fmt::format("<p>{}</p>\n", say(look.language, Words::no_access));
  return html;
}

std::string script(const std::string& attributes, const std::string& text) {
  return fmt::format("<script{}>{}</script>\n", attributes, text);
}

/// A script's own text may not end its element.
std::string own_script(std::string text) {
  for (size_t at = text.find("</script"); at != std::string::npos; at = text.find("</script", at))
    text.replace(at, 2, "<\\/");
  return text;
}

std::string module_scripts(const char* id, const Module& module) {
  return script(fmt::format(" type=\"text/plain\" id=\"{}\"", id), exporting::base64(module.packed)) +
         script("", own_script(module.script));
}

/// What the script of the page starts from: the choices, and the module with its files.
std::string scripts(const Json& start, const Dress& dress, const PackedFiles* files) {
  std::string html = script(" type=\"application/json\" id=\"start\"", for_script(start.dump()));
  if (files != nullptr) {
    Json all{{"texts", files->texts}, {"bytes", Json::object()}};
    for (const auto& [name, bytes] : files->bytes) all["bytes"][name] = exporting::base64(deflated(bytes));
    const std::string packed = deflated(all.dump(-1, ' ', false, Json::error_handler_t::replace));
    html += script(" type=\"text/plain\" id=\"files\"", exporting::base64(packed));
    html += module_scripts("module", *dress.module);
    if (files->needs_sqlite) html += module_scripts("sqlite", *dress.sqlite);
  }
  return html + script(" type=\"module\"", "\n" + own_script(dress.script));
}

}  // namespace

Result<Handout> handout_of(Lab& lab, const Wish& wish, const Contents& contents, const Dress& dress) {
  Handout handout;
  const auto lesson = lab.lesson();
  TRY(const Sides sides, lab.show(wish));
  handout.html = head(contents.title.in(dress.language), dress) + "<main>\n";
  const PackedFiles* const files = contents.files ? &*contents.files : nullptr;
  if (files != nullptr && files->without_ptx > 0)
    handout.notes.push_back(
        fmt::format("{} of the kernels' texts are not in the page, and a reader who chooses "
                    "them is told so: {}",
                    files->without_ptx, files->reason));
  for (const Language language :
       dress.language == Language::French ? std::array{Language::French, Language::English} : kLanguages) {
    Look look;
    look.language = language;
    std::string stills;
    if (files == nullptr) {
      TRY(stills, stills_html(sides, look, [&](uint32_t n) {
            Wish at = wish;
            at.place.access = n;
            return lab.show(at);
          }));
    }
    TRY(const std::string shown, sides_html(sides, look, stills));
    Texts texts;
    if (lesson) {
      TRY(texts, texts_of(lab, sides.now, language));
    }
    if (language == dress.language)
      handout.notes.insert(handout.notes.end(), texts.notes.begin(), texts.notes.end());
    handout.html += fmt::format(
        "<div class=\"view\" lang=\"{0}\" id=\"{0}\">\n{1}<article>\n<h1>{2}</h1>\n{3}<section "
        "class=\"lab\">\n"
        "<h2>{4}</h2>\n{5}{6}</section>\n{7}{8}</article>\n{9}</div>\n",
        code_of(language), languages_html(language), plain(contents.title.in(language)), texts.introduction,
        say(language, Words::step),
        controls_html(lesson.get(), wish.settings, contents.offer, sides.now, language), shown,
        texts.questions, texts.exercises, foot(language));
  }
  Json start{{"language", code_of(dress.language)},
             {"subject", files != nullptr ? files->subject : ""},
             {"device", lab.device().name},
             {"settings", json_of(wish.settings)},
             {"a", wish.a ? json_of(*wish.a) : Json()},
             {"block", wish.place.cta.value},
             {"warp", wish.place.warp.value},
             {"access", sides.now.selection.access},
             {"count", sides.now.selection.timeline.size()}};
  handout.html += scripts(start, dress, files) + "</main>\n</body>\n</html>\n";
  return handout;
}

std::string index_page(const std::vector<Listed>& pages, const Dress& dress) {
  std::string html = head(dress.language == Language::French ? "Leçons" : "Lessons", dress) + "<main>\n";
  html += "<h1>Lanescope</h1>\n<ul class=\"pages\">\n";
  for (const Listed& page : pages)
    html += fmt::format(
        "<li><a href=\"{0}\">{1}</a> · <a href=\"{0}#fr\" lang=\"fr\" hreflang=\"fr\">{2}</a></li>\n",
        plain(page.file), plain(page.title.english), plain(page.title.french));
  return html + fmt::format("</ul>\n{}</main>\n</body>\n</html>\n", foot(dress.language));
}

}  // namespace lanescope::handout
