// SPDX-License-Identifier: Apache-2.0
#include "session/events/event_pictures.h"
#include "support/lockstep_test.h"

#include <QImage>

#include <array>
#include <limits>
#include <vector>

using namespace lockstep;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLeast = std::numeric_limits<float>::denorm_min();
constexpr float kMost = std::numeric_limits<float>::max();

using Greys = std::vector<int>;

QImage decoded(const PngImage& image)
{
    return QImage::fromData(QByteArray::fromStdString(image.bytes), "PNG");
}

/// The grey of each of some values in a row.
Greys pictured(const std::vector<float>& values)
{
    const auto width = static_cast<std::int64_t>(values.size());
    const QImage picture = decoded(pictureOf(values, {1, width, 1}));
    Greys greys;
    for (int i = 0; i < picture.width(); ++i) {
        greys.push_back(qGray(picture.pixel(i, 0)));
    }
    return greys;
}

/// The grey of each of some weights of one filter of a row: four pixels wide each.
Greys drawn(const std::vector<float>& weights)
{
    const auto width = static_cast<std::int64_t>(weights.size());
    const QImage sheet = decoded(filterSheet(weights, std::array<std::int64_t, 4>{1, 1, 1, width}));
    Greys greys;
    for (int i = 0; i < sheet.width(); i += 4) {
        greys.push_back(qGray(sheet.pixel(i, 0)));
    }
    return greys;
}

} // namespace

class TestEventPictures : public QObject
{
    Q_OBJECT

private slots:
    static void Picture_spansFromItsZeroToTheLargest();
    static void Picture_withoutNumbers_isGreyThere();
    static void Sheet_withoutNumbers_isGreyThere();
    static void Extremes_ofFloat_spanTheSame();
};

void TestEventPictures::Picture_spansFromItsZeroToTheLargest()
{
    QCOMPARE(pictured({0.0F, 1.0F, 2.0F}), (Greys{0, 128, 255}));
    QCOMPARE(pictured({-2.0F, 0.0F, 2.0F}), (Greys{0, 127, 255}));
    QCOMPARE(pictured({0.0F, 0.0F}), (Greys{0, 0}));
}

void TestEventPictures::Picture_withoutNumbers_isGreyThere()
{
    QCOMPARE(pictured({kInfinity, 0.0F, 2.0F, kNan}), (Greys{127, 0, 255, 127}));
    QCOMPARE(pictured({-kInfinity, 0.0F, 2.0F}), (Greys{127, 0, 255}));
    QCOMPARE(pictured({kNan, -1.0F, 0.0F, 1.0F}), (Greys{127, 0, 127, 255}));
    QCOMPARE(pictured({kInfinity, kNan}), (Greys{127, 127}));
}

void TestEventPictures::Sheet_withoutNumbers_isGreyThere()
{
    QCOMPARE(drawn({-2.0F, 0.0F, 2.0F}), (Greys{0, 127, 254}));
    QCOMPARE(
        drawn({-2.0F, kInfinity, 0.0F, -kInfinity, 2.0F, kNan}),
        (Greys{0, 127, 127, 127, 254, 127}));
    QCOMPARE(drawn({kNan, kInfinity}), (Greys{127, 127}));
    QCOMPARE(drawn({0.0F, 0.0F}), (Greys{127, 127}));
}

void TestEventPictures::Extremes_ofFloat_spanTheSame()
{
    QCOMPARE(drawn({-kLeast, 0.0F, kLeast}), (Greys{0, 127, 254}));
    QCOMPARE(drawn({-kMost, 0.0F, kMost}), (Greys{0, 127, 254}));
    QCOMPARE(pictured({0.0F, kLeast}), (Greys{0, 255}));
    QCOMPARE(pictured({0.0F, kMost}), (Greys{0, 255}));
}

LOCKSTEP_TEST(TestEventPictures)
#include "test_event_pictures.moc"
