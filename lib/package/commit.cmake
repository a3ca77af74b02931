# SPDX-License-Identifier: MIT
# kane_find_commit(SOURCE RESULT): the commit of the sources, 12 digits and "-dirty" if they have been changed; a tag before it where there
# is one. Of a repository only if its top level is SOURCE: a tree that was unpacked within another repository is not of its commit. Of an
# archive what `git archive` has put into lib/package/commit.txt. Else "unknown".
#
#   cmake -DSOURCE=DIR -P commit.cmake     prints it
function(kane_find_commit source result)
    set(commit unknown)
    find_program(KANE_GIT git)
    mark_as_advanced(KANE_GIT)
    set(git ${CMAKE_COMMAND} -E env --unset=GIT_DIR --unset=GIT_WORK_TREE --unset=GIT_INDEX_FILE ${KANE_GIT} -C ${source})
    file(READ ${source}/lib/package/commit.txt archived)
    if(archived MATCHES "^[0-9a-f]+")
        string(SUBSTRING ${CMAKE_MATCH_0} 0 12 commit)
    elseif(KANE_GIT)
        execute_process(COMMAND ${git} rev-parse --show-toplevel OUTPUT_VARIABLE top
                        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        file(REAL_PATH ${source} real)
        if(top)
            file(REAL_PATH ${top} top)
        endif()
        if(top STREQUAL real)
            execute_process(COMMAND ${git} describe --always --dirty --abbrev=12 OUTPUT_VARIABLE described
                            OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
            if(described)
                set(commit ${described})
            endif()
        endif()
    endif()
    set(${result} ${commit} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    kane_find_commit(${SOURCE} commit)
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo ${commit})
endif()
