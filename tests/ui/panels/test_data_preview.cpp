// SPDX-License-Identifier: GPL-3.0-or-later
#include "dataset/colour_files.h"
#include "input/input_pipeline.h"
#include "models/evaluation/image_models.h"
#include "panels/preview/preview_panel.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "theme/palette.h"
#include "ui/pictures.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"
#include "widgets/pictures/image_grid.h"
#include "widgets/pictures/picture_cards.h"

#include <QtWidgets>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>

using namespace lockstep;
using namespace lockstep::ui;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Of each of two classes; a global batch is all of them, so that step k is epoch k.
constexpr int kOfClass = 4;
constexpr std::size_t kValues = std::size_t{24} * 24 * 3;

/// A gradient in a colour of its own, of a size of its own.
ColourImage slope(int number)
{
    const std::int64_t height = 60 + 7 * number;
    const std::int64_t width = 90 + 5 * number;
    ColourImage image{height, width, {}};
    for (std::int64_t i = 0; i < height * width; ++i) {
        const std::int64_t y = i / width * 255 / height;
        const std::int64_t x = i % width * 255 / width;
        for (const std::int64_t value : {x, y, std::int64_t{30} * number}) {
            image.pixels.push_back(static_cast<std::uint8_t>(value));
        }
    }
    return image;
}

void writeImage(const fs::path& place, const std::string& bytes)
{
    fs::create_directories(place.parent_path());
    std::ofstream(place, std::ios::binary) << bytes;
}

/// Photographs in two classes; the test set has twice as many gannets.
void writePhotographs(const fs::path& folder)
{
    for (int i = 0; i < kOfClass; ++i) {
        const std::string name = std::string(1, static_cast<char>('a' + i)) + ".JPEG";
        writeImage(folder / "train" / "gannet" / name, jpegOf(slope(i)));
        writeImage(folder / "train" / "albatross" / name, jpegOf(slope(i + kOfClass)));
        writeImage(folder / "val" / "gannet" / name, jpegOf(slope(i)));
        if (i % 2 == 0) {
            writeImage(folder / "val" / "albatross" / name, jpegOf(slope(i + kOfClass)));
        }
    }
}

/// Two towers, four photographs each.
RunConfig photoConfig(const fs::path& folder)
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.dataset = "image_folder";
    config.datasetPath = folder.string();
    config.towers = 2;
    config.batchPerTower = kOfClass;
    config.seed = 7;
    return config;
}

/// As the description of the input says, not as the window makes it.
PipelineSettings photoSettings()
{
    PipelineSettings settings;
    settings.globalBatch = 2 * kOfClass;
    settings.seed = 7;
    settings.distortion.cropHeight = settings.distortion.cropWidth = 24;
    settings.distortion.photo.emplace();
    return settings;
}

/// A batch of the training, from the pipeline with its loaders.
Batch batchOfStep(const Dataset& dataset, int step)
{
    InputPipeline pipeline(dataset, photoSettings());
    for (int i = 0; i < step; ++i) {
        static_cast<void>(pipeline.next());
    }
    return *pipeline.next().batch;
}

/// Whether a picture shows these values, of -1 to 1: to half a grey level.
bool shows(const QImage& image, std::span<const float> values)
{
    if (image.size() != QSize(24, 24)) {
        return false;
    }
    for (int i = 0; i < 24 * 24; ++i) {
        const QColor pixel = image.pixelColor(i % 24, i / 24);
        const std::array shown{pixel.red(), pixel.green(), pixel.blue()};
        for (std::size_t c = 0; c < 3; ++c) {
            const float value = values[static_cast<std::size_t>(i) * 3 + c];
            if (std::abs(127.5 * (static_cast<double>(value) + 1.0) - shown[c]) > 0.51) {
                return false;
            }
        }
    }
    return true;
}

std::span<const float> rowOf(const Batch& batch, std::size_t row)
{
    return std::span(batch.images).subspan(row * kValues, kValues);
}

} // namespace

