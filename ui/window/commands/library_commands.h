// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/commands/command_parts.h"

#include <QObject>

#include <filesystem>

namespace lockstep::ui {

class OverlayRuns;
class RunsPanel;
class RunSummaries;

/// What a person does with the runs of the table, whichever is shown: compares two, shows the
/// folder of one, takes one off the list or moves it to the trash. GUI thread.
class LibraryCommands : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this object.
    LibraryCommands(
        const CommandParts& parts, RunsPanel& panel, RunSummaries& summaries,
        OverlayRuns& overlays);

private:
    void compare(const std::filesystem::path& first, const std::filesystem::path& second);
    void remove(const std::filesystem::path& run);
    void askToTrash(const std::filesystem::path& run);
    void moveToTrash(const std::filesystem::path& run);

    const CommandParts m_parts;
    RunSummaries& m_summaries;
    OverlayRuns& m_overlays;
};

} // namespace lockstep::ui
