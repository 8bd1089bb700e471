#include "view/source/listing.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>

namespace lanescope::view {

using plot::Role;

namespace {

constexpr auto kKeywords = std::to_array<std::string_view>({"__constant__", "__device__", "__forceinline__",
                                                            "__global__",   "__host__",   "__launch_bounds__",
                                                            "__restrict__", "__shared__", "alignas",
                                                            "auto",         "break",      "case",
                                                            "const",        "constexpr",  "continue",
                                                            "default",      "do",         "else",
                                                            "enum",         "extern",     "false",
                                                            "for",          "if",         "inline",
                                                            "namespace",    "nullptr",    "return",
                                                            "sizeof",       "static",     "struct",
                                                            "switch",       "template",   "this",
                                                            "true",         "typedef",    "typename",
                                                            "union",        "using",      "volatile",
                                                            "while"});
constexpr auto kTypes = std::to_array<std::string_view>(
    {"Element", "__syncthreads", "__syncwarp", "blockDim", "blockIdx", "bool",     "char",      "double",
     "dim3",    "float",         "float2",     "float4",   "gridDim",  "int",      "int2",      "int4",
     "int64_t", "int8_t",        "long",       "short",    "signed",   "size_t",   "threadIdx", "uint2",
     "uint3",   "uint32_t",      "uint4",      "uint64_t", "uint8_t",  "unsigned", "void",      "warpSize"});
constexpr auto kPythonKeywords = std::to_array<std::string_view>(
    {"False", "None",   "True", "and",   "as",     "assert",   "break", "class", "continue",
     "def",   "del",    "elif", "else",  "except", "finally",  "for",   "from",  "global",
     "if",    "import", "in",   "is",    "lambda", "nonlocal", "not",   "or",    "pass",
     "raise", "return", "try",  "while", "with",   "yield"});
constexpr auto kPythonTypes = std::to_array<std::string_view>(
    {"blockDim", "blockIdx", "bool", "complex", "cuda", "float", "grid", "gridDim", "gridsize", "int", "len",
     "range", "syncthreads", "syncwarp", "threadIdx", "tl"});
static_assert(std::ranges::is_sorted(kKeywords));
static_assert(std::ranges::is_sorted(kPythonKeywords));

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Colors the words line by line; remembers an open comment.
class Scanner {
 public:
  explicit Scanner(Syntax syntax) : syntax_(syntax) {}

  std::vector<Word> scan(std::string_view line) {
    words_.clear();
    line_ = line;
    at_ = 0;
    bool first = true;  // the first word of a PTX line is its instruction
    while (at_ < line_.size()) {
      if (syntax_ == Syntax::Python ? python_text() : comment()) continue;
      if (line_[at_] == '"' || line_[at_] == '\'') {
        quoted();
      } else if (digit(line_[at_])) {
        add(end_of_word(at_, "."), Role::SyntaxNumber);
      } else if (syntax_ == Syntax::Ptx) {
        first = ptx_word(first);
      } else if (syntax_ == Syntax::Python) {
        word(kPythonKeywords, kPythonTypes);
      } else {
        word(kKeywords, kTypes);
      }
    }
    return std::move(words_);
  }

 private:
  void add(size_t end, Role role) {
    words_.push_back({static_cast<uint32_t>(at_), static_cast<uint32_t>(end), role});
    at_ = end;
  }
  size_t end_of_word(size_t from, std::string_view also) const {
    size_t end = from;
    while (end < line_.size() && (in_word(line_[end]) || also.find(line_[end]) != std::string_view::npos))
      ++end;
    return end;
  }
  /// Whether a comment of C++ was here.
  bool comment() {
    const std::string_view here = line_.substr(at_, 2);
    if (in_comment_ || here == "/*") {
      const size_t close = line_.find("*/", in_comment_ ? at_ : at_ + 2);
      in_comment_ = close == std::string_view::npos;
      add(in_comment_ ? line_.size() : close + 2, Role::SyntaxComment);
      return true;
    }
    if (here != "//") return false;
    add(line_.size(), Role::SyntaxComment);
    return true;
  }
  /// Whether a comment of Python, or a text between three quotes, was here.
  bool python_text() {
    const std::string_view here = line_.substr(at_, 3);
    if (!quotes_.empty() || here == "\"\"\"" || here == "'''") {
      const size_t from = quotes_.empty() ? at_ + 3 : at_;
      if (quotes_.empty()) quotes_ = here;
      const size_t close = line_.find(quotes_, from);
      if (close == std::string_view::npos) {
        add(line_.size(), Role::SyntaxString);
      } else {
        add(close + 3, Role::SyntaxString);
        quotes_.clear();
      }
      return true;
    }
    if (line_[at_] != '#') return false;
    add(line_.size(), Role::SyntaxComment);
    return true;
  }
  void quoted() {
    size_t end = at_ + 1;
    while (end < line_.size() && line_[end] != line_[at_]) end += line_[end] == '\\' ? 2 : 1;
    add(std::min(end + 1, line_.size()), Role::SyntaxString);
  }
  void word(std::span<const std::string_view> keywords, std::span<const std::string_view> types) {
    if (line_[at_] == '#' || line_[at_] == '@')  // a directive, a decorator
      return add(end_of_word(at_ + 1, ""), Role::SyntaxKeyword);
    if (!starts_word(line_[at_])) {
      ++at_;
      return;
    }
    const size_t end = end_of_word(at_, "");
    const std::string_view word = line_.substr(at_, end - at_);
    if (std::ranges::binary_search(keywords, word)) return add(end, Role::SyntaxKeyword);
    if (std::ranges::find(types, word) != types.end()) return add(end, Role::SyntaxType);
    at_ = end;
  }
  /// Returns whether the instruction is still to come.
  bool ptx_word(bool first) {
    const char c = line_[at_];
    if (c == '%' || c == '$') {
      at_ = end_of_word(at_ + 1, ".%$");
      return first;
    }
    if (c == '@') {
      at_ = end_of_word(at_ + 1, "!%");
      return first;
    }
    if (c != '.' && !starts_word(c)) {
      ++at_;
      return first;
    }
    const size_t end = end_of_word(at_ + 1, ".");
    if (first && c != '.')
      add(end, Role::SyntaxKeyword);
    else if (c == '.')
      add(end, Role::SyntaxType);
    else
      at_ = end;
    return false;
  }

