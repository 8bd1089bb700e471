#include "shell/parser.h"

#include "base/escape.h"
#include "shell/nearest.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace lanescope::shell {

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::between(int64_t lowest, int64_t highest) const {
  // The words of CLI11's own check change with its version.
  const CLI::Range range(lowest, highest);
  const auto check = [range, lowest, highest](std::string& value) {
    return range(value).empty() ? std::string()
                                : fmt::format("Value {} not in range {} to {}", value, lowest, highest);
  };
  option_->check(CLI::Validator(check, range.get_description()));
  return *this;
}

Option Option::one_of(std::vector<std::string> values) const {
  option_->check(CLI::IsMember(std::move(values)));
  return *this;
}

Option Option::repeatable() const {
  option_->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

Option Option::with_comma_between_values() const {
  option_->delimiter(',');
  return *this;
}

Option Option::with_optional_value(const std::string& value) const {
  option_->expected(0, 1)->type_name("[" + value + "]");
  return *this;
}

Option Option::hidden() const {
  option_->group("");
  return *this;
}

Verb Verb::add_verb(const std::string& name, const std::string& description) const {
  return Verb(app_->add_subcommand(name, description));
}

Option Verb::add(const std::string& names, std::string& variable, const std::string& description) const {
  return Option(app_->add_option(names, variable, description));
}
Option Verb::add(const std::string& names, uint32_t& variable, const std::string& description) const {
  return Option(app_->add_option(names, variable, description));
}
Option Verb::add(const std::string& names, uint64_t& variable, const std::string& description) const {
  return Option(app_->add_option(names, variable, description));
}
Option Verb::add(const std::string& names, float& variable, const std::string& description) const {
  return Option(app_->add_option(names, variable, description));
}
Option Verb::add(const std::string& names, std::optional<uint32_t>& variable,
                 const std::string& description) const {
  return Option(app_->add_option(names, variable, description));
}
Option Verb::add(const std::string& names, std::vector<std::string>& variable,
                 const std::string& description) const {
  return Option(app_->add_option(names, variable, description));
}
Option Verb::add(const std::string& names, std::vector<uint32_t>& variable,
                 const std::string& description) const {
  return Option(app_->add_option(names, variable, description));
}
Option Verb::add(const std::string& names, bool& variable, const std::string& description) const {
  return Option(app_->add_flag(names, variable, description));
}

void Verb::set_footer(const std::string& footer) const { app_->footer(footer); }

void Verb::ignore_arguments() const { app_->allow_extras(); }

void Verb::on_chosen(std::function<void()> callback) const { app_->callback(std::move(callback)); }

bool Verb::has(const std::string& option) const {
  const CLI::Option* const known = app_->get_option_no_throw(option);
  return known != nullptr && known->count() != 0;
}

std::string Verb::name() const { return app_->get_name(); }

std::string Verb::help() const { return app_->help(app_->get_parent() == nullptr ? "" : "lanescope"); }

std::optional<Verb> Verb::find_verb(const std::string& name) const {
  for (CLI::App* verb : app_->get_subcommands([](CLI::App*) { return true; }))
    if (verb->get_name() == name) return Verb(verb);
  return {};
}

std::vector<std::string> Verb::verb_names() const {
  std::vector<std::string> names;
  for (const CLI::App* verb : app_->get_subcommands([](CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

CommandLine::CommandLine(const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, "lanescope")) {
  app_->set_version_flag("--version", version);
  app_->set_help_flag("-h,--help", "the verbs of this program");
  app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string question(const std::optional<std::string>& meant) {
  return meant ? fmt::format("; did you mean {}?", *meant) : "";
}

/// What is wrong with arguments that no verb takes: the first unknown verb or option, and what was meant.
std::string explain_extra(const CLI::App& program, const std::vector<std::string>& extra) {
  const auto chosen = program.get_subcommands();
  const CLI::App& app = chosen.empty() ? program : *chosen.front();
  const std::string of_verb = chosen.empty() ? "" : " of '" + app.get_name() + "'";
  const std::string advice = chosen.empty()
                                 ? "'lanescope --help' lists verbs and options"
                                 : fmt::format("'lanescope help {}' lists its options", app.get_name());
  const auto option = std::ranges::find_if(
      extra, [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); });
  // The word before these was taken as the file that the window opens.
  const CLI::Option* const file = program.get_option_no_throw("FILE");
  const std::string word = file != nullptr && file->count() != 0 ? file->results().front() : std::string();
  if (chosen.empty() && !word.empty() && word.find_first_of("./") == std::string::npos) {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; }))
      verbs.push_back(verb->get_name());
    return fmt::format("there is no verb '{}'{}; {}", word, question(nearest(word, verbs)), advice);
  }
  if (option == extra.end())
    return fmt::format("the argument '{}'{} was not expected; {}", extra.empty() ? "" : extra.front(),
                       of_verb, advice);
  const std::string name = option->substr(0, option->find('='));
  return fmt::format("there is no option {}{}{}; {}", name, of_verb,
                     question(nearest(name, option_names(app))), advice);
}

/// The words with each --then KERNEL and the options of that launch, which the verb has too, as one value.
std::vector<std::string> with_launches_joined(std::span<char*> words) {
  constexpr std::array<std::string_view, 5> kOfLaunch{"--grid", "--block", "--shared", "--arg", "--times"};
  std::vector<std::string> joined;
  for (size_t n = 0; n < words.size(); ++n) {
    joined.emplace_back(words[n]);
    if (joined.back() != "--then" || n + 1 == words.size()) continue;
    std::string launch = words[++n];
    while (n + 1 < words.size()) {
      const std::string_view word = words[n + 1];
      const std::string_view name = word.substr(0, word.find('='));
      if (std::ranges::find(kOfLaunch, name) == kOfLaunch.end()) break;
      const bool has_value = name.size() < word.size();
      launch += kWordEnd;
      launch += name;
      if (!has_value && n + 2 == words.size()) {
        ++n;
        break;
      }
      launch += kWordEnd;
      launch += has_value ? word.substr(name.size() + 1) : std::string_view(words[n + 2]);
      n += has_value ? 1 : 2;
    }
    joined.push_back(std::move(launch));
  }
  return joined;
}

/// The words after "--" as one value of --program, whatever stands before it: for the verbs that have it, and
/// for the program itself, which opens a window.
std::vector<std::string> with_program_joined(const CLI::App& program, std::vector<std::string> words) {
  const auto end = std::ranges::find(words, "--");
  if (end == words.end()) return words;
  const std::vector<const CLI::App*> verbs =
      program.get_subcommands([&](const CLI::App* verb) { return verb->get_name() == words.front(); });
  if ((verbs.empty() ? program : *verbs.front()).get_option_no_throw("--program") == nullptr) return words;
  std::string joined;
  for (auto word = end + 1; word != words.end(); ++word) joined += *word + kWordEnd;
  words.erase(end, words.end());
  if (!joined.empty()) words.push_back("--program=" + joined);
  return words;
}

}  // namespace

std::vector<std::string> words_of(std::string_view joined) {
  std::vector<std::string> words;
  for (size_t at = 0; at < joined.size();) {
    const size_t end = std::min(joined.find(kWordEnd, at), joined.size());
    words.emplace_back(joined.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::optional<int> CommandLine::parse(int count, char** words) const {
  try {
    std::vector<std::string> all =
        with_program_joined(*app_, with_launches_joined({words + 1, static_cast<size_t>(count - 1)}));
    std::ranges::reverse(all);  // CLI11 takes them so
    app_->parse(std::move(all));
  } catch (const CLI::ExtrasError&) {
    fmt::print(stderr, "{}\n", without_control_characters(explain_extra(*app_, app_->remaining(true))));
    return 2;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app_->exit(error);  // --help, --version
    fmt::print(stderr, "{}; 'lanescope --help' lists verbs and options\n",
               without_control_characters(error.what()));
    return 2;
  }
  return {};
}

}  // namespace lanescope::shell
