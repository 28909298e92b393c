// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/masked_images.h"
#include "input/pipeline_runs.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// 12 pictures of two sizes, every second one with a mark.
const Dataset& pictures()
{
    static const MaskedImages dataset("pictures", Split::Train, [] {
        std::vector<MaskedImage> images;
        for (std::int64_t i = 0; i < 12; ++i) {
            const std::int64_t height = i % 3 == 0 ? 40 : 52;
            MaskedImage masked{std::to_string(i), {height, 30, {}}, {}};
            for (std::int64_t pixel = 0; pixel < height * 30; ++pixel) {
                masked.image.pixels.push_back(static_cast<std::uint8_t>(pixel * (i + 3) % 251));
            }
            if (i % 2 == 1) {
                masked.mask.resize(masked.image.pixels.size());
                std::fill_n(masked.mask.begin() + 20 * 30 + 5, 8, std::uint8_t{1});
            }
            images.push_back(std::move(masked));
        }
        return images;
    }());
    return dataset;
}

PipelineSettings maskedSettings(std::int64_t batch, int threads = 1)
{
    PipelineSettings settings;
    settings.globalBatch = batch;
    settings.threads = threads;
    settings.seed = 17;
    settings.order = ExampleOrder::Balanced;
    settings.distortion = {48, 32, false, false, false, false, false};
    settings.distortion.masked.emplace();
    return settings;
}

bool hasSameMasks(const std::vector<Batch>& a, const std::vector<Batch>& b)
{
    return std::ranges::equal(a, b, [](const Batch& x, const Batch& y) {
        return x.masks == y.masks && x.maskShape == y.maskShape;
    });
}

} // namespace

class TestMaskedBatches : public QObject
{
    Q_OBJECT

private slots:
    void Batch_rows_areResizedImagesAndTheirMasks();
    void Batch_pixelRange_scales();
    void Batch_reduced_labelIsWhatIsLeftOfTheMask();
    void Batch_mirrors_moveImageAndMaskAlike();
    void Batches_anyLoaders_areTheSame();
    void Batches_restarted_goOn();
    void Evaluation_everyExampleOnce_unmirrored();
    void Settings_distortions_areRefused_data();
    void Settings_distortions_areRefused();
    void Settings_oddNetworks_areRefused();
};

void TestMaskedBatches::Batch_rows_areResizedImagesAndTheirMasks()
{
    const Batch batch = makeBatch(pictures(), maskedSettings(6), 0);
    QVERIFY((batch.shape == Shape{48, 32, 1}));
    QVERIFY((batch.maskShape == Shape{6, 4, 1}));
    QCOMPARE(batch.images.size(), 6U * 48 * 32);
    QCOMPARE(batch.masks.size(), 6U * 24);
    for (std::size_t row = 0; row < 6; ++row) {
        const ExampleView example = pictures().example(batch.ids[row]);
        std::vector<float> image(48 * 32);
        const ByteImage pixels{example.pixels, example.ownShape->height, 30};
        BilinearResizer(48, 32, PixelGrid::Corners).apply(pixels, {}, 1.0F / 255.0F, image);
        QVERIFY(std::ranges::equal(image, std::span(batch.images).subspan(row * 48 * 32, 48 * 32)));
        std::vector<float> mask(24);
        if (!example.mask.empty()) {
            MaskLabeller(48, 32, MaskLabel::Pooled, PixelGrid::Corners)
                .apply({example.mask, pixels.height, 30}, {}, mask);
            QVERIFY(std::ranges::max(mask) > 0.0F);
        }
        QVERIFY(std::ranges::equal(mask, std::span(batch.masks).subspan(row * 24, 24)));
        QCOMPARE(batch.labels[row], static_cast<std::int32_t>(batch.ids[row] % 2));
    }
}

void TestMaskedBatches::Batch_pixelRange_scales()
{
    PipelineSettings settings = maskedSettings(2);
    const Batch unit = makeBatch(pictures(), settings, 0);
    settings.distortion.masked->pixels = PixelRange::Byte;
    const Batch bytes = makeBatch(pictures(), settings, 0);
    QVERIFY(std::ranges::max(unit.images) <= 1.0F && std::ranges::max(bytes.images) > 200.0F);
    for (std::size_t i = 0; i < unit.images.size(); ++i) {
        QVERIFY(std::abs(255.0F * unit.images[i] - bytes.images[i]) < 1e-3F);
    }
}

void TestMaskedBatches::Batch_reduced_labelIsWhatIsLeftOfTheMask()
{
    // One mark where the reduced mask looks, one where it does not.
    std::vector<MaskedImage> images;
    for (int i = 0; i < 3; ++i) {
        MaskedImage masked{std::to_string(i), {16, 16, std::vector<std::uint8_t>(256)}, {}};
        if (i > 0) {
            masked.mask.resize(256);
            masked.mask[i == 1 ? 3 * 16 + 4 : 0] = 1;
        }
        images.push_back(std::move(masked));
    }
    const MaskedImages dataset("marks", Split::Train, std::move(images));
    PipelineSettings settings = maskedSettings(3);
    settings.order = ExampleOrder::Sequential;
    settings.distortion.cropHeight = settings.distortion.cropWidth = 16;
    const auto labels = [&](MaskLabel kind, PixelGrid grid) {
        settings.distortion.masked->label = kind;
        settings.distortion.masked->grid = grid;
        return makeBatch(dataset, settings, 0).labels;
    };
    QCOMPARE(labels(MaskLabel::Reduced, PixelGrid::Centers), (std::vector<std::int32_t>{0, 1, 0}));
    QCOMPARE(labels(MaskLabel::Pooled, PixelGrid::Corners), (std::vector<std::int32_t>{0, 1, 1}));
}

