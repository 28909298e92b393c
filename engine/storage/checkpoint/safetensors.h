// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/checkpoint/safetensors_header.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace lockstep {

/// A tensor to be written: its values stay where they are. Row-major, product of shape elements.
struct SafetensorsView
{
    std::string name;
    std::vector<std::int64_t> shape;
    std::variant<
        std::span<const float>, std::span<const std::int64_t>, std::span<const std::uint64_t>>
        values;
};

/// A tensor that was read.
struct SafetensorsTensor
{
    std::string name;
    std::vector<std::int64_t> shape;
    std::variant<std::vector<float>, std::vector<std::int64_t>, std::vector<std::uint64_t>> values;
};

/// All that is in a safetensors file.
struct SafetensorsFile
{
    Metadata metadata;                      ///< without the checksums
    std::vector<SafetensorsTensor> tensors; ///< in the order of the file
    bool isChecked =
        false; ///< header and every tensor carried a checksum (and all of them matched)
};

/// Writes a file that any reader of the format opens, with checksums (see SafetensorsHeader). The
/// file appears complete or not at all (AtomicFile). The data are streamed from the views; types of
/// 8 bytes come first, so that every tensor is aligned, else the order is kept.
/// Error(Io) names the file; Error(Internal) for a wrong size or a name that comes twice.
void writeSafetensors(
    const std::filesystem::path& path, std::span<const SafetensorsView> tensors,
    const Metadata& metadata);

/// Reads and checks the header alone: names, shapes, metadata. Error(Io) if the file can't be read,
/// Error(Data) naming file and tensor if it is damaged.
SafetensorsHeader readSafetensorsHeader(const std::filesystem::path& path);

/// Reads everything but types that are passed over, and verifies each checksum there is. Errors as
/// readSafetensorsHeader().
SafetensorsFile readSafetensors(const std::filesystem::path& path);

} // namespace lockstep
