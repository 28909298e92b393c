// SPDX-License-Identifier: Apache-2.0
#include "dataset/colour_files.h"
#include "dataset/examples/original_image.h"
#include "dataset/formats/image_folder.h"
#include "dataset/formats/tfrecord.h"
#include "input/pipeline_runs.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// The left half of one colour, the right half of another, both told by the number.
ColourImage halves(int number)
{
    const std::int64_t height = 60 + 7 * number;
    const std::int64_t width = 80 + 5 * number;
    ColourImage image{height, width, {}};
    for (std::int64_t i = 0; i < height * width; ++i) {
        const bool isLeft = i % width < width / 2;
        const std::array<int, 3> colour{isLeft ? 200 : 20, 100, 10 * number};
        for (const int value : colour) {
            image.pixels.push_back(static_cast<std::uint8_t>(value));
        }
    }
    return image;
}

void writeSet(const fs::path& folder, int images)
{
    for (int i = 0; i < images; ++i) {
        for (const char* split : {"train", "val"}) {
            const fs::path place = folder / split / (i % 2 == 0 ? "even" : "odd");
            fs::create_directories(place);
            std::ofstream(place / (std::string(1, static_cast<char>('a' + i)) + ".JPEG"))
                << jpegOf(halves(i));
        }
    }
}

/// Its ends are right, but half of its pixels are missing.
std::string brokenWithin(const std::string& jpeg)
{
    const std::size_t scan = jpeg.rfind("\xFF\xDA");
    return jpeg.substr(0, scan + (jpeg.size() - scan) / 2) + "\xFF\xD9";
}

PipelineSettings photoSettings(std::int64_t globalBatch, int threads = 1)
{
    PipelineSettings settings;
    settings.globalBatch = globalBatch;
    settings.threads = threads;
    settings.seed = 3;
    settings.distortion.cropHeight = 33;
    settings.distortion.cropWidth = 41;
    settings.distortion.crop = settings.distortion.flip = settings.distortion.brightness = false;
    settings.distortion.contrast = settings.distortion.standardize = false;
    settings.distortion.photo.emplace();
    return settings;
}

} // namespace

class TestPhotoBatches : public QObject
{
    Q_OBJECT

private slots:
    static void Damage_whileTraining_isReplacedByTheNextImage();
    static void Damage_whileScoring_leavesTheRowOut();
    void Batches_forAnyNumberOfLoaders_areTheSame();
    void Batches_forAnyNumberOfTowers_areTheSame();
    void Smallest_image_fillsARow();
    void Batches_valuesAndShapes_areWhatTheNetworkReads();
    void Evaluation_isTheCentralCropOfEveryImageOnce_data();
    void Evaluation_isTheCentralCropOfEveryImageOnce();
    void Visit_alone_isTheRowOfItsBatch();
    void Draw_allChoices_areEquallyFrequent();
    void Draw_switchedOff_leavesTheOthers();
    void Scaled_decoding_isNearTheWholeOne();
    void Damaged_image_isNamedByTheLoader();
    void Bytes_growWithTheLargestImage();
    void Batches_ofImagenetteAndFlowers_areMade();
};

