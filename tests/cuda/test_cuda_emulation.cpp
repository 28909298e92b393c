// SPDX-License-Identifier: Apache-2.0
// The emulation of kernels itself: would it notice what a device would not forgive?
#include "base/error.h"
#include "cuda/kernel_test.h"
#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/vector_access.h"

#include <algorithm>
#include <numeric>

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

__global__ void numberKernel(std::int64_t* numbers)
{
    numbers[globalThread()] = globalThread();
}

__global__ void placeKernel(unsigned* places)
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    places[block * blockDim.x * blockDim.y * blockDim.z + thread] = 1000 * block + thread;
}

/// Turns a block's values around, through shared memory.
__global__ void reverseKernel(int* values, bool withBarrier)
{
    __shared__ int copy[kMostThreads];
    copy[threadIdx.x] = values[globalThread()];
    if (withBarrier) {
        __syncthreads();
    }
    values[globalThread()] = copy[blockDim.x - 1 - threadIdx.x];
}

/// Every thread reads its neighbour's value and then overwrites its own: needs two barriers.
__global__ void shiftKernel(int* values, bool withSecondBarrier)
{
    __shared__ int row[kMostThreads];
    row[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
        const int next = row[(threadIdx.x + 1) % blockDim.x];
        if (withSecondBarrier) {
            __syncthreads();
        }
        row[threadIdx.x] = next;
        __syncthreads();
    }
    values[threadIdx.x] = row[threadIdx.x];
}

__global__ void sumsKernel(const double* values, double* sums)
{
    const double sum = blockSum(values[threadIdx.x]);
    const double twice = blockSum(2.0 * values[threadIdx.x]);
    sums[threadIdx.x] = sum + twice;
}

__global__ void shuffleKernel(int* xors, int* downs, int* ups)
{
    const auto own = static_cast<int>(threadIdx.x);
    xors[own] = shuffleXor(own, 5);
    downs[own] = shuffleDown(own, 3);
    ups[own] = shuffleUp(own, 3);
}

__global__ void lostBarrierKernel(int* value)
{
    if (threadIdx.x != 7) {
        __syncthreads();
    }
    *value = 1;
}

__global__ void lostShuffleKernel(int* value)
{
    if (threadIdx.x != 7) {
        *value = shuffleXor(*value, 1);
    }
}

__global__ void unalignedKernel(const float* values, float* sum)
{
    float loaded[4];
    loadFloats(values, loaded);
    *sum = loaded[0] + loaded[3];
}

/// Every block leaves its number, and reads its neighbour's after the barrier.
__global__ void neighbourKernel(int* numbers, int* neighbours)
{
    numbers[blockIdx.x] = static_cast<int>(blockIdx.x);
    gridBarrier();
    if (threadIdx.x == 0) {
        neighbours[blockIdx.x] = numbers[(blockIdx.x + 1) % gridDim.x];
    }
}

__global__ void lostGridBarrierKernel(int* value)
{
    if (blockIdx.x != 1) {
        gridBarrier();
    }
    *value = 1;
}

__global__ void waitingKernel(int* value, bool waits)
{
    if (waits || threadIdx.x != 7) {
        waitForKernelBefore();
    }
    *value = 1;
}

constexpr std::int64_t kMany = 1 << 20;

} // namespace