/// The dock's panel in sight, with photographs.
class PreviewScene
{
public:
    PreviewScene()
    {
        writePhotographs(m_folder.path());
        panel.resize(1000, 270);
        panel.show();
        panel.setInSight(true);
    }

    template<class Widget>
    [[nodiscard]] Widget& find(const char* name) const
    {
        return *panel.findChild<Widget*>(name);
    }
    [[nodiscard]] ImageGrid& grid() const { return *panel.findChild<ImageGrid*>(); }
    [[nodiscard]] PictureCards& cards() const { return *panel.findChild<PictureCards*>(); }
    [[nodiscard]] QString caption() const { return find<NoteLabel>("preview_caption").note(); }
    void press(const char* button) const { find<QToolButton>(button).click(); }
    void choose(PreviewPanel::View view) const
    {
        find<QComboBox>("preview_view").setCurrentIndex(view);
    }
    [[nodiscard]] const fs::path& folder() const { return m_folder.path(); }
    /// So many, and of so many segments, that to look at them all takes a while.
    [[nodiscard]] RunConfig slowConfig() const
    {
        const fs::path first = folder() / "train" / "gannet" / "large.JPEG";
        std::string comments;
        for (int i = 0; i < 250'000; ++i) {
            comments.append("\xFF\xFE\x00\x02", 4);
        }
        writeImage(first, jpegOf(flatImage(1500, 2000, {90, 80, 70})).insert(2, comments));
        for (int i = 0; i < kMany; ++i) {
            fs::create_hard_link(first, first.parent_path() / (std::to_string(i) + ".JPEG"));
        }
        return photoConfig(folder());
    }
    void removeMany() const
    {
        for (int i = 0; i < kMany; ++i) {
            fs::remove(folder() / "train" / "gannet" / (std::to_string(i) + ".JPEG"));
        }
    }
    [[nodiscard]] std::unique_ptr<Dataset> open(Split split) const
    {
        return openDataset({"image_folder", m_folder.path()}, split);
    }
    /// By the mouse.
    void clickImage(int index) const
    {
        const QPoint place = grid().imageRect(index).center().toPoint();
        QTest::mouseClick(grid().viewport(), Qt::LeftButton, {}, place);
    }
    [[nodiscard]] QString message() const
    {
        QStringList texts;
        for (const QLabel* const label : panel.findChildren<QLabel*>()) {
            if (label->isVisible()) {
                texts << label->text();
            }
        }
        return texts.join('\n');
    }

private:
    static constexpr int kMany = 10'000;

    TemporaryFolder m_folder;

public:
    PreviewPanel panel;
};

class TestDataPreview : public QObject
{
    Q_OBJECT

private slots:
    static void Step_typed_showsTheRowsOfItsBatch()
    {
        PreviewScene scene;
        scene.panel.setConfig(photoConfig(scene.folder()));
        QTRY_COMPARE(scene.grid().tiles().size(), std::size_t{8});
        auto& box = scene.find<WholeNumberBox>("preview_step");
        box.setFocus();
        QTest::keySequence(&box, QKeySequence::SelectAll);
        QTest::keyClicks(&box, "3");
        QTRY_VERIFY(scene.caption().startsWith("Step 3"));
        QVERIFY(!scene.find<QCheckBox>("preview_live").isChecked());
        QVERIFY2(scene.caption().contains("seed 7"), qPrintable(scene.caption()));
        const auto dataset = scene.open(Split::Train);
        const Batch batch = batchOfStep(*dataset, 3);
        const Batch other = batchOfStep(*dataset, 2);
        for (std::size_t row = 0; row < 8; ++row) {
            const ImageTile& tile = scene.grid().tiles()[row];
            QCOMPARE(tile.tower, static_cast<int>(row) / kOfClass);
            QCOMPARE(tile.example, batch.ids[row]);
            const auto label = static_cast<std::size_t>(batch.labels[row]);
            QCOMPARE(
                tile.label.toStdString(),
                std::to_string(label) + " · " + dataset->info().classNames[label]);
            QVERIFY(shows(tile.image, rowOf(batch, row)));
            QVERIFY(!shows(tile.image, rowOf(other, row)));
        }
    }

