// SPDX-License-Identifier: Apache-2.0
// The CUDA device on an emulated GPU, apart from steps: what it says of itself, memory, and the
// order in which values lie.
#include "cuda/emulated_runtime.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/ops/stored_order.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/find_devices.h"
#include "device/parameter_arena.h"
#include "network/models/catalog.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <algorithm>
#include <set>

using namespace lockstep;
using cuda::CudaDevice;
using test::failureOf;

class TestCudaDevice : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }
    void Find_devices_areDescribedWithoutMemory();
    void Find_noDriver_saysSo();
    void Find_oldDriver_namesBothVersions();
    void Find_gpuOfNoUse_saysWhy();
    void Allocate_memory_isZeroAndGivenBack();
    void Allocate_tooMuch_saysHowMuchIsFree();
    void Copy_thereAndBack_isTheSame();
    void Tensor_writtenAndRead_isTheSame_data();
    void Tensor_writtenAndRead_isTheSame();
    void StoredOrder_everyWeight_hasOnePlace_data();
    void StoredOrder_everyWeight_hasOnePlace();
    void Arena_writtenAndRead_isTheSame();
    void Arena_operands_areTheRoundedWeights();
};

void TestCudaDevice::Find_devices_areDescribedWithoutMemory()
{
    emulation::MachineSettings machine;
    machine.devices = 3;
    emulation::reset(machine);
    const auto devices = cuda::findDevices();
    QCOMPARE(devices.size(), std::size_t{3});
    QCOMPARE(devices[2].name, std::string("cuda:2"));
    const DeviceInfo& last = devices[2].info;
    QVERIFY(devices[2].isAvailable && !last.description.empty() && !last.library.empty());
    QCOMPARE(last.memoryBytes, static_cast<std::int64_t>(machine.memoryPerDevice));
    QVERIFY(last.precisions.front() == Precision::Float32);
    QCOMPARE(emulation::counters().allocations, 0);
}

void TestCudaDevice::Find_noDriver_saysSo()
{
    emulation::MachineSettings machine;
    machine.driverVersion = 0;
    emulation::reset(machine);
    QVERIFY(failureOf([] { static_cast<void>(cuda::findDevices()); }).contains("no NVIDIA driver"));
}

void TestCudaDevice::Find_oldDriver_namesBothVersions()
{
    emulation::MachineSettings machine;
    machine.driverVersion = 12040;
    emulation::reset(machine);
    const QString text = failureOf([] { static_cast<void>(cuda::findDevices()); });
    QVERIFY2(text.contains("12.4") && text.contains("13.0"), qPrintable(text));
    QVERIFY2(text.contains("install driver 580 or later"), qPrintable(text));
}

void TestCudaDevice::Find_gpuOfNoUse_saysWhy()
{
    const auto reason = [](int major, int minor, int mode) {
        return QString::fromStdString(cuda::reasonAgainst(3, major, minor, mode));
    };
    QCOMPARE(reason(7, 5, cudaComputeModeDefault), QString());
    QCOMPARE(reason(9, 0, cudaComputeModeExclusiveProcess), QString());
    QVERIFY(reason(7, 2, cudaComputeModeDefault).contains("is 7.2, and CUDA 13 needs 7.5"));
    QVERIFY(reason(9, 0, cudaComputeModeProhibited).contains("nvidia-smi -i 3 -c DEFAULT"));
}

void TestCudaDevice::Allocate_memory_isZeroAndGivenBack()
{
    {
        const CudaDevice device(0);
        for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{100'000}}) {
            const DeviceMemory memory = device.allocate(bytes);
            QVERIFY(memory.data() != nullptr);
            std::vector<std::byte> values(bytes, std::byte{1});
            device.copyOut(values.data(), memory.data(), bytes);
            QVERIFY(std::ranges::all_of(values, [](std::byte b) { return b == std::byte{0}; }));
        }
    }
    QCOMPARE(emulation::counters().allocations, 0);
}

void TestCudaDevice::Allocate_tooMuch_saysHowMuchIsFree()
{
    emulation::MachineSettings machine;
    machine.memoryPerDevice = std::size_t{100} << 20U;
    emulation::reset(machine);
    const CudaDevice device(0);
    const DeviceMemory some = device.allocate(std::size_t{30} << 20U);
    const QString text =
        failureOf([&] { static_cast<void>(device.allocate(std::size_t{80} << 20U)); });
    for (const char* part : {"cuda:0", "80 MiB", "70 MiB of 100 MiB", "smaller batch"}) {
        QVERIFY2(text.contains(part), qPrintable(text));
    }
    // And goes on working.
    QVERIFY(device.allocate(std::size_t{40} << 20U).data() != nullptr);
}

void TestCudaDevice::Copy_thereAndBack_isTheSame()
{
    const CudaDevice device(0);
    test::Random random(4);
    const auto values = random.floats(1000, -1.0, 1.0);
    const DeviceMemory memory = device.allocate(values.size() * sizeof(float));
    device.copyIn(memory.data(), values.data(), memory.bytes());
    std::vector<float> back(values.size());
    device.copyOut(back.data(), memory.data(), memory.bytes());
    QVERIFY(back == values);
}

