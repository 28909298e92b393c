// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/layer_reader.h"
#include "cli/program.h"
#include "session/event_scene.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"
#include "ui/model_cells.h"

#include "storage/events/event_file.h"

#include <algorithm>
#include <fstream>

namespace lockstep::ui {
namespace {

constexpr std::int64_t kBatch = 8;

LayerRequest requestOf(const std::filesystem::path& folder, const std::string& layer = "conv1")
{
    return {folder, test::twoTowers().model, kBatch, layer, false, std::nullopt};
}

bool isEqual(const HistogramRow& a, const HistogramRow& b)
{
    return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
        return one->step == other->step && one->counts == other->counts
               && one->limits == other->limits && one->mean() == other->mean()
               && one->deviation() == other->deviation();
    });
}

bool isEqual(const LayerPicture& a, const LayerPicture& b)
{
    return a.layer == b.layer && a.steps == b.steps && isEqual(a.values, b.values)
           && isEqual(a.gradients, b.gradients) && isEqual(a.activations, b.activations)
           && std::ranges::equal(
               a.sparsity, b.sparsity,
               [](const SparsityCurve& one, const SparsityCurve& other) {
                   return one.layer == other.layer && one.shares == other.shares;
               })
           && a.filters == b.filters && a.filterStep == b.filterStep && a.problem == b.problem;
}

/// A training whose every step is recorded, one after the other.
class RecordedTraining
{
public:
    RecordedTraining() : m_recorder(settings(), m_scene.session, *m_scene.training) {}

    void step()
    {
        m_recorder.record(m_scene.session.step().record);
        m_recorder.flush();
        m_weights.push_back(
            m_scene.session.stepper().arena().read(m_scene.session.stepper().arena().weights(), 0));
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_scene.folder.path(); }
    /// Of the first convolution after a step.
    [[nodiscard]] const std::vector<float>& weightsAfter(std::size_t step) const
    {
        return m_weights[step];
    }

private:
    [[nodiscard]] EventRecorderSettings settings() const
    {
        EventRecorderSettings settings = m_scene.settings();
        settings.leastSeconds = 0.0;
        return settings;
    }

    test::EventScene m_scene;
    EventRecorder m_recorder;
    std::vector<std::vector<float>> m_weights;
};

/// Whether a row holds what was recorded under a tag at these steps.
bool holds(
    const HistogramRow& row, const std::filesystem::path& folder, const std::string& tag,
    const std::vector<std::int64_t>& steps)
{
    bool isHeld = row.size() == steps.size();
    for (std::size_t i = 0; isHeld && i < steps.size(); ++i) {
        const test::Values values = test::valuesAt(folder / "events", steps[i]);
        const Histogram& recorded = test::histogram(values, tag);
        isHeld = row[i]->step == steps[i] && row[i]->counts == recorded.counts
                 && row[i]->limits == recorded.limits && row[i]->count == recorded.count
                 && row[i]->mean() == recorded.sum / recorded.count;
    }
    return isHeld;
}

/// Records with a histogram each, all written at once.
void writeRecords(const std::filesystem::path& folder, std::int64_t first, std::int64_t end)
{
    std::vector<EventRecord> records;
    for (std::int64_t step = first; step < end; ++step) {
        const std::vector<float> values{0.0F, static_cast<float>(step)};
        records.push_back(
            {EventKind::Values, 1.5e9, 100 * step, {{"conv1/weights", histogramOf(values)}}});
    }
    EventFile(folder / "events", 100 * first).append(records);
}

} // namespace

