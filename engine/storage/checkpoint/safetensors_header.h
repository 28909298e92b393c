// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// Element type of a tensor in a file. Lockstep writes the first three, reads the next three as
/// float32, and passes over all others, of which it knows the size.
enum class TensorType {
    Float32,
    Int64,
    UInt64,
    Float16,
    BFloat16,
    Float64,
    Other1,
    Other2,
    Other4
};

/// Whether tensors of this type are read as float32.
constexpr bool isFloat(TensorType type)
{
    return type == TensorType::Float32
           || (type >= TensorType::Float16 && type <= TensorType::Float64);
}
/// Whether they are not read at all.
constexpr bool isPassedOver(TensorType type)
{
    return type >= TensorType::Other1;
}

/// In the order of the types in the variants of views and tensors (safetensors.h).
inline constexpr std::array kTensorTypes{
    TensorType::Float32, TensorType::Int64, TensorType::UInt64};

/// "F32", "BF16": the format's own names, of the others one of them.
const char* toString(TensorType type);
std::uint64_t bytesOf(TensorType type);

/// Free texts of a file, the format's `__metadata__`.
using Metadata = std::map<std::string, std::string>;

/// Where a tensor lies: bytes [begin, end) of the data that follow the header.
struct SafetensorsEntry
{
    std::string name;
    TensorType type = TensorType::Float32;
    std::vector<std::int64_t> shape; ///< empty: a scalar
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// The header of a safetensors file: 8 bytes of length, little-endian, then JSON, padded with
/// spaces so that the data begin at a multiple of 8.
/// https://github.com/huggingface/safetensors#format Lockstep adds checksums to the metadata, which
/// other programs pass over: `header_crc32` (of the header's text with this value written as
/// 00000000) and `crc32.<tensor>` for each tensor.
struct SafetensorsHeader
{
    Metadata metadata;                     ///< without the checksums
    std::vector<SafetensorsEntry> tensors; ///< in the order of their data, which have no gaps
    std::map<std::string, std::string> checksums; ///< CRC-32 in hexadecimal by tensor name
    bool isChecked = false;      ///< the header's own checksum and one for every tensor were there
    std::uint64_t dataStart = 0; ///< offset of the data in the file
};

/// JSON text of the header, padded, with its own checksum filled in. Bytes in texts that are not
/// UTF-8 come back (toUtf8); those in names are replaced, because JSON can't hold them.
std::string encodeHeader(const SafetensorsHeader& header);

/// Reads the text of a header and checks all it says against the `dataBytes` that follow it: types,
/// shapes, sizes, order, gaps, duplicate names, its own checksum where there is one. Trusts
/// nothing. Error(Data) names `file` and the tensor.
SafetensorsHeader decodeHeader(
    const std::string& text, std::uint64_t dataBytes, const std::string& file);

/// Elements of a shape times the bytes of one; Error(Data) naming file and tensor on a negative
/// size or an overflow.
std::uint64_t bytesOf(const SafetensorsEntry& tensor, const std::string& file);

} // namespace lockstep
