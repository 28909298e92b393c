// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/encoded_dataset.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace lockstep {

/// Checks the structure of every image of data sets that were too large for that when they were
/// opened (EncodedDataset::isChecked), on a thread of its own beside the first steps. What it finds
/// it leaves in their DamageLogs: nothing that is trained depends on it.
class DataCheck
{
public:
    /// `tell` is called on that thread, once, when all are checked. The data sets must outlive it.
    DataCheck(
        std::vector<const EncodedDataset*> datasets, std::function<void(const std::string&)> tell);

private:
    void work(const std::stop_token& stop) const;

    std::vector<const EncodedDataset*> m_datasets;
    std::function<void(const std::string&)> m_tell;
    std::jthread m_thread; ///< last: it needs the others
};

} // namespace lockstep
