// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/preview_batch.h"
#include "panels/masks/mask_strip.h"
#include "panels/masks/masks_panel.h"
#include "session/mask_model.h"
#include "theme/palette.h"
#include "ui/pictures.h"
#include "ui/session_witness.h"

#include <QtWidgets>

#include <algorithm>
#include <limits>

namespace lockstep::ui {
namespace {

/// A run of two towers, an image each, that learns masks of generated pictures.
RunConfig maskConfig(const std::string& model)
{
    RunConfig config = smallConfig(kEndless);
    config.model.name = model;
    config.dataset = "synthetic_defects";
    config.datasetPath.clear();
    config.towers = 2;
    config.batchPerTower = 1;
    config.threadsPerTower = {1};
    config.checkpointEverySteps = 0;
    config.phases = {{"joint", kEndless, 0.01, {}}};
    return config;
}

ImageMasks imageOf(const std::vector<float>& mask, const std::vector<float>& probabilities)
{
    ImageMasks image;
    image.example = 1234;
    image.name = "1234";
    image.label = std::ranges::max(mask) > 0.0F ? 1 : 0;
    image.mask = mask;
    image.probabilities = probabilities;
    return image;
}

} // namespace

/// A panel on a run, as the window has it.
struct MasksScene
{
    MasksScene()
    {
        QApplication::setPalette(lightPalette());
        panel.resize(1000, 260);
        panel.show();
        panel.setInSight(true);
        QObject::connect(
            &witness.controller.feed(), &RunFeed::masksArrived,
            [this](const std::shared_ptr<const MaskRecord>& record) { records.push_back(record); });
    }

    template<class Part>
    Part& part(const char* name)
    {
        return *panel.findChild<Part*>(name);
    }
    [[nodiscard]] const std::vector<MaskCard*>& cards() const
    {
        return panel.findChild<MaskStrip*>()->cards();
    }
    QString message()
    {
        const auto& label = part<QLabel>("masks_message");
        return label.isVisible() ? label.text() : QString();
    }
    /// A run of the small network.
    void train() { witness.controller.start({maskConfig(model()), folder / "run"}); }
    void trainUntilShown()
    {
        train();
        QTRY_COMPARE(cards().size(), std::size_t{2});
    }
    [[nodiscard]] std::string model() const { return test::writeMaskModel(folder.path()).string(); }
    void end()
    {
        witness.controller.send(command::Stop{});
        WAIT_FOR(Stopped);
    }

    const test::TemporaryFolder folder;
    std::vector<std::shared_ptr<const MaskRecord>> records;
    SessionWitness witness;
    LiveRun run{witness.controller};
    MasksPanel panel{witness.controller, run};
};

/// The dock with the masks of the images that are trained on, with real trainings.
class TestMasksPanel : public QObject
{
    Q_OBJECT

private slots:
    static void Run_ofSegdecnet_showsEachTowersImage()
    {
        MasksScene scene;
        RunConfig config = maskConfig("segdecnet");
        config.model.inputHeight = 128;
        config.model.inputWidth = 64;
        scene.witness.controller.start({config, scene.folder / "run"});
        QTRY_COMPARE(scene.cards().size(), std::size_t{2});
        QTRY_VERIFY(scene.records.size() >= 2);
        scene.end();
        QTest::qWait(600); // until the last one is shown
        const MaskRecord& record = *scene.records.back();
        for (std::size_t tower = 0; tower < 2; ++tower) {
            const MaskCard& card = *scene.cards()[tower];
            const ImageMasks& image = record.towers[tower].images.front();
            const MaskPicture& picture = card.view().picture();
            QCOMPARE(picture.input.size(), QSize(64, 128));
            QCOMPARE(picture.rows, 16);
            QCOMPARE(picture.columns, 8);
            QVERIFY(picture.label == image.mask);
            QVERIFY(picture.probabilities == image.probabilities);
            QCOMPARE(picture.input.pixelColor(0, 0).red(), qRound(image.input.front() * 255));
            // Every second picture of the data set has a defect.
            const bool isDefective = image.example % 2 == 1;
            QVERIFY(card.lines().front().startsWith(
                isDefective ? "defective, score 0." : "clean, score 0."));
            QCOMPARE(std::ranges::max(picture.label) > 0.0F, isDefective);
            QVERIFY(card.accessibleName().contains(QString::number(tower)));
            QVERIFY(
                card.isVisible()
                && scene.panel.rect().contains(
                    QRect(card.mapTo(&scene.panel, QPoint(0, 0)), card.size())));
            for (const QString& line : card.lines()) {
                QVERIFY(card.fontMetrics().horizontalAdvance(line) < card.width());
            }
        }
        // In a wide dock they take the height, and words none of it.
        const auto pictureHeight = [&] {
            return scene.cards().front()->view().layerRect(0).height();
        };
        const double narrow = pictureHeight();
        scene.panel.resize(1400, 260);
        QTRY_VERIFY(pictureHeight() >= narrow + 2 * scene.panel.fontMetrics().height());
        for (const MaskCard* const card : scene.cards()) {
            QVERIFY(scene.panel.rect().contains(
                QRect(card->mapTo(&scene.panel, QPoint(0, 0)), card->size())));
        }
        for (const bool isDark : {false, true}) {
            QApplication::setPalette(isDark ? darkPalette() : lightPalette());
            QTest::qWait(20);
            QVERIFY(scene.panel.grab().save(pictureFile(isDark ? "masks-dark" : "masks-light")));
        }
    }

