// The recorder's PTX as templates: `@NAME@` is a word that depends on the layout or the site, `%~` the prefix
// of the recorder's registers, `$~` that of its labels. recorder_code.h describes how they are combined.

#pragma once

#include <string_view>

namespace lanescope::gpu::parts {

inline constexpr std::string_view kRegisters = R"(
{
.reg .pred %~p, %~lead;
.reg .b32 %~lo, %~hi, %~m, %~lane, %~site, %~lo0, %~hi0, %~lo1, %~s1, %~s2, %~e, %~t, %~u, %~l0, %~d, %~j;
.reg .b32 %~space, %~h, %~tag, %~k0, %~k1, %~k2, %~k3, %~i, %~need, %~w0, %~w1, %~w2, %~w3;
.reg .b64 %~a, %~at, %~b, %~old;
)";

inline constexpr std::string_view kBlockNumber = R"(
mov.u32 %~t, %ctaid.z;
mov.u32 %~u, %nctaid.y;
mov.u32 %~e, %ctaid.y;
mad.lo.u32 %~t, %~t, %~u, %~e;
mov.u32 %~u, %nctaid.x;
mov.u32 %~e, %ctaid.x;
mad.lo.u32 %~t, %~t, %~u, %~e;
)";

inline constexpr std::string_view kWarpNumber = R"(
mov.u32 %~u, %tid.z;
mov.u32 %~e, %ntid.y;
mov.u32 %~d, %tid.y;
mad.lo.u32 %~u, %~u, %~e, %~d;
mov.u32 %~e, %ntid.x;
mov.u32 %~d, %tid.x;
mad.lo.u32 %~u, %~u, %~e, %~d;
shr.u32 %~u, %~u, 5;
)";

/// A generic address: each lane's space as the offset of its site, and its address there. The lanes of one
/// space are a group: the mask, and with it every shuffle and vote that follows, is theirs alone. They may
/// well continue concurrently with the others: instructions of different masks do not wait for each other
/// (PTX ISA, shfl.sync and vote.sync), and activemask would report them together again.
inline constexpr std::string_view kGeneric = R"(
mov.u32 %~space, 0;
mov.u64 %~b, %~a;
isspacep.shared %~p, %~a;
@%~p cvta.to.shared.u64 %~b, %~a;
@%~p mov.u32 %~space, 1;
isspacep.local %~p, %~a;
@%~p cvta.to.local.u64 %~b, %~a;
@%~p mov.u32 %~space, 2;
isspacep.const %~p, %~a;
@%~p cvta.to.const.u64 %~b, %~a;
@%~p mov.u32 %~space, 3;
mov.b64 {%~lo, %~hi}, %~b;
activemask.b32 %~m;
and.b32 %~t, %~space, 1;
setp.ne.u32 %~p, %~t, 0;
vote.sync.ballot.b32 %~t, %~p, %~m;
@!%~p not.b32 %~t, %~t;
and.b32 %~u, %~space, 2;
setp.ne.u32 %~p, %~u, 0;
vote.sync.ballot.b32 %~u, %~p, %~m;
@!%~p not.b32 %~u, %~u;
and.b32 %~m, %~m, %~t;
and.b32 %~m, %~m, %~u;
add.u32 %~site, %~space, @SITE@;
)";

/// The active lanes, of a generic access those of one space; a whole warp continues.
inline constexpr std::string_view kHere = R"(
activemask.b32 %~m;
)";
inline constexpr std::string_view kTogether = R"(
mov.u32 %~lane, %laneid;
setp.ne.u32 %~p, %~m, -1;
@%~p bra $~some;
shfl.sync.idx.b32 %~lo0, %~lo, 0, 31, -1;
@HIGH_OF_FIRST@
)";
inline constexpr std::string_view kHighOfFirst = R"(
shfl.sync.idx.b32 %~hi0, %~hi, 0, 31, -1;
)";

