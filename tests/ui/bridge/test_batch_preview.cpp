// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/batch_preview.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

RunConfig smallConfig()
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.batchPerTower = 4;
    config.seed = 3;
    return config;
}

/// The same batch as the run's own pipeline hands it to the towers.
Batch batchOfTheRun(const RunConfig& config, const Dataset& dataset, int number)
{
    PipelineSettings settings;
    settings.globalBatch = config.towerShape().globalBatch();
    settings.seed = config.seed;
    settings.distortion.cropHeight = 24;
    settings.distortion.cropWidth = 24;
    return makeBatch(dataset, settings, number);
}

/// Largest difference of a pixel from the stretched value, in grey levels.
double distance(const QImage& image, std::span<const float> values)
{
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    double most = 0.0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            const std::array<int, 3> channels{pixel.red(), pixel.green(), pixel.blue()};
            for (std::size_t c = 0; c < 3; ++c) {
                const auto place = static_cast<std::size_t>(y * image.width() + x) * 3 + c;
                const double expected = 255.0 * (values[place] - *low) / (*high - *low);
                most = std::max(most, std::abs(expected - channels[c]));
            }
        }
    }
    return most;
}

} // namespace

class TestBatchPreview : public QObject
{
    Q_OBJECT

private slots:
    void Preview_ofAStep_showsWhatTheTowersGet()
    {
        BatchPreview preview;
        std::vector<PreviewImage> images;
        connect(&preview, &BatchPreview::made, this, [&](const PreviewBatch& batch) {
            images = batch.images;
        });
        // The third step begins behind two global batches of eight.
        const RunConfig config = smallConfig();
        preview.request(BatchRequest{config, Split::Train, 16, 3});
        QTRY_COMPARE(images.size(), std::size_t{6});
        const auto dataset = openSynthetic(Split::Train, config.seed);
        const Batch batch = batchOfTheRun(config, *dataset, 2);
        constexpr std::size_t kImageValues = std::size_t{24} * 24 * 3;
        for (std::size_t i = 0; i < images.size(); ++i) {
            const int tower = i < 3 ? 0 : 1;
            const std::size_t row = static_cast<std::size_t>(tower) * 4 + i % 3;
            QCOMPARE(images[i].tower, tower);
            QCOMPARE(images[i].visit.example, batch.ids[row]);
            const auto label = static_cast<std::size_t>(batch.labels[row]);
            QCOMPARE(images[i].label, batch.labels[row]);
            QCOMPARE(images[i].className.toStdString(), dataset->info().classNames[label]);
            QCOMPARE(images[i].image.size(), QSize(24, 24));
            const auto values = std::span(batch.images).subspan(row * kImageValues, kImageValues);
            QVERIFY(distance(images[i].image, values) <= 0.51);
        }
    }

    void Preview_ofDefects_outlinesThemAndCountsTheBatch()
    {
        BatchPreview preview;
        std::vector<PreviewImage> images;
        connect(&preview, &BatchPreview::made, this, [&](const PreviewBatch& batch) {
            images = batch.images;
        });
        RunConfig config;
        config.model.name = "segdecnet";
        config.model.inputHeight = 128;
        config.model.inputWidth = 64;
        config.dataset = "synthetic_defects";
        config.batchPerTower = 4;
        preview.request(BatchRequest{config, Split::Train, 0, 4});
        QTRY_COMPARE(images.size(), std::size_t{8});
        int defective = 0;
        for (int tower = 0; tower < 2; ++tower) {
            int ofTower = 0;
            for (int i = 0; i < 4; ++i) {
                const PreviewImage& image = images[static_cast<std::size_t>(4 * tower + i)];
                bool isColoured = false;
                for (int y = 0; y < image.image.height(); ++y) {
                    for (int x = 0; x < image.image.width(); ++x) {
                        const QColor pixel = image.image.pixelColor(x, y);
                        isColoured = isColoured || pixel.red() != pixel.blue();
                    }
                }
                // Every second example of the data set has a crack, from number 1 on.
                QCOMPARE(isColoured, image.visit.example % 2 == 1);
                ofTower += image.visit.example % 2 == 1 ? 1 : 0;
            }
            QCOMPARE(
                images[static_cast<std::size_t>(4 * tower)].batchText,
                QString("%1 clean, %2 defective").arg(4 - ofTower).arg(ofTower));
            defective += ofTower;
        }
        QCOMPARE(defective, 4); // half of the global batch
    }

