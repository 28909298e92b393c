// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/nccl_communicator.h"

#include "base/error.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/cuda_stream.h"

#include <fmt/core.h>
#include <nccl.h>

#include <cstdlib>
#include <cstring>

namespace lockstep::cuda {
namespace {

// Ring with the simple protocol adds in one fixed order around the ring; trees, and switches that
// add themselves (NVLS), choose by size and topology. NCCL reads these once, when it starts.
constexpr const char* kAlgorithm = "Ring";
constexpr const char* kProtocol = "Simple";

void checkNccl(ncclResult_t result, const char* what)
{
    if (result != ncclSuccess) {
        fail(
            ErrorCode::Device, "NCCL: {}: {} ({})", what, ncclGetErrorString(result),
            ncclGetLastError(nullptr));
    }
}

class NcclCommunicator final : public Communicator
{
public:
    explicit NcclCommunicator(ncclComm_t communicator) : m_communicator(communicator) {}
    ~NcclCommunicator() override
    {
        // Waits for nobody: after a failure the other members may never come.
        ncclCommAbort(m_communicator);
    }

    void sum(float* values, std::int64_t count, Stream& stream) override
    {
        sumOf(ncclFloat32, values, count, stream, "summing the gradients");
    }
    void sum(double* values, std::int64_t count, Stream& stream) override
    {
        sumOf(ncclFloat64, values, count, stream, "summing over the rows of all towers");
    }

    [[nodiscard]] std::string describe() const override
    {
        int version = 0;
        ncclGetVersion(&version);
        return fmt::format(
            "NCCL {}.{}.{}, {}, {}", version / 10000, version % 10000 / 100, version % 100,
            kAlgorithm, kProtocol);
    }

private:
    void sumOf(
        ncclDataType_t type, void* values, std::int64_t count, Stream& stream, const char* what)
    {
        checkNccl(
            ncclAllReduce(
                values, values, static_cast<std::size_t>(count), type, ncclSum, m_communicator,
                handleOf(stream)),
            what);
        ncclResult_t state = ncclSuccess;
        checkNccl(ncclCommGetAsyncError(m_communicator, &state), "asking for its state");
        checkNccl(state == ncclInProgress ? ncclSuccess : state, what);
    }

    ncclComm_t m_communicator;
};

} // namespace

std::string makeCommunicatorKey()
{
    ncclUniqueId id;
    checkNccl(ncclGetUniqueId(&id), "making a key for the GPUs");
    return {id.internal, sizeof(id.internal)};
}

std::vector<std::unique_ptr<Communicator>> connectDevices(
    const std::vector<int>& devices, const SumMembers& members)
{
    setenv("NCCL_ALGO", kAlgorithm, 1);
    setenv("NCCL_PROTO", kProtocol, 1);
    ncclUniqueId id;
    require(members.key.size() == sizeof(id.internal), "a key that is not of NCCL");
    std::memcpy(id.internal, members.key.data(), sizeof(id.internal));
    std::vector<ncclComm_t> handles(devices.size());
    checkNccl(ncclGroupStart(), "joining the GPUs");
    for (std::size_t i = 0; i < devices.size(); ++i) {
        checkCuda(cudaSetDevice(devices[i]), "choosing a GPU");
        checkNccl(
            ncclCommInitRank(&handles[i], members.all, id, members.firstOwn + static_cast<int>(i)),
            "joining the GPUs");
    }
    checkNccl(ncclGroupEnd(), "joining the GPUs");
    std::vector<std::unique_ptr<Communicator>> own;
    own.reserve(handles.size());
    for (ncclComm_t handle : handles) {
        own.push_back(std::make_unique<NcclCommunicator>(handle));
    }
    return own;
}

} // namespace lockstep::cuda