/// The steps that were seen before at this site.
inline constexpr std::string_view kExpectedRows = R"(
and.b32 %~t, %~lane, @ROW_MASK@;
mad.lo.s32 %~e, %~t, @STRIDE@, %~lo0;
shr.u32 %~t, %~lane, @ROW_SHIFT@;
mad.lo.s32 %~e, %~t, @ROW_STRIDE@, %~e;
)";
inline constexpr std::string_view kExpectedRow = R"(
mad.lo.s32 %~e, %~lane, @STRIDE@, %~lo0;
)";
inline constexpr std::string_view kExpectedDistances = R"(
mad.wide.u32 %~b, %~lane, 4, @DISTANCES@;
ld.global.u32 %~e, [%~b];
add.u32 %~e, %~e, %~lo0;
)";
inline constexpr std::string_view kExpectedVote = R"(
setp.eq.u32 %~p, %~e, %~lo;
@SAME_HIGH@
vote.sync.all.pred %~p, %~p, -1;
@!%~p bra $~any;
setp.eq.u32 %~lead, %~lane, 0;
)";
inline constexpr std::string_view kCountExpected = R"(
and.b32 %~t, %~lo0, @PHASE@;
mad.wide.u32 %~b, %~t, 8, %~counts;
@%~lead red.global.add.u64 [%~b + @EXPECTED_COUNTS@], 1;
bra $~done;
$~any:
)";
inline constexpr std::string_view kCountExpectedWords = R"(
@%~lead red.global.add.u64 [%~counts + @EXPECTED_COUNTS@], 1;
bra $~done;
$~any:
)";
inline constexpr std::string_view kRecordExpected = R"(
mov.u32 %~s1, @STRIDE@;
mov.u32 %~s2, @ROW_STRIDE@;
bra $~record;
$~any:
)";

/// A whole warp whose addresses go up in equal steps, or in equal steps within the rows of its block.
inline constexpr std::string_view kWholeWarp = R"(
shfl.sync.idx.b32 %~lo1, %~lo, 1, 31, -1;
sub.u32 %~s1, %~lo1, %~lo0;
)";
inline constexpr std::string_view kOneRow = R"(
mov.u32 %~s2, 0;
mad.lo.u32 %~e, %~s1, %~lane, %~lo0;
)";
inline constexpr std::string_view kRows = R"(
shfl.sync.idx.b32 %~t, %~lo, @ROW@, 31, -1;
sub.u32 %~s2, %~t, %~lo0;
and.b32 %~t, %~lane, @ROW_MASK@;
mad.lo.u32 %~e, %~s1, %~t, %~lo0;
shr.u32 %~t, %~lane, @ROW_SHIFT@;
mad.lo.u32 %~e, %~s2, %~t, %~e;
)";
inline constexpr std::string_view kWholeWarpVote = R"(
setp.eq.u32 %~p, %~e, %~lo;
@SAME_HIGH@
vote.sync.all.pred %~p, %~p, -1;
@!%~p bra $~some;
setp.eq.u32 %~lead, %~lane, 0;
)";
inline constexpr std::string_view kSameHigh = R"(
setp.eq.and.u32 %~p, %~hi, %~hi0, %~p;
)";

/// Other lanes: the stride is that of the first two lanes, whatever is between them. Within 32 MiB of the
/// first lane the products cannot wrap.
inline constexpr std::string_view kSomeLanes = R"(
$~some:
brev.b32 %~t, %~m;
clz.b32 %~l0, %~t;
setp.eq.u32 %~lead, %~lane, %~l0;
sub.u32 %~t, %~m, 1;
and.b32 %~t, %~t, %~m;
setp.eq.u32 %~p, %~t, 0;
brev.b32 %~t, %~t;
clz.b32 %~t, %~t;
@%~p mov.u32 %~t, %~l0;
shfl.sync.idx.b32 %~lo0, %~lo, %~l0, 31, %~m;
shfl.sync.idx.b32 %~hi0, %~hi, %~l0, 31, %~m;
shfl.sync.idx.b32 %~lo1, %~lo, %~t, 31, %~m;
sub.u32 %~s1, %~lo1, %~lo0;
mov.u32 %~s2, 0;
sub.u32 %~t, %~t, %~l0;
max.u32 %~t, %~t, 1;
sub.u32 %~d, %~lo, %~lo0;
sub.u32 %~j, %~lane, %~l0;
mul.lo.u32 %~u, %~d, %~t;
mul.lo.u32 %~e, %~s1, %~j;
setp.eq.u32 %~p, %~u, %~e;
setp.eq.and.u32 %~p, %~hi, %~hi0, %~p;
add.u32 %~d, %~d, 0x2000000;
setp.lt.and.u32 %~p, %~d, 0x4000000, %~p;
vote.sync.all.pred %~p, %~p, %~m;
@!%~p bra $~list;
)";

