// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rank files as a recorder writes them, byte by byte.
#include "base/crc32.h"
#include "session/gather/rank_frames.h"

#include <fmt/core.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace lockstep::test {

constexpr std::int64_t kMillisecond = 1'000'000;

template<class T>
void appendValue(std::string& bytes, T value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

inline std::string frameOf(const std::string& payload)
{
    std::string bytes = "LSKR";
    appendValue(bytes, static_cast<std::uint32_t>(payload.size()));
    appendValue(bytes, checksum(std::as_bytes(std::span(payload))));
    return bytes + payload;
}

inline std::string startFrame(int rank, int ranks, const std::string& more = "")
{
    return frameOf(fmt::format(
        "\x01{{\"format\":1,\"rank\":{},\"ranks\":{},\"host\":\"node{}\",\"device\":\"cuda:0\","
        "\"batch\":8,\"recorder\":\"test 1\"{}}}",
        rank, ranks, rank / 2, more));
}

inline std::string stepFrame(const RankStep& step)
{
    std::string payload("\x02", 1);
    payload += step.loss ? '\x01' : '\0';
    payload.append(6, '\0');
    for (const std::int64_t value :
         {step.step, step.begin, step.forward, step.backward, step.arrival, step.done, step.end,
          step.waited, step.examples, step.correct}) {
        appendValue(payload, value);
    }
    appendValue(payload, step.loss.value_or(0.0));
    appendValue(payload, step.learningRate);
    appendValue(payload, static_cast<std::uint32_t>(step.sums.size()));
    appendValue(payload, std::uint32_t{0});
    for (const RankSum& sum : step.sums) {
        appendValue(payload, sum);
    }
    return frameOf(payload);
}

inline std::string gradientsFrame(const RankGradients& gradients)
{
    std::string payload("\x03", 1);
    payload += gradients.mean.empty() ? '\0' : '\x01';
    payload.append(2, '\0');
    appendValue(payload, static_cast<std::uint32_t>(gradients.own.size()));
    appendValue(payload, gradients.step);
    for (const auto& own : gradients.own) {
        appendValue(payload, own);
    }
    for (const auto& mean : gradients.mean) {
        appendValue(payload, mean);
    }
    return frameOf(payload);
}

inline std::string endFrame(const std::string& state = "finished")
{
    return frameOf(fmt::format("\x05{{\"state\":\"{}\"}}", state));
}

/// How one rank spends its step, in milliseconds.
struct Pace
{
    std::int64_t data = 5;
    std::int64_t forward = 10;
    std::int64_t backward = 20;
};

/// Step `number` of a rank, which begins at `begin` by its clock, in which the mean is there after
/// `done` and the update after two more; in milliseconds.
inline RankStep stepOf(std::int64_t number, std::int64_t begin, const Pace& pace, std::int64_t done)
{
    RankStep step;
    step.step = number;
    step.begin = kMillisecond * begin;
    step.forward = step.begin + kMillisecond * pace.data;
    step.backward = step.forward + kMillisecond * pace.forward;
    step.arrival = step.backward + kMillisecond * pace.backward;
    step.done = step.begin + kMillisecond * done;
    step.end = step.done + 2 * kMillisecond;
    step.examples = 8;
    step.correct = 4;
    step.loss = 1.0;
    step.learningRate = 0.1;
    step.sums = {{step.arrival, step.done}};
    return step;
}

inline std::filesystem::path rankFileOf(const std::filesystem::path& run, int rank)
{
    std::filesystem::create_directories(run / "ranks");
    return run / "ranks" / fmt::format("rank-{:04}.lsr", rank);
}

inline void appendTo(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::app) << bytes;
}

} // namespace lockstep::test