/// With its label, in every epoch, whoever of the loaders meets it.
void TestPhotoBatches::Damage_whileTraining_isReplacedByTheNextImage()
{
    const TemporaryFolder folder;
    writeSet(folder.path(), 6); // even: a c e, odd: b d f
    std::ofstream(folder / "train/even/e.JPEG") << brokenWithin(jpegOf(halves(4)));
    const auto dataset = openImageFolder(folder.path(), Split::Train, {DamagedImages::SkipAll});
    QVERIFY(dataset->leftOut().empty());
    const PipelineSettings settings = photoSettings(6);
    const RowOrder order(*dataset, settings);
    BatchBuilder builder(*dataset, settings, order);
    for (int epoch = 0; epoch < 2; ++epoch) {
        const Batch batch = makeBatch(*dataset, settings, epoch);
        QCOMPARE(std::ranges::count(batch.ids, 2), 0);
        QCOMPARE(std::ranges::count(batch.ids, 3), 2);
        Batch next;
        builder.buildVisit({static_cast<std::uint32_t>(epoch), 3}, next);
        for (std::size_t row = 0; row < batch.ids.size(); ++row) {
            QCOMPARE(batch.labels[row], batch.ids[row] < 3 ? 0 : 1);
            if (batch.ids[row] == 3) {
                const auto values = static_cast<std::ptrdiff_t>(next.images.size());
                const auto first = batch.images.begin() + static_cast<std::ptrdiff_t>(row) * values;
                QVERIFY(std::equal(next.images.begin(), next.images.end(), first));
            }
        }
    }
    QCOMPARE(dataset->damage().takeNew().size(), 1U);
    const auto strict = openImageFolder(folder.path(), Split::Train, {DamagedImages::Refuse});
    auto error = errorOf([&] { makeBatch(*strict, settings, 0); });
    QVERIFY(tells(error, ErrorCode::Data, "train/even/e.JPEG: the image is damaged"));
    const auto limited = openImageFolder(folder.path(), Split::Train, {});
    error = errorOf([&] { makeBatch(*limited, settings, 0); });
    QVERIFY(tells(error, ErrorCode::Data, "1 of 6 images can't be used", "train/even/e.JPEG: "));
}

void TestPhotoBatches::Damage_whileScoring_leavesTheRowOut()
{
    const TemporaryFolder folder;
    writeSet(folder.path(), 6);
    const auto whole = openImageFolder(folder.path(), Split::Test, {});
    const PipelineSettings settings = photoSettings(6).forEvaluation();
    const Batch all = makeBatch(*whole, settings, 0);
    Batch room;
    QVERIFY(&withExamples(all, room) == &all);
    std::ofstream(folder / "val/even/e.JPEG") << brokenWithin(jpegOf(halves(4)));
    const auto dataset = openImageFolder(folder.path(), Split::Test, {DamagedImages::SkipAll});
    const Batch batch = makeBatch(*dataset, settings, 0);
    QCOMPARE(batch.ids, (std::vector<std::int64_t>{0, 1, Batch::kNoExample, 3, 4, 5}));
    const Batch& scored = withExamples(batch, room);
    QCOMPARE(scored.examples, 5);
    QCOMPARE(scored.ids, (std::vector<std::int64_t>{0, 1, 3, 4, 5}));
    QCOMPARE(scored.labels, (std::vector<std::int32_t>{0, 0, 1, 1, 1}));
    std::vector<float> expected = all.images;
    const auto values = static_cast<std::ptrdiff_t>(expected.size() / 6);
    expected.erase(expected.begin() + 2 * values, expected.begin() + 3 * values);
    QVERIFY(scored.images == expected);
}

void TestPhotoBatches::Batches_forAnyNumberOfLoaders_areTheSame()
{
    const TemporaryFolder folder;
    writeSet(folder.path(), 8);
    const auto dataset = openImageFolder(folder.path(), Split::Train, {});
    const auto one = take(*dataset, photoSettings(3), 8);
    QCOMPARE(one.size(), 8U);
    for (const int threads : {2, 8}) {
        QVERIFY(isSame(take(*dataset, photoSettings(3, threads), 8), one));
    }
    // Examples come again in the next epoch, distorted anew.
    std::map<std::int64_t, std::vector<float>> seen;
    int again = 0;
    for (const Batch& batch : one) {
        for (std::size_t row = 0; row < 3; ++row) {
            const auto values = static_cast<std::ptrdiff_t>(batch.shape.elements());
            const auto first = batch.images.begin() + static_cast<std::ptrdiff_t>(row) * values;
            const std::vector<float> image(first, first + values);
            const auto [other, isNew] = seen.emplace(batch.ids[row], image);
            again += isNew ? 0 : 1;
            QVERIFY(isNew || other->second != image);
        }
    }
    QVERIFY(again > 0);
}

