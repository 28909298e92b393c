// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/runtime/dnnl_helpers.h"
#include "device/registry/device_registry.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/replica_check.h"

using namespace lockstep;
using test::convolution;
using test::failureOf;

class TestCpuDevice : public QObject
{
    Q_OBJECT

private slots:
    void Info_saysWhatThereIs()
    {
        const cpu::CpuDevice device;
        QCOMPARE(device.info().name, std::string("cpu"));
        QVERIFY(device.info().processors >= 1);
        QVERIFY(device.info().memoryBytes > (std::int64_t{1} << 20U));
        QVERIFY(device.info().library.starts_with("oneDNN "));
        QVERIFY(!device.info().description.empty());
    }

    void Precision_isHad_orLackedForAReason()
    {
        const cpu::CpuDevice device;
        const DeviceInfo& info = device.info();
        const std::vector had{Precision::Float32, Precision::Bfloat16};
        QVERIFY(info.precisions == had);
        QVERIFY(!info.lacks.at(Precision::Tf32).empty());
        QCOMPARE(device.operandBytes(Precision::Float32), std::size_t{0});
        // Weights are rounded just where bfloat16 numbers are multiplied.
        QCOMPARE(
            device.operandBytes(Precision::Bfloat16),
            cpu::multipliesBfloat16() ? std::size_t{2} : std::size_t{0});
    }

    void Memory_isAlignedAndZero()
    {
        const cpu::CpuDevice device;
        for (const std::size_t bytes : {0U, 1U, 256U, 1000U}) {
            const DeviceMemory memory = device.allocate(bytes);
            QVERIFY(memory.bytes() >= bytes);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(memory.data()) % 256, std::uintptr_t{0});
            QVERIFY(std::all_of(memory.data(), memory.data() + memory.bytes(), [](std::byte value) {
                return value == std::byte{0};
            }));
        }
    }

    void WriteAndRead_everyLayout_giveTheValuesBack()
    {
        // Blocks of channels (behind a convolution), rows of channels (behind the normalisation of
        // planes), planes (the input) and a vector.
        const NetworkSpec network = test::chain(
            {3, 5, 6}, {Lrn{}, convolution(17, {2, 2}), test::fullyConnected(9)}, 4, true);
        test::Random random(1);
        const auto parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, 2, random);
        const cpu::CpuDevice device;
        OpPlan plan;
        plan.examples = 2;
        plan.dstShape = network.inputShape();
        const auto input = device.makeOp(network.layers.front().spec);
        input->plan(plan);
        const DeviceMemory memory = device.allocate(plan.dst.bytes);
        device.write(plan.dst, examples.images, memory.data());
        std::vector<float> back(examples.images.size());
        device.read(plan.dst, memory.data(), back);
        QVERIFY(back == examples.images);

        const auto errors =
            test::compareWithReference(network, parameters, examples, {Precision::Float32});
        QVERIFY(errors.forward < test::tolerance::kForward);
    }

    void Registry_knowsWhatIsThere_andWhyNot()
    {
        const auto reports = findDevices();
        QVERIFY(reports.size() >= 2);
        QVERIFY(reports.at(0).isAvailable && reports.at(0).name == "cpu");
        QVERIFY(reports.at(1).isAvailable || !reports.at(1).reason.empty());
    }

    void Registry_auto_fallsBackAndSaysSo_aNamedDeviceIsStrict()
    {
        QCOMPARE(openDevices("cpu", 1).note, std::string());
        const DeviceChoice choice = openDevices("auto", 1);
        QCOMPARE(choice.devices.size(), std::size_t{1});
        if (choice.first().info().name == "cpu") {
            QVERIFY(!choice.note.empty());
            QVERIFY(failureOf([] { openDevice("cuda"); }).contains("'cuda'"));
            QVERIFY(failureOf([] { openDevice("cuda:1"); }).contains("'cuda:1'"));
        }
        QVERIFY(failureOf([] { openDevice("gpu"); }).contains("'gpu'"));
    }

    void Precision_namesAreThoseOfTheFlags()
    {
        for (const Precision precision :
             {Precision::Float32, Precision::Tf32, Precision::Bfloat16}) {
            QVERIFY(precisionByName(toString(precision)) == precision);
        }
        QVERIFY(failureOf([] { precisionByName("fp16"); }).contains("'fp16'"));
    }

    void Labels_beyondTheClasses_areRefused()
    {
        const NetworkSpec network = test::chain({2, 2, 1}, {}, 3);
        test::Random random(2);
        const auto parameters = test::randomParameters(network, random);
        for (const std::int32_t label : {-1, 3}) {
            auto examples = test::randomExamples(network, 2, random);
            examples.labels.at(1) = label;
            const auto what =
                failureOf([&] { const test::CpuPass pass(network, parameters, examples); });
            QVERIFY2(what.contains("cross_entropy") && what.contains("label"), qPrintable(what));
        }
    }

    void Rows_ofAnotherNumber_areRefused()
    {
        const NetworkSpec network = test::chain({2, 2, 1}, {}, 3);
        test::Random random(2);
        const auto parameters = test::randomParameters(network, random);
        test::CpuPass pass(network, parameters, test::randomExamples(network, 2, random));
        const auto three = test::randomExamples(network, 3, random);
        QVERIFY(failureOf([&] { pass.run(three); }).contains("input"));
    }

    void Report_namesEveryLayer_andItsAlgorithm()
    {
        const NetworkSpec network = test::chain({4, 4, 3}, {convolution(8, {3, 3})}, 3);
        test::Random random(2);
        const auto parameters = test::randomParameters(network, random);
        const test::CpuPass pass(network, parameters, test::randomExamples(network, 2, random));
        QStringList names;
        for (const OpReport& report : pass.replica().report()) {
            names << QString::fromStdString(report.layer);
            QVERIFY(!report.algorithm.empty() && report.dstBytes > 0);
        }
        QCOMPARE(names, QStringList({"input", "1-conv2d", "logits", "cross_entropy"}));
    }
};

LOCKSTEP_TEST(TestCpuDevice)
#include "test_cpu_device.moc"
