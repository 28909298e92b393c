# SPDX-License-Identifier: Apache-2.0
# How algorithms are chosen, with the headers of cuDNN and cuBLASLt; a few functions of the tests stand in
# the place of the libraries, others in each.
set(cuda ${CMAKE_SOURCE_DIR}/engine/device/cuda)

lockstep_test_program(test_cuda_plan_timer SOURCES ${cuda}/plans/plan_choice.cpp ${cuda}/plans/plan_timer.cpp
    LINKS lockstep_emulated_kernels)
lockstep_tests(test_cuda_plan_timer LABELS engine TESTS test_cuda_plan_timer.cpp)
if(LOCKSTEP_CUDNN_INCLUDE)
    lockstep_test_program(test_cuda_convolution_plan
        SOURCES ${cuda}/plans/convolution_plan.cpp ${cuda}/plans/cudnn_convolution.cpp ${cuda}/plans/cudnn_descriptor.cpp
            ${cuda}/plans/plan_choice.cpp ${cuda}/plans/plan_text.cpp ${cuda}/plans/plan_timer.cpp
        LINKS lockstep_emulated_kernels lockstep_network_models)
    lockstep_tests(test_cuda_convolution_plan LABELS engine TESTS test_cuda_convolution_plan.cpp)
    lockstep_test_program(test_cuda_matmul_plan
        SOURCES ${cuda}/plans/matmul_epilogue.cpp ${cuda}/plans/matmul_plan.cpp ${cuda}/plans/plan_choice.cpp ${cuda}/plans/plan_text.cpp ${cuda}/plans/plan_timer.cpp
        LINKS lockstep_emulated_kernels)
    lockstep_tests(test_cuda_matmul_plan LABELS engine TESTS test_cuda_matmul_plan.cpp)
endif()
# With cuDNN itself, which plans for a GPU that is only described.
if(LOCKSTEP_CUDNN)
    lockstep_test_program(test_cudnn_engines
        SOURCES ${cuda}/plans/convolution_graph.cpp ${cuda}/plans/cudnn_convolution.cpp ${cuda}/plans/cudnn_descriptor.cpp
            ${cuda}/plans/cudnn_engine.cpp ${cuda}/plans/plan_text.cpp
        LINKS lockstep_emulated_kernels ${LOCKSTEP_CUDNN})
    lockstep_tests(test_cudnn_engines LABELS engine TESTS test_cudnn_engines.cpp)
    # cuDNN's heuristics keep memory that nobody gives back.
    set_tests_properties(test_cudnn_engines PROPERTIES ENVIRONMENT LSAN_OPTIONS=detect_leaks=0)
endif()
