// Headers that most files of the executor include, parsed once for each instruction set
// (app/emulator/emulator.cmake). A file still includes what it uses.

#pragma once

#include "base/precompiled.h"
#include "emulator/exec/access_handler.h"
#include "emulator/exec/executor.h"
