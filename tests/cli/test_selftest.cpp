// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/cpu_device.h"
#include "device/registry/device_registry.h"
#include "session/selftest/selftest.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "update/optimizer_settings.h"

#include <algorithm>

using namespace lockstep;
using lockstep::test::failureOf;

namespace {

/// The CPU, with one thing about it broken.
class BrokenDevice : public HostDevice
{
public:
    [[nodiscard]] const DeviceInfo& info() const override { return m_cpu.info(); }
    [[nodiscard]] DeviceMemory allocate(std::size_t bytes) const override
    {
        return m_cpu.allocate(bytes);
    }
    void enterThread(int threads) const override { m_cpu.enterThread(threads); }
    [[nodiscard]] std::unique_ptr<Op> makeOp(const LayerSpec& spec) const override
    {
        return m_cpu.makeOp(spec);
    }
    [[nodiscard]] std::unique_ptr<Op> makeObjective(const Objective& objective) const override
    {
        return m_cpu.makeObjective(objective);
    }
    void write(
        const TensorPlan& plan, std::span<const float> values, std::byte* tensor) const override
    {
        m_cpu.write(plan, values, tensor);
    }
    void read(
        const TensorPlan& plan, const std::byte* tensor, std::span<float> values) const override
    {
        m_cpu.read(plan, tensor, values);
    }
    bool average(
        std::span<const WeightedGradient> lanes, std::int64_t offset, std::int64_t count,
        float* dst) const override
    {
        return m_cpu.average(lanes, offset, count, dst);
    }
    [[nodiscard]] std::size_t operandBytes(Precision precision) const override
    {
        return m_cpu.operandBytes(precision);
    }
    void update(
        const UpdateRule& rule, std::int64_t count, const UpdateArrays& arrays) const override
    {
        m_cpu.update(rule, count, arrays);
    }
    void round(
        Precision precision, std::span<const float> values, std::byte* operands) const override
    {
        m_cpu.round(precision, values, operands);
    }
    void addTo(Stream* stream, const TensorPlan& plan, std::byte* sum, const std::byte* addend)
        const override
    {
        m_cpu.addTo(stream, plan, sum, addend);
    }
    [[nodiscard]] double sumOfSquares(std::span<const float> values) const override
    {
        return m_cpu.sumOfSquares(values);
    }
    [[nodiscard]] GradientProducts gradientProducts(
        std::span<const float* const> lanes, std::int64_t offset, std::int64_t count,
        const float* mean) const override
    {
        return m_cpu.gradientProducts(lanes, offset, count, mean);
    }
    [[nodiscard]] double squaredDistance(
        std::span<const float> values, const float* others) const override
    {
        return m_cpu.squaredDistance(values, others);
    }

private:
    cpu::CpuDevice m_cpu;
};

/// Forgets the last tower.
class ForgetfulAverage final : public BrokenDevice
{
public:
    bool average(
        std::span<const WeightedGradient> lanes, std::int64_t offset, std::int64_t count,
        float* dst) const override
    {
        const std::size_t kept = std::max<std::size_t>(1, lanes.size() - 1);
        return BrokenDevice::average(lanes.first(kept), offset, count, dst);
    }
};

/// Takes every response normalisation for one of a slightly other exponent.
class WrongExponent final : public BrokenDevice
{
public:
    [[nodiscard]] std::unique_ptr<Op> makeOp(const LayerSpec& spec) const override
    {
        LayerSpec changed = spec;
        if (auto* lrn = std::get_if<Lrn>(&changed)) {
            lrn->beta *= 1.01;
        }
        return BrokenDevice::makeOp(changed);
    }
};

/// Adds the epsilon of RMSProp to the root, not under it.
class EpsilonBesideTheRoot final : public BrokenDevice
{
public:
    void update(
        const UpdateRule& rule, std::int64_t count, const UpdateArrays& arrays) const override
    {
        UpdateRule changed = rule;
        if (rule.constants.kind == UpdateKind::RmsProp) {
            // s is next to 1: sqrt(s) + e is sqrt(s + 2e + e^2).
            const float e = rule.constants.epsilon;
            changed.constants.epsilon = 2.0F * e + e * e;
        }
        BrokenDevice::update(changed, count, arrays);
    }
};

/// Has no response normalisation.
class WithoutNormalization final : public BrokenDevice
{
public:
    [[nodiscard]] std::unique_ptr<Op> makeOp(const LayerSpec& spec) const override
    {
        if (std::holds_alternative<Lrn>(spec)) {
            fail(ErrorCode::Device, "there is no lrn here");
        }
        return BrokenDevice::makeOp(spec);
    }
};

/// The names of the lines that failed.
QStringList failures(const std::vector<SelftestLine>& lines)
{
    QStringList names;
    for (const SelftestLine& line : lines) {
        if (!line.isPassed()) {
            names.append(QString::fromStdString(line.name));
        }
    }
    return names;
}

} // namespace

