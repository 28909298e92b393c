// SPDX-License-Identifier: Apache-2.0
// bfloat16 on the host, and kernels that go value by value over whole tensors.
#include "cuda/kernel_test.h"
#include "device/cuda/arrays/cast_kernel.h"
#include "device/cuda/arrays/tensor_kernels.h"

#include <memory>

#include <bit>
#include <limits>

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The bfloat16 next to a finite value, by looking at both neighbours in float64.
float nearestByDistance(float value)
{
    const auto below = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);
    const auto above = static_cast<std::uint16_t>(below + 1);
    const double toBelow = std::abs(double{value} - double{toFloat(Bfloat16{below})});
    const double toAbove = std::abs(double{toFloat(Bfloat16{above})} - double{value});
    const bool isAbove = toAbove < toBelow || (toAbove == toBelow && below % 2 == 1);
    return toFloat(Bfloat16{isAbove ? above : below});
}

template<class T>
TensorPlan planOf(std::int64_t channels)
{
    constexpr DataType kType = sizeof(T) == 2 ? DataType::Bfloat16 : DataType::Float32;
    return tensorPlan(1, {1, 1, channels}, kType);
}

} // namespace

class TestCudaKernelsTensor : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void Bfloat16_ofAnyValue_isTheNearest()
    {
        Random random(1);
        for (int i = 0; i < 100'000; ++i) {
            const auto value =
                static_cast<float>(random.uniform(-1.0, 1.0) * std::exp2(random.integer(-60, 60)));
            QCOMPARE(toFloat(toBfloat16(value)), nearestByDistance(value));
        }
    }

    void Bfloat16_ofATie_isEven()
    {
        QCOMPARE(toFloat(toBfloat16(1.0F + 0x1p-8F)), 1.0F);
        QCOMPARE(toFloat(toBfloat16(1.0F + 3 * 0x1p-8F)), 1.0F + 2 * 0x1p-7F);
        QCOMPARE(toFloat(toBfloat16(-1.0F - 0x1p-8F)), -1.0F);
    }

    void Bfloat16_ofSpecialValues_keepsThem()
    {
        QVERIFY(std::isnan(toFloat(toBfloat16(std::nanf("")))));
        // All of its bits lie in the half that is dropped.
        QVERIFY(std::isnan(toFloat(toBfloat16(std::bit_cast<float>(0x7F800001U)))));
        QVERIFY(std::isnan(toFloat(toBfloat16(std::bit_cast<float>(0xFFFFFFFFU)))));
        QCOMPARE(toFloat(toBfloat16(kInfinity)), kInfinity);
        QCOMPARE(toFloat(toBfloat16(-kInfinity)), -kInfinity);
        QCOMPARE(toFloat(toBfloat16(std::numeric_limits<float>::max())), kInfinity);
        QCOMPARE(toBfloat16(-0.0F).bits, std::uint16_t{0x8000});
        QCOMPARE(toFloat(toBfloat16(1e-45F)), 0.0F);
    }

    void Bfloat16_ofEveryPattern_comesBack()
    {
        for (unsigned bits = 0; bits <= 0xFFFF; ++bits) {
            const Bfloat16 value{static_cast<std::uint16_t>(bits)};
            const float wide = toFloat(value);
            if (!std::isnan(wide)) {
                QCOMPARE(toBfloat16(wide).bits, value.bits);
            }
        }
    }

    void Rounding_anyCount_equalsTheHost()
    {
        Random random(2);
        for (const std::size_t count : {1, 3, 4, 5, 1023, 4099}) {
            const TestStream stream;
            const DeviceArray<float> values(random.floats(count, -3.0, 3.0));
            const DeviceArray<Bfloat16> operands(count + 1);
            narrow(stream.get(), values.data(), operands.data(), static_cast<std::int64_t>(count));
            stream.synchronize();
            for (std::size_t i = 0; i < count; ++i) {
                QCOMPARE(operands[i].bits, toBfloat16(values[i]).bits);
            }
            QCOMPARE(operands[count].bits, std::uint16_t{0xFFFF});
        }
    }

    void Sum_ofTensors_isTheRoundedSum()
    {
        sumOfTensors<float>();
        sumOfTensors<Bfloat16>();
    }

    void TowerSum_ofTowers_givesAllTheSum()
    {
        constexpr std::size_t kCount = 300;
        Random random(4);
        std::vector<std::unique_ptr<DeviceArray<double>>> towers;
        std::vector<double> expected(kCount);
        for (int tower = 0; tower < 3; ++tower) {
            std::vector<double> values;
            for (double& sum : expected) {
                values.push_back(random.uniform(-1.0, 1.0));
                sum += values.back();
            }
            towers.push_back(std::make_unique<DeviceArray<double>>(values));
        }
        const DeviceArray<double*> sums(
            std::vector<double*>{towers[0]->data(), towers[1]->data(), towers[2]->data()});
        const TestStream stream;
        addUpTowers(stream.get(), {sums.data(), 3, kCount, 3});
        stream.synchronize();
        for (const auto& tower : towers) {
            QVERIFY(tower->values() == expected);
        }
        // Of the first two; of the first one only.
        for (const int terms : {2, 1}) {
            addUpTowers(stream.get(), {sums.data(), 3, kCount, terms});
            stream.synchronize();
            for (double& sum : expected) {
                sum *= terms;
            }
            for (const auto& tower : towers) {
                QVERIFY(tower->values() == expected);
            }
        }
    }

private:
    template<class T>
    static void sumOfTensors()
    {
        Random random(3);
        for (const std::size_t count : {1, 7, 8, 9, 2048, 5003}) {
            const TestStream stream;
            const auto a = rounded<T>(random.floats(count, -2.0, 2.0));
            const auto b = rounded<T>(random.floats(count, -2.0, 2.0));
            const DeviceArray<T> sum(stored<T>(a));
            const DeviceArray<T> part(stored<T>(b));
            addTensor(
                stream.get(), planOf<T>(static_cast<std::int64_t>(count)), sum.bytes(),
                part.bytes());
            stream.synchronize();
            for (std::size_t i = 0; i < count; ++i) {
                QCOMPARE(toFloat(sum[i]), toFloat(fromFloat<T>(a[i] + b[i])));
                QCOMPARE(toFloat(part[i]), b[i]);
            }
        }
    }
};

LOCKSTEP_TEST(TestCudaKernelsTensor)
#include "test_cuda_kernels_tensor.moc"
