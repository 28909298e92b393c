// SPDX-License-Identifier: Apache-2.0
// What all tests of kernels need.
#pragma once

#include "cuda/emulated_runtime.h"
#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <algorithm>
#include <cmath>
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

/// Values as a tensor of type T holds them.
template<class T>
std::vector<T> stored(const std::vector<float>& values)
{
    std::vector<T> result(values.size());
    std::ranges::transform(values, result.begin(), cuda::fromFloat<T>);
    return result;
}

template<class T>
std::vector<float> floatsOf(std::span<const T> values)
{
    std::vector<float> result(values.size());
    std::ranges::transform(values, result.begin(), [](T value) { return cuda::toFloat(value); });
    return result;
}

/// What is left of values after they were stored.
template<class T>
std::vector<float> rounded(const std::vector<float>& values)
{
    const std::vector<T> kept = stored<T>(values);
    return floatsOf<T>(kept);
}

/// Values of either type in device memory, seen as float.
class TypedArray
{
public:
    TypedArray(cuda::DataType type, const std::vector<float>& values)
        : m_type(type), m_floats(type == cuda::DataType::Float32 ? values.size() : 0),
          m_halves(type == cuda::DataType::Float32 ? 0 : values.size())
    {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (type == cuda::DataType::Float32) {
                m_floats[i] = values[i];
            } else {
                m_halves[i] = cuda::toBfloat16(values[i]);
            }
        }
    }
    [[nodiscard]] void* data() const
    {
        return m_type == cuda::DataType::Float32 ? static_cast<void*>(m_floats.data())
                                                 : m_halves.data();
    }
    [[nodiscard]] std::vector<float> values() const
    {
        std::vector<float> values = m_floats.values();
        for (const cuda::Bfloat16 half : m_halves.values()) {
            values.push_back(toFloat(half));
        }
        return values;
    }

private:
    cuda::DataType m_type;
    DeviceArray<float> m_floats;
    DeviceArray<cuda::Bfloat16> m_halves;
};

/// How far a result in T may be from the float64 reference: relative to the value itself, half a
/// unit in the last place of T and a few roundings of float32.
template<class T>
constexpr double kRelative = 2e-6;
template<>
inline constexpr double kRelative<cuda::Bfloat16> = 1.0 / 256.0 + 2e-6;

/// The first place where `got` is farther from `expected` than `relative` times its size plus
/// `absolute`; -1: none. Two NaNs are equal.
template<class Expected>
std::ptrdiff_t firstDifference(
    std::span<const float> got, const std::vector<Expected>& expected, double relative,
    double absolute)
{
    if (got.size() != expected.size()) {
        return 0;
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        const auto wanted = static_cast<double>(expected[i]);
        const double error = std::abs(static_cast<double>(got[i]) - wanted);
        const bool bothNan = std::isnan(got[i]) && std::isnan(wanted);
        if (!bothNan && !(error <= relative * std::abs(wanted) + absolute)) {
            return static_cast<std::ptrdiff_t>(i);
        }
    }
    return -1;
}

/// Positions with a gap behind each: the channels of others, which hold `rest`.
struct Gaps
{
    std::size_t channels = 0;
    std::size_t stride = 0; ///< from a position to the next
    float rest = 0.0F;

    /// Values without gaps as they lie between those.
    [[nodiscard]] std::vector<float> spread(const std::vector<float>& values) const
    {
        std::vector<float> wide(values.size() / channels * stride, rest);
        for (std::size_t i = 0; i < values.size(); ++i) {
            wide[i / channels * stride + i % channels] = values[i];
        }
        return wide;
    }
    /// And back; empty where something was written into a gap.
    [[nodiscard]] std::vector<float> gathered(const std::vector<float>& wide) const
    {
        std::vector<float> values;
        for (std::size_t i = 0; i < wide.size(); ++i) {
            if (i % stride < channels) {
                values.push_back(wide[i]);
            } else if (wide[i] != rest) {
                return {};
            }
        }
        return values;
    }
};

/// What a layer's kernels make, forward and backward; Value: double of the reference.
template<class Value>
struct LayerValues
{
    std::vector<Value> dst;
    std::vector<Value> diffSrc;
};

} // namespace lockstep::test
