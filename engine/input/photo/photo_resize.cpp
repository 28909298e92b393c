// SPDX-License-Identifier: Apache-2.0
#include "input/photo/photo_resize.h"

#include "base/error.h"

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

constexpr std::int64_t kChannels = 3;
constexpr float kUnit = 1.0F / 255.0F;
constexpr std::int64_t kBehindLine = 1; ///< value that mixColumns may read

/// Shares of the pixels before, at, after and two after a place that is `distance` behind its
/// pixel.
std::array<double, 4> cubicShares(double distance)
{
    constexpr double kA = -0.75;
    const auto inner = [](double x) { return ((kA + 2.0) * x - (kA + 3.0)) * x * x + 1.0; };
    const auto outer = [](double x) { return ((kA * x - 5.0 * kA) * x + 8.0 * kA) * x - 4.0 * kA; };
    return {outer(distance + 1.0), inner(distance), inner(1.0 - distance), outer(2.0 - distance)};
}

} // namespace

void PhotoResizer::Axis::add(std::int64_t place, double share)
{
    places.push_back(static_cast<std::int32_t>(place));
    shares.push_back(static_cast<float>(share));
}

void PhotoResizer::Axis::plan(
    std::int64_t count, std::int64_t size, ResizeMethod method, bool isFlipped)
{
    ends.clear();
    places.clear();
    shares.clear();
    const auto n = static_cast<double>(count);
    const auto within = [&](std::int64_t place) {
        return std::clamp<std::int64_t>(place, 0, size - 1);
    };
    for (std::int64_t number = 0; number < count; ++number) {
        const std::int64_t i = isFlipped ? count - 1 - number : number;
        const std::int64_t before = i * size / count;
        const double start = static_cast<double>(i * size) / n;
        const double distance = start - static_cast<double>(before);
        switch (method) {
        case ResizeMethod::Nearest:
            add(within(before), 1.0);
            break;
        case ResizeMethod::Bilinear:
            add(within(before), 1.0 - distance);
            add(within(before + 1), distance);
            break;
        case ResizeMethod::Bicubic: {
            const auto cubic = cubicShares(distance);
            for (std::int64_t tap = 0; tap < std::ssize(cubic); ++tap) {
                add(within(before - 1 + tap), cubic[static_cast<std::size_t>(tap)]);
            }
            break;
        }
        case ResizeMethod::Area: {
            const double end = static_cast<double>((i + 1) * size) / n;
            for (std::int64_t place = before; static_cast<double>(place) < end; ++place) {
                const auto edge = static_cast<double>(place);
                const double covered = std::min(end, edge + 1.0) - std::max(start, edge);
                add(within(place), covered / (end - start));
            }
            break;
        }
        }
        ends.push_back(static_cast<std::int32_t>(places.size()));
    }
}

PhotoResizer::PhotoResizer(std::int64_t height, std::int64_t width)
    : m_height(height), m_width(width)
{
}

std::int64_t PhotoResizer::bytes(std::int64_t height, std::int64_t width, std::int64_t widest)
{
    constexpr std::int64_t kTaps = 4; // of Bicubic; those of Area add up to the image's sides
    constexpr std::int64_t kTapBytes = sizeof(std::int32_t) + sizeof(float);
    constexpr std::int64_t kValueBytes = sizeof(float);
    return (height + width) * (kTaps * kTapBytes + kValueBytes) + 2 * widest * kTapBytes
           + (widest * kChannels + kBehindLine) * kValueBytes
           + widest * std::int64_t{sizeof(SharedRow)};
}

void PhotoResizer::apply(
    const ColourImage& image, ResizeMethod method, bool isFlipped, std::span<float> destination)
{
    require(
        image.height > 0 && image.width > 0
            && std::ssize(destination) == m_height * m_width * kChannels,
        "an image to resize has no pixels, or another size is wanted");
    m_rows.plan(m_height, image.height, method, false);
    m_columns.plan(m_width, image.width, method, isFlipped);
    const std::int64_t lineValues = image.width * kChannels;
    m_line.resize(static_cast<std::size_t>(lineValues + kBehindLine));
    const auto line = std::span(m_line).first(static_cast<std::size_t>(lineValues));
    const auto rowValues = static_cast<std::size_t>(m_width * kChannels);
    std::size_t begin = 0;
    for (std::size_t row = 0; row < m_rows.ends.size(); ++row) {
        const auto end = static_cast<std::size_t>(m_rows.ends[row]);
        m_shared.clear();
        for (std::size_t tap = begin; tap < end; ++tap) {
            m_shared.push_back(
                {image.pixels.data() + m_rows.places[tap] * lineValues,
                 m_rows.shares[tap] * kUnit});
        }
        begin = end;
        mixRows(m_shared, line);
        mixColumns(
            {m_columns.ends, m_columns.places, m_columns.shares}, m_line.data(),
            destination.subspan(row * rowValues, rowValues));
    }
}

} // namespace lockstep
