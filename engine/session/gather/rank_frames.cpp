// SPDX-License-Identifier: Apache-2.0
#include "session/gather/rank_frames.h"

#include "base/error.h"
#include "storage/rows/run_branch.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cstring>
#include <initializer_list>
#include <string_view>

namespace lockstep {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::int64_t kFormat = 1;
constexpr std::size_t kMostParameters = 1'000'000;
constexpr std::size_t kMostText = 65'536;
/// No step, count or clock is larger (nanoseconds since 1970 are not until 2043): differences of
/// differences can't overflow.
constexpr std::int64_t kMostInteger = std::int64_t{1} << 61;
/// Two years.
constexpr std::int64_t kLongestStep = std::int64_t{1} << 56;

enum class Kind : std::uint8_t { Start = 1, Step = 2, Gradients = 3, Event = 4, End = 5 };

[[noreturn]] void refuse(std::string_view what)
{
    fail(ErrorCode::Data, "{}", what);
}

/// Takes a payload apart from its beginning to its end.
class Payload
{
public:
    explicit Payload(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    template<class T>
    T take()
    {
        if (m_bytes.size() < sizeof(T)) {
            refuse("the frame is too short");
        }
        T value;
        std::memcpy(&value, m_bytes.data(), sizeof(T));
        m_bytes = m_bytes.subspan(sizeof(T));
        return value;
    }

    std::int64_t takeInteger()
    {
        const auto value = take<std::int64_t>();
        if (value < kNotTold || value > kMostInteger) {
            refuse("a number is out of range");
        }
        return value;
    }

    void skip(std::size_t bytes)
    {
        for (std::size_t i = 0; i < bytes; ++i) {
            take<std::uint8_t>();
        }
    }

    /// Before `count` entries of so many bytes are made room for.
    void expect(std::size_t count, std::size_t bytes) const
    {
        if (m_bytes.size() != count * bytes) {
            refuse("the frame's length is not that of its entries");
        }
    }

private:
    std::span<const std::byte> m_bytes;
};

json objectOf(std::span<const std::byte> text)
{
    const auto* begin = reinterpret_cast<const char*>(text.data());
    json object = json::parse(begin, begin + text.size(), nullptr, false);
    if (!object.is_object()) {
        refuse("its text is no JSON object");
    }
    return object;
}

std::string textOf(const json& object, const char* key)
{
    const auto found = object.find(key);
    const bool isText = found != object.end() && found->is_string();
    return isText && found->get_ref<const std::string&>().size() <= kMostText
               ? found->get<std::string>()
               : std::string();
}

/// From 0 on; else `otherwise`.
std::int64_t integerOf(
    const json& object, const char* key, std::int64_t most, std::int64_t otherwise = 0)
{
    const auto found = object.find(key);
    const bool isNumber = found != object.end() && found->is_number_integer();
    const auto number = isNumber ? found->get<std::int64_t>() : kNotTold;
    return number >= 0 && number <= most ? number : otherwise;
}

/// Empty unless all of them are texts.
std::vector<std::string> textsOf(const json& object, const char* key)
{
    const auto found = object.find(key);
    const bool isList = found != object.end() && found->is_array();
    const auto isText = [](const json& text) { return text.is_string(); };
    return isList && found->size() <= kMostParameters && std::ranges::all_of(*found, isText)
               ? found->get<std::vector<std::string>>()
               : std::vector<std::string>();
}

/// What is not required and is not what it has to be counts as not told.
RankStart startOf(const json& object)
{
    if (integerOf(object, "format", kMostInteger) != kFormat) {
        refuse("its format is another than 1; use a newer Lockstep");
    }
    RankStart start;
    start.ranks = static_cast<int>(integerOf(object, "ranks", RunBranch::kMostTowers));
    start.rank = static_cast<int>(integerOf(object, "rank", RunBranch::kMostTowers, kNotTold));
    if (start.rank < 0 || start.rank >= start.ranks) {
        refuse("its rank is not among the ranks");
    }
    for (const auto& [key, text] : std::initializer_list<std::pair<const char*, std::string*>>{
             {"host", &start.host},
             {"device", &start.device},
             {"device_name", &start.deviceName},
             {"clock", &start.clock},
             {"recorder", &start.recorder},
             {"trainer", &start.trainer},
             {"backend", &start.backend},
             {"model", &start.model},
             {"dataset", &start.dataset}}) {
        *text = textOf(object, key);
    }
    const auto time = object.find("time");
    constexpr double kLatest = 2.3e9;
    const double seconds = time != object.end() && time->is_number() ? time->get<double>() : 0.0;
    start.time = std::clamp(seconds, 0.0, kLatest);
    start.nanoseconds = integerOf(object, "nanoseconds", kMostInteger);
    start.trainingExamples = integerOf(object, "training_examples", kMostInteger);
    start.batch = integerOf(object, "batch", kMostInteger);
    start.parameters = textsOf(object, "parameters");
    return start;
}

RankStep stepOf(Payload payload)
{
    constexpr std::uint8_t kTellsLoss = 1;
    RankStep step;
    const auto told = payload.take<std::uint8_t>();
    payload.skip(6);
    for (std::int64_t* value :
         {&step.step, &step.begin, &step.forward, &step.backward, &step.arrival, &step.done,
          &step.end, &step.waited, &step.examples, &step.correct}) {
        *value = payload.takeInteger();
    }
    if (step.step < 0) {
        refuse("a step without a number");
    }
    const auto loss = payload.take<double>();
    step.loss = (told & kTellsLoss) != 0 ? std::optional(loss) : std::nullopt;
    step.learningRate = payload.take<double>();
    const auto sums = payload.take<std::uint32_t>();
    payload.skip(sizeof(std::uint32_t));
    payload.expect(sums, sizeof(RankSum));
    step.sums.resize(sums);
    for (RankSum& sum : step.sums) {
        sum.ready = payload.takeInteger();
        sum.done = payload.takeInteger();
    }
    std::int64_t last = kNotTold;
    for (const std::int64_t time :
         {step.begin, step.forward, step.backward, step.arrival, step.done, step.end}) {
        if (time != kNotTold && time < last) {
            refuse("a step whose phases are not in order");
        }
        last = std::max(last, time);
    }
    if (step.begin != kNotTold && last - step.begin > kLongestStep) {
        refuse("a step that took years");
    }
    return step;
}

RankGradients gradientsOf(Payload payload)
{
    RankGradients gradients;
    const bool hasMean = payload.take<std::uint8_t>() != 0;
    payload.skip(2);
    const auto count = payload.take<std::uint32_t>();
    gradients.step = payload.takeInteger();
    payload.expect(count, sizeof(RankGradients::Own) + (hasMean ? sizeof(RankGradients::Mean) : 0));
    gradients.own.resize(count);
    for (auto& own : gradients.own) {
        own = payload.take<RankGradients::Own>();
    }
    gradients.mean.resize(hasMean ? count : 0);
    for (auto& mean : gradients.mean) {
        mean = payload.take<RankGradients::Mean>();
    }
    return gradients;
}

} // namespace

bool RankStep::hasPhases() const
{
    return std::ranges::all_of(
        std::initializer_list<std::int64_t>{begin, forward, backward, arrival, done, end},
        [](std::int64_t time) { return time != kNotTold; });
}

std::optional<RankFrame> decodeRankFrame(std::span<const std::byte> payload)
{
    if (payload.empty()) {
        refuse("an empty frame");
    }
    const auto rest = payload.subspan(1);
    switch (static_cast<Kind>(payload.front())) {
    case Kind::Start:
        return startOf(objectOf(rest));
    case Kind::Step:
        return stepOf(Payload(rest));
    case Kind::Gradients:
        return gradientsOf(Payload(rest));
    case Kind::Event: {
        const json object = objectOf(rest);
        const std::string level = textOf(object, "level");
        const bool isKnown = level == "warning" || level == "error";
        return RankEvent{isKnown ? level : "info", textOf(object, "text")};
    }
    case Kind::End: {
        const json object = objectOf(rest);
        return RankEnd{textOf(object, "state"), textOf(object, "text")};
    }
    }
    return std::nullopt;
}

} // namespace lockstep
