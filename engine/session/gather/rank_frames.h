// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace lockstep {

// What one rank of somebody's training tells of itself, frame after frame. What each is: the format
// of rank files, app/recorder/FORMAT.md. Plain values.

/// A time, in nanoseconds of the rank's clock, or a number, that it does not tell.
inline constexpr std::int64_t kNotTold = -1;

struct RankStart
{
    int rank = 0;
    int ranks = 0;
    std::string host;
    std::string device;
    std::string deviceName;
    std::string clock;            ///< ranks that name the same one read the same clock
    double time = 0.0;            ///< seconds since 1970 at …
    std::int64_t nanoseconds = 0; ///< … this moment of the clock
    std::string recorder;
    std::string trainer;
    std::string backend;
    std::string model;
    std::string dataset;
    std::int64_t trainingExamples = 0; ///< 0: not known
    std::int64_t batch = 0;            ///< examples of this rank a step; 0: not known
    std::vector<std::string> parameters;
};

struct RankSum
{
    std::int64_t ready = 0;
    std::int64_t done = 0;
};

struct RankStep
{
    std::int64_t step = 0;
    std::int64_t begin = kNotTold;
    std::int64_t forward = kNotTold;
    std::int64_t backward = kNotTold;
    std::int64_t arrival = kNotTold;
    std::int64_t done = kNotTold;
    std::int64_t end = kNotTold;
    std::int64_t waited = 0;
    std::int64_t examples = kNotTold;
    std::int64_t correct = kNotTold;
    std::optional<double> loss; ///< none: it does not tell
    double learningRate = std::numeric_limits<double>::quiet_NaN();
    std::vector<RankSum> sums;

    /// Whether it tells when its phases began and ended.
    [[nodiscard]] bool hasPhases() const;
};

struct RankGradients
{
    struct Own
    {
        double squares = 0.0;
        double dotMean = 0.0;
    };
    struct Mean
    {
        double squares = 0.0;
        double weightSquares = 0.0;
        double updateSquares = 0.0;
    };
    std::int64_t step = 0;
    std::vector<Own> own;   ///< by parameter
    std::vector<Mean> mean; ///< by parameter; empty: this rank does not tell
};

struct RankEvent
{
    std::string level = "info";
    std::string text;
};

struct RankEnd
{
    std::string state = "finished";
    std::string text;
};

using RankFrame = std::variant<RankStart, RankStep, RankGradients, RankEvent, RankEnd>;

/// The payload of a frame. Empty where its kind is none of these; Error(Data) with the reason where
/// it says what can't be. Trusts nothing.
std::optional<RankFrame> decodeRankFrame(std::span<const std::byte> payload);

} // namespace lockstep
