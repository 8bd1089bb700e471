#include "layout/kernel_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::layout {
namespace {

using Pattern = Access::Pattern;

/// "line % 8 * 64 + line / 8 * 512"
std::string offset_text(const Mode& mode, std::string_view coordinate) {
  std::vector<std::string> terms;
  uint32_t before = 1, left = extent_of(mode);
  for (const Term& term : mode) {
    left /= term.extent;
    if (term.extent == 1) continue;
    std::string text(coordinate);
    if (before != 1) text += fmt::format(" / {}", before);
    if (left != 1) text += fmt::format(" % {}", term.extent);
    if (term.stride != 1) text += fmt::format(" * {}", term.stride);
    terms.push_back(std::move(text));
    before *= term.extent;
  }
  return terms.empty() ? "0" : fmt::to_string(fmt::join(terms, " + "));
}

std::string element_type(uint32_t bytes) {
  switch (bytes) {
    case 1:
      return "unsigned char";
    case 2:
      return "unsigned short";
    case 4:
      return "unsigned int";
    case 8:
      return "unsigned long long";
    default:
      return "uint4";
  }
}

std::string offset_function(const Report& report) {
  const PlacedTile& placed = report.placed;
  const Layout& layout = report.tile.layout;
  std::string text =
      "/// Where an element lies in the tile, in elements.\n"
      "__device__ int offset_of(int line, int place) {\n";
  if (const auto* triton = std::get_if<TritonSwizzle>(&report.tile.arrangement))
    text += fmt::format("  place = ((place / {0}) ^ (line / {1} % {2})) * {0} + place % {0};\n", triton->vec,
                        triton->per_phase, triton->max_phase);
  text += fmt::format("  const int offset = {} + {};\n",
                      offset_text(placed.lines_are_rows ? layout.rows : layout.columns, "line"),
                      offset_text(placed.lines_are_rows ? layout.columns : layout.rows, "place"));
  if (const auto* swizzle = std::get_if<Swizzle>(&report.tile.arrangement)) {
    const uint32_t mask = ((1u << swizzle->bits) - 1) << swizzle->base;
    text += swizzle->shift >= 0
                ? fmt::format("  return offset ^ ((offset >> {}) & {:#x});\n", swizzle->shift, mask)
                : fmt::format("  return offset ^ ((offset & {:#x}) << {});\n", mask, -swizzle->shift);
  } else if (const auto* padding = std::get_if<Padding>(&report.tile.arrangement)) {
    text += fmt::format("  return offset + offset / {} * {};\n", placed.pitch_elements, padding->elements);
  } else {
    text += "  return offset;\n";
  }
  return text + "}\n";
}

constexpr std::string_view kCopies = R"(
/// The other accesses to the tile are element by element: they change no count of the one that is measured.
__device__ void fill(Element* tile, const Element* in) {
#pragma unroll 1
  for (int n = threadIdx.x; n < kLines * kPlaces; n += 32) tile[offset_of(n / kPlaces, n % kPlaces)] = in[n];
  __syncwarp();
}
__device__ void take_out(const Element* tile, Element* out) {
  __syncwarp();
#pragma unroll 1
  for (int n = threadIdx.x; n < kLines * kPlaces; n += 32) out[n] = tile[offset_of(n / kPlaces, n % kPlaces)];
}
__device__ unsigned shared_address(const Element* element) {
  return static_cast<unsigned>(__cvta_generic_to_shared(element));
}
)";

/// Declares `line` and `place` of unit `unit`.
std::string unit_text(const PlacedTile& tile, const Access& access) {
  const uint32_t unit_elements = access.unit_bytes / tile.element_bytes;
  const uint32_t units = tile.line_elements / unit_elements;
  switch (access.pattern) {
    case Pattern::Rows:
    case Pattern::Columns:
    case Pattern::Lines:
      if (along_lines(tile, access))
        return fmt::format("    const int line = unit / {}, place = unit % {} * {};\n", units, units,
                           unit_elements);
      return fmt::format("    const int line = unit % {}, place = unit / {} * {};\n", tile.lines, tile.lines,
                         unit_elements);
    case Pattern::Fragment:
      return fmt::format(
          "    const int line = unit / 32 % {0} * 8 + unit % 32 / 4, place = (unit / 32 / {0} * 4 + unit % "
          "4) "
          "* {1};\n",
          tile.lines / 8, unit_elements);
    case Pattern::Matrix:
      return fmt::format(
          "    const int line = unit / 8 % {0} * 8 + unit % 8, place = unit / 8 / {0} * {1};\n",
          tile.lines / 8, unit_elements);
  }
  return {};
}

