// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace lockstep::ui {

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
