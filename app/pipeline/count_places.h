// Where a count of a run comes from: the source line to name in an answer to a submission. Method: sectors
// and wavefronts by the totals of the sites; lanes, instructions and barriers by the history of the first
// warp of the first block, whose instructions have lines; an element of a buffer by the stored accesses.
// Tests: tests/unit/pipeline/count_places_test.cpp

#pragma once

#include "pipeline/run.h"
#include "trace/history.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::pipeline {

/// A line of the source, and how many of a count are its own.
struct LineShare {
  int line = 0;
  uint64_t count = 0;
};

/// The barriers of a block that the warp has reached.
uint64_t barriers_of(const trace::History& history);

/// The line of the source `file` with most barriers; absent where no line is known.
std::optional<LineShare> line_of_most_barriers(const trace::History& history, std::string_view file);
/// The line with most lanes that do not take part in its instructions.
std::optional<LineShare> line_of_most_idle_lanes(const trace::History& history, std::string_view file);
/// The line with most instructions.
std::optional<LineShare> line_of_most_instructions(const trace::History& history, std::string_view file);

/// The access that wrote an element.
struct ElementWriter {
  SiteId site;
  Dim3 block;
  Dim3 thread;
};

/// The last access in the order of blocks and of warps that wrote byte `offset` of buffer number `buffer`;
/// absent where no stored access did.
std::optional<ElementWriter> writer_of(const trace::Trace& trace, uint32_t buffer, uint64_t offset);

}  // namespace lanescope::pipeline