  Syntax syntax_;
  bool in_comment_ = false;
  std::string quotes_;  // of Python, three, that are open
  std::string_view line_;
  size_t at_ = 0;
  std::vector<Word> words_;
};

/// Calls f(line) for each line, without its end.
template <class F>
void for_each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    f(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
}

std::string without_tabs(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t')
      text.append(4 - text.size() % 4, ' ');
    else
      text += c;
  }
  return text;
}

/// The numbers that follow `name` in a directive: ".loc 1 14 3" has 1, 14, 3.
std::vector<int> numbers_after(std::string_view line, std::string_view name) {
  std::vector<int> numbers;
  size_t at = line.find(name);
  if (at == std::string_view::npos) return numbers;
  at += name.size();
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t' || digit(line[at]))) {
    if (!digit(line[at])) {
      ++at;
      continue;
    }
    int number = 0;
    const auto [rest, problem] = std::from_chars(line.data() + at, line.data() + line.size(), number);
    if (problem != std::errc()) break;
    numbers.push_back(number);
    at = static_cast<size_t>(rest - line.data());
  }
  return numbers;
}

std::string_view file_name(std::string_view path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// Number of the .file directive that names `source_name`; 0 if there is none.
int file_number(std::string_view ptx, std::string_view source_name) {
  int found = 0;
  for_each_line(ptx, [&](std::string_view line) {
    const std::vector<int> numbers = numbers_after(line, ".file");
    const size_t open = line.find('"'), close = line.rfind('"');
    if (numbers.empty() || open == close || open == std::string_view::npos) return;
    if (file_name(line.substr(open + 1, close - open - 1)) == file_name(source_name)) found = numbers[0];
  });
  return found;
}

}  // namespace

std::span<const std::string_view> cuda_keywords() { return kKeywords; }
std::span<const std::string_view> cuda_types() { return kTypes; }

Syntax syntax_of_source(std::string_view name) {
  return name.ends_with(".py") || name.starts_with("<ipython") ? Syntax::Python : Syntax::Cuda;
}

std::vector<ListingLine> read_listing(std::string_view text, Syntax syntax) {
  std::vector<ListingLine> lines;
  Scanner scanner(syntax);
  for_each_line(text, [&](std::string_view line) {
    ListingLine made{.text = without_tabs(line), .words = {}};
    made.words = scanner.scan(made.text);
    lines.push_back(std::move(made));
  });
  return lines;
}

std::vector<int> source_lines_of_ptx(std::string_view ptx, std::string_view source_name) {
  const int file = file_number(ptx, source_name);
  std::vector<int> lines;
  int current = 0;
  for_each_line(ptx, [&](std::string_view line) {
    const std::vector<int> place = numbers_after(line, ".loc"), caller = numbers_after(line, "inlined_at");
    if (place.size() >= 2) {
      current = place[0] == file ? place[1] : caller.size() >= 2 && caller[0] == file ? caller[1] : 0;
      lines.push_back(0);
      return;
    }
    // An instruction is indented and ends in a semicolon; labels, braces and declarations belong to no line.
    const size_t first = line.find_first_not_of(" \t");
    const bool instruction = first != std::string_view::npos && line.ends_with(';') && line[first] != '.';
    lines.push_back(instruction ? current : 0);
  });
  return lines;
}

}  // namespace lanescope::view