class TestCudaEmulation : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void Grid_ofManyBlocks_runsEveryThreadOnce()
    {
        constexpr std::size_t kThreads = std::size_t{5} * kBlockThreads;
        const TestStream stream;
        const DeviceArray<std::int64_t> numbers(kThreads);
        launch(numberKernel, shapeFor(kThreads), stream.get(), numbers.data());
        stream.synchronize();
        std::vector<std::int64_t> expected(kThreads);
        std::iota(expected.begin(), expected.end(), 0);
        QVERIFY(numbers.values() == expected);
    }

    void Grid_ofThreeDimensions_countsAsCudaDoes()
    {
        const TestStream stream;
        const DeviceArray<unsigned> places(std::size_t{2} * 3 * 4 * 5 * 2 * 3);
        launch(placeKernel, {dim3(2, 3, 4), dim3(5, 2, 3)}, stream.get(), places.data());
        stream.synchronize();
        for (unsigned i = 0; i < places.span().size(); ++i) {
            QCOMPARE(places[i], i / 30 * 1000 + i % 30);
        }
    }

    void Barrier_inABlock_separatesWriteAndRead()
    {
        // In this order: shared memory keeps what a block left there.
        QVERIFY(!isReversed(false));
        QVERIFY(isReversed(true));
    }

    void Barrier_beforeTheNextWrite_isNeeded()
    {
        QVERIFY(isShifted(true));
        QVERIFY(!isShifted(false));
    }

    void BlockSum_twiceInARow_isTheSumInAllThreads()
    {
        const TestStream stream;
        std::vector<double> values(1024);
        std::iota(values.begin(), values.end(), 1.0);
        const DeviceArray<double> given(values);
        const DeviceArray<double> sums(values.size());
        launch(sumsKernel, {dim3(1), dim3(1024)}, stream.get(), given.data(), sums.data());
        stream.synchronize();
        QVERIFY(std::ranges::all_of(
            sums.span(), [](double sum) { return sum == 3.0 * 1024.0 * 1025.0 / 2.0; }));
    }

    void Shuffles_inSeveralWarps_giveTheRightLane()
    {
        const TestStream stream;
        const DeviceArray<int> xors(64);
        const DeviceArray<int> downs(64);
        const DeviceArray<int> ups(64);
        launch(
            shuffleKernel, {dim3(1), dim3(64)}, stream.get(), xors.data(), downs.data(),
            ups.data());
        stream.synchronize();
        for (int i = 0; i < 64; ++i) {
            const auto place = static_cast<std::size_t>(i);
            QCOMPARE(xors[place], i ^ 5);
            QCOMPARE(downs[place], i % 32 < 29 ? i + 3 : i);
            QCOMPARE(ups[place], i % 32 >= 3 ? i - 3 : i);
        }
    }

    void Barrier_thatAThreadMisses_isAnError()
    {
        QVERIFY(failureOf(lostBarrierKernel).contains("launch"));
        QVERIFY(QString::fromStdString(emulation::lastFault()).contains("never reach"));
    }

    void Shuffle_thatALaneMisses_isAnError()
    {
        QVERIFY(!failureOf(lostShuffleKernel).isEmpty());
        QVERIFY(QString::fromStdString(emulation::lastFault()).contains("never reach"));
        // The next test's kernels find fresh stacks.
        emulation::reset();
        QVERIFY(isReversed(true));
    }

    void GridBarrier_separatesWriteAndRead()
    {
        const TestStream stream;
        const DeviceArray<int> numbers(4);
        const DeviceArray<int> neighbours(4);
        const LaunchShape shape = cooperativeShape(neighbourKernel, 64, 100);
        QCOMPARE(shape.grid.x, 4U);
        QCOMPARE(cooperativeShape(neighbourKernel, 64, 3).grid.x, 3U);
        for (int i = 0; i < 4; ++i) { // whatever block begins
            launch(neighbourKernel, shape, stream.get(), numbers.data(), neighbours.data());
            stream.synchronize();
            QVERIFY(neighbours.values() == std::vector<int>({1, 2, 3, 0}));
            std::ranges::fill(numbers.span(), -1);
        }
    }

    void GridBarrier_withoutItsLaunch_orThatABlockMisses_isAnError()
    {
        QVERIFY(!failureOf(lostGridBarrierKernel, {dim3(3), dim3(32)}).isEmpty());
        QVERIFY(QString::fromStdString(emulation::lastFault()).contains("not launched for it"));
        emulation::reset();
        QVERIFY(!failureOf(lostGridBarrierKernel, {dim3(3), dim3(32), true}).isEmpty());
        QVERIFY(QString::fromStdString(emulation::lastFault()).contains("never reach"));
        emulation::reset();
        const TestStream stream;
        QVERIFY_THROWS_EXCEPTION(
            Error, launch(
                       neighbourKernel, {dim3(5), dim3(32), true}, stream.get(),
                       static_cast<int*>(nullptr), static_cast<int*>(nullptr)));
        QVERIFY(QString::fromStdString(emulation::lastFault()).contains("run at once"));
    }

    void Kernel_ofADependentStream_hasToWait()
    {
        const DeviceArray<int> value(1);
        for (const bool isDependent : {false, true}) {
            for (const bool waits : {true, false}) {
                emulation::reset();
                const TestStream stream;
                setDependent(stream.get(), isDependent);
                launch(waitingKernel, {dim3(2), dim3(32)}, stream.get(), value.data(), waits);
                QCOMPARE(emulation::counters().dependentLaunches, isDependent ? 1 : 0);
                const bool isFine = cudaStreamSynchronize(stream.get()) == cudaSuccess;
                QCOMPARE(isFine, waits || !isDependent);
                setDependent(stream.get(), false);
            }
        }
        QVERIFY(QString::fromStdString(emulation::lastFault()).contains("has not waited"));
    }

    void Kernel_compiledForAnOlderDevice_isNotDependent()
    {
        emulation::reset({.codeVersion = 80});
        const TestStream stream;
        const DeviceArray<int> value(1);
        setDependent(stream.get(), true);
        launch(waitingKernel, {dim3(1), dim3(32)}, stream.get(), value.data(), true);
        QCOMPARE(emulation::counters().dependentLaunches, 0);
        stream.synchronize();
        setDependent(stream.get(), false);
    }

    void Vector_atAnUnalignedAddress_isAnError()
    {
        const TestStream stream;
        const DeviceArray<float> values(8);
        const DeviceArray<float> sum(1);
        launch(unalignedKernel, {dim3(1), dim3(1)}, stream.get(), values.data() + 1, sum.data());
        QVERIFY_THROWS_EXCEPTION(Error, stream.synchronize());
        QVERIFY(QString::fromStdString(emulation::lastFault()).contains("16 bytes"));
    }

    void Launch_ofAnImpossibleGrid_isRefused()
    {
        const TestStream stream;
        const DeviceArray<std::int64_t> numbers(1);
        for (const LaunchShape& shape :
             {LaunchShape{dim3(0), dim3(1)}, LaunchShape{dim3(1), dim3(1025)},
              LaunchShape{dim3(1, 65536), dim3(1)}}) {
            QVERIFY_THROWS_EXCEPTION(
                Error, launch(numberKernel, shape, stream.get(), numbers.data()));
        }
    }

    void Kernel_writingBeyondItsArray_isNoticed()
    {
        const TestStream stream;
        void* memory = nullptr;
        checkCuda(cudaMalloc(&memory, 9 * sizeof(std::int64_t)), "allocating");
        launch(numberKernel, {dim3(1), dim3(10)}, stream.get(), static_cast<std::int64_t*>(memory));
        QCOMPARE(cudaFree(memory), cudaErrorIllegalAddress);
    }

    void Kernel_withoutBarriers_takesLittleTime()
    {
        const TestStream stream;
        const DeviceArray<std::int64_t> numbers(kMany);
        QBENCHMARK_ONCE
        {
            launch(numberKernel, shapeFor(kMany), stream.get(), numbers.data());
            stream.synchronize();
        }
    }

    void Kernel_withBarriers_takesModerateTime()
    {
        const TestStream stream;
        const DeviceArray<double> values(1024);
        const DeviceArray<double> sums(1024);
        QBENCHMARK_ONCE
        {
            launch(sumsKernel, {dim3(8), dim3(1024)}, stream.get(), values.data(), sums.data());
            stream.synchronize();
        }
    }

