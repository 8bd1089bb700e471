#include "support/probe.h"

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

constexpr size_t kOperandBytes = 8;

std::vector<std::string> split(const std::string& text, std::string_view separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end = 0; end != std::string::npos; begin = end + separator.size()) {
    end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    if (end == std::string::npos) break;
  }
  return parts;
}

std::vector<ProbeOperand> operands_of(const std::string& text) {
  std::vector<ProbeOperand> operands;
  for (const std::string& word : split(text, " ")) {
    const size_t colon = word.find(':');
    operands.push_back({word.substr(0, colon), colon == std::string::npos ? "" : word.substr(colon + 1)});
  }
  return operands;
}

/// SplitMix64: numbers that are the same everywhere.
class Numbers {
 public:
  explicit Numbers(const std::string& seed) {
    for (const char c : seed) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  uint64_t below(uint64_t limit) { return next() % limit; }

 private:
  uint64_t state_ = 0xcbf29ce484222325u;
};

/// A floating-point number of a format with this many bits of exponent and fraction; the exponent is within
/// `spread` of one's, or any if that is 0.
uint64_t number(Numbers& numbers, int exponent_bits, int fraction_bits, uint64_t spread) {
  const uint64_t bias = (uint64_t{1} << (exponent_bits - 1)) - 1;
  const uint64_t exponent =
      spread == 0 ? numbers.below(2 * bias + 2) : bias - spread + numbers.below(2 * spread + 1);
  // Few bits now and then, so that exact results and ties happen.
  const uint64_t fraction_mask = (uint64_t{1} << fraction_bits) - 1;
  uint64_t fraction = numbers.next() & fraction_mask;
  if (numbers.below(4) == 0) fraction &= fraction_mask << (fraction_bits - fraction_bits / 3) & fraction_mask;
  const uint64_t sign = numbers.below(2);
  return (sign << exponent_bits | exponent) << fraction_bits | fraction;
}

uint64_t special(Numbers& numbers, int exponent_bits, int fraction_bits) {
  const uint64_t infinity = ((uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  const uint64_t one = ((uint64_t{1} << (exponent_bits - 1)) - 1) << fraction_bits;
  const uint64_t smallest_normal = uint64_t{1} << fraction_bits;
  const std::array<uint64_t, 11> list{0,
                                      1,
                                      smallest_normal - 1,
                                      smallest_normal,
                                      one,
                                      one + 1,
                                      one - 1,
                                      infinity - 1,
                                      infinity,
                                      infinity + 1,
                                      infinity | smallest_normal >> 1};
  const uint64_t magnitude = list[numbers.below(list.size())];
  return magnitude | numbers.below(2) << (exponent_bits + fraction_bits);
}

uint64_t with_specials(Numbers& numbers, int exponent_bits, int fraction_bits, uint64_t spread) {
  return numbers.below(6) == 0 ? special(numbers, exponent_bits, fraction_bits)
                               : number(numbers, exponent_bits, fraction_bits, spread);
}

/// Halves in all four 16-bit parts of the result.
uint64_t halves(Numbers& numbers, int exponent_bits, uint64_t spread, bool specials) {
  uint64_t word = 0;
  for (int part = 0; part < 4; ++part) {
    const uint64_t chosen = specials && numbers.below(2) == 0 ? 0 : spread;
    word |= (specials ? with_specials(numbers, exponent_bits, 15 - exponent_bits, chosen)
                      : number(numbers, exponent_bits, 15 - exponent_bits, spread))
            << 16 * part;
  }
  return word;
}

uint64_t integers(Numbers& numbers) {
  constexpr std::array<uint64_t, 10> kEdges{
      0,          1,          ~uint64_t{0}, 0x7fffffff,        0x80000000,
      0xffffffff, 0x7fff8000, 0x80ff7f80,   uint64_t{1} << 63, ~uint64_t{0} >> 1};
  if (numbers.below(8) == 0) return kEdges[numbers.below(kEdges.size())];
  const uint64_t value = numbers.next();
  switch (numbers.below(4)) {
    case 0:
      return value >> numbers.below(64);
    case 1:
      return ~(value >> numbers.below(64));
    default:
      return value;
  }
}

uint64_t value_of(Numbers& numbers, const std::string& pattern) {
  if (pattern == "f32") return with_specials(numbers, 8, 23, 0);
  if (pattern == "f32_near") return with_specials(numbers, 8, 23, 12);
  if (pattern == "f32_small") return number(numbers, 8, 23, 6);
  if (pattern == "angle") return with_specials(numbers, 8, 23, 8);
  if (pattern == "power") return with_specials(numbers, 8, 23, 9);
  if (pattern == "f64") return with_specials(numbers, 11, 52, 0);
  if (pattern == "f64_near") return with_specials(numbers, 11, 52, 20);
  if (pattern == "half") return halves(numbers, 5, 4, true);
  if (pattern == "half_small") return halves(numbers, 5, 3, false);
  if (pattern == "bfloat") return halves(numbers, 8, 6, true);
  if (pattern == "bfloat_small") return halves(numbers, 8, 4, false);
  if (pattern == "quarter_small") return numbers.next() & 0xbbbbbbbbbbbbbbbb & ~uint64_t{0x4040404040404040};
  if (pattern == "shift") return numbers.below(8) == 0 ? numbers.next() : numbers.below(40);
  if (pattern == "byte") return numbers.below(8) == 0 ? numbers.below(256) : numbers.below(70);
  if (pattern == "lane") return numbers.below(34);
  if (pattern == "offset") return numbers.below(41) - 20;
  if (pattern == "words") return numbers.next();
  return integers(numbers);
}

}  // namespace

size_t bytes_of(const ProbeOperand& result) { return result.reg.ends_with("64") ? 8 : 4; }

launch::Launch launch_of(const Probe& probe) {
  launch::Launch launch;
  launch.grid = {probe.threads / kProbeBlock, 1, 1};
  launch.block = {kProbeBlock, 1, 1};
  const auto add = [&](std::string name, std::vector<std::byte> bytes) {
    launch.arguments.push_back(launch::BufferArgument{static_cast<uint32_t>(launch.buffers.size())});
    launch.buffers.push_back({.name = std::move(name),
                              .type = launch::ElementType::U8,
                              .shape = {bytes.size()},
                              .initial = std::make_shared<const launch::Bytes>(launch::copy_of(bytes))});
  };
  add("in", inputs_of(probe));
  add("out", std::vector<std::byte>(probe.output_bytes()));
  return launch;
}

size_t offset_of_result(const Probe& probe, size_t n) {
  size_t offset = 0;
  for (size_t i = 0; i < n; ++i) offset += bytes_of(probe.results[i]);
  return offset;
}

size_t Probe::input_bytes() const { return threads * operands.size() * kOperandBytes; }
size_t Probe::output_bytes() const { return threads * offset_of_result(*this, results.size()); }

Result<std::vector<Probe>> read_probes(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) return fail(ErrorKind::File, fmt::format("{} cannot be read", file.string()));
  std::vector<Probe> probes;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> parts = split(line, " | ");
    if (parts.size() != 5)
      return fail(ErrorKind::Syntax, fmt::format("this line has not five parts: {}", line));
    probes.push_back({.name = parts[0],
                      .threads = static_cast<uint32_t>(std::stoul(parts[1])),
                      .operands = operands_of(parts[2]),
                      .results = operands_of(parts[3]),
                      .text = parts[4]});
  }
  return probes;
}

