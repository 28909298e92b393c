// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/run_field_factory.h"
#include "models/engine_text.h"

#include "bridge/validation/run_validation.h"
#include "engine/config.h"
#include "panels/run_form/device_editor.h"
#include "panels/shared/run_choices.h"
#include "panels/shared/run_text.h"
#include "panels/training_plan/phase_editor.h"
#include "widgets/forms/path_editor.h"
#include "widgets/forms/value_editors.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QThread>

namespace lockstep::ui {
namespace {

constexpr const char* kFreshLayersKey = "initial_weights.fresh_layers";

/// "learning_rate.warm_up" is "Warm up".
QString labelFromName(const std::string& key)
{
    const QString name = QString::fromStdString(key.substr(key.rfind('.') + 1));
    return capitalised(QString(name).replace(QLatin1Char('_'), QLatin1Char(' ')));
}

/// Rich text, so that a long one wraps.
QString toolTipOf(const QString& meaning, const QString& formula, const QString& key)
{
    QString text = QStringLiteral("<qt>%1").arg(capitalised(meaning).toHtmlEscaped());
    if (!formula.isEmpty()) {
        text += QStringLiteral("<br>%1").arg(formula.toHtmlEscaped());
    }
    return text + QStringLiteral("<br><small>%1</small></qt>").arg(key);
}

QList<ChoiceEditor::Choice> bestByChoices()
{
    const QList<ChoiceEditor::Choice> figures{
        {QStringLiteral("accuracy"), RunText::tr("test accuracy"),
         RunText::tr("Accuracy on the test set")},
        {QStringLiteral("top5"), RunText::tr("test top-5"),
         RunText::tr("Share of the test set whose label is among the five most probable classes")},
        {QStringLiteral("loss"), RunText::tr("test loss"), RunText::tr("Loss on the test set")},
        {QStringLiteral("average_precision"), RunText::tr("average precision"),
         RunText::tr("Average precision on the test set of a network that detects")}};
    QList<ChoiceEditor::Choice> choices;
    for (const auto& [value, title, what, isPossible] : figures) {
        choices.append({value, title, RunText::tr("%1, with moving averages").arg(what)});
    }
    for (const auto& [value, title, what, isPossible] : figures) {
        choices.append(
            {QStringLiteral("raw_") + value, RunText::tr("%1, raw").arg(title),
             RunText::tr("%1, with the weights as they are").arg(what)});
    }
    return choices;
}

QList<ChoiceEditor::Choice> dilationChoices()
{
    const QLocale locale;
    QList<ChoiceEditor::Choice> choices{{QStringLiteral("0"), RunText::tr("as marked"), QString()}};
    for (const int width : {5, 9, 13, 17}) {
        choices.append(
            {QString::number(width), RunText::tr("%1 pixels wide").arg(locale.toString(width)),
             RunText::tr("Every marked pixel becomes a diamond")});
    }
    return choices;
}

/// Values of a key that has a few in words; none for all others, and where any text or number is a
/// value.
QList<ChoiceEditor::Choice> choicesOf(const std::string& key)
{
    if (key == "averaging.missing_gradient") {
        const QString error = QString::fromStdString(toString(MissingGradient::Error));
        const QString zeros = QString::fromStdString(toString(MissingGradient::Zeros));
        return {
            {error, error, RunText::tr("Refuse to train if only some towers have a gradient")},
            {zeros, zeros, RunText::tr("Count the missing gradients as zeros")}};
    }
    if (key == "optimizer.name") {
        return {
            {QStringLiteral("sgd"), QStringLiteral("sgd"),
             RunText::tr("Weights follow their gradient alone")},
            {QStringLiteral("momentum"), QStringLiteral("momentum"),
             RunText::tr("A part of each step is left in the next one")},
            {QStringLiteral("rmsprop"), QStringLiteral("rmsprop"),
             RunText::tr("Steps divided by the root of the mean squared gradient, with momentum")},
            {QStringLiteral("adam"), QStringLiteral("adam"),
             RunText::tr("The mean gradient divided by the root of the mean squared gradient")},
            {QStringLiteral("adamw"), QStringLiteral("adamw"),
             RunText::tr("As adam, but weights decay apart from their gradient")}};
    }
    if (key == "learning_rate.schedule") {
        return {
            {QStringLiteral("exponential"), RunText::tr("exponential"),
             RunText::tr("Decays again and again after so many epochs")},
            {QStringLiteral("step"), RunText::tr("milestones"),
             RunText::tr("Decays at each milestone")},
            {QStringLiteral("cosine"), RunText::tr("cosine"),
             RunText::tr("Falls along half a cosine until the end of the run")},
            {QStringLiteral("polynomial"), RunText::tr("polynomial"),
             RunText::tr("Falls to the end of the run, in a straight line or a power of it")}};
    }
    if (key == "learning_rate.unit") {
        return {
            {QStringLiteral("epochs"), RunText::tr("epochs"),
             RunText::tr("Passes over the training set")},
            {QStringLiteral("steps"), RunText::tr("steps"), RunText::tr("Updates")}};
    }
    if (key == "initial_weights.weights") {
        return {
            {QStringLiteral("auto"), RunText::tr("automatic"),
             RunText::tr("Moving averages where the file has some, else its weights")},
            {QStringLiteral("average"), RunText::tr("moving averages"),
             RunText::tr("What evaluations score; a file without them is refused")},
            {QStringLiteral("raw"), RunText::tr("raw weights"),
             RunText::tr("The weights as the last step left them")}};
    }
    if (key == "experiment.shards") {
        return {
            {QStringLiteral("distinct"), RunText::tr("none"),
             RunText::tr("Each tower gets its own examples")},
            {QStringLiteral("same"), RunText::tr("same rows"),
             RunText::tr("All towers get the rows of tower 0")},
            {QStringLiteral("skewed"), RunText::tr("skewed tower"),
             RunText::tr("One tower gets only examples of one class")},
            {QStringLiteral("poisoned"), RunText::tr("poisoned tower"),
             RunText::tr("One tower's labels are random")}};
    }
    if (key == "dataset.damaged") {
        return {
            {QStringLiteral("skip"), RunText::tr("skip"),
             RunText::tr("Damaged images are left out and named, up to one in a hundred")},
            {QStringLiteral("skip_all"), RunText::tr("skip all"),
             RunText::tr("Damaged images are left out and named, however many")},
            {QStringLiteral("refuse"), RunText::tr("refuse"),
             RunText::tr("The first damaged image ends the run")}};
    }
    if (key == "dataset.test_on") {
        return {
            {QStringLiteral("validation"), RunText::tr("validation images"),
             RunText::tr("The folder or lines val; those of test are held back")},
            {QStringLiteral("test"), RunText::tr("test images"),
             RunText::tr("The folder or lines test; those of val are held back")}};
    }
    if (key == "dataset.duplicates") {
        return {
            {QStringLiteral("warn"), RunText::tr("warn"),
             RunText::tr("A test image that is trained on is told before the first step")},
            {QStringLiteral("refuse"), RunText::tr("refuse"),
             RunText::tr("A test image that is trained on ends the run before its first step")},
            {QStringLiteral("ignore"), RunText::tr("ignore"),
             RunText::tr("Images are not compared")}};
    }
    if (key == "dataset.orientation") {
        return {
            {QStringLiteral("turn"), RunText::tr("turn"),
             RunText::tr("As the camera noted that it was held (EXIF)")},
            {QStringLiteral("stored"), RunText::tr("as stored"),
             RunText::tr("What the camera noted is left out")}};
    }
    if (key == "optimizer.epsilon_as") {
        return {
            {QStringLiteral("pytorch"), RunText::tr("PyTorch"),
             RunText::tr("Beside the corrected root")},
            {QStringLiteral("tensorflow"), RunText::tr("TensorFlow"),
             RunText::tr("Beside the root as it is, so that first steps are smaller")}};
    }
    if (key == "dataset.mask_background") {
        return {
            {QStringLiteral("auto"), RunText::tr("automatic"),
             RunText::tr("Black; masks that mark most of their image are refused")},
            {QStringLiteral("black"), RunText::tr("black"),
             RunText::tr("Anything else is marked, much or little")},
            {QStringLiteral("white"), RunText::tr("white"),
             RunText::tr("Anything else is marked: inverted masks")}};
    }
    if (key == "dataset.sampling") {
        return {
            {QStringLiteral("auto"), RunText::tr("automatic"),
             RunText::tr("Balanced where examples have masks")},
            {QStringLiteral("balanced"), RunText::tr("balanced"),
             RunText::tr("Half of each global batch is defective; a batch of one alternates")},
            {QStringLiteral("shuffled"), RunText::tr("shuffled"),
             RunText::tr("All examples in a new order each epoch")}};
    }
    if (key == "input.pixel_range") {
        return {
            {QStringLiteral("auto"), RunText::tr("automatic"),
             RunText::tr("As the model wants it")},
            {QStringLiteral("unit"), RunText::tr("0 to 1"), QString()},
            {QStringLiteral("byte"), RunText::tr("0 to 255"), QString()}};
    }
    if (key == "input.mask_label") {
        return {
            {QStringLiteral("auto"), RunText::tr("automatic"),
             RunText::tr("As the model wants it")},
            {QStringLiteral("pooled"), RunText::tr("pooled"),
             RunText::tr("Mean of 17 × 17 pixels for each cell")},
            {QStringLiteral("reduced"), RunText::tr("reduced"),
             RunText::tr("1 where anything of the mark is left at an eighth of the size")}};
    }
    return key == "checkpoint.best_by"  ? bestByChoices()
           : key == "dataset.dilation"  ? dilationChoices()
           : key == "dataset.name"      ? datasetChoices()
           : key == "precision"         ? precisionChoices(std::nullopt)
           : key == "threads_per_tower" ? threadChoices(QThread::idealThreadCount())
                                        : QList<ChoiceEditor::Choice>();
}

/// The input of a key whose value is one of several or a name; none for all others.
FieldEditor* makeNamedEditor(const std::string& key, QWidget* parent)
{
    if (key == "phase") {
        return new PhaseEditor(parent);
    }
    if (key == "model.name") {
        return new NameOrFileEditor(
            modelChoices(), RunText::tr("Model file…"),
            RunText::tr("Model files (*.toml);;All files (*)"), parent);
    }
    if (key == "dataset.path") {
        auto* const editor = new FolderEditor(parent);
        editor->offerFile(
            RunText::tr("Archive or table…"),
            RunText::tr("Archives and tables (*.zip *.tar *.tar.gz *.tgz *.csv);;All files (*)"));
        return editor;
    }
    if (key == "initial_weights.checkpoint") {
        auto* const editor = new FolderEditor(parent);
        editor->offerFile(
            RunText::tr("Checkpoint…"), RunText::tr("Weights (*.safetensors);;All files (*)"));
        editor->setPlaceholder(RunText::tr("random weights"));
        return editor;
    }
    if (key == kFreshLayersKey) {
        return new TextEditor(parent);
    }
    if (key == "device") {
        return new DeviceEditor(parent);
    }
    const auto choices = choicesOf(key);
    if (choices.isEmpty()) {
        return nullptr;
    }
    auto* const editor = new ChoiceEditor(parent);
    editor->setChoices(choices);
    return editor;
}

FieldEditor* makeNumberEditor(const std::optional<RunFieldText>& words, QWidget* parent)
{
    auto* editor = new WholeNumberEditor(parent);
    if (words) {
        editor->box()->setRange(words->range);
        editor->box()->setZeroText(words->zero);
        editor->box()->setUnit(words->unit);
    }
    return editor;
}

/// By the kind of value that the engine has there by default. A seed may be larger than a spin box
/// counts, and nobody wants the next one.
FieldEditor* makeEditor(const ConfigKey& key, QWidget* parent)
{
    if (FieldEditor* named = makeNamedEditor(key.name, parent)) {
        return named;
    }
    if (key.value == "true" || key.value == "false") {
        return new SwitchEditor(parent);
    }
    if (key.name == "seed" || key.value.starts_with('\'') || key.value.starts_with('"')) {
        return new TextEditor(parent);
    }
    const bool isWhole = key.value.find_first_not_of("-0123456789") == std::string::npos;
    return isWhole ? makeNumberEditor(runFieldText(key.name), parent) : new DecimalEditor(parent);
}

} // namespace

FormField* makeRunField(const ConfigKey& key, QWidget* parent)
{
    const auto words = runFieldText(key.name);
    const QString name = QString::fromStdString(key.name);
    const FieldText text{
        words ? words->label : labelFromName(key.name),
        toolTipOf(engineText(key.meaning), words ? words->formula : QString(), name)};
    return new FormField(name, text, makeEditor(key, parent), parent);
}

FormField* makeRunFolderField(QWidget* parent)
{
    auto* editor = new FolderEditor(parent);
    editor->setPlaceholder(runFolderPlaceholder());
    const QString key = QLatin1String(kRunFolderKey);
    const QString meaning =
        RunText::tr("where the run keeps its steps and checkpoints; empty: a new folder");
    return new FormField(
        key, {RunText::tr("Run folder"), toolTipOf(meaning, QString(), key)}, editor, parent);
}

QString plainValue(const ConfigKey& key)
{
    if (key.name == kFreshLayersKey) {
        RunConfig config;
        setConfigValue(config, key.name, key.value);
        return namesOf(config.initialWeights.freshLayers).join(QStringLiteral(", "));
    }
    QString value = QString::fromStdString(key.value);
    if (value.size() >= 2 && value.startsWith(QLatin1Char('\''))) {
        return value.mid(1, value.size() - 2);
    }
    if (value.startsWith(QLatin1Char('"'))) { // TOML escapes as JSON does
        const QByteArray list = '[' + value.toUtf8() + ']';
        return QJsonDocument::fromJson(list).array().first().toString();
    }
    return value;
}

} // namespace lockstep::ui
