#include "driver/server/argument_names.h"

#include "base/lines.h"
#include "base/source_name.h"
#include "compile/find_kernels.h"
#include "ptx/own_place.h"

#include <algorithm>

namespace lanescope::driver {
namespace {

/// Offset of the bracket that closes the list which begins at `from`; npos if the list does not end.
size_t end_of_list(std::string_view text, size_t from) {
  int depth = 1;
  for (size_t at = from; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[') ++depth;
    if (text[at] == ')' || text[at] == ']') --depth;
    if (depth == 0) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::vector<std::string> names_in(std::string_view text, std::string_view function) {
  const std::string head = "def " + std::string(function) + "(";
  const size_t found = text.rfind(head);
  std::vector<std::string> names;
  if (found == std::string_view::npos) return names;
  const size_t begin = found + head.size(), end = end_of_list(text, begin);
  if (end == std::string_view::npos) return names;
  std::string_view rest = text.substr(begin, end - begin);
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view one = trimmed(rest.substr(0, comma));
    const std::string_view name = trimmed(one.substr(0, one.find_first_of(":=")));
    if (!name.empty() && name != "*" && name != "/") names.emplace_back(name);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return names;
}

std::vector<std::string> cuda_names_in(std::string_view text, std::string_view kernel, size_t count) {
  // "a::scale<float, 4>": the last name before the arguments of a template.
  const std::string_view plain = kernel.substr(0, kernel.find('<'));
  const size_t colon = plain.rfind(':');
  const std::string_view name = colon == std::string_view::npos ? plain : plain.substr(colon + 1);
  std::vector<std::string> names;
  for (const compile::KernelDeclaration& found : compile::find_kernels(text)) {
    if (found.name != name || found.parameters.size() != count) continue;
    // The definition comes last, and other declarations may leave names out.
    names.resize(count);
    for (size_t n = 0; n < count; ++n)
      if (!found.parameters[n].name.empty()) names[n] = found.parameters[n].name;
  }
  return names;
}

std::vector<std::string> source_files_of(const ptx::Program& program) {
  std::vector<std::string> files;
  for (const ptx::Origin& origin : program.origins) {
    const ptx::OwnPlace own = ptx::own_place_of(origin);
    add_file(files, own.where);
    for (const Location& caller : own.called_from) add_file(files, caller);
  }
  return files;
}

std::string kernel_file_of(const ptx::Program& program, SourceTexts& sources) {
  const std::vector<std::string> files = source_files_of(program);
  const auto declares = [&](const std::string& file) {
    return !cuda_names_in(sources.text(file), source_name_of(program.kernel), program.parameters.size())
                .empty();
  };
  const auto found = std::ranges::find_if(files, declares);
  if (found != files.end()) return *found;
  return files.empty() ? std::string() : files.front();
}

std::string source_of(const ptx::Program& program, SourceTexts& sources) {
  const std::vector<std::string> files = source_files_of(program);
  return files.empty() ? std::string() : sources.text(files.front());
}

std::vector<std::string> parameter_names(const ptx::Program& program, SourceTexts& sources) {
  for (const std::string& file : source_files_of(program)) {
    auto names = cuda_names_in(sources.text(file), source_name_of(program.kernel), program.parameters.size());
    if (!names.empty()) return names;
  }
  return {};
}

std::vector<std::string> argument_names(const ptx::Program& program, SourceTexts& sources) {
  return names_in(source_of(program, sources), source_name_of(program.kernel));
}

}  // namespace lanescope::driver
