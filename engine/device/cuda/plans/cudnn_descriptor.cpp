// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/cudnn_descriptor.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::cuda {
namespace {

/// What the library itself says of its last failure; empty if it says nothing.
std::string lastReason()
{
    std::array<char, 4096> text{};
    cudnnGetLastErrorString(text.data(), text.size());
    text.back() = '\0';
    std::string reason(text.data());
    const std::string word = "Reason: "; // before it the library repeats what it was asked
    const auto begin = reason.find(word);
    reason.erase(0, begin == std::string::npos ? 0 : begin + word.size());
    return reason.substr(0, std::min(reason.find('\n'), std::size_t{200}));
}

bool isOutOfMemory(cudnnStatus_t status)
{
    return status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED
           || status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
}

} // namespace

void checkCudnn(cudnnStatus_t status, const std::string& what)
{
    if (status != CUDNN_STATUS_SUCCESS) {
        fail(
            isOutOfMemory(status) ? ErrorCode::OutOfMemory : ErrorCode::Device,
            "cuDNN: {}: {} ({})", what, cudnnGetErrorString(status), lastReason());
    }
}

std::string cudnnVersionText()
{
    const std::size_t version = cudnnGetVersion();
    return fmt::format("cudnn {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

CudnnDescriptor::CudnnDescriptor(const CudnnKind& kind) : m_kind(kind.text)
{
    checkCudnn(cudnnBackendCreateDescriptor(kind.type, &m_descriptor), textOf("create", ""));
}

CudnnDescriptor::~CudnnDescriptor()
{
    if (m_descriptor != nullptr) {
        cudnnBackendDestroyDescriptor(m_descriptor);
    }
}

CudnnDescriptor::CudnnDescriptor(CudnnDescriptor&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, nullptr)), m_kind(other.m_kind)
{
}

CudnnDescriptor& CudnnDescriptor::operator=(CudnnDescriptor&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_kind, other.m_kind);
    return *this;
}

void CudnnDescriptor::finalize()
{
    checkCudnn(cudnnBackendFinalize(m_descriptor), textOf("finalize", ""));
}

std::int64_t CudnnDescriptor::count(const Link& attribute) const
{
    return getRaw({attribute.name, CUDNN_TYPE_BACKEND_DESCRIPTOR, attribute.text}, 0, nullptr);
}

std::vector<CudnnDescriptor> CudnnDescriptor::get(
    const Link& attribute, const CudnnKind& kind, std::int64_t limit) const
{
    std::vector<CudnnDescriptor> copies;
    std::vector<cudnnBackendDescriptor_t> addresses;
    for (std::int64_t i = 0; i < limit; ++i) {
        copies.emplace_back(kind);
        addresses.push_back(copies.back().get());
    }
    const auto count = getRaw(
        {attribute.name, CUDNN_TYPE_BACKEND_DESCRIPTOR, attribute.text}, limit, addresses.data());
    copies.erase(copies.begin() + count, copies.end());
    return copies;
}

void CudnnDescriptor::setRaw(const Raw& attribute, std::int64_t count, const void* values)
{
    checkCudnn(
        cudnnBackendSetAttribute(m_descriptor, attribute.name, attribute.type, count, values),
        textOf("set ", attribute.text));
}

std::int64_t CudnnDescriptor::getRaw(const Raw& attribute, std::int64_t limit, void* values) const
{
    std::int64_t count = 0;
    checkCudnn(
        cudnnBackendGetAttribute(
            m_descriptor, attribute.name, attribute.type, limit, &count, values),
        textOf("get ", attribute.text));
    // The library tells how many there are, which may be more than it gave.
    return limit == 0 ? count : std::min(count, limit);
}

std::string CudnnDescriptor::textOf(const char* action, const char* attribute) const
{
    return fmt::format("{}, {}{}", m_kind, action, attribute);
}

} // namespace lockstep::cuda
