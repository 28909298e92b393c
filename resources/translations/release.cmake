# SPDX-License-Identifier: Apache-2.0
# cmake -Dlrelease=… -Dname=lockstep_de -P release.cmake: compiles name.ts to name.qm, and writes what
# lrelease counted to name.json: texts, and how many of them a translator has finished.
execute_process(COMMAND ${lrelease} ${name}.ts -qm ${name}.qm
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "${name}.ts can't be compiled: ${said}")
endif()
if(NOT said MATCHES "Generated ([0-9]+) translation[^0-9]*([0-9]+) finished")
    message(FATAL_ERROR "lrelease does not count ${name}.ts: ${said}")
endif()
set(texts ${CMAKE_MATCH_1})
set(finished ${CMAKE_MATCH_2})
if(said MATCHES "Ignored ([0-9]+) untranslated")
    math(EXPR texts "${texts} + ${CMAKE_MATCH_1}")
endif()
file(WRITE ${name}.json "{\"texts\": ${texts}, \"translated\": ${finished}}\n")
