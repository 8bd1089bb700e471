#include "compile/host_types.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lanescope::compile {
namespace {

using Kind = Token::Kind;
constexpr int kMostNested = 20;  // aliases of aliases

constexpr std::array<std::pair<std::string_view, HostTypes::Layout>, 55> kKnown{{
    {"bool", {1, 1}},
    {"char", {1, 1}},
    {"signed char", {1, 1}},
    {"unsigned char", {1, 1}},
    {"int8_t", {1, 1}},
    {"uint8_t", {1, 1}},
    {"uchar", {1, 1}},
    {"short", {2, 2}},
    {"short int", {2, 2}},
    {"unsigned short", {2, 2}},
    {"unsigned short int", {2, 2}},
    {"ushort", {2, 2}},
    {"int16_t", {2, 2}},
    {"uint16_t", {2, 2}},
    {"half", {2, 2}},
    {"__half", {2, 2}},
    {"__nv_bfloat16", {2, 2}},
    {"nv_bfloat16", {2, 2}},
    {"int", {4, 4}},
    {"signed", {4, 4}},
    {"signed int", {4, 4}},
    {"unsigned", {4, 4}},
    {"unsigned int", {4, 4}},
    {"uint", {4, 4}},
    {"int32_t", {4, 4}},
    {"uint32_t", {4, 4}},
    {"float", {4, 4}},
    {"half2", {4, 4}},
    {"__half2", {4, 4}},
    {"char4", {4, 4}},
    {"uchar4", {4, 4}},
    {"uchar3", {3, 1}},
    {"long", {8, 8}},
    {"long int", {8, 8}},
    {"unsigned long", {8, 8}},
    {"unsigned long int", {8, 8}},
    {"long long", {8, 8}},
    {"long long int", {8, 8}},
    {"unsigned long long", {8, 8}},
    {"unsigned long long int", {8, 8}},
    {"int64_t", {8, 8}},
    {"uint64_t", {8, 8}},
    {"size_t", {8, 8}},
    {"double", {8, 8}},
    {"float2", {8, 8}},
    {"int2", {8, 8}},
    {"uint2", {8, 8}},
    {"float3", {12, 4}},
    {"int3", {12, 4}},
    {"uint3", {12, 4}},
    {"float4", {16, 16}},
    {"int4", {16, 16}},
    {"uint4", {16, 16}},
    {"double2", {16, 16}},
    {"dim3", {12, 4}},
}};

bool is(std::span<const Token> tokens, size_t n, std::string_view text) {
  return n < tokens.size() && tokens[n].text == text;
}

size_t closing_brace(std::span<const Token> tokens, size_t open) {
  int depth = 0;
  for (size_t n = open; n < tokens.size(); ++n) {
    if (is(tokens, n, "{")) ++depth;
    if (is(tokens, n, "}") && --depth == 0) return n;
  }
  return tokens.size();
}

std::string text_of_tokens(std::span<const Token> tokens) {
  std::string text;
  for (const Token& token : tokens) {
    if (!text.empty()) text += ' ';
    text += token.text;
  }
  return text;
}

bool is_name(std::span<const Token> tokens, size_t n) {
  return n < tokens.size() && tokens[n].kind == Kind::Word &&
         (tokens[n].text[0] < '0' || tokens[n].text[0] > '9');
}

}  // namespace

void HostTypes::add_alias(const std::string& name, std::string type) {
  if (type.empty() || type == name) return;
  const auto [known, is_new] = aliases_.emplace(name, type);
  if (!is_new && known->second != type) known->second.clear();
}

void HostTypes::read_struct(std::span<const Token> tokens, size_t open, size_t close,
                            const std::vector<std::string>& names) {
  std::vector<Field> fields;
  bool is_plain = true;
  for (size_t at = open + 1; at < close && is_plain;) {
    size_t end = at;
    while (end < close && !is(tokens, end, ";") && !is(tokens, end, "(") && !is(tokens, end, "{")) ++end;
    if (is(tokens, at, ";")) {
      ++at;
      continue;
    }
    const bool is_static = is(tokens, at, "static") || is(tokens, at, "using") || is(tokens, at, "typedef");
    if (!is(tokens, end, ";") || is_static) {
      // A function, or what has no place in an object; a struct in a struct is none of the plain ones.
      is_plain &= is(tokens, end, "(") || is_static;
      while (end < close && !is(tokens, end, ";") && !is(tokens, end, "{")) ++end;
      at = is(tokens, end, "{") ? closing_brace(tokens, end) + 1 : end + 1;
      continue;
    }
    // The type is words, :: and *; the last word before a comma, a bracket or the end is the name.
    size_t first_end = at;
    while (first_end < end && !is(tokens, first_end, ",") && !is(tokens, first_end, "[") &&
           !is(tokens, first_end, "=") && !is(tokens, first_end, ":"))
      ++first_end;
    if (first_end < at + 2) {
      // public: and the like
      is_plain &= is(tokens, first_end, ":");
      at = first_end + 1;
      continue;
    }
    size_t type_end = first_end - 1;
    while (type_end > at && is(tokens, type_end - 1, "*")) --type_end;
    const std::string type = text_of_tokens(tokens.subspan(at, type_end - at));
    for (size_t n = type_end; n < end && is_plain;) {
      Field field{.type = plain(type), .name = {}};
      for (; is(tokens, n, "*"); ++n) field.type += '*';
      if (!is_name(tokens, n)) is_plain = false;
      field.name = n < end ? std::string(tokens[n].text) : std::string();
      ++n;
      for (; is(tokens, n, "["); n += 3) {
        uint64_t count = 0;
        const std::string_view digits = n + 1 < end ? tokens[n + 1].text : std::string_view();
        const auto [stop, status] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
        is_plain &= status == std::errc{} && stop == digits.data() + digits.size() && is(tokens, n + 2, "]");
        field.count *= count;
      }
      while (n < end && !is(tokens, n, ",")) ++n;
      ++n;
      fields.push_back(std::move(field));
    }
    at = end + 1;
  }
  if (!is_plain || fields.empty()) return;
  for (const std::string& name : names) structs_.emplace(name, fields);
}

