#include "compile/device_code.h"

#include "compile/headers.h"
#include "compile/log.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace lanescope::compile {
namespace {

using Found = IncludeLine::Found;
using Side = Declaration::Side;

/// True for a header that only host code has: not found and not one of standard_headers(), or a library of
/// CUDA's for the host. False for a name that a macro leaves uncertain.
bool is_of_host(const IncludeLine& line) {
  if (!line.is_certain) return false;
  return line.found == Found::Nowhere ? !is_standard_header(line.name)
                                      : line.found == Found::Cuda && is_host_library(line.name);
}

/// "#include "..."" of a whole path; empty where none can be written.
std::string include_of(const std::string& path) {
  if (path.contains('\n')) return {};
  if (!path.contains('"')) return fmt::format("#include \"{}\"", path);
  return path.contains('>') ? std::string() : fmt::format("#include <{}>", path);
}

void blank(std::string& text, size_t begin, size_t end) {
  for (size_t at = begin; at < end; ++at)
    if (text[at] != '\n' && text[at] != '\r') text[at] = ' ';
}

/// Bytes of the words that follow extern "C" at once: the compiler takes them for the suffix of a literal.
std::vector<size_t> joints_of(std::string_view text, const std::vector<Token>& tokens) {
  std::vector<size_t> joints;
  for (size_t n = 1; n + 1 < tokens.size(); ++n) {
    const Token& after = tokens[n + 1];
    if (tokens[n].text != "\"C\"" || tokens[n - 1].text != "extern" || after.kind != Token::Kind::Word)
      continue;
    if (tokens[n].text.data() + tokens[n].text.size() == after.text.data())
      joints.push_back(static_cast<size_t>(after.text.data() - text.data()));
  }
  return joints;
}

/// Bytes of the `const` of declarations as `const float a = 1;`, outside functions and classes.
std::vector<size_t> constants_of(std::string_view text, const std::vector<Declaration>& declarations) {
  std::vector<size_t> constants;
  for (const Declaration& declaration : declarations) {
    if (declaration.side != Side::Either || declaration.is_function) continue;
    const std::vector<Token> tokens =
        tokens_of(text.substr(declaration.begin, declaration.end - declaration.begin));
    const size_t first = !tokens.empty() && tokens[0].text == "static" ? 1 : 0;
    if (first + 3 >= tokens.size() || tokens[first].text != "const" || tokens[first + 3].text != "=")
      continue;
    if (tokens[first + 1].text == "float" || tokens[first + 1].text == "double")
      constants.push_back(static_cast<size_t>(tokens[first].text.data() - text.data()));
  }
  return constants;
}

}  // namespace

std::string without_declarations(std::string_view text, const std::vector<Token>& directives,
                                 const std::vector<Declaration>& left_out) {
  std::string rest(text);
  for (const Declaration& declaration : left_out) blank(rest, declaration.begin, declaration.end);
  // A declaration may be in another one, so the directives come last. Both are in the order of the text.
  size_t next = 0, end = 0;
  for (const Token& token : directives) {
    const auto begin = static_cast<size_t>(token.text.data() - text.data());
    for (; next < left_out.size() && left_out[next].begin <= begin; ++next)
      end = std::max(end, left_out[next].end);
    if (begin < end && !directive_of(token).keyword.starts_with("include"))
      rest.replace(begin, token.text.size(), token.text);
  }
  return rest;
}

DeviceCode::DeviceCode(const SourceFiles& files, const Options& options)
    : files_(files), taken_(files.files.size()) {
  std::string defines;
  for (const std::string& define : options.defines) {
    std::string line = define;
    if (const size_t equals = line.find('='); equals != std::string::npos) line[equals] = ' ';
    defines += fmt::format("#define {}\n", line);
  }
  add_macros(macros_, tokens_of(defines));
  // Twice, since a macro may expand to one that a later file defines.
  for (int round = 0; round < 2; ++round)
    for (const SourceFile& file : files.files) add_macros(macros_, file.directives);
  for (size_t number = 0; number < files.files.size(); ++number)
    if (number == 0 || files.files[number].is_beside) take(number);
}

void DeviceCode::take(size_t number) {
  const SourceFile& file = files_.files[number];
  File& taken = taken_[number];
  taken.is_taken = true;
  std::vector<Token> of_header;
  if (file.tokens.empty()) of_header = tokens_of(file.text);
  const std::vector<Token>& tokens = file.tokens.empty() ? of_header : file.tokens;
  taken.declarations = find_declarations(file.text, tokens, macros_);
  taken.joints = joints_of(file.text, tokens);
  taken.constants = constants_of(file.text, taken.declarations);
  taken.reasons.resize(taken.declarations.size());
  for (const Declaration& declaration : taken.declarations)
    taken.is_left_out.push_back(declaration.side == Side::Host);
}

