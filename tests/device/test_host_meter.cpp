// SPDX-License-Identifier: Apache-2.0
#include "device/host_meter.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <fstream>
#include <string>
#include <vector>

using namespace lockstep;

namespace {

void write(const std::filesystem::path& file, const std::string& text)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
}

/// Lets a file say something else.
class Machine
{
public:
    Machine() { setTicks("100 0 100 800 0 0 0 0"); }

    [[nodiscard]] const std::filesystem::path& root() const { return m_folder.path(); }
    void setTicks(const std::string& ticks) const
    {
        write(root() / "proc/stat", "cpu  " + ticks + " 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10");
    }
    void addSensor(const std::string& number, const std::string& name) const
    {
        write(root() / "sys/class/hwmon" / number / "name", name);
    }
    void setTemperature(
        const std::string& sensor, const std::string& place, const std::string& label,
        int millidegrees) const
    {
        const auto folder = root() / "sys/class/hwmon" / sensor;
        write(folder / (place + "_input"), std::to_string(millidegrees));
        if (!label.empty()) {
            write(folder / (place + "_label"), label);
        }
    }
    void setEnergy(const std::string& zone, const std::string& name, std::int64_t microjoules) const
    {
        const auto folder = root() / "sys/class/powercap" / zone;
        write(folder / "name", name);
        write(folder / "max_energy_range_uj", "1000000000");
        write(folder / "energy_uj", std::to_string(microjoules));
    }

private:
    test::TemporaryFolder m_folder;
};

double processSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

/// What Linux tells of the processors, against made-up files and against other ways to ask.
class TestHostMeter : public QObject
{
    Q_OBJECT
private slots:
    static void Load_isTheBusyShareSinceTheReadingBefore();
    static void Load_thatCannotBe_isUnknown();
    static void Memory_isWhatIsNotAvailable();
    static void Temperature_isTheHottestPackage_data();
    static void Temperature_isTheHottestPackage();
    static void Power_isTheEnergyOfAllPackagesByTheTime();
    static void Power_unreadable_isUnknown();
    static void Machine_thatTellsNothing_isUnknown();
    static void ThisMachine_memory_isThatOfSysinfo();
    static void ThisMachine_load_isNotBelowOurOwn();
};

void TestHostMeter::Load_isTheBusyShareSinceTheReadingBefore()
{
    const Machine machine;
    HostMeter meter(machine.root());
    QCOMPARE(meter.read().load, -1.0);
    // 30 user, 10 nice, 5 system, 40 idle, 10 waiting for disks, 1 + 2 interrupts, 2 stolen
    machine.setTicks("130 10 105 840 10 1 2 2");
    QCOMPARE(meter.read().load, 0.5);
    machine.setTicks("140 10 105 840 10 1 2 2");
    QCOMPARE(meter.read().load, 1.0);
    machine.setTicks("140 10 105 850 10 1 2 2");
    QCOMPARE(meter.read().load, 0.0);
}

void TestHostMeter::Load_thatCannotBe_isUnknown()
{
    const Machine machine;
    HostMeter meter(machine.root());
    static_cast<void>(meter.read());
    QCOMPARE(meter.read().load, -1.0); // no time has passed
    write(machine.root() / "proc/stat", "cpu 1 2");
    QCOMPARE(meter.read().load, -1.0);
    machine.setTicks("140 0 100 800 0 0 0 0");
    QCOMPARE(meter.read().load, -1.0); // the one before said nothing
    machine.setTicks("150 0 100 810 0 0 0 0");
    QCOMPARE(meter.read().load, 0.5);
}

void TestHostMeter::Memory_isWhatIsNotAvailable()
{
    const Machine machine;
    write(
        machine.root() / "proc/meminfo", "MemTotal:       1000 kB\nMemFree:         10 "
                                         "kB\nMemAvailable:   400 kB\nHugePages_Total: 0");
    write(machine.root() / "proc/self/statm", "900 25 3 4 0 5 0");
    const DeviceReading reading = HostMeter(machine.root()).read();
    QCOMPARE(reading.memoryTotalBytes, std::int64_t{1000 * 1024});
    QCOMPARE(reading.memoryUsedBytes, std::int64_t{600 * 1024});
    QCOMPARE(reading.processMemoryBytes, std::int64_t{25} * sysconf(_SC_PAGESIZE));
    QVERIFY(reading.throttleReason.empty());
}

void TestHostMeter::Temperature_isTheHottestPackage_data()
{
    using Labels = std::vector<std::string>;
    using Values = std::vector<int>;
    test::addRows<std::string, std::vector<std::string>, std::vector<int>, double>(
        {"sensor", "labels", "millidegrees", "expected"},
        {{"Intel, its cores are warmer", "coretemp", Labels{"Package id 0", "Core 0"},
          Values{61500, 70000}, 61.5},
         {"two sockets", "coretemp", Labels{"Package id 0", "Package id 1"}, Values{61000, 64000},
          64.0},
         {"AMD, control value with an offset", "k10temp", Labels{"Tctl", "Tdie"},
          Values{80000, 60000}, 60.0},
         {"AMD, control value alone", "k10temp", Labels{"Tctl", "Tccd1"}, Values{55250, 90000},
          55.25},
         {"without labels", "cpu_thermal", Labels{""}, Values{42000}, 42.0},
         {"not the processors'", "nvme", Labels{"Composite"}, Values{42000}, -1.0}});
}

