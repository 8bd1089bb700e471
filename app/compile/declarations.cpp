#include "compile/declarations.h"

#include <algorithm>
#include <array>

namespace lanescope::compile {
namespace {

using Side = Declaration::Side;

using Words = std::string_view;
constexpr std::array<Words, 5> kDeviceWords{"__global__", "__device__", "__constant__", "__shared__",
                                            "__managed__"};
constexpr std::array<Words, 4> kTypeWords{"class", "struct", "union", "enum"};
constexpr std::array<Words, 5> kAliasWords{"using", "typedef", "static_assert", "concept", "namespace"};
constexpr std::array<Words, 3> kAccess{"public", "private", "protected"};
constexpr std::array<Words, 9> kAfterParameters{"const",   "volatile", "noexcept", "override", "final",
                                                "mutable", "requires", "throw",    "asm"};

/// The branches of the #if that the scan is in.
struct Conditional {
  bool in_declaration;  // it began inside a declaration
  size_t scopes;        // open namespaces and classes where it began
};

enum class Scope { Namespace, Class };

/// Properties of a declaration that its head shows.
struct Head {
  bool device = false, host = false, constant = false, constant_expression = false;
  bool is_type = false;  // class, struct, union, enum
  bool is_enumeration = false;
  bool names_type = false;  // the next word is the type's name
  bool is_alias = false;    // typedef, using, concept, static_assert, friend class
  bool has_parameters = false;
  bool has_value = false;        // after =
  bool has_several = false;      // after a comma: the first name stands for all
  bool in_initializers = false;  // of a constructor
  bool has_body = false;
  bool is_operator = false;
  std::string_view name;
  std::string_view template_name;  // the word before the last <...>
};

class Scanner {
 public:
  Scanner(std::string_view source, const std::vector<Token>& tokens, const MacroNames& macros)
      : source_(source), tokens_(tokens), macros_(macros) {}

  std::vector<Declaration> scan() {
    // A brace too many closes no scope.
    while (at_ < tokens_.size()) scan_scope(Scope::Namespace, 0);
    return std::move(found_);
  }

 private:
  static constexpr size_t kDeepest = 100;       // scopes in scopes
  static constexpr size_t kLongestList = 2000;  // tokens between < and >

  bool is(size_t at, std::string_view text) const { return at < tokens_.size() && tokens_[at].text == text; }
  /// True if the current token is one of these characters.
  bool is_mark(std::string_view marks) const {
    return is_kind(at_, Token::Kind::Mark) && marks.contains(tokens_[at_].text);
  }
  bool is_kind(size_t at, Token::Kind kind) const { return at < tokens_.size() && tokens_[at].kind == kind; }
  bool is_attribute(std::string_view word) const {
    return takes_attribute_arguments(word) || macros_.device.contains(word);
  }

  /// Skips to the #endif that ends the branches of the current #if, or with `else_too` to the next branch.
  void skip_branches(bool else_too) {
    for (int depth = 0; at_ < tokens_.size(); ++at_) {
      if (tokens_[at_].kind != Token::Kind::Directive) continue;
      const std::string keyword = directive_of(tokens_[at_]).keyword;
      if (keyword.starts_with("if")) ++depth;
      if (keyword == "endif" && depth-- == 0) return;
      if (else_too && depth == 0 && keyword.starts_with("el")) {
        ++at_;
        return;
      }
    }
  }

  /// Steps over directives to the next token of the program. False at the end of the text.
  bool settle(bool in_declaration) {
    while (is_kind(at_, Token::Kind::Directive)) {
      const Directive directive = directive_of(tokens_[at_++]);
      if (directive.keyword.starts_with("if")) {
        conditionals_.push_back({in_declaration, scopes_});
        if (directive.keyword == "if" && directive.rest == "0") skip_branches(true);
      } else if (directive.keyword.starts_with("el")) {
        // Only branches of whole declarations are all read; else two heads would share one body.
        const bool all = conditionals_.empty() || (!in_declaration && !conditionals_.back().in_declaration &&
                                                   conditionals_.back().scopes == scopes_);
        if (!all) skip_branches(false);
      } else if (directive.keyword == "endif" && !conditionals_.empty()) {
        conditionals_.pop_back();
      }
    }
    return at_ < tokens_.size();
  }

