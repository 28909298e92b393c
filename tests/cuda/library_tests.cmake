# SPDX-License-Identifier: Apache-2.0
# The ops on top of NVIDIA's libraries, and how algorithms are chosen.
set(tests ${CMAKE_SOURCE_DIR}/tests/cuda)
set(cuda ${CMAKE_SOURCE_DIR}/engine/device/cuda)

lockstep_test(test_cuda_bias_and_pad SOURCES ${tests}/test_cuda_bias_and_pad.cpp
    LINKS lockstep_emulated_kernels LABELS engine)
lockstep_test(test_cuda_library_ops SOURCES ${tests}/test_cuda_library_ops.cpp ${tests}/op_trial.cpp
    LINKS lockstep_emulated_device LABELS engine)
lockstep_test(test_cuda_plan_timer SOURCES ${tests}/test_cuda_plan_timer.cpp
    ${cuda}/plans/plan_choice.cpp ${cuda}/plans/plan_timer.cpp
    LINKS lockstep_emulated_kernels LABELS engine)
# With the headers of cuDNN and cuBLASLt; a few functions of ours in place of the libraries.
if(LOCKSTEP_CUDNN_INCLUDE)
    lockstep_test(test_cuda_convolution_plan SOURCES ${tests}/test_cuda_convolution_plan.cpp
        ${cuda}/plans/convolution_plan.cpp ${cuda}/plans/cudnn_convolution.cpp ${cuda}/plans/cudnn_descriptor.cpp
        ${cuda}/plans/plan_choice.cpp ${cuda}/plans/plan_text.cpp ${cuda}/plans/plan_timer.cpp
        LINKS lockstep_emulated_kernels LABELS engine)
    lockstep_test(test_cuda_matmul_plan SOURCES ${tests}/test_cuda_matmul_plan.cpp
        ${cuda}/plans/matmul_plan.cpp ${cuda}/plans/plan_choice.cpp ${cuda}/plans/plan_text.cpp ${cuda}/plans/plan_timer.cpp
        LINKS lockstep_emulated_kernels LABELS engine)
endif()
# With cuDNN itself, which plans for a GPU that is only described.
if(LOCKSTEP_CUDNN)
    lockstep_test(test_cudnn_engines SOURCES ${tests}/test_cudnn_engines.cpp
        ${cuda}/plans/convolution_graph.cpp ${cuda}/plans/cudnn_convolution.cpp ${cuda}/plans/cudnn_descriptor.cpp
        ${cuda}/plans/cudnn_engine.cpp ${cuda}/plans/plan_text.cpp
        LINKS lockstep_emulated_kernels ${LOCKSTEP_CUDNN} LABELS engine)
    # cuDNN's heuristics keep memory that nobody gives back.
    set_tests_properties(test_cudnn_engines PROPERTIES ENVIRONMENT LSAN_OPTIONS=detect_leaks=0)
endif()
