# The executor (exec/*.cpp) and the fast checks (checks/vectors/*.cpp) are compiled once more for each instruction set worth
# having; app/emulator/values/vectors.h says how one is chosen at run time. The plain one is always there, so that the program also
# runs on another machine. Under the sanitizers it is the only one, which is the same source, and with little optimization: its
# many instances take minutes otherwise.
set(LANESCOPE_EXECUTORS native CACHE STRING
    "Instruction sets of the executor besides the plain one: native (the best of this machine), all, or plain (none)")
set_property(CACHE LANESCOPE_EXECUTORS PROPERTY STRINGS native all plain)
if(NOT LANESCOPE_EXECUTORS MATCHES "^(native|all|plain)$")
  message(FATAL_ERROR "LANESCOPE_EXECUTORS is native, all or plain, not '${LANESCOPE_EXECUTORS}'")
endif()

file(GLOB executor CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/emulator/exec/*.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/emulator/checks/vectors/*.cpp)
get_target_property(emulator_sources lanescope_emulator SOURCES)
list(REMOVE_ITEM emulator_sources ${executor})
set_property(TARGET lanescope_emulator PROPERTY SOURCES ${emulator_sources})
set(sets "")
if(NOT LANESCOPE_SANITIZE AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  if(LANESCOPE_EXECUTORS STREQUAL "all")
    set(sets avx2 avx512)
  elseif(LANESCOPE_EXECUTORS STREQUAL "native")
    # The same features that emulator/values/vectors.cpp looks for at run time, by their names in Linux.
    set(flags "")
    if(EXISTS /proc/cpuinfo)
      file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    endif()
    string(REGEX MATCHALL "[a-z0-9_]+" flags "${flags}")
    foreach(candidate "avx512 avx512f avx512bw avx512dq avx512vl avx512cd" "avx2 avx2 fma bmi1 bmi2 abm f16c movbe")
      separate_arguments(needed UNIX_COMMAND "${candidate}")
      list(POP_FRONT needed name)
      list(REMOVE_ITEM needed ${flags} "")
      if(NOT needed AND NOT sets)
        set(sets ${name})
      endif()
    endforeach()
  endif()
endif()

# lanescope_executor(NAME LEVEL OPTIONS...): the executor in the namespace NAME_vectors, for the run-time choice by values/vectors.cpp.
# LEVEL: of optimization. It has a precompiled header of its own, made with the same.
function(lanescope_executor name level)
  add_library(lanescope_emulator_${name} OBJECT ${executor})
  target_link_libraries(lanescope_emulator_${name} PRIVATE lanescope_flags)
  target_compile_definitions(lanescope_emulator_${name} PRIVATE LANESCOPE_VECTORS=${name}_vectors)
  target_compile_options(lanescope_emulator_${name} PRIVATE $<$<CONFIG:Release>:-O${level}> ${ARGN})
  target_precompile_headers(lanescope_emulator_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/emulator/exec/precompiled.h)
  target_sources(lanescope_emulator PRIVATE $<TARGET_OBJECTS:lanescope_emulator_${name}>)
  string(TOUPPER ${name} macro)
  target_compile_definitions(lanescope_emulator PRIVATE LANESCOPE_${macro})
endfunction()
# Where there is a better one, the plain executor only serves another machine.
if(sets OR LANESCOPE_SANITIZE)
  lanescope_executor(plain 1)
else()
  lanescope_executor(plain 3)
endif()
if("avx2" IN_LIST sets)
  lanescope_executor(avx2 3 -march=x86-64-v3)
endif()
if("avx512" IN_LIST sets)
  lanescope_executor(avx512 3 -march=x86-64-v4 -mprefer-vector-width=512)
endif()
