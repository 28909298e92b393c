// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/synthetic.h"

#include "base/error.h"
#include "base/philox.h"
#include "dataset/formats/shape_drawing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

namespace lockstep {
namespace {

using Colour = Canvas::Colour;
constexpr int kSide = Canvas::kSide;
constexpr int kMiddle = kSide / 2;
constexpr int kKinds = static_cast<int>(kShapeNames.size());
constexpr std::int64_t kMostExamples = 1'000'000;

static_assert(kSyntheticPictureBytes == Canvas::kValues);

Colour randomColour(PhiloxStream& random)
{
    // One after the other: the order in which arguments are evaluated is not laid down.
    Colour colour{};
    for (float& value : colour) {
        value = random.uniform(30.0F, 225.0F);
    }
    return colour;
}

/// A colour at a random distance from `ground`: from hard to tell apart to clear.
Colour contrastingColour(PhiloxStream& random, const Colour& ground)
{
    Colour direction{};
    float squares = 1e-6F;
    for (float& value : direction) {
        value = random.uniform(-1.0F, 1.0F);
        squares += value * value;
    }
    const float contrast = random.uniform(60.0F, 220.0F) / std::sqrt(squares);
    Colour colour{};
    for (std::size_t channel = 0; channel < colour.size(); ++channel) {
        const float value = ground[channel] + contrast * direction[channel];
        // A value out of range is mirrored at the ground's, so that the distance is kept.
        const bool isInside = value >= 0.0F && value <= 255.0F;
        colour[channel] =
            std::clamp(isInside ? value : 2.0F * ground[channel] - value, 0.0F, 255.0F);
    }
    return colour;
}

Canvas::Pose randomPose(PhiloxStream& random, float margin, float smallest, float largest)
{
    Canvas::Pose pose;
    pose.x = random.uniform(margin, kSide - margin);
    pose.y = random.uniform(margin, kSide - margin);
    pose.radius = random.uniform(smallest, largest);
    const float angle = random.uniform(0.0F, 2.0F * std::numbers::pi_v<float>);
    pose.cosine = std::cos(angle);
    pose.sine = std::sin(angle);
    return pose;
}

/// A colour that changes across the picture, with waves.
void fillGround(Canvas& canvas, PhiloxStream& random, const Colour& ground)
{
    const float slopeX = random.uniform(-1.0F, 1.0F);
    const float slopeY = random.uniform(-1.0F, 1.0F);
    const float waveX = random.uniform(-0.8F, 0.8F);
    const float waveY = random.uniform(-0.8F, 0.8F);
    const float height = random.uniform(0.0F, 14.0F);
    for (int row = 0; row < kSide; ++row) {
        for (int column = 0; column < kSide; ++column) {
            const auto x = static_cast<float>(column - kMiddle);
            const auto y = static_cast<float>(row - kMiddle);
            const float change = slopeX * x + slopeY * y + height * std::sin(waveX * x + waveY * y);
            for (int channel = 0; channel < 3; ++channel) {
                canvas.at(channel, row * kSide + column) = ground[channel] + change;
            }
        }
    }
}

void drawLine(Canvas& canvas, PhiloxStream& random)
{
    const auto pose = randomPose(random, 0.0F, 4.0F, 14.0F);
    const float width = random.uniform(0.8F, 2.2F);
    canvas.strokeLine(pose, width, randomColour(random));
}

/// What is there to lead astray: spots and lines, before the shape is drawn.
void drawClutter(Canvas& canvas, PhiloxStream& random)
{
    for (std::uint32_t blobs = random.below(3); blobs > 0; --blobs) {
        const auto pose = randomPose(random, 0.0F, 3.0F, 9.0F);
        canvas.fillBlob(pose, randomColour(random));
    }
    for (std::uint32_t lines = random.below(3); lines > 0; --lines) {
        drawLine(canvas, random);
    }
}

/// Four random bytes summed are near enough to a normal distribution, at a tenth of its price.
float roughlyNormal(PhiloxStream& random)
{
    const std::uint32_t bits = random.next();
    const std::uint32_t sum =
        (bits & 255U) + ((bits >> 8U) & 255U) + ((bits >> 16U) & 255U) + (bits >> 24U);
    constexpr float kMean = 510.0F;
    constexpr float kDeviation = 147.8F; // sqrt(4 * (256^2 - 1) / 12)
    return (static_cast<float>(sum) - kMean) / kDeviation;
}

void roundWithNoise(Canvas& canvas, PhiloxStream& random, std::span<std::uint8_t> pixels)
{
    const float deviation = random.uniform(3.0F, 16.0F);
    std::size_t next = 0;
    for (int channel = 0; channel < 3; ++channel) {
        for (int pixel = 0; pixel < Canvas::kPixels; ++pixel) {
            const float value =
                canvas.at(channel, pixel) + deviation * roughlyNormal(random) + 0.5F;
            pixels[next++] = static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F));
        }
    }
}

