// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep {

/// What a run is told of data sets whose images have masks; others have no use for it.
struct MaskedDataConfig
{
    int folds = 3; ///< see MaskedDataSettings
    int fold = 0;
    std::string foldsFile;
    int dilation = 5;
    std::string sampling = "auto";   ///< auto: balanced; balanced or shuffled
    std::string pixelRange = "auto"; ///< auto: as the model wants it; unit or byte
    std::string maskLabel = "auto";  ///< auto: as the model wants it; pooled or reduced
    bool mirrorHorizontal = false;
    bool mirrorVertical = false;

    /// Throws Error(BadInput) that names the key.
    void validate() const;
};

} // namespace lockstep
