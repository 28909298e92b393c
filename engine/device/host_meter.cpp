// SPDX-License-Identifier: Apache-2.0
#include "device/host_meter.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kKibi = 1024;
constexpr double kMilli = 1e-3;
constexpr double kMicro = 1e-6;

std::optional<std::int64_t> integerIn(const fs::path& file)
{
    std::int64_t value = 0;
    std::ifstream stream(file);
    return stream >> value ? std::optional(value) : std::nullopt;
}

std::string lineIn(const fs::path& file)
{
    std::string line;
    std::ifstream stream(file);
    std::getline(stream, line);
    return line;
}

/// In the order of their names; none where there is no such folder, or this user may not see it.
std::vector<fs::path> entriesOf(const fs::path& folder)
{
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
        entries.push_back(each->path());
    }
    std::ranges::sort(entries);
    return entries;
}

bool isOfProcessors(const std::string& sensor)
{
    constexpr std::array kSensors{"coretemp", "k10temp", "zenpower", "cpu_thermal"};
    return std::ranges::find(kSensors, sensor) != kSensors.end();
}

/// Of a package, not of one of its cores or of something beside it. Tctl may be Tdie plus an
/// offset, which only Tdie is free of; old chips have Tctl alone.
bool isOfPackage(const std::string& label)
{
    return label.empty() || label.starts_with("Package id") || label == "Tdie" || label == "Tctl";
}

/// The places of a sensor's packages: tempN_input.
std::vector<fs::path> packagesOf(const fs::path& sensor)
{
    std::vector<fs::path> packages;
    for (const fs::path& file : entriesOf(sensor)) {
        const std::string name = file.filename().string();
        if (!name.starts_with("temp") || !name.ends_with("_input")) {
            continue;
        }
        const std::string number = name.substr(0, name.find('_'));
        const std::string label = lineIn(sensor / (number + "_label"));
        if (label == "Tdie") {
            return {file};
        }
        if (isOfPackage(label)) {
            packages.push_back(file);
        }
    }
    return packages;
}

} // namespace

HostMeter::HostMeter(const fs::path& root) : m_proc(root / "proc")
{
    findThermometers(root / "sys/class/hwmon");
    findEnergyCounters(root / "sys/class/powercap");
}

void HostMeter::findThermometers(const fs::path& hwmon)
{
    for (const fs::path& sensor : entriesOf(hwmon)) {
        if (isOfProcessors(lineIn(sensor / "name"))) {
            const std::vector<fs::path> packages = packagesOf(sensor);
            m_thermometers.insert(m_thermometers.end(), packages.begin(), packages.end());
        }
    }
}

/// "intel-rapl:0" is a package; "intel-rapl:0:0" are parts of it, other zones count the same once
/// more.
void HostMeter::findEnergyCounters(const fs::path& powercap)
{
    for (const fs::path& zone : entriesOf(powercap)) {
        if (zone.filename().string().starts_with("intel-rapl:")
            && lineIn(zone / "name").starts_with("package-")) {
            const auto range = integerIn(zone / "max_energy_range_uj");
            m_energy.push_back({zone / "energy_uj", range.value_or(0), std::nullopt});
        }
    }
}

DeviceReading HostMeter::read()
{
    DeviceReading reading;
    readMemory(reading);
    reading.load = readLoad();
    reading.temperature = readTemperature();
    reading.powerWatts = readPower();
    return reading;
}

void HostMeter::readMemory(DeviceReading& reading) const
{
    std::ifstream stream(m_proc / "meminfo");
    std::int64_t available = -1;
    std::string name;
    std::int64_t kibibytes = 0;
    while (stream >> name >> kibibytes) {
        if (name == "MemTotal:") {
            reading.memoryTotalBytes = kibibytes * kKibi;
        } else if (name == "MemAvailable:") {
            available = kibibytes * kKibi;
            break; // behind MemTotal
        }
        stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    if (available >= 0 && reading.memoryTotalBytes >= available) {
        reading.memoryUsedBytes = reading.memoryTotalBytes - available;
    }
    std::int64_t pages = 0;
    std::int64_t residentPages = 0;
    if (std::ifstream(m_proc / "self/statm") >> pages >> residentPages) {
        reading.processMemoryBytes = residentPages * sysconf(_SC_PAGESIZE);
    }
}

std::optional<HostMeter::ProcessorTime> HostMeter::readProcessorTime() const
{
    std::ifstream stream(m_proc / "stat");
    std::string name;
    // user nice system idle iowait irq softirq steal; guests are in the first two already
    std::array<std::int64_t, 8> ticks{};
    constexpr std::size_t kIdle = 3;
    constexpr std::size_t kIoWait = 4;
    stream >> name;
    ProcessorTime time;
    for (std::size_t i = 0; i < ticks.size() && stream >> ticks[i]; ++i) {
        time.all += ticks[i];
        time.busy += i == kIdle || i == kIoWait ? 0 : ticks[i];
    }
    return name == "cpu" && stream ? std::optional(time) : std::nullopt;
}

double HostMeter::readLoad()
{
    const auto now = readProcessorTime();
    const auto before = std::exchange(m_lastTime, now);
    if (!now || !before || now->all <= before->all) {
        return -1.0;
    }
    const auto busy = static_cast<double>(now->busy - before->busy);
    // The kernel's counts of idle time may run backwards for a moment.
    return std::clamp(busy / static_cast<double>(now->all - before->all), 0.0, 1.0);
}

double HostMeter::readTemperature() const
{
    double hottest = -1.0;
    for (const fs::path& thermometer : m_thermometers) {
        if (const auto millidegrees = integerIn(thermometer)) {
            hottest = std::max(hottest, kMilli * static_cast<double>(*millidegrees));
        }
    }
    return hottest;
}

/// Unknown unless every package tells.
double HostMeter::readPower()
{
    const double seconds = m_sincePower ? m_sincePower->seconds() : 0.0;
    m_sincePower.emplace();
    bool isKnown = !m_energy.empty() && seconds > 0.0;
    std::int64_t microjoules = 0;
    for (EnergyCounter& counter : m_energy) {
        const auto now = integerIn(counter.file);
        const auto before = std::exchange(counter.last, now);
        if (!now || !before) {
            isKnown = false;
            continue;
        }
        microjoules += *now - *before + (*now < *before ? counter.range : 0);
    }
    return isKnown && microjoules >= 0 ? kMicro * static_cast<double>(microjoules) / seconds : -1.0;
}

} // namespace lockstep
