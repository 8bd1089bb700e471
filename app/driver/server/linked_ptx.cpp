#include "driver/server/linked_ptx.h"

#include "base/source_name.h"
#include "ptx/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace lanescope::driver {
namespace {

constexpr std::string_view kNamesOfInlined = "$L__info_string";  // labels in .debug_str

/// All tokens of a text. Errors: those of ptx::Lexer.
Result<std::vector<ptx::Token>> tokens_of(std::string_view text) {
  ptx::Lexer lexer(text, "PTX of a linked file");
  std::vector<ptx::Token> tokens;
  do {
    TRY(tokens.emplace_back(), lexer.next());
  } while (tokens.back().kind != ptx::TokenKind::End);
  tokens.pop_back();
  return tokens;
}

size_t end_of(const ptx::Token& token) { return token.begin + token.text.size(); }

enum class Linkage { Own, Visible, Repeatable, Extern };

/// A directive at the top of a text.
struct Directive {
  size_t begin = 0, end = 0;
  std::string_view first;  // word: ".version", ".file"
  std::string_view value;  // word after it
  std::string_view name;   // of a function or a variable; empty: neither
  Linkage linkage = Linkage::Own;
  bool is_function = false, has_body = false;

  bool is_definition() const {
    return !name.empty() && linkage != Linkage::Extern && (has_body || !is_function);
  }
};

bool ends_with_line(std::string_view word) {
  return word == ".version" || word == ".target" || word == ".address_size" || word == ".file";
}

/// Takes the words of a directive up to its end: a ';', or the bracket that closes a body.
class DirectiveReader {
 public:
  explicit DirectiveReader(Directive& directive) : directive_(directive) {}

  /// False after the last token.
  bool take(const ptx::Token& token) {
    const std::string_view text = token.text;
    if (text == "{" || text == "(" || text == "[") {
      has_open_body_ |= text == "{" && depth_ == 0 && !has_value_;
      named_ |= depth_ == 0 && !directive_.name.empty();
      ++depth_;
    } else if (text == "}" || text == ")" || text == "]") {
      --depth_;
      if (text == "}" && depth_ == 0 && has_open_body_) {
        directive_.has_body = true;
        return false;
      }
    } else if (text == ";" && depth_ == 0) {
      return false;
    } else if (depth_ == 0) {
      take_word(token);
    }
    return true;
  }

 private:
  void take_word(const ptx::Token& token) {
    const std::string_view text = token.text;
    if (text == "=") has_value_ = named_ = true;
    if (text == ".visible") directive_.linkage = Linkage::Visible;
    if (text == ".weak" || text == ".common") directive_.linkage = Linkage::Repeatable;
    if (text == ".extern") directive_.linkage = Linkage::Extern;
    if (text == ".func" || text == ".entry") directive_.is_function = true;
    is_variable_ |= text == ".global" || text == ".const" || text == ".shared";
    const bool is_name = token.kind == ptx::TokenKind::Word && !named_;
    if (is_name && (directive_.is_function || is_variable_)) directive_.name = text;
  }

