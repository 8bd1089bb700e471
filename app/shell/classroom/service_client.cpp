#include "shell/classroom/service_client.h"

#include <filesystem>

#include <nlohmann/json.hpp>

namespace lanescope::shell {
namespace {

using Json = nlohmann::ordered_json;

bool has_text(const Json& json, const char* key) { return json.contains(key) && json[key].is_string(); }

}  // namespace

std::string request_text(const compile::Source& source, const compile::Options& options) {
  Json json{{"name", std::filesystem::path(source.file_name).filename().string()},
            {"text", source.text},
            {"headers", Json::array()},
            {"arch", options.arch},
            {"standard", options.standard},
            {"defines", options.defines},
            {"instances", options.instances}};
  for (const compile::Header& header : source.headers)
    json["headers"].push_back({{"name", header.name}, {"text", header.text}});
  if (options.launched_instances_of) json["launched_instances_of"] = *options.launched_instances_of;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<compile::Compilation> read_compile_answer(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_object() && has_text(json, "error"))
    return fail(ErrorKind::File, json["error"].get<std::string>());
  if (!json.is_object() || !has_text(json, "log") || !json.contains("ptx") ||
      !(json["ptx"].is_null() || json["ptx"].is_string()))
    return fail(ErrorKind::File,
                "PTX was expected from the compiler of the class, and something else came; tell the teacher");
  compile::Compilation compilation;
  if (json["ptx"].is_string()) compilation.ptx = json["ptx"].get<std::string>();
  compilation.log = json["log"].get<std::string>();
  return compilation;
}

}  // namespace lanescope::shell
