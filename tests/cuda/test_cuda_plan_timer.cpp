// SPDX-License-Identifier: Apache-2.0
// How algorithms are compared when a plan is made.
#include "base/error.h"
#include "cuda/emulated_runtime.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/plan_timer.h"

#include <QtTest>

#include <chrono>
#include <limits>
#include <thread>

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

    static void fastestOf_severalWays_takesTheFastest()
    {
        const PlanTimer timer;
        QCOMPARE(
            fastestOf(
                timer, {{"a", sleeping(4)}, {"b", sleeping(1)}, {"c", sleeping(3)}}, "a test"),
            std::size_t{1});
    }

    static void fastestOf_someWaysFail_leavesThemOut()
    {
        const PlanTimer timer;
        QCOMPARE(
            fastestOf(timer, {{"a", refusing("no")}, {"b", sleeping(1)}}, "a test"),
            std::size_t{1});
    }

    static void fastestOf_allWaysFail_saysWhy()
    {
        const PlanTimer timer;
        const Error error = errorOf([&] {
            static_cast<void>(
                fastestOf(timer, {{"a", refusing("one")}, {"b", refusing("two")}}, "a test"));
        });
        QCOMPARE(error.code(), ErrorCode::Device);
        QCOMPARE(error.what(), "no algorithm works for a test; a: one; b: two");
    }

    static void milliseconds_workThatCantBeCaptured_fails()
    {
        const PlanTimer timer;
        const auto work = [](cudaStream_t stream) {
            sleeping(0)(stream);
            cuda::checkCuda(cudaStreamSynchronize(stream), "waiting inside");
        };
        const Error error = errorOf([&] {
            static_cast<void>(timer.milliseconds(work, std::numeric_limits<double>::infinity()));
        });
        QCOMPARE(error.code(), ErrorCode::Device);
        QVERIFY(QString(error.what()).contains("waiting inside"));
    }

    static void milliseconds_muchTooSlow_isMeasuredOnceOnly()
    {
        const PlanTimer timer;
        int calls = 0;
        const auto work = [&](cudaStream_t stream) {
            ++calls;
            sleeping(5)(stream);
        };
        QVERIFY(timer.milliseconds(work, 0.1) >= 5.0);
        QCOMPARE(calls, 2); // the first one loads the code
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

QTEST_GUILESS_MAIN(TestCudaPlanTimer)
#include "test_cuda_plan_timer.moc"