class TestSelftest : public QObject
{
    Q_OBJECT

private slots:
    void cpu_everyLine_passesAndIsReported();
    void averageWithoutTheLastTower_fails();
    void wrongExponent_failsWhereItIsUsed();
    void epsilonBesideTheRoot_failsForRmsProp();
    void checksThatThrow_areLinesAndTheOthersRun();
    void precisionAndPart_areChosen();
};

void TestSelftest::cpu_everyLine_passesAndIsReported()
{
    std::vector<std::string> reported;
    const auto lines = runSelftest(*openDevice("cpu"), {}, {{}, [&](const SelftestLine& line) {
                                                                reported.push_back(line.name);
                                                            }});
    QCOMPARE(failures(lines), QStringList());
    QCOMPARE(reported.size(), lines.size());
    for (const char* part :
         {"conv2d", "max_pool", "lrn", "dense", "cifar10", "towers", "update by adam"}) {
        const auto isOfIt = [&](const std::string& name) {
            return name.find(part) != std::string::npos;
        };
        QVERIFY2(std::ranges::any_of(reported, isOfIt), part);
    }
    // An error of exactly 0 everywhere would mean that nothing was compared.
    QVERIFY(std::ranges::any_of(lines, [](const SelftestLine& line) { return line.error > 0.0; }));
}

void TestSelftest::averageWithoutTheLastTower_fails()
{
    const ForgetfulAverage device;
    const QStringList failed = failures(runSelftest(device, {}));
    // 2 and 4 towers of 2 networks in each precision.
    QCOMPARE(failed.size(), 4 * static_cast<qsizetype>(device.info().precisions.size()));
    for (const QString& name : failed) {
        QVERIFY2(name.contains("averaged gradient"), qPrintable(name));
    }
}

void TestSelftest::wrongExponent_failsWhereItIsUsed()
{
    const QStringList failed = failures(runSelftest(WrongExponent(), {}));
    QVERIFY(failed.size() >= 3);
    for (const QString& name : failed) {
        QVERIFY2(name.contains("lrn") || name.contains("cifar10"), qPrintable(name));
    }
}

void TestSelftest::epsilonBesideTheRoot_failsForRmsProp()
{
    const EpsilonBesideTheRoot device;
    const QStringList failed = failures(runSelftest(device, {}));
    // Weights and momentum in each precision; the mean square is right.
    QCOMPARE(failed.size(), 2 * static_cast<qsizetype>(device.info().precisions.size()));
    for (const QString& name : failed) {
        QVERIFY2(name.contains("update by rmsprop"), qPrintable(name));
    }
}

void TestSelftest::checksThatThrow_areLinesAndTheOthersRun()
{
    const auto lines = runSelftest(WithoutNormalization(), {.precisions = {Precision::Float32}});
    QVERIFY(lines.size() > 100);
    int broken = 0;
    for (const SelftestLine& line : lines) {
        const bool isBroken = line.failure.find("there is no lrn here") != std::string::npos;
        QCOMPARE(line.isPassed(), !isBroken);
        broken += isBroken ? 1 : 0;
    }
    // Three of lrn; cifar10, its towers, its weight decay, its clipped update and its updates.
    QCOMPARE(broken, 7 + static_cast<int>(updateKinds().size()));
}

void TestSelftest::precisionAndPart_areChosen()
{
    const auto device = openDevice("cpu");
    const auto lines =
        runSelftest(*device, {.precisions = {Precision::Float32}, .only = "float32 lrn"});
    QCOMPARE(lines.size(), std::size_t{9});
    QCOMPARE(failures(lines), QStringList());
    const QString nothing = failureOf([&] { runSelftest(*device, {.only = "lnr"}); });
    QVERIFY2(nothing.contains("'lnr'") && nothing.contains("conv2d"), qPrintable(nothing));
    const QString tf32 =
        failureOf([&] { runSelftest(*device, {.precisions = {Precision::Tf32}}); });
    QVERIFY2(tf32.contains("tf32 is not supported on cpu"), qPrintable(tf32));
}

LOCKSTEP_TEST(TestSelftest)
#include "test_selftest.moc"
