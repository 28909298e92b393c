// SPDX-License-Identifier: Apache-2.0
#include "base/thread_team.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/time_limit.h"

#include "base/core_groups.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

namespace lockstep {
namespace {

// The processors that the calling thread may run on.
std::set<int> processorsOfThisThread()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    std::set<int> processors;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set)) {
            processors.insert(cpu);
        }
    }
    return processors;
}

// While it lives the process gets only `bytes` more of address space.
class SmallAddressSpace
{
public:
    explicit SmallAddressSpace(std::size_t bytes)
    {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        getrlimit(RLIMIT_AS, &m_before);
        const auto used = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const rlimit limit{used + bytes, m_before.rlim_max};
        setrlimit(RLIMIT_AS, &limit);
    }
    ~SmallAddressSpace() { setrlimit(RLIMIT_AS, &m_before); }
    SmallAddressSpace(const SmallAddressSpace&) = delete;
    SmallAddressSpace& operator=(const SmallAddressSpace&) = delete;

private:
    rlimit m_before{};
};

} // namespace

class TestThreadTeam : public QObject
{
    Q_OBJECT

private slots:
    void Team_noThread_isRefused();
    void Team_systemGivesTooFewThreads_isAnErrorThatSaysHowMany();
    void Team_unused_endsAtOnce();
    void Run_everyIndex_isCalledOnceOnAThreadOfItsOwn();
    void Run_again_usesTheSameThreads();
    void Run_afterASleep_wakesAllThreads();
    void Run_slowThread_isWaitedFor();
    void Run_manySmallJobs_seeWhatTheJobBeforeWrote_data();
    void Run_manySmallJobs_seeWhatTheJobBeforeWrote();
    void Run_twoFail_throwsTheLowestIndexAndTheOthersFinish();
    void Run_afterAFailure_worksAgain();
    void Bind_enoughProcessors_keepsThreadsToTheirGroups();
    void Bind_moreThreadsThanProcessors_bindsNone();
    void Bind_caller_keepsItsProcessors();
    void Name_long_keepsTheIndex();
};

void TestThreadTeam::Team_noThread_isRefused()
{
    QVERIFY_THROWS_EXCEPTION(Error, ThreadTeam("none", 0, false));
}

