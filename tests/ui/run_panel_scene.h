// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/run_form/run_panel.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "theme/palette.h"
#include "widgets/forms/form_field.h"
#include "widgets/forms/value_editors.h"

#include <QtWidgets>

#include <memory>
#include <optional>
#include <stdexcept>

namespace lockstep::ui {

inline DeviceRow cpuRow()
{
    DeviceRow row;
    row.name = "cpu";
    row.description = "Some CPU";
    row.processors = 2;
    row.precisions = {"float32"};
    row.isAvailable = true;
    return row;
}

inline DeviceRow missingCuda()
{
    DeviceRow row;
    row.name = "cuda";
    row.reason = "no driver";
    return row;
}

/// A request that has another value than the usual one at every key.
inline RunRequest unusualRequest()
{
    RunRequest request;
    RunConfig& config = request.config;
    parseConfig(
        config,
        "dataset.name = 'cifar10'\ndataset.path = \"/data/it's a \\\"folder\\\"\"\ntowers = 3\n"
        "dataset.test_on = 'test'\ndataset.test_share = 0.3\ndataset.duplicates = 'refuse'\n"
        "dataset.folds = 4\ndataset.fold = 2\ndataset.folds_file = 'folds.txt'\n"
        "dataset.orientation = 'stored'\ndataset.bits = 12\ndataset.mask_threshold = 128\n"
        "dataset.mask_background = 'white'\n"
        "dataset.dilation = 9\ndataset.sampling = 'shuffled'\n"
        "input.mirror_horizontal = true\ninput.mirror_vertical = true\n"
        "input.pixel_range = 'byte'\ninput.mask_label = 'reduced'\n"
        "dataset.damaged = 'skip_all'\ndataset.patience_seconds = 7.5\ndataset.pattern = "
        "'a-{split}-*'\ndataset.label_offset = -1\n"
        "input.photo_pixels = \"imagenet\"\ninput.saturation = false\ninput.hue = "
        "false\ninput.scaled_decoding = false\n"
        "model.variant = 'third_party'\nmodel.input_height = 704\nmodel.input_width = 256\n"
        "model.normalization = 'batch'\nmodel.moments = 'last'\nmodel.moment_decay = 0.99\n"
        "model.scale = 'off'\nmodel.initializer = 'xavier'\nmodel.mask_activation = 'relu'\n"
        "model.decision_outputs = 2\nmodel.moment_ramp = true\nmodel.classes = 5\n"
        "model.background = false\nmodel.epsilon = 0.25\nmodel.dropout_keep = 0.75\n"
        "model.label_smoothing = 0.125\nmodel.auxiliary_weight = 0.5\nmodel.weight_decay = 0.5\n"
        "initial_weights.checkpoint = '/no such weights'\ninitial_weights.weights = 'raw'\n"
        "initial_weights.fresh_layers = ['conv1', 'logits']\n"
        "phase = [{objective = 'segmentation', steps = 1234, learning_rate = 0.5, frozen = "
        "['decision']}]\n"
        "threads_per_tower = 2\ndevice = 'cuda:0,1'\nglobal_batch = 96\nsteps = 123456789\n"
        "precision = 'bfloat16'\nalgorithms = 'conv1: cudnn 9.19 eng1'\nconvolution = "
        "'direct'\ncapture = false\n"
        "gpu.without = ['head', 'tail']\n"
        "learning_rate.initial = 0.012345678901234567\n"
        "learning_rate.decay_factor = 0.25\nlearning_rate.epochs_per_decay = 12345.5\n"
        "learning_rate.ignore_towers = true\nepochs = 2.5\nlearning_rate.schedule = 'step'\n"
        "learning_rate.warmup = 1.5\nlearning_rate.milestones = '3, 4.5'\n"
        "learning_rate.unit = 'steps'\nlearning_rate.final_share = 0.01\n"
        "learning_rate.power = 0.9\n"
        "optimizer.name = 'rmsprop'\noptimizer.momentum = 0.75\noptimizer.nesterov = true\n"
        "optimizer.decay = 0.85\noptimizer.epsilon = 0.5\n"
        "optimizer.epsilon_as = 'tensorflow'\noptimizer.beta1 = 0.8\n"
        "optimizer.beta2 = 0.95\noptimizer.weight_decay = 0.0625\noptimizer.decay_all = true\n"
        "optimizer.clip_norm = 2.5\naccumulate_passes = 4\nstop.patience = 6\n"
        "moving_average.decay = 1e-7\n"
        "averaging.missing_gradient = 'zeros'\ncheckpoint.every_steps = 0\ncheckpoint.keep = 7\n"
        "checkpoint.every_minutes = 2.5\ncheckpoint.keep_best = 3\n"
        "checkpoint.best_by = 'raw_loss'\nevents.every_steps = 50\n"
        "gradients.every_steps = 7\n"
        "evaluate.every_steps = 1234\nevaluate.at_end = false\nevaluate.towers = 2\n"
        "input.threads = 3\ninput.prefetch_batches = 5\ninput.crop = false\ninput.flip = false\n"
        "input.brightness = false\ninput.contrast = false\ninput.standardize = false\ninput.erase "
        "= 0.25\ninput.mixup = 0.2\ninput.pad = 3\n"
        "alerts.plateau_steps = 4321\nalerts.stuck_seconds = 12.5\nalerts.input_share = 0.3\n"
        "alerts.disk_checkpoints = 7\nalerts.tower_loss = 0.4\nalerts.tower_wait = 0.6\n"
        "experiment.delay_ms = 2.5\nexperiment.delay_tower = 0\n"
        "experiment.shards = 'skewed'\nexperiment.tower = 1\nexperiment.class = 3\n",
        "test");
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.seed = 18'446'744'073'709'551'615U;
    request.folder = "/tmp/no such run";
    return request;
}

/// A panel on the screen, in an empty home.
class RunPanelScene
{
public:
    explicit RunPanelScene(const QLocale& locale = {QLocale::English, QLocale::UnitedStates})
    {
        QLocale::setDefault(locale);
        // Nothing of this machine's user counts.
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(m_folder.path().string()));
        QApplication::setPalette(lightPalette());
        m_panel = std::make_unique<RunPanel>();
        m_panel->setDevices({cpuRow(), missingCuda()});
        m_panel->resize(300, 900);
        m_panel->show();
        m_panel->activateWindow();
        if (!QTest::qWaitForWindowActive(m_panel.get())) {
            throw std::runtime_error("the panel gets no focus");
        }
    }

