// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/formats/catalog.h"
#include "session/evaluation/image_predictor.h"
#include "session/mirror/frame_channel.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace lockstep {

/// Answers what a RemoteMachine asks of a folder of runs: quick things on one thread, slow ones on
/// another, each in their order. Thread-safe.
class RemoteAnswers
{
public:
    using Send = std::function<void(const Frame& answer)>;

    /// `send` is called on the threads, and throws once the line is gone.
    RemoteAnswers(std::filesystem::path runs, Send send);
    /// Waits for what is being answered.
    ~RemoteAnswers();
    RemoteAnswers(const RemoteAnswers&) = delete;
    RemoteAnswers& operator=(const RemoteAnswers&) = delete;

    /// A frame with "id", "ask" and what that needs.
    void take(Frame question);

private:
    /// Questions that are answered one after the other.
    struct Desk
    {
        std::deque<Frame> waiting;
        std::condition_variable hasCome;
        std::thread thread;
    };

    void work(Desk& desk);
    void answer(const Frame& question);
    [[nodiscard]] Frame valueFor(const Frame& question);
    [[nodiscard]] std::filesystem::path runOf(const Frame& question) const;
    [[nodiscard]] Frame facts() const;
    [[nodiscard]] Frame checkpoints(const Frame& question) const;
    [[nodiscard]] Frame eventFiles(const Frame& question) const;
    [[nodiscard]] Frame part(const Frame& question) const;
    [[nodiscard]] Frame control(const Frame& question) const;
    [[nodiscard]] Frame start(const Frame& question) const;
    [[nodiscard]] Frame predict(const Frame& question);
    [[nodiscard]] Frame example(const Frame& question);

    std::filesystem::path m_runs;
    Send m_send;
    std::mutex m_mutex;
    std::atomic<bool> m_isStopped = false;
    Desk m_quick;
    Desk m_slow;
    // Of the slow desk's thread.
    std::unique_ptr<ImagePredictor> m_predictor;
    std::filesystem::path m_checkpoint;
    WeightsKind m_weights = WeightsKind::Average;
    std::unique_ptr<Dataset> m_dataset;
    DatasetRequest m_opened;
    Split m_split = Split::Train;
};

} // namespace lockstep
