// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace lockstep {

/// Sees, at the speed at which a disk reads, whether a JPEG, PNG or BMP is there up to its end,
/// without decoding it: of a JPEG follows the segments and scans to the end mark, of a PNG the
/// chunks with their checksums, of a BMP compares its length. What stands behind the end is
/// harmless. Throws Error(Data) with the words of decodeColours; what it lets pass may still hold
/// wrong pixels, which decoding alone can find. Thread-safe.
void checkStructure(std::span<const std::byte> file, const std::string& name);

} // namespace lockstep