// Towers share out a global batch: which examples are in it, and how they look, is none of theirs.
void TestPhotoBatches::Batches_forAnyNumberOfTowers_areTheSame()
{
    const TemporaryFolder folder;
    writeSet(folder.path(), 7);
    const auto dataset = openImageFolder(folder.path(), Split::Train, {});
    const auto one = take(*dataset, photoSettings(4), 6); // more than three epochs
    for (const int towers : {2, 4}) {
        PipelineSettings settings = photoSettings(4, towers);
        settings.shards.towers = towers;
        QVERIFY(isSame(take(*dataset, settings, 6), one));
    }
}

void TestPhotoBatches::Smallest_image_fillsARow()
{
    const TemporaryFolder folder;
    for (const char* split : {"train", "val"}) {
        fs::create_directories(folder / split / "dot");
        std::ofstream(folder / split / "dot/a.jpg") << jpegOf(flatImage(1, 1, {200, 100, 50}));
    }
    const auto dataset = openImageFolder(folder.path(), Split::Train, {});
    for (const Batch& batch : take(*dataset, photoSettings(1), 8)) {
        for (std::size_t i = 0; i < batch.images.size(); ++i) {
            QVERIFY(std::isfinite(batch.images[i]));
            QVERIFY(std::abs(batch.images[i] - batch.images[i % 3]) < 1e-5F);
        }
    }
}

void TestPhotoBatches::Batches_valuesAndShapes_areWhatTheNetworkReads()
{
    const TemporaryFolder folder;
    writeSet(folder.path(), 6);
    const auto dataset = openImageFolder(folder.path(), Split::Train, {});
    for (const Batch& batch : take(*dataset, photoSettings(6, 2), 4)) {
        QVERIFY((batch.shape == Shape{33, 41, 3}));
        QCOMPARE(std::ssize(batch.images), 6 * 33 * 41 * 3);
        const auto [least, most] = std::ranges::minmax(batch.images);
        QVERIFY(least >= -1.0F && most <= 1.0F && most - least > 0.5F);
        for (std::size_t row = 0; row < 6; ++row) {
            QCOMPARE(batch.labels[row], dataset->example(batch.ids[row]).label);
        }
    }
}

void TestPhotoBatches::Evaluation_isTheCentralCropOfEveryImageOnce_data()
{
    QTest::addColumn<PhotoPixels>("pixels"); // evaluation reads what training reads
    QTest::newRow("symmetric") << PhotoPixels::Symmetric;
    QTest::newRow("imagenet") << PhotoPixels::ImageNet;
}

void TestPhotoBatches::Evaluation_isTheCentralCropOfEveryImageOnce()
{
    QFETCH(const PhotoPixels, pixels);
    const TemporaryFolder folder;
    writeSet(folder.path(), 5);
    const auto dataset = openImageFolder(folder.path(), Split::Test, {});
    PipelineSettings settings = photoSettings(2);
    settings.distortion.photo->pixels = pixels;
    const auto batches = take(*dataset, settings.forEvaluation(), 100);
    QCOMPARE(batches.size(), 3U);
    std::set<std::int64_t> seen;
    for (const Batch& batch : batches) {
        for (std::int64_t row = 0; row < batch.examples; ++row) {
            const auto id = batch.ids[static_cast<std::size_t>(row)];
            seen.insert(id);
            // Even numbers come first.
            const int number = static_cast<int>(id < 3 ? 2 * id : 2 * (id - 3) + 1);
            const auto at = [&](std::int64_t y, std::int64_t x, std::int64_t c) {
                const auto place = ((row * 33 + y) * 41 + x) * 3 + c;
                return batch.images[static_cast<std::size_t>(place)];
            };
            const auto scaled = [&](int value, std::size_t channel) {
                const float unit = static_cast<float>(value) / 255.0F;
                return pixels == PhotoPixels::ImageNet ? mappedColour(unit, channel)
                                                       : (unit - 0.5F) * 2.0F;
            };
            QVERIFY(std::abs(at(16, 5, 0) - scaled(200, 0)) < 0.07F);
            QVERIFY(std::abs(at(16, 36, 0) - scaled(20, 0)) < 0.07F);
            QVERIFY(std::abs(at(3, 36, 2) - scaled(10 * number, 2)) < 0.07F);
        }
    }
    QCOMPARE(seen.size(), 5U);
}

