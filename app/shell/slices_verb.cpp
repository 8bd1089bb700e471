// `lanescope slices`: which slice of the GPU's L2 serves an address, measured with counters, with the rule
// that the addresses obey; and the cost of addresses that are all in one pair of slices, chosen by that map.
// With -o it measures on this machine's GPU and stores the result; without -o it prints a recording.

#include "base/file.h"
#include "gpu/driver_gpu.h"
#include "gpu/probe/line_reads.h"
#include "gpu/probe/slices.h"
#include "recordings/slice_recording.h"
#include "shell/gpu_choice.h"
#include "shell/gpu_report.h"
#include "shell/verbs.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

using model::kSliceGranuleBytes;
using model::kSlicePageBytes;
using model::MeasuredGranule;

struct SlicesArguments {
  std::string output;
  std::string recording = "h200";
  uint32_t megabytes = 8192;
};

constexpr uint32_t kGranules = kSlicePageBytes / kSliceGranuleBytes;
constexpr uint32_t kLineBytes = 128;
constexpr uint32_t kLinesEach = kSliceGranuleBytes / kLineBytes;
/// Granules that determine the base of a page: two are usually enough, the others confirm it.
constexpr uint32_t kTellingGranules = 12;
/// Lines that stay in one slice of the L2 (60 MB in 94): half of what it holds. Both slices of the pair hold
/// them.
constexpr size_t kResidentLines = 2048;

/// Zeroed memory for the probe.
Result<gpu::Buffer> zeroed(const gpu::Context& context, uint64_t bytes) {
  TRY(gpu::Buffer buffer, gpu::Buffer::allocate(context, bytes));
  TRY_VOID(buffer.clear());
  return buffer;
}

Result<std::vector<MeasuredGranule>> measure(gpu::SliceProbe& probe, uint64_t page,
                                             const std::vector<uint32_t>& offsets) {
  std::vector<uint64_t> addresses;
  for (const uint32_t offset : offsets) addresses.push_back(page + offset);
  TRY(const auto slices, probe.probe(addresses));
  std::vector<MeasuredGranule> granules;
  for (size_t n = 0; n < offsets.size(); ++n)
    granules.push_back({offsets[n], {slices[n].pair, slices[n].home}});
  return granules;
}

std::vector<uint32_t> all_offsets() {
  std::vector<uint32_t> offsets;
  for (uint32_t n = 0; n < kGranules; ++n) offsets.push_back(n * kSliceGranuleBytes);
  return offsets;
}

/// Measures all of the first page and all of a page of another allocation: the rule has to hold on both.
Result<void> measure_pages(const gpu::Context& context, gpu::SliceProbe& probe, const gpu::Buffer& first,
                           recordings::SliceRecording& recording) {
  fmt::print(stderr, "measuring {} granules of a page\n", kGranules);
  TRY(const auto page, measure(probe, first.address(), all_offsets()));
  for (const MeasuredGranule& granule : page) recording.page.push_back(granule.slice);
  const auto rule = model::learn_page(page);
  if (!rule)
    return fail(ErrorKind::Unsupported,
                "the rule of the H200's slices does not hold for every measured granule; this GPU "
                "has another rule, and nothing was stored");
  recording.rule = *rule;
  fmt::print(stderr, "the rule holds for all of them; measuring a page of another allocation\n");
  TRY(const gpu::Buffer other, zeroed(context, kSlicePageBytes));
  TRY(const auto again, measure(probe, other.address(), all_offsets()));
  recording.other_granules = kGranules;
  const auto base = model::fit_page(rule->table, again);
  if (!base)
    return fail(
        ErrorKind::Unsupported,
        "the rule learned on one page does not hold for every granule of another; nothing was stored");
  recording.other_agreeing = kGranules;
  return {};
}

/// The lines of `memory` by their slice, page by page; pages without a known base are left out.
struct Lines {
  std::vector<uint32_t> of_one_slice;
  std::vector<uint32_t> of_all;
};

Result<Lines> find_lines(gpu::SliceProbe& probe, const gpu::Buffer& memory, model::Slice wanted,
                         recordings::SliceRecording& recording) {
  std::mt19937 random(20261121);
  std::uniform_int_distribution<uint32_t> granule(0, kGranules - 1);
  Lines lines;
  const auto pages = static_cast<uint32_t>(memory.size_bytes() / kSlicePageBytes);
  for (uint32_t page = 0; page < pages; ++page) {
    std::vector<uint32_t> offsets;
    for (uint32_t n = 0; n < kTellingGranules; ++n) offsets.push_back(granule(random) * kSliceGranuleBytes);
    TRY(const auto granules, measure(probe, memory.address() + uint64_t{page} * kSlicePageBytes, offsets));
    const auto base = model::fit_page(recording.rule.table, granules);
    ++(base ? recording.fitted_pages : recording.unfitted_pages);
    if (!base) continue;
    for (uint32_t offset = 0; offset < kSlicePageBytes; offset += kSliceGranuleBytes) {
      if (model::slice_in_page(recording.rule.table, *base, offset) != wanted) continue;
      const uint32_t line = page * (kSlicePageBytes / kLineBytes) + offset / kLineBytes;
      for (uint32_t n = 0; n < kLinesEach; ++n) lines.of_one_slice.push_back(line + n);
    }
    if (page % 32 == 0) fmt::print(stderr, "\rfinding the slices of page {} of {}", page, pages);
  }
  fmt::print(stderr, "\n");
  // The same number of lines, spread over the same memory.
  std::uniform_int_distribution<uint32_t> any(0, pages * kGranules - 1);
  while (lines.of_all.size() < lines.of_one_slice.size()) {
    const uint32_t line = any(random) * kLinesEach;
    for (uint32_t n = 0; n < kLinesEach; ++n) lines.of_all.push_back(line + n);
  }
  return lines;
}

