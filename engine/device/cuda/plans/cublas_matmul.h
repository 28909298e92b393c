// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/plans/matmul_plan.h"

#include <cublasLt.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cuda {

/// One of cuBLASLt's algorithms with its settings.
struct CublasAlgorithm
{
    cublasLtMatmulAlgo_t algorithm{};
    std::size_t workspaceBytes = 0;
    bool hasKernel = false; ///< a kernel of ours applies the epilogue after it
};

/// "cublaslt 13.0.2 2a.0.1f + kernel": the version and the library's own words for the algorithm,
/// which mean the same as long as the version is the same.
std::string toString(const CublasAlgorithm& algorithm);
/// The algorithm of such a text, if it is of this version and does `spec` on this GPU.
std::optional<CublasAlgorithm> findAlgorithm(
    cublasLtHandle_t handle, const MatmulSpec& spec, const std::string& text);

/// What cuBLASLt recommends, most promising first, without those that sum in less than float32 or,
/// for true float32, multiply in tensor cores. All of them give the same bits again for the same
/// values (cuBLAS documentation, "Results reproducibility"). Error(Device) if there are none.
std::vector<CublasAlgorithm> suggestAlgorithms(
    cublasLtHandle_t handle, const MatmulSpec& spec, bool hasKernel);

/// A product that cuBLASLt makes.
class CublasMatmul : public Matmul
{
public:
    CublasMatmul(cublasLtHandle_t handle, MatmulSpec spec, const CublasAlgorithm& algorithm);

    void run(cudaStream_t stream, const MatmulBuffers& buffers) const override;
    [[nodiscard]] std::size_t workspaceBytes() const override { return m_algorithm.workspaceBytes; }
    [[nodiscard]] std::string describe() const override { return toString(m_algorithm); }

private:
    cublasLtHandle_t m_handle;
    MatmulSpec m_spec;
    CublasAlgorithm m_algorithm;
};

} // namespace lockstep::cuda
