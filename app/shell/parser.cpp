#include "shell/parser.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace lanescope::shell {

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::between(int64_t lowest, int64_t highest) const {
  option_->check(CLI::Range(lowest, highest));
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

void CommandLine::set_footer(const std::string& footer) const { app_->footer(footer); }

std::optional<int> CommandLine::parse(int count, char** words) const {
  try {
    app_->parse(count, words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app_->exit(error);  // --help, --version
    fmt::print(stderr, "{}; 'lanescope --help' lists verbs and options\n", error.what());
    return 2;
  }
  return {};
}

}  // namespace lanescope::shell
