#include "compile/host_buffers.h"

#include "compile/host_values.h"

#include <array>
#include <utility>

namespace lanescope::compile {
namespace {

class Scan {
 public:
  Scan(std::string_view source, std::span<const Token> tokens, size_t file)
      : source_(source), tokens_(tokens), file_(file) {}

  std::vector<HostBuffer> scan() {
    constexpr std::array<std::string_view, 6> kAllocations{
        "cudaMalloc", "cudaMallocManaged", "cudaMallocAsync", "cudaMallocHost", "cudaHostAlloc", "hipMalloc"};
    for (size_t n = 0; n < tokens_.size(); ++n) {
      if (tokens_[n].kind != Token::Kind::Word) continue;
      const std::string_view word = tokens_[n].text;
      if (is_one_of(word, kAllocations)) read_allocation(n);
      if (word == "cudaMemcpy" || word == "cudaMemcpyAsync") read_copy(n);
      if (word == "cudaMemset" || word == "cudaMemsetAsync") read_fill(n);
      if (word == "new") read_new(n);
      if (word == "malloc" || word == "calloc") read_malloc(n);
    }
    return std::move(found_);
  }

 private:
  bool is(size_t n, std::string_view text) const { return n < tokens_.size() && tokens_[n].text == text; }
  bool is_name(size_t n) const {
    return n < tokens_.size() && tokens_[n].kind == Token::Kind::Word &&
           (tokens_[n].text.front() < '0' || tokens_[n].text.front() > '9');
  }
  std::string text(size_t begin, size_t end) const {
    return begin < end ? text_of(&tokens_[begin], &tokens_[begin] + (end - begin)) : std::string();
  }

  /// The ranges between the commas of the brackets at `open`.
  std::vector<std::pair<size_t, size_t>> arguments(size_t open) const {
    constexpr size_t kLongest = 300;
    std::vector<std::pair<size_t, size_t>> all;
    size_t begin = open + 1;
    int depth = 0;
    for (size_t n = open; n < tokens_.size() && n - open < kLongest; ++n) {
      if (is(n, "(") || is(n, "[") || is(n, "{")) ++depth;
      const bool closes = is(n, ")") || is(n, "]") || is(n, "}");
      if ((is(n, ",") && depth == 1) || (closes && depth == 1)) {
        all.emplace_back(begin, n);
        begin = n + 1;
      }
      if (closes && --depth == 0) return all;
    }
    return {};
  }

  /// "x" of `(void**)&x`, `&s.x`, `x`; empty of anything else.
  std::string name_in(std::pair<size_t, size_t> range) const {
    const size_t last = range.second - 1;
    if (range.first >= range.second) return {};
    const bool is_member = last > range.first && (is(last - 1, ".") || is(last - 1, ">"));
    const bool is_plain = last == range.first || is(last - 1, "&") || is(last - 1, ")") || is_member;
    return is_name(last) && is_plain ? std::string(tokens_[last].text) : std::string();
  }

  void add(std::string name, std::string bytes, size_t n, bool is_copy) {
    if (name.empty() || bytes.empty()) return;
    found_.push_back({std::move(name), std::move(bytes), file_,
                      static_cast<size_t>(tokens_[n].text.data() - source_.data()), is_copy});
  }

  void read_allocation(size_t n) {
    size_t open = n + 1;
    if (is(open, "<"))
      while (open < tokens_.size() && !is(open, "(") && !is(open, ";")) ++open;
    if (!is(open, "(")) return;
    const auto parts = arguments(open);
    if (parts.size() >= 2) add(name_in(parts[0]), text(parts[1].first, parts[1].second), n, false);
  }

  void read_copy(size_t n) {
    const auto parts = is(n + 1, "(") ? arguments(n + 1) : std::vector<std::pair<size_t, size_t>>();
    if (parts.size() < 3) return;
    const std::string bytes = text(parts[2].first, parts[2].second);
    add(name_in(parts[0]), bytes, n, true);
    add(name_in(parts[1]), bytes, n, true);
  }

  void read_fill(size_t n) {
    const auto parts = is(n + 1, "(") ? arguments(n + 1) : std::vector<std::pair<size_t, size_t>>();
    if (parts.size() >= 3) add(name_in(parts[0]), text(parts[2].first, parts[2].second), n, true);
  }

  /// x = new T[count]
  void read_new(size_t n) {
    size_t open = n + 1;
    while (open < tokens_.size() && open < n + 6 && (is_name(open) || is(open, ":") || is(open, "*"))) ++open;
    if (n < 2 || !is(n - 1, "=") || !is_name(n - 2) || !is(open, "[") || open == n + 1) return;
    const auto parts = arguments(open);
    if (parts.size() == 1)
      add(std::string(tokens_[n - 2].text),
          "(" + text(parts[0].first, parts[0].second) + ") * sizeof(" + text(n + 1, open) + ")", n, false);
  }

  /// x = (T*)malloc(bytes), x = calloc(count, bytes)
  void read_malloc(size_t n) {
    if (!is(n + 1, "(")) return;
    size_t before = n;
    if (before > 1 && is(before - 1, ")")) {
      before -= 1;
      while (before > 0 && !is(before, "(")) --before;
    }
    if (before < 2 || !is(before - 1, "=") || !is_name(before - 2)) return;
    const auto parts = arguments(n + 1);
    std::string bytes;
    for (const auto& [begin, end] : parts) bytes += (bytes.empty() ? "(" : " * (") + text(begin, end) + ")";
    add(std::string(tokens_[before - 2].text), bytes, n, false);
  }

  std::string_view source_;
  std::span<const Token> tokens_;
  size_t file_;
  std::vector<HostBuffer> found_;
};

}  // namespace

std::vector<HostBuffer> find_host_buffers(std::string_view source, std::span<const Token> tokens,
                                          size_t file) {
  return Scan(source, tokens, file).scan();
}

}  // namespace lanescope::compile
