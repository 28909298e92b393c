// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/run_field_factory.h"
#include "models/engine_text.h"

#include "bridge/validation/run_validation.h"
#include "engine/config.h"
#include "panels/run_form/device_editor.h"
#include "panels/run_form/masked_data_fields.h"
#include "panels/shared/run_choices.h"
#include "panels/shared/run_field_text.h"
#include "panels/training_plan/phase_editor.h"
#include "widgets/forms/path_editor.h"
#include "widgets/forms/value_editors.h"

#include <QJsonArray>
#include <QJsonDocument>
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

FieldEditor* makeChoice(const QList<ChoiceEditor::Choice>& choices, QWidget* parent)
{
    auto* editor = new ChoiceEditor(parent);
    editor->setChoices(choices);
    return editor;
}

FieldEditor* makeModelEditor(QWidget* parent)
{
    return new NameOrFileEditor(
        modelChoices(), RunText::tr("Model file…"),
        RunText::tr("Model files (*.toml);;All files (*)"), parent);
}

QList<ChoiceEditor::Choice> missingGradientChoices()
{
    const QString error = QString::fromStdString(toString(MissingGradient::Error));
    const QString zeros = QString::fromStdString(toString(MissingGradient::Zeros));
    return {
        {error, error, RunText::tr("Refuse to train if only some towers have a gradient")},
        {zeros, zeros, RunText::tr("Count the missing gradients as zeros")}};
}

QList<ChoiceEditor::Choice> optimizerChoices()
{
    return {
        {QStringLiteral("sgd"), QStringLiteral("sgd"),
         RunText::tr("Weights follow their gradient alone")},
        {QStringLiteral("momentum"), QStringLiteral("momentum"),
         RunText::tr("A part of each step is left in the next one")},
        {QStringLiteral("rmsprop"), QStringLiteral("rmsprop"),
         RunText::tr("Steps divided by the root of the mean squared gradient, with momentum")},
        {QStringLiteral("adam"), QStringLiteral("adam"),
         RunText::tr("The mean gradient divided by the root of the mean squared gradient")}};
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

QList<ChoiceEditor::Choice> initialWeightsChoices()
{
    return {
        {QStringLiteral("auto"), RunText::tr("automatic"),
         RunText::tr("Moving averages where the file has some, else its weights")},
        {QStringLiteral("average"), RunText::tr("moving averages"),
         RunText::tr("What evaluations score; a file without them is refused")},
        {QStringLiteral("raw"), RunText::tr("raw weights"),
         RunText::tr("The weights as the last step left them")}};
}

QList<ChoiceEditor::Choice> shardChoices()
{
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

/// The input of a key whose value is one of several or a name; none for all others.
FieldEditor* makeNamedEditor(const std::string& key, QWidget* parent)
{
    if (key == "phase") {
        return new PhaseEditor(parent);
    }
    if (key == "model.name") {
        return makeModelEditor(parent);
    }
    if (key == "dataset.name") {
        return makeChoice(datasetChoices(), parent);
    }
    if (key == "dataset.path") {
        auto* const editor = new FolderEditor(parent);
        editor->offerFile(
            RunText::tr("Archive…"), RunText::tr("Archives (*.zip *.tar *.tar.gz "
                                                 "*.tgz);;All files (*)"));
        return editor;
    }
    if (key == "initial_weights.checkpoint") {
        auto* const editor = new FolderEditor(parent);
        editor->offerFile(
            RunText::tr("Checkpoint…"), RunText::tr("Weights (*.safetensors);;All files (*)"));
        editor->setPlaceholder(RunText::tr("random weights"));
        return editor;
    }
    if (key == "initial_weights.weights") {
        return makeChoice(initialWeightsChoices(), parent);
    }
    if (key == kFreshLayersKey) {
        return new TextEditor(parent);
    }
    if (key == "device") {
        return new DeviceEditor(parent);
    }
    if (key == "precision") {
        return makeChoice(precisionChoices(std::nullopt), parent);
    }
    if (key == "threads_per_tower") {
        return makeChoice(threadChoices(QThread::idealThreadCount()), parent);
    }
    if (key == "averaging.missing_gradient") {
        return makeChoice(missingGradientChoices(), parent);
    }
    if (key == "optimizer.name") {
        return makeChoice(optimizerChoices(), parent);
    }
    if (key == "checkpoint.best_by") {
        return makeChoice(bestByChoices(), parent);
    }
    if (key == "experiment.shards") {
        return makeChoice(shardChoices(), parent);
    }
    const auto choices = maskedDataChoices(key);
    return choices.isEmpty() ? nullptr : makeChoice(choices, parent);
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
        QStringList names;
        for (const std::string& layer : config.initialWeights.freshLayers) {
            names << QString::fromStdString(layer);
        }
        return names.join(QStringLiteral(", "));
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
