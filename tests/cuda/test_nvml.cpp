// SPDX-License-Identifier: Apache-2.0
#include "cuda/fake_nvml.h"
#include "device/cuda/runtime/nvml.h"
#include "support/lockstep_test.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

using namespace lockstep;
using cuda::Nvml;
using test::FakeNvml;

// The one function of the CUDA runtime that is needed besides: device 0 is the fake GPU.
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device)
{
    if (device != 0) {
        return cudaErrorInvalidDevice;
    }
    std::strncpy(text, test::kFakeBusId, static_cast<std::size_t>(length));
    return cudaSuccess;
}
cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}

namespace {

/// What is inside a library that was opened, as it was at first.
FakeNvml& fakeIn(const char* library)
{
    void* handle = dlopen(library, RTLD_NOW);
    const auto entry = handle == nullptr
                           ? nullptr
                           : reinterpret_cast<FakeNvml* (*)()>(dlsym(handle, test::kFakeNvmlEntry));
    if (entry == nullptr) {
        qFatal("%s can't be opened: %s", library, dlerror());
    }
    *entry() = FakeNvml{};
    return *entry();
}

bool isUnknown(const DeviceReading& reading)
{
    return reading.memoryUsedBytes == -1 && reading.memoryTotalBytes == -1 && reading.load == -1.0
           && reading.temperature == -1.0 && reading.powerWatts == -1.0
           && reading.throttleReason.empty();
}

} // namespace

class TestNvml : public QObject
{
    Q_OBJECT

private slots:
    void read_libraryIsThere_givesEveryValueInOurUnits();
    void read_again_startsAndLooksUpOnce();
    void read_otherGpu_isUnknown();
    void read_valueNotSupported_leavesOnlyThatUnknown();
    void read_oldLibrary_leavesUnknownWhatItLacks();
    void read_libraryMissing_isUnknown();
    void read_libraryWithoutFunctions_isUnknown();
    void read_libraryDoesNotStart_isUnknown();
    void read_manyThreads_lookUpOnce();
    void readNvml_noSuchLibraryOrDevice_isUnknown();
    void programs_ofAGpu_areNamedAndOrdered();
    void programs_manyOfThem_areAllThere();
    void programs_otherGpuOrNoLibrary_areNone();
    void throttleText_bits_areWords_data();
    void throttleText_bits_areWords();
};

