# SPDX-License-Identifier: MIT
# Puts the page of kane view together: modules and libraries become one script, all of it one file.
#
#   cmake -DNPM=... -DESBUILD=... -DLIBRARIES=... -DSOURCE=apps/view -DWORK=build/view -DOUTPUT=page.html -P build.cmake
#
# LIBRARIES: a folder with the folders three and uplot, which esbuild (ESBUILD) bundles; no network is needed, nor Node.js. Without it npm
# fetches what package-lock.json says, with its hashes, and an esbuild where there is none. Without npm or its registry there is no page:
# all the rest is built as ever, and WORK/reason.txt says why.

file(MAKE_DIRECTORY ${WORK})
get_filename_component(folder ${OUTPUT} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
file(REMOVE ${WORK}/reason.txt)

function(leave_out reason)
    file(WRITE ${WORK}/reason.txt "${reason}\n")
    message("kane view: no page, everything else is built. ${reason}")
endfunction()

if(LIBRARIES)
    if(NOT ESBUILD)
        leave_out("The libraries in ${LIBRARIES} want esbuild, which is not here (Debian: esbuild).")
        return()
    endif()
else()
    if(NOT NPM)
        leave_out("npm, which fetches its libraries, is not here (Debian: npm).")
        return()
    endif()
    set(LIBRARIES ${WORK}/node_modules)
    set(without "")
    if(ESBUILD)
        set(without --omit=dev) # npm's esbuild
    endif()
    file(SHA256 ${SOURCE}/package-lock.json wanted)
    set(have none)
    if(EXISTS ${WORK}/modules.txt)
        file(READ ${WORK}/modules.txt have)
    endif()
    if(NOT have STREQUAL "${wanted}${without}")
        file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${WORK})
        execute_process(COMMAND ${NPM} ci ${without} --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1
                                --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 --fetch-timeout=60000
                        WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why TIMEOUT 180)
        if(failed)
            leave_out("npm could not fetch its libraries. ${why}")
            return()
        endif()
        file(WRITE ${WORK}/modules.txt "${wanted}${without}")
    endif()
    if(NOT ESBUILD)
        set(ESBUILD ${LIBRARIES}/.bin/esbuild)
    endif()
endif()

set(ENV{NODE_PATH} ${LIBRARIES})
execute_process(COMMAND ${ESBUILD} ${SOURCE}/main.js --bundle --minify --format=iife --target=es2020 --charset=ascii --log-level=warning
                        --legal-comments=none --outfile=${WORK}/script.js # licences: whole, in the page
                RESULT_VARIABLE failed)
if(failed)
    file(REMOVE ${OUTPUT})
    message(FATAL_ERROR "kane view: the page could not be put together")
endif()

set(licences "")
foreach(library three uplot)
    file(READ ${LIBRARIES}/${library}/package.json package)
    foreach(key name version homepage)
        string(JSON ${key} GET "${package}" ${key})
    endforeach()
    file(READ ${LIBRARIES}/${library}/LICENSE licence)
    string(STRIP "${licence}" licence)
    string(APPEND licences "${name} ${version}, ${homepage}\n\n${licence}\n\n\n")
endforeach()
string(STRIP "${licences}" licences)
string(REPLACE "&" "&amp;" licences "${licences}")
string(REPLACE "<" "&lt;" licences "${licences}")
file(READ ${LIBRARIES}/uplot/dist/uPlot.min.css style)
file(READ ${SOURCE}/page.css own)
file(READ ${WORK}/script.js script)
string(REGEX REPLACE "</([sS][cC][rR][iI][pP][tT])" "<\\\\/\\1" script "${script}") # else the page's script would end there
file(READ ${SOURCE}/page.html page)
# the parts in the order in which they stand: none is looked for in another one's text
string(FIND "${page}" "<!-- kane:script -->" at)
string(SUBSTRING "${page}" ${at} -1 end)
string(SUBSTRING "${page}" 0 ${at} page)
string(REPLACE "<!-- kane:style -->" "${style}${own}" page "${page}")
string(REPLACE "<!-- kane:licences -->" "${licences}" page "${page}")
string(REPLACE "<!-- kane:script -->" "${script}" end "${end}")
file(WRITE ${OUTPUT} "${page}${end}")
