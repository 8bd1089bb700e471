#include "sass/line_program.h"

#include <algorithm>
#include <array>

namespace lanescope::sass {
namespace {

constexpr std::string_view kTable = ".nv_debug_line_sass";

std::unexpected<Error> damaged() {
  return fail(ErrorKind::Syntax, "the cubin's table of lines is cut or damaged");
}

/// Reads numbers one after the other; past the end it gives zeros and is no longer good.
class Reader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  template <class T>
  T next() {
    const auto value = number_at<T>(bytes_, at_);
    is_good_ = is_good_ && value.has_value();
    at_ += sizeof(T);
    return value.value_or(T{});
  }
  uint64_t next_uleb() {
    uint64_t value = 0;
    for (int shift = 0; is_good_; shift += 7) {
      const auto byte = next<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  int64_t next_sleb() {
    uint64_t value = 0;
    for (int shift = 0; is_good_;) {
      const auto byte = next<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
      break;
    }
    return static_cast<int64_t>(value);
  }
  void skip_to(uint64_t at) { at_ = at; }
  uint64_t at() const { return at_; }
  bool is_good() const { return is_good_; }
  bool is_at_end() const { return at_ >= bytes_.size(); }

 private:
  Bytes bytes_;
  uint64_t at_ = 0;
  bool is_good_ = true;
};

/// Sections that the addresses of the table are relocated to: [offset of the address] index of a section.
std::map<uint64_t, uint16_t> relocations_of(const Elf& elf) {
  std::map<uint64_t, uint16_t> sections;
  for (const auto& [prefix, bytes] : {std::pair<std::string, uint64_t>{".rela", 24}, {".rel", 16}}) {
    const Section* const table = elf.find(prefix + std::string(kTable));
    if (table == nullptr) continue;
    for (uint64_t at = 0; at + bytes <= table->data.size(); at += bytes) {
      const auto offset = number_at<uint64_t>(table->data, at);
      const auto info = number_at<uint64_t>(table->data, at + 8);
      const uint64_t symbol = *info >> 32;
      if (symbol < elf.symbols.size()) sections[*offset] = elf.symbols[static_cast<size_t>(symbol)].section;
    }
  }
  return sections;
}

/// Constants of the head of a program.
struct Head {
  uint8_t least_instruction = 1;  // bytes
  int8_t line_base = 0;
  uint8_t line_range = 1;
  uint8_t first_special = 1;
  std::array<uint8_t, 256> operands{};  // [standard opcode] number of operands
};

/// Runs the program in [reader, end). Each entry goes to the function of the last address that was set.
void run_program(Reader& reader, uint64_t end, const Head& head,
                 const std::map<uint64_t, uint16_t>& relocations,
                 std::map<uint16_t, std::vector<LineEntry>>& tables) {
  uint64_t address = 0;
  int64_t line = 1;
  uint16_t section = 0;
  const auto add = [&] {
    if (section != 0 && line > 0)
      tables[section].push_back({static_cast<uint32_t>(address), static_cast<uint32_t>(line)});
  };
  const auto advance = [&](uint64_t steps) { address += steps * head.least_instruction; };
  while (reader.is_good() && reader.at() < end) {
    const auto opcode = reader.next<uint8_t>();
    if (opcode >= head.first_special) {
      const unsigned step = opcode - head.first_special;
      advance(step / head.line_range);
      line += head.line_base + static_cast<int>(step % head.line_range);
      add();
      continue;
    }
    switch (opcode) {
      case 0: {  // extended
        const uint64_t size = reader.next_uleb();
        const uint64_t start = reader.at();
        const auto extended = reader.next<uint8_t>();
        if (extended == 1) {  // end of a sequence
          address = 0;
          line = 1;
        } else if (extended == 2) {  // set the address
          const uint64_t place = reader.at();
          const auto to = relocations.find(place);
          const auto value = reader.next<uint64_t>();
          address = value;
          if (to != relocations.end()) section = to->second;
        }
        reader.skip_to(start + size);
        break;
      }
      case 1:
        add();
        break;
      case 2:
        advance(reader.next_uleb());
        break;
      case 3:
        line += reader.next_sleb();
        break;
      case 8:
        advance((255u - head.first_special) / head.line_range);
        break;
      case 9:
        address += reader.next<uint16_t>();
        break;
      default:
        for (uint8_t n = 0; n < head.operands[opcode]; ++n) reader.next_uleb();
    }
  }
}

}  // namespace

Result<std::map<uint16_t, std::vector<LineEntry>>> read_line_tables(const Elf& elf) {
  std::map<uint16_t, std::vector<LineEntry>> tables;
  const Section* const section = elf.find(kTable);
  if (section == nullptr) return tables;
  const std::map<uint64_t, uint16_t> relocations = relocations_of(elf);
  Reader reader(section->data);
  while (!reader.is_at_end()) {
    const auto length = reader.next<uint32_t>();
    const uint64_t end = reader.at() + length;
    reader.next<uint16_t>();  // version
    const auto head_bytes = reader.next<uint32_t>();
    const uint64_t program = reader.at() + head_bytes;
    Head head;
    head.least_instruction = reader.next<uint8_t>();
    reader.next<uint8_t>();  // whether a line begins a statement
    head.line_base = reader.next<int8_t>();
    head.line_range = reader.next<uint8_t>();
    head.first_special = reader.next<uint8_t>();
    for (unsigned n = 1; n < head.first_special; ++n) head.operands[n] = reader.next<uint8_t>();
    if (!reader.is_good() || head.line_range == 0 || head.first_special == 0 || program < reader.at() ||
        program > end || end > section->data.size())
      return damaged();
    reader.skip_to(program);
    run_program(reader, end, head, relocations, tables);
    if (!reader.is_good()) return damaged();
    reader.skip_to(end);
  }
  for (auto& [index, entries] : tables) std::ranges::stable_sort(entries, {}, &LineEntry::pc);
  return tables;
}

}  // namespace lanescope::sass
