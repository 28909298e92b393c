# SPDX-License-Identifier: Apache-2.0
# cmake -Dlrelease=… -Dname=lockstep_de -P release.cmake: compiles name.ts to name.qm, and writes what
# lrelease counted to name.json: texts, and how many of them are translated.
execute_process(COMMAND ${lrelease} ${name}.ts -qm ${name}.qm
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "${name}.ts can't be compiled: ${said}")
endif()
if(NOT said MATCHES "Generated ([0-9]+) translation")
    message(FATAL_ERROR "lrelease does not count ${name}.ts: ${said}")
endif()
set(translated ${CMAKE_MATCH_1})
set(missing 0)
if(said MATCHES "Ignored ([0-9]+) untranslated")
    set(missing ${CMAKE_MATCH_1})
endif()
math(EXPR texts "${translated} + ${missing}")
file(WRITE ${name}.json "{\"texts\": ${texts}, \"translated\": ${translated}}\n")