    static void Tower_chosen_isShownAlone()
    {
        MasksScene scene;
        scene.trainUntilShown();
        auto& tower = scene.part<QComboBox>("masks_tower");
        QCOMPARE(tower.count(), 3);
        tower.setFocus();
        QTest::keyClick(&tower, Qt::Key_End);
        QTRY_COMPARE(scene.cards().size(), std::size_t{1});
        QVERIFY(scene.cards().front()->accessibleName().startsWith("Tower 1"));
        scene.end();
    }

    static void Threshold_reachesEveryPicture()
    {
        MasksScene scene;
        scene.trainUntilShown();
        auto& slider = scene.part<QSlider>("masks_threshold");
        QCOMPARE(scene.cards().front()->view().threshold(), 0.5);
        QTest::keyClick(&slider, Qt::Key_PageUp);
        QTest::keyClick(&slider, Qt::Key_Right);
        for (const MaskCard* const card : scene.cards()) {
            QCOMPARE(card->view().threshold(), 0.61);
        }
        scene.end();
    }

    static void OutOfSight_nothingIsCopied()
    {
        MasksScene scene;
        scene.panel.setInSight(false);
        scene.train();
        QTRY_VERIFY(scene.witness.steps.size() > 20);
        QTest::qWait(600);
        QVERIFY(scene.records.empty());
        scene.panel.setInSight(true);
        QTRY_VERIFY(!scene.records.empty());
        scene.panel.setInSight(false);
        QTest::qWait(100); // one that was on its way
        const std::size_t told = scene.records.size();
        QTest::qWait(1200);
        QCOMPARE(scene.records.size(), told);
        scene.end();
    }

    static void Live_switchedOff_keepsWhatIsShown()
    {
        MasksScene scene;
        scene.trainUntilShown();
        QTest::keyClick(&scene.part<QCheckBox>("masks_live"), Qt::Key_Space);
        QTest::qWait(100);
        const std::size_t told = scene.records.size();
        const auto shown = scene.cards().front()->view().picture().probabilities;
        QTest::qWait(1200);
        QCOMPARE(scene.records.size(), told);
        QVERIFY(scene.cards().front()->view().picture().probabilities == shown);
        scene.end();
    }

    static void Message_saysWhyThereIsNothing()
    {
        MasksScene scene;
        const auto says = [&scene](const char* words) { return scene.message().contains(words); };
        QVERIFY(says("segdecnet"));
        SessionController& controller = scene.witness.controller;
        emit controller.feed().started("/nowhere", smallConfig(1));
        QVERIFY(says("predicts no masks"));
        emit controller.feed().started("/nowhere", maskConfig(scene.model()));
        QVERIFY(says("No process is training this run now"));
        using State = SessionController::State;
        QVERIFY(noMasksText(true, State::Idle, true).contains("No process"));
        QVERIFY(noMasksText(true, State::Following, true).contains("next step"));
        QVERIFY(noMasksText(true, State::Running, true).contains("next step"));
        QVERIFY(noMasksText(true, State::Running, false).contains("Live"));
    }

