// Dear ImGui as this project uses it: with the internals that docking needs.

#pragma once

#include <imgui.h>
#include <imgui_internal.h>
