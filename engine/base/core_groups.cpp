// SPDX-License-Identifier: Apache-2.0
#include "base/core_groups.h"

#include <fmt/core.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

/// A processor and what it shares with others. A core and a cache go by the lowest number of their
/// processors, because the kernel's own numbers of cores repeat in every socket.
struct Place
{
    int node = 0;
    int package = 0;
    int cache = 0;
    int core = 0;
    int number = 0;
    int threadOfCore = 0; ///< 0: the first one that can be used

    [[nodiscard]] auto group() const { return std::tuple(node, package, cache); }
};

/// The number that a file or name begins with.
std::optional<int> leadingNumber(const std::string& text)
{
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<int> numberIn(const fs::path& file)
{
    std::string line;
    std::ifstream stream(file);
    return std::getline(stream, line) ? leadingNumber(line) : std::nullopt;
}

/// Which memory is nearest: the processor's folder has an entry "nodeM".
int nodeOf(const fs::path& processor)
{
    const std::string prefix = "node";
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(processor, ignored)) {
        const std::string name = entry.path().filename().string();
        const auto node =
            name.starts_with(prefix) ? leadingNumber(name.substr(prefix.size())) : std::nullopt;
        if (node) {
            return *node;
        }
    }
    return 0;
}

/// The cache of the highest index that the kernel tells of is the one that most cores share.
std::optional<int> lastCacheOf(const fs::path& processor)
{
    std::optional<int> last;
    for (int index = 0;; ++index) {
        const auto cache =
            numberIn(processor / fmt::format("cache/index{}/shared_cpu_list", index));
        if (!cache) {
            return last;
        }
        last = cache;
    }
}

std::optional<Place> placeOf(int number, const fs::path& folder)
{
    const fs::path processor = folder / fmt::format("cpu{}", number);
    auto core = numberIn(processor / "topology/core_cpus_list");
    if (!core) { // its name before Linux 5.3
        core = numberIn(processor / "topology/thread_siblings_list");
    }
    if (!core) {
        return std::nullopt;
    }
    const int package = numberIn(processor / "topology/physical_package_id").value_or(0);
    return Place{nodeOf(processor), package, lastCacheOf(processor).value_or(0), *core, number, 0};
}

/// Empty where the kernel does not tell of all of them.
std::vector<Place> placesOf(const std::vector<int>& processors, const fs::path& folder)
{
    std::vector<Place> places;
    std::map<int, int> threadsOfCore;
    for (const int number : processors) {
        auto place = placeOf(number, folder);
        if (!place) {
            return {};
        }
        place->threadOfCore = threadsOfCore[place->core]++;
        places.push_back(*place);
    }
    return places;
}

auto nearness(const Place& place)
{
    return std::tuple(place.group(), place.core, place.number);
}

/// Those with the fewest threads of their core before them, the nearest side by side.
std::vector<Place> spread(std::vector<Place> places, int threads)
{
    std::ranges::sort(places, {}, [](const Place& place) {
        return std::tuple(place.threadOfCore, nearness(place));
    });
    places.resize(static_cast<std::size_t>(threads));
    std::ranges::sort(places, {}, nearness);
    return places;
}

/// Those that share their last cache with `place`, without hardware threads that nobody needs.
std::vector<int> groupOf(const Place& place, const std::vector<Place>& places, int lastThreadOfCore)
{
    std::vector<int> group;
    for (const Place& other : places) {
        if (other.group() == place.group() && other.threadOfCore <= lastThreadOfCore) {
            group.push_back(other.number);
        }
    }
    return group;
}

} // namespace

std::vector<int> usableProcessors()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> processors;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(cpu, &set)) {
                processors.push_back(cpu);
            }
        }
    }
    return processors;
}

std::vector<std::vector<int>> coreGroups(
    int threads, std::vector<int> usable, const fs::path& folder)
{
    if (std::cmp_less(usable.size(), threads)) {
        return {};
    }
    std::ranges::sort(usable);
    const std::vector<Place> places = placesOf(usable, folder);
    if (places.empty()) {
        return {static_cast<std::size_t>(threads), usable};
    }
    const std::vector<Place> taken = spread(places, threads);
    const int last = std::ranges::max_element(taken, {}, &Place::threadOfCore)->threadOfCore;
    std::vector<std::vector<int>> groups;
    groups.reserve(taken.size());
    for (const Place& place : taken) {
        groups.push_back(groupOf(place, places, last));
    }
    return groups;
}

std::vector<int> shareOfProcessors(
    std::vector<int> usable, int index, int count, const fs::path& folder)
{
    if (std::cmp_less(usable.size(), count)) {
        return usable;
    }
    std::ranges::sort(usable);
    if (auto places = placesOf(usable, folder); !places.empty()) {
        std::ranges::sort(places, {}, nearness);
        std::ranges::transform(places, usable.begin(), &Place::number);
    }
    const auto cut = [&](int number) {
        return usable.begin() + static_cast<std::ptrdiff_t>(usable.size()) * number / count;
    };
    return {cut(index), cut(index + 1)};
}

} // namespace lockstep
