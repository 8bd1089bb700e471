# The program in a browser (page.cpp), in place of shell.cmake's.
set(shell ${CMAKE_SOURCE_DIR}/app/shell)
file(GLOB page_sources CONFIGURE_DEPENDS ${shell}/page/*.cpp ${shell}/window/*.cpp ${shell}/classroom/service_client.cpp
     ${shell}/shown_figure.cpp)
list(FILTER page_sources EXCLUDE REGEX "/window/(clipboard|picture|notes_process|notes_window)\\.cpp$|/page/handout_module\\.cpp$")
add_executable(page ${page_sources})
target_link_libraries(page PRIVATE lanescope_view lanescope_session lanescope_export lanescope_imgui nlohmann_json::nlohmann_json)
set(assets ${CMAKE_SOURCE_DIR}/assets)
set(files "")
foreach(folder lessons devices ptx fonts recordings)
  list(APPEND files "SHELL:--preload-file ${assets}/${folder}@/assets/${folder}")
endforeach()
foreach(folder kernels shaders)
  list(APPEND files "SHELL:--preload-file ${CMAKE_SOURCE_DIR}/${folder}@/${folder}")
endforeach()
target_link_options(page PRIVATE ${files} -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=128MB -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=4MB
  -Wl,--wrap=glGetIntegerv -sENVIRONMENT=web,worker -sFORCE_FILESYSTEM=1 -lidbfs.js "SHELL:--pre-js ${shell}/page/storage.js"
  "SHELL:--js-library ${shell}/page/sqlite.js"
  -sEXPORTED_RUNTIME_METHODS=stringToNewUTF8,ccall,HEAPU8)
set_target_properties(page PROPERTIES OUTPUT_NAME lanescope SUFFIX .js LINK_DEPENDS "${shell}/page/storage.js;${shell}/page/sqlite.js")
if(CMAKE_CXX_FLAGS MATCHES "-pthread")
  # The session's worker and the emulator's threads: a page that waits for a thread that does not exist yet would wait for ever.
  target_link_options(page PRIVATE -sPTHREAD_POOL_SIZE=5)
endif()

# SQLite for saved traces (sqlite.js): 0.25 MB compressed, which is loaded when a trace is saved or shown. What traces do not need is left out.
add_executable(sqlite ${page_sqlite}/sqlite3.c)
target_compile_options(sqlite PRIVATE -w -Oz)
target_compile_definitions(sqlite PRIVATE SQLITE_THREADSAFE=0 SQLITE_DEFAULT_MEMSTATUS=0 SQLITE_DQS=0 SQLITE_OMIT_LOAD_EXTENSION
  SQLITE_OMIT_WAL SQLITE_OMIT_DEPRECATED SQLITE_OMIT_SHARED_CACHE SQLITE_OMIT_JSON SQLITE_OMIT_PROGRESS_CALLBACK SQLITE_OMIT_TRACE
  SQLITE_OMIT_COMPLETE SQLITE_OMIT_DATETIME_FUNCS)
set(sqlite_functions _malloc _free)
foreach(name open close exec limit db_config errmsg prepare_v2 step reset finalize bind_null bind_int64 bind_text bind_blob column_type
        column_bytes column_int64 column_text column_blob serialize free malloc deserialize)
  list(APPEND sqlite_functions _sqlite3_${name})
endforeach()
list(JOIN sqlite_functions "," sqlite_functions)
target_link_options(sqlite PRIVATE --no-entry -sMODULARIZE=1 -sEXPORT_NAME=lanescopeSqlite -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB
  -sFILESYSTEM=0 -sENVIRONMENT=web,node -sEXPORTED_FUNCTIONS=${sqlite_functions} -sEXPORTED_RUNTIME_METHODS=HEAPU8,getTempRet0)

# The figures of a handout alone (handout_module.cpp), which `lanescope handout` puts into its page.
add_executable(handout ${shell}/page/handout_module.cpp)
target_link_libraries(handout PRIVATE lanescope_handout)
target_link_options(handout PRIVATE "SHELL:--js-library ${shell}/page/sqlite.js" -sMODULARIZE=1 -sEXPORT_NAME=lanescopeHandout -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB
  -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=4MB -sENVIRONMENT=web,node -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=ccall,FS)
set_target_properties(handout PROPERTIES LINK_DEPENDS ${shell}/page/sqlite.js)
