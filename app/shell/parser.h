// The command line: verbs, their options and what runs when a verb is chosen. Method: a thin layer over
// CLI11, whose header takes 10 s to compile and is included by parser.cpp alone. Tests: tests/cli

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
class Option;
}  // namespace CLI

namespace lanescope::shell {

/// An option that was added to a verb, for what it needs besides a name and a variable. A handle: copies are
/// the same option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option required() const;
  Option between(int64_t lowest, int64_t highest) const;
  Option one_of(std::vector<std::string> values) const;
  /// Takes one value, and may be given several times.
  Option repeatable() const;
  Option with_comma_between_values() const;
  /// The name may be given without a value; help then shows `[value]`.
  Option with_optional_value(const std::string& value) const;
  /// Help does not show it.
  Option hidden() const;

 private:
  CLI::Option* option_;
};

/// A verb, or the program itself, which has the verbs. A handle: copies are the same verb.
class Verb {
 public:
  explicit Verb(CLI::App* app) : app_(app) {}

  Verb add_verb(const std::string& name, const std::string& description) const;

  /// `names` as CLI11 reads them: "-o,--output", or without dashes for a positional value. The
  /// variable, which keeps its value where the option is not given, must outlive the parser.
  Option add(const std::string& names, std::string& variable, const std::string& description) const;
  Option add(const std::string& names, uint32_t& variable, const std::string& description) const;
  Option add(const std::string& names, uint64_t& variable, const std::string& description) const;
  Option add(const std::string& names, float& variable, const std::string& description) const;
  Option add(const std::string& names, std::optional<uint32_t>& variable,
             const std::string& description) const;
  Option add(const std::string& names, std::vector<std::string>& variable,
             const std::string& description) const;
  Option add(const std::string& names, std::vector<uint32_t>& variable, const std::string& description) const;
  /// Without a value: given or not.
  Option add(const std::string& names, bool& variable, const std::string& description) const;

  /// Text after the options in the verb's help.
  void set_footer(const std::string& footer) const;
  /// Accepts anything after the verb.
  void ignore_arguments() const;
  /// Called while parsing, if the command line has this verb.
  void on_chosen(std::function<void()> callback) const;

  /// Whether the command line gives the option; never one that the verb lacks.
  bool has(const std::string& option) const;
  std::string name() const;
  std::string help() const;
  std::optional<Verb> find_verb(const std::string& name) const;
  /// Of the verbs that were added.
  std::vector<std::string> verb_names() const;

 private:
  CLI::App* app_;
};

/// Between the words of a --then, and of the program of `run`, which reach the verb as one value.
inline constexpr char kWordEnd = '\x1f';
/// [n] the words, which kWordEnd ends or separates.
std::vector<std::string> words_of(std::string_view joined);

/// The parser. At most one verb is chosen.
class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Verb program() const { return Verb(app_.get()); }
  /// The last line of the program's help, and of that of the verbs added after it.
  void set_footer(const std::string& footer) const { program().set_footer(footer); }
  /// The exit status if the program ends here: 0 after --help and --version, 2 after an error, which has been
  /// printed.
  std::optional<int> parse(int count, char** words) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace lanescope::shell
