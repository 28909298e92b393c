// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/algorithm_store.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

struct cudnnContext;
struct cublasLtContext;

namespace lockstep::cuda {

class Convolution;
class Matmul;

/// What the ops of one GPU share: the libraries' handles and everything that was planned with them.
/// Planning the same work again gives the same plan, so that all towers of a GPU compute with the
/// same algorithms and nothing is timed twice. Plans use the handles, which have to outlive them.
struct CudaContext
{
    int device = 0;
    cudnnContext* cudnn = nullptr;     ///< a cudnnHandle_t
    cublasLtContext* cublas = nullptr; ///< a cublasLtHandle_t

    std::unique_ptr<AlgorithmStore> store; ///< of what is measured; null: it is forgotten

    std::mutex planning; ///< one plan is made at a time: timings would disturb each other
    std::optional<std::chrono::steady_clock::time_point> lastTrial;         ///< when it ended
    std::map<std::string, std::shared_ptr<const Convolution>> convolutions; ///< by key of the spec
    std::map<std::string, std::shared_ptr<const Matmul>> matmuls;           ///< by key of the spec
};

} // namespace lockstep::cuda
