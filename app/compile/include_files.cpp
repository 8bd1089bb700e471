#include "compile/include_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>

#include <fmt/format.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;
using Found = IncludeLine::Found;

constexpr size_t kMostFiles = 4000;
constexpr uintmax_t kMostBytes = uintmax_t{16} << 20;  // of a file
constexpr uintmax_t kMostBytesOfAll = uintmax_t{64} << 20;

/// A name between "" or <>.
struct Name {
  std::string text;
  bool is_quoted = false;
};

std::optional<Name> name_in(std::string_view text) {
  if (text.size() < 3 || (text.front() != '"' && text.front() != '<')) return {};
  const size_t close = text.find(text.front() == '<' ? '>' : '"', 1);
  if (close == std::string_view::npos) return {};
  return Name{std::string(text.substr(1, close - 1)), text.front() == '"'};
}

/// #define NAME text, #define NAME(a, b) text
struct Macro {
  bool has_parameters = false;
  std::vector<std::string> parameters = {};
  std::string text = {};
};

std::vector<std::string> words_between_commas(std::string_view text) {
  std::vector<std::string> words;
  for (const Token& token : tokens_of(text))
    if (token.kind == Token::Kind::Word) words.emplace_back(token.text);
  return words;
}

/// The text with arguments in place of its macro's parameters.
std::string expanded(const Macro& macro, const std::vector<std::string>& arguments) {
  if (macro.text.starts_with('"')) return macro.text;
  std::string text;
  for (size_t at = 0; at < macro.text.size();) {
    size_t end = at;
    while (end < macro.text.size() && is_word(macro.text[end])) ++end;
    const std::string word = macro.text.substr(at, std::max(end, at + 1) - at);
    const auto parameter = std::ranges::find(macro.parameters, word);
    text += parameter == macro.parameters.end()
                ? word
                : arguments[static_cast<size_t>(parameter - macro.parameters.begin())];
    at = std::max(end, at + 1);
  }
  return text;
}

class Reader {
 public:
  Reader(const Source& source, const Options& options, const std::vector<fs::path>& cuda_folders,
         KeptTokens kept)
      : source_(source), options_(options), cuda_folders_(cuda_folders), kept_(kept) {}

  Result<SourceFiles> read() {
    // Some options can make the compiler read files that no line of the source names.
    for (const std::string& option : options_.more)
      all_.is_complete &= !option.contains("include") && !option.starts_with("-I") && !option.contains("pch");
    for (const std::string& define : options_.defines) {
      const size_t equals = define.find('=');
      if (equals != std::string::npos) add_macro(define.substr(0, equals) + " " + define.substr(equals + 1));
    }
    add_file(source_.file_name, source_.text, true);
    for (const Header& header : source_.headers) add_file(header.name, header.text, false);
    given_ = all_.files.size();
    for (size_t file = 0; file < all_.files.size(); ++file) TRY_VOID(follow(file));
    // A macro may be defined in a file that was read later.
    for (size_t n = 0; n < hidden_.size(); ++n) {
      TRY_VOID(follow_hidden(hidden_[n]));
      for (; followed_ < all_.files.size();) TRY_VOID(follow(followed_));
    }
    return std::move(all_);
  }

 private:
  struct Hidden {
    size_t file;
    IncludeLine line;  // its name is the macro's
  };

  void add_file(const std::string& name, std::string text, bool is_beside) {
    const bool is_of_program = is_beside || all_.files.size() <= source_.headers.size();
    SourceFile& file = all_.files.emplace_back();
    file.name = name;
    file.text = std::move(text);
    file.is_beside = is_beside;
    if (kept_ == KeptTokens::All && (is_of_program || file.text.contains("__global__"))) {
      file.tokens = tokens_of(file.text);
      file.directives = directives_of(file.tokens);
    } else {
      file.directives = directives_of(file.text);
    }
    for (const Token& token : file.directives) {
      const Directive directive = directive_of(token);
      if (directive.keyword != "define") continue;
      add_macro(directive.rest);
    }
  }

