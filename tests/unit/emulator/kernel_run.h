// Runs kernels that are written in a test: one instruction in every lane, or a whole kernel.

#pragma once

#include "emulator/run.h"
#include "ptx/lower.h"
#include "ptx/module.h"

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::emulator {

inline constexpr std::array kAllVectors{Vectors::Widest, Vectors::Avx2, Vectors::Plain};

/// The accesses of a run, in the order in which they came.
struct AccessList {
  struct Access {
    uint32_t cta = 0;
    uint32_t warp = 0;
    uint32_t step = 0;
    uint32_t site = 0;
    uint32_t mask = 0;
    bool affine = false;
    trace::Operation operation;
    trace::SharedOwner owner = trace::SharedOwner::OwnBlock;
    std::vector<uint64_t> addresses;  // [n-th active lane]
    std::vector<std::byte> values;
  };
  std::vector<uint32_t> begun;  // blocks
  std::vector<Access> list;
  std::vector<trace::Wait> waits;
};

class ListSink final : public trace::Sink {
 public:
  explicit ListSink(AccessList& accesses) : accesses_(accesses) {}

  bool begin_block(CtaId cta) override {
    accesses_.begun.push_back(cta.value);
    return true;
  }
  void on_access(const trace::WarpAccess& access) override;
  void on_wait(const trace::Wait& wait) override { accesses_.waits.push_back(wait); }

 private:
  AccessList& accesses_;
};

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
template <class T>
std::vector<T> values_of(const launch::Contents& contents) {
  std::vector<T> values(contents->size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), contents->data(), values.size() * sizeof(T));
  return values;
}

/// A launch under construction: buffers and scalars in the order of the kernel's parameters.
struct LaunchBuilder {
  launch::Launch launch;

  explicit LaunchBuilder(Dim3 grid = {1, 1, 1}, Dim3 block = {32, 1, 1}) {
    launch.grid = grid;
    launch.block = block;
  }
  template <class T>
  LaunchBuilder& buffer(std::string name, const std::vector<T>& values) {
    const auto type = sizeof(T) == 1   ? launch::ElementType::U8
                      : sizeof(T) == 2 ? launch::ElementType::U16
                      : sizeof(T) == 4 ? launch::ElementType::U32
                                       : launch::ElementType::U64;
    launch.arguments.push_back(launch::BufferArgument{static_cast<uint32_t>(launch.buffers.size())});
    launch.buffers.push_back(
        {.name = std::move(name),
         .type = type,
         .shape = {values.size()},
         .initial = std::make_shared<const launch::Bytes>(launch::copy_of(bytes_of(values)))});
    return *this;
  }
  template <class T>
  LaunchBuilder& value(T number) {
    launch.arguments.push_back(launch::Value{bytes_of(std::vector<T>{number})});
    return *this;
  }
};

/// A kernel named k; `parameters` and `body` as in PTX, registers of every kind declared.
std::string kernel_text(std::string_view parameters, std::string_view body, std::string_view before = "");

Result<ptx::Program> program_of(const std::string& text);

struct KernelRun {
  Outcome outcome;
  AccessList sink;
};

/// Runs the kernel on one thread. A failure to parse, lower or launch fails the test.
void run_kernel(KernelRun& run_of, const std::string& text, const launch::Launch& launch,
                Options options = {});

/// The error of a kernel that cannot be run.
Error error_of(const std::string& text, const launch::Launch& launch, Options options = {});

namespace evaluation {

/// A truth as an operand: its register is a predicate.
struct Truth {  // an aggregate: evaluate() copies its bytes
  uint32_t value;
};

template <class T>
constexpr bool is_truth = std::is_same_v<T, Truth>;

template <class T>
constexpr int register_bits() {
  return is_truth<T> ? 32 : sizeof(T) == 1 ? 16 : 8 * static_cast<int>(sizeof(T));
}

template <class T>
std::string load_operand(char name, int place) {
  const std::string slot = fmt::format("[%rd_in+{}]", 8 * place);
  if constexpr (is_truth<T>)
    return fmt::format("ld.global.u32 %{0}_word, {1}; setp.ne.u32 %{0}, %{0}_word, 0;\n", name, slot);
  return fmt::format("ld.global.b{} %{}, {};\n", register_bits<T>(), name, slot);
}
template <class T>
std::string declare(char name) {
  if constexpr (is_truth<T>) return fmt::format(".reg .pred %{0}; .reg .b32 %{0}_word;\n", name);
  return fmt::format(".reg .b{} %{};\n", register_bits<T>(), name);
}
template <class T>
uint64_t bits_of(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// The low `bytes` bytes of what is left in %d, in all the ways of evaluate(). `setup` declares and loads.
uint64_t run_in_all_ways(std::string_view instruction, const std::string& setup,
                         const std::vector<uint64_t>& in, int d_bits, size_t bytes, std::string_view stored);

}  // namespace evaluation

using evaluation::Truth;

/// What `instruction` leaves in %d, of type D, when %a, %b, %c, %e hold the operands: in every lane, with the
/// lanes together and with every second lane masked out, with every instruction set. %d starts as zero.
template <class D, class... S>
D evaluate(std::string_view instruction, S... operands) {
  using namespace evaluation;
  [[maybe_unused]] constexpr std::string_view kNames = "abce";
  std::string setup = declare<D>('d');
  int n = 0;
  ((setup += declare<S>(kNames[static_cast<size_t>(n++)])), ...);
  setup +=
      ".reg .b64 %rd_in, %rd_out; .reg .b32 %r_tid; .reg .pred %odd;\n"
      "ld.param.u64 %rd_in, [in]; ld.param.u64 %rd_out, [out];\n";
  n = 0;
  ((setup += load_operand<S>(kNames[static_cast<size_t>(n)], n), ++n), ...);
  setup += is_truth<D> ? "mov.u32 %d_word, 0; setp.ne.u32 %d, %d_word, 0;\n"
                       : fmt::format("mov.b{} %d, 0;\n", register_bits<D>());
  const uint64_t bits = run_in_all_ways(instruction, setup, {bits_of(operands)..., 0}, register_bits<D>(),
                                        sizeof(D), is_truth<D> ? "%d_word" : "%d");
  D result{};
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

/// The truth that `instruction` leaves in predicate %d.
template <class... S>
bool evaluate_truth(std::string_view instruction, S... operands) {
  return evaluate<Truth>(instruction, operands...).value != 0;
}

}  // namespace lanescope::emulator
