// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/data_verdict.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

constexpr int kSameSteps = 20;
constexpr std::int64_t kBetweenSentences = 10;
constexpr int kQuietSteps = 200;
constexpr int kQuietGradients = 40;
constexpr std::int64_t kLeastComparedSteps = 20;
constexpr double kOverShare = 0.5;
constexpr double kTwice = 2.0;
constexpr double kScatterRatio = 3.0;
/// A loss that begins to lie elsewhere scatters first.
constexpr int kSteadyScatter = 20;
constexpr double kCosineShare = 0.5;
/// Rounding may make towers differ that compute the same.
constexpr double kEqualShare = 1e-9;
/// Gradients are measured at few steps.
constexpr TowerEvidence::Limits kOfGradients{.firstRecords = 20.0, .recentRecords = 10.0};

constexpr const char* kTooEarly = "too early to tell whether the towers see alike data";

bool areSame(const std::vector<double>& values)
{
    const auto [least, most] = std::ranges::minmax(values);
    return most - least <= kEqualShare * std::abs(most);
}

} // namespace

DataVerdict::DataVerdict(double lossShare, std::size_t towers)
    : m_lossShare(lossShare), m_values(towers)
{
    if (towers < 2) {
        m_verdict = {Light::Good, {}, -1, 0, "one tower gets all data"};
        return;
    }
    m_verdict.text = kTooEarly;
    m_watches.push_back({Kind::Loss, TowerEvidence(towers)});
    if (towers > 2) { // of two both are as far from their mean
        m_watches.push_back({Kind::Scatter, TowerEvidence(towers)});
        m_watches.push_back({Kind::Gradients, TowerEvidence(towers, kOfGradients)});
    }
}

/// How far the tower is beyond what is worth telling: 1 is just there.
double DataVerdict::Watch::excess(std::size_t tower, double share) const
{
    const double deviation = evidence.deviation(tower);
    const double others = evidence.others(tower);
    switch (kind) {
    case Kind::Loss:
        return std::abs(deviation) / (share * std::abs(others));
    case Kind::Scatter: {
        const double ratio = (others + deviation) / others;
        return std::abs(std::log(ratio)) / std::log(kScatterRatio);
    }
    case Kind::Gradients:
        break;
    }
    // Where they cancel each other there is nothing to agree with.
    return others > 0.0 ? -deviation / ((1.0 - kCosineShare) * others) : 0.0;
}

void DataVerdict::Watch::look(double share, std::int64_t updates)
{
    const auto outlier = evidence.outlier();
    foundRecords = outlier && excess(*outlier, share) >= 1.0 ? foundRecords + 1 : 0;
    const bool isFound = foundRecords >= (kind == Kind::Scatter ? kSteadyScatter : 1);
    if (named) {
        quietRecords = excess(*named, share) < kOverShare ? quietRecords + 1 : 0;
        const bool isOther = isFound && *outlier != *named
                             && std::abs(evidence.deviation(*outlier))
                                    > kTwice * std::abs(evidence.deviation(*named));
        if (quietRecords >= (kind == Kind::Gradients ? kQuietGradients : kQuietSteps)) {
            named.reset();
            evidence.forget();
            return;
        }
        if (!isOther) {
            return;
        }
    }
    if (isFound) {
        named = *outlier;
        since = updates;
        quietRecords = 0;
    }
}

void DataVerdict::take(const StepRecord& step)
{
    m_updates = step.step + 1;
    if (m_watches.empty() || step.towers.size() != m_values.size()) {
        return;
    }
    std::ranges::transform(step.towers, m_values.begin(), [&](const TowerRecord& tower) {
        return crossEntropy(step, tower);
    });
    if (!std::ranges::all_of(m_values, [](double value) { return std::isfinite(value); })) {
        return;
    }
    ++m_comparedSteps;
    m_sameSteps = areSame(m_values) ? std::min(m_sameSteps + 1, kSameSteps) : 0;
    Watch& losses = m_watches.front();
    const bool wasNamed = losses.named.has_value();
    losses.evidence.add(m_values);
    losses.look(m_lossShare, m_updates);
    if (m_watches.size() > 1) {
        squareScatter();
        Watch& scatter = m_watches[1];
        if (losses.named) { // whose shifts would look like scatter: that begins anew behind it
            if (!wasNamed) {
                scatter = Watch{Kind::Scatter, TowerEvidence(m_values.size())};
            }
        } else {
            scatter.evidence.add(m_values);
            if (!losses.evidence.outlier()) { // a shift that begins is none either
                scatter.look(m_lossShare, m_updates);
            }
        }
    }
    if (m_comparedSteps % kBetweenSentences == 0) { // which take longer than the tests
        conclude();
    }
}

