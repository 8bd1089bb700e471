#include "compile/host_values.h"

#include <algorithm>

namespace lanescope::compile {
namespace {

constexpr std::array<std::string_view, 7> kQualifiers{"const",    "constexpr", "static", "inline",
                                                      "volatile", "register",  "extern"};
/// Words that begin something else than the definition of a variable.
constexpr std::array<std::string_view, 23> kNoTypes{
    "return", "if",    "else",  "for",   "while", "do",      "switch",   "case",
    "delete", "throw", "goto",  "break", "using", "typedef", "template", "namespace",
    "struct", "class", "union", "enum",  "try",   "catch",   "default"};

}  // namespace

std::string text_of(const Token* begin, const Token* end) {
  std::string text;
  for (const Token* token = begin; token < end; ++token) {
    const bool is_apart =
        token != begin && token[-1].text.data() + token[-1].text.size() != token->text.data();
    if (is_apart) text += ' ';
    text += token->text;
  }
  return text;
}

std::vector<Token> tokens_of_branches(const std::vector<Token>& tokens,
                                      const std::vector<std::string>& defines) {
  struct Branch {
    bool is_known;   // which of the branches holds
    bool is_taken;   // the present one
    bool was_taken;  // it or one before it
  };
  std::vector<Token> kept;
  std::vector<Branch> open;
  std::vector<std::string> defined = defines;
  const auto is_out = [&] {
    return std::ranges::any_of(open, [](const Branch& one) { return one.is_known && !one.is_taken; });
  };
  for (const Token& token : tokens) {
    if (token.kind != Token::Kind::Directive) {
      if (!is_out()) kept.push_back(token);
      continue;
    }
    const Directive directive = directive_of(token);
    const std::string name = directive.rest.substr(0, directive.rest.find_first_of(" ("));
    if (directive.keyword == "ifdef" || directive.keyword == "ifndef") {
      const bool is_defined = is_one_of(name, defined);
      const bool holds = is_defined == (directive.keyword == "ifdef");
      // A name that begins with _ may be the compiler's: neither branch is left out.
      open.push_back({is_defined || !name.starts_with('_'), holds, holds});
    } else if (directive.keyword == "if") {
      const bool is_zero = directive.rest == "0";
      open.push_back({is_zero || directive.rest == "1", !is_zero, !is_zero});
    } else if (directive.keyword.starts_with("el") && !open.empty()) {
      Branch& branch = open.back();
      if (directive.keyword != "else") branch.is_known = false;
      branch.is_taken = !branch.was_taken;
      branch.was_taken = true;
    } else if (directive.keyword == "endif" && !open.empty()) {
      open.pop_back();
    } else if (!is_out()) {
      if (directive.keyword == "define") defined.push_back(name);
      kept.push_back(token);
    }
  }
  return kept;
}

/// Reads one file, statement by statement.
class HostNameReader {
 public:
  HostNameReader(HostNames& names, std::string_view source, const std::vector<Token>& tokens)
      : names_(names), source_(source), file_(names.files_) {
    for (const Token& token : tokens) {
      if (token.kind != Token::Kind::Directive) {
        tokens_.push_back(token);
      } else if (const Directive directive = directive_of(token); directive.keyword == "define") {
        names_.define(directive.rest);
      }
    }
  }

  void read() {
    scopes_.push_back({0, {}});
    size_t start = 0;
    int brackets = 0;
    for (size_t n = 0; n < tokens_.size(); ++n) {
      if (tokens_[n].kind == Token::Kind::Mark) {
        const char c = tokens_[n].text.front();
        if (c == '(' || c == '[') ++brackets;
        if (c == ')' || c == ']') --brackets;
        if (brackets <= 0 && (c == ';' || c == '{' || c == '}')) {
          brackets = 0;
          if (c == '{' && is_value(start, n)) {
            n = behind(n) - 1;
            continue;
          }
          read_statement(start, n, c == '{');
          if (c == '{') open(start, n);
          if (c == '}') close(n);
          start = n + 1;
        }
      }
      note_change(n, start);
    }
    while (!scopes_.empty()) close(tokens_.size());
  }

