// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/device.h"
#include "engine/machines.h"
#include "engine/run.h"

#include <QList>
#include <QString>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace lockstep::ui {

/// What is wrong with a setting. `key` is that of the configuration ("batch_per_tower"),
/// kRunFolderKey, kCheckpointKey, or empty for what no single field is to blame for.
struct ConfigProblem
{
    QString key;
    QString message;
};

/// A setting of a run as the form says it.
struct SettingInWords
{
    QString key;
    QString title;
    QString toolTip; ///< what it is, and its key
    QString text;    ///< the value, in words
    QString value;   ///< as a configuration has it
    /// It is of use to the run, and everyone sees it or it is not as usual.
    bool isNotable = false;
};

/// What was found of a run that is set up.
struct RunFindings
{
    /// Everything that is wrong, in the order of the form; at most one for each key.
    QList<ConfigProblem> problems;
    /// What it takes over of another training; empty for a run that begins at a state, or at
    /// random weights, and where these can't be read.
    std::optional<InitialWeights> initial;
    std::int64_t firstStep = 0; ///< that of the state it begins at, where that can be read

    /// An empty message is no problem.
    void add(const char* key, const QString& message);
};

inline constexpr const char* kRunFolderKey = "run.folder";
inline constexpr const char* kCheckpointKey = "run.checkpoint";

/// Checks a run while it is being set up, at every key stroke: values, by the engine's own rules
/// and in its words; model, folder of the data set, device, run folder, checkpoint. Opens no data
/// set and reads no more than the header of a checkpoint. What stays unseen here is refused by the
/// engine at the start.
class RunValidator
{
public:
    /// Of runs that start on another machine, for what it says of itself; else of this one. What
    /// lies there is left to the start.
    explicit RunValidator(std::optional<RemoteFacts> machine = {}) : m_machine(std::move(machine))
    {
    }
    RunFindings check(const RunRequest& request);

private:
    struct DeviceFinding
    {
        QString error;
        DeviceInfo info;
    };

    void checkThere(const RunRequest& request, RunFindings& findings) const;
    void checkDevice(const RunRequest& request, RunFindings& findings);
    const DeviceFinding& find(const RunRequest& request);

    std::optional<RemoteFacts> m_machine;
    /// By device and the folder of a run that goes on; looking may take long.
    std::map<std::string, DeviceFinding> m_devices;
};

/// Examples of the training set, if they can be counted without opening it.
std::optional<std::int64_t> trainingExamples(const RunConfig& config);

} // namespace lockstep::ui
