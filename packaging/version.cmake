# SPDX-License-Identifier: Apache-2.0
# LOCKSTEP_VERSION, of programs and packages: that of the tag v0.9.0 on its commit, "0.9.0+3.g4c0ffee" three commits
# after it; without a tag or git that of the project. LOCKSTEP_REVISION, the commit; made anew when it changes.
set(LOCKSTEP_VERSION ${PROJECT_VERSION})
set(LOCKSTEP_REVISION "unknown")

function(lockstep_describe result)
    execute_process(COMMAND ${GIT_EXECUTABLE} describe ${ARGN}
        WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
        RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed)
        set(${result} "${text}" PARENT_SCOPE)
    endif()
endfunction()

find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
    lockstep_describe(LOCKSTEP_REVISION --always --dirty --abbrev=12 --exclude=*)
    lockstep_describe(tagged --tags --match=v[0-9]*)
    if(tagged)
        string(REGEX REPLACE "^v" "" tagged "${tagged}")
        string(REGEX REPLACE "-([0-9]+)-(g[0-9a-f]+)$" "+\\1.\\2" LOCKSTEP_VERSION "${tagged}")
    endif()
    if(EXISTS ${CMAKE_SOURCE_DIR}/.git/logs/HEAD)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/.git/logs/HEAD)
    endif()
endif()
