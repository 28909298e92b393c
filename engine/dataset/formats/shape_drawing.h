// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep {

/// The kinds of shapes of the synthetic data set; the value is the label.
enum class ShapeKind : std::uint8_t {
    Circle,
    Square,
    Triangle,
    Cross,
    Ring,
    Star,
    Crescent,
    Frame,
    Arrow,
    Heart,
};

/// Name of each kind, by label.
inline constexpr std::array<std::string_view, 10> kShapeNames{
    "circle", "square", "triangle", "cross", "ring", "star", "crescent", "frame", "arrow", "heart"};

/// Distance of the point (x, y) from the border of the shape, negative inside, for a shape of about
/// radius 1 around the origin. Exact near the border; further off it may be too small, which does
/// not matter for filling. The constructions are those of Quilez, "2D distance functions"
/// (https://iquilezles.org/articles/distfunctions2d), put together from half-planes, boxes and
/// discs.
[[nodiscard]] float shapeDistance(ShapeKind kind, float x, float y);

/// A picture being drawn: three planes (red, green, blue) of 32 x 32 values, 0 to 255. The pixel in
/// row r and column c covers the square from (c, r) to (c + 1, r + 1).
class Canvas
{
public:
    static constexpr int kSide = 32;
    static constexpr int kPixels = kSide * kSide;
    static constexpr std::size_t kValues = std::size_t{3} * kPixels;
    using Colour = std::array<float, 3>;

    /// Centre, radius and rotation (cosine and sine) of something drawn, in pixels.
    struct Pose
    {
        float x = 0.0F;
        float y = 0.0F;
        float radius = 1.0F;
        float cosine = 1.0F;
        float sine = 0.0F;
    };

    /// The value of pixel `pixel` (row by row) in plane `channel`.
    [[nodiscard]] float& at(int channel, int pixel) { return m_values[channel * kPixels + pixel]; }

    /// Fills a shape; its edge is blended over one pixel.
    void fillShape(ShapeKind kind, const Pose& pose, const Colour& colour);
    /// A straight stroke through the pose's centre, as long as its diameter and `width` pixels
    /// wide.
    void strokeLine(const Pose& pose, float width, const Colour& colour);
    /// A spot that fades out from the centre to the radius.
    void fillBlob(const Pose& pose, const Colour& colour);

private:
    template<class Coverage>
    void paint(const Pose& pose, float reach, const Colour& colour, Coverage coverage);

    std::array<float, kValues> m_values{};
};

} // namespace lockstep
