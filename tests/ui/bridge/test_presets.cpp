// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/presets.h"
#include "support/lockstep_test.h"

using namespace lockstep;
using namespace lockstep::ui;

namespace {

QString textOf(const Preset& preset)
{
    QFile file(QString(":/presets/%1.toml").arg(preset.name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

const Preset& presetOf(const std::vector<Preset>& all, const QString& name)
{
    return *std::find_if(
        all.begin(), all.end(), [&](const Preset& preset) { return preset.name == name; });
}

} // namespace

class TestPresets : public QObject
{
    Q_OBJECT

private slots:
    void Preset_each_isValidAndTellsWhatMatters_data()
    {
        QTest::addColumn<int>("number");
        const auto all = presets();
        for (int i = 0; i < static_cast<int>(all.size()); ++i) {
            QTest::addRow("%s", qPrintable(all[static_cast<std::size_t>(i)].name)) << i;
        }
    }

    void Preset_each_isValidAndTellsWhatMatters()
    {
        QFETCH(const int, number);
        const Preset preset = presets()[static_cast<std::size_t>(number)];
        preset.config.validate();
        const QStringList lines = textOf(preset).split('\n');
        // The second line is its title, after the licence.
        QCOMPARE(lines.value(1), QString("# %1: %2").arg(preset.title, preset.description));
        // Then the keys that matter, no others, with the comments of now: a preset asks for none
        // besides.
        RunConfig config = preset.config;
        config.asked.clear();
        const QStringList told = QString::fromStdString(toToml(config)).split('\n');
        const qsizetype comments = std::count_if(
            told.begin(), told.end(), [](const QString& line) { return line.startsWith('#'); });
        QCOMPARE(lines.mid(2), told.mid(comments));
    }

    void Presets_are_whatTheySay()
    {
        const auto all = presets();
        QCOMPARE(all.front().name, "first_look");
        const RunConfig& first = all.front().config;
        QCOMPARE(first.dataset, std::string("synthetic"));
        QCOMPARE(first.model.name, std::string("shapes"));
        QCOMPARE(first.towers, 2);
        QCOMPARE(first.batchPerTower.value(), 32);
        QCOMPARE(first.steps, 2000);
        const RunConfig& article = presetOf(all, "article_cifar10").config;
        QCOMPARE(article.dataset, std::string("cifar10"));
        QCOMPARE(article.towers, 4);
        QCOMPARE(article.towerShape().globalBatch(), 512);
        QCOMPARE(article.steps, 700'000);
        const RunConfig& quick = presetOf(all, "quick_cifar10").config;
        QCOMPARE(quick.dataset, std::string("cifar10"));
        QCOMPARE(quick.towerShape().globalBatch(), 256);
        QCOMPARE(quick.steps, 3000);
        const RunConfig& paper = presetOf(all, "segdecnet_kolektorsdd").config;
        QCOMPARE(paper.dataset, std::string("kolektorsdd"));
        QCOMPARE(paper.phases, usualPhases("segdecnet"));
        QCOMPARE(paper.steps, 13'200);
        QCOMPARE(paper.towerShape().globalBatch(), 1);
        const RunConfig& defects = presetOf(all, "segdecnet_defects").config;
        QCOMPARE(defects.dataset, std::string("synthetic_defects"));
        QCOMPARE(defects.towerShape().towers, 2);
        QCOMPARE(defects.towerShape().globalBatch(), 2);
        QCOMPARE(stepsOf(defects.phases), defects.steps);
        QCOMPARE(defects.phases.size(), std::size_t{2});
    }

    void Presets_ofInception_areWhatTheySay()
    {
        const auto all = presets();
        const RunConfig& large = presetOf(all, "inception_imagenet").config;
        QCOMPARE(large.dataset, std::string("tfrecord"));
        QCOMPARE(large.towerShape().globalBatch(), 256);
        QCOMPARE(large.steps, 500'000);
        const NetworkSpec network = makeNetwork(large.model);
        QCOMPARE(network.parameterElements(), 27'145'970);
        // The trainer's schedule, by the size of ImageNet's training set and the batch of all
        // towers.
        const LearningRateSchedule schedule(large.learningRate, 1'281'167, 8, 32);
        QCOMPARE(schedule.decaySteps(), 150'136);
        QCOMPARE(schedule.at(150'136), 0.1 * 0.16);
        const OptimizerSettings optimizer = large.optimizer.settings();
        QVERIFY(optimizer.kind == UpdateKind::RmsProp);
        QCOMPARE(optimizer.decay, 0.9);
        QCOMPARE(optimizer.momentum, 0.9);
        QCOMPARE(optimizer.epsilon, 1.0);
        const RunConfig& small = presetOf(all, "inception_imagenette").config;
        QCOMPARE(small.dataset, std::string("image_folder"));
        QCOMPARE(small.towerShape().towers, 2);
        QCOMPARE(small.towerShape().globalBatch(), 16);
        QCOMPARE(small.steps, 2000);
        QCOMPARE(toString(makeNetwork(small.model).inputShape()), std::string("139x139x3"));
        QCOMPARE(makeNetwork(small.model).classes, 11);
        const RunConfig& flowers = presetOf(all, "inception_flowers").config;
        QCOMPARE(flowers.dataset, std::string("tfrecord"));
        QCOMPARE(flowers.towerShape().globalBatch(), 32);
        QCOMPARE(flowers.learningRate.initial, 0.001);
        QCOMPARE(flowers.steps, 2000);
        QCOMPARE(makeNetwork(flowers.model).classes, 6);
        // Runs that are short for the decay have their moments ramped.
        QVERIFY(small.momentRamp && flowers.momentRamp && !large.momentRamp);
    }

    void Folder_holds_nothingElse()
    {
        const QDir folder(LOCKSTEP_SOURCE_DIR "/resources/presets");
        QStringList names;
        for (const Preset& preset : presets()) {
            names.append(preset.name + ".toml");
        }
        names.sort();
        QCOMPARE(folder.entryList({"*.toml"}, QDir::Files, QDir::Name), names);
    }
};
LOCKSTEP_TEST(TestPresets)
#include "test_presets.moc"