  Directive& directive_;
  int depth_ = 0;
  bool named_ = false, has_value_ = false, has_open_body_ = false, is_variable_ = false;
};

std::vector<Directive> directives_of(std::span<const ptx::Token> tokens) {
  std::vector<Directive> found;
  for (size_t at = 0; at < tokens.size();) {
    const ptx::Token& first = tokens[at];
    Directive directive{.begin = first.begin, .end = 0, .first = first.text, .value = {}, .name = {}};
    if (ends_with_line(first.text)) {
      if (at + 1 < tokens.size()) directive.value = tokens[at + 1].text;
      while (at < tokens.size() && tokens[at].line == first.line) ++at;
    } else {
      DirectiveReader reader(directive);
      while (at < tokens.size() && reader.take(tokens[at++])) continue;
    }
    directive.end = end_of(tokens[at - 1]);
    found.push_back(directive);
  }
  return found;
}

/// A file's text and what the link makes of it.
struct Input {
  std::string_view text;
  std::vector<ptx::Token> tokens;
  std::vector<Directive> directives;
  std::set<size_t> dropped;  // begins of directives
  std::map<std::string_view, std::string> renamed;
  uint32_t first_file = 0;  // is added to the numbers of its source files
};

std::optional<uint32_t> number_of(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Chooses one definition of each name that files share; the others are dropped.
Result<void> choose_definitions(std::vector<Input>& inputs) {
  struct Chosen {
    Input* input;
    const Directive* directive;
  };
  std::map<std::string_view, Chosen> chosen;
  for (Input& input : inputs) {
    for (const Directive& directive : input.directives) {
      if (!directive.is_definition() || directive.linkage == Linkage::Own) continue;
      const auto [known, is_new] = chosen.try_emplace(directive.name, Chosen{&input, &directive});
      if (is_new) continue;
      if (directive.linkage == Linkage::Repeatable) {
        input.dropped.insert(directive.begin);
        continue;
      }
      if (known->second.directive->linkage == Linkage::Visible)
        return fail(ErrorKind::Syntax, fmt::format("two of the linked files define {}; keep one definition",
                                                   signature_of(directive.name)));
      known->second.input->dropped.insert(known->second.directive->begin);
      known->second = {&input, &directive};
    }
  }
  return {};
}

/// Gives what a file keeps to itself, and another file's name, a name of its own.
void rename_own(std::vector<Input>& inputs) {
  std::set<std::string_view> taken;
  for (size_t number = 0; number < inputs.size(); ++number) {
    Input& input = inputs[number];
    for (const Directive& directive : input.directives)
      if (directive.is_definition() && directive.linkage == Linkage::Own && taken.contains(directive.name))
        input.renamed.emplace(directive.name, fmt::format("{}__{}", directive.name, number));
    for (const Directive& directive : input.directives)
      if (!directive.name.empty()) taken.insert(directive.name);
  }
}

/// Functions of NVIDIA's library and of the device that no file has to define.
bool is_of_device(std::string_view name) {
  constexpr std::array kNames{"vprintf", "__assertfail", "malloc", "free"};
  return std::ranges::find(kNames, name) != kNames.end() || name.starts_with("cuda") ||
         name.starts_with("__cuda");
}

Result<void> check_all_defined(const std::vector<Input>& inputs) {
  std::set<std::string_view> defined;
  for (const Input& input : inputs)
    for (const Directive& directive : input.directives)
      if (directive.is_definition()) defined.insert(directive.name);
  for (const Input& input : inputs)
    for (const Directive& directive : input.directives) {
      const bool is_dynamic =
          input.text.substr(directive.begin, directive.end - directive.begin).contains(".shared");
      if (directive.linkage != Linkage::Extern || directive.name.empty() || is_dynamic) continue;
      if (defined.contains(directive.name) || is_of_device(directive.name)) continue;
      return fail(ErrorKind::Syntax,
                  fmt::format("none of the linked files defines the device {} {}; link the file that does",
                              directive.is_function ? "function" : "variable",
                              directive.is_function ? signature_of(directive.name)
                                                    : variable_name_of(directive.name)));
    }
  return {};
}

void number_files(std::vector<Input>& inputs) {
  uint32_t next = 0;
  for (Input& input : inputs) {
    input.first_file = next;
    for (const Directive& directive : input.directives)
      if (directive.first == ".file")
        next = std::max(next, input.first_file + number_of(directive.value).value_or(0));
  }
}

/// Appends [begin, end) of the text of file `number` with its new names and numbers.
void append_renamed(const Input& input, size_t number, size_t begin, size_t end, std::string& linked) {
  bool is_file = false;
  auto token = std::ranges::lower_bound(input.tokens, begin, {}, &ptx::Token::begin);
  for (; token != input.tokens.end() && token->begin < end; ++token) {
    const auto next = std::next(token);
    // An opcode may be spelled as a function: add.s32.
    const bool is_opcode =
        next != input.tokens.end() && next->kind == ptx::TokenKind::Dotted && next->begin == end_of(*token);
    std::optional<std::string> replaced;
    if (is_file) {
      if (const auto file = number_of(token->text)) replaced = fmt::format("{}", *file + input.first_file);
    } else if (const auto found = input.renamed.find(token->text);
               found != input.renamed.end() && !is_opcode) {
      replaced = found->second;
    } else if (number > 0 && token->text.starts_with(kNamesOfInlined)) {
      replaced = fmt::format("{}__{}", token->text, number);
    }
    is_file = token->text == ".file" || token->text == ".loc" || token->text == "inlined_at";
    if (!replaced) continue;
    linked.append(input.text.substr(begin, token->begin - begin)).append(*replaced);
    begin = end_of(*token);
  }
  linked.append(input.text.substr(begin, end - begin));
}

bool is_header(const Directive& directive) {
  return ends_with_line(directive.first) && directive.first != ".file";
}

/// Appends a file's text; dropped directives, and the headers of all files but the first, become empty lines.
void append_input(const Input& input, size_t number, std::string& linked) {
  size_t done = 0;
  for (const Directive& directive : input.directives) {
    if (!input.dropped.contains(directive.begin) && !(number > 0 && is_header(directive))) continue;
    append_renamed(input, number, done, directive.begin, linked);
    const std::string_view gone = input.text.substr(directive.begin, directive.end - directive.begin);
    linked.append(static_cast<size_t>(std::ranges::count(gone, '\n')), '\n');
    done = directive.end;
  }
  append_renamed(input, number, done, input.text.size(), linked);
  linked += '\n';
}

}  // namespace

Result<std::string> link_ptx(std::span<const std::string> texts) {
  std::vector<Input> inputs;
  for (const std::string& text : texts) {
    TRY(auto tokens, tokens_of(text));
    auto directives = directives_of(tokens);
    inputs.push_back({.text = text,
                      .tokens = std::move(tokens),
                      .directives = std::move(directives),
                      .dropped = {},
                      .renamed = {}});
  }
  TRY_VOID(choose_definitions(inputs));
  TRY_VOID(check_all_defined(inputs));
  rename_own(inputs);
  number_files(inputs);
  std::string linked;
  for (size_t number = 0; number < inputs.size(); ++number) append_input(inputs[number], number, linked);
  return linked;
}

bool is_device_runtime(std::string_view text) {
  return text.contains("__cuda_syscall_cnpv2GetParameterBufferV2");
}

}  // namespace lanescope::driver
