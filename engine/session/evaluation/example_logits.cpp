// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/example_logits.h"

#include "base/atomic_file.h"
#include "input/batch_builder.h"
#include "session/evaluation/evaluation.h"
#include "session/evaluation/image_classes.h"
#include "tower/replica.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

namespace lockstep {
namespace {

/// Those of the rows of the last forward pass, which was over `batch`.
void addRows(const Replica& replica, const Batch& batch, std::vector<ExampleLogits>& logits)
{
    const std::vector<float> values = logitsOf(replica);
    const auto classes = std::ssize(values) / batch.examples;
    for (std::int64_t row = 0; row < batch.examples; ++row) {
        const auto first = values.begin() + row * classes;
        const auto number = static_cast<std::size_t>(row);
        logits.push_back({batch.ids[number], batch.labels[number], {first, first + classes}});
    }
}

/// On the thread that calls.
std::vector<ExampleLogits> passOver(const ExampleLogitsRequest& request)
{
    const NetworkSpec network = withLogits(request.network);
    const PipelineSettings chunks = evaluationChunks(request.network, request.distortion);
    const std::int64_t wanted = std::min(request.examples, request.dataset.size());
    const RowOrder order(request.dataset, chunks);
    BatchBuilder builder(request.dataset, chunks, order);
    Batch made;
    Batch whole;
    std::unique_ptr<Replica> replica;
    std::vector<ExampleLogits> logits;
    for (std::int64_t i = 0; i * chunks.globalBatch < wanted; ++i) {
        builder.build(i, made);
        const Batch& batch = withExamples(made, whole);
        if (batch.examples == 0) {
            continue;
        }
        if (!replica || replica->settings().examples != batch.examples) {
            ReplicaSettings settings;
            settings.examples = batch.examples;
            replica = std::make_unique<Replica>(request.device, network, request.layout, settings);
        }
        replica->forward(request.weights, {batch.images, batch.labels, batch.masks});
        addRows(*replica, batch, logits);
    }
    std::erase_if(logits, [&](const ExampleLogits& one) { return one.example >= wanted; });
    return logits;
}

} // namespace

std::vector<ExampleLogits> exampleLogits(const ExampleLogitsRequest& request, ThreadTeam& threads)
{
    std::vector<ExampleLogits> logits;
    threads.run([&](int worker) {
        if (worker == 0) {
            request.device.enterThread(1);
            logits = passOver(request);
        }
    });
    return logits;
}

void writeLogits(std::span<const ExampleLogits> logits, const std::filesystem::path& file)
{
    std::string text = "example,label";
    const std::size_t classes = logits.empty() ? 0 : logits.front().values.size();
    for (std::size_t i = 0; i < classes; ++i) {
        fmt::format_to(std::back_inserter(text), ",logit_{}", i);
    }
    text += '\n';
    for (const ExampleLogits& example : logits) {
        fmt::format_to(std::back_inserter(text), "{},{}", example.example, example.label);
        for (const float value : example.values) {
            fmt::format_to(std::back_inserter(text), ",{}", value);
        }
        text += '\n';
    }
    AtomicFile target(file);
    target.write(text);
    target.commit();
}

} // namespace lockstep
