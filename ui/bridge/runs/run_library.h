// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/checkpoint_model.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

class QSettings;

namespace lockstep::ui {

/// The runs and checkpoints that a person used last, for the menus; and what lies in the folders.
class RunLibrary : public QObject
{
    Q_OBJECT

public:
    static constexpr int kMostRecent = 10;

    /// The lists are kept in `settings`, which must outlive this object.
    explicit RunLibrary(QSettings& settings, QObject* parent = nullptr);

    /// The newest first; those that are gone are left out.
    [[nodiscard]] QStringList recentRuns() const;
    [[nodiscard]] QStringList recentCheckpoints() const;

    void addRun(const std::filesystem::path& folder) { add(kRuns, folder); }
    void addCheckpoint(const std::filesystem::path& file) { add(kCheckpoints, file); }
    /// Does not list a run any more; its files stay.
    void forgetRun(const std::filesystem::path& folder);
    void clearRuns() { clear(kRuns); }
    void clearCheckpoints() { clear(kCheckpoints); }

    /// All runs in the default place, the one last written to first. Empty if there is no such
    /// place.
    [[nodiscard]] static std::vector<std::filesystem::path> knownRuns();
    /// That place; empty without a home.
    [[nodiscard]] static std::filesystem::path runsFolder();
    /// Whether a run lies there, and so is known without being remembered.
    [[nodiscard]] static bool isInDefaultPlace(const std::filesystem::path& folder)
    {
        return folder.parent_path() == runsFolder();
    }
    /// The checkpoints of a run, for CheckpointModel. Empty where they can't be listed.
    [[nodiscard]] static std::vector<CheckpointItem> checkpointsOf(
        const std::filesystem::path& run);

signals:
    void recentChanged();

private:
    static constexpr QLatin1String kRuns{"recent/runs"}; // keys of the settings
    static constexpr QLatin1String kCheckpoints{"recent/checkpoints"};

    void add(QLatin1String key, const std::filesystem::path& path);
    void clear(QLatin1String key);

    QSettings& m_settings;
};

/// A run that was being trained when its process ended without a word: killed, or the computer
/// went down.
struct InterruptedRun
{
    std::filesystem::path folder;
    std::int64_t step = 0;  ///< updates done
    std::int64_t steps = 0; ///< updates wanted

    /// Names this end of this run: the same run may be interrupted again, at another step.
    [[nodiscard]] QString key() const;
};

/// The newest of these runs that was interrupted in the last days and whose key() is not in
/// `asked`. Reads files: any thread. Runs that can't be read are passed over.
std::optional<InterruptedRun> findInterruptedRun(
    const std::vector<std::filesystem::path>& folders, const QStringList& asked);

} // namespace lockstep::ui
