// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "network/models/catalog.h"
#include "session/bench/bench_floor.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <cmath>

using namespace lockstep;

namespace {

DeviceInfo h200()
{
    DeviceInfo info;
    info.description = "NVIDIA H200, compute 9.0";
    return info;
}

bool isNear(double value, double expected, double share)
{
    return std::abs(value - expected) <= share * expected;
}

} // namespace

class TestBenchFloor : public QObject
{
    Q_OBJECT

private slots:
    void bytesMoved_cifar10_areThoseCountedByHand();
    void floorSeconds_cifar10OnH200_areThoseCountedByHand_data();
    void floorSeconds_cifar10OnH200_areThoseCountedByHand();
    void floorSeconds_unknownDevice_isEmpty();
    void parseCeilings_list_givesRates();
    void parseCeilings_notAList_isRefused_data();
    void parseCeilings_notAList_isRefused();
};

/// One kernel per op moves 818 KB an example in bfloat16 and 1.64 MB in float32; the update of
/// 1,068,298 parameters 23.5 MB.
void TestBenchFloor::bytesMoved_cifar10_areThoseCountedByHand()
{
    const NetworkSpec network = networkByName("cifar10");
    const double update = bytesMoved(network, {0, Precision::Bfloat16});
    QVERIFY(isNear(update, 23.5e6, 0.002));
    QVERIFY(isNear(bytesMoved(network, {1, Precision::Bfloat16}) - update, 818e3, 0.005));
    const double updateFloat = bytesMoved(network, {0, Precision::Float32});
    QCOMPARE(updateFloat, 20.0 * 1'068'298);
    QVERIFY(isNear(bytesMoved(network, {1, Precision::Float32}) - updateFloat, 1.64e6, 0.005));
}

void TestBenchFloor::floorSeconds_cifar10OnH200_areThoseCountedByHand_data()
{
    test::addRows<int, int, double>(
        {"examples", "precision", "microseconds"},
        {{"128", 128, static_cast<int>(Precision::Bfloat16), 47.0},
         {"512", 512, static_cast<int>(Precision::Bfloat16), 171.0},
         {"1024", 1024, static_cast<int>(Precision::Bfloat16), 337.0},
         {"4096", 4096, static_cast<int>(Precision::Bfloat16), 1330.0},
         {"128, tf32", 128, static_cast<int>(Precision::Tf32), 128 / 1.45},
         {"1024, tf32", 1024, static_cast<int>(Precision::Tf32), 1024 / 1.53}});
}

void TestBenchFloor::floorSeconds_cifar10OnH200_areThoseCountedByHand()
{
    QFETCH(const int, examples);
    QFETCH(const int, precision);
    QFETCH(const double, microseconds);
    const auto floor = floorSeconds(
        networkByName("cifar10"), {examples, static_cast<Precision>(precision)},
        knownCeilings(h200()));
    QVERIFY(floor.has_value());
    QVERIFY2(
        isNear(1e6 * *floor, microseconds, 0.01), QByteArray::number(1e6 * *floor).constData());
}

void TestBenchFloor::floorSeconds_unknownDevice_isEmpty()
{
    const NetworkSpec network = networkByName("cifar10");
    QVERIFY(!floorSeconds(network, {128, Precision::Float32}, knownCeilings(DeviceInfo{})));
    QVERIFY(!floorSeconds(network, {128, Precision::Tf32}, parseCeilings("float32=60,copy=4")));
    QVERIFY(!floorSeconds(network, {128, Precision::Float32}, parseCeilings("float32=60")));
}

void TestBenchFloor::parseCeilings_list_givesRates()
{
    const DeviceCeilings ceilings = parseCeilings("bfloat16=790,float32=60.5,copy=4.3");
    QCOMPARE(ceilings.flopPerSecond.size(), std::size_t{2});
    QCOMPARE(ceilings.flopPerSecond.at(Precision::Bfloat16), 790e12);
    QCOMPARE(ceilings.flopPerSecond.at(Precision::Float32), 60.5e12);
    QCOMPARE(ceilings.bytesPerSecond, 4.3e12);
}

void TestBenchFloor::parseCeilings_notAList_isRefused_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"float32", "float32=", "float32=fast", "float32=-1", "float32=0", "float32=1x", "=3",
          "float16=3", "float32=1,,copy=2", "float32=inf"}) {
        QTest::newRow(text) << QString(text);
    }
}

void TestBenchFloor::parseCeilings_notAList_isRefused()
{
    QFETCH(const QString, text);
    QVERIFY_THROWS_EXCEPTION(Error, parseCeilings(text.toStdString()));
}

LOCKSTEP_TEST(TestBenchFloor)
#include "test_bench_floor.moc"
