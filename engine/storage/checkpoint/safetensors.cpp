// SPDX-License-Identifier: Apache-2.0
#include "storage/checkpoint/safetensors.h"

#include "base/atomic_file.h"
#include "base/crc32.h"
#include "base/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>

namespace lockstep {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::uint64_t kLengthBytes = 8;
// The limit of the format's reference reader: a longer header is damage or an attack.
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;

std::span<const std::byte> bytesOf(const SafetensorsView& tensor)
{
    return std::visit([](const auto& values) { return std::as_bytes(values); }, tensor.values);
}

std::vector<const SafetensorsView*> alignedOrder(std::span<const SafetensorsView> tensors)
{
    std::vector<const SafetensorsView*> order;
    for (const auto& tensor : tensors) {
        order.push_back(&tensor);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return bytesOf(kTensorTypes[a->values.index()]) > bytesOf(kTensorTypes[b->values.index()]);
    });
    return order;
}

SafetensorsHeader describe(
    const std::vector<const SafetensorsView*>& tensors, const Metadata& metadata,
    const std::string& file)
{
    SafetensorsHeader header;
    header.metadata = metadata;
    std::set<std::string> names;
    std::uint64_t end = 0;
    for (const auto* tensor : tensors) {
        const auto bytes = bytesOf(*tensor);
        SafetensorsEntry entry{
            tensor->name, kTensorTypes[tensor->values.index()], tensor->shape, end,
            end + bytes.size()};
        require(names.insert(entry.name).second, "two tensors of one name in a file");
        require(bytesOf(entry, file) == bytes.size(), "a tensor whose values don't fill its shape");
        end = entry.end;
        header.checksums[entry.name] = checksumText(bytes);
        header.tensors.push_back(std::move(entry));
    }
    return header;
}

// A file open for reading that names itself when something fails.
class InputFile
{
public:
    explicit InputFile(const std::filesystem::path& path) : m_name(path.string())
    {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) {
            fail(
                ErrorCode::Io, "{}: can't read it ({})", m_name,
                error ? error.message() : "not a file");
        }
        m_size = std::filesystem::file_size(path);
        m_stream.open(path, std::ios::binary);
        check(m_stream.is_open());
    }

    void read(std::span<std::byte> into)
    {
        m_stream.read(
            reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
        check(m_stream.good());
    }

    [[nodiscard]] std::uint64_t size() const { return m_size; }
    [[nodiscard]] const std::string& name() const { return m_name; }

private:
    void check(bool ok) const
    {
        if (!ok) {
            fail(ErrorCode::Io, "{}: can't read it{}", m_name, errnoText());
        }
    }

    std::string m_name;
    std::uint64_t m_size = 0;
    std::ifstream m_stream;
};

std::uint64_t readHeaderLength(InputFile& file)
{
    if (file.size() < kLengthBytes) {
        fail(
            ErrorCode::Data,
            "{}: only {} bytes, not a safetensors file; use another copy of the file", file.name(),
            file.size());
    }
    std::uint64_t length = 0;
    file.read(std::as_writable_bytes(std::span(&length, 1)));
    if (length > kMaxHeaderBytes) {
        fail(
            ErrorCode::Data,
            "{}: is of another format, such as a pickle of PyTorch, or damaged: as a safetensors "
            "file it would have a header of {} bytes; use another file",
            file.name(), length);
    }
    if (length > file.size() - kLengthBytes) {
        fail(
            ErrorCode::Data,
            "{}: damaged or truncated: a header of {} bytes in a file of {}; use another copy of "
            "the file",
            file.name(), length, file.size());
    }
    return length;
}

// Leaves the file at the first byte of the data.
SafetensorsHeader readHeader(InputFile& file)
{
    std::string text(readHeaderLength(file), '\0');
    file.read(std::as_writable_bytes(std::span(text)));
    const std::uint64_t dataStart = kLengthBytes + text.size();
    SafetensorsHeader header = decodeHeader(text, file.size() - dataStart, file.name());
    header.dataStart = dataStart;
    return header;
}

