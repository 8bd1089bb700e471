// Words that several figures need: the position of an access, what it does. Tests:
// tests/unit/plot/wording_test.cpp

#pragma once

#include "base/number.h"
#include "base/text.h"
#include "model/bound.h"
#include "model/residency.h"
#include "plot/figures.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::plot {

/// A change in whole percent: "+3 %", "0 %", and with a true minus sign "−16 %".
std::string signed_percent(double share);
/// `count` with its unit in the right number, by two strings: "1 sector", "4 sectors".
std::string counted(Language language, uint64_t count, Text one, Text many);

/// "3" in a one-dimensional grid, "(3, 1)", "(3, 1, 0)".
std::string block_name(CtaId cta, Dim3 grid);
/// "ld.shared", "st.global", "atom.shared", "red.global", "cp.async.shared", "cp.async.bulk st.shared",
/// "ldmatrix", "wgmma".
std::string operation_name(const trace::Operation& operation);
/// The same for a narrow box: "LD s", "ST g", "AT s", "RD g", "CP s", "BK s", "TC s".
std::string operation_mark(const trace::Operation& operation);
/// The same in words: "load of 4 bytes from global memory".
std::string operation_sentence(Language language, const trace::Operation& operation);
/// "line 14"; "PTX line 21" where the source is unknown.
std::string line_name(Language language, const trace::Site& site);
/// "line 14 · block (3, 1) · warp 2 · access 5 of 8"
std::string place_name(Language language, const model::TracedAccess& place);
/// "lane 5"; "lanes 0 to 7"; "4 lanes: 0, 8, 16, 24"
std::string lanes_name(Language language, LaneMask lanes);
/// "in[3][17]" in a buffer with rows, "in[17]" without, "local + 0x40", "0x12345" outside all buffers.
std::string address_name(const trace::Trace& trace, trace::Space space, uint64_t address);
/// The buffer that an access goes to by its first active lane; empty for shared and local memory.
std::string_view buffer_name(const trace::Trace& trace, const trace::WarpAccess& access);

/// "reads of in", "writes of out".
std::string traffic_name(Language language, trace::Kind kind, std::string_view buffer);

/// The source of what an older device's rules count: "Addresses of f; rules of compute capability 1.3 …"
std::string source_by_rules(Language language, std::string_view kernel, int compute_capability);

/// "its registers": what limits the blocks of a multiprocessor. At the level of the PTX registers are
/// estimated.
std::string limit_name(Language language, model::ResidencyLimit limit, trace::CountLevel level);

/// Adds the part after a dot, unless it is empty or the subtitle says it already.
void add_to_subtitle(Figure& figure, const std::string& part);

/// Level of a bound in a sentence: "the path to the L2".
Text path_name(model::Level level);

/// Sets name, title and provenance of a figure.
Figure begin_figure(std::string_view name, Text title, Provenance provenance, const Frame& frame);

}  // namespace lanescope::plot