void HostTypes::read(std::span<const Token> tokens) {
  std::vector<Token> code;
  for (const Token& token : tokens) {
    if (token.kind != Kind::Directive) {
      code.push_back(token);
      continue;
    }
    // #define real float
    const Directive directive = directive_of(token);
    const std::vector<Token> words = tokens_of(directive.rest);
    if (directive.keyword != "define" || words.size() < 2 || directive.rest.contains('(')) continue;
    const std::string type = text_of_tokens(std::span(words).subspan(1));
    if (std::ranges::all_of(words, [](const Token& word) { return word.kind == Kind::Word; }))
      add_alias(std::string(words[0].text), type);
  }
  const std::span<const Token> all(code);
  for (size_t n = 0; n < all.size(); ++n) {
    const bool is_typedef = is(all, n, "typedef");
    const size_t head = is_typedef ? n + 1 : n;
    if (is(all, head, "struct") || is(all, head, "class")) {
      size_t open = head + 1;
      std::vector<std::string> names;
      while (open < all.size() && !is(all, open, "{") && !is(all, open, ";") && !is(all, open, "(") &&
             !is(all, open, ":") && !is(all, open, "<"))
        ++open;
      if (is(all, open, "{")) {
        if (is_name(all, open - 1) && open > head + 1) names.emplace_back(all[open - 1].text);
        const size_t close = closing_brace(all, open);
        if (is_typedef && is_name(all, close + 1)) names.emplace_back(all[close + 1].text);
        read_struct(all, open, close, names);
        continue;
      }
    }
    if (is_typedef) {
      size_t end = head;
      while (end < all.size() && !is(all, end, ";") && !is(all, end, "(") && !is(all, end, "{") &&
             !is(all, end, "["))
        ++end;
      if (is(all, end, ";") && end > head + 1 && is_name(all, end - 1))
        add_alias(std::string(all[end - 1].text), text_of_tokens(all.subspan(head, end - 1 - head)));
    } else if (is(all, n, "using") && is_name(all, n + 1) && is(all, n + 2, "=")) {
      size_t end = n + 3;
      while (end < all.size() && !is(all, end, ";")) ++end;
      add_alias(std::string(all[n + 1].text), text_of_tokens(all.subspan(n + 3, end - n - 3)));
    }
  }
}

std::string HostTypes::plain(std::string_view type, int depth) const {
  constexpr std::array<std::string_view, 11> kDropped{
      "const",  "volatile", "restrict", "__restrict__", "__restrict", "__grid_constant__",
      "struct", "class",    "typename", "std",          "static"};
  std::string words, stars;
  for (const Token& token : tokens_of(type)) {
    if (token.text == "*" || token.text == "[") stars += '*';
    if (token.kind != Kind::Word && token.text != ":" && token.text != "<" && token.text != ">" &&
        token.text != ",")
      continue;
    if (is_one_of(token.text, kDropped)) continue;
    if (words.empty() && token.text == ":") continue;
    const bool is_apart = !words.empty() && is_word(words.back()) && is_word(token.text.front());
    words += (is_apart ? " " : "") + std::string(token.text);
  }
  const auto alias = aliases_.find(words);
  if (alias == aliases_.end() || alias->second.empty() || depth == kMostNested) return words + stars;
  return plain(alias->second, depth + 1) + stars;
}

std::optional<HostTypes::Layout> HostTypes::layout_of(std::string_view type, Layouts& structs) const {
  const std::string name = plain(type);
  if (name.ends_with('*')) return Layout{8, 8};
  for (const auto& [known, layout] : kKnown)
    if (known == name) return layout;
  const auto* fields = fields_of(name);
  if (fields == nullptr) return {};
  // A struct has no layout until its fields have one: this ends the recursion if it contains itself.
  const auto [known, is_new] = structs.try_emplace(name);
  if (!is_new) return known->second;
  Layout all;
  for (const Field& field : *fields) {
    const auto one = layout_of(field.type, structs);
    if (!one) return {};
    all.alignment = std::max(all.alignment, one->alignment);
    all.bytes = (all.bytes + one->alignment - 1) / one->alignment * one->alignment + field.count * one->bytes;
  }
  all.bytes = (all.bytes + all.alignment - 1) / all.alignment * all.alignment;
  structs[name] = all;
  return all;
}

const std::vector<HostTypes::Field>* HostTypes::fields_of(std::string_view type) const {
  const auto found = structs_.find(plain(type));
  return found == structs_.end() ? nullptr : &found->second;
}

}  // namespace lanescope::compile
