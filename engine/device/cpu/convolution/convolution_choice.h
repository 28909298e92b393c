// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/algorithm_store.h"
#include "device/device.h"
#include "device/op.h"
#include "network/layer_spec.h"

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace lockstep::cpu {

/// Which way to work out a convolution is the fastest, by measurement: where counting can't tell,
/// since processors multiply bfloat16 at one to sixteen times the rate of float32. What was
/// measured once is kept for all later processes. Several threads may ask at once; they wait for
/// each other.
class ConvolutionChoice
{
public:
    /// Ops work in memory of this device, which makes them. `file` as AlgorithmStore's.
    ConvolutionChoice(const HostDevice& device, std::filesystem::path file);

    /// Whether this is for it: training in bfloat16, and not so little work that time is lost.
    static bool suits(const Conv2d& conv, const OpPlan& plan);

    /// The fastest of `ways`, texts for OpPlan::algorithm; the first loses the fewest digits and is
    /// taken unless another one is clearly faster. `plan` is that of an op which is yet to be
    /// planned; its answer about choices is filled in. Error(Cancelled), see Planning.
    std::string fastest(const Conv2d& conv, OpPlan& plan, const std::vector<std::string>& ways);

private:
    struct Timed
    {
        std::string way;
        double seconds = 0.0; ///< of a pass forward and one backward
    };
    [[nodiscard]] Timed measure(
        const Conv2d& conv, const OpPlan& plan, const std::vector<std::string>& ways) const;

    const HostDevice& m_device;
    std::mutex m_lock; ///< of the store, and of the processors while something is timed
    AlgorithmStore m_store;
};

} // namespace lockstep::cpu