  void add_macro(std::string_view definition) {
    size_t end = 0;
    while (end < definition.size() && is_word(definition[end])) ++end;
    Macro macro;
    std::string_view rest = definition.substr(end);
    const size_t close = rest.starts_with('(') ? rest.find(')') : std::string_view::npos;
    if (close != std::string_view::npos) {
      macro.has_parameters = true;
      macro.parameters = words_between_commas(rest.substr(1, close - 1));
      rest.remove_prefix(close + 1);
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    macro.text = rest;
    macros_[std::string(definition.substr(0, end))].push_back(std::move(macro));
  }

  Result<void> follow(size_t number) {
    followed_ = std::max(followed_, number + 1);
    SourceFile& file = all_.files[number];
    for (const Token& token : file.directives) {
      const Directive directive = directive_of(token);
      if (directive.rest.contains("__has_include")) probe(number, directive.rest);
      all_.is_complete &= directive.keyword != "embed" && directive.keyword != "import" &&
                          !directive.rest.contains("__has_embed");
      // #include_next finds a file in one of the folders that follow; only the compiler knows which.
      all_.is_complete &= directive.keyword != "include_next";
      if (directive.keyword != "include") continue;
      IncludeLine line;
      line.begin = static_cast<size_t>(token.text.data() - file.text.data());
      line.end = line.begin + token.text.size();
      line.line = token.line;
      if (const auto name = name_in(directive.rest)) {
        line.name = name->text;
        line.is_quoted = name->is_quoted;
        TRY_VOID(find(number, line));
        file.includes.push_back(std::move(line));
      } else {
        line.name = directive.rest;
        hidden_.push_back({number, std::move(line)});
      }
    }
    return {};
  }

  Result<void> follow_hidden(const Hidden& hidden) {
    const std::string& written = hidden.line.name;
    const size_t open = std::min(written.find('('), written.size());
    const std::string word = written.substr(0, std::min(written.find_first_of(" ("), written.size()));
    const std::vector<std::string> arguments = words_between_commas(written.substr(open));
    const auto macro = macros_.find(word);
    if (macro == macros_.end()) {
      all_.is_complete = false;
      return {};
    }
    // Any of several definitions may be the one in effect, since conditions are not evaluated here.
    for (const Macro& one : macro->second) {
      const bool fits =
          one.has_parameters == (open < written.size()) && one.parameters.size() == arguments.size();
      const auto name = fits ? name_in(expanded(one, arguments)) : std::nullopt;
      if (!name) {
        all_.is_complete = false;
        continue;
      }
      IncludeLine line = hidden.line;
      line.name = name->text;
      line.is_quoted = name->is_quoted;
      line.is_certain = macro->second.size() == 1;
      TRY_VOID(find(hidden.file, line));
      all_.files[hidden.file].includes.push_back(std::move(line));
    }
    return {};
  }

  void probe(size_t number, std::string_view text) {
    constexpr std::string_view kWord = "__has_include";
    for (size_t at = text.find(kWord); at != std::string_view::npos; at = text.find(kWord, at)) {
      at += kWord.size();
      const size_t open = text.find_first_not_of(' ', at);
      if (open == std::string_view::npos || text[open] != '(') continue;  // defined(__has_include)
      const auto name = name_in(text.substr(std::min(text.find_first_not_of(' ', open + 1), text.size())));
      if (!name) {
        all_.is_complete = false;
        continue;
      }
      const auto found = place_of(number, *name);
      all_.probes += fmt::format("{} {}\n", name->text, found ? found->string() : "");
    }
  }

  /// The first place of an included file, in the user's folders or in CUDA's.
  std::optional<fs::path> place_of(size_t number, const Name& name) const {
    std::error_code ignored;
    const auto is_there = [&](const fs::path& place) {
      const auto status = fs::status(place, ignored);
      return fs::exists(status) && !fs::is_directory(status);
    };
    if (name.is_quoted && (number == 0 || number >= given_))
      if (const fs::path beside = fs::path(all_.files[number].name).parent_path() / name.text;
          is_there(beside))
        return beside;
    for (const auto* folders : {&options_.include_directories, &cuda_folders_})
      for (const fs::path& folder : *folders)
        if (is_there(folder / name.text)) return folder / name.text;
    return {};
  }

  Result<void> find(size_t number, IncludeLine& line) {
    const auto given = std::ranges::find(source_.headers, line.name, &Header::name);
    if (given != source_.headers.end()) {
      line.found = Found::Given;
      line.file = static_cast<size_t>(given - source_.headers.begin()) + 1;
      return {};
    }
    if (line.name.contains('\0')) return {};
    const auto place = place_of(number, {line.name, line.is_quoted});
    if (!place) return {};
    std::error_code error;
    const fs::path whole = fs::canonical(*place, error);
    const bool is_of_cuda = std::ranges::any_of(
        cuda_folders_, [&](const fs::path& folder) { return *place == folder / line.name; });
    if (is_of_cuda) {
      line.found = Found::Cuda;
      return {};
    }
    if (!fs::is_regular_file(whole, error))
      return fail(ErrorKind::File,
                  fmt::format("the included {} is no regular file ({}); include a header", line.name,
                              place->string()),
                  Location{all_.files[number].name, line.line});
    if (const auto known = numbers_.find(whole.string()); known != numbers_.end()) {
      line.found = Found::File;
      line.file = known->second;
      return {};
    }
    const uintmax_t size = fs::file_size(whole, error);
    const bool fits =
        !error && size <= kMostBytes && bytes_ + size <= kMostBytesOfAll && all_.files.size() < kMostFiles;
    if (!fits) {
      line.is_certain = false;
      all_.is_complete = false;
      return {};
    }
    std::ifstream stream(whole, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) {
      line.is_certain = all_.is_complete = false;
      return {};
    }
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    bytes_ += text.size();
    line.found = Found::File;
    line.file = all_.files.size();
    numbers_.emplace(whole.string(), line.file);
    const fs::path beside = fs::path(all_.files[number].name).parent_path() / line.name;
    add_file(whole.string(), std::move(text), all_.files[number].is_beside && *place == beside);
    return {};
  }

  const Source& source_;
  const Options& options_;
  const std::vector<fs::path>& cuda_folders_;
  KeptTokens kept_;
  SourceFiles all_;
  size_t given_ = 1;  // the source and the headers that came with it
  size_t followed_ = 0;
  uintmax_t bytes_ = 0;
  std::map<std::string, size_t> numbers_;             // [whole path] -> index of the file
  std::map<std::string, std::vector<Macro>> macros_;  // [name], each definition
  std::vector<Hidden> hidden_;
};

}  // namespace

Result<SourceFiles> read_source_files(const Source& source, const Options& options,
                                      const std::vector<fs::path>& cuda_folders, KeptTokens kept) {
  return Reader(source, options, cuda_folders, kept).read();
}

}  // namespace lanescope::compile