    static void Steps_byButtons_goOneByOne()
    {
        PreviewScene scene;
        scene.panel.setConfig(photoConfig(scene.folder()));
        const auto shows = [&](const char* text) { return scene.caption().startsWith(text); };
        QTRY_VERIFY(shows("First step"));
        QVERIFY(!scene.find<QToolButton>("preview_previous").isEnabled());
        scene.press("preview_next");
        scene.press("preview_next");
        QTRY_VERIFY(shows("Step 2: what each tower will get"));
        scene.press("preview_previous");
        QTRY_VERIFY(shows("Step 1:"));
        // Ten steps of a run: what is past was got, and there is a newest one.
        scene.panel.setPosition(std::int64_t{10} * 2 * kOfClass);
        scene.press("preview_newest");
        QTRY_VERIFY(shows("Step 9: what each tower got"));
        QCOMPARE(scene.find<WholeNumberBox>("preview_step").value(), std::optional<qint64>(9));
        scene.press("preview_first");
        QTRY_VERIFY(shows("Step 0: what each tower got"));
    }

    static void Example_chosen_isDrawnAsInTheFollowingEpochs()
    {
        PreviewScene scene;
        scene.panel.setConfig(photoConfig(scene.folder()));
        QTRY_COMPARE(scene.grid().tiles().size(), std::size_t{8});
        scene.press("preview_next");
        QTRY_VERIFY(scene.caption().startsWith("Step 1"));
        scene.clickImage(5);
        QTRY_VERIFY(scene.cards().isVisible());
        constexpr int kDraws = 1 + PreviewPanel::kFurtherDraws;
        QCOMPARE(scene.cards().cards().size(), std::size_t{1 + kDraws});
        const qint64 example = scene.grid().tiles()[5].example;
        const auto dataset = scene.open(Split::Train);
        for (int draw = 0; draw < kDraws; ++draw) {
            // With a batch of all examples, step and epoch are the same.
            const Batch batch = batchOfStep(*dataset, 1 + draw);
            const auto row =
                static_cast<std::size_t>(std::ranges::find(batch.ids, example) - batch.ids.begin());
            const PictureCard& card = scene.cards().cards()[static_cast<std::size_t>(1 + draw)];
            QVERIFY2(
                card.title.startsWith(QString("Epoch %1").arg(1 + draw)), qPrintable(card.title));
            QVERIFY2(shows(card.image, rowOf(batch, row)), qPrintable(card.title));
        }
        scene.press("preview_study_close");
        QVERIFY(!scene.cards().isVisible());
    }

