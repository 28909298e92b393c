# SPDX-License-Identifier: Apache-2.0
# The whole CUDA device but for NVIDIA's libraries, on an emulated GPU.
set(all_kernels bias_relu_kernel cast_kernel input_kernels lrn_kernel max_pool_kernel pad_kernel
    softmax_cross_entropy_kernel step_kernels tensor_kernels)
list(TRANSFORM all_kernels PREPEND ${CMAKE_SOURCE_DIR}/engine/device/cuda/)
list(TRANSFORM all_kernels APPEND .cu)
set_source_files_properties(${all_kernels} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-xc++")
set(host conv2d cuda_check cuda_device cuda_layout cuda_stream dense find_devices input lrn max_pool
    operand_image plan_text softmax_cross_entropy stored_order)
list(TRANSFORM host PREPEND ${CMAKE_SOURCE_DIR}/engine/device/cuda/)
list(TRANSFORM host APPEND .cpp)
add_library(lockstep_emulated_device STATIC ${all_kernels} ${host} fake_libraries.cpp fake_machine.cpp)
target_link_libraries(lockstep_emulated_device
    PUBLIC lockstep_cuda_emulation lockstep_device PRIVATE lockstep_options)

foreach(name steps step_failures several_devices)
    lockstep_test(test_accelerator_${name} SOURCES test_accelerator_${name}.cpp
        LINKS lockstep_session lockstep_emulated_device LABELS engine)
endforeach()
lockstep_test(test_cuda_device SOURCES test_cuda_device.cpp
    LINKS lockstep_session lockstep_emulated_device LABELS engine)
