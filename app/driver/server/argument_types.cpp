#include "driver/server/argument_types.h"

#include "base/lines.h"
#include "base/source_name.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace lanescope::driver {
namespace {

using launch::ElementType;

/// Names of the element types, as the demangler writes them.
constexpr std::array kTypes = {
    std::pair{"float", ElementType::F32},        std::pair{"double", ElementType::F64},
    std::pair{"int", ElementType::I32},          std::pair{"unsigned int", ElementType::U32},
    std::pair{"long", ElementType::I64},         std::pair{"unsigned long", ElementType::U64},
    std::pair{"long long", ElementType::I64},    std::pair{"unsigned long long", ElementType::U64},
    std::pair{"short", ElementType::I16},        std::pair{"unsigned short", ElementType::U16},
    std::pair{"char", ElementType::I8},          std::pair{"signed char", ElementType::I8},
    std::pair{"unsigned char", ElementType::U8}, std::pair{"bool", ElementType::U8},
    std::pair{"__half", ElementType::F16},       std::pair{"__nv_bfloat16", ElementType::BF16},
};

/// "float const*", "int"
std::optional<ParameterType> type_of(std::string_view parameter) {
  const bool is_pointer = parameter.ends_with('*');
  if (is_pointer) parameter.remove_suffix(1);
  if (parameter.ends_with(" const")) parameter.remove_suffix(std::string_view(" const").size());
  const auto found = std::ranges::find_if(kTypes, [&](const auto& type) { return parameter == type.first; });
  if (found == kTypes.end()) return std::nullopt;
  using Form = ParameterType::Form;
  return ParameterType{.form = is_pointer ? Form::Pointer : Form::Value, .element = found->second};
}

/// The parameters of "add(float const*, int)": the text of the last parentheses outside of others.
std::string_view list_of(std::string_view signature) {
  if (!signature.ends_with(')')) return {};
  int depth = 0;
  for (size_t at = signature.size(); at-- > 0;) {
    if (signature[at] == ')') ++depth;
    if (signature[at] == '(' && --depth == 0) return signature.substr(at + 1, signature.size() - at - 2);
  }
  return {};
}

}  // namespace

std::vector<std::optional<ParameterType>> parameter_types(std::string_view entry) {
  const std::string signature = signature_of(entry);
  std::string_view rest = list_of(signature);
  std::vector<std::optional<ParameterType>> types;
  for (int depth = 0; !rest.empty();) {
    size_t end = 0;
    for (; end < rest.size() && (depth > 0 || rest[end] != ','); ++end) {
      if (rest[end] == '<' || rest[end] == '(') ++depth;
      if (rest[end] == '>' || rest[end] == ')') --depth;
    }
    types.push_back(type_of(trimmed(rest.substr(0, end))));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return types;
}

}  // namespace lanescope::driver