/// The pattern's place in the dictionary of its site.
inline constexpr std::string_view kHash = R"(
and.b32 %~tag, %~lo0, @PHASE@;
mul.lo.u32 %~h, %~s1, 0x9E3779B1;
mad.lo.u32 %~h, %~tag, 0xC2B2AE35, %~h;
@HASH_ROWS@
@HASH_MASK@
shr.u32 %~h, %~h, 26;
or.b32 %~tag, %~tag, 0xC0000000;
mad.wide.u32 %~at, %~site, @SITE_PATTERN_BYTES@, @DICTIONARY@;
)";
/// Read through the cache: a pattern that is not there yet is looked for again where all see it.
inline constexpr std::string_view kCount = R"(
mad.wide.u32 %~b, %~h, 16, %~at;
ld.global.v4.u32 {%~k0, %~k1, %~k2, %~k3}, [%~b];
setp.eq.u32 %~p, %~k0, %~s1;
setp.eq.and.u32 %~p, %~k1, %~s2, %~p;
setp.eq.and.u32 %~p, %~k2, %~m, %~p;
setp.eq.and.u32 %~p, %~k3, %~tag, %~p;
@!%~p bra $~look;
mad.wide.u32 %~b, %~site, @SITE_COUNT_BYTES@, %~counts;
mad.wide.u32 %~b, %~h, 8, %~b;
@%~lead red.global.add.u64 [%~b], 1;
bra $~done;
)";
/// By one lane, in the next places, one after the other and without a loop: after a loop that may wait for
/// others the hardware does not reconverge a warp's lanes (seen on an H200). A free place is
/// claimed with the mask and the tag's upper bit, filled, and made public with the next bit. Another warp
/// may claim another place for the same pattern meanwhile: both are counted. The fence makes this
/// multiprocessor's cache drop its copy of the dictionary.
inline constexpr std::string_view kLook = R"(
$~look:
@!%~lead bra $~done;
@PROBES@
@LIST_PLACE@
@%~p bra $~done;
mov.u32 %~t, 1;
add.u32 %~u, %~site, 1;
st.global.v4.u32 [%~at], {%~u, %~m, %~t, %~lo0};
st.global.v4.u32 [%~at + 16], {%~hi, %~s1, %~s2, %~t};
bra $~done;
$~hit:
membar.gl;
mad.wide.u32 %~b, %~site, @SITE_COUNT_BYTES@, %~counts;
mad.wide.u32 %~b, %~h, 8, %~b;
red.global.add.u64 [%~b], 1;
bra $~done;
)";
inline constexpr std::string_view kProbe = R"(
mad.wide.u32 %~b, %~h, 16, %~at;
ld.volatile.global.v4.u32 {%~k0, %~k1, %~k2, %~k3}, [%~b];
setp.ne.u32 %~p, %~k3, 0;
@%~p bra $~taken@PROBE@;
and.b32 %~t, %~tag, 0xBFFFFFFF;
mov.b64 %~old, {%~m, %~t};
atom.global.cas.b64 %~old, [%~b + 8], 0, %~old;
setp.ne.u64 %~p, %~old, 0;
@%~p bra $~other@PROBE@;
st.volatile.global.v2.u32 [%~b], {%~s1, %~s2};
membar.gl;
st.volatile.global.u32 [%~b + 12], %~tag;
bra $~hit;
$~taken@PROBE@:
setp.eq.u32 %~p, %~k0, %~s1;
setp.eq.and.u32 %~p, %~k1, %~s2, %~p;
setp.eq.and.u32 %~p, %~k2, %~m, %~p;
setp.eq.and.u32 %~p, %~k3, %~tag, %~p;
@%~p bra $~hit;
$~other@PROBE@:
add.u32 %~h, %~h, 1;
and.b32 %~h, %~h, 63;
)";

