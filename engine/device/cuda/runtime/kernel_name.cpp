// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/kernel_name.h"

#include <cuda.h>
#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace lockstep::cuda {
namespace {

/// Of the driver, which is not linked: it is there only where a GPU is.
template<class Function>
Function driverFunction(const char* name)
{
    constexpr unsigned kVersion = 12030; // the first one that tells names
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    cudaGetDriverEntryPointByVersion(name, &function, kVersion, cudaEnableDefault, &found);
    return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Function>(function) : nullptr;
}

} // namespace

std::string demangled(const char* name)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    return status == 0 ? text.get() : name;
}

std::string kernelName(cudaGraphNode_t node)
{
    static const auto parametersOf =
        driverFunction<decltype(&cuGraphKernelNodeGetParams)>("cuGraphKernelNodeGetParams");
    static const auto functionName = driverFunction<decltype(&cuFuncGetName)>("cuFuncGetName");
    static const auto kernelFunction =
        driverFunction<decltype(&cuKernelGetName)>("cuKernelGetName");
    CUDA_KERNEL_NODE_PARAMS parameters{};
    const char* name = nullptr;
    if (parametersOf == nullptr || functionName == nullptr || kernelFunction == nullptr
        || parametersOf(node, &parameters) != CUDA_SUCCESS) {
        return {};
    }
    const CUresult result = parameters.func != nullptr ? functionName(&name, parameters.func)
                                                       : kernelFunction(&name, parameters.kern);
    return result == CUDA_SUCCESS && name != nullptr ? demangled(name) : "";
}

} // namespace lockstep::cuda
