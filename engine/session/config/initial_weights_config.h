// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lockstep {

/// The [initial_weights] table of a configuration: a new run begins, at step 0, with weights of
/// another training (fine-tuning).
struct InitialWeightsConfig
{
    /// A checkpoint, another safetensors file, a run or a folder of checkpoints, whose newest good
    /// one it then is; empty: random weights.
    std::string checkpoint;
    std::string weights = "auto"; ///< average, raw, or auto: average where there are some
    /// That begin at random weights although theirs would fit.
    std::vector<std::string> freshLayers = {};

    bool operator==(const InitialWeightsConfig&) const = default;

    [[nodiscard]] bool isGiven() const { return !checkpoint.empty(); }
    /// Checks what can be checked without the file. Error(BadInput) names the key.
    void validate() const;
};

} // namespace lockstep