private:
    static bool isReversed(bool withBarrier)
    {
        const TestStream stream;
        std::vector<int> values(256);
        std::iota(values.begin(), values.end(), 0);
        const DeviceArray<int> given(values);
        launch(reverseKernel, {dim3(1), dim3(256)}, stream.get(), given.data(), withBarrier);
        stream.synchronize();
        std::ranges::reverse(values);
        return given.values() == values;
    }

    static bool isShifted(bool withSecondBarrier)
    {
        const TestStream stream;
        std::vector<int> values(256);
        std::iota(values.begin(), values.end(), 0);
        const DeviceArray<int> given(values);
        launch(shiftKernel, {dim3(1), dim3(256)}, stream.get(), given.data(), withSecondBarrier);
        stream.synchronize();
        std::rotate(values.begin(), values.begin() + 8, values.end());
        return given.values() == values;
    }

    /// What the host is told when it waits.
    static QString failureOf(void (*kernel)(int*), const LaunchShape& shape = {dim3(1), dim3(64)})
    {
        static int value = 0;
        const TestStream stream;
        launch(kernel, shape, stream.get(), &value);
        try {
            stream.synchronize();
        } catch (const Error& error) {
            return QString::fromUtf8(error.what()).toLower();
        }
        return {};
    }
};

LOCKSTEP_TEST(TestCudaEmulation)
#include "test_cuda_emulation.moc"
