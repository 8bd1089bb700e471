#include "base/source_name.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include <cxxabi.h>

namespace lanescope {
namespace {

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

/// "add" of Numba's "cudapy::__main__::add[abi:v1][abi:cw51c]", whose tags tell versions of it apart.
std::string python_name_of(std::string name) {
  name.resize(std::min(name.find('['), name.size()));
  const size_t last = name.rfind("::");
  return last == std::string::npos ? name : name.substr(last + 2);
}

}  // namespace

std::string source_name_of(std::string_view function) {
  std::string name = demangled(function);
  if (!function.starts_with("_Z")) return name;
  if (name.find("[abi:v") != std::string::npos) return python_name_of(std::move(name));
  name.resize(std::min(name.find('('), name.size()));
  // A template's instance starts with its return type: "void f<int>".
  if (const size_t space = name.substr(0, name.find('<')).rfind(' '); space != std::string::npos)
    name.erase(0, space + 1);
  return name;
}

std::string signature_of(std::string_view function) { return demangled(function); }

std::string variable_name_of(std::string_view variable) {
  std::string name = demangled(variable);
  const size_t last = name.rfind("::");
  return variable.starts_with("_ZZ") && last != std::string::npos ? name.substr(last + 2) : name;
}

}  // namespace lanescope
