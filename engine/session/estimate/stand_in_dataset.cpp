// SPDX-License-Identifier: Apache-2.0
#include "session/estimate/stand_in_dataset.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lockstep {
namespace {

constexpr std::int64_t kImages = 16;
constexpr std::int64_t kLeastSide = 32; ///< as CIFAR-10, of which a part is read

class StandIn final : public Dataset
{
public:
    StandIn(const NetworkSpec& network, std::int64_t examples) : m_size(examples)
    {
        const Shape& input = network.inputShape();
        m_info.name = "stand_in";
        m_info.split = toString(Split::Train);
        m_info.hasMasks = network.maskShape.has_value();
        const std::int64_t least = m_info.hasMasks ? 1 : kLeastSide;
        m_info.imageShape = {
            std::max(least, input.height), std::max(least, input.width), input.channels};
        m_info.classNames.resize(static_cast<std::size_t>(network.classes));
        m_pixels.resize(static_cast<std::size_t>(kImages * m_info.imageShape.elements()));
        for (std::size_t i = 0; i < m_pixels.size(); ++i) {
            m_pixels[i] = static_cast<std::uint8_t>((i * 2654435761U) >> 13U); // Knuth's multiplier
        }
        if (m_info.hasMasks) {
            m_mask.assign(
                static_cast<std::size_t>(m_info.imageShape.height * m_info.imageShape.width), 1);
        }
    }

    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override { return m_size; }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        const auto bytes = static_cast<std::size_t>(m_info.imageShape.elements());
        ExampleView view;
        view.pixels =
            std::span(m_pixels).subspan(static_cast<std::size_t>(index % kImages) * bytes, bytes);
        view.label =
            static_cast<std::int32_t>(index % static_cast<std::int64_t>(m_info.classNames.size()));
        if (m_info.hasMasks && view.label > 0) {
            view.mask = m_mask;
        }
        return view;
    }

private:
    DatasetInfo m_info;
    std::int64_t m_size;
    std::vector<std::uint8_t> m_pixels;
    std::vector<std::uint8_t> m_mask;
};

} // namespace

std::unique_ptr<Dataset> openStandIn(const NetworkSpec& network, std::int64_t examples)
{
    return std::make_unique<StandIn>(network, examples);
}

} // namespace lockstep
