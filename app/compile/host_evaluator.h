// Evaluates an expression of host code by precedence, with the names that hold at its place. Every failure is
// "no value". Tests: tests/unit/compile/host_launches_test.cpp

#pragma once

#include "compile/host_values.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// The value of `expression` at byte `at` of the file that was added as number `file`.
std::optional<HostValue> value_of(const HostNames& names, std::string_view expression, size_t file, size_t at,
                                  const HostNumbers& known);

class HostEvaluator {
 public:
  HostEvaluator(const HostNames& names, size_t file, size_t at) : names_(names), file_(file), at_(at) {}

  std::optional<HostValue> evaluate(std::string_view expression, const HostNumbers& known);

 private:
  using Value = std::optional<HostValue>;
  /// An expression that is being evaluated. A name's value is an expression at another position, in a frame
  /// with the names that hold there.
  struct Frame {
    std::vector<Token> tokens = {};
    size_t next = 0;
    size_t at = 0;
    const HostNumbers* known = nullptr;
  };

  /// For casts and sizeof; 0 bytes where it is no type.
  struct Type {
    int64_t bytes = 0;
    bool is_real = false;
  };
  Type type_of(std::string_view name) const;
  Value size_of(Frame& frame);
  Value evaluate_at(std::string_view expression, size_t at, const HostNumbers& known);
  Value evaluate_all(Frame& frame);
  Value ternary(Frame& frame);
  Value binary(Frame& frame, int precedence);
  Value unary(Frame& frame);
  Value primary(Frame& frame);
  Value postfix(Frame& frame, Value value);
  Value call(Frame& frame, const std::string& name);
  Value name(const Frame& frame, std::string_view name);
  std::optional<std::vector<Value>> arguments(Frame& frame);

  const HostNames& names_;
  size_t file_;
  size_t at_;
  int depth_ = 0;
  int steps_ = 0;
};

}  // namespace lanescope::compile