/// Of m_values the squares of what is left beside the mean and the tower's usual distance from it,
/// which is no scatter.
void DataVerdict::squareScatter()
{
    const auto count = static_cast<double>(m_values.size());
    const double mean = std::accumulate(m_values.begin(), m_values.end(), 0.0) / count;
    const TowerEvidence& losses = m_watches.front().evidence;
    for (std::size_t tower = 0; tower < m_values.size(); ++tower) {
        const double usual = losses.deviation(tower) * (count - 1.0) / count;
        const double rest = m_values[tower] - mean - usual;
        m_values[tower] = rest * rest;
    }
}

void DataVerdict::take(const GradientAgreement& agreement)
{
    m_updates = agreement.step + 1; // those of a run that is opened come before its steps
    if (m_watches.size() > 1 && agreement.whole.cosinesToOthers.size() == m_values.size()) {
        m_watches.back().evidence.add(agreement.whole.cosinesToOthers);
        m_watches.back().look(m_lossShare, m_updates);
        conclude();
    }
}

void DataVerdict::conclude()
{
    Verdict now{.text = kTooEarly};
    if (m_sameSteps >= kSameSteps) {
        now = {
            Light::Bad,
            AlertKind::SameData,
            -1,
            m_updates,
            "all towers seem to get the same rows: their losses are the same in every step",
            "their losses"};
    } else if (const auto watch = std::ranges::find_if(
                   m_watches, [](const Watch& each) { return each.named.has_value(); });
               watch != m_watches.end()) {
        now = found(*watch);
    } else if (m_comparedSteps >= kLeastComparedSteps) {
        now = {Light::Good, {}, -1, m_updates, "the towers see alike data"};
    }
    if (isSameFinding(now, m_verdict)) {
        now.since = std::min(now.since, m_verdict.since);
    }
    m_verdict = std::move(now);
}

Verdict DataVerdict::found(const Watch& watch) const
{
    const std::size_t tower = *watch.named;
    const double deviation = watch.evidence.deviation(tower);
    const double others = watch.evidence.others(tower);
    const double share = deviation / std::abs(others);
    if (m_values.size() == 2) {
        return {
            Light::Bad,
            AlertKind::TowerLoss,
            -1,
            watch.since,
            fmt::format(
                "the losses of the two towers differ by {:.0f} %: look at the data of both "
                "(of two, neither can be called the odd one)",
                100.0 * std::abs(share)),
            "their losses"};
    }
    std::string text;
    switch (watch.kind) {
    case Kind::Loss:
        text = deviation > 0.0 ? fmt::format(
                   "tower {}: its loss is {:.0f} % above that of the others: look at its data",
                   tower, 100.0 * share)
                               : fmt::format(
                                   "tower {}: its loss is {:.0f} % below that of the others: look "
                                   "at its data",
                                   tower, -100.0 * share);
        break;
    case Kind::Scatter:
        text = fmt::format(
            "tower {}: its loss scatters {:.1f} times as much as that of the others: look at its "
            "data",
            tower, std::sqrt((others + deviation) / others));
        break;
    case Kind::Gradients:
        text = fmt::format(
            "tower {}: its gradients disagree with the others' (cosine {:.2f}, theirs {:.2f}): "
            "look at its data and its device",
            tower, others + deviation, others);
        break;
    }
    return {Light::Bad,
            AlertKind::TowerLoss,
            static_cast<int>(tower),
            watch.since,
            std::move(text),
            watch.kind == Kind::Gradients ? "its gradients" : "its loss"};
}

} // namespace lockstep
