#include "compile/shared_arrays.h"

#include "compile/host_evaluator.h"
#include "compile/source_tokens.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <optional>

namespace lanescope::compile {
namespace {

using Kind = Token::Kind;

/// The declarations of one file.
class DeclarationScan {
 public:
  DeclarationScan(std::string_view text, const std::vector<Token>& tokens, const HostNames& names,
                  size_t file)
      : text_(text), tokens_(tokens), names_(names), file_(file) {}

  std::vector<SharedArray> arrays() {
    for (size_t n = 0; n < tokens_.size(); ++n)
      if (is(n, "__shared__")) read(n + 1);
    return std::move(arrays_);
  }

 private:
  bool is(size_t n, std::string_view text) const { return n < tokens_.size() && tokens_[n].text == text; }
  bool is_word_at(size_t n) const { return n < tokens_.size() && tokens_[n].kind == Kind::Word; }

  /// After the bracket that closes the one at `open`; the end where none does.
  size_t after(size_t open, std::string_view opening, std::string_view closing) const {
    int depth = 0;
    for (size_t n = open; n < tokens_.size(); ++n) {
      if (is(n, opening)) ++depth;
      if (is(n, closing) && --depth == 0) return n + 1;
    }
    return tokens_.size();
  }

  /// The declaration whose type begins at `n`, perhaps after qualifiers and attributes.
  void read(size_t n) {
    constexpr std::array<std::string_view, 5> kQualifiers{"static", "extern", "volatile", "const",
                                                          "__shared__"};
    for (;;) {
      if (is_word_at(n) && is_one_of(tokens_[n].text, kQualifiers))
        ++n;
      else if (is_word_at(n) && takes_attribute_arguments(tokens_[n].text) && is(n + 1, "("))
        n = after(n + 1, "(", ")");
      else
        break;
    }
    const size_t type = n;
    while (n < tokens_.size() && !(n > type && is_word_at(n) && ends_declarator(n + 1))) {
      if (is(n, "<"))
        n = after(n, "<", ">");
      else if (is_word_at(n) || is(n, ":") || is(n, "*"))
        ++n;
      else
        return;  // a structure that is defined here, or no declaration
    }
    if (n < tokens_.size()) read_names(n, text_of(&tokens_[type], &tokens_[n]));
  }

  bool ends_declarator(size_t n) const { return is(n, "[") || is(n, ";") || is(n, ",") || is(n, "="); }

  void read_names(size_t n, const std::string& type) {
    while (is_word_at(n)) {
      const std::string_view name = tokens_[n].text;
      std::vector<std::optional<uint64_t>> extents;
      for (++n; is(n, "[");) {
        const size_t end = after(n, "[", "]");
        if (!is(end - 1, "]")) return;
        extents.push_back(extent_of(n + 1, end - 1));
        n = end;
      }
      add(std::string(name), type, extents);
      if (!is(n, ",")) return;
      ++n;
    }
  }

  std::optional<uint64_t> extent_of(size_t begin, size_t end) const {
    if (begin >= end || end > tokens_.size()) return std::nullopt;
    const auto at = static_cast<size_t>(tokens_[begin].text.data() - text_.data());
    const auto value = value_of(names_, text_of(&tokens_[begin], tokens_.data() + end), file_, at, {});
    const int64_t* const number = value ? std::get_if<int64_t>(&*value) : nullptr;
    if (number == nullptr || *number <= 0) return std::nullopt;
    return static_cast<uint64_t>(*number);
  }

  void add(std::string name, const std::string& type, const std::vector<std::optional<uint64_t>>& extents) {
    const HostTypes& types = names_.types();
    const auto layout = types.layout_of(types.plain(type));
    if (extents.empty() || !layout || types.fields_of(types.plain(type)) != nullptr) return;
    SharedArray array{std::move(name), {{}, static_cast<uint32_t>(layout->bytes)}};
    for (const auto& extent : extents) {
      if (!extent && !array.shape.extents.empty()) return;
      array.shape.extents.push_back(extent.value_or(0));
    }
    arrays_.push_back(std::move(array));
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  const HostNames& names_;
  size_t file_;
  std::vector<SharedArray> arrays_;
};

/// True if an array of this shape can have `size_bytes`: whole rows if the first extent is not known. 0: an
/// extern array.
bool fits(const ArrayShape& shape, uint64_t size_bytes) {
  uint64_t row_bytes = shape.element_bytes;
  for (size_t n = 1; n < shape.extents.size(); ++n) row_bytes *= shape.extents[n];
  const uint64_t rows = shape.extents.front();
  if (size_bytes == 0) return rows == 0;
  return rows == 0 ? size_bytes % row_bytes == 0 : size_bytes == rows * row_bytes;
}

bool declares_shared(std::string_view text) { return text.contains("__shared__"); }

}  // namespace

std::vector<SharedArray> shared_arrays_of(std::span<const SourceText> files,
                                          std::span<const std::string> defines) {
  std::vector<SharedArray> found;
  if (std::ranges::none_of(files, declares_shared, &SourceText::text)) return found;
  HostNames names;
  for (const std::string& define : defines) names.add_macro(define);
  for (const SourceText& file : files) names.add_file(file.text, file.tokens);
  for (size_t number = 0; number < files.size(); ++number) {
    std::vector<Token> code = files[number].tokens;
    std::erase_if(code, [](const Token& token) { return token.kind == Kind::Directive; });
    std::ranges::move(DeclarationScan(files[number].text, code, names, number).arrays(),
                      std::back_inserter(found));
  }
  return found;
}

std::vector<SharedArray> shared_arrays_of(std::span<const std::string_view> texts,
                                          std::span<const std::string> defines) {
  if (std::ranges::none_of(texts, declares_shared)) return {};
  std::deque<std::vector<Token>> tokens;
  std::vector<SourceText> files;
  for (const std::string_view text : texts) files.push_back({text, tokens.emplace_back(tokens_of(text))});
  return shared_arrays_of(files, defines);
}

ArrayShape shape_of(std::span<const SharedArray> arrays, std::string_view name, uint64_t size_bytes) {
  ArrayShape shape;
  for (const SharedArray& array : arrays) {
    if (array.name != name || !fits(array.shape, size_bytes)) continue;
    ArrayShape one = array.shape;
    one.extents.front() = 0;  // it names no element
    if (shape.element_bytes != 0 && shape != one) return {};
    shape = std::move(one);
  }
  return shape;
}

}  // namespace lanescope::compile