/// How C++ and PTX write a unit.
struct Vector {
  std::string type;                 // of C++
  std::string ptx;                  // after ld.shared.
  std::vector<std::string> fields;  // that are operands of the instruction
  char constraint = 'r';
};
Vector vector_of(uint32_t bytes) {
  switch (bytes) {
    case 1:
      return {"unsigned short", "u8", {"value"}, 'h'};
    case 2:
      return {"unsigned short", "u16", {"value"}, 'h'};
    case 4:
      return {"unsigned int", "u32", {"value"}, 'r'};
    case 8:
      return {"uint2", "v2.u32", {"value.x", "value.y"}, 'r'};
    default:
      return {"uint4", "v4.u32", {"value.x", "value.y", "value.z", "value.w"}, 'r'};
  }
}

/// "{%1, %2}" of `count` operands from number `first`; without braces of one.
std::string operands(size_t first, size_t count, bool braces) {
  std::vector<std::string> names;
  for (size_t n = 0; n < count; ++n) names.push_back(fmt::format("%{}", first + n));
  const std::string list = fmt::to_string(fmt::join(names, ", "));
  return braces ? fmt::format("{{{}}}", list) : list;
}

/// "\"=r\"(value.x), \"=r\"(value.y)"
std::string bound(const std::vector<std::string>& fields, std::string_view constraint) {
  std::vector<std::string> texts;
  for (const std::string& field : fields) texts.push_back(fmt::format("\"{}\"({})", constraint, field));
  return fmt::to_string(fmt::join(texts, ", "));
}

constexpr std::string_view kAddress = "\"r\"(shared_address(tile + offset_of(line, place)))";

/// The asm statement of a load or store of these fields.
std::string instruction(const Access& access, std::string_view name, const std::vector<std::string>& fields,
                        char constraint, bool braces) {
  if (access.kind == MemoryKind::Load)
    return fmt::format("    asm volatile(\"{} {}, [%{}];\" : {} : {} : \"memory\");  // @access\n", name,
                       operands(0, fields.size(), braces), fields.size(),
                       bound(fields, fmt::format("={}", constraint)), kAddress);
  return fmt::format("    asm volatile(\"{} [%0], {};\" ::{}, {} : \"memory\");  // @access\n", name,
                     operands(1, fields.size(), braces), kAddress, bound(fields, std::string(1, constraint)));
}

/// What lanes load or store by themselves.
std::string unit_body(const PlacedTile& tile, const Access& access) {
  const uint32_t unit_elements = access.unit_bytes / tile.element_bytes;
  const uint32_t total = tile.lines * (tile.line_elements / unit_elements);
  std::string text =
      fmt::format("#pragma unroll 1\n  for (int unit = threadIdx.x; unit < {}; unit += 32) {{\n{}", total,
                  unit_text(tile, access));
  if (access.kind == MemoryKind::AsyncCopy)
    return text + fmt::format(
                      "    asm volatile(\"cp.async.ca.shared.global [%0], [%1], {};\" ::{}, \"l\"(in + "
                      "line * kPlaces + place) : \"memory\");  // @access\n  }}\n"
                      "  asm volatile(\"cp.async.wait_all;\" ::: \"memory\");\n",
                      access.unit_bytes, kAddress);
  const Vector vector = vector_of(access.unit_bytes);
  const bool braces = vector.fields.size() > 1;
  // One byte takes a 16-bit register.
  const std::string memory_type = access.unit_bytes == 1 ? "unsigned char" : vector.type;
  const bool loads = access.kind == MemoryKind::Load;
  const std::string asm_text =
      instruction(access, fmt::format("{}.shared.{}", loads ? "ld" : "st", vector.ptx), vector.fields,
                  vector.constraint, braces);
  if (loads)
    return text + fmt::format("    {} value;\n{}", vector.type, asm_text) +
           fmt::format(
               "    *reinterpret_cast<{0}*>(out + line * kPlaces + place) = static_cast<{0}>(value);\n  }}\n",
               memory_type);
  return text +
         fmt::format(
             "    const {} value = *reinterpret_cast<const {}*>(in + line * kPlaces + place);\n{}  }}\n",
             vector.type, memory_type, asm_text);
}

