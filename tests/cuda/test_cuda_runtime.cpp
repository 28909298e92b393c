// SPDX-License-Identifier: Apache-2.0
// The emulation of the CUDA runtime itself: a missing dependency, a buffer that is overwritten too
// early, a capture that is not whole must show.
#include "base/error.h"
#include "cuda/kernel_test.h"

#include <cmath>
#include <set>
#include <thread>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// An event for the life of a test.
class TestEvent
{
public:
    explicit TestEvent(unsigned flags = cudaEventDisableTiming)
    {
        cuda::checkCuda(cudaEventCreateWithFlags(&m_event, flags), "making an event");
    }
    ~TestEvent() { cudaEventDestroy(m_event); }
    TestEvent(const TestEvent&) = delete;
    TestEvent& operator=(const TestEvent&) = delete;
    [[nodiscard]] cudaEvent_t get() const { return m_event; }

private:
    cudaEvent_t m_event = nullptr;
};

struct PinnedInt
{
    PinnedInt()
    {
        void* address = nullptr;
        cuda::checkCuda(cudaHostAlloc(&address, sizeof(int), cudaHostAllocDefault), "pinning");
        value = static_cast<int*>(address);
    }
    ~PinnedInt() { cudaFreeHost(value); }
    PinnedInt(const PinnedInt&) = delete;
    PinnedInt& operator=(const PinnedInt&) = delete;
    int* value = nullptr;
};

void append(const TestStream& stream, std::string& text, char letter)
{
    QCOMPARE(
        emulation::enqueueHostTask(stream.get(), [&text, letter] { text += letter; }), cudaSuccess);
}

/// Calls body(seed) with a fresh machine of every seed.
template<class Body>
void forSeeds(Body body)
{
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        emulation::reset({.seed = seed, .eagerness = seed % 2 == 0 ? 0.5 : 0.0});
        body();
    }
}

/// Fork and join in a capture: 'a', then 'b' on another stream, then 'c'.
cudaError_t captureForkAndJoin(
    const TestStream& main, const TestStream& side, std::string& text, bool isJoined,
    cudaGraph_t* graph)
{
    const TestEvent forked;
    const TestEvent joined;
    cudaStreamBeginCapture(main.get(), cudaStreamCaptureModeThreadLocal);
    append(main, text, 'a');
    cudaEventRecord(forked.get(), main.get());
    cudaStreamWaitEvent(side.get(), forked.get(), 0);
    append(side, text, 'b');
    if (isJoined) {
        cudaEventRecord(joined.get(), side.get());
        cudaStreamWaitEvent(main.get(), joined.get(), 0);
    }
    append(main, text, 'c');
    return cudaStreamEndCapture(main.get(), graph);
}

} // namespace

