// Regenerates app/ptx/INSTRUCTIONS.md.

#include "support/instruction_table.h"
#include "support/project.h"

#include <filesystem>
#include <fstream>

int main() {
  const auto file = lanescope::tests::source_dir() / "app/ptx/INSTRUCTIONS.md";
  std::ofstream out(file);
  out << lanescope::ptx::instruction_table();
  return out ? 0 : 1;
}