void TestHostMeter::Temperature_isTheHottestPackage()
{
    QFETCH(std::string, sensor);
    QFETCH(std::vector<std::string>, labels);
    QFETCH(std::vector<int>, millidegrees);
    QFETCH(double, expected);
    const Machine machine;
    machine.addSensor("hwmon0", "acpitz");
    machine.setTemperature("hwmon0", "temp1", "", 99000);
    machine.addSensor("hwmon1", sensor);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        machine.setTemperature(
            "hwmon1", "temp" + std::to_string(i + 1), labels[i], millidegrees[i]);
    }
    QCOMPARE(HostMeter(machine.root()).read().temperature, expected);
}

// Whatever the time between the readings was, it lies within what a clock of our own says.
void TestHostMeter::Power_isTheEnergyOfAllPackagesByTheTime()
{
    const Machine machine;
    machine.setEnergy("intel-rapl:0", "package-0", 5'000'000);
    machine.setEnergy("intel-rapl:0:0", "core", 1'000'000);
    machine.setEnergy("intel-rapl:1", "package-1", 999'000'000); // soon begins anew
    machine.setEnergy("intel-rapl:2", "psys", 7'000'000);
    HostMeter meter(machine.root());
    const Stopwatch outer;
    QCOMPARE(meter.read().powerWatts, -1.0);
    const Stopwatch inner;
    QTest::qSleep(50);
    machine.setEnergy("intel-rapl:0", "package-0", 6'000'000);
    machine.setEnergy("intel-rapl:0:0", "core", 500'000'000);
    machine.setEnergy("intel-rapl:1", "package-1", 2'000'000);
    machine.setEnergy("intel-rapl:2", "psys", 900'000'000);
    const double least = inner.seconds();
    const double watts = meter.read().powerWatts;
    const double most = outer.seconds();
    constexpr double kJoules = 1.0 + 3.0;
    QVERIFY(watts * most >= kJoules && watts * least <= kJoules);
}

void TestHostMeter::Power_unreadable_isUnknown()
{
    const Machine machine;
    machine.setEnergy("intel-rapl:0", "package-0", 1);
    machine.setEnergy("intel-rapl:1", "package-1", 1);
    HostMeter meter(machine.root());
    static_cast<void>(meter.read());
    QTest::qSleep(2);
    QCOMPARE(meter.read().powerWatts, 0.0);
    std::filesystem::remove(machine.root() / "sys/class/powercap/intel-rapl:1/energy_uj");
    QTest::qSleep(2);
    QCOMPARE(meter.read().powerWatts, -1.0);
}

void TestHostMeter::Machine_thatTellsNothing_isUnknown()
{
    const test::TemporaryFolder empty;
    HostMeter meter(empty.path());
    for (int i = 0; i < 2; ++i) {
        const DeviceReading reading = meter.read();
        QCOMPARE(reading.load, -1.0);
        QCOMPARE(reading.temperature, -1.0);
        QCOMPARE(reading.powerWatts, -1.0);
        QCOMPARE(reading.memoryUsedBytes, std::int64_t{-1});
        QCOMPARE(reading.memoryTotalBytes, std::int64_t{-1});
        QCOMPARE(reading.processMemoryBytes, std::int64_t{-1});
    }
}

void TestHostMeter::ThisMachine_memory_isThatOfSysinfo()
{
    HostMeter meter;
    struct sysinfo info
    {
    };
    QCOMPARE(::sysinfo(&info), 0);
    const DeviceReading before = meter.read();
    const auto kibibytes = static_cast<std::int64_t>(info.totalram * info.mem_unit) / 1024;
    QCOMPARE(before.memoryTotalBytes / 1024, kibibytes);
    QVERIFY(before.memoryUsedBytes > 0 && before.memoryUsedBytes <= before.memoryTotalBytes);
    constexpr std::int64_t kBytes = std::int64_t{64} << 20;
    const std::vector<char> memory(kBytes, 'x');
    const std::int64_t after = meter.read().processMemoryBytes;
    rusage usage{};
    QCOMPARE(getrusage(RUSAGE_SELF, &usage), 0);
    constexpr std::int64_t kSlack = std::int64_t{4} << 20; // the kernel counts pages in batches
    QVERIFY(after >= before.processMemoryBytes + kBytes - kSlack);
    QVERIFY(after <= std::int64_t{usage.ru_maxrss} * 1024 + kSlack);
    QCOMPARE(memory.back(), 'x');
}

void TestHostMeter::ThisMachine_load_isNotBelowOurOwn()
{
    HostMeter meter;
    static_cast<void>(meter.read());
    const double start = processSeconds();
    const Stopwatch watch;
    while (watch.seconds() < 0.5) {
    }
    const double load = meter.read().load;
    const double own = processSeconds() - start;
    const double all = watch.seconds() * static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
    constexpr double kTicks = 0.05; // the kernel counts in hundredths of a second
    QVERIFY2(
        load * all >= own - kTicks, qPrintable(QString("%1 %2 %3").arg(load).arg(all).arg(own)));
    QVERIFY(load <= 1.0);
}

LOCKSTEP_TEST(TestHostMeter)
#include "test_host_meter.moc"
