#include "remote/protocol.h"

#include "export/trace_file.h"
#include "launch/element.h"
#include "launch/element_type.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>

#include <fmt/format.h>

namespace lanescope::remote {
namespace {

using Json = nlohmann::json;

constexpr std::array kRequestKinds{std::pair{RequestKind::Hello, std::string_view("hello")},
                                   std::pair{RequestKind::Time, std::string_view("time")},
                                   std::pair{RequestKind::TimeCopy, std::string_view("time_copy")},
                                   std::pair{RequestKind::Count, std::string_view("count")},
                                   std::pair{RequestKind::Trace, std::string_view("trace")}};

/// Error kinds by name, since another version may number them differently.
constexpr std::array kErrorKinds{std::pair{ErrorKind::Usage, "usage"},
                                 std::pair{ErrorKind::File, "file"},
                                 std::pair{ErrorKind::Compile, "compile"},
                                 std::pair{ErrorKind::Syntax, "syntax"},
                                 std::pair{ErrorKind::Unsupported, "unsupported"},
                                 std::pair{ErrorKind::Launch, "launch"},
                                 std::pair{ErrorKind::Memory, "memory"},
                                 std::pair{ErrorKind::Hazard, "hazard"},
                                 std::pair{ErrorKind::Limit, "limit"},
                                 std::pair{ErrorKind::Cancelled, "cancelled"},
                                 std::pair{ErrorKind::Internal, "internal"}};

/// The result of `read` for a head; a missing field or one of another type is an error that names `what`.
template <class T, class Read>
Result<T> read_head(std::string_view what, Read&& read) {
  try {
    return read();
  } catch (const Json::exception& exception) {
    return fail(ErrorKind::Syntax, fmt::format("{} in a message cannot be read ({}); "
                                               "install the same version of Lanescope at both ends",
                                               what, exception.what()));
  }
}

const std::string& part_of(const Message& message, const Json& number) {
  const auto index = number.get<uint64_t>();
  if (index >= message.parts.size()) throw Json::out_of_range::create(401, "a part is missing", &number);
  return message.parts[index];
}

uint64_t add_part(Message& message, std::string bytes) {
  message.parts.push_back(std::move(bytes));
  return message.parts.size() - 1;
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

launch::Contents contents_of(const std::string& text) {
  return std::make_shared<const launch::Bytes>(launch::copy_of(bytes_of(text)));
}

Json extent(Dim3 size) { return Json::array({size.x, size.y, size.z}); }
Dim3 extent(const Json& json) {
  return {json.at(0).get<uint32_t>(), json.at(1).get<uint32_t>(), json.at(2).get<uint32_t>()};
}

Result<launch::ElementType> type_named(const std::string& name) {
  for (auto type = launch::ElementType::U8; type <= launch::ElementType::Bytes16;
       type = static_cast<launch::ElementType>(static_cast<uint8_t>(type) + 1))
    if (launch::name_of(type) == name) return type;
  return fail(ErrorKind::Syntax, fmt::format("unknown element type '{}'", name));
}

bool is_zeros(const launch::Bytes& bytes) {
  return bytes.empty() ||
         (bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

void put_contents(Message& message, Json& json, const launch::Contents& contents, SentBuffers& sent) {
  if (is_zeros(*contents)) {
    json["zeros"] = true;
    return;
  }
  const SentBuffers::Numbered numbered = sent.number_of(contents);
  json["number"] = numbered.number;
  if (numbered.is_new) json["part"] = add_part(message, text_of(*contents));
}

Result<void> get_buffers(const Message& message, const Json& buffers, ReceivedBuffers& received,
                         KernelLaunch& result) {
  for (const Json& json : buffers) {
    launch::Buffer buffer;
    buffer.name = json.at("name").get<std::string>();
    TRY(buffer.type, type_named(json.at("type").get<std::string>()));
    buffer.shape = json.at("shape").get<std::vector<uint64_t>>();
    buffer.has_contents = json.at("has_contents").get<bool>();
    if (result.filling == gpu::Filling::Any || json.contains("zeros")) {
      TRY(buffer.initial, received.zeros_of(buffer));
    } else if (json.contains("part")) {
      buffer.initial = contents_of(part_of(message, json.at("part")));
      received.keep(json.at("number").get<uint64_t>(), buffer.initial);
    } else {
      TRY(buffer.initial, received.kept(json.at("number").get<uint64_t>()));
    }
    result.launch.buffers.push_back(std::move(buffer));
  }
  return {};
}

Json pointer_json(const launch::BufferArgument& to) {
  return {{"buffer", to.buffer}, {"offset_bytes", to.offset_bytes}};
}

launch::BufferArgument get_pointer(const Json& json) {
  return {json.at("buffer").get<uint32_t>(), json.at("offset_bytes").get<uint64_t>()};
}

launch::Value get_value(const Message& message, const Json& json) {
  const auto bytes = bytes_of(part_of(message, json.at("value")));
  launch::Value value{{bytes.begin(), bytes.end()}};
  for (const Json& pointer : json.at("pointers"))
    value.pointers.push_back({pointer.at("at").get<uint32_t>(), get_pointer(pointer)});
  return value;
}

Json images_of(const launch::Launch& launch) {
  Json images = Json::array();
  for (const launch::Image& image : launch.images)
    images.push_back({{"kind", image.kind},
                      {"buffer", image.buffer},
                      {"channels", image.channels},
                      {"extents", {image.width, image.height, image.depth, image.layers}},
                      {"is_cube", image.is_cube},
                      {"is_linear", image.is_linear},
                      {"filter", image.sampler.filter},
                      {"address", image.sampler.address},
                      {"normalized", image.sampler.normalized},
                      {"reads_float", image.sampler.reads_float}});
  return images;
}

/// A number of this enumeration, whose last enumerator is `last`.
template <class E>
Result<E> enumerator(const Json& json, E last) {
  const auto number = json.get<uint64_t>();
  if (number > static_cast<uint64_t>(last))
    return fail(ErrorKind::Syntax,
                "a texture or surface of an unknown kind; install the same version of "
                "Lanescope at both ends");
  return static_cast<E>(number);
}

Result<void> get_images(const Json& images, launch::Launch& launch) {
  for (const Json& json : images) {
    launch::Image image;
    const Json& extents = json.at("extents");
    TRY(image.kind, enumerator(json.at("kind"), launch::ImageKind::Surface));
    image.buffer = json.at("buffer").get<uint32_t>();
    image.channels = json.at("channels").get<uint32_t>();
    image.width = extents.at(0).get<uint64_t>();
    image.height = extents.at(1).get<uint64_t>();
    image.depth = extents.at(2).get<uint64_t>();
    image.layers = extents.at(3).get<uint64_t>();
    image.is_cube = json.at("is_cube").get<bool>();
    image.is_linear = json.at("is_linear").get<bool>();
    TRY(image.sampler.filter, enumerator(json.at("filter"), launch::Filter::Linear));
    for (size_t n = 0; n < image.sampler.address.size(); ++n) {
      TRY(image.sampler.address[n], enumerator(json.at("address").at(n), launch::AddressMode::Border));
    }
    image.sampler.normalized = json.at("normalized").get<bool>();
    image.sampler.reads_float = json.at("reads_float").get<bool>();
    launch.images.push_back(image);
  }
  return {};
}

void get_arguments(const Message& message, const Json& arguments, launch::Launch& launch) {
  for (const Json& json : arguments)
    if (json.contains("buffer"))
      launch.arguments.emplace_back(get_pointer(json));
    else if (json.contains("image"))
      launch.arguments.emplace_back(launch::ImageArgument{json.at("image").get<uint32_t>()});
    else
      launch.arguments.emplace_back(get_value(message, json));
}

Result<bool> get_kernel(const Message& message, ReceivedBuffers& received, KernelLaunch& result) {
  const Json& json = message.head.at("launch");
  result.filling = json.at("any_contents").get<bool>() ? gpu::Filling::Any : gpu::Filling::Initial;
  result.ptx = part_of(message, json.at("ptx"));
  result.kernel = {result.ptx, json.at("file").get<std::string>(), json.at("entry").get<std::string>()};
  result.launch.grid = extent(json.at("grid"));
  result.launch.block = extent(json.at("block"));
  result.launch.dynamic_shared_bytes = json.at("shared_bytes").get<uint32_t>();
  received.forget(json.at("forgotten").get<std::vector<uint64_t>>());
  TRY_VOID(get_buffers(message, json.at("buffers"), received, result));
  TRY_VOID(get_images(json.at("images"), result.launch));
  get_arguments(message, json.at("arguments"), result.launch);
  TRY_VOID(launch::check(result.launch));
  return true;
}

}  // namespace

std::string_view name_of(RequestKind kind) {
  return std::ranges::find(kRequestKinds, kind, &std::pair<RequestKind, std::string_view>::first)->second;
}

Result<RequestKind> kind_of(const Message& message) {
  const auto json = message.head.find("ask");
  const std::string name =
      json != message.head.end() && json->is_string() ? json->get<std::string>() : std::string();
  for (const auto& [kind, text] : kRequestKinds)
    if (text == name) return kind;
  return fail(ErrorKind::Syntax, fmt::format("unknown request '{}'; install the same version of "
                                             "Lanescope at both ends",
                                             name));
}

void put_launch(Message& message, const gpu::Kernel& kernel, const launch::Launch& launch,
                gpu::Filling filling, SentBuffers& sent) {
  Json buffers = Json::array(), arguments = Json::array();
  for (const launch::Buffer& buffer : launch.buffers) {
    Json json{{"name", buffer.name},
              {"type", launch::name_of(buffer.type)},
              {"shape", buffer.shape},
              {"has_contents", buffer.has_contents}};
    if (filling == gpu::Filling::Initial) put_contents(message, json, buffer.initial, sent);
    buffers.push_back(std::move(json));
  }
  for (const launch::Argument& argument : launch.arguments)
    if (const auto* buffer = std::get_if<launch::BufferArgument>(&argument)) {
      arguments.push_back(pointer_json(*buffer));
    } else if (const auto* image = std::get_if<launch::ImageArgument>(&argument)) {
      arguments.push_back({{"image", image->image}});
    } else {
      const auto& value = std::get<launch::Value>(argument);
      Json pointers = Json::array();
      for (const launch::Value::Pointer& pointer : value.pointers) {
        pointers.push_back(pointer_json(pointer.to));
        pointers.back()["at"] = pointer.at;
      }
      arguments.push_back(
          {{"value", add_part(message, text_of(value.bytes))}, {"pointers", std::move(pointers)}});
    }
  message.head["launch"] = {{"ptx", add_part(message, std::string(kernel.ptx))},
                            {"file", kernel.name},
                            {"entry", kernel.entry},
                            {"grid", extent(launch.grid)},
                            {"block", extent(launch.block)},
                            {"shared_bytes", launch.dynamic_shared_bytes},
                            {"any_contents", filling == gpu::Filling::Any},
                            {"forgotten", sent.take_forgotten()},
                            {"buffers", std::move(buffers)},
                            {"images", images_of(launch)},
                            {"arguments", std::move(arguments)}};
}

Result<void> get_launch(const Message& message, ReceivedBuffers& received, KernelLaunch& result) {
  const auto got =
      read_head<bool>("a kernel's launch", [&] { return get_kernel(message, received, result); });
  if (!got) return std::unexpected(got.error());
  return {};
}

void put(Message& message, const gpu::TimingOptions& options) {
  message.head["timing_options"] = {{"repetitions", options.repetitions},
                                    {"warm_up", options.warm_up},
                                    {"cold_l2", options.l2 == gpu::TimingOptions::Cache::Cold},
                                    {"any_contents", options.contents == gpu::Filling::Any}};
}

Result<gpu::TimingOptions> get_timing_options(const Message& message) {
  return read_head<gpu::TimingOptions>("the options of a timing", [&] {
    using Cache = gpu::TimingOptions::Cache;
    const Json& json = message.head.at("timing_options");
    gpu::TimingOptions options;
    options.repetitions = json.at("repetitions").get<unsigned>();
    options.warm_up = json.at("warm_up").get<unsigned>();
    options.l2 = json.at("cold_l2").get<bool>() ? Cache::Cold : Cache::Warm;
    options.contents = json.at("any_contents").get<bool>() ? gpu::Filling::Any : gpu::Filling::Initial;
    return options;
  });
}

void put(Message& message, const gpu::Description& description) {
  message.head["gpu"] = {{"name", description.name},
                         {"compute_capability", description.compute_capability},
                         {"driver", description.driver},
                         {"cuda", description.cuda},
                         {"memory_bytes", description.memory_bytes},
                         {"l2_bytes", description.l2_bytes}};
}

Result<gpu::Description> get_description(const Message& message) {
  return read_head<gpu::Description>("a GPU's description", [&] {
    const Json& json = message.head.at("gpu");
    gpu::Description description;
    description.name = json.at("name").get<std::string>();
    description.compute_capability = json.at("compute_capability").get<std::string>();
    description.driver = json.at("driver").get<std::string>();
    description.cuda = json.at("cuda").get<std::string>();
    description.memory_bytes = json.at("memory_bytes").get<uint64_t>();
    description.l2_bytes = json.at("l2_bytes").get<uint64_t>();
    return description;
  });
}

void put(Message& message, const gpu::Timing& timing) { message.head["seconds"] = timing.seconds; }

Result<gpu::Timing> get_timing(const Message& message) {
  TRY(gpu::Timing timing, read_head<gpu::Timing>("a kernel's time", [&] {
        return gpu::Timing{message.head.at("seconds").get<std::vector<double>>()};
      }));
  if (timing.seconds.empty() || !std::ranges::is_sorted(timing.seconds) || timing.minimum() < 0)
    return fail(ErrorKind::Syntax, "a kernel's times were expected in rising order, at least one");
  return timing;
}

void put(Message& message, const trace::HardwareCounts& counts) {
  Json json = Json::object();
  for (const trace::HardwareCountRow& row : trace::hardware_count_rows())
    if (const auto value = counts[row.count]) json[std::string(row.name)] = *value;
  message.head["counts"] = std::move(json);
}

Result<trace::HardwareCounts> get_counts(const Message& message) {
  return read_head<trace::HardwareCounts>("hardware counts", [&] {
    trace::HardwareCounts counts;
    for (const auto& [name, value] : message.head.at("counts").items())
      if (const auto count = trace::find_hardware_count(name)) counts[*count] = value.get<uint64_t>();
    return counts;
  });
}

Result<void> put_trace_request(Message& message, const trace::Trace& header, const trace::Keep& keep) {
  TRY(std::string bytes, exporting::trace_bytes(header));
  std::vector<uint32_t> listed;
  for (const CtaId cta : keep.listed) listed.push_back(cta.value);
  message.head["trace"] = {{"header", add_part(message, std::move(bytes))},
                           {"all", keep.blocks == trace::Keep::Blocks::All},
                           {"listed", std::move(listed)},
                           {"budget_bytes", keep.budget_bytes}};
  if (keep.values_of) message.head["trace"]["looked_at"] = keep.values_of->value;
  return {};
}

Result<TraceRequest> get_trace_request(const Message& message) {
  TRY(auto request, read_head<TraceRequest>("a trace request", [&]() -> Result<TraceRequest> {
        using Blocks = trace::Keep::Blocks;
        const Json& json = message.head.at("trace");
        TraceRequest result;
        TRY(result.header, exporting::read_trace_bytes(part_of(message, json.at("header")), "a request"));
        for (const uint32_t cta : json.at("listed").get<std::vector<uint32_t>>())
          result.keep.listed.push_back(CtaId{cta});
        result.keep.blocks = result.keep.listed.empty() ? Blocks::None : Blocks::Listed;
        if (json.at("all").get<bool>()) result.keep.blocks = Blocks::All;
        result.keep.budget_bytes = json.at("budget_bytes").get<uint64_t>();
        if (const auto block = json.find("looked_at"); block != json.end())
          result.keep.values_of = CtaId{block->get<uint32_t>()};
        return result;
      }));
  for (const CtaId cta : request.keep.listed)
    if (cta.value >= volume(request.header.grid))
      return fail(ErrorKind::Syntax, fmt::format("block {} is outside of the grid", cta.value));
  return request;
}

Result<void> put(Message& message, const gpu::TracedRun& run, const launch::Launch& launch) {
  TRY(std::string bytes, exporting::trace_bytes(run.trace));
  message.head["trace"] = add_part(message, std::move(bytes));
  Json buffers = Json::array();
  for (size_t i = 0; i < run.buffers.size(); ++i)
    buffers.push_back(*run.buffers[i] == *launch.buffers[i].initial
                          ? Json()
                          : Json(add_part(message, text_of(*run.buffers[i]))));
  message.head["buffers"] = std::move(buffers);
  return {};
}

Result<gpu::TracedRun> get_traced_run(const Message& message, const launch::Launch& launch) {
  return read_head<gpu::TracedRun>("a trace", [&]() -> Result<gpu::TracedRun> {
    gpu::TracedRun run;
    TRY(run.trace, exporting::read_trace_bytes(part_of(message, message.head.at("trace")), "a reply"));
    const Json& buffers = message.head.at("buffers");
    if (buffers.size() != launch.buffers.size())
      return fail(ErrorKind::Syntax, fmt::format("{} buffers were expected, {} were received",
                                                 launch.buffers.size(), buffers.size()));
    for (size_t i = 0; i < launch.buffers.size(); ++i) {
      const launch::Contents& before = launch.buffers[i].initial;
      if (buffers[i].is_null()) {
        run.buffers.push_back(before);
        continue;
      }
      const std::string& after = part_of(message, buffers[i]);
      if (after.size() != before->size())
        return fail(ErrorKind::Syntax,
                    fmt::format("a buffer of {} bytes was expected, one of {} was received", before->size(),
                                after.size()));
      run.buffers.push_back(contents_of(after));
    }
    return run;
  });
}

void put(Message& message, const Error& error) {
  const auto kind = std::ranges::find(kErrorKinds, error.kind, &std::pair<ErrorKind, const char*>::first);
  Json json{{"kind", kind->second}, {"message", error.message}};
  if (error.where) json["where"] = {{"file", error.where->file}, {"line", error.where->line}};
  message.head["error"] = std::move(json);
}

std::optional<Error> get_error(const Message& message) {
  if (!message.head.contains("error")) return std::nullopt;
  auto error = read_head<Error>("an error", [&] {
    const Json& json = message.head.at("error");
    Error result{ErrorKind::Internal, json.at("message").get<std::string>(), std::nullopt};
    const auto name = json.at("kind").get<std::string>();
    for (const auto& [kind, text] : kErrorKinds)
      if (name == text) result.kind = kind;
    if (json.contains("where"))
      result.where =
          Location{json.at("where").at("file").get<std::string>(), json.at("where").at("line").get<int>()};
    return result;
  });
  return error ? *error : error.error();
}

}  // namespace lanescope::remote