/// For previews: an example of any epoch, without the batch that it comes in.
void TestPhotoBatches::Visit_alone_isTheRowOfItsBatch()
{
    const TemporaryFolder folder;
    writeSet(folder.path(), 6);
    const auto dataset = openImageFolder(folder.path(), Split::Train, {});
    const PipelineSettings settings = photoSettings(4);
    const RowOrder order(*dataset, settings);
    BatchBuilder builder(*dataset, settings, order);
    std::array<Visit, 4> visits;
    order.visit(8, 0, visits); // of the third batch
    const Batch batch = take(*dataset, settings, 3).back();
    for (std::size_t row = 0; row < visits.size(); ++row) {
        Batch alone;
        builder.buildVisit(visits[row], alone);
        const auto values = static_cast<std::size_t>(batch.shape.elements());
        QCOMPARE(alone.examples, 1);
        QCOMPARE(alone.ids.front(), batch.ids[row]);
        QCOMPARE(alone.labels.front(), batch.labels[row]);
        QVERIFY(std::ranges::equal(
            alone.images, std::span(batch.images).subspan(row * values, values)));
        const ColourImage image = originalImage(*dataset, visits[row].example);
        const PhotoDistortion wanted = drawPhotoDistortion(
            *settings.distortion.photo, {image.height, image.width}, {}, settings.seed,
            visits[row]);
        const auto drawn = std::get<PhotoDistortion>(builder.draw(visits[row]));
        QCOMPARE(drawn.crop.row, wanted.crop.row);
        QCOMPARE(drawn.crop.width, wanted.crop.width);
        QCOMPARE(drawn.colours.hue, wanted.colours.hue);
    }
}

void TestPhotoBatches::Draw_allChoices_areEquallyFrequent()
{
    constexpr int kDraws = 16'000;
    std::map<std::array<int, 3>, int> counts;
    for (std::uint32_t i = 0; i < kDraws; ++i) {
        const PhotoDistortion drawn = drawPhotoDistortion({}, {300, 300}, {}, 1, {0, i});
        ++counts[{
            static_cast<int>(drawn.method), static_cast<int>(drawn.colours.order),
            drawn.isFlipped ? 1 : 0}];
        QVERIFY(std::abs(drawn.colours.brightness) <= 32.0F / 255.0F);
        QVERIFY(drawn.colours.saturation >= 0.5F && drawn.colours.saturation < 1.5F);
        QVERIFY(drawn.colours.contrast >= 0.5F && drawn.colours.contrast < 1.5F);
        QVERIFY(std::abs(drawn.colours.hue) <= 0.2F);
    }
    QCOMPARE(counts.size(), 16U);
    for (const auto& [choice, count] : counts) {
        QVERIFY(std::abs(count - kDraws / 16) < 6 * std::sqrt(kDraws / 16.0));
    }
}

void TestPhotoBatches::Draw_switchedOff_leavesTheOthers()
{
    const ImageSize size{300, 400};
    const PhotoDistortion all = drawPhotoDistortion({}, size, {}, 9, {2, 7});
    PhotoSettings settings;
    settings.saturation = settings.flip = false;
    const PhotoDistortion some = drawPhotoDistortion(settings, size, {}, 9, {2, 7});
    QCOMPARE(some.colours.saturation, 1.0F);
    QVERIFY(!some.isFlipped);
    QVERIFY(some.crop == all.crop && some.method == all.method);
    QCOMPARE(some.colours.hue, all.colours.hue);
    QCOMPARE(some.colours.contrast, all.colours.contrast);
    const PhotoDistortion none = drawPhotoDistortion(settings.forEvaluation(), size, {}, 9, {2, 7});
    QVERIFY(none.crop == centralCrop(size) && none.method == ResizeMethod::Bilinear);
    QVERIFY(none.colours.brightness == 0.0F && none.colours.hue == 0.0F);
}

