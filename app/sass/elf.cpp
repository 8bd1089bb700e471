#include "sass/elf.h"

#include <algorithm>

namespace lanescope::sass {
namespace {

constexpr uint32_t kSymbolTable = 2;
constexpr uint32_t kNoContents = 8;
constexpr uint64_t kSymbolBytes = 24;
constexpr uint64_t kHeaderBytes = 64;  // of a section

std::unexpected<Error> cut() { return fail(ErrorKind::Syntax, "the cubin is cut or damaged"); }

Result<std::vector<Symbol>> read_symbols(const Elf& elf) {
  std::vector<Symbol> symbols;
  const auto table = std::ranges::find(elf.sections, kSymbolTable, &Section::type);
  if (table == elf.sections.end()) return symbols;
  const Section* const names = elf.find(".strtab");
  if (names == nullptr) return cut();
  for (uint64_t at = 0; at + kSymbolBytes <= table->data.size(); at += kSymbolBytes) {
    const auto name = number_at<uint32_t>(table->data, at);
    const auto section = number_at<uint16_t>(table->data, at + 6);
    if (!name || !section) return cut();
    symbols.push_back({std::string(text_at(names->data, *name)), *section});
  }
  return symbols;
}

}  // namespace

std::string_view text_at(Bytes bytes, uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const Bytes from = bytes.subspan(static_cast<size_t>(offset));
  const std::string_view rest(reinterpret_cast<const char*>(from.data()), from.size());
  const size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

const Section* Elf::find(std::string_view name) const {
  const auto found = std::ranges::find(sections, name, &Section::name);
  return found == sections.end() ? nullptr : &*found;
}

Result<Elf> read_elf(Bytes file) {
  constexpr uint32_t kMagic = 0x464c457f;      // 7f 'E' 'L' 'F'
  constexpr uint16_t kClassAndOrder = 0x0102;  // 64 bits, little-endian
  if (number_at<uint32_t>(file, 0) != kMagic || number_at<uint16_t>(file, 4) != kClassAndOrder)
    return fail(ErrorKind::Syntax, "this is no cubin: it does not begin as an ELF file of 64 bits");
  const auto table = number_at<uint64_t>(file, 0x28);
  const auto entry_bytes = number_at<uint16_t>(file, 0x3a);
  const auto count = number_at<uint16_t>(file, 0x3c);
  const auto names_index = number_at<uint16_t>(file, 0x3e);
  if (!table || !entry_bytes || !count || !names_index || *entry_bytes != kHeaderBytes) return cut();
  if (*table > file.size() || (file.size() - *table) / kHeaderBytes < *count) return cut();

  Elf elf;
  elf.abi_version = *number_at<uint8_t>(file, 8);
  elf.flags = *number_at<uint32_t>(file, 0x30);
  std::vector<uint32_t> names;
  for (uint16_t n = 0; n < *count; ++n) {
    const Bytes header = file.subspan(static_cast<size_t>(*table + n * kHeaderBytes), kHeaderBytes);
    const uint64_t offset = *number_at<uint64_t>(header, 0x18);
    const uint64_t size = *number_at<uint64_t>(header, 0x20);
    Section section{.name = {}, .type = *number_at<uint32_t>(header, 4), .size_bytes = size, .data = {}};
    if (section.type != kNoContents) {
      if (offset > file.size() || file.size() - offset < size) return cut();
      section.data = file.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
    }
    names.push_back(*number_at<uint32_t>(header, 0));
    elf.sections.push_back(std::move(section));
  }
  if (*names_index >= elf.sections.size()) return cut();
  const Bytes texts = elf.sections[*names_index].data;
  for (size_t n = 0; n < names.size(); ++n) elf.sections[n].name = text_at(texts, names[n]);
  TRY(elf.symbols, read_symbols(elf));
  return elf;
}

}  // namespace lanescope::sass
