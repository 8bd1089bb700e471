#include "ptx/scope.h"

#include <charconv>

namespace lanescope::ptx {

namespace {

template <class Value>
std::optional<Value> find_in(const std::unordered_map<std::string_view, Value>& table,
                             std::string_view name) {
  const auto found = table.find(name);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

/// The number at the end of `%r12`, where it is written as a range would: no leading zero.
struct NumberedName {
  std::string_view prefix;
  uint32_t number = 0;
};

std::optional<NumberedName> split_number(std::string_view name) {
  const size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == name.size()) return std::nullopt;
  const std::string_view digits = name.substr(last + 1);
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  NumberedName split{name.substr(0, last + 1), 0};
  const auto status = std::from_chars(digits.data(), digits.data() + digits.size(), split.number).ec;
  if (status != std::errc()) return std::nullopt;
  return split;
}

}  // namespace

void Scopes::open() {
  Scope opened;
  if (!scopes_.empty()) opened.parent = current_;
  current_ = static_cast<uint32_t>(scopes_.size());
  scopes_.push_back(std::move(opened));
  ++depth_;
}

void Scopes::close() {
  current_ = scopes_[current_].parent.value_or(0);
  --depth_;
}

bool Scopes::declare_register(std::string_view name, Type type) {
  return scopes_[current_].declared.emplace(name, type).second;
}

bool Scopes::declare_registers(std::string_view prefix, uint32_t count, Type type) {
  return scopes_[current_].ranges.emplace(prefix, Range{count, type}).second;
}

bool Scopes::declare_symbol(std::string_view name, SymbolOperand symbol) {
  return scopes_[current_].symbols.emplace(name, symbol).second;
}

bool Scopes::declare_label(std::string_view name, uint32_t index) {
  return scopes_[current_].labels.emplace(name, index).second;
}

bool Scopes::declare_branch_table(std::string_view name, uint32_t index) {
  return scopes_[current_].branch_tables.emplace(name, index).second;
}

std::optional<Type> Scopes::declared_type(const Scope& scope, std::string_view name) {
  if (const auto type = find_in(scope.declared, name)) return type;
  const auto numbered = split_number(name);
  if (!numbered) return std::nullopt;
  const auto range = find_in(scope.ranges, numbered->prefix);
  if (!range || numbered->number >= range->count) return std::nullopt;
  return range->type;
}

std::optional<uint32_t> Scopes::find_register(std::string_view name, std::vector<Register>& registers) {
  for (std::optional<uint32_t> at = current_; at; at = scopes_[*at].parent) {
    Scope& scope = scopes_[*at];
    if (const auto known = find_in(scope.mentioned, name)) return known;
    if (const auto type = declared_type(scope, name)) {
      const auto index = static_cast<uint32_t>(registers.size());
      registers.push_back({std::string(name), *type});
      scope.mentioned.emplace(name, index);
      return index;
    }
  }
  return std::nullopt;
}

std::optional<SymbolOperand> Scopes::find_symbol(std::string_view name) const {
  for (std::optional<uint32_t> at = current_; at; at = scopes_[*at].parent) {
    if (const auto symbol = find_in(scopes_[*at].symbols, name)) return symbol;
  }
  return std::nullopt;
}

std::optional<uint32_t> Scopes::find_label(std::string_view name, uint32_t scope) const {
  for (std::optional<uint32_t> at = scope; at; at = scopes_[*at].parent) {
    if (const auto label = find_in(scopes_[*at].labels, name)) return label;
  }
  return std::nullopt;
}

std::optional<uint32_t> Scopes::find_branch_table(std::string_view name, uint32_t scope) const {
  for (std::optional<uint32_t> at = scope; at; at = scopes_[*at].parent) {
    if (const auto table = find_in(scopes_[*at].branch_tables, name)) return table;
  }
  return std::nullopt;
}

}  // namespace lanescope::ptx
