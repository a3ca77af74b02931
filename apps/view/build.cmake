# SPDX-License-Identifier: MIT
# cmake -DNPM=... -DNODE=... -DSOURCE=apps/view -DWORK=build/view -DOUTPUT=page.html -P build.cmake
# Libraries as package-lock.json says them, with their hashes, then the page. Without the registry there is no page, and all the
# rest is built as ever.

file(MAKE_DIRECTORY ${WORK})
get_filename_component(folder ${OUTPUT} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
file(SHA256 ${SOURCE}/package-lock.json wanted)
set(have none)
if(EXISTS ${WORK}/modules.txt)
    file(READ ${WORK}/modules.txt have)
endif()
if(NOT have STREQUAL wanted)
    file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${WORK})
    execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1
                            --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 --fetch-timeout=60000
                    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why TIMEOUT 180)
    if(failed)
        message("kane view: no page, npm could not fetch its libraries; everything else is built. ${why}")
        return()
    endif()
    file(WRITE ${WORK}/modules.txt ${wanted})
endif()
execute_process(COMMAND ${NODE} ${SOURCE}/build.mjs ${OUTPUT} ${WORK}/node_modules RESULT_VARIABLE failed)
if(failed)
    file(REMOVE ${OUTPUT})
    message(FATAL_ERROR "kane view: the page could not be put together")
endif()
