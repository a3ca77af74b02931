# SPDX-License-Identifier: MIT
# Writes OUTPUT: a header with the hash of the SOURCES, by which files of tables are told from those of another libkane.
foreach(source IN LISTS SOURCES)
    file(SHA256 ${source} hash)
    string(APPEND all ${hash})
endforeach()
string(SHA256 hash "${all}")
file(WRITE ${OUTPUT} "#define KANE_TABLE_SOURCES \"${hash}\"\n")