class TestCudaRuntime : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void Work_beforeTheHostWaits_hasNotHappened()
    {
        std::string text;
        const TestStream stream;
        append(stream, text, 'a');
        QCOMPARE(text, std::string());
        QCOMPARE(emulation::counters().tasksWaiting, 1);
        stream.synchronize();
        QCOMPARE(text, std::string("a"));
        QCOMPARE(emulation::counters().tasksWaiting, 0);
    }

    void Work_ofOneStream_keepsItsOrder()
    {
        forSeeds([] {
            std::string text;
            const TestStream stream;
            for (const char letter : std::string("abcdef")) {
                append(stream, text, letter);
            }
            stream.synchronize();
            QCOMPARE(text, std::string("abcdef"));
        });
    }

    void Work_ofStreamsWithoutAnEvent_comesInAnyOrder()
    {
        std::set<std::string> orders;
        forSeeds([&] {
            std::string text;
            const TestStream first;
            const TestStream second;
            append(first, text, 'a');
            append(second, text, 'b');
            cudaDeviceSynchronize();
            orders.insert(text);
        });
        QCOMPARE(orders, (std::set<std::string>{"ab", "ba"}));
    }

    void Work_behindAnEvent_comesAfterIt()
    {
        forSeeds([] {
            std::string text;
            const TestStream first;
            const TestStream second;
            const TestEvent event;
            append(first, text, 'a');
            cudaEventRecord(event.get(), first.get());
            append(first, text, 'x');
            cudaStreamWaitEvent(second.get(), event.get(), 0);
            append(second, text, 'b');
            second.synchronize();
            cudaDeviceSynchronize();
            QVERIFY(text.find('a') < text.find('b'));
        });
    }

    void Event_whenWaitedFor_hasWhatCameBefore()
    {
        std::string text;
        const TestStream stream;
        const TestEvent event;
        append(stream, text, 'a');
        cudaEventRecord(event.get(), stream.get());
        append(stream, text, 'b');
        cudaEventSynchronize(event.get());
        QCOMPARE(text, std::string("a"));
        cudaDeviceSynchronize();
    }

    void StagingBuffer_overwrittenTooEarly_isSeen()
    {
        const TestStream stream;
        const PinnedInt staging;
        const DeviceArray<int> array(1);
        *staging.value = 1;
        QCOMPARE(
            cudaMemcpyAsync(
                array.data(), staging.value, sizeof(int), cudaMemcpyHostToDevice, stream.get()),
            cudaSuccess);
        *staging.value = 2;
        stream.synchronize();
        QCOMPARE(array[0], 2);
    }

    void EagerWork_sometimes_runsAtOnce()
    {
        std::set<std::string> seen;
        forSeeds([&] {
            std::string text;
            const TestStream stream;
            append(stream, text, 'a');
            append(stream, text, 'b');
            seen.insert(text);
            stream.synchronize();
        });
        QCOMPARE(seen, (std::set<std::string>{"", "a", "ab"}));
    }

    void Copy_ofUnknownMemory_isRefused()
    {
        const TestStream stream;
        const DeviceArray<int> array(2);
        std::array<int, 3> values{1, 2, 3};
        const auto copyIn = [&](int* dst, const void* src, std::size_t count) {
            return cudaMemcpyAsync(
                dst, src, count * sizeof(int), cudaMemcpyHostToDevice, stream.get());
        };
        const PinnedInt pinned;
        QCOMPARE(copyIn(array.data(), values.data(), 1), cudaErrorInvalidValue);
        QCOMPARE(copyIn(array.data(), pinned.value, 2), cudaErrorInvalidValue);
        QCOMPARE(copyIn(array.data(), array.data() + 1, 1), cudaErrorInvalidValue);
        QCOMPARE(copyIn(pinned.value, pinned.value, 1), cudaErrorInvalidValue);
        QCOMPARE(copyIn(array.data() + 1, pinned.value, 1), cudaSuccess);
        QCOMPARE(
            cudaMemcpy(array.data(), values.data(), 12, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
        QCOMPARE(cudaMemcpy(array.data(), values.data(), 8, cudaMemcpyHostToDevice), cudaSuccess);
    }

    void Memcpy_withoutAWait_doesNotWaitForNonBlockingStreams()
    {
        const TestStream stream;
        const DeviceArray<int> array(1);
        int value = 0;
        array[0] = 1;
        emulation::enqueueHostTask(stream.get(), [&] { array[0] = 2; });
        cudaMemcpy(&value, array.data(), sizeof(int), cudaMemcpyDeviceToHost);
        QCOMPARE(value, 1);
        cudaDeviceSynchronize();
        cudaMemcpy(&value, array.data(), sizeof(int), cudaMemcpyDeviceToHost);
        QCOMPARE(value, 2);
    }

    void DeviceSynchronize_waitsForTheChosenDevice_only()
    {
        std::set<std::string> seen;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            emulation::reset({.devices = 2, .seed = seed});
            std::string text;
            const TestStream first;
            append(first, text, 'a');
            cudaSetDevice(1);
            const TestStream second;
            append(second, text, 'b');
            cudaDeviceSynchronize();
            seen.insert(text);
            cudaSetDevice(0);
            cudaDeviceSynchronize();
        }
        QCOMPARE(seen, (std::set<std::string>{"b", "ab"}));
    }

    void Reset_leavesWhatWasBefore_toBeGivenBack()
    {
        {
            const TestStream stream;
            const TestEvent event;
            const DeviceArray<int> array(10);
            const PinnedInt pinned;
            std::string text;
            append(stream, text, 'a');
            cudaEventRecord(event.get(), stream.get());
            emulation::reset();
            const DeviceArray<int> another(10);
            QVERIFY(another.data() != array.data());
            stream.synchronize();
            QCOMPARE(cudaEventSynchronize(event.get()), cudaSuccess);
            QCOMPARE(text, std::string());
            QCOMPARE(emulation::counters().allocations, 1);
        }
        const emulation::Counters left = emulation::counters();
        QCOMPARE(left.allocations, 0);
        QCOMPARE(left.bytes, 0U);
        QCOMPARE(left.hostAllocations, 0);
        QCOMPARE(left.streams, 0);
        QCOMPARE(left.events, 0);
        QCOMPARE(cudaGetLastError(), cudaSuccess);
    }

    void NewMemory_isNotANumber()
    {
        const DeviceArray<float> array(5);
        QVERIFY(std::ranges::all_of(array.span(), [](float x) { return std::isnan(x); }));
    }

    void Memory_beyondTheDevice_isRefused()
    {
        emulation::reset({.devices = 2, .memoryPerDevice = 1000});
        std::size_t freeBytes = 0;
        std::size_t totalBytes = 0;
        {
            const DeviceArray<std::byte> most(900);
            void* more = nullptr;
            QCOMPARE(cudaMalloc(&more, 101), cudaErrorMemoryAllocation);
            cudaMemGetInfo(&freeBytes, &totalBytes);
            QCOMPARE(freeBytes, 100U);
            cudaSetDevice(1);
            const DeviceArray<std::byte> elsewhere(1000);
            cudaSetDevice(0);
            QCOMPARE(emulation::counters().allocations, 2);
        }
        QCOMPARE(cudaGetLastError(), cudaErrorMemoryAllocation);
        QCOMPARE(cudaGetLastError(), cudaSuccess);
        cudaMemGetInfo(&freeBytes, &totalBytes);
        QCOMPARE(freeBytes, 1000U);
        QCOMPARE(emulation::counters().allocations, 0);
    }

    void Capture_withForkAndJoin_runsOnlyWhenLaunched()
    {
        forSeeds([] {
            std::string text;
            const TestStream main;
            const TestStream side;
            cudaGraph_t graph = nullptr;
            cudaGraphExec_t instance = nullptr;
            QCOMPARE(captureForkAndJoin(main, side, text, true, &graph), cudaSuccess);
            std::size_t nodes = 0;
            cudaGraphGetNodes(graph, nullptr, &nodes);
            QCOMPARE(nodes, 3U);
            cudaGraphInstantiate(&instance, graph, 0);
            cudaGraphDestroy(graph);
            cudaDeviceSynchronize();
            QCOMPARE(text, std::string());
            append(main, text, '<');
            cudaGraphLaunch(instance, main.get());
            cudaGraphLaunch(instance, main.get());
            append(main, text, '>');
            main.synchronize();
            QCOMPARE(text, std::string("<abcabc>"));
            cudaGraphExecDestroy(instance);
            QCOMPARE(emulation::counters().graphs, 0);
        });
    }

    void Capture_withAStreamNotJoined_isAnError()
    {
        std::string text;
        const TestStream main;
        const TestStream side;
        cudaGraph_t graph = nullptr;
        QCOMPARE(
            captureForkAndJoin(main, side, text, false, &graph), cudaErrorStreamCaptureUnjoined);
        QVERIFY(graph == nullptr);
        // The streams can be used again.
        append(side, text, 'z');
        side.synchronize();
        QCOMPARE(text, std::string("z"));
    }

    void Capture_interruptedByAWaitOrAllocation_isLost()
    {
        for (const bool isWait : {true, false}) {
            const TestStream stream;
            void* memory = nullptr;
            cudaGraph_t graph = nullptr;
            cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal);
            QCOMPARE(
                isWait ? cudaStreamSynchronize(stream.get()) : cudaMalloc(&memory, 1),
                cudaErrorStreamCaptureUnsupported);
            QCOMPARE(cudaStreamEndCapture(stream.get(), &graph), cudaErrorStreamCaptureInvalidated);
        }
    }

    void Capture_ofAnotherThread_leavesThisOneFree()
    {
        const TestStream stream;
        std::thread([&] {
            cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal);
        }).join();
        const DeviceArray<int> array(1);
        cudaGraph_t graph = nullptr;
        QCOMPARE(cudaStreamEndCapture(stream.get(), &graph), cudaSuccess);
        cudaGraphDestroy(graph);
    }

    void StreamZero_takesNoWork()
    {
        const DeviceArray<int> array(1);
        QCOMPARE(cudaMemsetAsync(array.data(), 0, 4, nullptr), cudaErrorInvalidResourceHandle);
        QCOMPARE(cudaStreamSynchronize(nullptr), cudaErrorInvalidResourceHandle);
    }

    void Failure_thatIsInjected_comesOnce()
    {
        emulation::failNext("cudaMalloc", cudaErrorMemoryAllocation, 1);
        const DeviceArray<int> works(1);
        void* memory = nullptr;
        QCOMPARE(cudaMalloc(&memory, 4), cudaErrorMemoryAllocation);
        const DeviceArray<int> worksAgain(1);
    }

    void Task_thatThrows_failsAllThatFollows()
    {
        const TestStream stream;
        emulation::enqueueHostTask(stream.get(), [] { throw std::runtime_error("it broke"); });
        QCOMPARE(cudaStreamSynchronize(stream.get()), cudaErrorLaunchFailure);
        QCOMPARE(emulation::lastFault(), std::string("it broke"));
        QCOMPARE(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
        void* memory = nullptr;
        QCOMPARE(cudaMalloc(&memory, 4), cudaErrorLaunchFailure);
    }

    void Driver_thatIsMissing_isSaid()
    {
        emulation::reset({.driverVersion = 0});
        int count = -1;
        QCOMPARE(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver);
        QCOMPARE(count, 0);
        emulation::reset({.devices = 0});
        QCOMPARE(cudaGetDeviceCount(&count), cudaErrorNoDevice);
    }

    void EventTimes_ofDoneWork_areTold()
    {
        const TestStream stream;
        const TestEvent start(cudaEventDefault);
        const TestEvent end(cudaEventDefault);
        const TestEvent without;
        float time = -1.0F;
        cudaEventRecord(start.get(), stream.get());
        cudaEventRecord(end.get(), stream.get());
        cudaEventRecord(without.get(), stream.get());
        QCOMPARE(cudaEventElapsedTime(&time, start.get(), end.get()), cudaErrorNotReady);
        stream.synchronize();
        QCOMPARE(cudaEventElapsedTime(&time, start.get(), end.get()), cudaSuccess);
        QVERIFY(time >= 0.0F);
        QCOMPARE(
            cudaEventElapsedTime(&time, start.get(), without.get()),
            cudaErrorInvalidResourceHandle);
    }

    void JointTask_ofTwoThreads_waitsForBoth()
    {
        forSeeds([] {
            std::string text;
            const TestStream first;
            const TestStream second;
            const auto join = [&](const TestStream& stream, char before, char after) {
                append(stream, text, before);
                emulation::enqueueTogether(7, 2, stream.get(), [&] { text += '+'; });
                append(stream, text, after);
                stream.synchronize();
            };
            std::thread other([&] { join(second, 'b', 'd'); });
            join(first, 'a', 'c');
            other.join();
            QCOMPARE(text.size(), 5U);
            QCOMPARE(text[2], '+');
        });
    }
};

LOCKSTEP_TEST(TestCudaRuntime)
#include "test_cuda_runtime.moc"
