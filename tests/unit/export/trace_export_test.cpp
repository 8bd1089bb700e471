#include "export/trace_export.h"

#include "base/file.h"
#include "launch/npy.h"
#include "support/temporary_folder.h"
#include "support/trace_builder.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::exporting {
namespace {

using testing::HasSubstr;
using trace::Kind;
using trace::Space;

/// Lanes 0 and 3 load with a stride of 4 bytes from byte 8 of the second buffer, then lanes 1 and 2 of warp 1
/// store to places of shared memory without a stride.
trace::Trace two_accesses() {
  tests::TraceBuilder builder({2, 1, 1}, {64, 1, 1});
  builder.buffer("in", 16, 0);
  const uint32_t out = builder.buffer("o\"ut", 8, 4);
  const SiteId load = builder.site({Space::Global, Kind::Load, 4}, 4, "x = out[i];");
  const SiteId put = builder.site({Space::Shared, Kind::Store, 2}, 5, "t[i] = x;");
  builder.block({1});
  builder.affine(load, {0}, trace::global_address(out, 8), 4, LaneMask{0b1001});
  builder.listed(put, {1}, [](int lane) { return lane == 1 ? 100 : 6; }, LaneMask{0b0110});
  trace::Trace trace = builder.take();
  trace.sites[1].source.file = "a,\"b\".cu";
  return trace;
}

TEST(TraceExport, csv_has_a_row_for_each_lane) {
  const tests::TemporaryFolder folder("trace_export");
  ASSERT_TRUE(write_trace_csv(two_accesses(), folder / "x.csv"));
  EXPECT_EQ(*read_text(folder / "x.csv"),
            "# lanescope trace, format 1\n# kernel \"built_by_hand\"\n# grid 2 1 1\n# block 64 1 1\n"
            "# provenance emulated\n# dropped 0\n"
            "# buffer 0 \"in\" 64 bytes, elements of 4, rows of 0\n"
            "# buffer 1 \"o\"\"ut\" 128 bytes, elements of 4, rows of 4\n"
            "block,warp,step,site,space,kind,bytes,file,line,lane,buffer,offset\n"
            "1,0,0,0,global,load,4,\"by_hand.cu\",4,0,1,8\n"
            "1,0,0,0,global,load,4,\"by_hand.cu\",4,3,1,20\n"
            "1,1,0,1,shared,store,2,\"a,\"\"b\"\".cu\",5,1,,100\n"
            "1,1,0,1,shared,store,2,\"a,\"\"b\"\".cu\",5,2,,6\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.csv.part"));
  const auto refused = write_trace_csv(two_accesses(), folder / "missing/x.csv");
  ASSERT_FALSE(refused);
  EXPECT_THAT(describe(refused.error()), HasSubstr("missing/x.csv: the file cannot be written"));
}

/// The elements of an entry of the archive, which are stored as they are.
template <class T>
std::vector<T> array_of(const std::string& npz, const std::string& name) {
  const size_t at = npz.find(name);
  const std::string_view npy = std::string_view(npz).substr(at + name.size());
  const auto header = launch::read_npy_header(npy.substr(0, 65536));
  EXPECT_TRUE(header) << name;
  std::vector<T> values(header->shape.at(0));
  std::memcpy(values.data(), npy.data() + header->data_at, values.size() * sizeof(T));
  return values;
}

/// A file renamed onto a device would take its place.
TEST(TraceExport, csv_is_written_into_a_device_or_a_pipe) {
  const tests::TemporaryFolder folder("trace_export");
  std::filesystem::create_symlink("/dev/null", folder / "x.csv");
  ASSERT_TRUE(write_trace_csv(two_accesses(), folder / "x.csv"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "x.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "x.csv.part"));
  std::filesystem::create_symlink("/dev/full", folder / "full.csv");
  EXPECT_EQ(write_trace_csv(two_accesses(), folder / "full.csv").error().kind, ErrorKind::File);
}

TEST(TraceExport, npz_has_the_accesses_as_columns) {
  using testing::ElementsAre;
  const auto npz = trace_npz(two_accesses());
  ASSERT_TRUE(npz);
  EXPECT_THAT(array_of<uint32_t>(*npz, "block.npy"), ElementsAre(1, 1));
  EXPECT_THAT(array_of<uint32_t>(*npz, "warp.npy"), ElementsAre(0, 1));
  EXPECT_THAT(array_of<uint32_t>(*npz, "site.npy"), ElementsAre(0, 1));
  EXPECT_THAT(array_of<uint32_t>(*npz, "active.npy"), ElementsAre(0b1001, 0b0110));
  EXPECT_THAT(array_of<uint64_t>(*npz, "base.npy"), ElementsAre(trace::global_address(1, 8), 0));
  EXPECT_THAT(array_of<int64_t>(*npz, "stride.npy"), ElementsAre(4, 0));
  EXPECT_THAT(array_of<int64_t>(*npz, "first.npy"), ElementsAre(-1, 0));
  EXPECT_THAT(array_of<uint64_t>(*npz, "list.npy"), ElementsAre(100, 6));
  const std::vector<char> meta = array_of<char>(*npz, "meta.npy");
  const auto json = nlohmann::json::parse(meta.begin(), meta.end());
  EXPECT_EQ(json["format"], kTraceExportFormat);
  EXPECT_EQ(json["buffers"][1]["name"], "o\"ut");
  EXPECT_EQ(json["sites"][0]["sectors"], 1);
  EXPECT_EQ(json["sites"][1]["line"], 5);
}

}  // namespace
}  // namespace lanescope::exporting