    static void Example_original_isTheFileWithItsCrop()
    {
        PreviewScene scene;
        scene.panel.setConfig(photoConfig(scene.folder()));
        QTRY_COMPARE(scene.grid().tiles().size(), std::size_t{8});
        scene.clickImage(2);
        QTRY_VERIFY(scene.cards().isVisible());
        const auto example = static_cast<std::uint32_t>(scene.grid().tiles()[2].example);
        // Class by class: albatrosses come first, and were written last.
        const ColourImage written = slope(static_cast<int>((example + kOfClass) % (2 * kOfClass)));
        const PictureCard& original = scene.cards().cards()[0];
        QCOMPARE(std::int64_t{original.image.width()}, written.width);
        QCOMPARE(std::int64_t{original.image.height()}, written.height);
        const QColor corner = original.image.pixelColor(original.image.width() - 1, 0);
        QVERIFY(std::abs(corner.red() - written.pixels[3 * (written.width - 1)]) <= 4);
        QVERIFY(std::abs(corner.blue() - written.pixels[2]) <= 4);
        // The boxes of this epoch and of the next one, which is chosen by a key.
        for (std::uint32_t epoch = 0; epoch < 2; ++epoch) {
            const PhotoDistortion drawn =
                drawPhotoDistortion({}, {written.height, written.width}, {}, 7, {epoch, example});
            const QRectF box = scene.cards().cards()[0].box;
            QCOMPARE(qRound64(box.left() * static_cast<double>(written.width)), drawn.crop.column);
            QCOMPARE(qRound64(box.top() * static_cast<double>(written.height)), drawn.crop.row);
            QCOMPARE(qRound64(box.width() * static_cast<double>(written.width)), drawn.crop.width);
            QCOMPARE(
                qRound64(box.height() * static_cast<double>(written.height)), drawn.crop.height);
            const QString words = scene.cards().cards()[1 + epoch].lines.join('\n');
            QVERIFY2(
                words.contains(
                    QString("crop %1 wide, %2 high").arg(drawn.crop.width).arg(drawn.crop.height)),
                qPrintable(words));
            QCOMPARE(words.contains("not mirrored"), !drawn.isFlipped);
            const auto place = [&](const char* word) { return words.indexOf(word); };
            QCOMPARE(
                place("contrast") < place("saturation"),
                drawn.colours.order == ColourOrder::ContrastFirst);
            QVERIFY2(
                words.contains(QString("contrast × %1")
                                   .arg(static_cast<double>(drawn.colours.contrast), 0, 'f', 2)),
                qPrintable(words));
            QTest::keyClick(&scene.cards(), Qt::Key_Right);
            QTest::keyClick(&scene.cards(), Qt::Key_Right);
        }
    }

    /// Without crop and colours all epochs are alike except for the mirror.
    static void Example_otherSettings_isMadeAnew()
    {
        PreviewScene scene;
        RunConfig config = photoConfig(scene.folder());
        scene.panel.setConfig(config);
        QTRY_COMPARE(scene.grid().tiles().size(), std::size_t{8});
        scene.clickImage(0);
        QTRY_VERIFY(scene.cards().isVisible());
        QVERIFY(scene.cards().cards()[1].image != scene.cards().cards()[2].image);
        config.distortion.crop = config.distortion.flip = false;
        config.distortion.brightness = config.distortion.contrast = false;
        config.encoded.saturation = config.encoded.hue = false;
        scene.panel.setConfig(config);
        QTRY_COMPARE(scene.cards().cards()[1].image, scene.cards().cards()[2].image);
        const QString words = scene.cards().cards()[1].lines.join('\n');
        QVERIFY2(!words.contains("brightness"), qPrintable(words));
        QVERIFY2(!words.contains("mirrored"), qPrintable(words));
    }

    static void Evaluation_showsTheCentralCropOfTheTestSet()
    {
        PreviewScene scene;
        scene.panel.setConfig(photoConfig(scene.folder()));
        scene.choose(PreviewPanel::Evaluation);
        QTRY_COMPARE(scene.grid().tiles().size(), std::size_t{6});
        const auto dataset = scene.open(Split::Test);
        PipelineSettings settings = photoSettings().forEvaluation();
        settings.globalBatch = 125;
        const Batch batch = makeBatch(*dataset, settings, 0);
        for (std::size_t row = 0; row < 6; ++row) {
            QCOMPARE(scene.grid().tiles()[row].example, static_cast<qint64>(row));
            QVERIFY(shows(scene.grid().tiles()[row].image, rowOf(batch, row)));
        }
        QVERIFY2(scene.caption().contains("examples 0 to 5 of 6"), qPrintable(scene.caption()));
        QVERIFY(!scene.find<QToolButton>("preview_next").isEnabled());
        scene.clickImage(1);
        QTRY_VERIFY(scene.cards().isVisible());
        QCOMPARE(scene.cards().cards().size(), std::size_t{2});
        // The second albatross of the test set; a sixteenth is left out on each side.
        const ColourImage written = slope(2 + kOfClass);
        const QRectF box = scene.cards().cards()[0].box;
        QCOMPARE(qRound64(box.left() * static_cast<double>(written.width)), written.width / 16);
        QCOMPARE(qRound64(box.top() * static_cast<double>(written.height)), written.height / 16);
        QCOMPARE(
            qRound64(box.width() * static_cast<double>(written.width)),
            written.width - 2 * (written.width / 16));
    }

