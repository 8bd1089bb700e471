// A source text cut into lines and colored words, for CUDA C++, Python and PTX, and which lines of a PTX text
// belong to a line of the source. Method: one pass over the characters; words are looked up in a list; in PTX
// the .loc directives say where instructions come from. Source: PTX ISA, "Debugging Directives: .loc, .file".
// Tests: tests/gui/listing_test.cpp

#pragma once

#include "plot/color.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::view {

struct Word {
  uint32_t begin = 0, end = 0;  // bytes of the line
  plot::Role role = plot::Role::Ink;
};

struct ListingLine {
  std::string text;  // tabs as spaces
  std::vector<Word> words;
};

/// Sorted; what read_listing() colors as keywords and as types of CUDA C++.
std::span<const std::string_view> cuda_keywords();
std::span<const std::string_view> cuda_types();

enum class Syntax { Cuda, Ptx, Python };
/// Python for a file or a cell of a notebook, else CUDA C++.
Syntax syntax_of_source(std::string_view name);
std::vector<ListingLine> read_listing(std::string_view text, Syntax syntax);

/// For each line of the PTX, from 1 at index 0: the line of `source_name` that it was compiled from, or 0. An
/// instruction of an inlined function belongs to the line that called it, if that is in `source_name`.
std::vector<int> source_lines_of_ptx(std::string_view ptx, std::string_view source_name);

}  // namespace lanescope::view
