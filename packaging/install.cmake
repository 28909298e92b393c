# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: what goes where, in the usual folders and relocatable. A component is a package (cpack.cmake): window,
# train, cuda, mpi, recorder, and library and development, whose rules stand in engine/api.
include(GNUInstallDirs)

set(LOCKSTEP_HOMEPAGE https://lockstep.example CACHE STRING
    "Where the project is published: packages name it, software centres fetch screenshots/ from there")

# Opened at run time, looked for relative to the programs: see engine/base/this_program.h.
set(LOCKSTEP_PLUGIN_FOLDER lib/lockstep)

# All that is installed; icons, manual pages and completions where the tools for them are.
add_custom_target(lockstep-packaged)
add_dependencies(lockstep-packaged lockstep-programs lockstep_api)

install(TARGETS lockstep-train RUNTIME COMPONENT train)
install(DIRECTORY resources/models DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep COMPONENT train)
install(PROGRAMS packaging/slurm/train.sbatch DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep/slurm COMPONENT train)
if(TARGET lockstep-mpi)
    install(TARGETS lockstep-mpi LIBRARY DESTINATION ${LOCKSTEP_PLUGIN_FOLDER} COMPONENT mpi)
endif()
if(LOCKSTEP_HAS_CUDA)
    install(TARGETS lockstep-cuda LIBRARY DESTINATION ${LOCKSTEP_PLUGIN_FOLDER} COMPONENT cuda)
    install(FILES packaging/cuda-requirements.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep COMPONENT cuda)
    install(PROGRAMS packaging/fetch-cuda.sh DESTINATION ${CMAKE_INSTALL_BINDIR}
        RENAME lockstep-fetch-cuda COMPONENT cuda)
endif()

if(LOCKSTEP_DASHBOARD)
    set(desktop ${CMAKE_CURRENT_SOURCE_DIR}/packaging/desktop)
    install(TARGETS lockstep RUNTIME COMPONENT window)
    install(FILES ${desktop}/lockstep.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
    install(FILES ${desktop}/lockstep.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT window)
    string(TIMESTAMP LOCKSTEP_DATE "%Y-%m-%d" UTC) # of SOURCE_DATE_EPOCH, if that is set
    set(metainfo ${CMAKE_CURRENT_BINARY_DIR}/packaging/example.lockstep.lockstep.metainfo.xml)
    configure_file(${desktop}/metainfo.xml.in ${metainfo} @ONLY)
    install(FILES ${metainfo}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT window)
    install(FILES resources/icons/lockstep.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT window)
    find_program(RSVG_CONVERT rsvg-convert)
    if(RSVG_CONVERT)
        foreach(size 16 24 32 48 64 128 256 512)
            set(icon ${CMAKE_CURRENT_BINARY_DIR}/packaging/icons/lockstep-${size}.png)
            add_custom_command(OUTPUT ${icon}
                COMMAND ${RSVG_CONVERT} -w ${size} -h ${size} -o ${icon}
                    ${CMAKE_CURRENT_SOURCE_DIR}/resources/icons/lockstep.svg
                DEPENDS resources/icons/lockstep.svg)
            list(APPEND lockstep_icons ${icon})
            install(FILES ${icon} DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps
                RENAME lockstep.png COMPONENT window OPTIONAL)
        endforeach()
        add_custom_target(lockstep-icons DEPENDS ${lockstep_icons})
        add_dependencies(lockstep-packaged lockstep-icons)
    endif()
endif()

# Manual pages and completions, of the programs' own help.
find_program(HELP2MAN help2man)
find_package(Python3 COMPONENTS Interpreter)
if(HELP2MAN AND Python3_FOUND)
    set(texts ${CMAKE_CURRENT_BINARY_DIR}/packaging/texts)
    set(programs $<TARGET_FILE:lockstep-train>)
    if(LOCKSTEP_DASHBOARD)
        list(APPEND programs $<TARGET_FILE:lockstep>)
    endif()
    add_custom_command(OUTPUT ${texts}/made
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/packaging/help_texts.py ${texts} ${LOCKSTEP_VERSION} ${programs}
        DEPENDS packaging/help_texts.py packaging/fetch-cuda.sh ${programs})
    add_custom_target(lockstep-help-texts DEPENDS ${texts}/made)
    add_dependencies(lockstep-packaged lockstep-help-texts)
    set(components train window)
    if(LOCKSTEP_HAS_CUDA)
        list(APPEND components cuda)
    endif()
    foreach(component ${components})
        install(DIRECTORY ${texts}/${component}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT ${component} OPTIONAL)
    endforeach()
endif()

# For Debian's Python; elsewhere pip installs app/recorder.
set(python lib/python3/dist-packages)
file(STRINGS app/recorder/src/lockstep_recorder/version.py version REGEX __version__)
string(REGEX MATCH "[0-9][^\"]*" LOCKSTEP_RECORDER_VERSION "${version}")
configure_file(packaging/debian/recorder-metadata.in packaging/recorder/METADATA @ONLY)
install(DIRECTORY app/recorder/src/lockstep_recorder DESTINATION ${python} COMPONENT recorder EXCLUDE_FROM_ALL
    PATTERN __pycache__ EXCLUDE)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/packaging/recorder/METADATA
    DESTINATION ${python}/lockstep_recorder-${LOCKSTEP_RECORDER_VERSION}.dist-info COMPONENT recorder EXCLUDE_FROM_ALL)
