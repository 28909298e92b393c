// SPDX-License-Identifier: Apache-2.0
#include "session/bench/network_link.h"

#include "base/error.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

namespace lockstep {
namespace {

constexpr double kMegabyte = 1e6;
constexpr double kGigabyte = 1e9;
constexpr double kBits = 8.0;   ///< in a byte
constexpr double kOfTcp = 0.94; ///< payload of a full Ethernet frame, 1448 bytes of 1538
/// As tests/benchmarks/ranks_link.sh measures it.
constexpr double kWorkOfTcp = 0.5e-9;

struct NamedLink
{
    std::string_view name;
    NetworkLink link;
};

constexpr std::array kLinks{
    NamedLink{"1g", {100e-6, kOfTcp* kGigabyte / kBits, kWorkOfTcp}},
    NamedLink{"10g", {50e-6, kOfTcp * 10.0 * kGigabyte / kBits, kWorkOfTcp}},
    NamedLink{"25g", {30e-6, kOfTcp * 25.0 * kGigabyte / kBits, kWorkOfTcp}},
    NamedLink{"100g", {20e-6, kOfTcp * 100.0 * kGigabyte / kBits, kWorkOfTcp}},
    NamedLink{"infiniband", {2e-6, 24.0 * kGigabyte}}};

struct Unit
{
    std::string_view name;
    double size;
};

/// The number before one of the units, in what these count; none where the text has another form.
std::optional<double> quantityOf(const std::string& text, std::span<const Unit> units)
{
    double number = 0.0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    const auto unit = std::ranges::find(
        units, std::string_view(end, static_cast<std::size_t>(last - end)), &Unit::name);
    if (error != std::errc{} || unit == units.end() || !std::isfinite(number)) {
        return std::nullopt;
    }
    return number * unit->size;
}

} // namespace

NetworkLink linkByName(const std::string& name)
{
    const auto* const found = std::ranges::find(kLinks, name, &NamedLink::name);
    if (found == kLinks.end()) {
        fail(
            ErrorCode::BadInput, "link is '{}': give {}, or its latency and bandwidth", name,
            fmt::join(linkNames(), ", "));
    }
    return found->link;
}

std::vector<std::string> linkNames()
{
    std::vector<std::string> names;
    names.reserve(kLinks.size());
    for (const NamedLink& link : kLinks) {
        names.emplace_back(link.name);
    }
    return names;
}

double parseLatency(const std::string& text)
{
    constexpr std::array kUnits{Unit{"us", 1e-6}, Unit{"ms", 1e-3}, Unit{"s", 1.0}};
    const auto seconds = quantityOf(text, kUnits);
    if (!seconds || *seconds < 0.0) {
        fail(
            ErrorCode::BadInput,
            "link latency is '{}': give a time and its unit (us, ms or s), like 50us or 0.2ms",
            text);
    }
    return *seconds;
}

double parseBandwidth(const std::string& text)
{
    constexpr std::array kUnits{
        Unit{"Mbit", kMegabyte / kBits},   Unit{"Gbit", kGigabyte / kBits},
        Unit{"Mbit/s", kMegabyte / kBits}, Unit{"Gbit/s", kGigabyte / kBits},
        Unit{"MB/s", kMegabyte},           Unit{"GB/s", kGigabyte}};
    const auto bytesPerSecond = quantityOf(text, kUnits);
    if (!bytesPerSecond || *bytesPerSecond <= 0.0) {
        fail(
            ErrorCode::BadInput,
            "link bandwidth is '{}': give a rate above 0 and its unit (Mbit, Gbit, MB/s or GB/s), "
            "like 1Gbit or 117MB/s",
            text);
    }
    return *bytesPerSecond;
}

} // namespace lockstep
