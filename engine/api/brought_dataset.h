// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/lockstep.h"
#include "dataset/examples/dataset.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace lockstep {

/// What a program's own data set had to say, kept.
class BroughtDataset final : public Dataset
{
public:
    /// Asks for every example. Error(BadInput) for a data set that can't be one, Error(Data) names
    /// the example that is wrong or could not be made, Error(Cancelled) if `mayGoOn` says so.
    BroughtDataset(
        const api::Dataset& source, Split split, const std::function<bool()>& mayGoOn = {});

    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override { return std::ssize(m_labels); }
    [[nodiscard]] ExampleView example(std::int64_t index) const override;

private:
    void check() const;
    void take(const api::Dataset& source, std::int64_t index);
    [[nodiscard]] std::size_t bytes() const
    {
        return static_cast<std::size_t>(m_info.imageShape.elements());
    }

    DatasetInfo m_info;
    std::vector<std::int32_t> m_labels;
    std::vector<std::uint8_t> m_pixels; ///< of one example after the other
};

} // namespace lockstep