 private:
  struct Scope {
    size_t begin;
    std::vector<std::multimap<std::string, HostNames::Definition, std::less<>>::iterator> definitions;
    bool is_namespace = true;
  };

  bool is(size_t n, std::string_view text) const { return n < tokens_.size() && tokens_[n].text == text; }
  bool is_name(size_t n) const {
    return n < tokens_.size() && tokens_[n].kind == Token::Kind::Word &&
           (tokens_[n].text.front() < '0' || tokens_[n].text.front() > '9');
  }
  size_t offset(size_t n) const {
    return n < tokens_.size() ? static_cast<size_t>(tokens_[n].text.data() - source_.data()) : source_.size();
  }
  std::string text(size_t begin, size_t end) const {
    return text_of(&tokens_[begin], &tokens_[begin] + (end - begin));
  }

  /// True if the brace at `n` begins a value: = {1, 2}, dim3 a{1, 2}.
  bool is_value(size_t start, size_t n) const {
    if (n == start) return false;
    return is(n - 1, "=") || (is_name(n - 1) && n - start == 2 && is(start, "dim3"));
  }

  size_t behind(size_t n) const {
    int depth = 0;
    for (; n < tokens_.size(); ++n) {
      if (tokens_[n].kind != Token::Kind::Mark) continue;
      const char c = tokens_[n].text.front();
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && --depth == 0) return n + 1;
    }
    return tokens_.size();
  }

  void open(size_t start, size_t n) {
    const bool is_namespace = scopes_.back().is_namespace && (is(start, "namespace") || is(start, "extern"));
    scopes_.push_back({offset(n), {}, is_namespace});
    // The parameters of a function hide global names.
    if (n == start || !is(n - 1, ")")) return;
    size_t type = start;
    for (size_t name = start; name + 1 < n; ++name) {
      if (is(name, "(") || is(name, ",")) type = name + 1;
      if (is_name(name) && (is(name + 1, ",") || is(name + 1, ")") || is(name + 1, "=") || is(name + 1, "[")))
        define(name, type < name ? text(type, name) : std::string(), {});
    }
    read_function(start, n);
  }

  void close(size_t n) {
    // A brace too many closes nothing; the file's own scope ends with the file.
    if (scopes_.size() == 1 && n < tokens_.size()) return;
    // Definitions of a namespace hold after it, since they are used by qualified names or after a using.
    if (!scopes_.back().is_namespace)
      for (const auto& definition : scopes_.back().definitions) definition->second.end = offset(n);
    scopes_.pop_back();
  }

  /// int f(int a, int b) { return EXPRESSION; }
  void read_function(size_t start, size_t n) {
    if (!is(n + 1, "return")) return;
    size_t end = n + 2;
    while (end < tokens_.size() && !is(end, ";") && !is(end, "{") && !is(end, "}")) ++end;
    if (!is(end, ";") || !is(end + 1, "}")) return;
    size_t open = start;
    while (open < n && !is(open, "(")) ++open;
    if (open == start || behind(open) != n || !is_name(open - 1)) return;
    HostNames::Macro function{.has_parameters = true, .text = "(" + text(n + 2, end) + ")"};
    for (size_t at = open + 1; at < n; ++at)
      if (is_name(at) && (is(at + 1, ",") || is(at + 1, ")")))
        function.parameters.emplace_back(tokens_[at].text);
    add_macro(std::string(tokens_[open - 1].text), std::move(function));
  }

  void add_macro(const std::string& name, HostNames::Macro macro) {
    const auto [known, is_new] = names_.macros_.emplace(name, macro);
    if (!is_new && (known->second.text != macro.text || known->second.parameters != macro.parameters))
      known->second.is_ambiguous = true;
  }

