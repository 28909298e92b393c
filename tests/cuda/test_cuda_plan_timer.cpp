// SPDX-License-Identifier: Apache-2.0
// How algorithms are compared when a plan is made.
#include "base/error.h"
#include "cuda/emulated_runtime.h"
#include "device/cuda/plans/plan_choice.h"
#include "device/cuda/runtime/cuda_check.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <thread>
#include <utility>

using namespace lockstep;
using cuda::DataType;
using cuda::PlanTimer;
using cuda::TrialMemory;

namespace {

/// Work that takes so long on the device.
PlanTimer::Work sleeping(int milliseconds)
{
    return [milliseconds](cudaStream_t stream) {
        cuda::checkCuda(
            emulation::enqueueHostTask(
                stream,
                [milliseconds] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
                }),
            "sleeping");
    };
}

PlanTimer::Work refusing(const std::string& reason)
{
    return [reason](cudaStream_t /*stream*/) { fail(ErrorCode::Device, "{}", reason); };
}

/// A choice among ways that each fill a small result with a value.
struct Choice
{
    explicit Choice(std::vector<cuda::PlanCandidate> ways)
        : candidates(std::move(ways)), writes(candidates.size(), 1.0F)
    {
    }

    std::size_t number()
    {
        constexpr std::int64_t kValues = 100;
        TrialMemory result = cuda::trialValues(kValues, DataType::Float32, "a test");
        cuda::PlanTask task{"a test", {}, reference, &result};
        auto written = writes.begin();
        for (const cuda::PlanCandidate& candidate : candidates) {
            const auto fill = [data = result.data(), value = *written++] {
                std::fill_n(reinterpret_cast<float*>(data), kValues, value);
            };
            task.candidates.push_back(
                {candidate.name, [work = candidate.work, fill](cudaStream_t stream) {
                     work(stream);
                     cuda::checkCuda(emulation::enqueueHostTask(stream, fill), "writing");
                 }});
        }
        cuda::CudaContext context;
        return choosePlan(context, task, planning).number;
    }

    std::vector<cuda::PlanCandidate> candidates;
    std::vector<float> writes;
    std::size_t reference = 0;
    Planning planning;
};

template<class Body>
Error errorOf(Body body)
{
    try {
        body();
    } catch (const Error& error) {
        return error;
    }
    return {ErrorCode::Internal, "no error"};
}

} // namespace

class TestCudaPlanTimer : public QObject
{
    Q_OBJECT
private slots:
    static void init() { emulation::reset({.memoryPerDevice = std::size_t{64} << 20U}); }
    static void cleanup()
    {
        QCOMPARE(emulation::counters().allocations, 0);
        QCOMPARE(emulation::counters().streams, 0);
        QCOMPARE(emulation::counters().events, 0);
        QCOMPARE(emulation::counters().graphs, 0);
    }

    static void choosePlan_severalWays_takesTheFastest()
    {
        QCOMPARE(
            Choice({{"a", sleeping(4)}, {"b", sleeping(1)}, {"c", sleeping(3)}}).number(),
            std::size_t{1});
    }

    static void choosePlan_hardlySlower_isTakenIfItIsSuggestedEarlier()
    {
        QCOMPARE(
            Choice({{"a", sleeping(100)}, {"b", sleeping(100)}, {"c", sleeping(100)}}).number(),
            std::size_t{0});
    }

    static void choosePlan_someWaysFail_leavesThemOut()
    {
        QCOMPARE(Choice({{"a", refusing("no")}, {"b", sleeping(1)}}).number(), std::size_t{1});
    }

    static void choosePlan_allWaysFail_saysWhy()
    {
        const Error error = errorOf([] {
            static_cast<void>(Choice({{"a", refusing("one")}, {"b", refusing("two")}}).number());
        });
        QCOMPARE(error.code(), ErrorCode::Device);
        QCOMPARE(error.what(), "no algorithm works for a test; a: one; b: two");
    }

    static void choosePlan_workThatCantBeCaptured_isLeftOut()
    {
        const auto work = [](cudaStream_t stream) {
            sleeping(0)(stream);
            cuda::checkCuda(cudaStreamSynchronize(stream), "waiting inside");
        };
        QCOMPARE(Choice({{"a", work}, {"b", sleeping(0)}}).number(), std::size_t{1});
    }

