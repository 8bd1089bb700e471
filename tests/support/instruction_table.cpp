#include "support/instruction_table.h"

#include "ptx/opcode.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

std::string names_of(TypeSet set) {
  std::string names;
  for (int n = 0; n <= static_cast<int>(Type::b1); ++n) {
    const auto type = static_cast<Type>(n);
    if (set.contains(type)) names += fmt::format("{}{}", names.empty() ? "" : " ", name_of(type));
  }
  return names;
}

/// The part of a section's name before the colon, and what follows it.
std::pair<std::string, std::string> split(std::string_view section) {
  const size_t colon = section.find(": ");
  if (colon == std::string_view::npos) return {std::string(section), ""};
  return {std::string(section.substr(0, colon)), std::string(section.substr(colon + 2))};
}

void add_rows(std::string& text) {
  std::vector<std::string> chapters;  // in the order of their first row
  std::map<std::string, std::string> rows;
  for (const OpcodeRow& row : opcode_rows()) {
    const auto [chapter, section] = split(row.section);
    if (!rows.contains(chapter)) chapters.push_back(chapter);
    rows[chapter] += fmt::format("| `{}` | {} | {} | {} |\n", row.spelling, names_of(row.types),
                                 names_of(row.second_types), section);
  }
  for (const std::string& chapter : chapters)
    text += fmt::format("\n### {}\n| instruction | types | second types | section |\n|---|---|---|---|\n{}",
                        chapter, rows[chapter]);
}

}  // namespace

std::string instruction_table() {
  std::string text =
      "# PTX that Lanescope executes\n"
      "Made from `opcode.def` and `special_register.def` by the target `store_instructions`; a test keeps it "
      "fresh. "
      "Modifiers are not\nlisted: what an instruction does not take is refused by name, with its line.\n"
      "\n## Executed\n"
      "The chapters and sections are those of the PTX ISA. Types are what `.type` may be; where an "
      "instruction names "
      "several, the\nlater ones are second types.\n";
  add_rows(text);
  text += "\n## Refused\n| instruction | reason |\n|---|---|\n";
  for (const RefusedRow& row : refused_rows())
    text += fmt::format("| `{}` | {} |\n", row.spelling, row.reason);
  text += "\n## Special registers\n";
  std::string line;
  for (int n = 0; n <= static_cast<int>(SpecialRegister::envreg31); ++n) {
    const std::string name = fmt::format("`{}`", name_of(static_cast<SpecialRegister>(n)));
    if (line.size() + name.size() > 118) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + name;
  }
  text += line +
          "\n\nClocks and `%globaltimer` count reads: they increase, but do not measure time. A cluster "
          "has as\nmany blocks as the kernel requires (`.reqnctapercluster`), else one; a grid runs on one "
          "multiprocessor.\n";
  return text;
}

}  // namespace lanescope::ptx