/// What a run's event files tell of its layers.
class TestLayerReader : public QObject
{
    Q_OBJECT

private slots:
    static void Histograms_areThoseRecorded()
    {
        RecordedTraining training;
        for (int i = 0; i < 4; ++i) {
            training.step();
        }
        LayerReader reader;
        LayerRequest request = requestOf(training.folder(), "");
        const auto first = reader.read(request);
        QCOMPARE(first->layer, "conv1"); // the first that has parameters
        const std::vector<std::int64_t> steps{0, 1, 2, 3};
        QCOMPARE(first->steps, steps);
        QVERIFY(holds(first->values, training.folder(), "conv1/weights", steps));
        QVERIFY(holds(first->gradients, training.folder(), "conv1/weights/gradients", steps));
        QVERIFY(holds(first->activations, training.folder(), "conv1/activations", steps));
        request.layer = "logits";
        request.isBiases = true;
        const auto second = reader.read(request);
        QVERIFY(holds(second->values, training.folder(), "logits/biases", steps));
        QVERIFY(holds(second->gradients, training.folder(), "logits/biases/gradients", steps));
        QVERIFY(holds(second->activations, training.folder(), "logits/activations", steps));
        request.layer = "pool1";
        const auto without = reader.read(request);
        QVERIFY(
            without->values.empty() && without->gradients.empty() && without->activations.empty());
        QCOMPARE(without->steps, steps);
    }

    static void Reading_asItGrows_equalsReadingAtOnce()
    {
        RecordedTraining training;
        LayerReader growing;
        for (int i = 0; i < 6; ++i) {
            training.step();
            const auto seen = growing.read(requestOf(training.folder()));
            QVERIFY(seen && seen->steps.size() == static_cast<std::size_t>(i) + 1);
            LayerReader fresh;
            QVERIFY(isEqual(*seen, *fresh.read(requestOf(training.folder()))));
        }
    }

    static void Reading_nothingNew_tellsNothing()
    {
        RecordedTraining training;
        training.step();
        LayerReader reader;
        QVERIFY(reader.read(requestOf(training.folder())));
        QVERIFY(!reader.read(requestOf(training.folder())));
        QVERIFY(reader.read(requestOf(training.folder(), "conv2")));
        training.step();
        QVERIFY(reader.read(requestOf(training.folder(), "conv2")));
        QVERIFY(!reader.read(requestOf(training.folder(), "conv2")));
    }

    static void Records_many_areThinnedInPlace()
    {
        const test::TemporaryFolder folder;
        LayerReader growing;
        std::shared_ptr<const LayerPicture> seen;
        for (const std::int64_t end : {1, 200, 256, 257, 700, 3001}) {
            const auto known = seen ? static_cast<std::int64_t>(seen->steps.size()) : 0;
            writeRecords(folder.path(), known, end);
            seen = growing.read(requestOf(folder.path()));
            QCOMPARE(std::ssize(seen->steps), end);
            QVERIFY(seen->values.size() <= LayerReader::kMostRecords + 1);
            QVERIFY(std::ssize(seen->values) >= std::min<std::int64_t>(end, 128));
            QCOMPARE(seen->values.front()->step, std::int64_t{0});
            QCOMPARE(seen->values.back()->step, 100 * (end - 1));
            for (const auto& histogram : seen->values) {
                QCOMPARE(100.0 * histogram->maximum, static_cast<double>(histogram->step));
            }
            LayerReader fresh;
            QVERIFY(isEqual(*seen, *fresh.read(requestOf(folder.path()))));
        }
    }

    static void Filters_areTheWeightsAfterTheStep()
    {
        RecordedTraining training;
        for (int i = 0; i < 3; ++i) {
            training.step();
        }
        LayerReader reader;
        for (const std::int64_t step : {1, 2}) {
            LayerRequest request = requestOf(training.folder());
            request.filterStep = step == 2 ? std::nullopt : std::optional(step); // 2: the newest
            const auto picture = reader.read(request);
            QCOMPARE(picture->filterStep, step);
            QCOMPARE(picture->filters.size(), std::size_t{16});
            const std::vector<float>& weights =
                training.weightsAfter(static_cast<std::size_t>(step));
            const float largest = std::abs(*std::ranges::max_element(
                weights, {}, [](float weight) { return std::abs(weight); }));
            for (int filter = 0; filter < 16; ++filter) {
                for (int place = 0; place < 25; ++place) {
                    const QRgb seen = picture->filters[static_cast<std::size_t>(filter)].pixel(
                        place % 5, place / 5);
                    const auto blue = static_cast<std::size_t>(filter * 75 + 50 + place);
                    QVERIFY(
                        std::abs(
                            static_cast<float>(qBlue(seen))
                            - (127.0F + 127.0F * weights[blue] / largest))
                        <= 1.0F);
                }
            }
        }
    }

