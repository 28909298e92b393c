// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/emulated_runtime.h"
#include "cuda/fake_libraries.h"
#include "device/cpu/cpu_device.h"
#include "device/cuda/cuda_device.h"
#include "session/step/stepper.h"
#include "support/fake_dataset.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::test {

/// A network with every kind of layer that the emulation runs in a moment.
inline NetworkSpec tinyNetwork()
{
    NetworkBuilder net("tiny", {10, 9, 3}, 10);
    const ParameterSettings decayed{TruncatedNormal{0.15}, Constant{0.1}, 0.004, "network"};
    const ParameterSettings plain{TruncatedNormal{0.15}, Constant{0.1}, 0.0, "network"};
    LayerId top =
        net.add("conv1", Conv2d{8, {5, 5}, {1, 1}, Padding::Same, Activation::Relu, plain}, {0});
    top = net.add("pool1", MaxPool{{3, 3}, {2, 2}, Padding::Same}, {top});
    top = net.add("norm1", Lrn{4, 1.0, 0.01, 0.75}, {top});
    top =
        net.add("conv2", Conv2d{16, {3, 3}, {2, 2}, Padding::Same, Activation::Relu, plain}, {top});
    top = net.add("pool2", AveragePool{{2, 2}, {1, 1}, Padding::Same}, {top});
    top = net.add("local3", Dense{24, Activation::Relu, decayed}, {top});
    top = net.add("dropout3", Dropout{0.8}, {top});
    top = net.add("logits", Dense{10, Activation::None, plain}, {top});
    net.output("logits", top);
    net.objective({"cross_entropy", 1.0, SoftmaxCrossEntropy{top, 0.1}, {}});
    return net.build();
}

/// How a run of steps is made.
struct AcceleratorCase
{
    int towers = 2;
    std::int64_t batchPerTower = 4;
    Precision precision = Precision::Float32;
    emulation::MachineSettings machine = {};
    bool isOnHost = false; ///< on the CPU device instead
    bool isCaptured = true;
    StepFeatures features = StepFeatures::all();
    double learningRate = 0.05;
    ShardKind shards = ShardKind::Distinct;
    NetworkSpec network = tinyNetwork();
    OptimizerSettings optimizer = {};
    std::map<std::string, std::string> algorithms = {};
    std::int64_t gradientsEverySteps = 0;
    int passes = 1;
    double mixup = 0.0;
    /// Of one of several ranks, on GPUs of their own of a machine that is there already.
    RankShare share = {};
    int firstDevice = 0;
};

/// Everything that a stepper needs, on emulated GPUs or on the CPU.
class AcceleratorRun
{
public:
    explicit AcceleratorRun(const AcceleratorCase& settings, const Dataset* dataset = nullptr)
        : network(settings.network), m_ownDataset(37, {12, 11, 3}),
          m_dataset(dataset != nullptr ? *dataset : m_ownDataset), m_settings(settings)
    {
        if (settings.isOnHost) {
            m_devices.push_back(std::make_unique<cpu::CpuDevice>());
        } else {
            if (settings.share.ranks == nullptr) {
                resetFakeLibraries();
                emulation::reset(settings.machine);
            }
            for (int i = 0; i < settings.machine.devices; ++i) {
                m_devices.push_back(std::make_unique<cuda::CudaDevice>(settings.firstDevice + i));
            }
        }
    }

    /// Plans the steps; `start` begins them.
    void make()
    {
        StepperSettings settings;
        for (const auto& device : m_devices) {
            settings.devices.push_back(device.get());
        }
        settings.network = &network;
        settings.dataset = &m_dataset;
        settings.shape = {m_settings.towers, 1, m_settings.batchPerTower, m_settings.passes};
        settings.share = m_settings.share;
        settings.precision = m_settings.precision;
        settings.input.globalBatch = settings.shape.globalBatch();
        if (settings.share.ranks != nullptr) {
            const TowerRange& own = settings.share.towers;
            settings.input.firstRow = own.first * settings.shape.batchPerTower;
            settings.input.rowCount = own.count * settings.shape.batchPerTower;
        }
        settings.input.seed = 11;
        settings.input.shards = {m_settings.shards, m_settings.towers, m_settings.towers - 1, 2};
        settings.input.distortion.cropHeight = network.inputShape().height;
        settings.input.distortion.cropWidth = network.inputShape().width;
        settings.input.distortion.mixup = m_settings.mixup;
        settings.schedule = [this](std::int64_t step) {
            const double rate = m_settings.learningRate / (1.0 + static_cast<double>(step));
            return updateAt(m_settings.optimizer, rate, 0.9, step);
        };
        settings.optimizer = m_settings.optimizer;
        settings.isCaptured = m_settings.isCaptured;
        settings.features = m_settings.features;
        settings.algorithms = m_settings.algorithms;
        settings.gradientsEverySteps = m_settings.gradientsEverySteps;
        stepper = makeStepper(settings);
    }
    void start()
    {
        make();
        stepper->arena().initialize(network, 3);
        stepper->parametersChanged();
        stepper->start(0, 0);
    }

    /// Makes steps and returns the mean loss, weight decay included, of each.
    std::vector<double> losses(std::int64_t from, std::int64_t to)
    {
        std::vector<double> values;
        for (std::int64_t step = from; step < to; ++step) {
            const StepOutcome& outcome = stepper->next(to);
            if (outcome.gradients) {
                gradients.push_back(*outcome.gradients);
            }
            double sum = 0.0;
            for (const TowerResult& tower : outcome.towers) {
                sum += tower.lossSum / static_cast<double>(tower.examples);
            }
            values.push_back(
                sum / static_cast<double>(outcome.towers.size()) + outcome.weightDecayLoss);
        }
        return values;
    }

    /// All parameters in PyTorch's order: weights, or moving averages.
    [[nodiscard]] std::vector<float> parameters(bool isAverage = false) const
    {
        const ParameterArena& arena = stepper->arena();
        return valuesOf(isAverage ? arena.movingAverage() : arena.weights());
    }
    /// The same of any part of the arena.
    [[nodiscard]] std::vector<float> valuesOf(const float* part) const
    {
        std::vector<float> all;
        const ParameterArena& arena = stepper->arena();
        for (std::size_t i = 0; i < network.parameters.size(); ++i) {
            const auto values = arena.read(part, static_cast<int>(i));
            all.insert(all.end(), values.begin(), values.end());
        }
        return all;
    }

    const NetworkSpec network;
    std::unique_ptr<Stepper> stepper;
    std::vector<GradientRecord> gradients; ///< of all measured steps

private:
    FakeDataset m_ownDataset;
    const Dataset& m_dataset;
    AcceleratorCase m_settings;
    std::vector<std::unique_ptr<Device>> m_devices;
};

/// Steps from a fresh start on one kind of machine.
struct StepsTaken
{
    std::vector<double> losses;
    std::vector<float> weights;
    std::vector<float> averages;
    std::vector<GradientRecord> gradients = {};

    /// In what is trained.
    bool operator==(const StepsTaken& other) const
    {
        return losses == other.losses && weights == other.weights && averages == other.averages;
    }
};

inline StepsTaken takeSteps(
    const AcceleratorCase& settings, std::int64_t steps, const Dataset* dataset = nullptr)
{
    AcceleratorRun run(settings, dataset);
    run.start();
    StepsTaken taken;
    taken.losses = run.losses(0, steps);
    taken.weights = run.parameters();
    taken.averages = run.parameters(true);
    taken.gradients = run.gradients;
    return taken;
}

} // namespace lockstep::test
