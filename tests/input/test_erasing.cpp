// SPDX-License-Identifier: Apache-2.0
#include "input/batch_builder.h"
#include "input/erasing.h"
#include "support/failure_of.h"
#include "support/fake_dataset.h"
#include "support/lockstep_test.h"

#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr Shape kShape{24, 24, 3};

PipelineSettings settingsWith(double erase)
{
    PipelineSettings settings;
    settings.globalBatch = 16;
    settings.distortion.erase = erase;
    return settings;
}

} // namespace

class TestErasing : public QObject
{
    Q_OBJECT

private slots:
    void Draw_manyExamples_erasesTheShareWithinTheBounds();
    void Draw_placesOfABox_areEquallyLikely();
    void Batch_isTheSameButForTheBoxes();
    void Batch_notStandardised_isFilledWithMidGrey();
    void Photograph_isFilledWithMidGrey();
    void Evaluation_erasesNothing();
    void Settings_unusable_areRefused();
};

void TestErasing::Draw_manyExamples_erasesTheShareWithinTheBounds()
{
    constexpr int kDraws = 20'000;
    const Shape image{100, 80, 3};
    int erased = 0;
    double logarithms = 0.0;
    for (std::uint32_t i = 0; i < kDraws; ++i) {
        const auto box = drawErasing(0.25, image, 3, {i % 2, i});
        if (!box) {
            continue;
        }
        ++erased;
        QVERIFY(box->row >= 0 && box->row + box->height <= image.height);
        QVERIFY(box->column >= 0 && box->column + box->width <= image.width);
        const auto height = static_cast<double>(box->height);
        const auto width = static_cast<double>(box->width);
        // Each side is rounded by up to half a pixel.
        QVERIFY((height + 0.5) * (width + 0.5) >= 0.02 * 8000.0);
        QVERIFY((height - 0.5) * (width - 0.5) <= 0.333 * 8000.0);
        QVERIFY((height + 0.5) / (width - 0.5) >= 0.3 && (height - 0.5) / (width + 0.5) <= 3.3);
        logarithms += std::log(height / width);
    }
    // Binomial: deviation sqrt(20000 x 0.25 x 0.75) = 61; five of them, and the few that never fit.
    QVERIFY2(std::abs(erased - kDraws / 4) < 320, qPrintable(QString::number(erased)));
    // Evenly from log 0.3 to log 3.3: mean -0.005, deviation 0.69 of one; wide boxes fit less
    // often.
    QVERIFY2(
        std::abs(logarithms / erased) < 0.15, qPrintable(QString::number(logarithms / erased)));
    QVERIFY(!drawErasing(0.0, image, 3, {0, 1}));
    QVERIFY(drawErasing(1.0, image, 3, {0, 1}) == drawErasing(1.0, image, 3, {0, 1}));
    QVERIFY(drawErasing(1.0, image, 3, {0, 1}) != drawErasing(1.0, image, 3, {1, 1}));
    QVERIFY(drawErasing(1.0, image, 3, {0, 1}) != drawErasing(1.0, image, 4, {0, 1}));
}

void TestErasing::Draw_placesOfABox_areEquallyLikely()
{
    double rows = 0.0;
    double columns = 0.0;
    constexpr std::uint32_t kDraws = 4000;
    for (std::uint32_t i = 0; i < kDraws; ++i) {
        const CropBox box = drawErasing(1.0, {64, 64, 1}, 1, {0, i}).value();
        rows += static_cast<double>(box.row) / static_cast<double>(64 - box.height);
        columns += static_cast<double>(box.column) / static_cast<double>(64 - box.width);
    }
    // Evenly from 0 to 1: deviation of the mean 0.29 / sqrt(4000) = 0.0046.
    QVERIFY(std::abs(rows / kDraws - 0.5) < 0.025);
    QVERIFY(std::abs(columns / kDraws - 0.5) < 0.025);
}

void TestErasing::Batch_isTheSameButForTheBoxes()
{
    const FakeDataset dataset(40);
    const Batch plain = makeBatch(dataset, settingsWith(0.0), 1);
    const Batch erased = makeBatch(dataset, settingsWith(0.5), 1);
    QVERIFY(plain.ids == erased.ids && plain.labels == erased.labels);
    int boxes = 0;
    for (std::int64_t example = 0; example < plain.examples; ++example) {
        const Visit visit{
            0, static_cast<std::uint32_t>(plain.ids[static_cast<std::size_t>(example)])};
        const auto box = drawErasing(0.5, kShape, 1, visit);
        boxes += box ? 1 : 0;
        for (std::int64_t i = 0; i < kShape.elements(); ++i) {
            const std::int64_t y = i / 3 / 24;
            const std::int64_t x = i / 3 % 24;
            const bool isErased = box && y >= box->row && y < box->row + box->height
                                  && x >= box->column && x < box->column + box->width;
            const auto place = static_cast<std::size_t>(example * kShape.elements() + i);
            // Of a standardised image 0 is the mean.
            QCOMPARE(erased.images[place], isErased ? 0.0F : plain.images[place]);
        }
    }
    QVERIFY(boxes > 0 && boxes < 16);
}

void TestErasing::Batch_notStandardised_isFilledWithMidGrey()
{
    const FakeDataset dataset(16);
    PipelineSettings settings = settingsWith(1.0);
    settings.distortion.standardize = false;
    const Batch batch = makeBatch(dataset, settings, 0);
    const Visit visit{0, static_cast<std::uint32_t>(batch.ids.front())};
    const CropBox box = drawErasing(1.0, kShape, 1, visit).value();
    const auto place = static_cast<std::size_t>((box.row * 24 + box.column) * 3);
    QCOMPARE(batch.images[place], 127.5F);
}

// What lies in the middle of black and white is another value in each of ImageNet's channels.
void TestErasing::Photograph_isFilledWithMidGrey()
{
    DistortionSettings settings;
    settings.photo = PhotoSettings{.pixels = PhotoPixels::ImageNet};
    for (std::size_t channel = 0; channel < 3; ++channel) {
        const PixelValues values = settings.pixelValues(channel).value();
        const float middle = (values.black + values.white) / 2.0F;
        QVERIFY(std::abs(middle - mappedColour(0.5F, channel)) < 1e-6F);
    }
    std::vector<float> image(2 * 2 * 3, 1.0F);
    erase({1, 0, 1, 2}, {2, 2, 3}, std::vector{4.0F, 5.0F, 6.0F}, image);
    QCOMPARE(
        image,
        (std::vector{1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 4.0F, 5.0F, 6.0F, 4.0F, 5.0F, 6.0F}));
}

void TestErasing::Evaluation_erasesNothing()
{
    const FakeDataset dataset(16);
    const Batch plain = makeBatch(dataset, settingsWith(0.0).forEvaluation(), 0);
    const Batch erased = makeBatch(dataset, settingsWith(1.0).forEvaluation(), 0);
    QVERIFY(plain.images == erased.images);
}

void TestErasing::Settings_unusable_areRefused()
{
    for (const double erase : {-0.1, 1.1, std::nan("")}) {
        const auto error = errorOf([&] { settingsWith(erase).distortion.validate({32, 32, 3}); });
        QVERIFY(tells(error, ErrorCode::BadInput, "input.erase is "));
    }
}

LOCKSTEP_TEST(TestErasing)
#include "test_erasing.moc"
