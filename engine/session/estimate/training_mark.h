// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace lockstep {

/// Tells a person's other processes on this machine, as long as it lives, that a run trains: a
/// shared lock on a file, which the system gives back however the process ends. Any thread.
class TrainingMark
{
public:
    /// In a folder, of which all processes are to take the same; where nothing can be written
    /// there, nobody is told.
    explicit TrainingMark(const std::filesystem::path& folder);
    ~TrainingMark();
    TrainingMark(const TrainingMark&) = delete;
    TrainingMark& operator=(const TrainingMark&) = delete;

    static bool isAnyIn(const std::filesystem::path& folder);

private:
    int m_descriptor; ///< negative: none
};

} // namespace lockstep
