// SPDX-License-Identifier: GPL-3.0-or-later
#include "dataset/colour_files.h"
#include "dataset/masked_files.h"
#include "ui/run_panel_scene.h"

#include <fmt/core.h>

using namespace lockstep;
using namespace lockstep::ui;
using namespace lockstep::test;

/// What the form says of a person's own files, beside their folder.
class TestRunPanelData : public RunPanelTest
{
    Q_OBJECT

private slots:
    void Folder_ofPictures_saysWhatWasUnderstood();
    void Folder_thatCantBeUsed_saysWhy();
    void Folder_ofAnotherDataSet_saysNothing();

private:
    /// Asks for the files in the scene's folder.
    void choose(const Files& files, const char* dataset = "image_folder") const
    {
        const auto place = m_scene->folder() / "data";
        std::filesystem::remove_all(place);
        writeFiles(place, files);
        RunRequest request;
        request.config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
        request.config.dataset = dataset;
        request.config.datasetPath = place.string();
        panel().setRequest({});
        panel().setRequest(request);
    }
    [[nodiscard]] QString note() const { return m_scene->field("dataset.path")->note(); }
};

void TestRunPanelData::Folder_ofPictures_saysWhatWasUnderstood()
{
    Files files;
    for (int i = 0; i < 5; ++i) {
        const std::string picture = jpegOf(flatImage(20 + i, 30, {50, 60, 70}));
        files[fmt::format("cat/{}.jpg", i)] = files[fmt::format("dog/{}.jpg", i)] = picture;
    }
    choose(files);
    QTRY_COMPARE(
        note(),
        "A folder for each class, no train and val; 20 % of each class, drawn by the seed, are "
        "tested on; images of 20 × 30 to 24 × 30 pixels\n"
        "Train: 8 examples of 2 classes; 4 each\nTest: 2 examples of 2 classes; 1 each");
    // Of another share of the same files.
    m_scene->more().setOpen(true);
    m_scene->type("dataset.test_share", "0.4");
    QTRY_VERIFY(note().contains("Test: 4 examples of 2 classes"));
}

void TestRunPanelData::Folder_thatCantBeUsed_saysWhy()
{
    const std::string picture = jpegOf(flatImage(20, 30, {50, 60, 70}));
    choose({{"cat/1.jpg", picture}, {"cat/2.jpg", picture}, {"dog/1.jpg", picture}});
    QTRY_VERIFY(note().contains("fewer than two images of class dog; each class needs"));
}

void TestRunPanelData::Folder_ofAnotherDataSet_saysNothing()
{
    const std::string picture = jpegOf(flatImage(20, 30, {50, 60, 70}));
    choose({{"cat/1.jpg", picture}});
    QTRY_VERIFY(!note().isEmpty());
    panel().setRequest({});
    QCOMPARE(note(), QString());
}

LOCKSTEP_TEST(TestRunPanelData)
#include "test_run_panel_data.moc"
