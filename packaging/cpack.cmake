# SPDX-License-Identifier: Apache-2.0
# Debian packages, one a component of install.cmake: `cpack -G DEB` in the build folder, or packaging/package.sh.
set(LOCKSTEP_MAINTAINER "maintainers@lockstep.example" CACHE STRING "Whom the packages name as their maintainer")
string(REPLACE "-" "~" version ${LOCKSTEP_VERSION}) # 0.9.0-rc1 is before 0.9.0
set(LOCKSTEP_DEBIAN_VERSION ${version}-1)
string(TIMESTAMP LOCKSTEP_DATE_RFC "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, if that is set

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockstep)
set(CPACK_PACKAGE_VERSION ${LOCKSTEP_VERSION})
set(CPACK_PACKAGE_VENDOR "The Lockstep team")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_VERSION ${version})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Lockstep team <${LOCKSTEP_MAINTAINER}>")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${LOCKSTEP_HOMEPAGE})
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

# lockstep_package(<component> <name> SUMMARY … DESCRIPTION … [SECTION …] [DEPENDS …] [RECOMMENDS …] [SUGGESTS …]):
# what is said of a package, and its folder under share/doc.
function(lockstep_package component package)
    cmake_parse_arguments(P "" "SUMMARY;DESCRIPTION;SECTION;DEPENDS;RECOMMENDS;SUGGESTS" "" ${ARGN})
    string(TOUPPER ${component} key)
    set(values PACKAGE_NAME ${package} PACKAGE_SECTION "${P_SECTION}" PACKAGE_DEPENDS "${P_DEPENDS}"
        PACKAGE_RECOMMENDS "${P_RECOMMENDS}" PACKAGE_SUGGESTS "${P_SUGGESTS}")
    while(values)
        list(POP_FRONT values name value)
        if(value)
            set(CPACK_DEBIAN_${key}_${name} "${value}" PARENT_SCOPE)
        endif()
    endwhile()
    set(CPACK_COMPONENT_${key}_DESCRIPTION "${P_SUMMARY}\n${P_DESCRIPTION}" PARENT_SCOPE)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} PARENT_SCOPE)

    set(texts ${CMAKE_CURRENT_BINARY_DIR}/packaging/doc/${package})
    configure_file(packaging/debian/changelog.in ${texts}/changelog.Debian @ONLY)
    configure_file(CHANGELOG.md ${texts}/changelog COPYONLY)
    foreach(file changelog.Debian changelog)
        execute_process(COMMAND gzip -9nkf ${texts}/${file})
        install(FILES ${texts}/${file}.gz DESTINATION share/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
    endforeach()
    install(FILES packaging/debian/copyright DESTINATION share/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(FILES packaging/debian/lintian-overrides DESTINATION share/lintian/overrides RENAME ${package}
        COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

lockstep_package(train lockstep-train
    SUMMARY "train neural networks in synchronous towers"
    DESCRIPTION "The command line of Lockstep: trains a network in N towers, on GPUs or
processors, with one update for all of them, and keeps every step in a run
that goes on after a crash. It needs no screen and no Qt."
    RECOMMENDS "lockstep-mpi (= ${LOCKSTEP_DEBIAN_VERSION})"
    SUGGESTS "lockstep-cuda (= ${LOCKSTEP_DEBIAN_VERSION}), lockstep (= ${LOCKSTEP_DEBIAN_VERSION})")
set(control ${CMAKE_CURRENT_BINARY_DIR}/packaging/control)
foreach(part mpi cuda library)
    string(TOUPPER ${part} key)
    set(CPACK_DEBIAN_${key}_PACKAGE_SHLIBDEPS OFF) # see linked.cmake.in
    set(${part} "")
endforeach()
set(library $<TARGET_FILE:lockstep_api>)
if(TARGET lockstep-mpi)
    set(mpi $<TARGET_FILE:lockstep-mpi>)
endif()
if(LOCKSTEP_HAS_CUDA)
    set(cuda $<TARGET_FILE:lockstep-cuda>)
endif()
configure_file(packaging/linked.cmake.in packaging/linked.cmake.in @ONLY)
file(GENERATE OUTPUT ${control}/linked.cmake INPUT ${CMAKE_CURRENT_BINARY_DIR}/packaging/linked.cmake.in)
set(CPACK_PROJECT_CONFIG_FILE ${control}/linked.cmake)
if(TARGET lockstep-mpi)
    lockstep_package(mpi lockstep-mpi
        SUMMARY "train on several machines with Lockstep"
        DESCRIPTION "Spreads the towers of a training over ranks, on one machine or many, with
Open MPI."
        DEPENDS "lockstep-train (= ${LOCKSTEP_DEBIAN_VERSION}), openmpi-bin")
endif()
if(LOCKSTEP_DASHBOARD)
    lockstep_package(window lockstep
        SUMMARY "dashboard that trains neural networks in synchronous towers"
        DESCRIPTION "Shows what happens between the towers of a data-parallel training while it
runs: every tower's loss beside their mean, which one all others wait for
and in which part of the step, how well their gradients agree, and what more
of them would bring. It shows trainings with PyTorch's
DistributedDataParallel, too."
        DEPENDS "lockstep-train (= ${LOCKSTEP_DEBIAN_VERSION}), hicolor-icon-theme"
        RECOMMENDS "qt6-wayland"
        SUGGESTS "lockstep-cuda (= ${LOCKSTEP_DEBIAN_VERSION}), python3-lockstep-recorder")
endif()
if(LOCKSTEP_HAS_CUDA)
    lockstep_package(cuda lockstep-cuda
        SUMMARY "train on NVIDIA GPUs with Lockstep"
        DESCRIPTION "The half of Lockstep for GPUs since Turing, with CUDA 13, cuDNN 9 and NCCL
2. These are NVIDIA's: they are used from NVIDIA's Debian packages, the CUDA
Toolkit or pip, or lockstep-fetch-cuda brings them."
        DEPENDS "lockstep-train (= ${LOCKSTEP_DEBIAN_VERSION})"
        RECOMMENDS "libcublas-13-0 | python3-pip, libcudnn9-cuda-13 | python3-pip, libnccl2 (>= 2.27) | python3-pip")
endif()
set(CPACK_DEBIAN_RECORDER_PACKAGE_ARCHITECTURE all)
lockstep_package(recorder python3-lockstep-recorder
    SECTION python
    SUMMARY "record a PyTorch training of several ranks for Lockstep"
    DESCRIPTION "One line in a script has each rank of DistributedDataParallel write down
when it was ready and when it waited, its loss and its gradient. Lockstep's
window, or lockstep-train gather, makes a run of that."
    DEPENDS python3
    SUGGESTS "lockstep, python3-torch")
set(library liblockstep${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}) # the ABI is that of a minor version
file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
file(WRITE ${control}/shlibs
    "liblockstep ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} ${library} (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${control}/triggers ${control}/shlibs)
lockstep_package(library ${library}
    SECTION libs
    SUMMARY "train in synchronous towers from C++: the library"
    DESCRIPTION "The engine of Lockstep for programs that were built with liblockstep-dev."
    SUGGESTS "lockstep-cuda (= ${LOCKSTEP_DEBIAN_VERSION})")
lockstep_package(development liblockstep-dev
    SECTION libdevel
    SUMMARY "train in synchronous towers from C++: header"
    DESCRIPTION "The engine of Lockstep as a library: a network, a data set of your own, N
towers. Its interface changes with every minor version."
    DEPENDS "${library} (= ${LOCKSTEP_DEBIAN_VERSION})")
include(CPack)
