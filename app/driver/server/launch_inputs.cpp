#include "driver/server/launch_inputs.h"

#include "base/file.h"
#include "base/source_name.h"
#include "driver/server/argument_names.h"
#include "driver/server/argument_types.h"
#include "driver/server/image_inputs.h"
#include "driver/server/memory_comparison.h"
#include "driver/server/written_parts.h"
#include "emulator/memory/fresh_memory.h"
#include "launch/element.h"
#include "pipeline/launch_file.h"
#include "trace/access.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

namespace fs = std::filesystem;
using launch::ElementType;

constexpr uint64_t kAddressBytes = sizeof(uint64_t);

uint64_t word_at(std::span<const std::byte> bytes, uint64_t at) {
  uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

/// Value in the form of --arg: "i32:1024"; as bytes if its type is not known or
/// it is not finite.
std::string value_text(std::span<const std::byte> bytes, const std::optional<ParameterType>& type) {
  const auto as_bytes = [&] {
    std::string text = "bytes:";
    for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
    return text;
  };
  if (!type || type->form != ParameterType::Form::Value || bytes.size() != launch::size_bytes(type->element))
    return as_bytes();
  return launch::with_type(type->element, [&]<class T>(T value) {
    if constexpr (std::is_arithmetic_v<T>) {
      std::memcpy(&value, bytes.data(), sizeof value);
      if (std::isfinite(static_cast<double>(value)))
        return fmt::format("{}:{}", launch::name_of(type->element), value);
    }
    return as_bytes();
  });
}

/// The buffers of one launch, in the order of the run that repeats it.
class Inputs {
 public:
  Inputs(const KernelLaunch& launch, const DeviceMemory& memory, SourceTexts& sources,
         const std::vector<launch::Buffer>& buffers, const fs::path& file, uint64_t most_bytes)
      : launch_(launch),
        memory_(memory),
        buffers_(buffers),
        file_(file),
        names_(parameter_names(launch.program, sources)),
        types_(parameter_types(launch.program.kernel)),
        most_bytes_(most_bytes) {
    names_.resize(launch.program.parameters.size());
    if (types_.size() != launch.program.parameters.size())
      types_.assign(launch.program.parameters.size(), {});
  }

  uint64_t written_bytes() const { return written_bytes_; }
  void remove_files() const {
    std::error_code ignored;
    for (const fs::path& file : files_) fs::remove(file, ignored);
  }

  Result<pipeline::LaunchFile> write() {
    TRY_VOID(find_buffers());
    pipeline::LaunchFile kept;
    for (const uint32_t number : behind_) {
      TRY(const std::string text, buffer_text(number));
      kept.buffers.push_back(fmt::format("{}={}", name_of(number), text));
    }
    pipeline::LaunchText one;
    one.kernel = source_name_of(launch_.program.kernel);
    const auto extent = [](Dim3 of) { return fmt::format("{},{},{}", of.x, of.y, of.z); };
    one.grid = extent(launch_.grid);
    one.block = extent(launch_.block);
    if (launch_.cluster) one.cluster = extent(*launch_.cluster);
    one.shared_bytes = launch_.dynamic_shared_bytes;
    for (size_t n = 0; n < names_.size(); ++n) {
      TRY(one.arguments.emplace_back(), argument_text(n));
    }
    kept.launches.push_back(std::move(one));
    for (const ModuleVariable* const variable : variables_) {
      TRY(const std::string text, variable_text(*variable));
      kept.variables.emplace_back(variable->name, text);
    }
    return kept;
  }

 private:
  std::span<const std::byte> bytes_of(size_t parameter) const {
    const ptx::KernelParameter& of = launch_.program.parameters[parameter];
    return launch_.parameters.subspan(of.offset, of.size_bytes);
  }

  std::span<const std::byte> bytes_of_allocation(uint32_t number) const {
    const emulator::Region& region = memory_.allocation(number).region;
    return {region.data, region.size_bytes};
  }

  /// Number of the allocation that an address lies in, or is the end of;
  /// nullopt if there is none.
  std::optional<uint32_t> allocation_at(uint64_t address) const {
    if (!trace::has_buffer(address)) return {};
    const uint32_t number = trace::buffer_of(address);
    if (number >= buffers_.size()) return {};
    const uint64_t bytes = memory_.allocation(number).region.size_bytes;
    return bytes > 0 && trace::offset_of(address) <= bytes ? std::optional(number) : std::nullopt;
  }

  /// Number of the allocation that a parameter points to; nullopt if it is no
  /// pointer, as a typed number.
  std::optional<uint32_t> pointer_of(size_t parameter) const {
    const auto bytes = bytes_of(parameter);
    const bool is_number = types_[parameter] && types_[parameter]->form == ParameterType::Form::Value;
    if (is_number || bytes.size() != kAddressBytes) return {};
    return allocation_at(word_at(bytes, 0));
  }

  /// True if the type of the elements is known: then they are not searched for
  /// addresses.
  bool is_typed(uint32_t number) const {
    const auto by = name_by_.find(number);
    return buffers_[number].type != ElementType::U8 || (by != name_by_.end() && types_[by->second]);
  }

  /// The textures and surfaces of the parameters. Errors: Unsupported where a
  /// handle is within a struct or in memory, since the run that repeats the
  /// launch has others.
  Result<void> find_images() {
    images_.resize(names_.size());
    if (!accesses_images(launch_.program)) return {};
    size_t found = 0;
    for (size_t n = 0; n < names_.size(); ++n) {
      images_[n] = image_of(bytes_of(n), memory_);
      found += images_[n] ? 1 : 0;
    }
    if (found > 0) return {};
    return fail(ErrorKind::Unsupported,
                "the textures or surfaces of the kernel are not among its parameters");
  }

  /// True if the parameter is the first object over these texels: later ones
  /// share them.
  bool owns_texels(size_t parameter) const {
    if (!images_[parameter] || images_[parameter]->shape.is_linear) return false;
    return owner_of(parameter) == parameter;
  }
  size_t owner_of(size_t parameter) const {
    const auto owner = std::ranges::find_if(images_, [&](const std::optional<emulator::Image>& other) {
      return other && !other->shape.is_linear && other->texels == images_[parameter]->texels;
    });
    return static_cast<size_t>(owner - images_.begin());
  }

  /// Texture or surface of a parameter in the form of --arg.
  Result<std::string> image_argument(size_t parameter) {
    const emulator::Image& image = *images_[parameter];
    const auto name_of_image = [&](size_t of) {
      return names_[of].empty() ? fmt::format("parameter_{}", of) : names_[of];
    };
    if (image.shape.is_linear) return linear_texture(image);
    if (!owns_texels(parameter)) return image_over(image, name_of_image(owner_of(parameter)));
    const std::string name = name_of_image(parameter);
    written_bytes_ += texel_bytes(image);
    if (written_bytes_ > most_bytes_) return too_much();
    const fs::path place = place_of(name);
    files_.push_back(place);
    TRY_VOID(write_texels(image, place));
    return fmt::format("{}={}", name, image_text(image, place));
  }

  /// A texture over a buffer that was given before it, as a whole.
  Result<std::string> linear_texture(const emulator::Image& image) const {
    const uint32_t number = image.shape.buffer;
    const emulator::Region& region = memory_.allocation(number).region;
    const bool is_whole = image.texels == region.data && texel_bytes(image) == region.size_bytes;
    const bool is_declared = std::ranges::find(behind_, number) != behind_.end();
    if (is_whole && is_declared) return image_over(image, name_of(number));
    return fail(ErrorKind::Unsupported,
                "a texture lies over a part of a buffer, or over a buffer that "
                "a parameter points to");
  }

  std::unexpected<Error> too_much() const {
    return fail(ErrorKind::Limit, fmt::format("what it was given has more than the {} MiB that "
                                              "are left for the inputs of a run",
                                              most_bytes_ >> 20));
  }

  Result<void> find_buffers() {
    TRY_VOID(find_images());
    std::vector<uint32_t> unseen;
    const auto note = [&](uint64_t address) {
      const auto number = allocation_at(address);
      if (number && std::ranges::find(found_, *number) == found_.end()) {
        found_.push_back(*number);
        unseen.push_back(*number);
      }
    };
    for (size_t n = 0; n < names_.size(); ++n) {
      if (images_[n]) {
        if (images_[n]->shape.is_linear) note(trace::global_address(images_[n]->shape.buffer, 0));
      } else if (const auto number = pointer_of(n)) {
        note(word_at(bytes_of(n), 0));
        if (std::ranges::find(direct_, *number) == direct_.end()) {
          direct_.push_back(*number);
          name_by_[*number] = n;
        }
      } else if (!types_[n]) {
        note_all(bytes_of(n), note);
      }
    }
    find_variables();
    for (const ModuleVariable* const variable : variables_)
      note_all(bytes_of_allocation(variable->allocation), note);
    while (!unseen.empty()) {
      const uint32_t number = unseen.back();
      unseen.pop_back();
      if (!is_typed(number)) note_all(bytes_of_allocation(number), note);
    }
    std::ranges::copy_if(found_, std::back_inserter(behind_), [&](uint32_t number) {
      return std::ranges::find(direct_, number) == direct_.end();
    });
    std::ranges::sort(behind_);
    return number_buffers();
  }

  /// Finds variables whose contents are no longer the initial ones of the PTX.
  /// Tables of addresses, which the compiler makes, are left out.
  void find_variables() {
    for (const ptx::ProgramVariable& declared : launch_.program.variables) {
      const ModuleVariable* const variable = launch_.module.find_variable(declared.name);
      if (variable == nullptr || !declared.addresses.empty()) continue;
      std::vector<std::byte> initial = declared.initial;
      initial.resize(declared.size_bytes);
      if (!std::ranges::equal(bytes_of_allocation(variable->allocation), initial))
        variables_.push_back(variable);
    }
  }

  static void note_all(std::span<const std::byte> bytes, const auto& note) {
    for (uint64_t at = 0; at + kAddressBytes <= bytes.size(); at += kAddressBytes) note(word_at(bytes, at));
  }

  /// Numbers the buffers as in the run that repeats the launch. Buffers that no
  /// parameter points to come first, since a file of launches declares them
  /// before the launch.
  Result<void> number_buffers() {
    uint32_t next = 0;
    for (const uint32_t number : behind_) TRY_VOID(number_buffer(number, next++));
    for (size_t n = 0; n < names_.size(); ++n) {
      if (owns_texels(n)) ++next;  // its texels are a buffer
      const auto number = images_[n] ? std::nullopt : pointer_of(n);
      if (number && name_by_.at(*number) == n) TRY_VOID(number_buffer(*number, next++));
    }
    return {};
  }

  Result<void> number_buffer(uint32_t number, uint32_t becomes) {
    const emulator::Heap* const heap = memory_.heap();
    const bool is_variable =
        std::ranges::any_of(launch_.module.variables(),
                            [&](const ModuleVariable& variable) { return variable.allocation == number; });
    if (is_variable || (heap != nullptr && trace::buffer_of(heap->begin()) == number))
      return fail(ErrorKind::Unsupported, is_variable
                                              ? "an address of a variable is among what it was given"
                                              : "an address of memory that a kernel allocated is among "
                                                "what it was given");
    moved_.push_back({trace::global_address(number, 0), trace::global_address(becomes, 0),
                      memory_.allocation(number).region.size_bytes});
    return {};
  }

  std::string name_of(uint32_t number) const {
    const auto by = name_by_.find(number);
    if (by == name_by_.end()) {
      // The buffers of a file of launches are in the order of their names.
      const auto place = std::ranges::find(behind_, number) - behind_.begin() + 1;
      return fmt::format("allocation_{:0{}}", place, fmt::to_string(behind_.size()).size());
    }
    const std::string& name = names_[by->second];
    return name.empty() ? fmt::format("parameter_{}", by->second) : name;
  }

  Result<std::string> argument_text(size_t parameter) {
    const std::string& name = names_[parameter];
    if (images_[parameter]) return image_argument(parameter);
    if (const auto number = pointer_of(parameter)) {
      const uint64_t offset = trace::offset_of(word_at(bytes_of(parameter), 0));
      const std::string plus = offset == 0 ? "" : fmt::format("+{}", offset);
      if (name_by_.at(*number) != parameter) return name_of(*number) + plus;
      TRY(const std::string text, buffer_text(*number));
      return fmt::format("{}={}{}", name_of(*number), text, plus);
    }
    std::vector<std::byte> bytes(bytes_of(parameter).begin(), bytes_of(parameter).end());
    if (!types_[parameter]) relocate(bytes, moved_);
    return (name.empty() ? "" : name + "=") + value_text(bytes, types_[parameter]);
  }

  /// Buffer with its type; if the driver has only bytes, with that of the
  /// parameter that points into it.
  launch::Buffer typed_buffer(uint32_t number) const {
    launch::Buffer buffer = buffers_[number];
    const auto by = name_by_.find(number);
    const bool is_known = by != name_by_.end() && types_[by->second];
    const uint64_t bytes = memory_.allocation(number).region.size_bytes;
    if (buffer.type != ElementType::U8 || !is_known) return buffer;
    const uint32_t element = launch::size_bytes(types_[by->second]->element);
    if (bytes % element != 0) return buffer;
    buffer.type = types_[by->second]->element;
    buffer.shape = {bytes / element};
    return buffer;
  }

  /// Text of a buffer for a file of launches: "f32[1024]:file(...)",
  /// "f32[1024]:none".
  Result<std::string> buffer_text(uint32_t number) {
    const Allocation& allocation = memory_.allocation(number);
    const launch::Buffer buffer = typed_buffer(number);
    const std::string head =
        fmt::format("{}[{}]:", launch::name_of(buffer.type), fmt::join(buffer.shape, "x"));
    const std::vector<Extent> written = written_extents(allocation);
    const Uninitialized uninitialized = uninitialized_part(allocation, written);
    if (uninitialized == Uninitialized::All) return head + "none";
    if (written.empty()) return head + "zeros";
    const fs::path place = place_of(name_of(number));
    TRY_VOID(write_contents(place, number, written));
    if (uninitialized == Uninitialized::None) return fmt::format("{}file({})", head, place.string());
    TRY_VOID(write_pattern_in_holes(place, allocation, written));
    return fmt::format("{}partly({},{})", head, place.string(), allocation.key);
  }

  Result<std::string> variable_text(const ModuleVariable& variable) {
    const auto bytes = bytes_of_allocation(variable.allocation);
    std::string name = variable.name;
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
    const fs::path place = place_of("variable-" + name.substr(0, kMostOfName));
    TRY_VOID(
        write_contents(place, variable.allocation, written_extents(memory_.allocation(variable.allocation))));
    return fmt::format("u8[{}]:file({})", bytes.size(), place.string());
  }

  fs::path place_of(const std::string& name) const {
    return file_.parent_path() / fmt::format("{}-{}.raw", file_.stem().string(), name);
  }

  /// Writes the extents of an allocation to `place`; holes stay holes.
  /// Addresses in untyped memory become those of the run that repeats the
  /// launch.
  Result<void> write_contents(const fs::path& place, uint32_t number, const std::vector<Extent>& written) {
    for (const Extent& extent : written) written_bytes_ += extent.end - extent.begin;
    if (written_bytes_ > most_bytes_) return too_much();
    files_.push_back(place);
    const auto bytes = bytes_of_allocation(number);
    const int descriptor = open(place.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool is_written = descriptor >= 0 && ftruncate(descriptor, static_cast<off_t>(bytes.size())) == 0;
    for (const Extent& extent : written) {
      std::span<const std::byte> part = bytes.subspan(extent.begin, extent.end - extent.begin);
      std::vector<std::byte> moved;
      if (!is_typed(number)) {
        moved.assign(part.begin(), part.end());
        relocate(moved, moved_);
        part = moved;
      }
      for (uint64_t at = 0; is_written && at < part.size();) {
        const ssize_t done =
            pwrite(descriptor, part.data() + at, part.size() - at, static_cast<off_t>(extent.begin + at));
        is_written = done > 0 || (done < 0 && errno == EINTR);
        if (done > 0) at += static_cast<uint64_t>(done);
      }
    }
    if (descriptor >= 0) close(descriptor);
    if (is_written) return {};
    return cannot_write(place);
  }

  /// Writes the pattern to the pages that were never touched, if the limits
  /// allow; else they read as zeros.
  Result<void> write_pattern_in_holes(const fs::path& place, const Allocation& allocation,
                                      const std::vector<Extent>& written) {
    uint64_t bytes = allocation.region.size_bytes;
    for (const Extent& extent : written) bytes -= extent.end - extent.begin;
    if (bytes == 0 || bytes > kMostPatternBytes || written_bytes_ + bytes > most_bytes_) return {};
    written_bytes_ += bytes;
    std::fstream stream(place, std::ios::in | std::ios::out | std::ios::binary);
    for (uint64_t at = 0, next = 0; at < allocation.region.size_bytes; ++next) {
      const bool is_last = next == written.size();
      const uint64_t end = is_last ? allocation.region.size_bytes : written[next].begin;
      std::vector<std::byte> hole(end - at);
      for (uint64_t word = 0; word + sizeof(uint32_t) <= hole.size(); word += sizeof(uint32_t)) {
        const uint32_t value = emulator::fresh_word(allocation.key, (at + word) / sizeof(uint32_t));
        std::memcpy(hole.data() + word, &value, sizeof value);
      }
      stream.seekp(static_cast<std::streamoff>(at));
      stream.write(reinterpret_cast<const char*>(hole.data()), static_cast<std::streamsize>(hole.size()));
      at = is_last ? end : written[next].end;
    }
    if (stream.flush()) return {};
    return cannot_write(place);
  }

  static std::unexpected<Error> cannot_write(const fs::path& place) {
    return fail(ErrorKind::File, "the contents of a buffer cannot be written; is the disk full?",
                Location{place.string(), 0});
  }

  static constexpr size_t kMostOfName = 60;
  static constexpr uint64_t kMostPatternBytes = uint64_t{16} << 20;  // of untouched pages

  const KernelLaunch& launch_;
  const DeviceMemory& memory_;
  const std::vector<launch::Buffer>& buffers_;  // [allocation]
  const fs::path& file_;
  std::vector<std::string> names_;                   // [parameter]; may be empty
  std::vector<std::optional<ParameterType>> types_;  // [parameter]
  std::vector<uint32_t> found_, direct_,
      behind_;                          // allocations: all; that parameters point to; the others
  std::map<uint32_t, size_t> name_by_;  // [allocation] the first parameter that points to it
  std::vector<std::optional<emulator::Image>> images_;  // [parameter] whose handle it is
  std::vector<const ModuleVariable*> variables_;
  std::vector<Relocation> moved_;
  uint64_t most_bytes_ = 0, written_bytes_ = 0;  // of contents
  std::vector<fs::path> files_;                  // that were written
};

}  // namespace

Result<uint64_t> keep_inputs(const KernelLaunch& launch, const DeviceMemory& memory, SourceTexts& sources,
                             const std::vector<launch::Buffer>& buffers, const fs::path& file,
                             uint64_t most_bytes) {
  const std::string source = kernel_file_of(launch.program, sources);
  if (source.empty()) return fail(ErrorKind::Unsupported, "the source of the kernel is not known");
  Inputs inputs(launch, memory, sources, buffers, file, most_bytes);
  auto kept = inputs.write();
  if (!kept) {
    inputs.remove_files();
    return std::unexpected(kept.error());
  }
  kept->launches.front().file = source;
  TRY_VOID(write_file(file, pipeline::launch_file_text(*kept)));
  return inputs.written_bytes();
}

}  // namespace lanescope::driver
