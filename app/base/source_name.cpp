#include "base/source_name.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <utility>

#include <cxxabi.h>

namespace lanescope {
namespace {

/// "_Z1kPf" for "__nv_static_22__18d053db_5_st_cu_main__Z1kPf": nvcc -rdc=true puts the file, with the length
/// of its name, before what is static.
std::string_view without_file(std::string_view symbol) {
  constexpr std::string_view kStatic = "__nv_static_";
  if (!symbol.starts_with(kStatic)) return symbol;
  const std::string_view rest = symbol.substr(kStatic.size());
  size_t length = 0;
  const char* const digits_end = std::from_chars(rest.data(), rest.data() + rest.size(), length).ptr;
  const size_t begin = static_cast<size_t>(digits_end - rest.data()) + 2;  // and two underscores
  return length > 0 && begin < rest.size() && length < rest.size() - begin ? rest.substr(begin + length)
                                                                           : symbol;
}

/// The symbol itself if it is not a mangled one. The demangler takes any other name for a type: 'f' would be
/// "float".
std::string demangled(std::string_view symbol) {
  std::string name(symbol);
  if (!symbol.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

constexpr std::string_view kUnnamed = "(anonymous namespace)::";

/// Where the name is in a demangled signature: after the return type, which a template's instance starts with
/// ("void f<int>(int)"), and before the parameters. Parentheses and spaces in a template's arguments, in the
/// name of an operator() and of an anonymous namespace belong to the name.
std::pair<size_t, size_t> name_within(std::string_view signature) {
  constexpr std::string_view kCall = "operator()";
  size_t first = 0;
  int depth = 0;
  for (size_t n = 0; n < signature.size(); ++n) {
    const std::string_view rest = signature.substr(n);
    if (rest.starts_with(kUnnamed)) {
      n += kUnnamed.size() - 1;
    } else if (rest.starts_with(kCall)) {
      n += kCall.size() - 1;
    } else if (depth == 0 && rest.front() == '(') {
      return {first, n};
    } else if (depth == 0 && rest.front() == ' ') {
      first = n + 1;
    } else {
      depth += rest.front() == '<' || rest.front() == '(' ? 1 : 0;
      depth -= rest.front() == '>' || rest.front() == ')' ? 1 : 0;
    }
  }
  return {first, signature.size()};
}

/// "add" of Numba's "cudapy::__main__::add[abi:v1][abi:cw51c]", whose tags tell versions of it apart.
std::string python_name_of(std::string name) {
  name.resize(std::min(name.find('['), name.size()));
  const size_t last = name.rfind("::");
  return last == std::string::npos ? name : name.substr(last + 2);
}

}  // namespace

std::string source_name_of(std::string_view function) {
  function = without_file(function);
  std::string name = demangled(function);
  if (!function.starts_with("_Z")) return name;
  if (name.find("[abi:v") != std::string::npos) return python_name_of(std::move(name));
  const auto [first, last] = name_within(name);
  name = name.substr(first, last - first);
  for (size_t at = name.find(kUnnamed); at != std::string::npos; at = name.find(kUnnamed))
    name.erase(at, kUnnamed.size());
  return name;
}

std::string signature_of(std::string_view function) { return demangled(without_file(function)); }

std::vector<std::string> parameter_types_of(std::string_view function) {
  std::vector<std::string> types;
  function = without_file(function);
  const std::string signature = demangled(function);
  if (!function.starts_with("_Z") || signature.empty() || signature.back() != ')') return types;
  const size_t open = name_within(signature).second;
  int depth = 0;
  size_t begin = open + 1;
  for (size_t n = open; n < signature.size(); ++n) {
    const char c = signature[n];
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    const bool ends = depth == 0 && c == ')';
    if (!ends && !(c == ',' && depth == 1)) continue;
    if (n > begin) types.push_back(signature.substr(begin, n - begin));
    begin = n + 2;  // a space follows the comma
    if (ends) break;
  }
  return types;
}

std::string variable_name_of(std::string_view variable) {
  variable = without_file(variable);
  std::string name = demangled(variable);
  const size_t last = name.rfind("::");
  return variable.starts_with("_ZZ") && last != std::string::npos ? name.substr(last + 2) : name;
}

}  // namespace lanescope