  /// Moves past the bracket that closes the one at the current token.
  void skip_group() {
    for (int depth = 0; settle(true); ++at_) {
      if (tokens_[at_].kind != Token::Kind::Mark) continue;
      const char c = tokens_[at_].text.front();
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && --depth == 0) {
        ++at_;
        return;
      }
    }
  }

  /// Moves past the > that closes the < at the current token; past the < if none does.
  void skip_list() {
    int angles = 0, brackets = 0;
    const size_t limit = std::min(tokens_.size(), at_ + kLongestList);
    for (size_t end = at_; end < limit && tokens_[end].kind != Token::Kind::Directive; ++end) {
      if (tokens_[end].kind != Token::Kind::Mark) continue;
      const char c = tokens_[end].text.front();
      if (c == ';') break;
      if (c == '(' || c == '[' || c == '{') ++brackets;
      if ((c == ')' || c == ']' || c == '}') && --brackets < 0) break;
      if (brackets != 0) continue;
      if (c == '<') ++angles;
      const bool is_arrow = c == '>' && is(end - 1, "-");
      if (c == '>' && !is_arrow && --angles == 0) {
        at_ = end + 1;
        return;
      }
    }
    ++at_;
  }

  void scan_scope(Scope scope, size_t depth) {
    ++scopes_;
    while (settle(false)) {
      if (is(at_, "}")) {
        ++at_;
        break;
      }
      const bool is_access = scope == Scope::Class && is(at_ + 1, ":") && !is(at_ + 2, ":") &&
                             is_one_of(tokens_[at_].text, kAccess);
      if (is(at_, ";")) {
        ++at_;
      } else if (is_access) {
        at_ += 2;
      } else if (macros_.declarations.contains(tokens_[at_].text) && is(at_ + 1, "(")) {
        scan_macro();
      } else if (!enter_scope(depth)) {
        scan_declaration(scope, depth);
      }
    }
    --scopes_;
  }

  /// Scans a namespace or an extern "C" {, whose declarations count one by one. False if none begins here.
  bool enter_scope(size_t depth) {
    size_t end = at_;
    if (is(end, "extern") && is_kind(end + 1, Token::Kind::Literal) && is(end + 2, "{")) {
      end += 2;
    } else {
      if (is(end, "inline")) ++end;
      if (!is(end, "namespace")) return false;
      while (end < tokens_.size() && end - at_ < kLongestList && !is(end, "{") && !is(end, ";") &&
             !is(end, "="))
        ++end;
    }
    if (!is(end, "{") || depth >= kDeepest) return false;
    at_ = end + 1;
    scan_scope(Scope::Namespace, depth + 1);
    return true;
  }

  void scan_macro() {
    const size_t start = at_;
    const bool device = macros_.device.contains(tokens_[at_].text);
    const Declaration declaration{.side = device ? Side::Device : Side::Either, .name = tokens_[at_].text};
    ++at_;
    skip_group();
    if (is(at_, ";")) ++at_;
    finish(declaration, start);
  }

  void scan_declaration(Scope scope, size_t depth) {
    const size_t start = at_;
    const size_t first_found = found_.size();
    Head head;
    scan_head(head, depth, start);
    // A scan always proceeds, also where a bracket closes nothing.
    if (at_ == start) ++at_;
    const bool is_function = head.has_parameters && !head.has_value && !head.is_type && !head.is_alias;
    // Only a member function can be left out of a class: the size of an object depends on its variables.
    if (scope == Scope::Class && !is_function) return;
    finish({.side = is_statement(start, scope) ? Side::Device : side_of(head, scope),
            .name = head.name,
            .is_function = is_function,
            .has_body = head.has_body},
           start);
    // A class stands before its members.
    std::rotate(found_.begin() + static_cast<std::ptrdiff_t>(first_found), found_.end() - 1, found_.end());
  }

