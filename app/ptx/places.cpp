// Where in the CUDA source an instruction comes from: .loc and the inlining that it describes.
// Method: names of files and of inlined functions are at the end of the file, so they are filled in there.
// Source: PTX ISA, "Debugging Directives: .loc". Tests: tests/unit/ptx/place_test.cpp

#include "ptx/parser.h"

#include <fmt/format.h>

namespace lanescope::ptx {

/// .loc FILE LINE COLUMN[, function_name LABEL[+OFFSET], inlined_at FILE LINE COLUMN]
Result<void> Parser::parse_loc() {
  const Token at = now_;
  const auto index = static_cast<uint32_t>(module_.places.size());
  Place place;
  TRY(const uint64_t file, parse_number_in("a file number", 0, UINT32_MAX));
  TRY(const uint64_t line, parse_number_in("a line number", 0, INT32_MAX));
  TRY(const uint64_t column, parse_number_in("a column", 0, INT32_MAX));
  place.file = static_cast<uint32_t>(file);
  place.line = static_cast<int>(line);
  place.column = static_cast<int>(column);
  if (now_.is(',')) {
    TRY_VOID(advance());
    if (!now_.is("function_name")) return unexpected_token("function_name");
    TRY_VOID(advance());
    const Token name = now_;
    TRY(const std::string_view label, expect_word("the label of a function's name"));
    int64_t offset = 0;
    if (now_.is('+')) {
      TRY(offset, parse_integer("an offset in bytes"));
    }
    function_names_.push_back({index, label, static_cast<uint64_t>(offset), name});
    TRY_VOID(expect(',', "the name of a function"));
    TRY_VOID(parse_inlining(place));
  }
  file_uses_.push_back({index, static_cast<uint32_t>(file), at});
  place_of_[{place.file, place.line, place.column}] = index;
  module_.places.push_back(std::move(place));
  place_ = index;
  return {};
}

/// inlined_at FILE LINE COLUMN: the compiler has written that place before, in the same function.
Result<void> Parser::parse_inlining(Place& place) {
  const Token at = now_;
  if (!now_.is("inlined_at")) return unexpected_token("inlined_at");
  TRY_VOID(advance());
  TRY(const uint64_t file, parse_number_in("a file number", 0, UINT32_MAX));
  TRY(const uint64_t line, parse_number_in("a line number", 0, INT32_MAX));
  TRY(const uint64_t column, parse_number_in("a column", 0, INT32_MAX));
  const auto found =
      place_of_.find({static_cast<uint32_t>(file), static_cast<int>(line), static_cast<int>(column)});
  if (found != place_of_.end()) {
    place.inlined_at = found->second;
    return {};
  }
  return error(ErrorKind::Syntax, at, fmt::format("no .loc of this function names line {} before", line));
}

Result<void> Parser::resolve_places() {
  for (const FunctionNameUse& use : function_names_) {
    const auto found = strings_.find(use.label);
    if (found == strings_.end() || use.offset >= found->second.size()) {
      return error(ErrorKind::Syntax, use.token,
                   fmt::format("section .debug_str has no name '{}'", use.label));
    }
    const std::string& bytes = found->second;
    const auto begin = static_cast<size_t>(use.offset);
    module_.places[use.place].function = bytes.substr(begin, bytes.find('\0', begin) - begin);
  }
  std::unordered_map<uint32_t, uint32_t> index_of_number;
  for (uint32_t i = 0; i < module_.files.size(); ++i) index_of_number.emplace(module_.files[i].number, i);
  for (const FileUse& use : file_uses_) {
    const auto found = index_of_number.find(use.number);
    if (found == index_of_number.end()) {
      return error(ErrorKind::Syntax, use.token,
                   fmt::format("no .file directive declares file {}", use.number));
    }
    module_.places[use.place].file = found->second;
  }
  for (size_t i = 0; i < module_.functions.size(); ++i) {
    Function& function = module_.functions[i];
    function.location = {module_.file_name, function.ptx_line};
    if (const auto index = first_places_[i]) {
      const Place& first = module_.places[*index];
      function.location = {module_.files[first.file].path, first.line};
    }
    if (const auto index = refused_places_[i]; function.refused && index) {
      const Place& place = outermost(module_, module_.places[*index]);
      if (place.line != 0) function.refused->where = {module_.files[place.file].path, place.line};
    }
  }
  return {};
}

}  // namespace lanescope::ptx
