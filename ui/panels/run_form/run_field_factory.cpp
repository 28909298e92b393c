// SPDX-License-Identifier: GPL-3.0-or-later
// Which input a key of the configuration gets, and in which words.
#include "bridge/validation/run_validation.h"
#include "engine/config.h"
#include "models/engine_text.h"
#include "panels/run_form/device_editor.h"
#include "panels/run_form/form_parts.h"
#include "panels/shared/run_choices.h"
#include "panels/shared/run_text.h"
#include "panels/training_plan/phase_editor.h"
#include "widgets/forms/form_field.h"
#include "widgets/forms/path_editor.h"
#include "widgets/forms/value_editors.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QThread>

#include <map>
#include <string_view>
#include <vector>

namespace lockstep::ui {
namespace {

constexpr const char* kFreshLayersKey = "initial_weights.fresh_layers";

/// "learning_rate.warm_up" is "Warm up".
QString labelFromName(const std::string& key)
{
    const QString name = QString::fromStdString(key.substr(key.rfind('.') + 1));
    return capitalised(QString(name).replace(QLatin1Char('_'), QLatin1Char(' ')));
}

constexpr int kLongLine = 64; ///< of a tool tip: a longer text gets two

/// Three lines at most. Qt would wrap a long one to a block of many.
QString toolTipOf(const QString& meaning, const QString& formula, const QString& key)
{
    QString text = capitalised(meaning);
    if (!formula.isEmpty()) {
        text += QStringLiteral(" (%1)").arg(formula);
    }
    const auto middle = text.indexOf(QLatin1Char(' '), text.size() / 2);
    if (text.size() > kLongLine && middle > 0) {
        text[middle] = QLatin1Char('\n');
    }
    return QStringLiteral("<p style=\"white-space: pre\">%1<br><small>%2</small></p>")
        .arg(text.toHtmlEscaped(), key);
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
    struct NamedValue
    {
        const char* value;
        QString title; ///< none: the value
        QString meaning;
    };
    const std::map<std::string_view, std::vector<NamedValue>> named{
        {"averaging.missing_gradient",
         {{"error", {}, RunText::tr("Refuse to train if only some towers have a gradient")},
          {"zeros", {}, RunText::tr("Count the missing gradients as zeros")}}},
        {"optimizer.name",
         {{"sgd", {}, RunText::tr("Weights follow their gradient alone")},
          {"momentum", {}, RunText::tr("A part of each step is left in the next one")},
          {"rmsprop",
           {},
           RunText::tr("Steps divided by the root of the mean squared gradient, with momentum")},
          {"adam",
           {},
           RunText::tr("The mean gradient divided by the root of the mean squared gradient")},
          {"adamw", {}, RunText::tr("As adam, but weights decay apart from their gradient")}}},
        {"learning_rate.schedule",
         {{"exponential", RunText::tr("exponential"),
           RunText::tr("Decays again and again after so many epochs")},
          {"step", RunText::tr("milestones"), RunText::tr("Decays at each milestone")},
          {"cosine", RunText::tr("cosine"),
           RunText::tr("Falls along half a cosine until the end of the run")},
          {"polynomial", RunText::tr("polynomial"),
           RunText::tr("Falls to the end of the run, in a straight line or a power of it")}}},
        {"learning_rate.unit",
         {{"epochs", RunText::tr("epochs"), RunText::tr("Passes over the training set")},
          {"steps", RunText::tr("steps"), RunText::tr("Updates")}}},
        {"initial_weights.weights",
         {{"auto", RunText::tr("automatic"),
           RunText::tr("Moving averages where the file has some, else its weights")},
          {"average", RunText::tr("moving averages"),
           RunText::tr("What evaluations score; a file without them is refused")},
          {"raw", RunText::tr("raw weights"),
           RunText::tr("The weights as the last step left them")}}},
        {"experiment.shards",
         {{"distinct", RunText::tr("none"), RunText::tr("Each tower gets its own examples")},
          {"same", RunText::tr("same rows"), RunText::tr("All towers get the rows of tower 0")},
          {"skewed", RunText::tr("skewed tower"),
           RunText::tr("One tower gets only examples of one class")},
          {"poisoned", RunText::tr("poisoned tower"),
           RunText::tr("One tower's labels are random")}}},
        {"dataset.damaged",
         {{"skip", RunText::tr("skip"),
           RunText::tr("Damaged images are left out and named, up to one in a hundred")},
          {"skip_all", RunText::tr("skip all"),
           RunText::tr("Damaged images are left out and named, however many")},
          {"refuse", RunText::tr("refuse"), RunText::tr("The first damaged image ends the run")}}},
        {"dataset.test_on",
         {{"validation", RunText::tr("validation images"),
           RunText::tr("The folder or lines val; those of test are held back")},
          {"test", RunText::tr("test images"),
           RunText::tr("The folder or lines test; those of val are held back")}}},
        {"dataset.duplicates",
         {{"warn", RunText::tr("warn"),
           RunText::tr("A test image that is trained on is told before the first step")},
          {"refuse", RunText::tr("refuse"),
           RunText::tr("A test image that is trained on ends the run before its first step")},
          {"ignore", RunText::tr("ignore"), RunText::tr("Images are not compared")}}},
        {"dataset.orientation",
         {{"turn", RunText::tr("turn"), RunText::tr("As the camera noted that it was held (EXIF)")},
          {"stored", RunText::tr("as stored"), RunText::tr("What the camera noted is left out")}}},
        {"optimizer.epsilon_as",
         {{"pytorch", RunText::tr("PyTorch"), RunText::tr("Beside the corrected root")},
          {"tensorflow", RunText::tr("TensorFlow"),
           RunText::tr("Beside the root as it is, so that first steps are smaller")}}},
        {"dataset.mask_background",
         {{"auto", RunText::tr("automatic"),
           RunText::tr("Black; masks that mark most of their image are refused")},
          {"black", RunText::tr("black"), RunText::tr("Anything else is marked, much or little")},
          {"white", RunText::tr("white"), RunText::tr("Anything else is marked: inverted masks")}}},
        {"dataset.sampling",
         {{"auto", RunText::tr("automatic"), RunText::tr("Balanced where examples have masks")},
          {"balanced", RunText::tr("balanced"),
           RunText::tr("Half of each global batch is defective; a batch of one alternates")},
          {"shuffled", RunText::tr("shuffled"),
           RunText::tr("All examples in a new order each epoch")}}},
        {"input.pixel_range",
         {{"auto", RunText::tr("automatic"), RunText::tr("As the model wants it")},
          {"unit", RunText::tr("0 to 1"), {}},
          {"byte", RunText::tr("0 to 255"), {}}}},
        {"input.mask_label",
         {{"auto", RunText::tr("automatic"), RunText::tr("As the model wants it")},
          {"pooled", RunText::tr("pooled"), RunText::tr("Mean of 17 × 17 pixels for each cell")},
          {"reduced", RunText::tr("reduced"),
           RunText::tr("1 where anything of the mark is left at an eighth of the size")}}}};
    if (const auto found = named.find(key); found != named.end()) {
        QList<ChoiceEditor::Choice> choices;
        for (const auto& [value, title, meaning] : found->second) {
            const QString text = QLatin1String(value);
            choices.append({text, title.isEmpty() ? text : title, meaning});
        }
        return choices;
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
    if (key == "dataset.path" || key == "initial_weights.checkpoint" || key == kRunFolderKey) {
        auto* const editor = new FolderEditor(parent);
        if (key == "dataset.path") {
            editor->offerFile(
                RunText::tr("Archive or table…"),
                RunText::tr(
                    "Archives and tables (*.zip *.tar *.tar.gz *.tgz *.csv);;All files (*)"));
        } else if (key == kRunFolderKey) {
            editor->setPlaceholder(runFolderPlaceholder());
        } else {
            editor->offerFile(
                RunText::tr("Checkpoint…"), RunText::tr("Weights (*.safetensors);;All files (*)"));
            editor->setPlaceholder(RunText::tr("random weights"));
        }
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

/// By the kind of value that the engine has there by default. A seed may be larger than a spin box
/// counts, and nobody wants the next one.
FieldEditor* makeEditor(
    const ConfigKey& key, const std::optional<RunFieldText>& words, QWidget* parent)
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
    if (isWhole) {
        auto* const editor = new WholeNumberEditor(parent);
        if (words) {
            editor->box()->setRange(words->range);
            editor->box()->setLeastText(words->least);
            editor->box()->setUnit(words->unit);
        }
        return editor;
    }
    auto* const editor = new DecimalEditor(parent);
    if (words && !words->least.isEmpty()) {
        editor->setLeastText(QString::number(words->range.least), words->least);
    }
    return editor;
}

} // namespace

FormField* makeRunField(const ConfigKey& key, QWidget* parent)
{
    const auto words = runFieldText(key.name);
    const bool isFolder = key.name == kRunFolderKey;
    const QString name = QString::fromStdString(key.name);
    const QString meaning =
        isFolder ? RunText::tr("where the run keeps its steps and checkpoints; empty: a new folder")
                 : engineText(key.meaning);
    const FieldText text{
        words      ? words->label
        : isFolder ? RunText::tr("Run folder")
                   : labelFromName(key.name),
        toolTipOf(meaning, words ? words->formula : QString(), name)};
    return new FormField(name, text, makeEditor(key, words, parent), parent);
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
