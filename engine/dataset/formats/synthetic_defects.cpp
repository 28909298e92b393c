// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/synthetic_defects.h"

#include "base/error.h"
#include "base/philox.h"
#include "dataset/formats/dilation.h"
#include "dataset/formats/masked_images.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr auto kPixels = static_cast<std::size_t>(kDefectHeight * kDefectWidth);
constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;

struct Point
{
    float x = 0.0F;
    float y = 0.0F;
};

/// Grey levels of one picture, and how much of each pixel a crack covers.
class Surface
{
public:
    explicit Surface(PhiloxStream& random) : m_random(random), m_levels(kPixels), m_cover(kPixels)
    {
    }

    void fillGround()
    {
        const float level = m_random.uniform(110.0F, 150.0F);
        std::array<float, kDefectWidth> streaks{};
        for (float& streak : streaks) {
            streak = m_random.uniform(-5.0F, 5.0F);
        }
        const float waveX = m_random.uniform(-0.08F, 0.08F);
        const float waveY = m_random.uniform(-0.05F, 0.05F);
        const float phase = m_random.uniform(0.0F, kTurn);
        const float height = m_random.uniform(4.0F, 14.0F);
        for (std::size_t i = 0; i < kPixels; ++i) {
            const std::size_t row = i / kDefectWidth;
            const auto x = static_cast<float>(i % kDefectWidth);
            const auto y = static_cast<float>(row);
            const float wave = height * std::sin(waveX * x + waveY * y + phase);
            m_levels[i] = level + streaks[i % kDefectWidth] + wave + m_random.uniform(-9.0F, 9.0F);
        }
    }

    /// Bright and straight, on clean surfaces, too: not everything that stands out is a defect.
    void scratch()
    {
        const Point start = randomPoint();
        const float angle = m_random.uniform(0.0F, kTurn);
        const float length = m_random.uniform(10.0F, 40.0F);
        const float brightness = m_random.uniform(12.0F, 30.0F);
        std::vector<float> cover(kPixels);
        for (int i = 0; 0.5F * static_cast<float>(i) < length; ++i) {
            const float at = 0.5F * static_cast<float>(i);
            stamp(cover, {start.x + at * std::cos(angle), start.y + at * std::sin(angle)}, 0.7F);
        }
        for (std::size_t i = 0; i < kPixels; ++i) {
            m_levels[i] += brightness * cover[i];
        }
    }

    /// Dark, and winding its way.
    void crack()
    {
        Point point{
            m_random.uniform(0.2F * kDefectWidth, 0.8F * kDefectWidth),
            m_random.uniform(0.2F * kDefectHeight, 0.8F * kDefectHeight)};
        float angle = m_random.uniform(0.0F, kTurn);
        const float length = m_random.uniform(30.0F, 80.0F);
        const float darkness = m_random.uniform(45.0F, 80.0F);
        for (int i = 0; 0.5F * static_cast<float>(i) < length; ++i) {
            stamp(m_cover, point, m_random.uniform(0.9F, 1.6F));
            angle += m_random.uniform(-0.25F, 0.25F);
            point.x += 0.5F * std::cos(angle);
            point.y += 0.5F * std::sin(angle);
        }
        for (std::size_t i = 0; i < kPixels; ++i) {
            m_levels[i] -= darkness * m_cover[i];
        }
    }

    [[nodiscard]] GrayImage image() const
    {
        GrayImage image{kDefectHeight, kDefectWidth, std::vector<std::uint8_t>(kPixels)};
        std::ranges::transform(m_levels, image.pixels.begin(), [](float level) {
            return static_cast<std::uint8_t>(std::clamp(level + 0.5F, 0.0F, 255.0F));
        });
        return image;
    }
    [[nodiscard]] GrayImage mask() const
    {
        constexpr float kMost = 0.5F; // half a pixel
        GrayImage mask{kDefectHeight, kDefectWidth, std::vector<std::uint8_t>(kPixels)};
        std::ranges::transform(m_cover, mask.pixels.begin(), [](float cover) {
            return static_cast<std::uint8_t>(cover >= kMost ? 1 : 0);
        });
        return mask;
    }

private:
    Point randomPoint()
    {
        // One after the other: the order in which arguments are evaluated is not laid down.
        const float x = m_random.uniform(0.0F, kDefectWidth);
        const float y = m_random.uniform(0.0F, kDefectHeight);
        return {x, y};
    }

    /// A soft disc.
    static void stamp(std::vector<float>& cover, const Point& middle, float radius)
    {
        const auto centerX = static_cast<std::int64_t>(std::floor(middle.x));
        const auto centerY = static_cast<std::int64_t>(std::floor(middle.y));
        constexpr std::int64_t kReach = 3;
        for (std::int64_t y = std::max<std::int64_t>(0, centerY - kReach);
             y <= std::min(kDefectHeight - 1, centerY + kReach); ++y) {
            for (std::int64_t x = std::max<std::int64_t>(0, centerX - kReach);
                 x <= std::min(kDefectWidth - 1, centerX + kReach); ++x) {
                const float distance = std::hypot(
                    static_cast<float>(x) + 0.5F - middle.x,
                    static_cast<float>(y) + 0.5F - middle.y);
                float& value = cover[static_cast<std::size_t>(y * kDefectWidth + x)];
                value = std::max(value, std::clamp(radius + 0.5F - distance, 0.0F, 1.0F));
            }
        }
    }

    PhiloxStream& m_random;
    std::vector<float> m_levels;
    std::vector<float> m_cover;
};

MaskedImage draw(Split split, const DefectSettings& settings, std::int64_t index)
{
    // The splits take the place of epochs in the stream's number: no stream is in both.
    PhiloxStream random(
        settings.seed, RandomPurpose::SyntheticDefects, static_cast<std::uint32_t>(split),
        static_cast<std::uint32_t>(index));
    Surface surface(random);
    surface.fillGround();
    for (std::uint32_t scratches = random.below(4); scratches > 0; --scratches) {
        surface.scratch();
    }
    MaskedImage drawn;
    drawn.name = std::to_string(index);
    if (index % 2 == 1) {
        surface.crack();
        GrayImage mask = surface.mask();
        dilate(mask, settings.dilation);
        drawn.mask = std::move(mask.pixels);
    }
    drawn.image = surface.image();
    return drawn;
}

} // namespace

std::unique_ptr<Dataset> openSyntheticDefects(Split split, const DefectSettings& settings)
{
    constexpr std::int64_t kMostExamples = 100'000;
    if (settings.examples < 2 || settings.examples > kMostExamples) {
        fail(
            ErrorCode::BadInput,
            "synthetic_defects data set: {} examples asked for; ask for 2 to {}", settings.examples,
            kMostExamples);
    }
    checkDilation(settings.dilation);
    std::vector<MaskedImage> images;
    for (std::int64_t index = 0; index < settings.examples; ++index) {
        images.push_back(draw(split, settings, index));
    }
    return std::make_unique<MaskedImages>("synthetic_defects", split, std::move(images));
}

} // namespace lockstep