template<class T>
std::vector<T> readValues(InputFile& file, const SafetensorsEntry& entry)
{
    std::vector<T> values((entry.end - entry.begin) / sizeof(T));
    file.read(std::as_writable_bytes(std::span(values)));
    return values;
}

/// Of 16 bits: one of sign, five of the exponent, ten of the fraction.
float fromHalf(std::uint16_t bits)
{
    const int exponent = bits >> 10U & 0x1FU;
    const auto fraction = static_cast<float>(bits & 0x3FFU) / 1024.0F;
    constexpr int kBias = 15;
    constexpr int kSpecial = 31;
    const float size = exponent == kSpecial
                           ? (fraction == 0.0F ? std::numeric_limits<float>::infinity()
                                               : std::numeric_limits<float>::quiet_NaN())
                       : exponent == 0 ? std::ldexp(fraction, 1 - kBias)
                                       : std::ldexp(1.0F + fraction, exponent - kBias);
    return (bits & 0x8000U) != 0 ? -size : size;
}

template<class T, class Convert>
std::vector<float> readFloats(InputFile& file, const SafetensorsEntry& entry, Convert convert)
{
    std::vector<float> values;
    for (const T value : readValues<T>(file, entry)) {
        values.push_back(convert(value));
    }
    return values;
}

SafetensorsTensor readTensor(InputFile& file, const SafetensorsEntry& entry)
{
    const auto fromDouble = [](double value) { return static_cast<float>(value); };
    const auto fromBfloat16 = [](std::uint16_t bits) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
    };
    switch (entry.type) {
    case TensorType::Float16:
        return {entry.name, entry.shape, readFloats<std::uint16_t>(file, entry, fromHalf)};
    case TensorType::BFloat16:
        return {entry.name, entry.shape, readFloats<std::uint16_t>(file, entry, fromBfloat16)};
    case TensorType::Float64:
        return {entry.name, entry.shape, readFloats<double>(file, entry, fromDouble)};
    case TensorType::Float32:
        return {entry.name, entry.shape, readValues<float>(file, entry)};
    case TensorType::Int64:
        return {entry.name, entry.shape, readValues<std::int64_t>(file, entry)};
    case TensorType::UInt64:
        return {entry.name, entry.shape, readValues<std::uint64_t>(file, entry)};
    case TensorType::Other1:
    case TensorType::Other2:
    case TensorType::Other4:
        readValues<std::byte>(file, entry);
        break;
    }
    return {};
}

void verify(
    const SafetensorsTensor& tensor, const SafetensorsHeader& header, const std::string& file)
{
    const auto expected = header.checksums.find(tensor.name);
    const auto actual = [](const auto& values) {
        return checksumText(std::as_bytes(std::span(values)));
    };
    if (expected != header.checksums.end()
        && expected->second != std::visit(actual, tensor.values)) {
        fail(
            ErrorCode::Data,
            "{}: tensor '{}' is damaged (its checksum differs); use another copy of the file", file,
            tensor.name);
    }
}

} // namespace

void writeSafetensors(
    const std::filesystem::path& path, std::span<const SafetensorsView> tensors,
    const Metadata& metadata)
{
    const auto order = alignedOrder(tensors);
    const std::string header = encodeHeader(describe(order, metadata, path.string()));
    const std::uint64_t length = header.size();
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(&length, 1)));
    file.write(header);
    for (const auto* tensor : order) {
        file.write(bytesOf(*tensor));
    }
    file.commit();
}

SafetensorsHeader readSafetensorsHeader(const std::filesystem::path& path)
{
    InputFile file(path);
    return readHeader(file);
}

SafetensorsFile readSafetensors(const std::filesystem::path& path)
{
    InputFile file(path);
    SafetensorsHeader header = readHeader(file);
    SafetensorsFile result{std::move(header.metadata), {}, header.isChecked};
    for (const auto& entry : header.tensors) {
        SafetensorsTensor tensor = readTensor(file, entry);
        if (isPassedOver(entry.type)) {
            continue;
        }
        if (entry.type == kTensorTypes[tensor.values.index()]) { // as it lies in the file
            verify(tensor, header, file.name());
        }
        result.tensors.push_back(std::move(tensor));
    }
    return result;
}

} // namespace lockstep
