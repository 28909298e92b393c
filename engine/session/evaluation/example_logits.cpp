// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/example_logits.h"

#include "base/atomic_file.h"
#include "input/batch_builder.h"
#include "session/evaluation/evaluation.h"
#include "session/evaluation/image_classes.h"
#include "tower/replica.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

namespace lockstep {
namespace {

/// The logits of the batches, from `builder`, that hold the examples asked for.
class LogitsPass
{
public:
    explicit LogitsPass(const ExampleLogitsRequest& request)
        : m_request(request), m_network(withLogits(request.network)),
          m_chunks(evaluationChunks(request.network, request.distortion))
    {
    }

    std::vector<ExampleLogits> run()
    {
        const std::int64_t wanted = std::min(m_request.examples, m_request.dataset.size());
        const RowOrder order(m_request.dataset, m_chunks);
        BatchBuilder builder(m_request.dataset, m_chunks, order);
        Batch batch;
        for (std::int64_t i = 0; i * m_chunks.globalBatch < wanted; ++i) {
            builder.build(i, batch);
            add(batch);
        }
        m_logits.resize(static_cast<std::size_t>(wanted));
        return std::move(m_logits);
    }

private:
    void add(const Batch& batch)
    {
        if (!m_replica || m_replica->settings().examples != batch.examples) {
            ReplicaSettings settings;
            settings.examples = batch.examples;
            m_replica =
                std::make_unique<Replica>(m_request.device, m_network, m_request.layout, settings);
        }
        m_replica->forward(m_request.weights, {batch.images, batch.labels, batch.masks});
        const std::vector<float> values = logitsOf(*m_replica);
        const auto classes = std::ssize(values) / batch.examples;
        for (std::int64_t row = 0; row < batch.examples; ++row) {
            const auto first = values.begin() + row * classes;
            const auto number = static_cast<std::size_t>(row);
            m_logits.push_back({batch.ids[number], batch.labels[number], {first, first + classes}});
        }
    }

    const ExampleLogitsRequest& m_request;
    NetworkSpec m_network;
    PipelineSettings m_chunks;
    std::unique_ptr<Replica> m_replica;
    std::vector<ExampleLogits> m_logits;
};

} // namespace

std::vector<ExampleLogits> exampleLogits(const ExampleLogitsRequest& request, ThreadTeam& threads)
{
    std::vector<ExampleLogits> logits;
    threads.run([&](int worker) {
        if (worker == 0) {
            request.device.enterThread(1);
            logits = LogitsPass(request).run();
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
