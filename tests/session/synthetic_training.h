// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/formats/catalog.h"

namespace lockstep::test {

/// The generated training set, made once.
inline const Dataset& trainingSet()
{
    static const auto dataset = openDataset({"synthetic"}, Split::Train);
    return *dataset;
}

} // namespace lockstep::test