    [[nodiscard]] RunPanel& panel() const { return *m_panel; }
    [[nodiscard]] const test::TemporaryFolder& folder() const { return m_folder; }

    template<class T>
    [[nodiscard]] T* find(QAnyStringView key) const
    {
        T* found = m_panel->findChild<T*>(key.toString());
        return found != nullptr ? found : throw std::runtime_error(key.toString().toStdString());
    }
    [[nodiscard]] QWidget* input(QAnyStringView key) const { return find<QWidget>(key); }
    [[nodiscard]] FormField* field(QAnyStringView key) const
    {
        for (FormField* each : m_panel->findChildren<FormField*>()) {
            if (each->key() == key) {
                return each;
            }
        }
        throw std::runtime_error(key.toString().toStdString());
    }
    void type(QAnyStringView key, QAnyStringView text) const
    {
        QWidget* at = input(key);
        at->setFocus();
        QTest::keySequence(at, QKeySequence::SelectAll);
        QTest::keyClick(at, Qt::Key_Delete);
        QTest::keyClicks(at, text.toString());
    }
    [[nodiscard]] QString shownProblem(QAnyStringView key) const { return field(key)->problem(); }
    [[nodiscard]] Disclosure& more() const { return *m_panel->findChild<Disclosure*>(); }

private:
    test::TemporaryFolder m_folder;
    std::unique_ptr<RunPanel> m_panel;
};

/// A test of the form: each of its functions gets a scene.
class RunPanelTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_scene.emplace(); }
    void cleanup() { m_scene.reset(); }

protected:
    [[nodiscard]] RunPanel& panel() const { return m_scene->panel(); }

    std::optional<RunPanelScene> m_scene;
};

} // namespace lockstep::ui