void TestPhotoBatches::Scaled_decoding_isNearTheWholeOne()
{
    const TemporaryFolder folder;
    for (const char* split : {"train", "val"}) {
        fs::create_directories(folder / split / "a");
        ColourImage slope{400, 600, {}};
        for (std::int64_t i = 0; i < 400 * 600; ++i) {
            for (const std::int64_t value : {i % 600 / 3, i / 600 / 2, 200 - i % 600 / 3}) {
                slope.pixels.push_back(static_cast<std::uint8_t>(value));
            }
        }
        std::ofstream(folder / split / "a" / "a.jpg") << jpegOf(slope);
    }
    const auto dataset = openImageFolder(folder.path(), Split::Train, {});
    PipelineSettings settings = photoSettings(1);
    const auto scaled = take(*dataset, settings, 10);
    settings.distortion.photo->isDecodedScaled = false;
    const auto whole = take(*dataset, settings, 10);
    for (std::size_t i = 0; i < scaled.size(); ++i) {
        double difference = 0.0;
        for (std::size_t v = 0; v < scaled[i].images.size(); ++v) {
            difference += std::abs(double{scaled[i].images[v]} - double{whole[i].images[v]});
        }
        // Up to a pixel of the slope's is shifted, of 1 to 8 columns of 1/3 level each.
        QVERIFY(difference / static_cast<double>(scaled[i].images.size()) < 0.04);
        QVERIFY(scaled[i].ids == whole[i].ids);
    }
}

void TestPhotoBatches::Damaged_image_isNamedByTheLoader()
{
    const TemporaryFolder folder;
    writeSet(folder.path(), 4);
    const std::string whole = jpegOf(halves(0));
    std::ofstream(folder / "train/even/a.JPEG") << brokenWithin(whole);
    const auto dataset = openImageFolder(folder.path(), Split::Train, {DamagedImages::Refuse});
    const auto error = errorOf([&] { take(*dataset, photoSettings(4, 2), 1); });
    QVERIFY(tells(error, ErrorCode::Data, "train/even/a.JPEG: the image is damaged"));
}

void TestPhotoBatches::Bytes_growWithTheLargestImage()
{
    const TemporaryFolder folder;
    writeSet(folder.path(), 2);
    const auto before = openImageFolder(folder.path(), Split::Train, {});
    const auto settings = photoSettings(2, 3);
    const std::int64_t small = InputPipeline::bytes(*before, settings);
    std::ofstream(folder / "train/odd/z.JPEG") << jpegOf(flatImage(1000, 900, {1, 2, 3}));
    const auto after = openImageFolder(folder.path(), Split::Train, {});
    const std::int64_t large = InputPipeline::bytes(*after, settings);
    // Of each of three loaders, which decode it as a whole.
    const std::int64_t difference = 3 * (1000 * 900 - before->largest().pixels) * 3;
    QVERIFY(large - small >= difference && large - small < difference * 11 / 10);
}

void TestPhotoBatches::Batches_ofImagenetteAndFlowers_areMade()
{
    const fs::path folder = testData("imagenette-sample");
    const fs::path records = testData("tfrecord-sample");
    if (!fs::exists(folder) || !fs::exists(records)) {
        QSKIP("imagenette-sample or tfrecord-sample is not there (LOCKSTEP_TEST_DATA)");
    }
    const auto images = openImageFolder(folder, Split::Train, {});
    const EncodedDataSettings pattern{DamagedImages::Refuse, "flowers_*.tfrecord"};
    const auto flowers = openTfRecords(records, Split::Train, pattern);
    for (const EncodedDataset* dataset : {images.get(), flowers.get()}) {
        const auto one = take(*dataset, photoSettings(16), 3);
        QVERIFY(isSame(take(*dataset, photoSettings(16, 2), 3), one));
        for (const Batch& batch : one) {
            const auto [least, most] = std::ranges::minmax(batch.images);
            QVERIFY(least >= -1.0F && most <= 1.0F && least < most);
        }
    }
}

LOCKSTEP_TEST(TestPhotoBatches)
#include "test_photo_batches.moc"