    static void Words_sayWhereThePeakIs()
    {
        const QString inside = peakText(imageOf({0.0F, 0.2F, 0.0F}, {0.1F, 0.874F, 0.3F}));
        QCOMPARE(inside, "peak 0.87, in the label");
        const QString outside = peakText(imageOf({0.0F, 1.0F, 0.0F}, {0.1F, 0.2F, 0.3F}));
        QCOMPARE(outside, "peak 0.30, outside the label");
        ImageMasks clean = imageOf({0.0F, 0.0F, 0.0F}, {0.1F, 0.2F, 0.05F});
        QCOMPARE(peakText(clean), "peak 0.20, nothing is marked");
        QCOMPARE(classText(clean), "clean");
        clean.score = 0.126;
        QCOMPARE(classText(clean), "clean, score 0.13");
        QCOMPARE(maskTitle(clean), "example 1,234");
        const TowerMasks tower{0.41, {{"segmentation", 0.12}, {"decision", 0.29}}, {}};
        QCOMPARE(towerLossText(tower), "Loss 0.41: segmentation 0.12, decision 0.29");
    }

    static void Picture_ofBytes_isScaled()
    {
        MaskRecord record;
        record.input = {1, 3, 1};
        record.mask = {1, 1, 1};
        record.white = 255.0;
        ImageMasks image = imageOf({0.0F}, {0.5F});
        image.input = {0.0F, 127.0F, 255.0F};
        const MaskPicture bytes = maskPictureOf(record, image);
        record.white = 1.0;
        image.input = {0.0F, 127.0F / 255.0F, 1.0F};
        const MaskPicture unit = maskPictureOf(record, image);
        for (int x = 0; x < 3; ++x) {
            QCOMPARE(bytes.input.pixelColor(x, 0).red(), std::vector({0, 127, 255})[x]);
            QCOMPARE(unit.input.pixelColor(x, 0), bytes.input.pixelColor(x, 0));
        }
    }

    static void Cards_areAsWide_whateverIsSaidOfThem()
    {
        MaskRecord record;
        record.input = {2, 1, 1};
        record.mask = {2, 1, 1};
        ImageMasks defective = imageOf({0.0F, 1.0F}, {0.9F, 0.1F});
        defective.label = 1;
        defective.score = 0.93;
        ImageMasks clean = imageOf({0.0F, 0.0F}, {0.1F, 0.2F});
        for (ImageMasks* const image : {&defective, &clean}) {
            image->input = {0.0F, 1.0F};
        }
        record.towers = {{0.4, {}, {defective}}, {0.2, {}, {clean}}};
        MaskStrip strip;
        strip.setRecord(record, std::nullopt);
        for (const QSize size : {QSize(1400, 160), QSize(600, 160)}) { // words beside, and below
            strip.resize(size);
            strip.show();
            QCOMPARE(strip.cards()[0]->size(), strip.cards()[1]->size());
        }
    }

    /// As a network that has diverged leaves it.
    static void Picture_withoutNumbers_isBlackThere()
    {
        const float none = std::numeric_limits<float>::quiet_NaN();
        const float endless = std::numeric_limits<float>::infinity();
        const std::vector values{none, endless, -endless, 0.5F};
        const QImage image = inputPicture(values, {2, 2, 1}, {0.0F, 1.0F});
        QCOMPARE(image.pixelColor(0, 0).red(), 0);
        QCOMPARE(image.pixelColor(1, 0).red(), 255);
        QCOMPARE(image.pixelColor(0, 1).red(), 0);
        QCOMPARE(image.pixelColor(1, 1).red(), 128);
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestMasksPanel)
#include "test_masks_panel.moc"