std::string DeviceCode::text_of(size_t number) const {
  const SourceFile& file = files_.files[number];
  const File& taken = taken_[number];
  std::vector<Declaration> left_out;
  for (size_t n = 0; n < taken.declarations.size(); ++n)
    if (taken.is_left_out[n]) left_out.push_back(taken.declarations[n]);
  std::string text =
      left_out.empty() ? file.text : without_declarations(file.text, file.directives, left_out);
  struct Change {
    size_t begin, end;
    std::string words;
  };
  std::vector<Change> changes;
  for (const IncludeLine& line : file.includes) {
    if (text[line.begin] == ' ' || !line.is_certain) continue;  // left out, or only the compiler knows
    if (is_of_host(line)) blank(text, line.begin, line.end);
    if (line.found != Found::File) continue;
    std::string include = include_of(files_.files[line.file].name);
    if (!include.empty()) changes.push_back({line.begin, line.end, std::move(include)});
  }
  for (const size_t at : taken.joints)
    if (text[at] != ' ') changes.push_back({at, at, " "});
  constexpr size_t kConstBytes = 5;
  for (const size_t at : taken.constants)
    if (has_constant_numbers_ && text[at] != ' ') changes.push_back({at, at + kConstBytes, "constexpr"});
  // From the end, since what is written may be longer than what it replaces.
  std::ranges::sort(changes, std::greater(), &Change::begin);
  for (const Change& change : changes) text.replace(change.begin, change.end - change.begin, change.words);
  return text;
}

Source DeviceCode::source() const {
  Source source{files_.files.front().name, text_of(0), {}};
  for (size_t number = 1; number < files_.files.size(); ++number)
    source.headers.push_back({files_.files[number].name, text_of(number)});
  // An include whose name comes from one of several macros stays as it is, so its file has that name too.
  for (const SourceFile& file : files_.files)
    for (const IncludeLine& line : file.includes) {
      const bool is_known =
          std::ranges::find(source.headers, line.name, &Header::name) != source.headers.end();
      if (line.found == Found::File && !line.is_certain && !is_known)
        source.headers.push_back({line.name, text_of(line.file)});
    }
  return source;
}

bool DeviceCode::differs() const {
  for (size_t number = 0; number < files_.files.size(); ++number) {
    if (std::ranges::count(taken_[number].is_left_out, true) != 0) return true;
    if (!taken_[number].joints.empty()) return true;
    if (std::ranges::any_of(files_.files[number].includes, is_of_host)) return true;
  }
  return false;
}

/// Makes the constants constexpr. False if they were before, or there are none.
bool DeviceCode::make_constants() {
  if (has_constant_numbers_) return false;
  has_constant_numbers_ = true;
  return std::ranges::any_of(taken_, [](const File& file) { return !file.constants.empty(); });
}

bool DeviceCode::leave_out_errors(std::string_view log) {
  bool changed = false;
  for (const LogError& error : errors_of(log)) {
    // To NVRTC a value that is computed from constants is a constant only if each of them is constexpr.
    if (error.message.starts_with("dynamic initialization is not supported") && make_constants()) return true;
    const auto file = std::ranges::find(files_.files, error.file, &SourceFile::name);
    if (file == files_.files.end() || error.is_of_execution_space) continue;
    const auto number = static_cast<size_t>(file - files_.files.begin());
    if (!taken_[number].is_taken) {
      take(number);
      changed |= std::ranges::count(taken_[number].is_left_out, true) != 0;
    }
    File& taken = taken_[number];
    // The innermost declaration: a member function rather than its class.
    size_t found = taken.declarations.size();
    bool is_left_out = false;
    for (size_t n = 0; n < taken.declarations.size(); ++n) {
      const Declaration& declaration = taken.declarations[n];
      if (error.line < declaration.first_line || error.line > declaration.last_line) continue;
      is_left_out |= taken.is_left_out[n];
      found = n;
    }
    if (found == taken.declarations.size() || is_left_out || taken.declarations[found].side != Side::Either)
      continue;
    taken.is_left_out[found] = true;
    taken.reasons[found] = fmt::format("{}:{}: {}", error.file, error.line, error.message);
    changed = true;
  }
  return changed;
}

std::string DeviceCode::advice(std::string_view log) const {
  const std::vector<LogError> errors = errors_of(log);
  const auto misses = [&](std::string_view name) {
    return !name.empty() && std::ranges::any_of(errors, [&](const LogError& error) {
      return error.message.contains(fmt::format("\"{}\"", name));
    });
  };
  std::set<std::string, std::less<>> said;
  std::string advice;
  for (size_t number = 0; number < taken_.size(); ++number)
    for (size_t n = 0; n < taken_[number].declarations.size(); ++n) {
      const Declaration& declaration = taken_[number].declarations[n];
      if (!taken_[number].is_left_out[n] || !misses(declaration.name) ||
          !said.emplace(declaration.name).second)
        continue;
      const std::string& reason = taken_[number].reasons[n];
      advice += fmt::format("{}({}): '{}' was left out, {}\n", files_.files[number].name,
                            declaration.first_line, declaration.name,
                            reason.empty() ? "since only host code can use it: it has no __device__"
                                           : "since it does not compile: " + reason);
    }
  if (!log.contains("undefined") && !log.contains("not a template")) return advice;
  for (const SourceFile& file : files_.files)
    for (const IncludeLine& line : file.includes)
      if (line.is_quoted && line.found == Found::Nowhere && is_of_host(line) && said.insert(line.name).second)
        advice += fmt::format("{}({}): {} was not found; if the kernels need it, give its folder with -I\n",
                              file.name, line.line, line.name);
  return advice;
}

}  // namespace lanescope::compile
