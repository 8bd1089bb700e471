// The machine code beside the PTX: its instructions of memory and of convergence, as far as app/sass decodes
// them, of one line of the source or all. Those that make the current access are marked, with the barrier
// that encloses it; pointing at one shows the line that it comes from. Below them where the access's lanes
// wait, registers, shared memory and the blocks that they leave room for. Tests: tests/gui/source_test.cpp

#pragma once

#include "view/code.h"
#include "view/context.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::view {

class SassListing {
 public:
  /// `level`: what is listed, not null.
  void read(const std::shared_ptr<const sass::MachineLevel>& level);
  /// `source_line_of`: [PTX line - 1]. `line`: of the source, whose instructions are listed; 0: all. Returns
  /// the line of the source that the instruction under the pointer comes from; 0 where there is none.
  int draw(const Context& context, const std::vector<int>& source_line_of, int line);

 private:
  struct Row {
    ListingLine code;
    std::string name;  // of the instruction
    uint32_t pc = 0;
    int ptx_line = 0;
    std::optional<uint32_t> access = {};  // in the match; none of an instruction of convergence
    std::optional<Text> tip = {};
    std::string about;  // what the tip names: how many sites of the PTX, the address of another instruction
  };
  /// The access that is shown, as the machine code makes it.
  struct Current {
    std::vector<uint32_t> instructions;                  // in the match
    const sass::ConvergenceInstruction* bssy = nullptr;  // that encloses the first; null: none does
  };
  Row row_of(uint32_t access) const;
  Row row_of(const sass::ConvergenceInstruction& instruction) const;
  Current current_of(const Context& context) const;
  void draw_divergence(const Context& context, const Current& current) const;
  void draw_resources(const Context& context) const;
  void draw_row(const Context& context, const Row& row, bool is_marked, int source_line);

  std::shared_ptr<const sass::MachineLevel> level_;
  std::vector<Row> rows_;  // in the order of the code
  int hovered_ = 0;        // line of the source, found in this frame
  int scrolled_to_ = -1;   // address of the row that was brought into view last
};

}  // namespace lanescope::view
