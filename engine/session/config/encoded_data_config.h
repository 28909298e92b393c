// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep {

/// What a run is told of data sets of encoded photographs; others have no use for it.
struct EncodedDataConfig
{
    std::string damaged = "refuse";    ///< see DamagedImages
    std::string pattern = "{split}-*"; ///< see EncodedDataSettings
    int labelOffset = 0;
    bool saturation = true; ///< see PhotoSettings
    bool hue = true;
    bool isDecodedScaled = true;

    /// Throws Error(BadInput) that names the key.
    void validate() const;
};

} // namespace lockstep
