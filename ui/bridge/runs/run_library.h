// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/checkpoint_model.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <filesystem>
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

    void addRun(const std::filesystem::path& folder);
    void addCheckpoint(const std::filesystem::path& file);
    /// Does not list a run any more; its files stay.
    void forgetRun(const std::filesystem::path& folder);
    void clearRuns();
    void clearCheckpoints();

    /// All runs in the default place, the one last written to first. Empty if there is no such
    /// place.
    [[nodiscard]] static std::vector<std::filesystem::path> knownRuns();
    /// Whether a run lies there, and so is known without being remembered.
    [[nodiscard]] static bool isInDefaultPlace(const std::filesystem::path& folder);
    /// The checkpoints of a run, for CheckpointModel. Empty where they can't be listed.
    [[nodiscard]] static std::vector<CheckpointItem> checkpointsOf(
        const std::filesystem::path& run);

signals:
    void recentChanged();

private:
    void add(const QString& key, const std::filesystem::path& path);
    void clear(const QString& key);

    QSettings& m_settings;
};

} // namespace lockstep::ui
