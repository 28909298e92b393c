// SPDX-License-Identifier: Apache-2.0
#include "session/image_trial.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "dataset/catalog.h"
#include "dataset/file_bytes.h"
#include "dataset/masked_images.h"
#include "device/device_registry.h"
#include "input/batch_builder.h"
#include "session/image_scoring.h"
#include "session/open_checkpoint.h"
#include "session/run_data.h"
#include "session/training_session.h"
#include "session/training_state.h"
#include "tower/replica.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace lockstep {
namespace {

constexpr float kByteRange = 255.0F;

RunConfig configurationFor(const LoadedCheckpoint& loaded, const ImageTrialRequest& request)
{
    checkHasWeights(loaded, request.weights);
    RunConfig config = configurationOf(loaded);
    if (!request.dataPath.empty()) {
        config.datasetPath = request.dataPath;
    }
    return config;
}

NetworkSpec detectingNetwork(const RunConfig& config, const std::filesystem::path& checkpoint)
{
    NetworkSpec network = makeNetwork(config.model);
    if (!canScoreImages(network) || !maskedInputOf(config)) {
        fail(
            ErrorCode::BadInput,
            "{}: its model, {}, classifies images and does not detect in them; take a checkpoint "
            "of one that does, such as segdecnet",
            checkpoint.string(), network.name);
    }
    return network;
}

std::vector<std::byte> readWhole(const std::filesystem::path& file)
{
    std::error_code problem;
    if (std::filesystem::is_directory(file, problem)) {
        fail(ErrorCode::Io, "{}: is a folder; give an image", file.string());
    }
    std::vector<std::byte> content;
    readWholeFile(file, content);
    return content;
}

GrayImage readImage(const std::filesystem::path& file)
{
    GrayImage image = decodeGray(readWhole(file), file.string());
    if (std::min(image.height, image.width) < kPixelsPerCell) {
        fail(
            ErrorCode::Data,
            "{}: the image has {} x {} pixels, but each side must have at least {}; give a larger "
            "one",
            file.string(), image.height, image.width, kPixelsPerCell);
    }
    return image;
}

} // namespace

/// In the order in which one needs the other.
struct ImageTrial::Parts
{
    Parts(const ImageTrialRequest& request, const LoadedCheckpoint& loaded)
        : config(configurationFor(loaded, request)),
          network(detectingNetwork(config, loaded.file.path)), device(openDevice("cpu")),
          arena(*device, network), file(loaded.file), thread("image", 1, false)
    {
        restoreParameters(network, loaded.checkpoint, arena);
        weights =
            request.weights == WeightsKind::Raw ? arena.weightsView() : arena.movingAverageView();
        PipelineSettings settings;
        settings.globalBatch = 1;
        settings.distortion = distortionFor(config, network);
        pipeline = settings.forEvaluation();
    }

    /// One forward pass over an example.
    TriedImage look(const Dataset& dataset, std::int64_t example)
    {
        TriedImage tried;
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
            tried.score = scoreImage(network, *replica, batch, dataset);
            tried.probabilities = replica->output(kMaskOutput);
            tried.inputShape = batch.shape;
            tried.maskShape = *batch.maskShape;
            tried.input = std::move(batch.images);
            tried.label = std::move(batch.masks);
        });
        if (pipeline.distortion.masked->pixels == PixelRange::Byte) {
            std::ranges::for_each(tried.input, [](float& value) { value /= kByteRange; });
        }
        return tried;
    }

    RunConfig config;
    NetworkSpec network;
    std::unique_ptr<Device> device;
    ParameterArena arena;
    CheckpointFile file;
    WeightsView weights;
    PipelineSettings pipeline;
    ThreadTeam thread;
    std::unique_ptr<Dataset> testSet; ///< none before it is asked for
    std::optional<Replica> replica;   ///< made on the thread that uses it
};

ImageTrial::ImageTrial(
    const ImageTrialRequest& request, const std::function<void(const std::string&)>& onNote)
    : m_parts(std::make_unique<Parts>(request, openCheckpoint(request.checkpoint, onNote)))
{
}

ImageTrial::~ImageTrial() = default;

const std::filesystem::path& ImageTrial::checkpoint() const
{
    return m_parts->file.path;
}

std::int64_t ImageTrial::step() const
{
    return m_parts->file.step;
}

TriedImage ImageTrial::testImage(std::int64_t example)
{
    if (!m_parts->testSet) {
        m_parts->testSet = openDataset(datasetOf(m_parts->config), Split::Test);
    }
    const std::int64_t examples = m_parts->testSet->size();
    if (example < 0 || example >= examples) {
        fail(
            ErrorCode::BadInput, "the test set has no example {}: they are numbered from 0 to {}",
            example, examples - 1);
    }
    TriedImage tried = m_parts->look(*m_parts->testSet, example);
    tried.hasLabel = true;
    return tried;
}

TriedImage ImageTrial::imageFile(const std::filesystem::path& file)
{
    std::vector<MaskedImage> images;
    images.push_back({file.filename().string(), readImage(file), {}});
    const MaskedImages alone("image", Split::Test, std::move(images));
    TriedImage tried = m_parts->look(alone, 0);
    tried.label.clear();
    return tried;
}

} // namespace lockstep
