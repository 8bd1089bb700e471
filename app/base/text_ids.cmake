# Generates base/text_ids.h, the enumerators of Text, from the names in base/text.def: cmake -DTABLE=text.def
# -DHEADER=text_ids.h -P text_ids.cmake. The header is written only if a name changed, so that an edited sentence
# recompiles base/text.cpp alone.
cmake_minimum_required(VERSION 3.25)
file(READ ${TABLE} table)
string(REGEX MATCHALL "\nTEXT\\([a-z0-9_]+" rows "${table}")
string(REGEX REPLACE "\nTEXT\\(([a-z0-9_]+)" "  \\1," names "${rows}")
string(REPLACE ";" "\n" names "${names}")
file(CONFIGURE OUTPUT ${HEADER} @ONLY CONTENT "// The enumerators of Text, generated from base/text.def by base/text_ids.cmake.
@names@
")
