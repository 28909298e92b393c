// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/synthetic_defects.h"
#include "input/batch_builder.h"
#include "session/config/run_data.h"
#include "session/mask_model.h"
#include "session/run_witness.h"
#include "session/training/training_session.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

namespace {

const Dataset& pictures()
{
    static const auto dataset = openSyntheticDefects(Split::Train, {3, 16, 5});
    return *dataset;
}

/// Two towers on generated pictures: two steps of segmentation, then two of the decision.
RunConfig configOf(const std::string& model, std::int64_t batchPerTower)
{
    RunConfig config;
    config.model.name = model;
    config.dataset = "synthetic_defects";
    config.towers = 2;
    config.batchPerTower = batchPerTower;
    config.threadsPerTower = {1};
    config.gradientsEverySteps = 0;
    config.phases = {{"segmentation", 2, 0.5, {}}, {"decision", 2, 0.5, {"segmentation"}}};
    config.steps = 4;
    config.evaluateAtEnd = false;
    config.alerts = {0, 0.0, 0.0, 0, 0.0, 0.0};
    return config;
}

/// The global batch of a step, made anew.
Batch batchOf(const RunConfig& config, const NetworkSpec& network, std::int64_t step)
{
    PipelineSettings settings;
    settings.globalBatch = config.towerShape().globalBatch();
    settings.seed = config.seed;
    settings.distortion = distortionFor(config, network);
    settings.order = trainingOrderOf(config);
    return makeBatch(pictures(), settings, step);
}

/// What the network says of each row of a batch, in passes of their own, row by row, that are
/// planned without a training: no buffer is shared with a backward pass.
struct Said
{
    std::vector<std::vector<float>> probabilities;
    std::vector<double> scores;
};

Said saidBy(const TrainingSession& session, const Batch& batch)
{
    Said said;
    session.stepper().threads().run([&](int worker) {
        if (worker != 0) {
            return;
        }
        const auto& device = dynamic_cast<const HostDevice&>(session.plan().devices.first());
        device.enterThread(1);
        ReplicaSettings settings;
        settings.examples = 1;
        Replica replica(
            device, session.plan().network, session.stepper().arena().layout(), settings);
        const std::int64_t pixels = batch.shape.elements();
        const std::int64_t cells = batch.maskShape->elements();
        for (std::int64_t row = 0; row < batch.examples; ++row) {
            const auto part = [row](const auto& values, std::int64_t count) {
                return std::span(values).subspan(
                    static_cast<std::size_t>(row * count), static_cast<std::size_t>(count));
            };
            replica.forward(
                session.stepper().arena().weightsView(),
                {part(batch.images, pixels), part(batch.labels, 1), part(batch.masks, cells)});
            said.probabilities.push_back(replica.output("mask_probabilities"));
            const auto logit = static_cast<double>(replica.output("decision_logits").front());
            said.scores.push_back(1.0 / (1.0 + std::exp(-logit)));
        }
    });
    return said;
}

double farthest(const std::vector<float>& one, const std::vector<float>& other)
{
    double most = 0.0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        most = std::max(most, std::abs(static_cast<double>(one[i] - other[i])));
    }
    return one.size() == other.size() ? most : 1.0;
}

class MaskWitness : public Witness
{
public:
    void onEvent(const TrainingEvent& event) override
    {
        Witness::onEvent(event);
        if (const auto* const masks = std::get_if<std::shared_ptr<const MaskRecord>>(&event)) {
            steps.push_back((*masks)->step);
            stepsBefore.push_back(std::ssize(losses));
        }
    }
    std::vector<std::int64_t> steps;
    std::vector<std::int64_t> stepsBefore; ///< steps that were told before each
};

} // namespace

/// What is told of the masks that the towers predict, against passes of their own.
class TestTowerMasks : public QObject
{
    Q_OBJECT

private slots:
    void Masks_areThoseOfTheWeightsBeforeTheUpdate_data();
    void Masks_areThoseOfTheWeightsBeforeTheUpdate();
    void Masks_ofLargeBatches_areTheFirstOfEachTower();
    void Masks_byteInputs_sayWhatIsWhite();
    void Masks_notWanted_areNotThere();
    void Run_tellsThem_whileTheyAreWanted();
};

void TestTowerMasks::Masks_areThoseOfTheWeightsBeforeTheUpdate_data()
{
    QTest::addColumn<bool>("isSegdecnet");
    QTest::newRow("small detector") << false;
    QTest::newRow("segdecnet") << true;
}