Result<plot::CampedReads> read_both(const gpu::Context& context, const gpu::Cupti& cupti,
                                    const gpu::Buffer& memory, const Lines& lines, gpu::ReadFrom from) {
  const size_t count = from == gpu::ReadFrom::L2 ? std::min(kResidentLines, lines.of_one_slice.size())
                                                 : lines.of_one_slice.size();
  const auto first = [count](const std::vector<uint32_t>& all) {
    return std::vector<uint32_t>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  };
  TRY(const gpu::LineReads one, gpu::read_lines(context, cupti, memory, first(lines.of_one_slice), from));
  TRY(const gpu::LineReads all, gpu::read_lines(context, cupti, memory, first(lines.of_all), from));
  return plot::CampedReads{.lines = static_cast<uint32_t>(count),
                           .one_slice = one.gb_per_second,
                           .all_slices = all.gb_per_second,
                           .one_slice_share = one.busiest_slice_share,
                           .all_slices_share = all.busiest_slice_share};
}

void describe(const recordings::SliceRecording& recording, std::string_view provenance) {
  std::array<uint32_t, model::kSlicePairs> granules{};
  uint32_t home = 0;
  for (const model::Slice& slice : recording.page) {
    ++granules[slice.pair];
    home += slice.home;
  }
  const auto [least, most] = std::ranges::minmax(granules);
  fmt::print("{}, driver {}, CUDA {}, {}: {}\n\n", recording.gpu.name, recording.gpu.driver,
             recording.gpu.cuda, recording.date, provenance);
  fmt::print(
      "page of 2 MiB        {} granules of 256 bytes on {} pairs of slices, {} to {} each; {} belong to "
      "the other half\n",
      recording.page.size(), model::kSlicePairs, least, most, home);
  fmt::print("rule                 holds for all of them, and for {} of {} of another allocation\n",
             recording.other_agreeing, recording.other_granules);
  fmt::print("pages that were read {} fitted, {} excluded\n\n", recording.fitted_pages,
             recording.unfitted_pages);
  fmt::print("{:<20} {:>10} {:>16} {:>16} {:>8} {:>24}\n", "reads", "lines", "one pair GB/s",
             "all slices GB/s", "ratio", "busiest slice's share");
  const auto row = [](const char* name, const plot::CampedReads& reads) {
    fmt::print(
        "{:<20} {:>10} {:>16.1f} {:>16.1f} {:>7.1f}x {:>24}\n", name, reads.lines, reads.one_slice,
        reads.all_slices, reads.all_slices / reads.one_slice,
        fmt::format("{:.1f} % against {:.1f} %", 100 * reads.one_slice_share, 100 * reads.all_slices_share));
  };
  row("from the L2", recording.l2);
  row("from DRAM", recording.dram);
  fmt::print("\nMeasured only on this GPU; offsets are virtual, the physical base is unknown.\n");
}

Result<int> measure_slices(const SlicesArguments& arguments, const Paths& paths) {
  TRY_VOID(check_place(arguments.output));
  const auto folders = cupti_folders(paths);
  TRY(gpu::DriverGpu local, gpu::DriverGpu::open({folders}));
  TRY(const gpu::Description description, local.describe());
  const gpu::Context& context = local.context();
  recordings::Recording about;
  describe_gpu(description, about);
  recordings::SliceRecording recording;
  recording.gpu = about.gpu;
  recording.date = about.date;
  TRY(const gpu::Cupti cupti, gpu::Cupti::open(folders));
  TRY(const gpu::Buffer first, zeroed(context, kSlicePageBytes));
  TRY(const gpu::Buffer memory, zeroed(context, uint64_t{arguments.megabytes} << 20));
  Lines lines;
  {
    TRY(gpu::SliceProbe probe, gpu::SliceProbe::make(context, cupti));
    TRY_VOID(measure_pages(context, probe, first, recording));
    TRY(lines, find_lines(probe, memory, recording.page.front(), recording));
  }
  TRY(recording.l2, read_both(context, cupti, memory, lines, gpu::ReadFrom::L2));
  TRY(recording.dram, read_both(context, cupti, memory, lines, gpu::ReadFrom::Dram));
  TRY_VOID(write_file(arguments.output, recordings::slices_text(recording)));
  describe(recording, "measured");
  return 0;
}

Result<int> show_slices(const SlicesArguments& arguments, const Paths& paths) {
  TRY(const recordings::SliceRecording recording,
      recordings::read_slices(paths.assets / "recordings/slices" / (arguments.recording + ".json")));
  describe(recording, "recorded");
  return 0;
}

}  // namespace

void add_slices_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<SlicesArguments>();
  const Verb verb = program.add_verb(
      "slices",
      "which slice of a GPU's L2 serves an address, and the cost of reading from one pair of slices");
  verb.add("-o,--output", arguments->output,
           "measure on this machine's GPU and store the result in FILE.json");
  verb.add("--recording", arguments->recording,
           "what to show without -o: a file of assets/recordings/slices (default: h200)");
  verb.add("--megabytes", arguments->megabytes, "memory that lines are picked from (default: 8192)")
      .between(64, 16384);
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) {
      return arguments->output.empty() ? show_slices(*arguments, paths) : measure_slices(*arguments, paths);
    };
  });
}

}  // namespace lanescope::shell
