// SPDX-License-Identifier: Apache-2.0
#include "session/rate_finder/rate_search.h"

#include "session/rate_finder/rate_curve.h"

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace lockstep {
namespace {

constexpr double kSureErrors = 2.0;
/// That one of several trials is below what is known without any.
constexpr double kSurestErrors = 3.0;
constexpr int kTenth = 2; ///< places

/// Place 0 is a rate of 1, 1 is 3, 2 is 10, -1 is 0.3: figures that people would try.
double rateAt(int place)
{
    const int decade = place >= 0 ? place / 2 : (place - 1) / 2;
    const double power = std::pow(10.0, std::abs(decade));
    const double figure = place % 2 == 0 ? 1.0 : 3.0;
    return decade < 0 ? figure / power : figure * power; // the double closest to the decimal
}

/// Of the highest rate that is not above.
int placeBelow(double rate)
{
    constexpr double kRounding = 1e-9;
    int place = 2 * static_cast<int>(std::ceil(std::log10(rate)));
    while (rateAt(place) > rate * (1.0 + kRounding)) {
        --place;
    }
    return place;
}

std::size_t judgedFrom(const std::vector<double>& crossEntropies)
{
    return crossEntropies.size() - (crossEntropies.size() + 2) / 3;
}

/// Whether `a` is above `b` by so many standard errors.
bool isClearlyAbove(
    const std::vector<double>& a, const std::vector<double>& b, double errors = kSureErrors)
{
    const std::size_t first = judgedFrom(b);
    const MeanWithError above = meanDifference(a, b, first, b.size() - first);
    return above.mean > errors * above.error;
}

class RateSearch
{
public:
    RateSearch(const SearchedRates& range, const TryRate& tryRate) : m_range(range), m_try(tryRate)
    {
    }

    const RateTrial& at(int place)
    {
        const auto known = m_trials.find(place);
        return known != m_trials.end()
                   ? known->second
                   : m_trials.emplace(place, m_try(rateAt(place))).first->second;
    }
    [[nodiscard]] bool isWithin(int place) const
    {
        return rateAt(place) >= m_range.low && rateAt(place) <= m_range.high;
    }
    bool isBetter(int place, int than)
    {
        return at(place).crossEntropy() < at(than).crossEntropy();
    }
    bool isClearlyWorse(int place, int than) { return isClearlyBetter(at(than), at(place)); }
    int best()
    {
        const int below = placeBelow(m_range.first);
        const int first = isWithin(below) ? below : below + 1;
        int best = first;
        at(best); // before any other, whatever order expressions have
        for (int place = first - 1; isWithin(place) && !isClearlyWorse(place, best); --place) {
            best = isBetter(place, best) ? place : best;
        }
        for (int place = first + 1; best == place - 1 && isWithin(place); ++place) {
            best = isBetter(place, best) ? place : best;
        }
        if (isWithin(best - 1) && !isClearlyWorse(best - 1, best)) {
            --best;
        }
        while (isClearlyWorse(best, best - kTenth) && isWithin(best - kTenth)) {
            best -= kTenth;
        }
        return best;
    }

private:
    const SearchedRates& m_range;
    const TryRate& m_try;
    std::map<int, RateTrial> m_trials;
};

} // namespace

double RateTrial::crossEntropy() const
{
    if (isDiverged || crossEntropies.empty()) {
        return std::numeric_limits<double>::infinity();
    }
    const auto first =
        crossEntropies.begin() + static_cast<std::ptrdiff_t>(judgedFrom(crossEntropies));
    return std::reduce(first, crossEntropies.end())
           / static_cast<double>(crossEntropies.end() - first);
}

bool isClearlyBetter(const RateTrial& trial, const RateTrial& other)
{
    return !trial.isDiverged
           && (other.isDiverged || isClearlyAbove(other.crossEntropies, trial.crossEntropies));
}

bool hasRateToTry(double low, double high)
{
    const int below = placeBelow(low);
    return rateAt(rateAt(below) < low ? below + 1 : below) <= high;
}

std::optional<RateTrial> searchRate(
    const SearchedRates& range, const std::vector<double>& untrained, const TryRate& tryRate)
{
    RateSearch search(range, tryRate);
    const RateTrial& best = search.at(search.best());
    const bool isTrained =
        !best.isDiverged && isClearlyAbove(untrained, best.crossEntropies, kSurestErrors);
    return isTrained ? std::optional(best) : std::nullopt;
}

} // namespace lockstep
