// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

struct cudnnContext;
struct cublasLtContext;

namespace lockstep::cuda {

/// The handles of cuDNN and cuBLASLt for one GPU, for its life. Error(Device) says which library
/// refused.
class LibraryHandles
{
public:
    explicit LibraryHandles(int device);
    ~LibraryHandles();
    LibraryHandles(const LibraryHandles&) = delete;
    LibraryHandles& operator=(const LibraryHandles&) = delete;

    [[nodiscard]] cudnnContext* cudnn() const { return m_cudnn; }
    [[nodiscard]] cublasLtContext* cublas() const { return m_cublas; }

private:
    int m_device;
    cudnnContext* m_cudnn = nullptr;
    cublasLtContext* m_cublas = nullptr;
};

/// Of what was opened: "CUDA 13.0, cuDNN 9.19.0, cuBLAS 13.0.2, NCCL 2.28.3".
[[nodiscard]] std::string libraryVersions();

} // namespace lockstep::cuda
