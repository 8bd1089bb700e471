# The executor (exec/*.cpp) is compiled once more for each instruction set worth having; app/emulator/exec/executor.h says
# how one is chosen at run time. Under the sanitizers the plain one alone, which is the same source, and with
# little optimisation: its many instances take minutes otherwise.
option(LANESCOPE_PLAIN_EXECUTOR "Build the executor for the plain instruction set alone, which is three times quicker" OFF)
file(GLOB executor CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/emulator/exec/*.cpp)
if(LANESCOPE_SANITIZE)
  set_source_files_properties(${executor} TARGET_DIRECTORY lanescope_emulator PROPERTIES COMPILE_OPTIONS -O1)
elseif(NOT LANESCOPE_PLAIN_EXECUTOR AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  function(lanescope_executor name)
    add_library(lanescope_emulator_${name} OBJECT ${executor})
    target_link_libraries(lanescope_emulator_${name} PRIVATE lanescope_flags)
    target_compile_definitions(lanescope_emulator_${name} PRIVATE LANESCOPE_VECTORS=${name}_vectors)
    target_compile_options(lanescope_emulator_${name} PRIVATE ${ARGN})
    target_sources(lanescope_emulator PRIVATE $<TARGET_OBJECTS:lanescope_emulator_${name}>)
  endfunction()
  lanescope_executor(avx2 -march=x86-64-v3)
  lanescope_executor(avx512 -march=x86-64-v4 -mprefer-vector-width=512)
  target_compile_definitions(lanescope_emulator PRIVATE LANESCOPE_X86)
endif()
