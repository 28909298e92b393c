// SPDX-License-Identifier: Apache-2.0
#include "dataset/colour_files.h"
#include "session/run_witness.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <memory>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

void writeImage(const fs::path& file, int red)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary)
        << jpegOf(flatImage(30, 40, {static_cast<std::uint8_t>(red), 90, 60}));
}

/// Two classes of three photographs.
void writePhotographs(const fs::path& folder)
{
    for (const char* place : {"train", "val"}) {
        for (const char* name :
             {"ant/a.jpg", "ant/b.jpg", "ant/c.jpg", "bee/a.jpg", "bee/b.jpg", "bee/c.jpg"}) {
            writeImage(folder / place / name, 20 * name[4]);
        }
    }
}

RunConfig photographs(const fs::path& folder, std::int64_t steps)
{
    RunConfig config = smallConfig(steps);
    config.dataset = "image_folder";
    config.datasetPath = folder.string();
    config.batchPerTower = 2;
    config.checkpointEverySteps = 2;
    return config;
}

} // namespace

/// A run that goes on where its photographs are not any more what they were.
class TestChangedData : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void Resume_onTheSame_saysNothing();
    void Resume_onMoreExamples_warns();
    void Resume_onOtherLabels_warns();
    void Resume_onOtherTestImages_warns();
    void Resume_onOtherClasses_isRefused();

private:
    [[nodiscard]] RunRequest resume() const
    {
        return {photographs(m_folder->path() / "data", 4), m_folder->path() / "run", true};
    }
    /// What the resumed run notes about its data.
    [[nodiscard]] QString warning() const
    {
        Witness witness;
        trainWhole(resume(), witness);
        const auto found = std::ranges::find_if(witness.notes, [](const std::string& note) {
            return note.starts_with("the training data have changed")
                   || note.starts_with("the test images have changed");
        });
        return found == witness.notes.end() ? QString() : QString::fromStdString(*found);
    }

    std::unique_ptr<TemporaryFolder> m_folder;
};

void TestChangedData::init()
{
    m_folder = std::make_unique<TemporaryFolder>();
    writePhotographs(m_folder->path() / "data");
    Witness witness;
    trainWhole({photographs(m_folder->path() / "data", 2), m_folder->path() / "run"}, witness);
}

void TestChangedData::Resume_onTheSame_saysNothing()
{
    fs::rename(m_folder->path() / "data", m_folder->path() / "moved");
    fs::create_directory_symlink(m_folder->path() / "moved", m_folder->path() / "data");
    QCOMPARE(warning(), QString());
}

void TestChangedData::Resume_onMoreExamples_warns()
{
    writeImage(m_folder->path() / "data/train/ant/d.jpg", 50);
    const QString text = warning();
    QVERIFY2(text.contains("7 examples now, 6 then"), qPrintable(text));
}

void TestChangedData::Resume_onOtherLabels_warns()
{
    const fs::path training = m_folder->path() / "data/train";
    fs::rename(training / "ant/b.jpg", training / "bee/d.jpg");
    const QString text = warning();
    QVERIFY2(text.contains("6 examples as then, but other names or labels"), qPrintable(text));
}

void TestChangedData::Resume_onOtherTestImages_warns()
{
    const fs::path tests = m_folder->path() / "data/val";
    fs::rename(tests / "ant/b.jpg", tests / "bee/d.jpg");
    const QString text = warning();
    QVERIFY2(text.startsWith("the test images have changed"), qPrintable(text));
}

void TestChangedData::Resume_onOtherClasses_isRefused()
{
    for (const char* place : {"data/train", "data/val"}) {
        fs::rename(m_folder->path() / place / "ant", m_folder->path() / place / "wasp");
    }
    const QString text = failureOf([&] {
        Witness witness;
        const TrainingRun run(resume(), witness);
    });
    QVERIFY2(text.contains("the 2 classes of the data do not have the names"), qPrintable(text));
}

LOCKSTEP_TEST(TestChangedData)
#include "test_changed_data.moc"
