// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/shape_drawing.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

float disc(float x, float y, float radius)
{
    return std::sqrt(x * x + y * y) - radius;
}

float box(float x, float y, float halfWidth, float halfHeight)
{
    return std::max(std::abs(x) - halfWidth, std::abs(y) - halfHeight);
}

float triangle(float x, float y)
{
    // Three half-planes at the distance of half a circumradius; the mirror saves one.
    constexpr float kHalfRootThree = 0.8660254F;
    return std::max(kHalfRootThree * std::abs(x) + 0.5F * y, -y) - 0.5F;
}

float cross(float x, float y)
{
    return std::min(box(x, y, 1.0F, 0.3F), box(x, y, 0.3F, 1.0F));
}

/// Folds the plane over the line through the origin with the normal (nx, ny).
void fold(float& x, float& y, float nx, float ny)
{
    const float distance = std::max(nx * x + ny * y, 0.0F);
    x -= 2.0F * distance * nx;
    y -= 2.0F * distance * ny;
}

float star(float x, float y)
{
    // Five mirror lines bring every point into the upper half of one point of the star; there the
    // border is the segment from the tip (0, 1) to the notch at 36 degrees and radius 0.4.
    constexpr float kCosine36 = 0.80901699F;
    constexpr float kSine36 = 0.58778525F;
    constexpr float kNotch = 0.4F;
    x = std::abs(x);
    fold(x, y, kCosine36, -kSine36);
    fold(x, y, -kCosine36, -kSine36);
    x = std::abs(x);
    constexpr float kEdgeX = kNotch * kSine36;
    constexpr float kEdgeY = kNotch * kCosine36 - 1.0F;
    const float length = std::sqrt(kEdgeX * kEdgeX + kEdgeY * kEdgeY);
    return (kEdgeX * (y - 1.0F) - kEdgeY * x) / length;
}

float crescent(float x, float y)
{
    return std::max(disc(x, y, 1.0F), -disc(x - 0.5F, y, 0.8F));
}

float arrow(float x, float y)
{
    const float head = std::max(0.7071068F * (std::abs(x) + y - 1.0F), -y);
    return std::min(head, box(x, y + 0.45F, 0.28F, 0.5F));
}

float heart(float x, float y)
{
    // A square on its tip with a disc on each of the two upper sides.
    constexpr float kHalf = 0.53F;
    const float u = 0.7071068F * (x + y + 0.2F);
    const float v = 0.7071068F * (y + 0.2F - x);
    return std::min(
        {box(u, v, kHalf, kHalf), disc(u, v - kHalf, kHalf), disc(u - kHalf, v, kHalf)});
}

} // namespace

float shapeDistance(ShapeKind kind, float x, float y)
{
    switch (kind) {
    case ShapeKind::Circle:
        return disc(x, y, 0.9F);
    case ShapeKind::Square:
        return box(x, y, 0.78F, 0.78F);
    case ShapeKind::Triangle:
        return triangle(x, y);
    case ShapeKind::Cross:
        return cross(x, y);
    case ShapeKind::Ring:
        return std::abs(disc(x, y, 0.75F)) - 0.2F;
    case ShapeKind::Star:
        return star(x, y);
    case ShapeKind::Crescent:
        return crescent(x, y);
    case ShapeKind::Frame:
        return std::abs(box(x, y, 0.66F, 0.66F)) - 0.18F;
    case ShapeKind::Arrow:
        return arrow(x, y);
    case ShapeKind::Heart:
        return heart(x, y);
    }
    return 0.0F;
}

/// Blends the colour into every pixel within `reach` of the centre by coverage(x, y), where x and y
/// are pixels from the centre in the axes of the pose.
template<class Coverage>
void Canvas::paint(const Pose& pose, float reach, const Colour& colour, Coverage coverage)
{
    const auto clipped = [](float edge) {
        return std::clamp(static_cast<int>(std::floor(edge)), 0, kSide);
    };
    const int right = clipped(pose.x + reach + 1.0F);
    const int bottom = clipped(pose.y + reach + 1.0F);
    for (int row = clipped(pose.y - reach); row < bottom; ++row) {
        const float dy = static_cast<float>(row) + 0.5F - pose.y;
        for (int column = clipped(pose.x - reach); column < right; ++column) {
            const float dx = static_cast<float>(column) + 0.5F - pose.x;
            const float alpha =
                coverage(pose.cosine * dx + pose.sine * dy, pose.cosine * dy - pose.sine * dx);
            for (int channel = 0; channel < 3; ++channel) {
                float& value = at(channel, row * kSide + column);
                value += alpha * (colour[channel] - value);
            }
        }
    }
}

void Canvas::fillShape(ShapeKind kind, const Pose& pose, const Colour& colour)
{
    constexpr float kFarthestCorner = 1.15F;
    const float scale = 1.0F / pose.radius;
    paint(pose, pose.radius * kFarthestCorner + 1.0F, colour, [&](float x, float y) {
        const float distance = pose.radius * shapeDistance(kind, x * scale, y * scale);
        return std::clamp(0.5F - distance, 0.0F, 1.0F);
    });
}

void Canvas::strokeLine(const Pose& pose, float width, const Colour& colour)
{
    paint(pose, pose.radius + width, colour, [&](float x, float y) {
        return std::clamp(0.5F - box(x, y, pose.radius, 0.5F * width), 0.0F, 1.0F);
    });
}

void Canvas::fillBlob(const Pose& pose, const Colour& colour)
{
    const float scale = 1.0F / (pose.radius * pose.radius);
    paint(pose, pose.radius, colour, [&](float x, float y) {
        return std::max(0.0F, 1.0F - scale * (x * x + y * y));
    });
}

} // namespace lockstep
