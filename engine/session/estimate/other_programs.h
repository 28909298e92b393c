// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// Looks from its making on whether other programs keep this one from the processors. One thread
/// at a time.
class OtherPrograms
{
public:
    OtherPrograms();

    /// Whether the threads of this process that are there now have stood in line for a processor
    /// for more than a tenth of their time, and others have had more than a tenth of what it has
    /// had since: its own threads wait for each other, too. False where the system does not tell
    /// (/proc/self/task/*/schedstat and /proc/stat, see scheduler/sched-stats.rst and
    /// filesystems/proc.rst of the Linux kernel's documentation).
    [[nodiscard]] bool areInTheWay() const;

private:
    double m_all;
    double m_own;
};

} // namespace lockstep
