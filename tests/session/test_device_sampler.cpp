// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/error.h"
#include "session/run/device_sampler.h"
#include "support/lockstep_test.h"

#include <atomic>
#include <mutex>

using namespace lockstep;
using namespace std::chrono_literals;

namespace {

/// Keeps what a sampler hands it.
class Taken
{
public:
    void take(DeviceReadingRecord record)
    {
        const std::scoped_lock lock(m_mutex);
        m_records.push_back(std::move(record));
    }
    [[nodiscard]] std::vector<DeviceReadingRecord> records() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_records;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<DeviceReadingRecord> m_records;
};

DeviceReading warm(double temperature)
{
    DeviceReading reading;
    reading.memoryUsedBytes = 1'000;
    reading.temperature = temperature;
    reading.throttleReason = "too hot";
    return reading;
}

int threadsOfThisProcess()
{
    return static_cast<int>(QDir(QStringLiteral("/proc/self/task"))
                                .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                                .size());
}

} // namespace

class TestDeviceSampler : public QObject
{
    Q_OBJECT
private slots:
    static void Sampler_severalDevices_asksEachAgainAndAgain();
    static void Sampler_first_comesAtOnce();
    static void Sampler_ended_asksNoMore();
    static void Sampler_nothingTold_handsOutNothing();
    static void Sampler_deviceThatFails_isAskedAgain();
    static void Sampler_withoutDevices_hasNoThread();
};

void TestDeviceSampler::Sampler_severalDevices_asksEachAgainAndAgain()
{
    Taken taken;
    const double before = secondsSince1970();
    {
        const DeviceSampler sampler(
            {{"cuda:0", [] { return warm(60.0); }}, {"cuda:3", [] { return warm(70.0); }}}, 5ms,
            [&](const DeviceReadingRecord& record) { taken.take(record); });
        QTRY_VERIFY(taken.records().size() >= 6);
    }
    const auto records = taken.records();
    for (std::size_t i = 0; i < records.size(); ++i) {
        const bool isFirst = i % 2 == 0;
        QCOMPARE(records[i].device, std::string(isFirst ? "cuda:0" : "cuda:3"));
        QCOMPARE(records[i].temperature, isFirst ? 60.0 : 70.0);
        QCOMPARE(records[i].memoryUsedBytes, 1'000);
        QCOMPARE(records[i].load, -1.0);
        QCOMPARE(records[i].throttleReason, std::string("too hot"));
        QVERIFY(records[i].time >= before && records[i].time <= secondsSince1970());
    }
}

void TestDeviceSampler::Sampler_first_comesAtOnce()
{
    Taken taken;
    const DeviceSampler sampler(
        {{"cuda:0", [] { return warm(60.0); }}}, 1h,
        [&](const DeviceReadingRecord& record) { taken.take(record); });
    QTRY_COMPARE(taken.records().size(), 1U);
}

void TestDeviceSampler::Sampler_ended_asksNoMore()
{
    std::atomic<int> asked = 0;
    {
        const DeviceSampler sampler(
            {{"cuda:0",
              [&] {
                  ++asked;
                  return warm(60.0);
              }}},
            2ms, [](const DeviceReadingRecord&) {});
        QTRY_VERIFY(asked > 2);
    }
    const int before = asked;
    QTest::qWait(30);
    QCOMPARE(asked.load(), before);
}

void TestDeviceSampler::Sampler_nothingTold_handsOutNothing()
{
    Taken taken;
    std::atomic<int> asked = 0;
    const DeviceSampler sampler(
        {{"cuda:0",
          [&] {
              ++asked;
              return DeviceReading{};
          }}},
        2ms, [&](const DeviceReadingRecord& record) { taken.take(record); });
    QTRY_VERIFY(asked > 2);
    QVERIFY(taken.records().empty());
}

void TestDeviceSampler::Sampler_deviceThatFails_isAskedAgain()
{
    Taken taken;
    std::atomic<int> asked = 0;
    const DeviceSampler sampler(
        {{"cuda:0",
          [&] {
              if (++asked < 3) {
                  fail(ErrorCode::Device, "no answer");
              }
              return warm(60.0);
          }},
         {"cuda:1", [] { return warm(70.0); }}},
        2ms, [&](const DeviceReadingRecord& record) { taken.take(record); });
    QTRY_VERIFY(taken.records().size() >= 4);
    QCOMPARE(taken.records()[0].device, std::string("cuda:1"));
    QCOMPARE(taken.records()[2].device, std::string("cuda:0"));
}

void TestDeviceSampler::Sampler_withoutDevices_hasNoThread()
{
    const int before = threadsOfThisProcess();
    const DeviceSampler none({}, 1ms, [](const DeviceReadingRecord&) {});
    QCOMPARE(threadsOfThisProcess(), before);
    const DeviceSampler one(
        {{"cuda:0", [] { return warm(60.0); }}}, 1h, [](const DeviceReadingRecord&) {});
    QCOMPARE(threadsOfThisProcess(), before + 1);
}

LOCKSTEP_TEST(TestDeviceSampler)
#include "test_device_sampler.moc"