    static void Balance_countsTheFiles()
    {
        PreviewScene scene;
        scene.panel.setConfig(photoConfig(scene.folder()));
        scene.choose(PreviewPanel::Classes);
        const auto* const table = scene.panel.findChild<QTableView*>();
        QTRY_VERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 2);
        for (int row = 0; row < 2; ++row) {
            const auto cell = [&](int column) { return table->model()->index(row, column); };
            const std::string name = cell(ClassBalanceModel::Name).data().toString().toStdString();
            for (const auto& [column, split] :
                 {std::pair{ClassBalanceModel::Train, "train"}, {ClassBalanceModel::Test, "val"}}) {
                const auto files = fs::directory_iterator(scene.folder() / split / name);
                QCOMPARE(
                    cell(column).data(ValueRole).toLongLong(),
                    std::distance(begin(files), end(files)));
            }
        }
        const QString words = scene.find<NoteLabel>("preview_balance").note();
        QVERIFY2(words.contains("2.0 times as many"), qPrintable(words));
    }

    /// Labels begin at 1 under a network whose output 0 is the background's.
    static void Balance_ofABackground_isNoAlert()
    {
        PreviewScene scene;
        RunConfig config = photoConfig(scene.folder());
        config.model.name = "inception_v3";
        scene.panel.setConfig(config);
        scene.choose(PreviewPanel::Classes);
        const auto* const table = scene.panel.findChild<QTableView*>();
        QTRY_VERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 3);
        const QModelIndex background = table->model()->index(0, ClassBalanceModel::Train);
        QCOMPARE(background.data(ValueRole).toLongLong(), 0);
        QVERIFY(!background.data(WarningRole).toBool());
        const QString words = scene.find<NoteLabel>("preview_balance").note();
        QVERIFY2(!words.contains("none"), qPrintable(words));
        QVERIFY2(words.contains("8 examples of 2 classes"), qPrintable(words));
    }

    /// Not even for a run that goes on.
    static void Loading_cancelled_canBeTriedAgain()
    {
        PreviewScene scene;
        scene.panel.setConfig(scene.slowConfig());
        auto& cancel = scene.find<QPushButton>("preview_cancel");
        QTRY_VERIFY(cancel.isVisible());
        QVERIFY(scene.find<QWidget>("preview_progress").isVisible());
        const auto train = [&](int milliseconds) {
            QElapsedTimer clock;
            clock.start();
            for (int step = 1; clock.elapsed() < milliseconds; ++step) {
                scene.panel.setPosition(std::int64_t{8} * step);
                QTest::qWait(20);
            }
        };
        train(PreviewPanel::kLiveMilliseconds + 300); // a further step waits for the loading, too
        QVERIFY(cancel.isVisible());
        cancel.click();
        auto& again = scene.find<QPushButton>("preview_again");
        QTRY_VERIFY(again.isVisible());
        QVERIFY(!cancel.isVisible());
        QVERIFY(scene.grid().tiles().empty());
        const QSignalSpy requests(&scene.panel, &PreviewPanel::requested);
        train(PreviewPanel::kLiveMilliseconds + 300);
        QCOMPARE(requests.size(), 0);
        QVERIFY(again.isVisible() && !cancel.isVisible());
        scene.removeMany();
        again.click();
        QTRY_COMPARE(scene.grid().tiles().size(), std::size_t{8});
    }

    static void Loading_outOfSight_ends()
    {
        PreviewScene scene;
        scene.panel.setConfig(scene.slowConfig());
        auto& progress = scene.find<QProgressBar>("preview_progress");
        QTRY_VERIFY(progress.isVisible());
        scene.panel.setInSight(false);
        const int before = progress.value();
        QTest::qWait(1000);
        QCOMPARE(progress.value(), before);
        QVERIFY(scene.grid().tiles().empty());
        scene.removeMany();
        scene.panel.setInSight(true);
        QTRY_COMPARE(scene.grid().tiles().size(), std::size_t{8});
    }

    /// Images of a configuration that there is no more stay hidden.
    static void Study_thatFailsToo_leavesTheReason()
    {
        PreviewScene scene;
        RunConfig config = photoConfig(scene.folder());
        scene.panel.setConfig(config);
        QTRY_COMPARE(scene.grid().tiles().size(), std::size_t{8});
        scene.clickImage(1);
        QTRY_VERIFY(scene.cards().isVisible());
        config.batchPerTower = -1;
        scene.panel.setConfig(config);
        QTRY_VERIFY(scene.find<QPushButton>("preview_again").isVisible());
        QTest::qWait(500);
        QVERIFY(scene.find<QPushButton>("preview_again").isVisible());
        QVERIFY(!scene.grid().isVisible());
        config.batchPerTower = kOfClass;
        scene.panel.setConfig(config);
        QTRY_VERIFY(scene.grid().isVisible() && scene.cards().isVisible());
    }

    static void Damaged_image_isNamed()
    {
        PreviewScene scene;
        const fs::path file = scene.folder() / "train" / "gannet" / "c.JPEG";
        fs::resize_file(file, fs::file_size(file) / 2);
        std::ofstream(file, std::ios::app) << "\xFF\xD9"; // its header and its end are whole
        scene.panel.setConfig(photoConfig(scene.folder()));
        QTRY_VERIFY(scene.message().contains("c.JPEG"));
        // What can be counted is, all the same.
        scene.choose(PreviewPanel::Classes);
        QTRY_VERIFY(scene.panel.findChild<QTableView*>()->isVisible());
    }

    static void Pictures_inBothThemes()
    {
        for (const bool isDark : {false, true}) {
            QApplication::setPalette(isDark ? darkPalette() : lightPalette());
            PreviewScene scene;
            const auto save = [&](const char* name) {
                const QString file = QString("preview-%1-%2").arg(name, isDark ? "dark" : "light");
                QVERIFY(scene.panel.grab().save(pictureFile(file)));
            };
            scene.panel.setConfig(photoConfig(scene.folder()));
            QTRY_COMPARE(scene.grid().tiles().size(), std::size_t{8});
            save("training");
            scene.clickImage(2);
            QTRY_VERIFY(scene.cards().isVisible());
            save("study");
            scene.choose(PreviewPanel::Classes);
            QTRY_VERIFY(scene.panel.findChild<QTableView*>()->isVisible());
            save("classes");
            RunConfig masked;
            masked.model.name = "segdecnet";
            masked.model.inputHeight = 128;
            masked.model.inputWidth = 64;
            masked.dataset = "synthetic_defects";
            masked.batchPerTower = 4;
            scene.panel.setConfig(masked);
            scene.choose(PreviewPanel::Training);
            QTRY_VERIFY(
                scene.grid().isVisible() && !scene.grid().tiles().empty()
                && scene.grid().tiles()[0].image.height() == 128);
            save("defects");
            scene.choose(PreviewPanel::Evaluation);
            QTRY_COMPARE(scene.grid().tiles().size(), std::size_t{PreviewPanel::kPageImages});
            save("evaluation");
        }
    }
};
LOCKSTEP_TEST(TestDataPreview)
#include "test_data_preview.moc"