    static void Sparsity_isTheShareOfTheBucketOfZero()
    {
        RecordedTraining training;
        for (int i = 0; i < 3; ++i) {
            training.step();
        }
        LayerReader reader;
        bool hasZeros = false;
        for (const char* layer : {"conv1", "conv2", "logits"}) {
            const auto picture = reader.read(requestOf(training.folder(), layer));
            QCOMPARE(picture->sparsity.size(), std::size_t{3});
            const auto curve = std::ranges::find(picture->sparsity, layer, &SparsityCurve::layer);
            for (std::size_t i = 0; i < 3; ++i) {
                const ValueHistogram& activations = *picture->activations[i];
                const auto bucket = bucketOf(activations, 0.0); // [0, 1e-12)
                const double zeros = bucket ? activations.counts[*bucket] / activations.count : 0.0;
                QCOMPARE(curve->shares[i].first, std::int64_t(i));
                const bool isOfTheZeros = bucket && activations.limits[*bucket] <= 1e-12;
                if (isOfTheZeros) {
                    QVERIFY(std::abs(curve->shares[i].second - zeros) < 1e-6);
                    hasZeros = hasZeros || zeros > 0.1;
                }
            }
        }
        QVERIFY(hasZeros);
    }

    static void Layers_sums_areThoseOfInspect_data()
    {
        test::addTextRows({"model"}, {{"small", LOCKSTEP_SMALL_MODEL}, {"cifar10"}});
    }

    static void Layers_sums_areThoseOfInspect()
    {
        QFETCH(QString, model);
        const test::Outcome outcome = test::runProgram({"inspect", "--model", model, "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
        const QJsonObject told = QJsonDocument::fromJson(outcome.out).object();
        const test::TemporaryFolder folder;
        LayerReader reader;
        LayerRequest request = requestOf(folder.path(), "");
        request.model.name = model.toStdString();
        LayerTableModel table;
        table.setLayers(reader.read(request)->layers);
        const int sum = table.rowCount() - 1;
        QVERIFY(isAccessible(table));
        QCOMPARE(sum, told["layers"].toArray().size());
        const auto cell = [&](int column) {
            return table.index(sum, column).data(ValueRole).toDouble();
        };
        QVERIFY(cell(LayerTableModel::Parameters) > 1000.0);
        QCOMPARE(cell(LayerTableModel::Parameters), told["parameters"].toDouble());
        QCOMPARE(cell(LayerTableModel::Weights), told["parameter_bytes"].toDouble());
        QCOMPARE(cell(LayerTableModel::Gradients), told["parameter_bytes"].toDouble());
        QCOMPARE(cell(LayerTableModel::Activations), kBatch * told["activation_bytes"].toDouble());
        QCOMPARE(cell(LayerTableModel::Forward), told["flop_forward"].toDouble());
        QCOMPARE(cell(LayerTableModel::Backward), told["flop_backward"].toDouble());
    }

    static void Run_withoutEvents_hasLayersAlone()
    {
        const test::TemporaryFolder folder;
        LayerReader reader;
        const auto picture = reader.read(requestOf(folder.path()));
        QCOMPARE(picture->layers.size(), std::size_t{6}); // with the input
        QVERIFY(picture->steps.empty() && picture->filters.empty() && picture->problem.isEmpty());
        LayerRequest unknown = requestOf(folder.path());
        unknown.model.name = "no_such_model";
        QVERIFY(reader.read(unknown)->problem.contains("no_such_model"));
    }

    static void File_damaged_isTold()
    {
        RecordedTraining training;
        training.step();
        const auto file = listEventFiles(training.folder() / "events").front();
        std::filesystem::resize_file(file, std::filesystem::file_size(file) - 5);
        LayerReader reader;
        QVERIFY(
            reader.read(requestOf(training.folder()))->steps.empty()); // torn: it may still come
        std::ofstream(file, std::ios::app) << "12345678901234567890";
        const auto picture = reader.read(requestOf(training.folder()));
        QVERIFY(picture->problem.contains(QString::fromStdString(file.string())));
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestLayerReader)
#include "test_layer_reader.moc"
