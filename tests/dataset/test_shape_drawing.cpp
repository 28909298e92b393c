// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/shape_drawing.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <numbers>

using namespace lockstep;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr Canvas::Colour kWhite{255.0F, 255.0F, 255.0F};

/// What two discs of radii 1 and r with centres d apart have in common, by integration.
double lensArea(double r, double d)
{
    constexpr int kSlices = 200'000;
    double area = 0.0;
    for (int i = 0; i < kSlices; ++i) {
        const double x = -1.0 + (i + 0.5) * 2.0 / kSlices;
        const double first = 1.0 - x * x;
        const double second = r * r - (x - d) * (x - d);
        if (second > 0.0) {
            area += 2.0 * std::sqrt(std::min(first, second)) * 2.0 / kSlices;
        }
    }
    return area;
}

Canvas::Pose poseAt(float x, float y, float radius, float degrees)
{
    const float angle = degrees * std::numbers::pi_v<float> / 180.0F;
    return {x, y, radius, std::cos(angle), std::sin(angle)};
}

/// Pixels covered, edges in proportion.
double coveredPixels(Canvas& canvas, int channel)
{
    double sum = 0.0;
    for (int pixel = 0; pixel < Canvas::kPixels; ++pixel) {
        sum += canvas.at(channel, pixel) / 255.0;
    }
    return sum;
}

/// The value of the pixel in this row and column of the red plane.
float red(Canvas& canvas, int row, int column)
{
    return canvas.at(0, row * Canvas::kSide + column);
}

} // namespace

class TestShapeDrawing : public QObject
{
    Q_OBJECT

private slots:
    void FillShape_anyRotation_coversTheAreaOfTheFigure_data();
    void FillShape_anyRotation_coversTheAreaOfTheFigure();
    void FillShape_quarterTurn_turnsFromColumnsToRows();
    void FillShape_partlyOutside_isCutOff();
    void FillShape_coloursOfPlanes_areKeptApart();
    void StrokeLine_lengthAndWidth_areThoseAskedFor();
    void FillBlob_fadesOut();
};

void TestShapeDrawing::FillShape_anyRotation_coversTheAreaOfTheFigure_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("area"); // of the figure of radius 1, by elementary geometry
    const auto add = [](ShapeKind kind, double area) {
        QTest::newRow(kShapeNames[static_cast<std::size_t>(kind)].data())
            << static_cast<int>(kind) << area;
    };
    add(ShapeKind::Circle, kPi * 0.9 * 0.9);
    add(ShapeKind::Square, 1.56 * 1.56);
    add(ShapeKind::Triangle, 0.75 * std::sqrt(3.0));
    add(ShapeKind::Cross, 2.0 * (2.0 * 0.6) - 0.6 * 0.6);
    add(ShapeKind::Ring, kPi * (0.95 * 0.95 - 0.55 * 0.55));
    add(ShapeKind::Star, 10.0 * 0.5 * 1.0 * 0.4 * std::sin(kPi / 5.0));
    add(ShapeKind::Crescent, kPi - lensArea(0.8, 0.5));
    add(ShapeKind::Frame, 1.68 * 1.68 - 0.96 * 0.96);
    add(ShapeKind::Arrow, 1.0 + 0.56 * 0.95);
    add(ShapeKind::Heart, 1.06 * 1.06 + kPi * 0.53 * 0.53);
}

void TestShapeDrawing::FillShape_anyRotation_coversTheAreaOfTheFigure()
{
    QFETCH(const int, kind);
    QFETCH(const double, area);
    constexpr float kRadius = 12.0F;
    for (int degrees = 0; degrees < 360; degrees += 23) {
        Canvas canvas;
        canvas.fillShape(
            static_cast<ShapeKind>(kind),
            poseAt(16.3F, 15.6F, kRadius, static_cast<float>(degrees)), kWhite);
        // Blending over one pixel is coarse at corners: 2.5 per cent.
        const double expected = area * kRadius * kRadius;
        QVERIFY2(
            std::abs(coveredPixels(canvas, 0) - expected) < 0.025 * expected,
            qPrintable(QString("%1 degrees: %2 pixels, not %3")
                           .arg(degrees)
                           .arg(coveredPixels(canvas, 0))
                           .arg(expected)));
    }
}

