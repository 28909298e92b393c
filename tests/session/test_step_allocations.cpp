// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/synthetic.h"
#include "device/registry/device_registry.h"
#include "network/models/catalog.h"
#include "session/training/training_session.h"
#include "support/lockstep_test.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace {

// What is asked of the C++ heap, by all threads of the process, while it is counted. Calls from
// within oneDNN are left out: it keeps the arguments of a primitive in a map of its own each time.
constexpr std::size_t kPlaces = 8;
std::atomic<bool> isCounting{false};
std::atomic<std::size_t> allocations{0};
std::array<std::atomic<const void*>, kPlaces> places{}; ///< of the first ones

bool isOneDnn(const void* place)
{
    Dl_info info{};
    return dladdr(place, &info) != 0 && std::strstr(info.dli_fname, "libdnnl") != nullptr;
}

void count(const void* place)
{
    if (isCounting && !isOneDnn(place)) {
        const std::size_t number = allocations++;
        if (number < kPlaces) {
            places.at(number) = place;
        }
    }
}

void* allocated(void* memory)
{
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

} // namespace

void* operator new(std::size_t bytes)
{
    count(__builtin_return_address(0));
    return allocated(std::malloc(bytes));
}
void* operator new[](std::size_t bytes)
{
    count(__builtin_return_address(0));
    return allocated(std::malloc(bytes));
}
void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    const auto step = static_cast<std::size_t>(alignment);
    count(__builtin_return_address(0));
    return allocated(std::aligned_alloc(step, (bytes + step - 1) / step * step));
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*none*/) noexcept
{
    count(__builtin_return_address(0));
    return std::malloc(bytes);
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept
{
    std::free(memory);
}

using namespace lockstep;

namespace {

constexpr std::int64_t kWarmUp = 5;
constexpr std::int64_t kSteps = 40;

/// Allocations of our code in kSteps calls, after kWarmUp that are not counted.
template<class Step>
std::size_t allocationsOf(Step step)
{
    for (std::int64_t i = 0; i < kWarmUp; ++i) {
        step();
    }
    allocations = 0;
    isCounting = true;
    for (std::int64_t i = 0; i < kSteps; ++i) {
        step();
    }
    isCounting = false;
    return allocations;
}

/// Who allocated, for whoever has to find it: with addr2line, from the place in the file.
void warnOfPlaces()
{
    for (std::size_t i = 0; i < std::min(kPlaces, allocations.load()); ++i) {
        Dl_info info{};
        dladdr(places.at(i), &info);
        const auto* const place = static_cast<const char*>(places.at(i).load());
        qWarning(
            "allocated by %s at %s+0x%tx", info.dli_sname == nullptr ? "?" : info.dli_sname,
            info.dli_fname, place - static_cast<const char*>(info.dli_fbase));
    }
}

RunConfig configOf(int towers, int threads)
{
    RunConfig config;
    config.model.name = "cifar10";
    config.towers = towers;
    config.threadsPerTower = {threads};
    config.batchPerTower = 4;
    config.gradientsEverySteps = 0;
    return config;
}

} // namespace

/// "Nothing in a step allocates": the steps, and the loaders that make their batches, on all
/// threads.
class TestStepAllocations : public QObject
{
    Q_OBJECT

private slots:
    void Counter_seesWhatIsAllocated();
    void Stepper_afterTheFirstSteps_allocatesNothing();
    void Session_afterTheFirstSteps_allocatesNothing_data();
    void Session_afterTheFirstSteps_allocatesNothing();
};

void TestStepAllocations::Counter_seesWhatIsAllocated()
{
    std::vector<int> values;
    const std::size_t counted = allocationsOf([&] { values = std::vector<int>(7); });
    QCOMPARE(counted, static_cast<std::size_t>(kSteps));
}

void TestStepAllocations::Stepper_afterTheFirstSteps_allocatesNothing()
{
    const DeviceChoice devices = openDevices("cpu", 2);
    const NetworkSpec network = cifar10Network();
    const auto dataset = openSynthetic(Split::Train, 1, 64);
    StepperSettings settings;
    settings.devices = {devices.devices.front().get()};
    settings.network = &network;
    settings.dataset = dataset.get();
    settings.shape = {2, 2, 4};
    settings.input.globalBatch = settings.shape.globalBatch();
    settings.input.distortion.cropHeight = network.inputShape().height;
    settings.input.distortion.cropWidth = network.inputShape().width;
    settings.schedule = [](std::int64_t /*step*/) { return UpdateSettings{0.01, 0.9}; };
    const auto stepper = makeStepper(settings);
    stepper->arena().initialize(network, 3);
    stepper->parametersChanged();
    stepper->start(0, 0);
    const std::size_t counted = allocationsOf([&] { QVERIFY(!stepper->next(0).fault); });
    warnOfPlaces();
    QCOMPARE(counted, std::size_t{0});
}

void TestStepAllocations::Session_afterTheFirstSteps_allocatesNothing_data()
{
    QTest::addColumn<int>("towers");
    QTest::addColumn<int>("threads");
    QTest::newRow("one tower") << 1 << 1;
    QTest::newRow("towers") << 3 << 1;
    QTest::newRow("lanes") << 2 << 2;
}

void TestStepAllocations::Session_afterTheFirstSteps_allocatesNothing()
{
    QFETCH(const int, towers);
    QFETCH(const int, threads);
    const auto dataset = openSynthetic(Split::Train, 1, 64);
    TrainingSession session(configOf(towers, threads), *dataset);
    const std::size_t counted = allocationsOf([&] { session.step(); });
    warnOfPlaces();
    QCOMPARE(counted, std::size_t{0});
}

LOCKSTEP_TEST(TestStepAllocations)
#include "test_step_allocations.moc"