/// Over both phases: of the second one no layer up to the mask has a backward pass.
void TestTowerMasks::Masks_areThoseOfTheWeightsBeforeTheUpdate()
{
    QFETCH(const bool, isSegdecnet);
    const TemporaryFolder folder;
    RunConfig config =
        configOf(isSegdecnet ? "segdecnet" : writeMaskModel(folder.path()).string(), 1);
    if (isSegdecnet) {
        config.model.inputHeight = 128;
        config.model.inputWidth = 64;
    }
    TrainingSession session(config, pictures());
    session.setMasksWanted(true);
    for (std::int64_t step = 0; step < 4; ++step) {
        const Batch batch = batchOf(config, session.plan().network, step);
        const Said before = saidBy(session, batch);
        const TrainingStep& made = session.step();
        const StepRecord& told = made.record;
        const Said after = saidBy(session, batch);
        QVERIFY(made.masks);
        const MaskRecord& record = *made.masks;
        QCOMPARE(record.step, step);
        QCOMPARE(record.white, 1.0);
        QVERIFY(record.input == batch.shape && record.mask == *batch.maskShape);
        QCOMPARE(record.towers.size(), std::size_t{2});
        for (std::size_t tower = 0; tower < 2; ++tower) {
            const TowerMasks& masks = record.towers[tower];
            QCOMPARE(masks.images.size(), std::size_t{1});
            const ImageMasks& image = masks.images.front();
            QCOMPARE(image.example, batch.ids[tower]);
            QCOMPARE(
                QString::fromStdString(image.name),
                QString::fromStdString(pictures().exampleName(image.example)));
            QCOMPARE(image.label, batch.labels[tower]);
            QVERIFY(std::ranges::equal(
                image.input,
                std::span(batch.images).subspan(tower * image.input.size(), image.input.size())));
            QVERIFY(std::ranges::equal(
                image.mask,
                std::span(batch.masks).subspan(tower * image.mask.size(), image.mask.size())));
            QVERIFY(farthest(image.probabilities, before.probabilities.at(tower)) < 3e-5);
            QVERIFY(image.score && std::abs(*image.score - before.scores.at(tower)) < 3e-5);
            QCOMPARE(masks.loss, told.towers[tower].loss);
            QCOMPARE(masks.objectives.size(), std::size_t{2});
            QCOMPARE(masks.objectives[0].objective, "segmentation");
            QCOMPARE(masks.objectives[1].loss, told.towers[tower].objectives[1]);
            if (step < 2) { // else they would be the same before and after
                QVERIFY(farthest(image.probabilities, after.probabilities.at(tower)) > 1e-4);
            }
        }
    }
}

/// Two lanes a tower, of three rows each.
void TestTowerMasks::Masks_ofLargeBatches_areTheFirstOfEachTower()
{
    const TemporaryFolder folder;
    RunConfig config = configOf(writeMaskModel(folder.path()).string(), 6);
    config.threadsPerTower = {2};
    TrainingSession session(config, pictures());
    const Batch batch = batchOf(config, session.plan().network, 0);
    const Said before = saidBy(session, batch);
    session.setMasksWanted(true);
    const TrainingStep& made = session.step();
    for (std::size_t tower = 0; tower < 2; ++tower) {
        const auto& images = made.masks->towers[tower].images;
        QCOMPARE(images.size(), std::size_t{4});
        for (std::size_t i = 0; i < images.size(); ++i) {
            const std::size_t row = 6 * tower + i;
            QCOMPARE(images[i].example, batch.ids[row]);
            QVERIFY(farthest(images[i].probabilities, before.probabilities[row]) < 1e-5);
        }
    }
}

void TestTowerMasks::Masks_byteInputs_sayWhatIsWhite()
{
    const TemporaryFolder folder;
    RunConfig config = configOf(writeMaskModel(folder.path()).string(), 1);
    config.masked.pixelRange = "byte";
    config.phases[0].learningRate = 1e-6;
    TrainingSession session(config, pictures());
    session.setMasksWanted(true);
    const TrainingStep& made = session.step();
    QCOMPARE(made.masks->white, 255.0);
    QVERIFY(std::ranges::max(made.masks->towers[0].images[0].input) > 1.0F);
}

void TestTowerMasks::Masks_notWanted_areNotThere()
{
    const TemporaryFolder folder;
    TrainingSession session(configOf(writeMaskModel(folder.path()).string(), 1), pictures());
    QVERIFY(!session.step().masks);
    session.setMasksWanted(true);
    QVERIFY(session.step().masks);
    session.setMasksWanted(false);
    QVERIFY(!session.step().masks);

    const RunConfig plain = smallConfig(1);
    const auto images = openDataset(datasetOf(plain), Split::Train);
    TrainingSession without(plain, *images);
    without.setMasksWanted(true);
    QVERIFY(!without.step().masks);
}

void TestTowerMasks::Run_tellsThem_whileTheyAreWanted()
{
    const TemporaryFolder folder;
    RunConfig config = configOf(writeMaskModel(folder.path()).string(), 1);
    config.phases = {{"joint", 100'000, 0.01, {}}};
    config.steps = 100'000;
    MaskWitness witness;
    TrainingRun run({config, folder / "run"}, witness);
    const auto begin = std::chrono::steady_clock::now();
    std::int64_t lastWanted = -1;
    witness.afterStep = [&](std::int64_t step) {
        if (step == 4) {
            run.wantMasks(true);
        } else if (witness.steps.size() == 3 && lastWanted < 0) {
            run.wantMasks(false);
            lastWanted = step;
        } else if (lastWanted >= 0 && step == lastWanted + 3) {
            run.send(command::Stop{});
        }
    };
    run.train();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    QCOMPARE(witness.steps.size(), std::size_t{3});
    QCOMPARE(witness.steps.front(), std::int64_t{5}); // the next one, at once
    QVERIFY(seconds.count() > 0.9);                   // the others half a second apart
    for (std::size_t i = 0; i < witness.steps.size(); ++i) {
        QCOMPARE(witness.stepsBefore[i], witness.steps[i] + 1);
    }
}

LOCKSTEP_TEST(TestTowerMasks)
#include "test_tower_masks.moc"