void TestMaskedBatches::Batch_mirrors_moveImageAndMaskAlike()
{
    // The picture is its own mask, so that both have to stay together.
    std::vector<MaskedImage> images;
    for (int i = 0; i < 8; ++i) {
        MaskedImage masked{std::to_string(i), {48, 32, std::vector<std::uint8_t>(48 * 32)}, {}};
        if (i % 2 == 1) {
            for (std::size_t y = 8; y < 16; ++y) {
                std::fill_n(masked.image.pixels.begin() + std::ptrdiff_t(y * 32 + 8), 8, 1);
            }
            masked.mask = masked.image.pixels;
        }
        images.push_back(std::move(masked));
    }
    const MaskedImages dataset("marks", Split::Train, std::move(images));
    PipelineSettings settings = maskedSettings(8);
    settings.distortion.masked->pixels = PixelRange::Byte;
    settings.distortion.masked->mirrorHorizontal = true;
    settings.distortion.masked->mirrorVertical = true;
    std::set<std::pair<bool, bool>> seen;
    for (std::int64_t number = 0; number < 8; ++number) {
        const Batch batch = makeBatch(dataset, settings, number);
        for (std::size_t row = 0; row < 8; ++row) {
            const auto image = std::span(batch.images).subspan(row * 48 * 32, 48 * 32);
            const auto mask = std::span(batch.masks).subspan(row * 24, 24);
            const std::vector<std::uint8_t> pixels(image.begin(), image.end());
            std::vector<float> expected(24);
            MaskLabeller(48, 32, MaskLabel::Pooled, PixelGrid::Corners)
                .apply({pixels, 48, 32}, {}, expected);
            QVERIFY(std::ranges::equal(mask, expected));
            if (batch.labels[row] == 1) {
                const auto place = std::ranges::find(pixels, 1) - pixels.begin();
                seen.emplace(place % 32 != 8, place / 32 != 8);
            }
        }
    }
    QCOMPARE(seen.size(), 4U);
}

void TestMaskedBatches::Batches_anyLoaders_areTheSame()
{
    const auto one = take(pictures(), maskedSettings(4), 25);
    const auto three = take(pictures(), maskedSettings(4, 3), 25);
    QVERIFY(isSame(one, three));
    QVERIFY(hasSameMasks(one, three));
}

void TestMaskedBatches::Batches_restarted_goOn()
{
    auto all = take(pictures(), maskedSettings(4), 25);
    PipelineSettings later = maskedSettings(4, 2);
    later.startPosition = 4 * 11;
    later.startStep = 11;
    const auto rest = take(pictures(), later, 14);
    all.erase(all.begin(), all.begin() + 11);
    QVERIFY(isSame(all, rest));
    QVERIFY(hasSameMasks(all, rest));
}

void TestMaskedBatches::Evaluation_everyExampleOnce_unmirrored()
{
    PipelineSettings settings = maskedSettings(5);
    settings.distortion.masked->mirrorHorizontal = true;
    const PipelineSettings evaluation = settings.forEvaluation();
    QVERIFY(!evaluation.distortion.masked->mirrorHorizontal);
    QVERIFY(!evaluation.distortion.standardize);
    const auto batches = take(pictures(), evaluation, 10);
    QCOMPARE(batches.size(), 3U);
    QCOMPARE(batches.back().examples, 2);
    QCOMPARE(batches.back().masks.size(), 2U * 24);
    std::int64_t next = 0;
    for (const Batch& batch : batches) {
        for (const std::int64_t id : batch.ids) {
            QCOMPARE(id, next++);
        }
    }
    QCOMPARE(next, 12);
}

void TestMaskedBatches::Settings_distortions_areRefused_data()
{
    QTest::addColumn<int>("number");
    for (int i = 0; i < 5; ++i) {
        QTest::addRow("%d", i) << i;
    }
}

void TestMaskedBatches::Settings_distortions_areRefused()
{
    QFETCH(int, number);
    PipelineSettings settings = maskedSettings(2);
    bool* const switches[] = {
        &settings.distortion.crop, &settings.distortion.flip, &settings.distortion.brightness,
        &settings.distortion.contrast, &settings.distortion.standardize};
    *switches[number] = true;
    const auto error = errorOf([&] { settings.validate(pictures()); });
    QVERIFY(tells(error, ErrorCode::BadInput, "images with masks"));
}

void TestMaskedBatches::Settings_oddNetworks_areRefused()
{
    PipelineSettings settings = maskedSettings(2);
    settings.distortion.cropWidth = 36;
    QVERIFY(tells(
        errorOf([&] { makeBatch(pictures(), settings, 0); }), ErrorCode::BadInput,
        "multiples of 8"));
    QVERIFY(tells(
        errorOf([&] { makeBatch(pictures(), maskedSettings(3), 0); }), ErrorCode::BadInput,
        "can't be halved"));
}

LOCKSTEP_TEST(TestMaskedBatches)
#include "test_masked_batches.moc"
