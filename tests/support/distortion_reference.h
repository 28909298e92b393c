// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/philox.h"
#include "dataset/examples/dataset.h"
#include "input/distortion.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::test {

/// The distortions as they are defined, one after the other, in double: the oracle of the
/// Distorter. Values are height x width x channels.
class DistortionReference
{
public:
    DistortionReference(const DistortionSettings& settings, const Shape& image, PixelOrder order)
        : m_settings(settings), m_image(image), m_order(order)
    {
    }

    [[nodiscard]] std::vector<double> distort(
        std::span<const std::uint8_t> pixels, std::uint64_t seed, std::uint32_t epoch,
        std::uint32_t example) const
    {
        PhiloxStream stream(seed, RandomPurpose::Distortion, epoch, example);
        const auto& s = m_settings;
        const std::int64_t freeRows = m_image.height - s.cropHeight;
        const std::int64_t freeColumns = m_image.width - s.cropWidth;
        const std::int64_t row = stream.below(static_cast<std::uint32_t>(freeRows) + 1);
        const std::int64_t column = stream.below(static_cast<std::uint32_t>(freeColumns) + 1);
        const bool isFlipped = stream.next() % 2 == 1;
        const double delta = stream.uniform(-s.brightnessDelta, s.brightnessDelta);
        const double factor = stream.uniform(s.contrastLow, s.contrastHigh);

        auto values = crop(pixels, s.crop ? row : freeRows / 2, s.crop ? column : freeColumns / 2);
        if (s.flip && isFlipped) {
            flip(values);
        }
        if (s.brightness) {
            brighten(values, delta);
        }
        if (s.contrast) {
            stretch(values, factor);
        }
        if (s.standardize) {
            standardize(values);
        }
        return values;
    }

private:
    [[nodiscard]] double pixel(
        std::span<const std::uint8_t> pixels, std::int64_t y, std::int64_t x, std::int64_t c) const
    {
        const std::int64_t place = m_order == PixelOrder::Planar
                                       ? (c * m_image.height + y) * m_image.width + x
                                       : (y * m_image.width + x) * m_image.channels + c;
        return pixels[static_cast<std::size_t>(place)];
    }

    [[nodiscard]] std::vector<double> crop(
        std::span<const std::uint8_t> pixels, std::int64_t row, std::int64_t column) const
    {
        std::vector<double> values;
        for (std::int64_t y = 0; y < m_settings.cropHeight; ++y) {
            for (std::int64_t x = 0; x < m_settings.cropWidth; ++x) {
                for (std::int64_t c = 0; c < m_image.channels; ++c) {
                    values.push_back(pixel(pixels, row + y, column + x, c));
                }
            }
        }
        return values;
    }

    void flip(std::vector<double>& values) const
    {
        const std::int64_t width = m_settings.cropWidth;
        const auto original = values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto place = static_cast<std::int64_t>(i);
            const std::int64_t c = place % m_image.channels;
            const std::int64_t x = place / m_image.channels % width;
            const std::int64_t y = place / m_image.channels / width;
            values[i] = original[static_cast<std::size_t>(
                (y * width + width - 1 - x) * m_image.channels + c)];
        }
    }

    static void brighten(std::vector<double>& values, double delta)
    {
        for (auto& value : values) {
            value += delta;
        }
    }

    void stretch(std::vector<double>& values, double factor) const
    {
        const auto channels = static_cast<std::size_t>(m_image.channels);
        for (std::size_t c = 0; c < channels; ++c) {
            double mean = 0.0;
            for (std::size_t i = c; i < values.size(); i += channels) {
                mean +=
                    values[i] * static_cast<double>(channels) / static_cast<double>(values.size());
            }
            for (std::size_t i = c; i < values.size(); i += channels) {
                values[i] = (values[i] - mean) * factor + mean;
            }
        }
    }

    static void standardize(std::vector<double>& values)
    {
        const auto count = static_cast<double>(values.size());
        double mean = 0.0;
        for (const double value : values) {
            mean += value / count;
        }
        double variance = 0.0;
        for (const double value : values) {
            variance += (value - mean) * (value - mean) / count;
        }
        const double deviation = std::max(std::sqrt(variance), 1.0 / std::sqrt(count));
        for (auto& value : values) {
            value = (value - mean) / deviation;
        }
    }

    DistortionSettings m_settings;
    Shape m_image;
    PixelOrder m_order;
};

} // namespace lockstep::test
