// SPDX-License-Identifier: Apache-2.0
#include "base/core_groups.h"
#include "support/lockstep_test.h"

#include "support/temporary_folder.h"

#include <fmt/core.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace lockstep {
namespace {

using Processors = std::vector<int>;
using Groups = std::vector<Processors>;

// What a made-up kernel tells of a processor; an empty text: the file is absent.
struct Told
{
    int number = 0;
    int node = 0;
    int package = 0;
    std::string cache; ///< of the highest index
    std::string core;
};

class Machine
{
public:
    void add(const Told& told) const
    {
        const auto cpu = m_folder / fmt::format("cpu{}", told.number);
        write(cpu / "topology/physical_package_id", std::to_string(told.package));
        write(cpu / "topology/core_cpus_list", told.core);
        write(cpu / fmt::format("node{}/here", told.node), "");
        // Each core has two small caches of its own below the shared one.
        write(cpu / "cache/index0/shared_cpu_list", told.core);
        write(cpu / "cache/index1/shared_cpu_list", told.core);
        write(cpu / "cache/index2/shared_cpu_list", told.cache);
    }

    [[nodiscard]] std::filesystem::path folder() const { return m_folder.path(); }
    [[nodiscard]] Groups groups(int threads, const Processors& usable) const
    {
        return coreGroups(threads, usable, folder());
    }
    [[nodiscard]] Processors share(const Processors& usable, int index, int count) const
    {
        return shareOfProcessors(usable, index, count, folder());
    }

private:
    static void write(const std::filesystem::path& file, const std::string& text)
    {
        if (file.filename() != "here" && text.empty()) {
            return;
        }
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text << '\n';
    }

