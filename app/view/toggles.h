// Flipping a lesson's toggles from anywhere: the toolbar, a key, a hint below a figure.

#pragma once

#include "view/context.h"

#include <span>
#include <string>

namespace lanescope::view {

/// The toggle of the lesson that is shown, or null.
const lesson::Toggle* toggle_named(const Context& context, std::string_view name);
/// Whether it means something for the chosen kernel.
bool toggle_applies(const Context& context, const lesson::Toggle& toggle);
/// "Padding (P) has no effect on the kernel Copy."
std::string without_effect(const Context& context, const lesson::Toggle& toggle);
/// Index of its value among the choices, or -1 for a free value.
int chosen(const Context& context, const lesson::Toggle& toggle);
std::string_view label_of(const Context& context, const lesson::Choice& choice);

enum class Turn { Forwards, Backwards };
/// Posts the next choice.
void flip(const Context& context, const lesson::Toggle& toggle, Turn turn = Turn::Forwards);

/// Names of the toggles that the lesson suggests for the panel that is drawn.
std::span<const std::string> hints(const Context& context);

/// "Try: P Padding  S Swizzle" as pressable hints, at the cursor, for those of `names` that apply.
void draw_hints(const Context& context, std::span<const std::string> names);
/// Whether any of them applies.
bool any_applies(const Context& context, std::span<const std::string> names);

}  // namespace lanescope::view
