// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"

#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace lockstep::test {

/// A data set in memory for tests: `size` images of random bytes, which differ from example to
/// example, and labels 0 … 9 in turn. `onExample` is called before each example is handed out, on
/// the thread that asks: to count, to wait or to throw.
class FakeDataset : public Dataset
{
public:
    using Hook = std::function<void(std::int64_t)>;

    explicit FakeDataset(
        std::int64_t size, const Shape& imageShape = {32, 32, 3},
        PixelOrder order = PixelOrder::Planar, Hook onExample = {})
        : m_size(size), m_onExample(std::move(onExample))
    {
        m_info = {"fake", "train", imageShape, order, std::vector<std::string>(10, "class")};
        m_pixels.resize(static_cast<std::size_t>(size * imageShape.elements()));
        std::mt19937 generator(20160712);
        for (auto& pixel : m_pixels) {
            pixel = static_cast<std::uint8_t>(generator() >> 24U);
        }
    }

    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override { return m_size; }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        if (m_onExample) {
            m_onExample(index);
        }
        const auto elements = static_cast<std::size_t>(m_info.imageShape.elements());
        const auto pixels = std::span(m_pixels);
        return {
            pixels.subspan(static_cast<std::size_t>(index) * elements, elements),
            static_cast<std::int32_t>(index % 10)};
    }

private:
    DatasetInfo m_info;
    std::int64_t m_size;
    std::vector<std::uint8_t> m_pixels;
    Hook m_onExample;
};

} // namespace lockstep::test
