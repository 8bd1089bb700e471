#include "ptx/parser.h"

#include "base/escape.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace lanescope::ptx {

namespace {

/// The line of `text` that holds offset `at`, trimmed, and cut where it would fill a screen.
std::string line_around(std::string_view text, size_t at) {
  constexpr size_t kLongest = 160;
  at = std::min(at, text.size());
  const size_t begin = at == 0 ? 0 : text.find_last_of('\n', at - 1) + 1;
  std::string_view line = text.substr(begin, std::min(text.find('\n', at), text.size()) - begin);
  const size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
  if (line.size() <= kLongest) return std::string(line);
  return std::string(line.substr(0, kLongest)) + "...";
}

}  // namespace

Parser::Parser(std::string_view text, std::string_view file_name)
    : text_(text), lexer_(text, std::string(file_name)) {
  module_.file_name = file_name;
}

Result<void> Parser::advance() {
  last_ = now_;
  now_ = ahead_;
  TRY(ahead_, lexer_.next());
  return {};
}

void Parser::go_back(const Mark& mark) {
  lexer_ = mark.lexer;
  now_ = mark.now;
  ahead_ = mark.ahead;
  last_ = mark.last;
}

std::unexpected<Error> Parser::error(ErrorKind kind, const Token& token, std::string_view message) const {
  const std::string line = line_around(text_, token.begin);
  return fail(kind, line.empty() ? std::string(message) : fmt::format("{}: {}", message, line),
              Location{module_.file_name, token.line});
}

std::unexpected<Error> Parser::unexpected_token(std::string_view expected) const {
  if (now_.kind == TokenKind::End) {
    return error(ErrorKind::Syntax, now_, fmt::format("{} was expected, but the text ends here", expected));
  }
  constexpr size_t kLongest = 60;
  return error(ErrorKind::Syntax, now_,
               fmt::format("{} was expected, '{}' was found", expected, now_.text.substr(0, kLongest)));
}

Result<void> Parser::expect(char mark, std::string_view after) {
  if (!now_.is(mark)) return unexpected_token(fmt::format("'{}' after {}", mark, after));
  return advance();
}

Result<bool> Parser::accept(char mark) {
  if (!now_.is(mark)) return false;
  TRY_VOID(advance());
  return true;
}

Result<std::string_view> Parser::expect_word(std::string_view what) {
  if (now_.kind != TokenKind::Word) return unexpected_token(what);
  const std::string_view word = now_.text;
  TRY_VOID(advance());
  return word;
}

