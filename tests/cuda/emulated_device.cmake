# SPDX-License-Identifier: Apache-2.0
# The whole CUDA device but for NVIDIA's libraries, on an emulated GPU.
set(host
    cuda_device
    ops/average_pool
    ops/concat
    ops/conv2d
    ops/dense
    ops/dropout
    ops/elementwise
    ops/global_pool
    ops/input
    ops/lrn
    ops/max_pool
    ops/normalization
    ops/sigmoid_cross_entropy
    ops/softmax_cross_entropy
    ops/stored_order
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

foreach(name branches steps step_failures several_devices)
    lockstep_test(test_accelerator_${name} SOURCES test_accelerator_${name}.cpp
        LINKS lockstep_engine lockstep_emulated_device LABELS engine fibers)
endforeach()
foreach(name live_control readings)
    lockstep_test(test_accelerator_${name} SOURCES test_accelerator_${name}.cpp emulated_plugin.cpp
        LINKS lockstep_engine lockstep_emulated_device LABELS engine)
endforeach()
lockstep_test(test_emulated_selftest SOURCES test_emulated_selftest.cpp
    LINKS lockstep_engine lockstep_emulated_device LABELS engine fibers)
lockstep_test(test_cuda_device SOURCES test_cuda_device.cpp
    LINKS lockstep_engine lockstep_emulated_device LABELS engine)

# The same as a library that the programs open.
add_library(lockstep_emulated_gpu SHARED emulated_entry.cpp)
target_link_libraries(lockstep_emulated_gpu PRIVATE lockstep_emulated_device lockstep_options)
target_link_options(lockstep_emulated_gpu PRIVATE -Wl,-Bsymbolic)
set_target_properties(lockstep_emulated_gpu PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
lockstep_test(test_emulated_training SOURCES test_emulated_training.cpp TIMEOUT 900 LABELS cli fibers)
target_compile_definitions(test_emulated_training PRIVATE
    LOCKSTEP_TRAIN_PROGRAM="$<TARGET_FILE:lockstep-train>"
    LOCKSTEP_SMALL_MODEL="${CMAKE_SOURCE_DIR}/resources/models/small.toml"
    LOCKSTEP_FAKE_DRIVER="$<TARGET_FILE:fake_driver>"
    LOCKSTEP_EMULATED_GPU="$<TARGET_FILE:lockstep_emulated_gpu>")
add_dependencies(test_emulated_training lockstep-train fake_driver lockstep_emulated_gpu)
