// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/masked_data_settings.h"

#include "base/error.h"
#include "dataset/formats/dilation.h"

namespace lockstep {

void MaskedDataSettings::validate() const
{
    constexpr int kMostFolds = 100;
    if (folds < 2 || folds > kMostFolds) {
        fail(
            ErrorCode::BadInput, "dataset.folds is {}, but must be between 2 and {}", folds,
            kMostFolds);
    }
    if (fold < kNoFold || fold >= folds) {
        fail(
            ErrorCode::BadInput,
            "dataset.fold is {}, but must be between 0 and {} (dataset.folds is {}), or -1 for all "
            "images in training and test",
            fold, folds - 1, folds);
    }
    checkDilation(dilation);
}

} // namespace lockstep
