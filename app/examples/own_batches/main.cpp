// SPDX-License-Identifier: Apache-2.0
// Trains a network on pictures that this program draws itself, in two towers:
//     own_batches RUN_FOLDER
// Meanwhile, and afterwards, `lockstep RUN_FOLDER` shows the run.
#include <lockstep/lockstep.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>

namespace api = lockstep::api;

namespace {

/// Grey pictures of 16 x 16: a ring or a disc, somewhere, of some size, with noise. An example is
/// made from its number alone, so that it is the same whenever it is asked for.
class Circles final : public api::Dataset
{
public:
    Circles(unsigned seed, std::int64_t size) : m_seed(seed), m_size(size) {}

    [[nodiscard]] std::string name() const override { return "circles"; }
    [[nodiscard]] api::ImageShape imageShape() const override { return {kSide, kSide, 1}; }
    [[nodiscard]] std::vector<std::string> classNames() const override { return {"ring", "disc"}; }
    [[nodiscard]] std::int64_t size() const override { return m_size; }

    [[nodiscard]] int example(std::int64_t index, std::span<std::uint8_t> pixels) const override
    {
        std::seed_seq seed{m_seed, static_cast<unsigned>(index)};
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> centre(5.0, 10.0);
        const double x = centre(random);
        const double y = centre(random);
        const double radius = std::uniform_real_distribution<double>(3.0, 5.0)(random);
        std::normal_distribution<double> noise(64.0, 16.0);
        const int label = static_cast<int>(index % 2);
        for (int i = 0; i < kSide * kSide; ++i) {
            const double distance = std::hypot(i % kSide - x, i / kSide - y);
            const bool isInk = distance < radius && (label == 1 || distance > radius - 1.5);
            const double value = noise(random) + (isInk ? 96.0 : 0.0);
            pixels[static_cast<std::size_t>(i)] =
                static_cast<std::uint8_t>(std::fmin(std::fmax(value, 0.0), 255.0));
        }
        return label;
    }

private:
    static constexpr int kSide = 16;
    unsigned m_seed;
    std::int64_t m_size;
};

/// resources/models/small.toml explains the form.
constexpr const char* kNetwork = R"(
name = "circles"
classes = 2
input = { height = 16, width = 16, channels = 1 }
layer = [
    { name = "conv1", type = "conv2d", channels = 8, activation = "relu", initializer = "he_normal" },
    { name = "pool1", type = "max_pool" },
    { name = "local2", type = "dense", units = 16, activation = "relu", initializer = "he_normal" },
    { name = "logits", type = "dense", units = 2 },
]
objective = [ { name = "cross_entropy", logits = "logits" } ]
)";

/// Prints each tenth step: the loss of each tower, their mean, and the last one alone.
class Printer final : public api::Observer
{
public:
    void onStep(const api::Step& step) override
    {
        if (step.step % 10 == 0) {
            std::printf("step %3d:", static_cast<int>(step.step));
            for (const api::Tower& tower : step.towers) {
                std::printf("  %.3f", tower.loss);
            }
            std::printf("  mean %.3f  last %.3f\n", step.lossMean, step.lossLast);
        }
    }
};

} // namespace

int main(int argc, char** argv)
try {
    const Circles training(1, 2000);
    const Circles unseen(2, 500);
    Printer printer;
    api::TrainingRequest request{argc > 1 ? argv[1] : "run", kNetwork};
    request.settings = {
        {"towers", "2"},
        {"batch_per_tower", "32"},
        {"steps", "100"},
        {"optimizer.name", "adam"},
        {"learning_rate.initial", "0.01"},
        {"input.flip", "false"}};
    request.training = &training;
    request.test = &unseen;
    const auto trained = api::train(request, printer);
    const auto tested = api::test({trained.checkpoint, &unseen});
    std::printf("accuracy %.3f of %s\n", tested.evaluation.accuracy, trained.folder.c_str());
    return tested.evaluation.accuracy > 0.9 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
}
