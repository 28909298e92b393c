// SPDX-License-Identifier: Apache-2.0
#include "update/learning_rate.h"

#include "base/enum_names.h"
#include "base/error.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

namespace lockstep {
namespace {

constexpr EnumNames<RateCourse, 4> kCourses{{"exponential", "step", "cosine", "polynomial"}};
constexpr const char* kEpochs = "epochs";

std::int64_t decayStepsOf(
    const LearningRateSettings& settings, std::int64_t examples, int towers,
    std::int64_t batchPerTower)
{
    const std::int64_t batch = settings.ignoreTowers ? batchPerTower : towers * batchPerTower;
    const double steps =
        static_cast<double>(examples) * settings.epochsPerDecay / static_cast<double>(batch);
    // Beyond 2^62 the schedule never decays.
    return static_cast<std::int64_t>(std::clamp(std::floor(steps), 1.0, 0x1p62));
}

/// The numbers of a list such as "30, 60, 80".
std::vector<double> milestonesOf(const std::string& text)
{
    std::vector<double> milestones;
    const char* const end = text.data() + text.size();
    const auto skip = [end](const char* from, const char* of) {
        return std::find_if(from, end, [of](char c) { return std::strchr(of, c) == nullptr; });
    };
    for (const char* at = skip(text.data(), " "); at != end;) {
        double value = 0.0;
        const auto [stop, error] = std::from_chars(at, end, value);
        const double least = milestones.empty() ? 0.0 : milestones.back();
        if (error != std::errc() || !(value > least) || !std::isfinite(value)) {
            fail(
                ErrorCode::BadInput,
                "learning_rate.milestones is '{}', but must be ascending numbers, such as "
                "'30, 60, 80'",
                text);
        }
        milestones.push_back(value);
        at = skip(stop, ", ");
    }
    return milestones;
}

void checkShare(const char* key, double value)
{
    if (!(value >= 0.0 && value <= 1.0)) {
        fail(ErrorCode::BadInput, "{} is {}, but must be between 0 and 1", key, value);
    }
}

void checkMore(const char* key, double value)
{
    if (!std::isfinite(value) || value <= 0.0) {
        fail(ErrorCode::BadInput, "{} is {}, but must be more than 0", key, value);
    }
}

void checkNotNegative(const char* key, double value)
{
    if (!std::isfinite(value) || value < 0.0) {
        fail(ErrorCode::BadInput, "{} is {}, but must be a number of 0 or more", key, value);
    }
}

} // namespace

RateCourse rateCourseByName(const std::string& name)
{
    return kCourses.named(
        name,
        "learning_rate.schedule is '{}', but must be exponential, step, cosine or polynomial");
}

void LearningRateSettings::validate() const
{
    checkNotNegative("learning_rate.initial", initial);
    checkShare("learning_rate.decay_factor", decayFactor);
    checkMore("learning_rate.epochs_per_decay", epochsPerDecay);
    checkNotNegative("learning_rate.warmup", warmup);
    checkShare("learning_rate.final_share", finalShare);
    checkMore("learning_rate.power", power);
    if (unit != kEpochs && unit != "steps") {
        fail(ErrorCode::BadInput, "learning_rate.unit is '{}', but must be epochs or steps", unit);
    }
    if (rateCourseByName(course) == RateCourse::Step && milestonesOf(milestones).empty()) {
        fail(
            ErrorCode::BadInput,
            "learning_rate.schedule is step, but learning_rate.milestones names none; such as "
            "'30, 60, 80'");
    }
}

LearningRateSchedule::LearningRateSchedule(
    const LearningRateSettings& settings, std::int64_t examples, int towers,
    std::int64_t batchPerTower, std::int64_t steps, std::int64_t shift)
    : m_settings(settings), m_course(rateCourseByName(settings.course)),
      m_decaySteps(decayStepsOf(settings, examples, towers, batchPerTower)), m_steps(steps),
      m_shift(settings.unit == kEpochs ? shift : 0), m_decayShift(settings.ignoreTowers ? 0 : shift)
{
    const double stepsOfUnit =
        settings.unit != kEpochs
            ? 1.0
            : static_cast<double>(examples) / static_cast<double>(towers * batchPerTower);
    const auto inSteps = [stepsOfUnit](double length) {
        return std::llround(std::min(length * stepsOfUnit, 0x1p62));
    };
    m_warmupSteps = inSteps(settings.warmup);
    if (m_course == RateCourse::Step) {
        for (const double milestone : milestonesOf(settings.milestones)) {
            m_milestones.push_back(inSteps(milestone));
        }
    }
}

double LearningRateSchedule::wayAt(std::int64_t place) const
{
    const auto gone = static_cast<double>(place - m_warmupSteps);
    const auto all =
        static_cast<double>(std::max<std::int64_t>(1, m_steps + m_shift - m_warmupSteps));
    return std::clamp(gone / all, 0.0, 1.0);
}

double LearningRateSchedule::shareAt(std::int64_t step) const
{
    const double last = m_settings.finalShare;
    const std::int64_t place = step + m_shift;
    double share = 1.0;
    switch (m_course) {
    case RateCourse::Exponential: {
        const std::int64_t decays = (step + m_decayShift) / m_decaySteps;
        share = std::pow(m_settings.decayFactor, static_cast<double>(decays));
        break;
    }
    case RateCourse::Step: {
        const auto passed = std::ranges::upper_bound(m_milestones, place) - m_milestones.begin();
        share = std::pow(m_settings.decayFactor, static_cast<double>(passed));
        break;
    }
    case RateCourse::Cosine:
        share = last + (1.0 - last) * (1.0 + std::cos(std::numbers::pi * wayAt(place))) / 2.0;
        break;
    case RateCourse::Polynomial:
        share = last + (1.0 - last) * std::pow(1.0 - wayAt(place), m_settings.power);
        break;
    }
    return place < m_warmupSteps
               ? share * static_cast<double>(place + 1) / static_cast<double>(m_warmupSteps)
               : share;
}

double LearningRateSchedule::at(std::int64_t step) const
{
    return m_settings.initial * shareAt(step);
}

std::string LearningRateSchedule::describe() const
{
    std::string text = fmt::format("{}", m_settings.initial);
    if (m_warmupSteps > m_shift) {
        text += fmt::format(", warmed up for {} steps", m_warmupSteps - m_shift);
    }
    switch (m_course) {
    case RateCourse::Exponential:
        return text + fmt::format(", × {} every {} steps", m_settings.decayFactor, m_decaySteps);
    case RateCourse::Step: {
        std::vector<std::int64_t> steps = m_milestones;
        std::ranges::for_each(steps, [this](std::int64_t& step) { step -= m_shift; });
        return text
               + fmt::format(", × {} at steps {}", m_settings.decayFactor, fmt::join(steps, ", "));
    }
    case RateCourse::Cosine:
    case RateCourse::Polynomial:
        return text
               + fmt::format(
                   ", {} to {} at step {}", m_settings.course,
                   m_settings.initial * m_settings.finalShare, m_steps);
    }
    return text;
}

LearningRateSettings LearningRateSchedule::withRateAt(std::int64_t step, double rate) const
{
    if (!std::isfinite(rate) || rate < 0.0) {
        fail(
            ErrorCode::BadInput, "the learning rate is {}, but must be a number of 0 or more",
            rate);
    }
    const double share = shareAt(step);
    LearningRateSettings settings = m_settings;
    settings.initial = rate == 0.0 ? 0.0 : rate / share;
    if (!std::isfinite(settings.initial)) {
        fail(
            ErrorCode::BadInput,
            "the learning rate can't be {} at step {}: the schedule until there (x {}) "
            "leaves nothing of it; resume with another learning_rate.schedule or decay_factor",
            rate, step, share);
    }
    // A quotient times its divisor may be one bit beside the dividend.
    constexpr double kFar = std::numeric_limits<double>::infinity();
    for (const double other :
         {std::nextafter(settings.initial, kFar), std::nextafter(settings.initial, 0.0)}) {
        if (std::abs(other * share - rate) < std::abs(settings.initial * share - rate)) {
            settings.initial = other;
        }
    }
    return settings;
}

double linearlyScaledRate(double rate, std::int64_t batch, std::int64_t newBatch)
{
    return rate * static_cast<double>(newBatch) / static_cast<double>(batch);
}

} // namespace lockstep
