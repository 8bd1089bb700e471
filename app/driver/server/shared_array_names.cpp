#include "driver/server/shared_array_names.h"

#include "base/lines.h"
#include "base/source_name.h"
#include "compile/shared_arrays.h"
#include "driver/server/argument_names.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>

namespace lanescope::driver {
namespace {

size_t indentation_of(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

bool is_identifier(std::string_view text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, fits);
}

/// Number in the name that Numba gives a shared array: 12 for "_cudapy_smem_12"; nullopt for other variables.
/// Numba counts through all kernels.
std::optional<uint64_t> number_of_array(const ptx::ProgramVariable& variable) {
  constexpr std::string_view kPrefix = "_cudapy_smem_";
  if (variable.space != ptx::Space::Shared || !variable.name.starts_with(kPrefix)) return {};
  uint64_t number = 0;
  const char* const end = variable.name.data() + variable.name.size();
  const auto [stop, problem] = std::from_chars(variable.name.data() + kPrefix.size(), end, number);
  return problem == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace

std::vector<std::string> shared_arrays_in(std::string_view text, std::string_view function) {
  const std::string head = "def " + std::string(function) + "(";
  const std::vector<std::string_view> lines = lines_of(text);
  const auto last = std::find_if(lines.rbegin(), lines.rend(),
                                 [&](std::string_view line) { return trimmed(line).starts_with(head); });
  std::vector<std::string> names;
  if (last == lines.rend()) return names;
  const size_t indentation = indentation_of(*last);
  for (auto line = last.base(); line != lines.end(); ++line) {
    const std::string_view words = trimmed(*line);
    if (words.empty() || words.front() == '#') continue;
    // The list of arguments may end at the indentation of the `def`.
    if (indentation_of(*line) <= indentation && words.front() != ')') break;
    const size_t equals = words.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = trimmed(words.substr(0, equals)), value = trimmed(words.substr(equals + 1));
    if (is_identifier(name) &&
        (value.starts_with("cuda.shared.array(") || value.starts_with("shared.array(")))
      names.emplace_back(name);
  }
  return names;
}

void name_shared_arrays(ptx::Program& program, SourceTexts& sources) {
  std::vector<ptx::ProgramVariable*> arrays;
  for (ptx::ProgramVariable& variable : program.variables)
    if (number_of_array(variable)) arrays.push_back(&variable);
  if (arrays.empty()) return;
  const auto names = shared_arrays_in(source_of(program, sources), source_name_of(program.kernel));
  if (names.size() != arrays.size()) return;
  std::ranges::sort(arrays, {}, [](const ptx::ProgramVariable* one) { return number_of_array(*one); });
  for (size_t n = 0; n < arrays.size(); ++n) arrays[n]->name = names[n];
}

void shape_shared_arrays(ptx::Program& program, SourceTexts& sources) {
  // Template libraries have headers of megabytes, whose arrays are of no interest to the person.
  constexpr size_t kMostBytes = size_t{4} << 20;
  std::set<std::string> files;
  for (const ptx::Origin& origin : program.origins)
    if (origin.source.line > 0) files.insert(origin.source.file);
  std::vector<std::string> texts;
  size_t bytes = 0;
  for (const std::string& file : files) bytes += texts.emplace_back(sources.text(file)).size();
  if (bytes > kMostBytes) return;
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto arrays = compile::shared_arrays_of(views, {});
  for (ptx::ProgramVariable& variable : program.variables)
    if (variable.space == ptx::Space::Shared)
      variable.shape = compile::shape_of(arrays, variable_name_of(variable.name), variable.size_bytes);
}

}  // namespace lanescope::driver
