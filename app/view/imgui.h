// Dear ImGui as this project uses it: with vector arithmetic and the internals that docking needs.

#pragma once

#define IMGUI_DEFINE_MATH_OPERATORS
#include <imgui.h>
#include <imgui_internal.h>