void TestNvml::read_libraryIsThere_givesEveryValueInOurUnits()
{
    fakeIn(LOCKSTEP_FAKE_NVML).reasons = 0x4;
    const DeviceReading reading = Nvml(LOCKSTEP_FAKE_NVML).read(test::kFakeBusId);
    QCOMPARE(reading.memoryUsedBytes, std::int64_t{2'000'000'000});
    QCOMPARE(reading.memoryTotalBytes, std::int64_t{150'000'000'000});
    QCOMPARE(reading.load, 0.87);
    QCOMPARE(reading.temperature, 64.0);
    QCOMPARE(reading.powerWatts, 412.5);
    QCOMPARE(reading.throttleReason, std::string("power limit"));
}

void TestNvml::read_again_startsAndLooksUpOnce()
{
    FakeNvml& fake = fakeIn(LOCKSTEP_FAKE_NVML);
    const Nvml nvml(LOCKSTEP_FAKE_NVML);
    for (int i = 0; i < 3; ++i) {
        fake.reasons = i == 0 ? 0x20 : 0x1;
        QCOMPARE(nvml.read(test::kFakeBusId).throttleReason, std::string(i == 0 ? "too hot" : ""));
    }
    QCOMPARE(fake.starts, 1);
    QCOMPARE(fake.handles, 1);
}

void TestNvml::read_otherGpu_isUnknown()
{
    fakeIn(LOCKSTEP_FAKE_NVML).reasons = 0x4;
    QVERIFY(isUnknown(Nvml(LOCKSTEP_FAKE_NVML).read("0000:66:00.0")));
}

void TestNvml::read_valueNotSupported_leavesOnlyThatUnknown()
{
    fakeIn(LOCKSTEP_FAKE_NVML).hasUtilization = false;
    const DeviceReading reading = Nvml(LOCKSTEP_FAKE_NVML).read(test::kFakeBusId);
    QCOMPARE(reading.load, -1.0);
    QCOMPARE(reading.temperature, 64.0);
}

void TestNvml::read_oldLibrary_leavesUnknownWhatItLacks()
{
    fakeIn(LOCKSTEP_FAKE_NVML_OLD).reasons = 0x40;
    const DeviceReading reading = Nvml(LOCKSTEP_FAKE_NVML_OLD).read(test::kFakeBusId);
    QCOMPARE(reading.powerWatts, -1.0);
    QCOMPARE(reading.load, 0.87);
    QCOMPARE(reading.throttleReason, std::string("too hot"));
}

void TestNvml::read_libraryMissing_isUnknown()
{
    QVERIFY(isUnknown(Nvml("libnvidia-ml.so.does-not-exist").read(test::kFakeBusId)));
}

void TestNvml::read_libraryWithoutFunctions_isUnknown()
{
    QVERIFY(isUnknown(Nvml("libc.so.6").read(test::kFakeBusId)));
}

void TestNvml::read_libraryDoesNotStart_isUnknown()
{
    fakeIn(LOCKSTEP_FAKE_NVML).isStarting = false;
    QVERIFY(isUnknown(Nvml(LOCKSTEP_FAKE_NVML).read(test::kFakeBusId)));
}

void TestNvml::read_manyThreads_lookUpOnce()
{
    FakeNvml& fake = fakeIn(LOCKSTEP_FAKE_NVML);
    const Nvml nvml(LOCKSTEP_FAKE_NVML);
    std::vector<double> temperatures(4);
    {
        std::vector<std::jthread> threads;
        threads.reserve(temperatures.size());
        for (double& temperature : temperatures) {
            threads.emplace_back([&] { temperature = nvml.read(test::kFakeBusId).temperature; });
        }
    }
    QCOMPARE(temperatures, std::vector<double>(4, 64.0));
    QCOMPARE(fake.handles, 1);
}

void TestNvml::readNvml_noSuchLibraryOrDevice_isUnknown()
{
    if (dlopen("libnvidia-ml.so.1", RTLD_NOW) != nullptr) {
        QSKIP("this machine has the library, but may not have a GPU at the fake one's place");
    }
    QVERIFY(isUnknown(cuda::readNvml(0)));
    QVERIFY(isUnknown(cuda::readNvml(7)));
}

void TestNvml::programs_ofAGpu_areNamedAndOrdered()
{
    // Ourselves, one that only the driver sees, one of which nothing is known.
    fakeIn(LOCKSTEP_FAKE_NVML).processes = {static_cast<unsigned>(getpid()), 999'998, 999'999};
    const auto programs = Nvml(LOCKSTEP_FAKE_NVML).programs(test::kFakeBusId);
    QCOMPARE(programs.size(), std::size_t{3});
    QCOMPARE(programs[0].process, std::int64_t{999'998});
    QCOMPARE(programs[0].name, std::string("over there"));
    QCOMPARE(programs[0].memoryBytes, std::int64_t{2} << 30);
    QVERIFY(!programs[0].isThis);
    QVERIFY(programs[1].isThis);
    QCOMPARE(programs[1].name, std::string("test_nvml"));
    QCOMPARE(programs[1].memoryBytes, std::int64_t{1} << 30);
    QCOMPARE(programs[2].name, std::string());
    QCOMPARE(programs[2].memoryBytes, std::int64_t{-1});
}

void TestNvml::programs_manyOfThem_areAllThere()
{
    std::vector<unsigned> many(70);
    std::iota(many.begin(), many.end(), 2'000'000'000U);
    fakeIn(LOCKSTEP_FAKE_NVML).processes = many;
    QCOMPARE(Nvml(LOCKSTEP_FAKE_NVML).programs(test::kFakeBusId).size(), many.size());
}

void TestNvml::programs_otherGpuOrNoLibrary_areNone()
{
    fakeIn(LOCKSTEP_FAKE_NVML).processes = {1};
    QVERIFY(Nvml(LOCKSTEP_FAKE_NVML).programs("0000:66:00.0").empty());
    QVERIFY(Nvml("libc.so.6").programs(test::kFakeBusId).empty());
    QVERIFY(cuda::readPrograms(7).empty());
}

void TestNvml::throttleText_bits_areWords_data()
{
    QTest::addColumn<quint64>("bits");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << quint64{0} << "";
    QTest::newRow("idle") << quint64{0x1} << "";
    QTest::newRow("power cap") << quint64{0x4} << "power limit";
    QTest::newRow("software, heat") << quint64{0x20} << "too hot";
    QTest::newRow("hardware, heat") << quint64{0x48} << "too hot";
    QTest::newRow("hardware, supply") << quint64{0x88} << "power supply";
    QTest::newRow("hardware") << quint64{0x8} << "slowed by the hardware";
    QTest::newRow("set by hand") << quint64{0x2} << "clock setting";
    QTest::newRow("tied") << quint64{0x10} << "clocks tied to other GPUs";
    QTest::newRow("two") << quint64{0x25} << "power limit, too hot";
    QTest::newRow("unheard of") << quint64{0x8000} << "";
}

void TestNvml::throttleText_bits_areWords()
{
    QFETCH(const quint64, bits);
    QFETCH(const QString, text);
    QCOMPARE(QString::fromStdString(cuda::throttleText(bits)), text);
}

LOCKSTEP_TEST(TestNvml)
#include "test_nvml.moc"