void TestShapeDrawing::FillShape_quarterTurn_turnsFromColumnsToRows()
{
    Canvas upright;
    upright.fillShape(ShapeKind::Arrow, poseAt(16.0F, 16.0F, 10.0F, 0.0F), kWhite);
    Canvas turned;
    turned.fillShape(ShapeKind::Arrow, poseAt(16.0F, 16.0F, 10.0F, 90.0F), kWhite);
    // A quarter turn takes the point (x, y) to (-y, x), so pixel (r, c) to (c, 31 - r).
    for (int row = 0; row < 32; ++row) {
        for (int column = 0; column < 32; ++column) {
            QVERIFY(std::abs(red(upright, row, column) - red(turned, column, 31 - row)) < 0.1F);
        }
    }
    QVERIFY(red(upright, 24, 16) > 250.0F); // the tip: away from the origin along y
    QVERIFY(red(upright, 16, 24) > 125.0F); // a barb
    QVERIFY(red(upright, 8, 24) < 1.0F);    // beside the shaft
}

void TestShapeDrawing::FillShape_partlyOutside_isCutOff()
{
    Canvas whole;
    whole.fillShape(ShapeKind::Circle, poseAt(16.0F, 16.0F, 10.0F, 0.0F), kWhite);
    Canvas corner;
    corner.fillShape(ShapeKind::Circle, poseAt(0.0F, 32.0F, 10.0F, 0.0F), kWhite);
    QVERIFY(std::abs(coveredPixels(corner, 0) - 0.25 * coveredPixels(whole, 0)) < 0.01);
    Canvas outside;
    outside.fillShape(ShapeKind::Circle, poseAt(-50.0F, 16.0F, 10.0F, 0.0F), kWhite);
    QCOMPARE(coveredPixels(outside, 0), 0.0);
}

void TestShapeDrawing::FillShape_coloursOfPlanes_areKeptApart()
{
    Canvas canvas;
    canvas.fillShape(ShapeKind::Square, poseAt(16.0F, 16.0F, 10.0F, 0.0F), {10.0F, 20.0F, 30.0F});
    for (int channel = 0; channel < 3; ++channel) {
        QCOMPARE(canvas.at(channel, 16 * 32 + 16), 10.0F * static_cast<float>(channel + 1));
        QCOMPARE(canvas.at(channel, 0), 0.0F);
    }
}

void TestShapeDrawing::StrokeLine_lengthAndWidth_areThoseAskedFor()
{
    for (const float degrees : {0.0F, 30.0F, 90.0F, 200.0F}) {
        Canvas canvas;
        canvas.strokeLine(poseAt(16.0F, 16.0F, 10.0F, degrees), 2.0F, kWhite);
        QVERIFY(std::abs(coveredPixels(canvas, 1) - 20.0 * 2.0) < 1.5);
    }
}

void TestShapeDrawing::FillBlob_fadesOut()
{
    Canvas canvas;
    canvas.fillBlob(poseAt(16.5F, 16.5F, 8.0F, 0.0F), kWhite);
    QCOMPARE(red(canvas, 16, 16), 255.0F);
    QCOMPARE(red(canvas, 16, 20), 255.0F * 0.75F); // 1 - (4 / 8)^2
    QCOMPARE(red(canvas, 20, 16), 255.0F * 0.75F);
    QCOMPARE(red(canvas, 16, 24), 0.0F);
}

LOCKSTEP_TEST(TestShapeDrawing)
#include "test_shape_drawing.moc"
