// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/record_framing.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace lockstep::test {

// tf.train.Example written by hand, from example.proto and feature.proto: a field is its number * 8
// + wire type (0 number, 2 bytes with their length, 5 four bytes), then its value.

inline std::string varint(std::uint64_t value)
{
    std::string bytes;
    for (; value > 127; value >>= 7U) {
        bytes += static_cast<char>((value & 127U) | 128U);
    }
    return bytes + static_cast<char>(value);
}

inline std::string field(int number, const std::string& content)
{
    return varint(static_cast<std::uint64_t>(number) * 8 + 2) + varint(content.size()) + content;
}

/// An entry of the map of features, whose list is field `kind` of a feature.
inline std::string feature(const std::string& key, int kind, const std::string& list)
{
    return field(1, field(1, key) + field(2, field(kind, list)));
}

inline std::string bytesFeature(const std::string& key, const std::string& value)
{
    return feature(key, 1, field(1, value));
}

inline std::string floatFeature(const std::string& key, const std::vector<float>& values)
{
    std::string packed(values.size() * sizeof(float), '\0');
    std::memcpy(packed.data(), values.data(), packed.size());
    return feature(key, 2, field(1, packed));
}

inline std::string integerFeature(const std::string& key, std::int64_t value)
{
    return feature(key, 3, field(1, varint(static_cast<std::uint64_t>(value))));
}

/// A record of features, without its frame.
inline std::string example(const std::string& features)
{
    return field(1, features);
}

inline std::string imageExample(
    const std::string& image, std::int64_t label, const std::string& more = {})
{
    return example(
        bytesFeature("image/encoded", image) + integerFeature("image/class/label", label) + more);
}

inline std::string framed(const std::vector<std::string>& records)
{
    std::string bytes;
    for (const std::string& record : records) {
        appendFramed(bytes, record);
    }
    return bytes;
}

} // namespace lockstep::test
