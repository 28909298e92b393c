// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/preview/batch_text.h"
#include "bridge/validation/run_validation.h"
#include "panels/shared/run_choices.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace lockstep::ui {

class BatchLink;
struct ClassBalance;
class DeviceEditor;
class Disclosure;
class FormField;
class NoteLabel;
class OptionList;
class PhaseEditor;
class ProblemLabel;
class SchedulePreview;
class StartLine;

/// The fields of a run, from top to bottom: those that everyone sets, then under "More options"
/// whatever else the engine has. Knows what the fields say, not whether it is right.
class RunForm : public QWidget
{
    Q_OBJECT

public:
    explicit RunForm(QWidget* parent = nullptr);

    /// All settings, in the order of the form.
    [[nodiscard]] static QList<SettingInWords> settingsInWords(const RunConfig& config);

    /// Shows these values; emits nothing.
    void fill(const RunRequest& request);
    /// Puts what the fields say into the request. What can't be read stays as it was and is
    /// returned.
    QList<ConfigProblem> read(RunRequest& request) const;

    /// Each under its field, the others at the top. Takes away those of before.
    void showProblems(const QList<ConfigProblem>& problems);
    /// The problem with the field's title for the key.
    [[nodiscard]] QString inWords(const ConfigProblem& problem) const;

    /// What follows from the values: placement, arithmetic, which fields matter; and what the run
    /// takes over of another training.
    void showFacts(const RunConfig& config, const std::optional<InitialWeights>& initial);
    /// Time and memory of the run.
    void showExpectation(const QString& text, bool isTooMuch);
    void setDevices(const FoundDevices& devices);
    /// What was understood of the files in the data folder, or why nothing; an empty one: nothing
    /// is known.
    void showData(const ClassBalance& balance);
    /// See rateHint(); shown with the next facts.
    void setFoundRate(std::optional<double> rate) { m_foundRate = rate; }
    /// Folders are those of another machine, or of this one again.
    void setMachine(const std::optional<RemoteFacts>& machine);
    /// A line at the top; empty for none.
    void setHint(const QString& text);
    /// Takes it away; its place stays empty until there is another one, or none.
    void leaveHint();

    /// As wide as all of it, open or not.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void edited();
    /// The run shall be a new one, from random weights.
    void startCleared();
    void getCifar10Requested();
    /// What the GPUs do now is in sight, and is told anew by setDevices().
    void devicesWanted();

private:
    void addHeading(const QString& title);
    void addSections();
    void addFields(std::initializer_list<const char*> keys);
    void addMore();
    void addRatePreview();
    void addPhases();
    void showPhases(const RunConfig& config);
    void showRate(const RunConfig& config);
    void showMemory(const RunConfig& config);
    void takeModel();
    /// After the batch's fields follow the towers: whoever hears of an edit finds all in step.
    void listen();
    void align();
    [[nodiscard]] FormField* field(QAnyStringView key) const;
    [[nodiscard]] bool isMore(const FormField* field) const;

    std::vector<FormField*> m_fields;
    FoundDevices m_devices;
    std::optional<RemoteFacts> m_machine;
    NoteLabel* m_hint;
    ProblemLabel* m_problem;
    StartLine* m_start;
    NoteLabel* m_experiment;
    QPushButton* m_getCifar10;
    QVBoxLayout* m_rows;
    Disclosure* m_more = nullptr;
    OptionList* m_options = nullptr;
    BatchLink* m_batch = nullptr;
    QToolButton* m_takeRate = nullptr;
    double m_hintedRate = 0.0;
    std::optional<double> m_foundRate;
    SchedulePreview* m_schedule = nullptr;
    PhaseEditor* m_phases = nullptr;
    DeviceEditor* m_device = nullptr;
    qint64 m_phaseSteps = 0;   ///< of all phases, as they were last
    QString m_model;           ///< the name that was filled in or chosen last
    std::string m_memoryAsked; ///< the configuration whose memory was asked for last
    LatestRequest<RunConfig, MemoryNote> m_memory;
};

} // namespace lockstep::ui
