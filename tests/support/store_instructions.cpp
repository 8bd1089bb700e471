// Makes app/ptx/INSTRUCTIONS.md anew.

#include "support/instruction_table.h"

#include <filesystem>
#include <fstream>

int main() {
  const auto file = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "app/ptx/INSTRUCTIONS.md";
  std::ofstream out(file);
  out << lanescope::ptx::instruction_table();
  return out ? 0 : 1;
}