void TestThreadTeam::Team_systemGivesTooFewThreads_isAnErrorThatSaysHowMany()
{
    if (test::kIsSanitized) {
        QSKIP("a sanitizer needs the address space that this test takes away");
    }
    std::optional<Error> error;
    {
        const SmallAddressSpace room(std::size_t{100} << 20U);
        error = test::errorOf([] { const ThreadTeam team("greedy", 10'000, false); });
    }
    QVERIFY(test::tells(error, ErrorCode::OutOfMemory, "of 10000 'greedy' threads"));
}

void TestThreadTeam::Team_unused_endsAtOnce()
{
    for (int i = 0; i < 50; ++i) {
        const ThreadTeam team("unused", 3, false);
        QCOMPARE(team.size(), 3);
    }
}

void TestThreadTeam::Run_everyIndex_isCalledOnceOnAThreadOfItsOwn()
{
    ThreadTeam team("once", 4, false);
    std::array<int, 4> calls{};
    std::array<std::thread::id, 4> threads;
    team.run([&](int index) {
        const auto place = static_cast<std::size_t>(index);
        ++calls.at(place);
        threads.at(place) = std::this_thread::get_id();
    });
    QCOMPARE(calls, (std::array{1, 1, 1, 1}));
    QCOMPARE(std::set(threads.begin(), threads.end()).size(), std::size_t{4});
    QVERIFY(std::set(threads.begin(), threads.end()).count(std::this_thread::get_id()) == 0);
}

void TestThreadTeam::Run_again_usesTheSameThreads()
{
    ThreadTeam team("again", 3, false);
    std::array<std::thread::id, 3> first;
    std::array<std::thread::id, 3> second;
    const auto note = [](auto& ids) {
        return [&ids](int index) {
            ids.at(static_cast<std::size_t>(index)) = std::this_thread::get_id();
        };
    };
    team.run(note(first));
    team.run(note(second));
    QCOMPARE(second, first);
}

void TestThreadTeam::Run_afterASleep_wakesAllThreads()
{
    ThreadTeam team("sleep", 3, false);
    std::atomic<int> calls{0};
    for (int round = 0; round < 3; ++round) {
        // Far longer than a thread looks for a job before it goes to sleep.
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        team.run([&](int) { ++calls; });
    }
    QCOMPARE(calls.load(), 9);
}

void TestThreadTeam::Run_slowThread_isWaitedFor()
{
    ThreadTeam team("slow", 3, false);
    bool isDone = false;
    team.run([&](int index) {
        if (index == 1) {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            isDone = true;
        }
    });
    QVERIFY(isDone);
}

void TestThreadTeam::Run_manySmallJobs_seeWhatTheJobBeforeWrote_data()
{
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("jobs");
    QTest::newRow("one thread") << 1 << 2000;
    QTest::newRow("two threads") << 2 << 1000;
    QTest::newRow("more threads than processors") << 4 * ThreadTeam::processors() << 300;
}

void TestThreadTeam::Run_manySmallJobs_seeWhatTheJobBeforeWrote()
{
    QFETCH(const int, threads);
    QFETCH(const int, jobs);
    ThreadTeam team("small", threads, true);
    // Plain integers: if a job and the next one were not ordered, the thread sanitizer would say
    // so. Each thread adds its neighbour's number of the job before to its own.
    std::vector<std::uint64_t> now(static_cast<std::size_t>(threads), 1);
    std::vector<std::uint64_t> next = now;
    std::vector<std::uint64_t> expected = now;
    for (int i = 0; i < jobs; ++i) {
        team.run([&](int index) {
            const auto place = static_cast<std::size_t>(index);
            next[place] = now[place] + now[(place + 1) % now.size()] + place;
        });
        now.swap(next);
    }
    for (int i = 0; i < jobs; ++i) {
        std::vector<std::uint64_t> after(expected.size());
        for (std::size_t place = 0; place < after.size(); ++place) {
            after[place] = expected[place] + expected[(place + 1) % expected.size()] + place;
        }
        expected = after;
    }
    QCOMPARE(now, expected);
}

void TestThreadTeam::Run_twoFail_throwsTheLowestIndexAndTheOthersFinish()
{
    ThreadTeam team("failing", 4, false);
    std::atomic<int> finished{0};
    const auto job = [&](int index) {
        if (index == 1 || index == 3) {
            // The lowest index fails last.
            std::this_thread::sleep_for(std::chrono::milliseconds(index == 1 ? 30 : 0));
            fail(ErrorCode::Device, "tower {} failed", index);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(40));
        ++finished;
    };
    QCOMPARE(test::failureOf([&] { team.run(job); }), QString("tower 1 failed"));
    QCOMPARE(finished.load(), 2);
}

void TestThreadTeam::Run_afterAFailure_worksAgain()
{
    ThreadTeam team("recovering", 2, false);
    for (int i = 0; i < 100; ++i) {
        const auto culprit = i % 3; // 2: none
        const auto text = test::failureOf([&] {
            team.run([culprit](int index) {
                if (index == culprit) {
                    fail(ErrorCode::Device, "tower {} failed", index);
                }
            });
        });
        QCOMPARE(text, culprit == 2 ? QString() : QString("tower %1 failed").arg(culprit));
    }
}

void TestThreadTeam::Bind_enoughProcessors_keepsThreadsToTheirGroups()
{
    const int processors = ThreadTeam::processors();
    QCOMPARE(static_cast<std::size_t>(processors), processorsOfThisThread().size());
    ThreadTeam team("bound", processors, true);
    if (!team.isBound()) {
        QSKIP(team.unboundBecause().c_str());
    }
    std::vector<std::set<int>> bound(static_cast<std::size_t>(processors));
    team.run([&](int index) { bound[static_cast<std::size_t>(index)] = processorsOfThisThread(); });
    const auto groups = coreGroups(processors, usableProcessors());
    for (std::size_t index = 0; index < bound.size(); ++index) {
        QCOMPARE(bound[index], std::set(groups[index].begin(), groups[index].end()));
    }
}

void TestThreadTeam::Bind_moreThreadsThanProcessors_bindsNone()
{
    ThreadTeam team("crowd", ThreadTeam::processors() + 1, true);
    QVERIFY(!team.isBound());
    const std::string reason =
        fmt::format("{} threads, but {} processors", team.size(), ThreadTeam::processors());
    QVERIFY2(
        team.unboundBecause().find(reason) != std::string::npos, team.unboundBecause().c_str());
    const auto expected = processorsOfThisThread();
    std::atomic<int> free{0};
    team.run([&](int) { free += processorsOfThisThread() == expected ? 1 : 0; });
    QCOMPARE(free.load(), team.size());
}

void TestThreadTeam::Bind_caller_keepsItsProcessors()
{
    const auto before = processorsOfThisThread();
    const ThreadTeam team("guest", 1, true);
    QCOMPARE(processorsOfThisThread(), before);
}

void TestThreadTeam::Name_long_keepsTheIndex()
{
    ThreadTeam team("a-very-long-name-of-a-team", 3, false);
    std::array<std::string, 3> names;
    team.run([&](int index) {
        std::array<char, 16> name{};
        pthread_getname_np(pthread_self(), name.data(), name.size());
        names.at(static_cast<std::size_t>(index)) = name.data();
    });
    QCOMPARE(names[2], std::string("a-very-long-2"));
}

} // namespace lockstep

LOCKSTEP_TEST(lockstep::TestThreadTeam)
#include "test_thread_team.moc"
