#include "compile/content_key.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace lanescope::compile {

std::string content_key(const Source& source, const Options& options, std::string_view compiler,
                        std::string_view included) {
  std::string all;
  const auto add = [&](std::string_view part) { all += fmt::format("{}:{}", part.size(), part); };
  add(compiler);
  add(options.arch);
  for (const std::string& define : options.defines) add(define);
  // Without these options the key is that of the stored PTX.
  if (options.standard != Options().standard) add("--std=" + options.standard);
  if (options.with_machine_code) add("with machine code");
  for (const std::string& option : options.more) add("-X " + option);
  for (const std::string& instance : options.instances) add("instance " + instance);
  if (options.launched_instances_of) add("launched instances of " + *options.launched_instances_of);
  add(source.file_name);
  add(source.text);
  for (const Header& header : source.headers) {
    add(header.name);
    add(header.text);
  }
  if (!included.empty()) add(included);
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace lanescope::compile
