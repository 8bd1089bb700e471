#include "pipeline/kernel_choice.h"

#include "base/source_name.h"
#include "compile/find_kernels.h"
#include "compile/host_types.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::pipeline {
namespace {

/// What is left to compare of a kernel's name: "f<int,256>" of "f<int, 256u>".
std::string spelling_of(std::string_view name) {
  std::string spelling;
  for (const char c : name) {
    if (c == ' ') continue;
    const bool ends_number = c == ',' || c == '>';
    // 256u and 1ull are 256 and 1.
    while (ends_number && spelling.size() > 1 && std::string_view("uUlL").contains(spelling.back())) {
      const size_t digits = spelling.find_last_not_of("uUlL");
      const size_t first = spelling.find_last_not_of("0123456789", digits);
      if (digits == std::string::npos || first == digits || first == std::string::npos ||
          std::string_view("<,(-").find(spelling[first]) == std::string_view::npos)
        break;
      spelling.resize(digits + 1);
    }
    spelling += c;
  }
  return spelling;
}

/// The name from its last namespace on: "f<a::T>" of "b::f<a::T>".
std::string_view without_scope(std::string_view name) {
  const size_t colons = name.substr(0, name.find('<')).rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

/// The entries that `wanted` names: by the name in the PTX, else as in the source, else by less of that name.
/// `is_compiled_instance`: the compiler was asked for it, and so one of them is it.
std::vector<std::string> entries_named(const std::vector<std::string>& entries, const std::string& wanted,
                                       bool is_compiled_instance) {
  const auto that = [&](auto&& fits) {
    std::vector<std::string> found;
    std::ranges::copy_if(entries, std::back_inserter(found), fits);
    return found;
  };
  if (auto found = that([&](const std::string& entry) { return entry == wanted; }); !found.empty())
    return found;
  if (const std::string name = without_parameters(wanted); name != wanted)
    return overloads_named(entries_named(entries, name, is_compiled_instance), wanted);
  if (auto found = that([&](const std::string& entry) {
        return spelling_of(source_name_of(entry)) == spelling_of(wanted);
      });
      !found.empty())
    return found;
  if (auto found =
          that([&](const std::string& entry) { return is_name_of_kernel(wanted, source_name_of(entry)); });
      !found.empty())
    return found;
  // scale<1 + 2> and scale<Real> were compiled as scale<3> and scale<float>.
  if (!is_compiled_instance) return {};
  return that([&](const std::string& entry) {
    return kernel_name_of(source_name_of(entry)) == kernel_name_of(wanted);
  });
}

/// `float`, or for a parameter that is a number `3`: examples in place of the parameters of a template.
std::string example_of(const compile::KernelDeclaration& kernel) {
  std::vector<std::string> arguments;
  for (const compile::KernelDeclaration::Parameter& parameter : kernel.template_parameters) {
    const bool is_type = parameter.type.starts_with("typename") || parameter.type.starts_with("class");
    arguments.emplace_back(is_type ? "float" : parameter.type == "bool" ? "true" : "32");
  }
  return fmt::format("{}<{}>", kernel.name, fmt::join(arguments, ", "));
}

}  // namespace

std::vector<std::string> overloads_named(const std::vector<std::string>& entries, std::string_view written) {
  const auto declared = compile::find_kernels(fmt::format("__global__ void {};", written));
  if (declared.size() != 1) return entries;
  const compile::HostTypes types;
  std::vector<std::string> fitting;
  for (const std::string& entry : entries) {
    const std::vector<std::string> own = parameter_types_of(entry);
    const auto fits = [&](const std::string& type, const compile::KernelDeclaration::Parameter& parameter) {
      return types.plain(type) == types.plain(parameter.type);
    };
    if (std::ranges::equal(own, declared.front().parameters, fits)) fitting.push_back(entry);
  }
  return fitting.empty() ? entries : fitting;
}

std::string without_parameters(std::string_view name) {
  int depth = 0;
  for (size_t n = 0; n < name.size(); ++n) {
    if (name[n] == '(' && depth == 0) return std::string(name.substr(0, n));
    if (name[n] == '<' || name[n] == '(') ++depth;
    if (name[n] == '>' || name[n] == ')') --depth;
  }
  return std::string(name);
}

std::string instance_of(std::string_view name) {
  std::string instance = without_parameters(name);
  for (size_t at = instance.find("&("); at != std::string::npos; at = instance.find("&(", at)) {
    size_t close = at + 1;
    for (int depth = 0; close < instance.size(); ++close) {
      if (instance[close] == '(') ++depth;
      if (instance[close] == ')' && --depth == 0) break;
    }
    if (close >= instance.size()) break;
    const std::string function =
        without_parameters(std::string_view(instance).substr(at + 2, close - at - 2));
    instance.replace(at, close + 1 - at, function);
  }
  return instance;
}

std::string kernel_name_of(std::string_view name) {
  const std::string plain = without_parameters(name);
  name = without_scope(plain);
  return std::string(name.substr(0, name.find('<')));
}

bool is_name_of_kernel(std::string_view written, std::string_view kernel) {
  if (written.find("::") == std::string_view::npos || written.find('<') < written.find("::"))
    kernel = without_scope(kernel);
  if (written.find('<') == std::string_view::npos) return written == kernel.substr(0, kernel.find('<'));
  return spelling_of(written) == spelling_of(kernel);
}

std::unexpected<Error> no_kernel(const Job& job, const std::vector<compile::KernelDeclaration>& kernels,
                                 const std::vector<std::string>& missing) {
  const Location where{job.source.file_name, 0};
  if (job.text == Job::Text::Cuda)
    for (const compile::KernelDeclaration& kernel : kernels)
      if (kernel.is_template)
        return fail(
            ErrorKind::Compile,
            fmt::format("no kernel is left in the PTX: '{}' is a template that nothing uses with arguments "
                        "that the text shows; choose them with --kernel, for example --kernel '{}'",
                        kernel.name, example_of(kernel)),
            where);
  if (!missing.empty())
    return fail(ErrorKind::Compile,
                fmt::format("the file has no __global__ function, and {} not found; give the folder with -I",
                            missing.size() == 1 ? missing.front() + " was"
                                                : fmt::format("{} were", fmt::join(missing, ", "))),
                where);
  if (job.text == Job::Text::Cuda && kernels.empty())
    return fail(
        ErrorKind::Compile,
        "neither the file nor a header of it has a __global__ function; a CUDA source with a kernel was "
        "expected",
        where);
  return fail(ErrorKind::Compile, "no kernel is left in the PTX; a __global__ function was expected", where);
}

Result<std::string> entry_of(const ptx::Module& module, const Job& job,
                             const std::vector<compile::KernelDeclaration>& kernels) {
  std::vector<std::string> entries;
  for (const uint32_t index : ptx::kernels_of(module)) entries.push_back(module.functions[index].name);
  const Location where{job.source.file_name, 0};
  const auto names = [](const std::vector<std::string>& of) {
    std::vector<std::string> written;
    for (const std::string& entry : of) {
      const std::string name = source_name_of(entry);
      const bool is_shared = std::ranges::count(of, name, source_name_of) > 1;
      written.push_back(name.empty() ? entry : is_shared ? signature_of(entry) : name);
    }
    return fmt::format("{}", fmt::join(written, ", "));
  };
  const std::vector<std::string> meant =
      job.kernel.empty() ? entries : entries_named(entries, job.kernel, !job.options.instances.empty());
  if (meant.size() == 1) return meant.front();
  for (const compile::KernelDeclaration& kernel : kernels)
    if (meant.empty() && kernel.is_template && kernel.name == job.kernel)
      return fail(
          ErrorKind::Usage,
          fmt::format("'{}' is a template; choose its arguments with --kernel, for example --kernel '{}'",
                      kernel.name, example_of(kernel)),
          Location{kernel.file.empty() ? job.source.file_name : kernel.file, kernel.line});
  if (meant.empty())
    return fail(ErrorKind::Usage,
                fmt::format("there is no kernel '{}'; the file has: {}", job.kernel, names(entries)), where);
  return fail(ErrorKind::Usage,
              fmt::format("the file has several kernels{}; choose one with --kernel: {}",
                          job.kernel.empty() ? "" : fmt::format(" '{}'", job.kernel), names(meant)),
              where);
}

}  // namespace lanescope::pipeline