void TestCudaDevice::Tensor_writtenAndRead_isTheSame_data()
{
    QTest::addColumn<bool>("isShort");
    QTest::addColumn<int>("channels");
    QTest::newRow("float32") << false << 3;
    QTest::newRow("float32, padded") << false << 4;
    QTest::newRow("bfloat16") << true << 3;
    QTest::newRow("bfloat16, padded") << true << 8;
}

void TestCudaDevice::Tensor_writtenAndRead_isTheSame()
{
    QFETCH(bool, isShort);
    QFETCH(int, channels);
    const CudaDevice device(0);
    const auto type = isShort ? cuda::DataType::Bfloat16 : cuda::DataType::Float32;
    const TensorPlan plan = cuda::tensorPlan(5, {4, 3, 3}, cuda::CudaLayout{type, channels});
    const DeviceMemory tensor = device.allocate(plan.bytes);
    std::vector<float> values(std::size_t{5} * 4 * 3 * 3);
    std::ranges::generate(values, [next = -90.0F]() mutable { return next += 1.0F; });
    device.write(plan, values, tensor.data());
    std::vector<float> back(values.size());
    device.read(plan, tensor.data(), back);
    QVERIFY(back == values); // whole numbers below 256 are exact in both types
}

void TestCudaDevice::StoredOrder_everyWeight_hasOnePlace_data()
{
    QTest::addColumn<int>("precision");
    QTest::newRow("float32") << static_cast<int>(Precision::Float32);
    QTest::newRow("bfloat16") << static_cast<int>(Precision::Bfloat16);
}

void TestCudaDevice::StoredOrder_everyWeight_hasOnePlace()
{
    QFETCH(int, precision);
    const NetworkSpec network = cifar10Network();
    for (const Layer& layer : network.layers) {
        if (layer.parameters.empty()) {
            continue;
        }
        const Layer& source = network.layers[static_cast<std::size_t>(layer.inputs.front())];
        const StoredOrder order =
            cuda::storedOrder(layer, source, static_cast<Precision>(precision));
        const auto& weights =
            network.parameters[static_cast<std::size_t>(layer.parameters.front())];
        std::set<std::int32_t> seen;
        for (const std::int32_t from : order.source) {
            QVERIFY(from < weights.elements());
            QVERIFY(from < 0 || seen.insert(from).second);
        }
        QCOMPARE(static_cast<std::int64_t>(seen.size()), weights.elements());
        if (layer.name == "conv1") {
            // Filter 1, row 0, column 1, channel 2: PyTorch has it at ((1 * 3 + 2) * 5 + 0) * 5
            // + 1.
            const std::size_t stored = precision == static_cast<int>(Precision::Float32) ? 4 : 8;
            QCOMPARE(order.source.size(), std::size_t{64} * 25 * stored);
            QCOMPARE(order.source[(25 + 1) * stored + 2], 126);
            QCOMPARE(order.source[(25 + 1) * stored + 3], -1);
        }
        if (layer.name == "local3") {
            // Unit 2, row 1, column 0, channel 7 of 6 x 6 x 64.
            QCOMPARE(order.source[2 * 2304 + 6 * 64 + 7], 2 * 2304 + 7 * 36 + 6);
        }
    }
}

void TestCudaDevice::Arena_writtenAndRead_isTheSame()
{
    const CudaDevice device(0);
    const NetworkSpec network = cifar10Network();
    for (const Precision precision : {Precision::Float32, Precision::Bfloat16}) {
        const ParameterArena arena(device, network, precision);
        arena.initialize(network, 9);
        const auto expected = referenceParameters(network, 9);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto weights = arena.read(arena.weights(), static_cast<int>(i));
            QVERIFY(std::ranges::equal(weights, expected[i], [](float got, double wanted) {
                return got == static_cast<float>(wanted);
            }));
            QVERIFY(arena.read(arena.movingAverage(), static_cast<int>(i)) == weights);
        }
    }
}

void TestCudaDevice::Arena_operands_areTheRoundedWeights()
{
    const CudaDevice device(0);
    const NetworkSpec network = cifar10Network();
    const ParameterArena arena(device, network, Precision::Bfloat16);
    arena.initialize(network, 9);
    const auto elements = static_cast<std::size_t>(arena.layout().elements);
    std::vector<float> weights(elements);
    std::vector<std::uint16_t> operands(elements);
    device.copyOut(
        weights.data(), reinterpret_cast<const std::byte*>(arena.weights()), elements * 4);
    device.copyOut(operands.data(), arena.operands(), elements * 2);
    bool isRounded = false;
    for (std::size_t i = 0; i < elements; ++i) {
        const auto operand = std::bit_cast<float>(static_cast<std::uint32_t>(operands[i]) << 16U);
        QVERIFY(std::abs(operand - weights[i]) <= std::abs(weights[i]) / 256.0F);
        isRounded = isRounded || operand != weights[i];
    }
    QVERIFY(isRounded);
    QVERIFY(arena.movingAverageView().operands != arena.weightsView().operands);
    const ParameterArena plain(device, network, Precision::Tf32);
    QVERIFY(plain.operands() == nullptr);
}

LOCKSTEP_TEST(TestCudaDevice)
#include "test_cuda_device.moc"