  void define(size_t name, std::string type, std::string value) {
    HostNames::Definition definition{.file = file_,
                                     .begin = offset(name),
                                     .end = source_.size(),
                                     .is_global = scopes_.back().is_namespace,
                                     .type = std::move(type),
                                     .value = std::move(value)};
    scopes_.back().definitions.push_back(
        names_.definitions_.emplace(tokens_[name].text, std::move(definition)));
  }

  void read_statement(size_t start, size_t end, bool is_head) {
    size_t first = start;
    while (first < end && is_one_of(tokens_[first].text, kQualifiers)) ++first;
    if (is_head || first >= end || !is_name(first) || is_one_of(tokens_[first].text, kNoTypes)) return;
    // The type is words, ::, <...>, * and &; the last word is the name.
    size_t name = first;
    size_t at = first;
    for (; at < end && (is_name(at) || is(at, ":") || is(at, "*") || is(at, "&")); ++at)
      if (is_name(at)) name = at;
    if (is(at, "<") && at == name + 1) return read_vector(name, end);
    if (name == first || at != name + 1) return;
    const std::string type = text(first, name);
    while (true) {
      size_t stop = at;  // the comma before the next name
      while (stop < end && !is(stop, ",")) {
        const bool opens = is(stop, "(") || is(stop, "[") || is(stop, "{");
        stop = opens ? std::min(behind(stop), end) : stop + 1;
      }
      std::string value;
      if (is(at, "=") && at + 1 < stop) value = text(at + 1, stop);
      if ((is(at, "(") || is(at, "{")) && behind(at) == stop && at + 2 < stop + 0)
        value = text(at + 1, stop - 1);
      define(name, type, std::move(value));
      at = stop + 1;
      while (at < end && (is(at, "*") || is(at, "&"))) ++at;
      if (at >= end || !is_name(at)) return;
      name = at++;
    }
  }

  /// std::vector<float> name(count): its value is the count. Also std::array<float*, 2> name;
  void read_vector(size_t word, size_t end) {
    if (!tokens_[word].text.ends_with("vector") && !is(word, "array")) return;
    size_t close = word + 1;
    for (int depth = 0; close < end; ++close) {
      if (is(close, "<")) ++depth;
      if (is(close, ">") && --depth == 0) break;
    }
    const size_t name = close + 1;
    if (!is_name(name) || name >= end) return;
    if (name + 1 == end || is(name + 1, "{") || is(name + 1, "="))
      return define(name, text(word, close + 1), std::string());
    if (!is(name + 1, "(")) return;
    size_t stop = name + 2;
    for (int depth = 0; stop < end; ++stop) {
      if (depth == 0 && (is(stop, ",") || is(stop, ")"))) break;
      if (is(stop, "(")) ++depth;
      if (is(stop, ")")) --depth;
    }
    if (stop > name + 2) define(name, text(word, close + 1), text(name + 2, stop));
  }

