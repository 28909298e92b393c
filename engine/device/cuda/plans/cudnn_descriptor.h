// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cudnn.h>

#include <cstdint>
#include <string>
#include <vector>

// cuDNN's graph API speaks in untyped descriptors and attributes. Here every attribute that
// Lockstep uses has its C++ type and its name, so that a wrong type does not compile and a failed
// call says what it was about.
namespace lockstep::cuda {

/// Throws Error(OutOfMemory) or Error(Device): "cuDNN: <what>: <status> (<reason>)".
void checkCudnn(cudnnStatus_t status, const std::string& what);

/// "cuDNN 9.19.0", of the library that was loaded.
std::string cudnnVersionText();

template<class T, cudnnBackendAttributeType_t kType>
struct CudnnAttribute
{
    cudnnBackendAttributeName_t name;
    const char* text;
};

/// Kind of a descriptor, with its name for messages.
struct CudnnKind
{
    cudnnBackendDescriptorType_t type;
    const char* text;
};

/// Owns one backend descriptor. All members throw as checkCudnn, with the names of descriptor and
/// attribute.
class CudnnDescriptor
{
public:
    /// An attribute that is another descriptor.
    using Link = CudnnAttribute<cudnnBackendDescriptor_t, CUDNN_TYPE_BACKEND_DESCRIPTOR>;

    explicit CudnnDescriptor(const CudnnKind& kind);
    ~CudnnDescriptor();
    CudnnDescriptor(CudnnDescriptor&& other) noexcept;
    CudnnDescriptor& operator=(CudnnDescriptor&& other) noexcept;
    CudnnDescriptor(const CudnnDescriptor&) = delete;
    CudnnDescriptor& operator=(const CudnnDescriptor&) = delete;

    [[nodiscard]] cudnnBackendDescriptor_t get() const { return m_descriptor; }

    template<class T, auto kType>
    void set(const CudnnAttribute<T, kType>& attribute, const T& value)
    {
        setRaw({attribute.name, kType, attribute.text}, 1, &value);
    }
    template<class T, auto kType>
    void set(const CudnnAttribute<T, kType>& attribute, const std::vector<T>& values)
    {
        const auto count = static_cast<std::int64_t>(values.size());
        setRaw({attribute.name, kType, attribute.text}, count, values.data());
    }
    void set(const Link& attribute, const CudnnDescriptor& value)
    {
        set(attribute, value.m_descriptor);
    }
    void finalize();

    template<class T, auto kType>
    [[nodiscard]] T get(const CudnnAttribute<T, kType>& attribute) const
    {
        T value{};
        getRaw({attribute.name, kType, attribute.text}, 1, &value);
        return value;
    }
    /// All values, at most `limit`.
    template<class T, auto kType>
    [[nodiscard]] std::vector<T> get(
        const CudnnAttribute<T, kType>& attribute, std::int64_t limit) const
    {
        std::vector<T> values(static_cast<std::size_t>(limit));
        const auto count = getRaw({attribute.name, kType, attribute.text}, limit, values.data());
        values.resize(static_cast<std::size_t>(count));
        return values;
    }
    /// Number of values that get would give.
    [[nodiscard]] std::int64_t count(const Link& attribute) const;
    /// Copies of attributes that are descriptors; at most `limit`.
    [[nodiscard]] std::vector<CudnnDescriptor> get(
        const Link& attribute, const CudnnKind& kind, std::int64_t limit) const;

private:
    struct Raw
    {
        cudnnBackendAttributeName_t name;
        cudnnBackendAttributeType_t type;
        const char* text;
    };
    void setRaw(const Raw& attribute, std::int64_t count, const void* values);
    std::int64_t getRaw(const Raw& attribute, std::int64_t limit, void* values) const;
    [[nodiscard]] std::string textOf(const char* action, const char* attribute) const;

    cudnnBackendDescriptor_t m_descriptor = nullptr;
    const char* m_kind = nullptr;
};

} // namespace lockstep::cuda
