# SPDX-License-Identifier: Apache-2.0
# The whole CUDA device but for NVIDIA's libraries, on an emulated GPU.
set(host
    cuda_device
    ops/add
    ops/average_pool
    ops/concat
    ops/conv2d
    ops/conv_transpose2d
    ops/dense
    ops/dropout
    ops/elementwise
    ops/global_pool
    ops/input
    ops/layer_norm
    ops/lrn
    ops/max_pool
    ops/normalization
    ops/pool_and_norm
    ops/scale
    ops/sigmoid_cross_entropy
    ops/softmax_cross_entropy
    ops/softmax_head
    ops/stored_order
    plans/matmul_epilogue
    plans/operand_image
    plans/plan_choice
    plans/plan_text
    plans/plan_timer
    runtime/cuda_stream
    runtime/find_devices)
list(TRANSFORM host PREPEND ${CMAKE_SOURCE_DIR}/engine/device/cuda/)
list(TRANSFORM host APPEND .cpp)
add_library(lockstep_emulated_device STATIC ${host} fake_libraries.cpp fake_machine.cpp)
target_link_libraries(lockstep_emulated_device
    PUBLIC lockstep_emulated_kernels PRIVATE lockstep_options)

# The same as a library that the programs open.
add_library(lockstep_emulated_gpu SHARED emulated_entry.cpp)
target_link_libraries(lockstep_emulated_gpu PRIVATE lockstep_emulated_device lockstep_options)
target_link_options(lockstep_emulated_gpu PRIVATE -Wl,-Bsymbolic)
set_target_properties(lockstep_emulated_gpu PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

lockstep_test_program(tests_cuda_device SOURCES op_trial.cpp
    LINKS lockstep_engine lockstep_emulated_device NEEDS lockstep-train fake_driver lockstep_emulated_gpu
    DEFINITIONS LOCKSTEP_FAKE_DRIVER="$<TARGET_FILE:fake_driver>"
        LOCKSTEP_EMULATED_GPU="$<TARGET_FILE:lockstep_emulated_gpu>")
lockstep_tests(tests_cuda_device LABELS engine
    TESTS
        test_cuda_device.cpp
        test_cuda_library_ops.cpp)
lockstep_tests(tests_cuda_device TIMEOUT 900 LABELS engine fibers
    TESTS
        test_accelerator_branches.cpp
        test_accelerator_gradients.cpp
        test_accelerator_head.cpp
        test_accelerator_passes.cpp
        test_accelerator_phases.cpp
        test_accelerator_ranks.cpp
        test_accelerator_several_devices.cpp
        test_accelerator_step_failures.cpp
        test_accelerator_step_features.cpp
        test_accelerator_steps.cpp
        test_emulated_selftest.cpp
        test_parallel_branches.cpp)
lockstep_tests(tests_cuda_device TIMEOUT 900 LABELS cli fibers
    TESTS
        test_emulated_training.cpp)
lockstep_tests(tests_cuda_device TIMEOUT 900 LABELS cli slow fibers
    TESTS
        test_emulated_step_graph.cpp)

# With the CUDA half as a part of the program, in the place of the one that is searched for.
lockstep_test_program(tests_cuda_plugin SOURCES emulated_plugin.cpp LINKS lockstep_engine lockstep_emulated_device)
lockstep_tests(tests_cuda_plugin LABELS engine
    TESTS
        test_accelerator_live_control.cpp
        test_accelerator_readings.cpp
        test_accelerator_views.cpp)
