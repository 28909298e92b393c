// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/image_predictor.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "dataset/examples/class_names.h"
#include "dataset/formats/catalog.h"
#include "device/registry/device_registry.h"
#include "input/batch_builder.h"
#include "session/config/run_data.h"
#include "session/evaluation/evaluation_data.h"
#include "session/evaluation/image_classes.h"
#include "session/evaluation/image_file.h"
#include "session/evaluation/open_checkpoint.h"
#include "session/step/image_scoring.h"
#include "session/training/training_session.h"
#include "session/training/training_state.h"
#include "tower/replica.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace lockstep {
namespace {

NetworkSpec askableNetwork(const RunConfig& config, const std::filesystem::path& checkpoint)
{
    NetworkSpec network = makeNetwork(config.model);
    if (classifiesImages(network)) {
        return withLogits(std::move(network));
    }
    if (!canScoreImages(network) || !maskedInputOf(config)) {
        fail(
            ErrorCode::BadInput,
            "{}: its model, {}, neither detects nor classifies images; take a checkpoint of one "
            "that does, such as segdecnet or cifar10",
            checkpoint.string(), network.name);
    }
    return network;
}

std::vector<float> softmax(std::vector<float> logits)
{
    const float largest = std::ranges::max(logits);
    double sum = 0.0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - largest);
    }
    std::ranges::for_each(logits, [&](float& logit) {
        logit = static_cast<float>(std::exp(static_cast<double>(logit) - largest) / sum);
    });
    return logits;
}

} // namespace

std::vector<ClassProbability> likeliestClasses(const PredictedImage& tried, std::size_t most)
{
    std::vector<ClassProbability> classes;
    for (std::size_t i = 0; i < tried.classProbabilities.size(); ++i) {
        classes.push_back(
            {static_cast<std::int32_t>(i),
             i < tried.classNames.size() ? tried.classNames[i] : std::to_string(i),
             static_cast<double>(tried.classProbabilities[i])});
    }
    const auto known = [](const ClassProbability& of) {
        return std::isnan(of.probability) ? -1.0 : of.probability; // behind all others
    };
    std::ranges::stable_sort(classes, std::greater<>(), known);
    classes.resize(std::min(classes.size(), most));
    return classes;
}

/// In the order in which one needs the other.
struct ImagePredictor::Parts
{
    Parts(const PredictionRequest& request, const LoadedCheckpoint& loaded)
        : config(configurationOf(loaded, request.weights, request.dataPath)),
          network(askableNetwork(config, loaded.file.path)), device(openDevice("cpu")),
          arena(*device, network), file(loaded.file), notes(loaded.checkpoint.notes),
          isOwnPlace(isPlaceOfTraining(loaded, config)),
          namesOfTraining(classNamesFrom(loaded.checkpoint.notes)), thread("image", 1, false)
    {
        readDataAs(config, request.settings);
        restoreParameters(network, loaded.checkpoint, arena);
        weights =
            request.weights == WeightsKind::Raw ? arena.weightsView() : arena.movingAverageView();
        PipelineSettings settings;
        settings.globalBatch = 1;
        settings.distortion = distortionFor(config, network);
        pipeline = settings.forEvaluation();
    }

    /// One forward pass over an example.
    PredictedImage look(const Dataset& dataset, std::int64_t example)
    {
        PredictedImage tried;
        thread.run([&](int /*worker*/) {
            device->enterThread(1);
            const RowOrder order(dataset, pipeline);
            BatchBuilder builder(dataset, pipeline, order);
            Batch batch;
            builder.build(example, batch);
            if (!replica) {
                ReplicaSettings settings;
                settings.examples = 1;
                replica.emplace(*device, network, arena.layout(), settings);
            }
            replica->forward(weights, {batch.images, batch.labels, batch.masks});
            if (classifiesImages(network)) {
                tried.score.example = example;
                tried.score.name = dataset.exampleName(example);
                tried.classProbabilities = softmax(logitsOf(*replica));
                tried.classLabel = batch.labels.front();
            } else {
                tried.score = scoreImage(network, *replica, batch, dataset);
                tried.probabilities = replica->output(kMaskOutput);
                tried.maskShape = *batch.maskShape;
            }
            tried.inputShape = batch.shape;
            tried.input = std::move(batch.images);
            tried.label = std::move(batch.masks);
        });
        pipeline.distortion.makeVisible(tried.input, tried.inputShape.channels);
        return tried;
    }

    /// Opened when it is first needed.
    const Dataset& tests()
    {
        if (!testSet) {
            testSet = openEvaluationData({config, {}, isOwnPlace}, notes, {});
        }
        return *testSet;
    }

    /// The data set is asked where the checkpoint does not say.
    std::vector<std::string> classNames()
    {
        return namesOfTraining.empty() ? tests().info().classNames : namesOfTraining;
    }

    RunConfig config;
    NetworkSpec network;
    std::unique_ptr<Device> device;
    ParameterArena arena;
    CheckpointFile file;
    CheckpointNotes notes;                    ///< of the checkpoint
    bool isOwnPlace;                          ///< the data lie where those of the training lay
    std::vector<std::string> namesOfTraining; ///< as the checkpoint notes them
    WeightsView weights;
    PipelineSettings pipeline;
    ThreadTeam thread;
    std::shared_ptr<const Dataset> testSet; ///< none before it is needed
    std::optional<Replica> replica;         ///< made on the thread that uses it
};

ImagePredictor::ImagePredictor(
    const PredictionRequest& request, const std::function<void(const std::string&)>& onNote)
    : m_parts(std::make_unique<Parts>(request, openCheckpoint(request.checkpoint, onNote)))
{
}

ImagePredictor::~ImagePredictor() = default;

const std::filesystem::path& ImagePredictor::checkpoint() const
{
    return m_parts->file.path;
}

std::int64_t ImagePredictor::step() const
{
    return m_parts->file.step;
}

PixelRules ImagePredictor::pixelRules() const
{
    return pixelRulesOf(m_parts->config);
}

PredictedImage ImagePredictor::testImage(std::int64_t example)
{
    const Dataset& tests = m_parts->tests();
    const std::int64_t examples = tests.size();
    if (example < 0 || example >= examples) {
        fail(
            ErrorCode::BadInput,
            "the test set has no example {}: its examples are numbered from 0 to {}", example,
            examples - 1);
    }
    PredictedImage tried = m_parts->look(tests, example);
    tried.hasLabel = true;
    tried.classNames = filledClassNames(m_parts->namesOfTraining, tests.info().classNames);
    return tried;
}

PredictedImage ImagePredictor::imageFile(const std::filesystem::path& file)
{
    const DistortionSettings& distortion = m_parts->pipeline.distortion;
    const PixelRules rules = pixelRulesOf(m_parts->config);
    const auto alone = distortion.masked  ? maskedImageFile(file, rules)
                       : distortion.photo ? photographFile(file, rules)
                                          : resizedImageFile(file, m_parts->tests().info(), rules);
    PredictedImage tried = m_parts->look(*alone, 0);
    if (classifiesImages(m_parts->network)) {
        tried.classNames = m_parts->classNames();
    }
    tried.label.clear();
    return tried;
}

} // namespace lockstep