  /// Notes a change of a variable at a token. Called for each token.
  void note_change(size_t n, size_t start) {
    if (!is_name(n)) return;
    const auto two = [&](size_t at, std::string_view mark) { return is(at, mark) && is(at + 1, mark); };
    const bool assigns = is(n + 1, "=") && !is(n + 2, "=");
    const bool is_member = is(n + 1, ".") && is_name(n + 2) && is(n + 3, "=") && !is(n + 4, "=");
    const bool updates = n + 2 < tokens_.size() &&
                         std::string_view("+-*/%|&^").contains(tokens_[n + 1].text) &&
                         tokens_[n + 1].kind == Token::Kind::Mark && is(n + 2, "=") && !is(n + 3, "=");
    const bool counts =
        two(n + 1, "+") || two(n + 1, "-") || (n >= 2 && (two(n - 2, "+") || two(n - 2, "-")));
    const bool shifts = (two(n + 1, "<") || two(n + 1, ">")) && is(n + 3, "=");
    // &a, but not b & a; std::cin >> a.
    const bool is_given = n >= 1 && is(n - 1, "&") &&
                          (n < 2 || is(n - 2, "(") || is(n - 2, ",") || is(n - 2, "=") || is(n - 2, ")"));
    const bool is_read = n >= 2 && two(n - 2, ">");
    // The definition itself is no change.
    const bool is_definition = assigns && n > start && !is(n - 1, ";") &&
                               (is_name(n - 1) || is(n - 1, "*") || is(n - 1, "&") || is(n - 1, ",")) &&
                               !is(n - 1, "else") && (n < 2 || !is(n - 2, "."));
    if (is_definition || !(assigns || is_member || updates || counts || shifts || is_given || is_read))
      return;
    HostNames::Change change{
        .file = file_, .at = offset(n), .scope_begin = scopes_.back().begin, .value = {}};
    if (assigns && n == start) {
      size_t end = n + 2;
      while (end < tokens_.size() && !is(end, ";") && !is(end, "{") && !is(end, "}")) ++end;
      if (is(end, ";")) change.value = text(n + 2, end);
    }
    names_.changes_.emplace(tokens_[n].text, std::move(change));
  }

  HostNames& names_;
  std::string_view source_;
  size_t file_;
  std::vector<Token> tokens_;
  std::vector<Scope> scopes_;
};

void HostNames::define(std::string_view definition) {
  size_t end = 0;
  while (end < definition.size() && is_word(definition[end])) ++end;
  if (end == 0) return;
  Macro macro;
  std::string_view rest = definition.substr(end);
  if (rest.starts_with('(')) {
    const size_t close = rest.find(')');
    if (close == std::string_view::npos) return;
    macro.has_parameters = true;
    for (const Token& token : tokens_of(rest.substr(1, close - 1)))
      if (token.kind == Token::Kind::Word) macro.parameters.emplace_back(token.text);
    rest.remove_prefix(close + 1);
  }
  macro.text = rest;
  const auto [known, is_new] = macros_.emplace(definition.substr(0, end), macro);
  if (!is_new && (known->second.text != macro.text || known->second.parameters != macro.parameters))
    known->second.is_ambiguous = true;
}

void HostNames::add_macro(std::string_view definition) {
  std::string line(definition);
  if (const size_t equals = line.find('='); equals != std::string::npos)
    line[equals] = ' ';
  else
    line += " 1";
  define(line);
}

void HostNames::add_file(std::string_view text, const std::vector<Token>& tokens) {
  std::vector<std::string> defines;
  for (const auto& [name, macro] : macros_) defines.push_back(name);
  const std::vector<Token> of_branches = tokens_of_branches(tokens, defines);
  types_.read(of_branches);
  HostNameReader(*this, text, of_branches).read();
  ++files_;
}

const HostNames::Definition* HostNames::find(std::string_view name, size_t file, size_t at) const {
  const Definition* found = nullptr;
  const auto [first, last] = definitions_.equal_range(name);
  for (auto each = first; each != last; ++each) {
    const Definition& one = each->second;
    const bool holds = one.file == file ? one.begin < at && at <= one.end : one.is_global;
    const bool is_nearer = found == nullptr || (one.file == file) > (found->file == file) ||
                           (one.file == found->file && one.begin > found->begin);
    if (holds && is_nearer) found = &one;
  }
  return found;
}

std::string HostNames::value_at(std::string_view name, size_t file, size_t at) const {
  const Definition* found = find(name, file, at);
  return found == nullptr || changes_.contains(name) ? std::string() : found->value;
}

std::string HostNames::type_at(std::string_view name, size_t file, size_t at) const {
  const Definition* found = find(name, file, at);
  return found == nullptr ? std::string() : found->type;
}

}  // namespace lanescope::compile
