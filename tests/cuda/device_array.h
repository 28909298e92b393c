// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_check.h"

#include <QtTest>

#include <cstring>
#include <span>
#include <vector>

namespace lockstep::test {

/// A stream for the life of a test.
class TestStream
{
public:
    TestStream()
    {
        cuda::checkCuda(
            cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "making a stream");
    }
    ~TestStream() { cudaStreamDestroy(m_stream); }
    TestStream(const TestStream&) = delete;
    TestStream& operator=(const TestStream&) = delete;

    [[nodiscard]] cudaStream_t get() const { return m_stream; }
    void synchronize() const { cuda::checkCuda(cudaStreamSynchronize(m_stream), "waiting"); }

private:
    cudaStream_t m_stream = nullptr;
};

/// Values in memory of the device; NaN at first where T is a float. Only looked at and changed
/// while nothing runs.
template<class T>
class DeviceArray
{
public:
    explicit DeviceArray(std::size_t count) : m_count(count)
    {
        void* address = nullptr;
        cuda::checkCuda(cudaMalloc(&address, count * sizeof(T)), "allocating");
        m_data = static_cast<T*>(address);
    }
    template<class U>
    explicit DeviceArray(const std::vector<U>& values) : DeviceArray(values.size())
    {
        static_assert(sizeof(U) == sizeof(T));
        if (!values.empty()) {
            std::memcpy(m_data, values.data(), values.size() * sizeof(T));
        }
    }
    /// The test fails where a kernel wrote beyond the array.
    ~DeviceArray()
    {
        if (cudaFree(m_data) == cudaErrorIllegalAddress) {
            QTest::qFail("a kernel wrote beyond an array", __FILE__, __LINE__);
        }
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    [[nodiscard]] T* data() const { return m_data; }
    [[nodiscard]] std::byte* bytes() const { return reinterpret_cast<std::byte*>(m_data); }
    [[nodiscard]] std::span<T> span() const { return {m_data, m_count}; }
    [[nodiscard]] std::vector<T> values() const { return {m_data, m_data + m_count}; }
    T& operator[](std::size_t i) const { return m_data[i]; }

private:
    T* m_data = nullptr;
    std::size_t m_count = 0;
};

} // namespace lockstep::test
