// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// What OpPlan::algorithm says for the library's first suggestion, taken without a trial; on
/// processors for what is best by count.
inline constexpr std::string_view kFirstAlgorithm = "first";

/// How the algorithms of ops were chosen, where there is a choice.
struct AlgorithmChoices
{
    int measured = 0;
    int stored = 0;                 ///< as an earlier process chose, see AlgorithmStore
    double seconds = 0.0;           ///< that all of it took
    std::vector<std::string> notes; ///< lines for people: a candidate that was refused, a bad file

    [[nodiscard]] bool isMeasured() const { return measured + stored > 0; }
    void add(const AlgorithmChoices& other)
    {
        measured += other.measured;
        stored += other.stored;
        seconds += other.seconds;
        notes.insert(notes.end(), other.notes.begin(), other.notes.end());
    }
};

/// What an op asks and tells while it is planned. One thread at a time.
struct Planning
{
    /// Asked before every trial, which may take a second: whether to go on, else the op throws
    /// Error(Cancelled). Empty: yes.
    std::function<bool()> mayGoOn = {};
    AlgorithmChoices choices = {};
};

} // namespace lockstep