/// A new list in %at, or %p where there is no room. %i is its number.
inline constexpr std::string_view kListPlace = R"(
mad.wide.u32 %~b, %~region, 32, @COUNTERS@;
atom.global.add.u32 %~i, [%~b], 1;
)";
inline constexpr std::string_view kListAddress = R"(
setp.ge.u32 %~p, %~i, @LISTS@;
sub.u32 %~t, %~region, @FIRST_REGION@;
setp.ge.or.u32 %~p, %~t, @LIST_REGIONS@, %~p;
mad.lo.u32 %~i, %~t, @LISTS@, %~i;
mad.wide.u32 %~at, %~i, 272, @LIST_MEMORY@;
)";
inline constexpr std::string_view kList = R"(
$~list:
mad.wide.u32 %~b, %~region, 32, @COUNTERS@;
mov.u32 %~i, 0;
@%~lead atom.global.add.u32 %~i, [%~b], 1;
shfl.sync.idx.b32 %~i, %~i, %~l0, 31, %~m;
@LIST_ADDRESS@
@%~p bra $~no_list;
mov.u32 %~t, 0;
add.u32 %~u, %~site, 1;
mov.u32 %~k0, %clock;
@%~lead st.global.v4.u32 [%~at], {%~u, %~m, %~t, %~k0};
mov.b64 %~a, {%~lo, %~hi};
mad.wide.u32 %~b, %~lane, 8, %~at;
st.global.u64 [%~b + 16], %~a;
)";

/// Words of a unit: address, site and kind in the upper bits.
inline constexpr std::string_view kUnit = R"(
mov.u32 %~w0, %~lo0;
shl.b32 %~t, %~site, 18;
add.u32 %~t, %~t, @SITE_KIND@;
and.b32 %~w1, @HIGH_WORD@, 0xFFFF;
or.b32 %~w1, %~w1, %~t;
mov.u32 %~w2, %~s1;
)";
inline constexpr std::string_view kRecordWholeWarp = R"(
mov.u32 %~w3, %~s2;
mov.u32 %~need, 1;
setp.eq.and.u32 %~p, %~left, 0, %~lead;
@%~p bra $~emit;
@%~lead st.global.v4.u32 [%~next], {%~w0, %~w1, %~w2, %~w3};
@%~lead add.u64 %~next, %~next, 16;
@%~lead sub.u32 %~left, %~left, 1;
add.u32 %~taken, %~taken, 1;
bra $~done;
)";
inline constexpr std::string_view kRecordSomeLanes = R"(
mov.u32 %~w3, 0;
mov.u32 %~need, 2;
mov.u32 %~k0, %clock;
bra $~emit;
)";
inline constexpr std::string_view kRecordList = R"(
mov.u32 %~w0, %~i;
add.u32 %~w1, %~site, 1;
shl.b32 %~w1, %~w1, 18;
or.b32 %~w1, %~w1, 0x20000;
mov.u32 %~w2, %~m;
mov.u32 %~w3, %~taken;
mov.u32 %~need, 1;
bra $~emit;
)";
inline constexpr std::string_view kEmit = R"(
$~emit:
@!%~lead bra $~after;
setp.ge.u32 %~p, %~left, %~need;
@%~p bra $~write;
mad.wide.u32 %~b, %~region, 32, @COUNTERS@;
atom.global.add.u32 %~i, [%~b + 4], 1;
setp.ge.u32 %~p, %~i, @POOL_CHUNKS@;
@%~p bra $~lost;
mad.lo.u32 %~i, %~region, @POOL_CHUNKS@, %~i;
mad.wide.u32 %~next, %~i, @CHUNK_BYTES@, @POOL@;
@BLOCK_NUMBER@
mov.u32 %~i, %~t;
@WARP_NUMBER@
mov.u32 %~d, 1;
st.global.v4.u32 [%~next], {%~i, %~u, %~lane, %~d};
add.u64 %~next, %~next, 16;
mov.u32 %~left, @UNITS_LEFT@;
$~write:
st.global.v4.u32 [%~next], {%~w0, %~w1, %~w2, %~w3};
add.u64 %~next, %~next, 16;
sub.u32 %~left, %~left, 1;
setp.lt.u32 %~p, %~need, 2;
@%~p bra $~after;
mov.u32 %~d, 1;
st.global.v4.u32 [%~next], {%~m, %~taken, %~k0, %~d};
add.u64 %~next, %~next, 16;
sub.u32 %~left, %~left, 1;
bra $~after;
)";
inline constexpr std::string_view kLost = R"(
$~no_list:
@!%~lead bra $~after;
$~lost:
mad.wide.u32 %~b, %~region, 32, @COUNTERS@;
red.global.add.u64 [%~b + 8], @ACCESSES@;
$~after:
add.u32 %~taken, %~taken, 1;
)";

