#include "layout/layout.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace lanescope::layout {
namespace {

constexpr int kDeepest = 8;
constexpr size_t kLongest = 256;
constexpr size_t kMostTerms = 16;  // of a mode

/// A number or a tuple.
struct Node {
  std::optional<uint32_t> number;
  std::vector<Node> nodes;
};

std::unexpected<Error> wrong(std::string_view text, const std::string& what) {
  constexpr size_t kShown = 60;
  const std::string shown(text.substr(0, kShown));
  return fail(ErrorKind::Usage, fmt::format("the layout '{}{}' {}; write for example (8,64):(64,1)", shown,
                                            text.size() > kShown ? "..." : "", what));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Node> tuple(int depth = 0) {
    skip_spaces();
    if (!take('(')) return number();
    if (depth == kDeepest) return wrong(text_, fmt::format("is nested more than {} deep", kDeepest));
    Node node;
    do {
      TRY(Node child, tuple(depth + 1));
      node.nodes.push_back(std::move(child));
    } while (take(','));
    if (!take(')')) return wrong(text_, fmt::format("lacks a ')' {}", here()));
    return node;
  }
  /// Also skips spaces before it.
  bool take(char wanted) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  Result<void> end() {
    skip_spaces();
    if (at_ == text_.size()) return {};
    return wrong(text_, fmt::format("has something unexpected {}", here()));
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  std::string here() const {
    return at_ == text_.size() ? "at its end" : fmt::format("at character {}", at_ + 1);
  }
  Result<Node> number() {
    take('_');
    uint32_t value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (end == begin) return wrong(text_, fmt::format("lacks a number from 0 {}", here()));
    if (error != std::errc() || value > kMostElements)
      return wrong(text_, fmt::format("has a number above {}, which no shared memory holds, {}",
                                      kMostElements, here()));
    at_ += static_cast<size_t>(end - begin);
    return Node{.number = value, .nodes = {}};
  }

  std::string_view text_;
  size_t at_ = 0;
};

/// Extents of a shape with their strides; false where the two have different forms.
bool flatten(const Node& shape, const Node& stride, Mode& mode) {
  if (shape.number && stride.number) {
    mode.push_back({*shape.number, *stride.number});
    return true;
  }
  if (shape.nodes.size() != stride.nodes.size() || shape.number || stride.number) return false;
  for (size_t n = 0; n < shape.nodes.size(); ++n)
    if (!flatten(shape.nodes[n], stride.nodes[n], mode)) return false;
  return true;
}

/// The strides of a layout without gaps whose first extent is the fastest.
Node compact(const Node& shape, uint64_t& next) {
  Node stride;
  if (shape.number) {
    stride.number = static_cast<uint32_t>(std::min<uint64_t>(next, kMostElements));
    next = std::min<uint64_t>(next * *shape.number, kMostElements);
    return stride;
  }
  for (const Node& node : shape.nodes) stride.nodes.push_back(compact(node, next));
  return stride;
}

Result<void> check_mode(std::string_view text, const Mode& mode, uint64_t& elements, uint64_t& last) {
  if (mode.size() > kMostTerms)
    return wrong(text, fmt::format("has more than {} extents in a mode", kMostTerms));
  for (const Term& term : mode) {
    if (term.extent == 0) return wrong(text, "has an extent of 0");
    elements *= term.extent;
    last += uint64_t{term.extent - 1} * term.stride;
    if (elements > kMostElements || last >= kMostElements)
      return wrong(text, fmt::format("has more than {} elements or offsets, which no shared memory holds",
                                     kMostElements));
  }
  return {};
}

}  // namespace

uint32_t extent_of(const Mode& mode) {
  uint32_t extent = 1;
  for (const Term& term : mode) extent *= term.extent;
  return extent;
}

uint32_t offset_in(const Mode& mode, uint32_t coordinate) {
  uint32_t offset = 0;
  for (const Term& term : mode) {
    offset += coordinate % term.extent * term.stride;
    coordinate /= term.extent;
  }
  return offset;
}

Result<Layout> parse_layout(std::string_view text) {
  if (text.empty()) return wrong(text, "is empty");
  if (text.size() > kLongest) return wrong(text, fmt::format("is longer than {} characters", kLongest));
  Parser parser(text);
  TRY(const Node shape, parser.tuple());
  Node stride;
  if (parser.take(':')) {
    TRY(stride, parser.tuple());
  } else {
    uint64_t next = 1;
    stride = compact(shape, next);
  }
  TRY_VOID(parser.end());
  if (shape.number || shape.nodes.size() != 2)
    return wrong(text, fmt::format("has {} instead of two modes, rows and columns",
                                   shape.number ? size_t{1} : shape.nodes.size()));
  Layout layout{.rows = {}, .columns = {}, .text = std::string(text)};
  if (stride.nodes.size() != 2 || !flatten(shape.nodes[0], stride.nodes[0], layout.rows) ||
      !flatten(shape.nodes[1], stride.nodes[1], layout.columns))
    return wrong(text, "has strides of another form than its shape: each extent needs one stride");
  uint64_t elements = 1, last = 0;
  TRY_VOID(check_mode(text, layout.rows, elements, last));
  TRY_VOID(check_mode(text, layout.columns, elements, last));
  return layout;
}

}  // namespace lanescope::layout