  /// Appends a declaration from the token `start` to the one before the current.
  void finish(Declaration declaration, size_t start) {
    const auto offset = [&](const Token& token) {
      return static_cast<size_t>(token.text.data() - source_.data());
    };
    size_t last = std::min(at_, tokens_.size()) - 1;
    while (last > start && tokens_[last].kind == Token::Kind::Directive) --last;
    const Token& end = tokens_[last];
    declaration.begin = offset(tokens_[start]);
    declaration.end = offset(end) + end.text.size();
    declaration.first_line = tokens_[start].line;
    declaration.last_line = end.line + static_cast<int>(std::ranges::count(end.text, '\n'));
    found_.push_back(declaration);
  }

  /// `while (x) y;` outside of a function is no host code to be left out: the compiler says that it is wrong.
  /// Where macros open braces, it may be inside of one after all.
  bool is_statement(size_t start, Scope scope) const {
    constexpr std::array<Words, 11> kStatements{"if",     "else",  "for",  "while",    "do",  "switch",
                                                "return", "break", "case", "continue", "goto"};
    if (scope == Scope::Class || !is_one_of(tokens_[start].text, kStatements)) return false;
    return std::ranges::none_of(tokens_, [](const Token& token) {
      if (token.kind != Token::Kind::Directive || directive_of(token).keyword != "define") return false;
      return std::ranges::count(token.text, '{') != std::ranges::count(token.text, '}');
    });
  }

  static Side side_of(const Head& head, Scope scope) {
    if (head.is_type || head.is_alias) return Side::Either;
    if (head.device) return head.host ? Side::Either : Side::Device;
    if (head.host) return Side::Host;
    if (head.constant_expression || scope == Scope::Class) return Side::Either;
    return !head.has_parameters && head.constant ? Side::Either : Side::Host;
  }

  void scan_head(Head& head, size_t depth, size_t start) {
    while (settle(true)) {
      const Token& token = tokens_[at_];
      if (token.kind == Token::Kind::Word) {
        scan_word(head, token.text);
        continue;
      }
      const char c = token.kind == Token::Kind::Mark ? token.text.front() : '\0';
      if (c == '}') return;
      if (c == '(') {
        scan_parameters(head, start);
      } else if (c == '[') {
        skip_group();
      } else if (c == '<' && is_kind(at_ - 1, Token::Kind::Word) && at_ > start && !head.has_value) {
        head.template_name = tokens_[at_ - 1].text;
        skip_list();
      } else if (c == '{') {
        if (scan_braces(head, depth)) return;
      } else {
        const bool is_special =
            head.has_parameters && (is(at_ + 1, "default") || is(at_ + 1, "delete") || is(at_ + 1, "0"));
        head.has_value |= c == '=' && !is_special;
        head.has_several |= c == ',';
        head.in_initializers |=
            c == ':' && head.has_parameters && !is(at_ + 1, ":") && (at_ == start || !is(at_ - 1, ":"));
        ++at_;
        if (c == ';') return;
      }
    }
  }

  void scan_word(Head& head, std::string_view word) {
    ++at_;
    if (!head.has_value) {
      head.device |= is_one_of(word, kDeviceWords) || macros_.device.contains(word) ||
                     (sounds_of_device(word) && is_kind(at_, Token::Kind::Word));
      // References of before CUDA 12, whose removal is worth its own message.
      head.device |= (word == "texture" || word == "surface") && is(at_, "<");
      head.host |= word == "__host__" || macros_.host_device.contains(word);
      head.constant |= word == "const";
      head.constant_expression |= word == "constexpr" || word == "consteval" || word == "constinit";
      head.is_alias |= is_one_of(word, kAliasWords);
      if (!head.has_parameters && is_one_of(word, kTypeWords)) {
        head.is_type = true;
        head.is_enumeration |= word == "enum";
        head.name = {};
        head.names_type = true;
      } else if (head.names_type && !is_attribute(word)) {
        head.name = word;
        head.names_type = false;
      } else if (!head.has_parameters && !head.has_several && (!head.is_type || head.is_alias)) {
        head.name = word;  // of a variable or an alias the last one
      }
    }
    if (word == "template" && settle(true) && is(at_, "<")) skip_list();
    if (word == "operator" && !head.has_parameters) {
      head.name = word;
      head.is_operator = true;
      if (is(at_, "(") && is(at_ + 1, ")")) at_ += 2;
      while (settle(true) && !is_mark("(;{}")) ++at_;
    }
  }

