#include "compile/find_kernels.h"

#include "base/source_name.h"

#include <array>
#include <optional>

namespace lanescope::compile {
namespace {

/// Index after the bracket that closes the one at `open`.
size_t behind_bracket(const std::vector<Token>& tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].text == "(") ++depth;
    if (tokens[i].text == ")" && --depth == 0) return i + 1;
  }
  return tokens.size();
}

/// Words that belong to a type, and of these those that are none by themselves.
constexpr std::array<std::string_view, 10> kBuiltInWords{"unsigned", "signed", "int",    "long", "short",
                                                         "char",     "float",  "double", "bool", "void"};
constexpr std::array<std::string_view, 9> kQualifiers{"const",        "volatile",   "restrict",
                                                      "__restrict__", "__restrict", "struct",
                                                      "typename",     "class",      "__grid_constant__"};

/// The index of the parameter's name; `end` where a declaration has none: `const Range`, `float*`.
size_t name_of_parameter(const std::vector<Token>& tokens, size_t begin, size_t end) {
  size_t last = end;
  bool has_type = false;  // before the last word
  bool is_any = false;
  for (size_t n = begin; n < end; ++n) {
    const char first = tokens[n].text.front();
    if (!is_word(first) || (first >= '0' && first <= '9')) continue;
    has_type |= is_any;
    is_any |= !is_one_of(tokens[n].text, kQualifiers);
    last = n;
  }
  // `class T` and `int N` of a template have the name where a type would be.
  const bool is_of_template = tokens[begin].text == "class" || tokens[begin].text == "typename";
  if (last == end || (!has_type && !(is_of_template && last != begin))) return end;
  if (is_one_of(tokens[last].text, kBuiltInWords) || is_one_of(tokens[last].text, kQualifiers)) return end;
  if (last > begin && tokens[last - 1].text == ":") return end;
  const std::string_view after = last + 1 < end ? tokens[last + 1].text : std::string_view();
  return after.empty() || after == "[" || after == ")" ? last : end;
}

KernelDeclaration::Parameter parameter_of(const std::vector<Token>& tokens, size_t begin, size_t end) {
  KernelDeclaration::Parameter parameter;
  // A default value is not part of the type; the brackets of `int a[4]`, which is rare, are not either.
  size_t stop = begin;
  while (stop < end && tokens[stop].text != "=") ++stop;
  parameter.has_default = stop < end;
  const size_t name = name_of_parameter(tokens, begin, stop);
  for (size_t i = begin; i < stop; ++i) {
    if (i == name) continue;
    const char before = parameter.type.empty() ? ':' : parameter.type.back();
    if (is_word(tokens[i].text.front()) && std::string_view(":<[").find(before) == std::string_view::npos)
      parameter.type += ' ';
    parameter.type += tokens[i].text;
  }
  if (name < stop) parameter.name = tokens[name].text;
  return parameter;
}

std::vector<KernelDeclaration::Parameter> parameters_of(const std::vector<Token>& tokens, size_t open,
                                                        size_t close) {
  std::vector<KernelDeclaration::Parameter> parameters;
  int depth = 0;
  size_t begin = open + 1;
  for (size_t i = begin; i < close; ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(" || text == "<" || text == "[" || text == "{") ++depth;
    if (text == ")" || text == ">" || text == "]" || text == "}") --depth;
    const bool last = i + 1 == close;
    const bool separates = text == "," && depth == 0;
    if (!separates && !last) continue;
    const size_t end = last ? close : i;
    const bool is_void = end == begin + 1 && tokens[begin].text == "void";
    if (end > begin && !is_void) parameters.push_back(parameter_of(tokens, begin, end));
    begin = i + 1;
  }
  return parameters;
}

/// Index of the `template` that precedes the declaration that `__global__` at `i` belongs to.
std::optional<size_t> template_before(const std::vector<Token>& tokens, size_t i) {
  while (i-- > 0) {
    const std::string_view text = tokens[i].text;
    if (text == ";" || text == "}" || text == "{") return {};
    if (text == "template") return i;
  }
  return {};
}

/// Parameters of `template <class T, int n>` at `start`; the declaration itself begins at `end`.
std::vector<KernelDeclaration::Parameter> template_parameters_of(const std::vector<Token>& tokens,
                                                                 size_t start, size_t end) {
  int depth = 0;
  for (size_t i = start + 1; i < end; ++i) {
    if (tokens[i].text == "<") ++depth;
    if (tokens[i].text == ">" && --depth == 0) return parameters_of(tokens, start + 1, i);
  }
  return {};
}

/// The namespaces that a position of the text is in.
class Namespaces {
 public:
  /// Call with each token in turn.
  void read(const std::vector<Token>& tokens, size_t i) {
    const std::string_view text = tokens[i].text;
    if (text == "namespace") is_named_ = true, name_.clear();
    if (text == ";" || text == "=") is_named_ = false;
    if (is_named_ && text != "namespace" && text != "{") name_ += text;
    if (text == "{") {
      open_.push_back(is_named_ ? std::optional(name_) : std::nullopt);
      is_named_ = false;
    }
    if (text == "}" && !open_.empty()) open_.pop_back();
  }
  std::string scope() const {
    std::string scope;
    for (const std::optional<std::string>& name : open_)
      if (name && !name->empty()) scope += (scope.empty() ? "" : "::") + *name;
    return scope;
  }

 private:
  std::vector<std::optional<std::string>> open_;  // of each open brace the name, if a namespace's
  bool is_named_ = false;
  std::string name_;
};

}  // namespace

std::vector<KernelDeclaration> find_kernels(std::string_view source) {
  return find_kernels(tokens_of(source));
}

std::vector<KernelDeclaration> find_kernels(const std::vector<Token>& source) {
  const std::vector<Token> tokens = code_tokens_of(source);
  std::vector<KernelDeclaration> kernels;
  Namespaces namespaces;
  for (size_t i = 0; i < tokens.size(); ++i) {
    namespaces.read(tokens, i);
    if (tokens[i].text != "__global__") continue;
    // The name is the word before the first bracket that is not an attribute's: __launch_bounds__(256)
    // f(...).
    size_t open = i + 1;
    while (open < tokens.size() && tokens[open].text != ";" && tokens[open].text != "{") {
      if (tokens[open].text == "(") {
        if (!takes_attribute_arguments(tokens[open - 1].text)) break;
        open = behind_bracket(tokens, open);
        continue;
      }
      ++open;
    }
    if (open >= tokens.size() || tokens[open].text != "(" || !is_word(tokens[open - 1].text.front()))
      continue;
    const size_t behind = behind_bracket(tokens, open);
    KernelDeclaration kernel;
    kernel.name = tokens[open - 1].text;
    kernel.scope = namespaces.scope();
    kernel.line = tokens[open - 1].line;
    const std::optional<size_t> head = template_before(tokens, i);
    // An explicit instance, `template __global__ void f<3>(int*);`, has no list of parameters.
    kernel.is_template = head && *head + 1 < i && tokens[*head + 1].text == "<";
    if (kernel.is_template) kernel.template_parameters = template_parameters_of(tokens, *head, i);
    kernel.parameters = parameters_of(tokens, open, behind - 1);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::string with_source_names(std::string_view text) {
  std::string named;
  while (!text.empty()) {
    size_t word = 0;
    while (word < text.size() && is_word(text[word])) ++word;
    if (text.starts_with("_Z"))
      named += source_name_of(text.substr(0, word));
    else
      named += text.substr(0, std::max<size_t>(word, 1));
    text.remove_prefix(std::max<size_t>(word, 1));
  }
  return named;
}

}  // namespace lanescope::compile