    test::TemporaryFolder m_folder;
};

// 2 sockets x 2 caches x 4 cores x 2 threads, numbered as servers do: the first threads of all
// cores, 0 to 15, then the second ones, 16 to 31.
void addServer(const Machine& machine)
{
    for (int number = 0; number < 32; ++number) {
        const int core = number % 16;
        const int cache = core / 4 * 4;
        machine.add(
            {number, core / 8, core / 8,
             fmt::format("{}-{},{}-{}", cache, cache + 3, cache + 16, cache + 19),
             fmt::format("{},{}", core, core + 16)});
    }
}

// One socket, 4 cores x 2 threads, numbered as small computers do: a core's threads side by side;
// two caches whose cores alternate.
void addAlternating(const Machine& machine)
{
    for (int number = 0; number < 8; ++number) {
        const int core = number / 2;
        machine.add(
            {number, 0, 0, core % 2 == 0 ? "0-1,4-5" : "2-3,6-7",
             fmt::format("{}-{}", core * 2, core * 2 + 1)});
    }
}

Processors range(int first, int count)
{
    Processors numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

// The group of each of `count` threads in a row.
Groups times(std::size_t count, const Processors& group)
{
    return {count, group};
}

Groups operator+(Groups first, const Groups& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

Processors operator+(Processors first, const Processors& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

} // namespace

class TestCoreGroups : public QObject
{
    Q_OBJECT

private slots:
    void Groups_asManyAsCores_areTheCachesWithoutSecondThreads();
    void Groups_fewerThanCores_stayInTheFirstCaches();
    void Groups_moreThanCores_areTheCachesWithBothThreads();
    void Groups_someMoreThanCores_putThreadsOfACoreSideBySide();
    void Groups_cachesThatAlternate_areBroughtTogether();
    void Groups_socketsThatAlternate_areBroughtTogether();
    void Groups_cachesOfTwoMemoryNodes_areTwo();
    void Groups_processorsLeftOut_areNeverUsed();
    void Groups_firstThreadLeftOut_theSecondStandsForTheCore();
    void Groups_offlineProcessors_needNoDescription();
    void Groups_withoutDescription_areOne();
    void Groups_halfDescribed_areOne();
    void Groups_oldKernel_goBySiblings();
    void Groups_moreThreadsThanProcessors_areNone();
    void Groups_ofThisMachine_areUsable();
    void Shares_ofAServer_areWholeCoresSideBySide();
    void Shares_ofFewProcessors_areAllOfThem();
    void Usable_ofAThread_isItsMask();
};

void TestCoreGroups::Groups_asManyAsCores_areTheCachesWithoutSecondThreads()
{
    const Machine machine;
    addServer(machine);
    const Groups expected = times(4, range(0, 4)) + times(4, range(4, 4)) + times(4, range(8, 4))
                            + times(4, range(12, 4));
    QCOMPARE(machine.groups(16, range(0, 32)), expected);
}

void TestCoreGroups::Groups_fewerThanCores_stayInTheFirstCaches()
{
    const Machine machine;
    addServer(machine);
    QCOMPARE(machine.groups(2, range(0, 32)), times(2, range(0, 4)));
    QCOMPARE(machine.groups(5, range(0, 32)), times(4, range(0, 4)) + times(1, range(4, 4)));
}

void TestCoreGroups::Groups_moreThanCores_areTheCachesWithBothThreads()
{
    // 4 towers x 8 threads: each has the 4 cores of a cache, both threads of each.
    const Machine machine;
    addServer(machine);
    Groups expected;
    for (int tower = 0; tower < 4; ++tower) {
        expected = expected + times(8, range(tower * 4, 4) + range(tower * 4 + 16, 4));
    }
    QCOMPARE(machine.groups(32, range(0, 32)), expected);
}

void TestCoreGroups::Groups_someMoreThanCores_putThreadsOfACoreSideBySide()
{
    // Both threads of cores 0 and 1, so that 6 threads belong to the first cache.
    const Machine machine;
    addServer(machine);
    Groups expected = times(6, range(0, 4) + range(16, 4));
    for (const int core : {4, 8, 12}) {
        expected = expected + times(4, range(core, 4) + range(core + 16, 4));
    }
    QCOMPARE(machine.groups(18, range(0, 32)), expected);
}

void TestCoreGroups::Groups_cachesThatAlternate_areBroughtTogether()
{
    const Machine machine;
    addAlternating(machine);
    QCOMPARE(machine.groups(4, range(0, 8)), times(2, {0, 4}) + times(2, {2, 6}));
    QCOMPARE(machine.groups(8, range(0, 8)), times(4, {0, 1, 4, 5}) + times(4, {2, 3, 6, 7}));
}

void TestCoreGroups::Groups_socketsThatAlternate_areBroughtTogether()
{
    // Even processors on one socket and memory node, odd ones on the other; no cache is shared.
    const Machine machine;
    for (int number = 0; number < 6; ++number) {
        const std::string own = std::to_string(number);
        machine.add({number, number % 2, number % 2, own, own});
    }
    QCOMPARE(machine.groups(6, range(0, 6)), (Groups{{0}, {2}, {4}, {1}, {3}, {5}}));
    QCOMPARE(machine.groups(2, range(0, 6)), (Groups{{0}, {2}}));
}

void TestCoreGroups::Groups_cachesOfTwoMemoryNodes_areTwo()
{
    const Machine machine;
    for (int number = 0; number < 4; ++number) {
        machine.add({number, number / 2, 0, "0-3", std::to_string(number)});
    }
    QCOMPARE(machine.groups(4, range(0, 4)), times(2, {0, 1}) + times(2, {2, 3}));
}

void TestCoreGroups::Groups_processorsLeftOut_areNeverUsed()
{
    // Both threads of core 9, and one each of cores 2 and 14.
    const Machine machine;
    addServer(machine);
    QCOMPARE(machine.groups(3, {2, 9, 25, 14}), (Groups{{2}, {9}, {14}}));
    QCOMPARE(machine.groups(4, {2, 9, 25, 14}), (Groups{{2}, {9, 25}, {9, 25}, {14}}));
}

void TestCoreGroups::Groups_firstThreadLeftOut_theSecondStandsForTheCore()
{
    const Machine machine;
    addServer(machine);
    // Cores 0 (second thread only), 1 (both), 8 (second only).
    QCOMPARE(machine.groups(3, {16, 1, 17, 24}), (Groups{{1, 16}, {1, 16}, {24}}));
}

void TestCoreGroups::Groups_offlineProcessors_needNoDescription()
{
    // The kernel takes away the description of processors that are switched off: here 1 and 2.
    const Machine machine;
    for (const int number : {0, 3, 4, 5}) {
        machine.add({number, 0, 0, number < 4 ? "0,3" : "4-5", std::to_string(number)});
    }
    QCOMPARE(machine.groups(4, {0, 3, 4, 5}), times(2, {0, 3}) + times(2, {4, 5}));
    QCOMPARE(machine.groups(2, {5, 3}), (Groups{{3}, {5}}));
}

void TestCoreGroups::Groups_withoutDescription_areOne()
{
    const test::TemporaryFolder empty;
    QCOMPARE(coreGroups(3, {7, 1, 4, 2}, empty.path()), times(3, {1, 2, 4, 7}));
    QCOMPARE(coreGroups(2, {1, 0}, empty / "absent"), times(2, {0, 1}));
}

void TestCoreGroups::Groups_halfDescribed_areOne()
{
    const Machine machine;
    machine.add({0, 1, 1, "0", "0"});
    machine.add({2, 0, 0, "2", "2"});
    QCOMPARE(machine.groups(2, {0, 2}), (Groups{{2}, {0}}));
    QCOMPARE(machine.groups(3, {0, 1, 2}), times(3, {0, 1, 2}));
}

void TestCoreGroups::Groups_oldKernel_goBySiblings()
{
    const Machine machine;
    for (int number = 0; number < 4; ++number) {
        machine.add({number, 0, 0, "", ""});
        std::ofstream(machine.folder() / fmt::format("cpu{}/topology/thread_siblings_list", number))
            << (number < 2 ? "0-1\n" : "2-3\n");
    }
    QCOMPARE(machine.groups(2, range(0, 4)), times(2, {0, 2}));
}

void TestCoreGroups::Groups_moreThreadsThanProcessors_areNone()
{
    const Machine machine;
    addServer(machine);
    QVERIFY(machine.groups(3, {0, 1}).empty());
    QVERIFY(machine.groups(1, {}).empty());
}

void TestCoreGroups::Shares_ofAServer_areWholeCoresSideBySide()
{
    const Machine machine;
    addServer(machine);
    // Both threads of each core.
    const auto cores = [](int first, int count) {
        Processors numbers = range(first, count) + range(first + 16, count);
        std::ranges::sort(numbers);
        return numbers;
    };
    for (const int count : {1, 2, 4, 16}) {
        for (int index = 0; index < count; ++index) {
            Processors share = machine.share(range(0, 32), index, count);
            std::ranges::sort(share);
            QCOMPARE(share, cores(16 * index / count, 16 / count));
        }
    }
    // None is left out, none has two owners.
    Processors all;
    for (int index = 0; index < 5; ++index) {
        all = all + machine.share(range(0, 32), index, 5);
    }
    std::ranges::sort(all);
    QCOMPARE(all, range(0, 32));
}

void TestCoreGroups::Shares_ofFewProcessors_areAllOfThem()
{
    const Machine machine; // tells nothing
    QCOMPARE(machine.share(range(3, 2), 2, 3), range(3, 2));
    QCOMPARE(machine.share(range(3, 2), 1, 2), range(4, 1));
}

void TestCoreGroups::Groups_ofThisMachine_areUsable()
{
    const Processors usable = usableProcessors();
    const Groups groups = coreGroups(static_cast<int>(usable.size()), usable);
    QCOMPARE(groups.size(), usable.size());
    for (const Processors& group : groups) {
        QVERIFY(!group.empty());
        QVERIFY(std::ranges::includes(usable, group));
    }
}

void TestCoreGroups::Usable_ofAThread_isItsMask()
{
    const Processors before = usableProcessors();
    QVERIFY(!before.empty());
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    cpu_set_t last;
    CPU_ZERO(&last);
    CPU_SET(before.back(), &last);
    if (sched_setaffinity(0, sizeof last, &last) != 0) {
        QSKIP("this system does not let a program bind its threads to processors");
    }
    const Processors now = usableProcessors();
    sched_setaffinity(0, sizeof all, &all);
    QCOMPARE(now, Processors{before.back()});
}

} // namespace lockstep

LOCKSTEP_TEST(lockstep::TestCoreGroups)
#include "test_core_groups.moc"