    /// The grey of a clean surface is its value, 0 to 1, not what the image's extremes make of it.
    void Preview_ofDefects_isByTheirKnownValues()
    {
        BatchPreview preview;
        PreviewBatch made;
        connect(
            &preview, &BatchPreview::made, this, [&](const PreviewBatch& batch) { made = batch; });
        RunConfig config;
        config.model.name = "segdecnet";
        config.model.inputHeight = 128;
        config.model.inputWidth = 64;
        config.dataset = "synthetic_defects";
        config.batchPerTower = 4;
        config.seed = 5;
        preview.request(BatchRequest{config, Split::Test, 0, 4});
        QTRY_COMPARE(made.images.size(), std::size_t{4});
        QVERIFY(!made.isStretched);
        const auto dataset = openDataset({"synthetic_defects", {}, 5}, Split::Test);
        PipelineSettings settings;
        settings.globalBatch = 1;
        settings.distortion.cropHeight = 128;
        settings.distortion.cropWidth = 64;
        settings.distortion.masked.emplace();
        settings.distortion.standardize = false;
        settings = settings.forEvaluation();
        const Batch batch = makeBatch(*dataset, settings, 2); // even numbers have no crack
        const QImage& shown = made.images[2].image;
        float least = 1.0F;
        for (int i = 0; i < 128 * 64; ++i) {
            const float value = batch.images[static_cast<std::size_t>(i)];
            least = std::min(least, value);
            const int grey = shown.pixelColor(i % 64, i / 64).red();
            QVERIFY(std::abs(255.0 * static_cast<double>(value) - grey) <= 0.51);
        }
        QVERIFY(least > 0.05F); // else stretching would change nothing
    }

    void Preview_ofAHugeBatch_makesOnlyWhatIsShown()
    {
        BatchPreview preview;
        std::vector<PreviewImage> images;
        QString error;
        connect(&preview, &BatchPreview::made, this, [&](const PreviewBatch& batch) {
            images = batch.images;
            error = batch.problem;
        });
        RunConfig config = smallConfig();
        config.batchPerTower = 1 << 23; // the largest; 116 GB, if someone made it
        preview.request(BatchRequest{config, Split::Train, 0, 3});
        QTRY_VERIFY(!images.empty() || !error.isEmpty());
        QCOMPARE(error, QString());
        QCOMPARE(images.size(), std::size_t{6});
    }

    void Preview_ofBadSettings_saysWhy()
    {
        BatchPreview preview;
        QStringList failures;
        connect(&preview, &BatchPreview::made, this, [&](const PreviewBatch& batch) {
            failures << batch.problem;
        });
        RunConfig config = smallConfig();
        config.towers = 0;
        preview.request(BatchRequest{config});
        QTRY_COMPARE(failures.size(), 1);
        QVERIFY(failures[0].contains("towers"));
        config = smallConfig();
        config.dataset = "cifar10";
        config.datasetPath = "/no/such/folder";
        preview.request(BatchRequest{config});
        QTRY_COMPARE(failures.size(), 2);
        QVERIFY(failures[1].contains("/no/such/folder"));
    }

    void Request_afterAnother_isServedToo()
    {
        BatchPreview preview;
        std::vector<std::int64_t> made;
        connect(&preview, &BatchPreview::made, this, [&](const PreviewBatch& batch) {
            made.push_back(batch.position);
        });
        preview.request(BatchRequest{smallConfig(), Split::Train, 0, 1});
        preview.request(BatchRequest{smallConfig(), Split::Train, 8, 1});
        QTRY_VERIFY(!made.empty() && made.back() == 8);
        // Destroyed while it makes one.
        preview.request(BatchRequest{smallConfig(), Split::Train, 16, 1});
    }
};
LOCKSTEP_TEST(TestBatchPreview)
#include "test_batch_preview.moc"
