// The .npz of a trace: export/trace_export.h. Test: tests/unit/export/trace_export_test.cpp

#include "base/utf8.h"
#include "export/json.h"
#include "export/trace_export.h"
#include "launch/npy.h"

#include <limits>
#include <vector>

#include <zlib.h>

namespace lanescope::exporting {
namespace {

using launch::ElementType;

/// An archive of entries that are stored as they are.
class Archive {
 public:
  void add(const std::string& name, const std::string& bytes) {
    const auto checksum =
        static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    // Signature, version 2.0, no flags, stored, 1 January 1980, checksum, sizes.
    std::string common;
    put(common, 20, 2);
    put(common, 0, 2);
    put(common, 0, 2);
    put(common, 0, 2);
    put(common, 0x21, 2);
    put(common, checksum, 4);
    put(common, bytes.size(), 4);
    put(common, bytes.size(), 4);
    put(common, name.size(), 2);
    put(common, 0, 2);
    put(directory_, 0x02014b50, 4);
    put(directory_, 20, 2);
    directory_ += common;
    put(directory_, 0, 2);  // length of the comment
    put(directory_, 0, 2);  // number of the disk
    put(directory_, 0, 2);  // internal attributes
    put(directory_, 0, 4);  // external attributes
    put(directory_, content_.size(), 4);
    directory_ += name;
    put(content_, 0x04034b50, 4);
    content_ += common + name;
    content_ += bytes;
    ++entries_;
  }
  std::string finish() && {
    std::string end;
    put(end, 0x06054b50, 4);
    put(end, 0, 4);
    put(end, entries_, 2);
    put(end, entries_, 2);
    put(end, directory_.size(), 4);
    put(end, content_.size(), 4);
    put(end, 0, 2);
    return std::move(content_) + directory_ + end;
  }

 private:
  /// A little-endian number of so many bytes.
  static void put(std::string& to, uint64_t value, int bytes) {
    for (int n = 0; n < bytes; ++n) to += static_cast<char>(value >> (8 * n) & 0xff);
  }

  std::string content_, directory_;
  uint64_t entries_ = 0;
};

template <class T>
std::string npy(ElementType type, const std::vector<T>& values) {
  std::string bytes = launch::npy_header(type, {values.size()});
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return bytes;
}

/// What arrays of numbers cannot hold, as JSON.
std::string meta_of(const trace::Trace& trace) {
  Json meta{{"lanescope", LANESCOPE_VERSION},     {"format", kTraceExportFormat},
            {"kernel", valid_utf8(trace.kernel)}, {"provenance", name_of(trace.provenance)},
            {"grid", extent(trace.grid)},         {"block", extent(trace.block)},
            {"shared_bytes", trace.shared_bytes}, {"dropped", trace.dropped},
            {"buffers", Json::array()},           {"sites", Json::array()}};
  for (const trace::BufferInfo& buffer : trace.buffers)
    meta["buffers"].push_back({{"name", valid_utf8(buffer.name)},
                               {"size_bytes", buffer.size_bytes},
                               {"element_bytes", buffer.element_bytes},
                               {"row_elements", buffer.row_elements}});
  for (const trace::Site& site : trace.sites) {
    const trace::Totals& totals = trace.totals[site.id.value];
    meta["sites"].push_back({{"space", name_of(site.operation.space)},
                             {"kind", name_of(site.operation.kind)},
                             {"bytes_per_lane", site.operation.bytes_per_lane},
                             {"file", valid_utf8(site.source.file)},
                             {"line", site.source.line},
                             {"text", valid_utf8(site.source_text)},
                             {"requests", totals.requests},
                             {"sectors", totals.sectors},
                             {"ideal_sectors", totals.ideal_sectors},
                             {"wavefronts", totals.wavefronts},
                             {"ideal_wavefronts", totals.ideal_wavefronts}});
  }
  return meta.dump();
}

/// The columns of the stored accesses.
struct AccessColumns {
  std::vector<uint32_t> block, warp, step, site, active;
  std::vector<uint64_t> base, list;
  std::vector<int64_t> stride, first;
};

AccessColumns columns_of(const trace::Trace& trace) {
  AccessColumns columns;
  for (const trace::StoredBlock& block : trace.blocks)
    for (const trace::StoredAccess& stored : block.accesses) {
      const trace::WarpAccess access = trace::view(trace, block, stored);
      const bool is_listed = access.addresses.listed();
      columns.block.push_back(block.cta.value);
      columns.warp.push_back(stored.warp.value);
      columns.step.push_back(stored.step);
      columns.site.push_back(stored.site.value);
      columns.active.push_back(stored.active.bits);
      columns.base.push_back(is_listed ? 0 : access.addresses.base);
      columns.stride.push_back(is_listed ? 0 : access.addresses.stride);
      columns.first.push_back(is_listed ? static_cast<int64_t>(columns.list.size()) : -1);
      if (is_listed)
        trace::for_each_address(access, [&](int, int, uint64_t address) { columns.list.push_back(address); });
    }
  return columns;
}

}  // namespace

Result<std::string> trace_npz(const trace::Trace& trace) {
  const AccessColumns columns = columns_of(trace);
  constexpr uint64_t kBytesOfAccess = 5 * 4 + 3 * 8;
  constexpr uint64_t kRoom = std::numeric_limits<uint32_t>::max() - (uint64_t{16} << 20);
  if (columns.block.size() * kBytesOfAccess + columns.list.size() * 8 > kRoom)
    return fail(ErrorKind::Limit,
                "an .npz has room for 4 GiB, and the trace needs more; store fewer blocks with --blocks, or "
                "export --to csv");
  Archive archive;
  const std::string meta = meta_of(trace);
  archive.add("meta.npy", npy(ElementType::U8, std::vector<char>(meta.begin(), meta.end())));
  archive.add("block.npy", npy(ElementType::U32, columns.block));
  archive.add("warp.npy", npy(ElementType::U32, columns.warp));
  archive.add("step.npy", npy(ElementType::U32, columns.step));
  archive.add("site.npy", npy(ElementType::U32, columns.site));
  archive.add("active.npy", npy(ElementType::U32, columns.active));
  archive.add("base.npy", npy(ElementType::U64, columns.base));
  archive.add("stride.npy", npy(ElementType::I64, columns.stride));
  archive.add("first.npy", npy(ElementType::I64, columns.first));
  archive.add("list.npy", npy(ElementType::U64, columns.list));
  return std::move(archive).finish();
}

}  // namespace lanescope::exporting