  /// HOST_DEVICE and the like may come from a file that was not found.
  static bool sounds_of_device(std::string_view word) {
    constexpr Words kPart = "DEVICE";
    const size_t at = word.find(kPart);
    if (at == std::string_view::npos) return false;
    const size_t end = at + kPart.size();
    return (at == 0 || word[at - 1] == '_') && (end == word.size() || word[end] == '_');
  }

  void scan_parameters(Head& head, size_t start) {
    const std::string_view before = at_ > start ? tokens_[at_ - 1].text : std::string_view();
    skip_group();
    if (head.has_parameters || head.has_value || is_attribute(before) || !settle(true)) return;
    const Token& after = tokens_[at_];
    // API(void) f(); struct ALIGN(8) Pair { ... };
    if (after.kind == Token::Kind::Word && !is_one_of(after.text, kAfterParameters) &&
        !after.text.starts_with("__"))
      return;
    head.has_parameters = true;
    // struct Pair make(int a): the word says what the function returns.
    head.is_type = false;
    if (!head.is_operator) head.name = before == ">" ? head.template_name : before;
  }

  /// Reads the braces at the current token. True if the declaration ends with them.
  bool scan_braces(Head& head, size_t depth) {
    const bool is_class = head.is_type && !head.is_enumeration && !head.has_value && depth < kDeepest;
    // Pair(int a) : first{a}, second(a) {}
    const bool is_initializer = head.in_initializers && is_kind(at_ - 1, Token::Kind::Word);
    if (is_class) {
      head.is_type = true;
      ++at_;
      scan_scope(Scope::Class, depth + 1);
      return false;
    }
    skip_group();
    head.has_body = head.has_parameters && !head.has_value && !head.is_alias && !is_initializer;
    return head.has_body;
  }

  std::string_view source_;
  const std::vector<Token>& tokens_;
  const MacroNames& macros_;
  size_t at_ = 0;
  size_t scopes_ = 0;
  std::vector<Conditional> conditionals_;
  std::vector<Declaration> found_;
};

/// The words of a macro's text; of `NAME(a, b) text` without the parameters.
struct Macro {
  std::string name = {};
  bool has_parameters = false;
  std::string body = {};
};

Macro macro_of(const std::string& definition) {
  size_t end = 0;
  while (end < definition.size() && is_word(definition[end])) ++end;
  Macro macro{.name = definition.substr(0, end)};
  macro.has_parameters = end < definition.size() && definition[end] == '(';
  const size_t close = macro.has_parameters ? definition.find(')', end) : end;
  macro.body =
      close == std::string::npos ? std::string() : definition.substr(std::min(close + 1, definition.size()));
  if (!macro.has_parameters) macro.body = definition.substr(end);
  return macro;
}

}  // namespace

void add_macros(MacroNames& names, const std::vector<Token>& tokens) {
  for (const Token& token : tokens) {
    if (token.kind != Token::Kind::Directive) continue;
    const Directive directive = directive_of(token);
    if (directive.keyword != "define") continue;
    const Macro macro = macro_of(directive.rest);
    for (const Token& part : tokens_of(macro.body)) {
      if (is_one_of(part.text, kDeviceWords) || names.device.contains(part.text))
        names.device.insert(macro.name);
      if (part.text == "__host__" || names.host_device.contains(part.text))
        names.host_device.insert(macro.name);
      if (macro.has_parameters && (part.text == "{" || part.text == ";"))
        names.declarations.insert(macro.name);
    }
  }
}

std::vector<Declaration> find_declarations(std::string_view source, const std::vector<Token>& tokens,
                                           const MacroNames& macros) {
  std::vector<Declaration> found = Scanner(source, tokens, macros).scan();
  // A function that an earlier line declares __device__ is defined without the word.
  std::set<std::string_view> declared;
  for (const Declaration& declaration : found)
    if (declaration.is_function && declaration.side != Side::Host && !declaration.has_body)
      declared.insert(declaration.name);
  for (Declaration& declaration : found)
    if (declaration.is_function && declaration.side == Side::Host && declared.contains(declaration.name))
      declaration.side = Side::Either;
  return found;
}

}  // namespace lanescope::compile
