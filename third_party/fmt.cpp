// The functions of fmt that its headers only declare, from the same headers: for a program without libfmt.so,
// whose version differs between Debian 12 and 13 (LANESCOPE_PORTABLE). Where fmt declares a template to be in
// its library, it is instantiated here.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API std::locale locale_ref::get<std::locale>() const;
}  // namespace detail
FMT_END_NAMESPACE