/// Two numbers, "9.0", which the lexer reads as one.
Result<void> Parser::parse_version() {
  const std::string_view text = now_.text;
  const size_t dot = std::min(text.find('.'), text.size());
  const auto read = [](std::string_view digits, int& number) {
    const auto [rest, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return status == std::errc() && rest == digits.data() + digits.size();
  };
  const bool is_version = now_.kind == TokenKind::Number && dot < text.size() &&
                          read(text.substr(0, dot), module_.version_major) &&
                          read(text.substr(dot + 1), module_.version_minor);
  if (!is_version) return unexpected_token("a version such as 9.0");
  return advance();
}

Result<void> Parser::parse_target() {
  TRY(const std::string_view target, expect_word("an architecture such as sm_90"));
  module_.target = target;
  // Further words are options (debug, texmode_unified, map_f64_to_f32), which change nothing here but the
  // last.
  while (now_.is(',')) {
    TRY_VOID(advance());
    const Token option = now_;
    TRY(const std::string_view word, expect_word("an option of .target"));
    if (word == "map_f64_to_f32") {
      return error(ErrorKind::Unsupported, option, "the option 'map_f64_to_f32' is not supported");
    }
  }
  return {};
}

Result<void> Parser::parse_address_size() {
  const Token at = now_;
  TRY(const uint64_t bits, parse_number_in("an address size in bits", 0, 64));
  if (bits != 64) {
    return error(ErrorKind::Unsupported, at,
                 "only 64-bit addresses are supported; compile for a 64-bit machine");
  }
  module_.address_bits = 64;
  return {};
}

/// .file 1 "transpose.cu"[, timestamp, size]
Result<void> Parser::parse_file() {
  TRY(const uint64_t number, parse_number_in("a file number", 0, UINT32_MAX));
  if (now_.kind != TokenKind::String) return unexpected_token("a file name in quotation marks");
  const std::string_view path = now_.text.substr(1, now_.text.size() - 2);
  TRY_VOID(advance());
  while (now_.is(',')) {
    TRY_VOID(advance());
    TRY_VOID(parse_number_in("a time stamp or a size", 0, UINT64_MAX));
  }
  module_.files.push_back({static_cast<uint32_t>(number), unescaped(path)});
  return {};
}

/// Debugging information. Only .debug_str matters: it holds the names that .loc refers to.
Result<void> Parser::parse_section() {
  const bool holds_names = now_.is(".debug_str");
  if (now_.kind != TokenKind::Dotted) return unexpected_token("the name of a section");
  TRY_VOID(advance());
  TRY_VOID(expect('{', "the name of a section"));
  std::string* bytes = nullptr;
  bool is_list_of_bytes = false;
  while (!now_.is('}')) {
    if (now_.kind == TokenKind::End) return unexpected_token("'}' after a section");
    if (holds_names && now_.kind == TokenKind::Word && ahead_.is(':')) {
      bytes = &strings_[now_.text];
      is_list_of_bytes = false;
    } else if (now_.kind == TokenKind::Dotted) {
      is_list_of_bytes = now_.is(".b8");
    } else if (holds_names && is_list_of_bytes && bytes != nullptr && now_.kind == TokenKind::Number) {
      TRY(const uint64_t byte, parse_number_in("a byte", 0, 255));
      bytes->push_back(static_cast<char>(byte));
      continue;
    }
    TRY_VOID(advance());
  }
  return advance();
}

/// .pragma "nounroll"; a hint by definition: PTX says that an unknown one is ignored.
Result<void> Parser::parse_pragma() {
  do {
    if (now_.kind != TokenKind::String) return unexpected_token("a pragma in quotation marks");
    if (now_.text == "\"nounroll\"") function_.nounroll_lines.push_back(now_.line);
    TRY_VOID(advance());
    TRY(const bool has_more, accept(','));
    if (!has_more) break;
  } while (true);
  return expect(';', "a pragma");
}

Result<void> Parser::parse_top_level() {
  Linkage linkage = Linkage::Here;
  while (now_.is(".visible") || now_.is(".extern") || now_.is(".weak") || now_.is(".common")) {
    if (now_.is(".extern")) linkage = Linkage::Extern;
    TRY_VOID(advance());
  }
  const Token directive = now_;
  if (directive.kind != TokenKind::Dotted) return unexpected_token("a directive such as .entry or .global");
  TRY_VOID(advance());
  if (directive.is(".entry")) return parse_function(FunctionKind::Kernel, linkage);
  if (directive.is(".func")) return parse_function(FunctionKind::Device, linkage);
  if (directive.is(".global")) return parse_globals(Space::Global, linkage);
  if (directive.is(".const")) return parse_globals(Space::Constant, linkage);
  if (directive.is(".shared")) return parse_globals(Space::Shared, linkage);
  if (directive.is(".file")) return parse_file();
  if (directive.is(".section")) return parse_section();
  if (directive.is(".pragma")) return parse_pragma();
  return error(ErrorKind::Unsupported, directive,
               fmt::format("the directive '{}' is not supported", directive.text));
}

Result<Module> Parser::parse() {
  if (text_.size() > kMaximumTextBytes) {
    return fail(ErrorKind::Limit,
                fmt::format("PTX of {} MiB is more than the {} MiB that Lanescope reads", text_.size() >> 20,
                            kMaximumTextBytes >> 20),
                Location{module_.file_name, 0});
  }
  TRY_VOID(advance());
  TRY_VOID(advance());
  if (!now_.is(".version")) return unexpected_token(".version, with which every PTX file starts,");
  TRY_VOID(advance());
  TRY_VOID(parse_version());
  if (!now_.is(".target")) return unexpected_token(".target after .version");
  TRY_VOID(advance());
  TRY_VOID(parse_target());
  if (now_.is(".address_size")) {
    TRY_VOID(advance());
    TRY_VOID(parse_address_size());
  }
  while (now_.kind != TokenKind::End) TRY_VOID(parse_top_level());
  TRY_VOID(resolve_places());
  module_.text = text_;
  return std::move(module_);
}

Result<Module> parse(std::string_view text, std::string_view file_name) {
  return Parser(text, file_name).parse();
}

}  // namespace lanescope::ptx