/// Where lane l finds its part of matrix m in global memory; the parts of a transposed matrix are two halves.
std::string fragment_text(const PlacedTile& tile, const Access& access) {
  const bool loads = access.kind == MemoryKind::Load;
  const std::string_view array = loads ? "out" : "in";
  const std::string_view qualifier = loads ? "" : "const ";
  std::string text = fmt::format(
      "    for (int m = 0; m < {}; ++m) {{\n"
      "      const int matrix = first / 8 + m, lane = threadIdx.x;\n"
      "      const int top = matrix % {} * 8, left = matrix / {} * {};\n",
      access.matrices, tile.lines / 8, tile.lines / 8, 16 / tile.element_bytes);
  if (!access.transposed) {
    text += fmt::format(
        "      {1}unsigned* part = reinterpret_cast<{1}unsigned*>({0} + (top + lane / 4) * kPlaces + left) + "
        "lane % 4;\n",
        array, qualifier);
    text += loads ? "      *part = value[m];\n" : "      value[m] = *part;\n";
    return text + "    }\n";
  }
  text += fmt::format(
      "      {1}unsigned short* low = reinterpret_cast<{1}unsigned short*>({0} + (top + lane % 4 * 2) * "
      "kPlaces "
      "+ left) + lane / 4;\n"
      "      {1}unsigned short* high = reinterpret_cast<{1}unsigned short*>({0} + (top + lane % 4 * 2 + 1) * "
      "kPlaces + left) + lane / 4;\n",
      array, qualifier);
  text += loads ? "      *low = static_cast<unsigned short>(value[m]);\n"
                  "      *high = static_cast<unsigned short>(value[m] >> 16);\n"
                : "      value[m] = *low | static_cast<unsigned>(*high) << 16;\n";
  return text + "    }\n";
}

/// ldmatrix and stmatrix: the lanes above the matrices' rows repeat the addresses of the first ones.
std::string matrix_body(const PlacedTile& tile, const Access& access) {
  const uint32_t lanes = 8u * access.matrices;
  const bool loads = access.kind == MemoryKind::Load;
  std::vector<std::string> fields;
  for (int n = 0; n < access.matrices; ++n) fields.push_back(fmt::format("value[{}]", n));
  const std::string name =
      fmt::format("{}.sync.aligned.m8n8.x{}{}.shared.b16", loads ? "ldmatrix" : "stmatrix", access.matrices,
                  access.transposed ? ".trans" : "");
  const std::string access_text = unit_text(tile, access) + instruction(access, name, fields, 'r', true);
  return fmt::format(
             "#pragma unroll 1\n  for (int first = 0; first < {}; first += {}) {{\n"
             "    const int unit = first + threadIdx.x % {};\n    unsigned value[{}];\n",
             tile.lines * tile.line_elements * tile.element_bytes / 16, lanes, lanes, access.matrices) +
         (loads ? access_text + fragment_text(tile, access) : fragment_text(tile, access) + access_text) +
         "  }\n";
}

std::string one_kernel(const PlacedTile& tile, const Access& access) {
  const bool loads = access.kind == MemoryKind::Load;
  return fmt::format(
      "\nextern \"C\" __global__ void {}(const Element* in, Element* out) {{\n"
      "  extern __shared__ __align__(1024) Element tile[];\n{}{}{}}}\n",
      kernel_name(access), loads ? "  fill(tile, in);\n" : "",
      access.pattern == Pattern::Matrix ? matrix_body(tile, access) : unit_body(tile, access),
      loads ? "" : "  take_out(tile, out);\n");
}

}  // namespace

std::string kernel_name(const Access& access) {
  std::string name = access.name;
  std::ranges::replace(name, '.', '_');
  return name;
}

std::string kernel_text(const Report& report) {
  const PlacedTile& placed = report.placed;
  std::string text = fmt::format(
      "// Accesses of one warp to a tile in shared memory: {} of {}, {}.\n"
      "// Launch: <<<1, 32, {}>>>(in, out), each array with {} x {} elements, {} after {}; afterwards out "
      "equals in.\n\n"
      "typedef {} Element;  // the bits of a {}\n"
      "static constexpr int kLines = {}, kPlaces = {};\n\n",
      report.tile.layout.text, launch::name_of(report.tile.element), name_of(report.tile.arrangement),
      placed.size_bytes, placed.lines, placed.line_elements, placed.lines_are_rows ? "row" : "column",
      placed.lines_are_rows ? "row" : "column", element_type(placed.element_bytes),
      launch::name_of(report.tile.element), placed.lines, placed.line_elements);
  text += offset_function(report);
  text += kCopies;
  std::vector<std::string> written;
  for (const AccessRow& row : report.rows) {
    if (std::ranges::find(written, row.access.name) != written.end()) continue;
    written.push_back(row.access.name);
    text += one_kernel(placed, row.access);
  }
  return text;
}

}  // namespace lanescope::layout