/// Where the lane was in its records, kept in memory; lanes of a block that is not kept skip all.
inline constexpr std::string_view kLoadCursor = R"(
.reg .b32 %~left, %~taken;
.reg .b64 %~next, %~cursor;
@BLOCK_NUMBER@
mad.wide.u32 %~b, %~t, 4, @KEPT@;
ld.global.u32 %~i, [%~b];
setp.eq.u32 %~p, %~i, -1;
@%~p bra $~skip;
@WARP_NUMBER@
mad.lo.u32 %~i, %~i, @WARPS@, %~u;
mov.u32 %~lane, %laneid;
shl.b32 %~u, %~i, 5;
add.u32 %~u, %~u, %~lane;
mad.wide.u32 %~cursor, %~u, 16, @CURSORS@;
ld.global.v4.u32 {%~k0, %~k1, %~left, %~taken}, [%~cursor];
mov.b64 %~next, {%~k0, %~k1};
)";
inline constexpr std::string_view kStoreCursor = R"(
$~done:
mov.b64 {%~k0, %~k1}, %~next;
st.global.v4.u32 [%~cursor], {%~k0, %~k1, %~left, %~taken};
$~skip:
}
)";
inline constexpr std::string_view kEnd = R"(
$~done:
$~skip:
}
)";

inline constexpr std::string_view kRegionPrologue = R"(
.reg .b32 %~region;
@MORE@
{
.reg .b32 %~t, %~u, %~e, %~d, %~i, %~lane;
.reg .b64 %~b;
.reg .pred %~p;
@BLOCK_NUMBER@
and.b32 %~region, %~t, @REGION_MASK@;
@FILL@
}
)";
inline constexpr std::string_view kFillCounts = R"(
mad.wide.u32 %~counts, %~region, @COUNTS_BYTES@, @COUNTS@;
)";
/// Only the first lane of a kept warp has a chunk from the start. The place of a block that is not kept is 0,
/// that of a lane without a chunk anything else.
inline constexpr std::string_view kFillCursor = R"(
mad.wide.u32 %~b, %~t, 4, @KEPT@;
ld.global.u32 %~i, [%~b];
@WARP_NUMBER@
mov.u32 %~taken, 0;
mov.u32 %~lane, %laneid;
mad.lo.u32 %~u, %~i, @WARPS@, %~u;
mad.wide.u32 %~next, %~u, @CHUNK_BYTES@, @CHUNKS@;
mov.u32 %~left, @UNITS@;
setp.ne.u32 %~p, %~lane, 0;
@%~p mov.u32 %~left, 0;
setp.eq.u32 %~p, %~i, -1;
@%~p mov.u64 %~next, 0;
)";

inline constexpr std::string_view kVariables = R"(
{
.reg .pred %~p;
.reg .b32 %~t, %~u;
.reg .b64 %~a, %~b;
mov.u32 %~t, %ctaid.x;
mov.u32 %~u, %ctaid.y;
or.b32 %~t, %~t, %~u;
mov.u32 %~u, %ctaid.z;
or.b32 %~t, %~t, %~u;
mov.u32 %~u, %tid.x;
or.b32 %~t, %~t, %~u;
mov.u32 %~u, %tid.y;
or.b32 %~t, %~t, %~u;
mov.u32 %~u, %tid.z;
or.b32 %~t, %~t, %~u;
setp.ne.u32 %~p, %~t, 0;
@%~p bra $lanescope_behind_variables;
)";

}  // namespace lanescope::gpu::parts