/// Every pixel becomes a square of `scale` a side, plane by plane.
void enlarge(std::span<const std::uint8_t> small, int scale, std::span<std::uint8_t> large)
{
    const auto side = static_cast<std::size_t>(kSide);
    const auto factor = static_cast<std::size_t>(scale);
    const std::size_t width = side * factor;
    for (std::size_t row = 0; row < large.size() / width; ++row) {
        for (std::size_t column = 0; column < width; ++column) {
            // Planes lie one after the other, so that their rows do.
            large[row * width + column] = small[row / factor * side + column / factor];
        }
    }
}

class Synthetic final : public Dataset
{
public:
    Synthetic(Split split, std::uint64_t seed, std::int64_t examples, int scale)
        : m_info{
            .name = "synthetic",
            .split = std::string(toString(split)),
            .imageShape = {std::int64_t{kSide} * scale, std::int64_t{kSide} * scale, 3},
            .pixelOrder = PixelOrder::Planar,
            .classNames = {kShapeNames.begin(), kShapeNames.end()}},
          m_pictureBytes(static_cast<std::size_t>(m_info.imageShape.elements())),
          m_labels(static_cast<std::size_t>(examples)),
          m_pixels(static_cast<std::size_t>(examples) * m_pictureBytes)
    {
        std::vector<std::uint8_t> drawn(static_cast<std::size_t>(kSyntheticPictureBytes));
        for (std::int64_t index = 0; index < examples; ++index) {
            m_labels[static_cast<std::size_t>(index)] =
                drawSyntheticExample(seed, split, index, drawn);
            const std::size_t place = static_cast<std::size_t>(index) * m_pictureBytes;
            enlarge(drawn, scale, std::span(m_pixels).subspan(place, m_pictureBytes));
        }
    }

    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override
    {
        return static_cast<std::int64_t>(m_labels.size());
    }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        const std::size_t place = static_cast<std::size_t>(index) * m_pictureBytes;
        return {
            std::span(m_pixels).subspan(place, m_pictureBytes),
            m_labels[static_cast<std::size_t>(index)]};
    }

private:
    DatasetInfo m_info;
    std::size_t m_pictureBytes;
    std::vector<std::int32_t> m_labels;
    std::vector<std::uint8_t> m_pixels;
};

} // namespace

std::int32_t drawSyntheticExample(
    std::uint64_t seed, Split split, std::int64_t index, std::span<std::uint8_t> pixels)
{
    require(
        std::ssize(pixels) == kSyntheticPictureBytes, "a synthetic picture has 3 × 32 × 32 bytes");
    const auto label = static_cast<std::int32_t>(index % kKinds);
    // The splits take the place of epochs in the stream's number: no stream is in both.
    PhiloxStream random(
        seed, RandomPurpose::Synthetic, static_cast<std::uint32_t>(split),
        static_cast<std::uint32_t>(index));
    Canvas canvas;
    const Colour ground = randomColour(random);
    fillGround(canvas, random, ground);
    drawClutter(canvas, random);
    const auto pose = randomPose(random, 13.0F, 6.5F, 10.5F);
    canvas.fillShape(static_cast<ShapeKind>(label), pose, contrastingColour(random, ground));
    if (random.below(3) == 0) {
        drawLine(canvas, random);
    }
    roundWithNoise(canvas, random, pixels);
    return label;
}

std::unique_ptr<Dataset> openSynthetic(
    Split split, std::uint64_t seed, std::int64_t examples, int scale)
{
    if (examples < 1 || examples > kMostExamples) {
        fail(
            ErrorCode::BadInput, "synthetic data set: {} examples asked for; ask for 1 to {}",
            examples, kMostExamples);
    }
    if (scale < 1) {
        fail(ErrorCode::BadInput, "synthetic data set: pictures can't be {} times as large", scale);
    }
    return std::make_unique<Synthetic>(split, seed, examples, scale);
}

std::unique_ptr<Dataset> openSynthetic(Split split, std::uint64_t seed)
{
    return openSynthetic(split, seed, defaultSyntheticExamples(split));
}

} // namespace lockstep