    static void choosePlan_muchTooSlow_runsNoMoreThanItMust()
    {
        int calls = 0;
        const auto work = [&](cudaStream_t stream) {
            ++calls;
            sleeping(80)(stream);
        };
        QCOMPARE(Choice({{"a", sleeping(20)}, {"b", work}}).number(), std::size_t{0});
        QVERIFY2(calls <= 4, qPrintable(QString::number(calls))); // two, and those that warm up
    }

    static void choosePlan_wrongResult_isLeftOutAndNamed_data()
    {
        QTest::addColumn<float>("value");
        QTest::newRow("wrong") << 3.0F;
        QTest::newRow("not written") << std::numeric_limits<float>::quiet_NaN();
    }
    static void choosePlan_wrongResult_isLeftOutAndNamed()
    {
        QFETCH(float, value);
        // The plain one is right, wherever it stands.
        Choice choice({{"right", sleeping(20)}, {"wrong", sleeping(0)}, {"plain", sleeping(30)}});
        choice.writes = {1.0F, value, 1.0001F};
        choice.reference = 2;
        QCOMPARE(choice.number(), std::size_t{0});
        QCOMPARE(choice.planning.choices.notes.size(), std::size_t{1});
        const std::string note = choice.planning.choices.notes.front();
        QVERIFY2(note.starts_with("wrong was left out for a test: its result is "), note.c_str());
    }

    static void choosePlan_asked_stopsBeforeTheNextWay()
    {
        Choice choice({{"a", sleeping(0)}, {"b", sleeping(0)}, {"c", sleeping(0)}});
        int asked = 0;
        choice.planning.mayGoOn = [&] { return ++asked < 3; };
        const Error error = errorOf([&] { static_cast<void>(choice.number()); });
        QCOMPARE(error.code(), ErrorCode::Cancelled);
        QCOMPARE(error.what(), "stopped while an algorithm was chosen for a test");
        QCOMPARE(asked, 3);
    }

    static void choosePlan_nothingCanBeCaptured_takesTheFastestAsItIs()
    {
        const auto uncaptured = [](int milliseconds) {
            return [work = sleeping(milliseconds)](cudaStream_t stream) {
                emulation::failNext("cudaGraphInstantiate", cudaErrorNotSupported);
                work(stream);
            };
        };
        Choice choice({{"slow", uncaptured(80)}, {"fast", uncaptured(60)}});
        QCOMPARE(choice.number(), std::size_t{1});
    }

    /// The last line tells who did it.
    static void choosePlan_logged_namesEachWayBeforeItRuns()
    {
        const test::TemporaryFolder folder;
        const std::string file = (folder / "log").string();
        qputenv("LOCKSTEP_PLAN_LOG", file.c_str());
        std::string lastLine;
        const auto crashing = [&](cudaStream_t) {
            std::ifstream log(file);
            while (std::getline(log, lastLine) && log.peek() != EOF) {
            }
            emulation::failNext("cudaDeviceSynchronize", cudaErrorIllegalAddress);
            fail(ErrorCode::Device, "crashed");
        };
        const Error error = errorOf([&] {
            static_cast<void>(Choice({{"good", sleeping(0)}, {"bad", crashing}}).number());
        });
        qunsetenv("LOCKSTEP_PLAN_LOG");
        QCOMPARE(lastLine, std::string("a test: bad"));
        QCOMPARE(
            error.what(), "bad has left the GPU unusable when it was tried for a test: crashed");
    }

    static void trialMemory_nan_isWrittenAndFound()
    {
        for (const DataType type : {DataType::Float32, DataType::Bfloat16}) {
            TrialMemory memory = cuda::trialValues(100, type, "a test");
            QVERIFY(!memory.isFirstNan(type));
            memory.spoilFirst(type);
            QVERIFY(memory.isFirstNan(type));
            memory.fill(type);
            QVERIFY(!memory.isFirstNan(type));
        }
    }

    static void trialMemory_tooMuch_saysHowMuchWasAsked()
    {
        const Error error =
            errorOf([] { const TrialMemory memory(std::size_t{100} << 20U, "a test"); });
        QCOMPARE(error.code(), ErrorCode::OutOfMemory);
        QVERIFY(QString(error.what()).contains("for a test: asked for 100 MiB"));
    }
};

LOCKSTEP_TEST(TestCudaPlanTimer)
#include "test_cuda_plan_timer.moc"
