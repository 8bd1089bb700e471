#include "compile/host_launches.h"

#include "compile/declarations.h"
#include "compile/host_arguments.h"
#include "compile/host_buffers.h"
#include "compile/host_evaluator.h"
#include "compile/host_expression_type.h"
#include "compile/host_values.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <map>

namespace lanescope::compile {
namespace {

using Kind = Token::Kind;

/// The text for each parameter of a template.
using Binding = std::map<std::string, std::string, std::less<>>;

constexpr size_t kMostBindings = 64;  // of a template
constexpr size_t kMostLaunches = 1000;
constexpr size_t kMostSteps = 10'000'000;

/// A function of host code, with the parameters of its template or of its class's.
struct HostFunction {
  std::string_view name;
  std::string_view owner;               // the class template that it is a member of
  size_t file = 0, begin = 0, end = 0;  // bytes
  bool is_device = false;
  std::vector<std::string> parameters;
};

std::string_view last_name(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

/// Tokens without directives, with the places of their file.
struct Text {
  size_t file;
  std::string_view source;
  std::vector<Token> tokens;

  bool is(size_t n, std::string_view text) const { return n < tokens.size() && tokens[n].text == text; }
  bool is_name(size_t n) const {
    return n < tokens.size() && tokens[n].kind == Kind::Word &&
           (tokens[n].text.front() < '0' || tokens[n].text.front() > '9');
  }
  size_t offset(size_t n) const { return static_cast<size_t>(tokens[n].text.data() - source.data()); }
  /// True if three of `mark` are at `n` without space: <<< or >>>.
  bool is_triple(size_t n, std::string_view mark) const {
    if (!is(n, mark) || !is(n + 1, mark) || !is(n + 2, mark)) return false;
    return tokens[n].text.data() + 2 == tokens[n + 2].text.data();
  }
  std::string text(size_t begin, size_t end) const {
    return begin >= end ? std::string() : text_of(&tokens[begin], &tokens[begin] + (end - begin));
  }
  /// The index of the > that closes the < at `open`; none where the list is not one of template arguments.
  std::optional<size_t> closing_angle(size_t open) const {
    constexpr size_t kLongest = 200;
    int angles = 0, brackets = 0;
    for (size_t n = open; n < tokens.size() && n - open < kLongest; ++n) {
      if (tokens[n].kind != Kind::Mark) continue;
      const char c = tokens[n].text.front();
      if (c == '(' || c == '[') ++brackets;
      if ((c == ')' || c == ']') && --brackets < 0) return {};
      if (c == ';' || c == '{' || c == '}') return {};
      if (brackets == 0 && c == '<') ++angles;
      if (brackets == 0 && c == '>' && --angles == 0) return n;
    }
    return {};
  }
  /// The ranges between commas, from `begin` to `end`; empty for no text.
  std::vector<std::pair<size_t, size_t>> list(size_t begin, size_t end, bool with_angles) const {
    std::vector<std::pair<size_t, size_t>> parts;
    int depth = 0;
    for (size_t n = begin, start = begin; n <= end; ++n) {
      if (n == end || (depth == 0 && is(n, ","))) {
        if (n != begin || n != end) parts.emplace_back(start, n);
        start = n + 1;
        continue;
      }
      if (tokens[n].kind != Kind::Mark) continue;
      const char c = tokens[n].text.front();
      if (c == '(' || c == '[' || c == '{' || (with_angles && c == '<')) ++depth;
      if (c == ')' || c == ']' || c == '}' || (with_angles && c == '>')) --depth;
    }
    return parts;
  }
};

class LaunchReader {
 public:
  LaunchReader(const SourceFiles& files, const std::vector<KernelDeclaration>& kernels,
               const Options& options)
      : kernels_(kernels) {
    MacroNames macros;
    for (const SourceFile& file : files.files) add_macros(macros, file.directives);
    for (const std::string& define : options.defines) names_.add_macro(define);
    size_t number = 0;
    for (const SourceFile& file : files.files) {
      // Folders of headers may be large, and host code of the program is rarely there.
      if (!file.is_beside) continue;
      file_names_.push_back(file.name);
      names_.add_file(file.text, file.tokens);
      Text& text = texts_.emplace_back(number++, file.text, std::vector<Token>());
      std::ranges::copy_if(file.tokens, std::back_inserter(text.tokens),
                           [](const Token& token) { return token.kind != Kind::Directive; });
      add_functions(text, find_declarations(file.text, file.tokens, macros));
      arguments_.add(find_host_buffers(file.text, text.tokens, text.file));
      for (size_t n = 0; n + 1 < text.tokens.size(); ++n)
        if (text.is(n + 1, "<") && text.is_name(n)) uses_[text.tokens[n].text].emplace_back(&text, n);
    }
  }

  std::vector<HostLaunch> read() {
    for (const Text& text : texts_)
      for (size_t n = 1; n < text.tokens.size() && launches_.size() < kMostLaunches; ++n)
        if (text.is_triple(n, "<"))
          read_launch(text, n);
        else if (text.is(n, "cudaLaunchKernel") || text.is(n, "cudaLaunchCooperativeKernel"))
          read_call(text, n);
    return std::move(launches_);
  }

  const HostTypes& types() const { return names_.types(); }

 private:
  static size_t token_at(const Text& text, size_t byte) {
    const auto token = std::ranges::lower_bound(text.tokens, byte, {}, [&](const Token& each) {
      return static_cast<size_t>(each.text.data() - text.source.data());
    });
    return static_cast<size_t>(token - text.tokens.begin());
  }

  /// Names of the parameters of the `template <...>` at a token; empty if the token begins none.
  static std::vector<std::string> template_parameters(const Text& text, size_t first) {
    std::vector<std::string> parameters;
    if (!text.is(first, "template") || !text.is(first + 1, "<")) return parameters;
    const auto close = text.closing_angle(first + 1);
    if (!close) return parameters;
    for (const auto& [begin, end] : text.list(first + 2, *close, true)) {
      size_t name = begin;
      for (size_t n = begin; n < end && !text.is(n, "="); ++n)
        if (text.is_name(n)) name = n;
      if (begin < end) parameters.emplace_back(text.tokens[name].text);
    }
    return parameters;
  }

  /// "Solver" of `template <class T> void Solver<T>::step()`.
  static std::string_view owner_of(const Text& text, size_t first) {
    for (size_t n = first; n + 2 < text.tokens.size() && !text.is(n, "(") && !text.is(n, "{"); ++n) {
      if (!text.is_name(n) || text.is(n, "template") || !text.is(n + 1, "<")) continue;
      const auto close = text.closing_angle(n + 1);
      if (close && text.is(*close + 1, ":") && text.is(*close + 2, ":")) return text.tokens[n].text;
    }
    return {};
  }

  void add_functions(const Text& text, const std::vector<Declaration>& declarations) {
    const Declaration* owner = nullptr;  // the class that was declared last
    for (const Declaration& declaration : declarations) {
      if (!declaration.is_function) owner = &declaration;
      if (!declaration.is_function || !declaration.has_body) continue;
      const size_t first = token_at(text, declaration.begin);
      HostFunction function{.name = declaration.name,
                            .owner = owner_of(text, first),
                            .file = text.file,
                            .begin = declaration.begin,
                            .end = declaration.end,
                            .is_device = declaration.side == Declaration::Side::Device,
                            .parameters = template_parameters(text, first)};
      if (function.parameters.empty() && owner != nullptr && declaration.begin < owner->end) {
        function.owner = owner->name;
        function.parameters = template_parameters(text, token_at(text, owner->begin));
      }
      functions_.push_back(std::move(function));
    }
  }

  /// The innermost function around a byte of a file.
  const HostFunction* function_at(size_t file, size_t at) {
    const HostFunction* found = nullptr;
    if ((steps_ += functions_.size()) > kMostSteps) return found;
    for (const HostFunction& function : functions_)
      if (function.file == file && function.begin <= at && at < function.end &&
          (found == nullptr || function.begin >= found->begin))
        found = &function;
    return found;
  }

  void read_launch(const Text& text, size_t open) {
    // The kernel's name: a, a::b, a<3>.
    size_t first = open;
    if (text.is(open - 1, ">")) {
      int angles = 0;
      while (first > 0) {
        --first;
        if (text.is(first, ">")) ++angles;
        if (text.is(first, "<") && --angles == 0) break;
        if (text.is(first, ";") || text.is(first, "{") || text.is(first, "}")) return;
      }
    }
    if (first == 0 || !text.is_name(first - 1)) return;
    --first;
    while (first >= 3 && text.is(first - 1, ":") && text.is(first - 2, ":") && text.is_name(first - 3))
      first -= 3;
    const size_t behind = open + 3;
    size_t close = behind;
    int depth = 0;
    for (; close < text.tokens.size(); ++close) {
      if (depth == 0 && text.is_triple(close, ">")) break;
      if (text.tokens[close].kind != Kind::Mark) continue;
      const char c = text.tokens[close].text.front();
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (((c == ')' || c == ']' || c == '}') && --depth < 0) || c == ';') return;
    }
    if (!text.is(close + 3, "(")) return;
    size_t end = close + 3;
    for (depth = 0; end < text.tokens.size(); ++end) {
      if (text.is(end, "(")) ++depth;
      if (text.is(end, ")") && --depth == 0) break;
    }
    if (end >= text.tokens.size()) return;
    add_launch(text, first, open, text.list(behind, close, false), text.list(close + 4, end, false));
  }

  /// cudaLaunchKernel((void*)kernel<3>, grid, block, arguments, shared, stream)
  void read_call(const Text& text, size_t name) {
    if (!text.is(name + 1, "(")) return;
    size_t end = name + 1;
    int depth = 0;
    for (; end < text.tokens.size(); ++end) {
      if (text.is(end, "(")) ++depth;
      if (text.is(end, ")") && --depth == 0) break;
    }
    if (end >= text.tokens.size()) return;
    auto parts = text.list(name + 2, end, true);
    if (parts.size() < 4) return;
    auto [first, open] = parts[0];
    if (text.is(first, "(")) {
      while (first < open && !text.is(first, ")")) ++first;
      ++first;
    }
    if (text.is(first, "&")) ++first;
    if (first >= open || !text.is_name(first)) return;
    const std::vector<std::pair<size_t, size_t>> arguments{parts[3]};
    parts.erase(parts.begin() + 3);
    parts.erase(parts.begin());
    add_launch(text, first, open, parts, arguments);
  }

  void add_launch(const Text& text, size_t first, size_t open,
                  const std::vector<std::pair<size_t, size_t>>& shape,
                  const std::vector<std::pair<size_t, size_t>>& arguments) {
    const size_t at = text.offset(first);
    const HostFunction* function = function_at(text.file, at);
    if (function != nullptr && function->is_device) return;
    HostLaunch launch;
    launch.kernel = text.text(first, open);
    const std::array parts{&launch.grid, &launch.block, &launch.shared_bytes, &launch.stream};
    for (size_t n = 0; n < parts.size() && n < shape.size(); ++n)
      *parts[n] = text.text(shape[n].first, shape[n].second);
    for (const auto& [begin, end] : arguments) launch.arguments.push_back(text.text(begin, end));
    launch.where = {file_names_[text.file], text.tokens[first].line};
    launch.order = launches_.size();

    const size_t function_begin = function == nullptr ? at : function->begin;
    const size_t function_end = function == nullptr ? at : function->end;
    const std::vector<Binding> bindings =
        function == nullptr ? std::vector<Binding>(1) : bindings_of(*function);
    bool is_first = true;
    for (const Binding& binding : bindings.empty() ? std::vector<Binding>(1) : bindings) {
      const HostNumbers numbers = numbers_of(binding, text.file, at);
      const auto value = [&](const std::string& expression) {
        return compile::value_of(names_, expression, text.file, at, numbers);
      };
      const auto grid = extent_of(value(launch.grid)), block = extent_of(value(launch.block));
      const auto shared =
          launch.shared_bytes.empty() ? std::optional<uint64_t>(0) : size_of(value(launch.shared_bytes));
      // A value that differs between the instances is not known.
      launch.grid_value = is_first || launch.grid_value == grid ? grid : std::nullopt;
      launch.block_value = is_first || launch.block_value == block ? block : std::nullopt;
      launch.shared_bytes_value = is_first || launch.shared_bytes_value == shared ? shared : std::nullopt;
      if (is_first) {
        if (!block && !shared) launch.shared_bytes_by_block = shared_by_block(launch, text.file, at, numbers);
        for (const auto& [begin, end] : arguments)
          launch.values.push_back(arguments_.value_of(
              text.text(begin, end), {text.file, at, function_begin, function_end}, numbers));
      }
      is_first = false;
      if (bindings.empty()) break;
      const std::string instance = instance_of(text, first, open, arguments, binding, numbers);
      if (!instance.empty() && std::ranges::find(launch.instances, instance) == launch.instances.end())
        launch.instances.push_back(instance);
    }
    launches_.push_back(std::move(launch));
  }

  /// HostLaunch::shared_bytes_by_block of <<<grid, threads, threads * sizeof(float)>>>; none if not linear.
  std::optional<std::array<uint64_t, 2>> shared_by_block(const HostLaunch& launch, size_t file, size_t at,
                                                         const HostNumbers& numbers) const {
    const std::vector<Token> name = tokens_of(launch.block);
    if (name.size() != 1 || name.front().kind != Kind::Word) return {};
    const auto bytes_of = [&](int64_t threads) {
      HostNumbers known = numbers;
      known[launch.block] = names_.type_at(launch.block, file, at) == "dim3"
                                ? HostValue(std::array<int64_t, 3>{threads, 1, 1})
                                : HostValue(threads);
      return size_of(compile::value_of(names_, launch.shared_bytes, file, at, known));
    };
    const auto one = bytes_of(32), two = bytes_of(64), four = bytes_of(128);
    if (!one || !two || !four || *two < *one || *four - *two != 2 * (*two - *one)) return {};
    const uint64_t for_each = (*two - *one) / 32;
    return std::array{*one - std::min(*one, 32 * for_each), for_each};
  }

  static std::optional<uint64_t> size_of(const std::optional<HostValue>& value) {
    const auto* integer = value ? std::get_if<int64_t>(&*value) : nullptr;
    return integer != nullptr && *integer >= 0 ? std::optional(static_cast<uint64_t>(*integer))
                                               : std::nullopt;
  }

  HostNumbers numbers_of(const Binding& binding, size_t file, size_t at) const {
    HostNumbers numbers;
    for (const auto& [name, text] : binding)
      if (const auto value = value_of(names_, text, file, at, {})) numbers[name] = *value;
    return numbers;
  }

  /// The expression, with the binding's text in place of each name that is bound.
  static std::string bound(const Text& text, size_t begin, size_t end, const Binding& binding) {
    std::string result;
    for (size_t n = begin; n < end; ++n) {
      if (n != begin &&
          text.tokens[n - 1].text.data() + text.tokens[n - 1].text.size() != text.tokens[n].text.data())
        result += ' ';
      const auto given = binding.find(text.tokens[n].text);
      result += given == binding.end() ? std::string(text.tokens[n].text) : given->second;
    }
    return result;
  }

  /// A template argument as NVRTC can read it: a number where the host's names stand for one, else the text.
  std::string argument_of(const Text& text, size_t begin, size_t end, const Binding& binding,
                          const HostNumbers& numbers) const {
    const std::string written = text.text(begin, end);
    if (written == "true" || written == "false") return written;
    const auto value = value_of(names_, written, text.file, text.offset(begin), numbers);
    if (const auto* integer = value ? std::get_if<int64_t>(&*value) : nullptr)
      return std::to_string(*integer);
    return bound(text, begin, end, binding);
  }

  std::string instance_of(const Text& text, size_t first, size_t open,
                          const std::vector<std::pair<size_t, size_t>>& arguments, const Binding& binding,
                          const HostNumbers& numbers) const {
    size_t name_end = first;
    while (name_end < open && !text.is(name_end, "<")) ++name_end;
    // An expression that is no name, as a pointer in a variable, has no instance.
    if (name_end < open && !text.is(open - 1, ">")) return {};
    const std::string name = text.text(first, name_end);
    const auto kernel = std::ranges::find_if(kernels_, [&](const KernelDeclaration& each) {
      return each.is_template && each.name == last_name(name);
    });
    if (kernel == kernels_.end()) return {};
    std::vector<std::string> given;
    if (name_end < open)
      for (const auto& [begin, end] : text.list(name_end + 1, open - 1, true))
        given.push_back(begin < end ? argument_of(text, begin, end, binding, numbers) : std::string());
    // The rest follows from the types of the arguments.
    for (size_t n = given.size(); n < kernel->template_parameters.size(); ++n) {
      const std::string deduced =
          deduced_argument(text, *kernel, kernel->template_parameters[n].name, arguments, binding);
      if (deduced.empty()) {
        if (kernel->template_parameters[n].has_default) break;
        return {};
      }
      given.push_back(deduced);
    }
    const bool is_qualified = name.find("::") != std::string::npos || kernel->scope.empty();
    std::string instance = (is_qualified ? "" : kernel->scope + "::") + name + "<";
    for (size_t n = 0; n < given.size(); ++n) instance += (n == 0 ? "" : ", ") + given[n];
    return instance + ">";
  }

  /// float for T, where a parameter is a T* and its argument a float*.
  std::string deduced_argument(const Text& text, const KernelDeclaration& kernel,
                               const std::string& parameter,
                               const std::vector<std::pair<size_t, size_t>>& arguments,
                               const Binding& binding) const {
    for (size_t n = 0; n < kernel.parameters.size() && n < arguments.size(); ++n) {
      if (plain_type(kernel.parameters[n].type) != parameter) continue;
      std::string type =
          plain_type(type_of_expression(names_, text.text(arguments[n].first, arguments[n].second), text.file,
                                        text.offset(arguments[n].first)));
      if (const auto given = binding.find(type); given != binding.end()) type = given->second;
      if (!type.empty() && type != "auto") return type;
    }
    return {};
  }

  /// "float" of "const float* __restrict__".
  static std::string plain_type(std::string_view type) {
    std::string plain;
    for (const Token& token : tokens_of(type)) {
      if (token.text == "*" || token.text == "&") continue;
      if (token.text == "const" || token.text == "static" || token.text.starts_with("__restrict")) continue;
      plain +=
          (plain.empty() || token.kind == Kind::Mark || plain.ends_with(':') || plain.ends_with('<') ? ""
                                                                                                     : " ");
      plain += token.text;
    }
    return plain;
  }

  /// Bindings of the parameters of a function's template in the program's text: name<int>( at each call and
  /// explicit instance, or Name<int> for a class. One empty binding for a function that is no template.
  const std::vector<Binding>& bindings_of(const HostFunction& function) {
    const auto [known, is_new] = bindings_.try_emplace(&function);
    std::vector<Binding>& bindings = known->second;
    if (!is_new) return bindings;  // or under way: a template that calls itself
    if (function.parameters.empty()) {
      bindings.resize(1);
      return bindings;
    }
    const bool is_member = !function.owner.empty();
    const auto uses = uses_.find(is_member ? function.owner : function.name);
    if (uses == uses_.end()) return bindings;
    for (const auto& [text, n] : uses->second) {
      const auto close = text->closing_angle(n + 1);
      if (!close || !(is_member || text->is(*close + 1, "("))) continue;
      const auto arguments = text->list(n + 2, *close, true);
      const HostFunction* caller = function_at(text->file, text->offset(n));
      if (arguments.size() > function.parameters.size() || caller == &function) continue;
      // A use of a class in its own members gives no arguments.
      if (is_member && caller != nullptr && caller->owner == function.owner) continue;
      const std::vector<Binding> outer = caller == nullptr ? std::vector<Binding>(1) : bindings_of(*caller);
      for (const Binding& given : outer) {
        if (bindings.size() >= kMostBindings) return bindings;
        const HostNumbers numbers = numbers_of(given, text->file, text->offset(n));
        Binding binding;
        for (size_t k = 0; k < arguments.size(); ++k)
          if (const auto& [begin, end] = arguments[k]; begin < end)
            binding[function.parameters[k]] = argument_of(*text, begin, end, given, numbers);
        if (std::ranges::find(bindings, binding) == bindings.end()) bindings.push_back(std::move(binding));
      }
    }
    return bindings;
  }

  const std::vector<KernelDeclaration>& kernels_;
  HostNames names_;
  std::vector<std::string> file_names_;
  std::deque<Text> texts_;
  std::vector<HostFunction> functions_;
  HostArguments arguments_{names_};
  std::map<std::string_view, std::vector<std::pair<const Text*, size_t>>> uses_;  // [name before a <]
  std::map<const HostFunction*, std::vector<Binding>> bindings_;                  // std::map: stays in place
  std::vector<HostLaunch> launches_;
  size_t steps_ = 0;
};

}  // namespace

HostCode read_host_code(const SourceFiles& files, const std::vector<KernelDeclaration>& kernels,
                        const Options& options) {
  LaunchReader reader(files, kernels, options);
  HostCode code{reader.read(), {}};
  code.types = reader.types();
  return code;
}

std::vector<KernelDeclaration> find_kernels(const SourceFiles& files) {
  std::vector<KernelDeclaration> kernels;
  for (const SourceFile& file : files.files) {
    if (!file.text.contains("__global__")) continue;
    for (KernelDeclaration& kernel : find_kernels(file.tokens)) {
      kernel.file = file.name;
      kernels.push_back(std::move(kernel));
    }
  }
  return kernels;
}

}  // namespace lanescope::compile