std::string ptx_of(const Probe& probe) {
  std::ostringstream out;
  const bool of_warpgroup = probe.text.find("wgmma.") != std::string::npos;
  out << ".version 8.7\n.target " << (of_warpgroup ? "sm_90a" : "sm_90")
      << "\n.address_size 64\n"
         ".visible .entry probe(.param .u64 in, .param .u64 out)\n{\n"
         ".reg .u32 %thread, %count, %block;\n.reg .u64 %in, %out;\n";
  for (size_t n = 0; n < probe.operands.size(); ++n)
    out << fmt::format(".reg .{} %a{};\n", probe.operands[n].reg, n);
  for (size_t n = 0; n < probe.results.size(); ++n)
    out << fmt::format(".reg .{} %d{};\n", probe.results[n].reg, n);
  out << fmt::format(
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
      "mov.u32 %thread, %tid.x;\nmov.u32 %count, %ntid.x;\nmov.u32 %block, %ctaid.x;\n"
      "mad.lo.u32 %thread, %block, %count, %thread;\n"
      "mad.wide.u32 %in, %thread, {}, %in;\nmad.wide.u32 %out, %thread, {}, %out;\n",
      probe.operands.size() * kOperandBytes, offset_of_result(probe, probe.results.size()));
  for (size_t n = 0; n < probe.operands.size(); ++n)
    out << fmt::format("ld.global.{} %a{}, [%in+{}];\n", probe.operands[n].reg, n, n * kOperandBytes);
  out << probe.text << '\n';
  for (size_t n = 0; n < probe.results.size(); ++n) {
    const std::string& reg = probe.results[n].reg;
    out << fmt::format("st.global.{} [%out+{}], %d{};\n", reg, offset_of_result(probe, n), n);
  }
  out << "ret;\n}\n";
  return out.str();
}

std::vector<std::byte> inputs_of(const Probe& probe) {
  std::vector<std::byte> bytes(probe.input_bytes());
  Numbers numbers(probe.name);
  size_t at = 0;
  for (uint32_t thread = 0; thread < probe.threads; ++thread) {
    for (const ProbeOperand& operand : probe.operands) {
      const uint64_t value = value_of(numbers, operand.pattern);
      std::memcpy(bytes.data() + at, &value, sizeof value);
      at += sizeof value;
    }
  }
  return bytes;
}

}  // namespace lanescope::tests
