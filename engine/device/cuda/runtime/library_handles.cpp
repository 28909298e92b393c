// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/library_handles.h"

#include "base/error.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/cuda_stream.h"

#include <cublasLt.h>
#include <cudnn.h>
#include <fmt/format.h>
#include <nccl.h>

namespace lockstep::cuda {
namespace {

/// Numbers of a version that is written as one: 91900 with 10000 and 100 is 9.19.0.
std::string dotted(std::size_t version, std::size_t major, std::size_t minor)
{
    return fmt::format("{}.{}.{}", version / major, version % major / minor, version % minor);
}

} // namespace

LibraryHandles::LibraryHandles(int device) : m_device(device)
{
    select(device);
    if (const cudnnStatus_t status = cudnnCreate(&m_cudnn); status != CUDNN_STATUS_SUCCESS) {
        fail(ErrorCode::Device, "cuDNN does not start: {}", cudnnGetErrorString(status));
    }
    if (const cublasStatus_t status = cublasLtCreate(&m_cublas); status != CUBLAS_STATUS_SUCCESS) {
        cudnnDestroy(m_cudnn);
        fail(ErrorCode::Device, "cuBLASLt does not start: {}", cublasLtGetStatusString(status));
    }
}

LibraryHandles::~LibraryHandles()
{
    cudaSetDevice(m_device);
    cublasLtDestroy(m_cublas);
    cudnnDestroy(m_cudnn);
}

std::string libraryVersions()
{
    int cuda = 0;
    int nccl = 0;
    checkCuda(cudaRuntimeGetVersion(&cuda), "asking for CUDA's version");
    ncclGetVersion(&nccl);
    return fmt::format(
        "CUDA {}.{}, cuDNN {}, cuBLAS {}, NCCL {}", cuda / 1000, cuda % 1000 / 10,
        dotted(cudnnGetVersion(), 10000, 100), dotted(cublasLtGetVersion(), 10000, 100),
        dotted(static_cast<std::size_t>(nccl), 10000, 100));
}

} // namespace lockstep::cuda
