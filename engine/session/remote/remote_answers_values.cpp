// SPDX-License-Identifier: Apache-2.0
#include "session/remote/remote_answers.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/this_program.h"
#include "dataset/examples/original_image.h"
#include "device/registry/device_registry.h"
#include "session/config/run_config.h"
#include "session/config/run_data.h"
#include "session/config/version.h"
#include "session/control/run_remote.h"
#include "session/launch/training_launch.h"
#include "session/mirror/beginning_checksum.h"
#include "session/remote/remote_frames.h"
#include "session/run/training_run.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_stamp.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLaunchLookEvery(200);
constexpr std::int64_t kMostPartBytes = 4 << 20;

std::string contentOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<RemoteFacts::Preset> savedPresets()
{
    std::vector<RemoteFacts::Preset> presets;
    std::error_code error;
    const fs::path folder = RunFolder::defaultRunsFolder().parent_path() / "presets";
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        if (entry->path().extension() == ".toml") {
            presets.push_back({entry->path().stem().string(), contentOf(entry->path())});
        }
    }
    std::ranges::sort(presets, {}, &RemoteFacts::Preset::name);
    return presets;
}

std::string folderOf(std::string_view dataset)
{
    try {
        return datasetFolder(dataset, {}).string();
    } catch (const Error&) {
        return {};
    }
}

/// "2026-11-24-cifar10", with -2, -3, … behind it where that is taken.
fs::path newRunIn(const fs::path& runs, const std::string& model)
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    const std::string name = fmt::format(
        "{:04}-{:02}-{:02}-{}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday,
        fs::path(model).stem().string());
    fs::path folder = runs / name;
    for (int number = 2; fs::exists(folder); ++number) {
        folder = runs / fmt::format("{}-{}", name, number);
    }
    return folder;
}

fs::path closestCheckpoint(const fs::path& run, std::int64_t step)
{
    const auto files = listCheckpoints(RunFolder::checkpointsOf(run));
    if (files.empty()) {
        fail(ErrorCode::BadInput, "{}: it has no checkpoint yet", run.string());
    }
    const auto distance = [step](const CheckpointFile& file) { return std::abs(file.step - step); };
    return std::ranges::min_element(files, {}, distance)->path;
}

/// An image that was sent, as a file for as long as it is looked at.
class SentFile
{
public:
    SentFile(const fs::path& name, std::span<const std::uint8_t> bytes)
    {
        std::string folder = (fs::temp_directory_path() / "lockstep-image-XXXXXX").string();
        if (::mkdtemp(folder.data()) == nullptr) {
            fail(ErrorCode::Io, "{}: no folder for an image can be made{}", folder, errnoText());
        }
        m_folder = folder;
        std::ofstream file(path(name), std::ios::binary);
        file.write(
            reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
    }
    ~SentFile()
    {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }
    SentFile(const SentFile&) = delete;
    SentFile& operator=(const SentFile&) = delete;

    [[nodiscard]] fs::path path(const fs::path& name) const { return m_folder / name.filename(); }

private:
    fs::path m_folder;
};

} // namespace

fs::path RemoteAnswers::runOf(const Frame& question) const
{
    const auto name = question.at("run").get<std::string>();
    if (!isRunName(name) || !RunFolder::isRun(m_runs / name)) {
        fail(ErrorCode::BadInput, "{}: no run of this name is there", (m_runs / name).string());
    }
    return m_runs / name;
}

Frame RemoteAnswers::facts() const
{
    RemoteFacts facts{hostName(), versionText(), m_runs.string(), findDevices(),
                      {},         savedPresets()};
    for (const DatasetDescription& dataset : datasetCatalog()) {
        if (dataset.needsFolder) {
            facts.dataSets.push_back({std::string(dataset.name), folderOf(dataset.name)});
        }
    }
    return facts;
}

Frame RemoteAnswers::checkpoints(const Frame& question) const
{
    const fs::path run = runOf(question);
    Frame list = Frame::array();
    for (const CheckpointFile& file : listCheckpoints(RunFolder::checkpointsOf(run))) {
        const FileStamp stamp = fileStamp(file.path);
        if (stamp != FileStamp()) {
            list.push_back(RemoteCheckpoint{
                file.step, file.path.lexically_relative(run).string(), stamp.bytes,
                kNanosecond * static_cast<double>(stamp.nanoseconds), file.isPinned});
        }
    }
    return list;
}

Frame RemoteAnswers::eventFiles(const Frame& question) const
{
    const fs::path run = runOf(question);
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(RunFolder::eventsOf(run), error);
         !error && entry != fs::directory_iterator(); entry.increment(error)) {
        names.push_back(entry->path().lexically_relative(run).string());
    }
    std::ranges::sort(names);
    return names;
}

/// Of a file, from a place on; with its length, so that the other end knows when it has all.
Frame RemoteAnswers::part(const Frame& question) const
{
    const fs::path name = question.at("file").get<std::string>();
    const fs::path path = runOf(question) / name;
    const auto begin = question.at("from").get<std::int64_t>();
    const auto most = std::clamp<std::int64_t>(question.at("bytes"), 0, kMostPartBytes);
    std::error_code noFile;
    if (!isInside(name) || !fs::is_regular_file(path, noFile)) {
        fail(ErrorCode::BadInput, "{}: there is no such file (any more)", path.string());
    }
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(most));
    file.seekg(0, std::ios::end);
    const std::int64_t total = file.tellg();
    file.seekg(std::min(begin, total));
    file.read(reinterpret_cast<char*>(bytes.data()), most);
    if (!file.is_open() || file.bad()) {
        fail(ErrorCode::Io, "{}: can't read it", path.string());
    }
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    Frame answer{{"total", total}, {"bytes", Frame::binary(std::move(bytes))}};
    if (question.at("is_checked").get<bool>()) {
        answer["checksum"] = beginningChecksum(path, std::min(begin, total));
    }
    return answer;
}

Frame RemoteAnswers::control(const Frame& question) const
{
    const std::string answer =
        RunRemote(runOf(question)).bytesFor(question.at("line").get<std::string>());
    return Frame::binary({answer.begin(), answer.end()});
}

Frame RemoteAnswers::start(const Frame& question) const
{
    RunRequest request;
    parseConfig(
        request.config, question.at("configuration").get<std::string>(), "the configuration");
    const auto name = question.at("name").get<std::string>();
    if (!name.empty() && !isRunName(name)) {
        fail(ErrorCode::BadInput, "{}: not the name of a folder; choose another one", name);
    }
    request.isResume = question.at("resume").get<bool>();
    request.folder = name.empty() ? newRunIn(m_runs, request.config.model.name) : m_runs / name;
    TrainingLaunch launch(request);
    std::optional<fs::path> folder;
    while (!folder) {
        if (m_isStopped) { // it is left alone, and in the list once the line is back
            fail(ErrorCode::Cancelled, "the line is gone");
        }
        folder = launch.poll(kLaunchLookEvery);
    }
    return folder->filename().string();
}

Frame RemoteAnswers::predict(const Frame& question)
{
    const fs::path checkpoint =
        closestCheckpoint(runOf(question), question.at("step").get<std::int64_t>());
    const auto weights = static_cast<WeightsKind>(question.at("weights").get<int>());
    if (!m_predictor || checkpoint != m_checkpoint || weights != m_weights) {
        m_predictor.reset(); // its memory first
        m_predictor = std::make_unique<ImagePredictor>(PredictionRequest{checkpoint, {}, weights});
        m_checkpoint = checkpoint;
        m_weights = weights;
    }
    PredictedImage image;
    if (question.contains("example")) {
        image = m_predictor->testImage(question["example"].get<std::int64_t>());
    } else {
        const fs::path name = question.at("name").get<std::string>();
        const SentFile file(name, bytesOf(question.at("bytes")));
        image = m_predictor->imageFile(file.path(name));
    }
    return {{"image", image}, {"step", m_predictor->step()}};
}

Frame RemoteAnswers::example(const Frame& question)
{
    RunConfig config;
    parseConfig(config, question.at("configuration").get<std::string>(), "the configuration");
    const auto split = question.at("split").get<int>() == 0 ? Split::Train : Split::Test;
    const auto index = question.at("index").get<std::int64_t>();
    if (const DatasetRequest request = datasetOf(config);
        !m_dataset || m_split != split || !(request == m_opened)) {
        m_dataset.reset(); // its memory first
        m_dataset = openDataset(request, split, [this](double) { return !m_isStopped; });
        m_opened = request;
        m_split = split;
    }
    const Dataset& dataset = *m_dataset;
    if (index < 0 || index >= dataset.size()) {
        fail(
            ErrorCode::BadInput, "{} ({}) has no example {}: choose another image",
            dataset.info().name, dataset.info().split, index);
    }
    RemoteExample example;
    example.name = dataset.exampleName(index);
    example.className =
        dataset.info().classNames.at(static_cast<std::size_t>(dataset.example(index).label));
    example.examples = dataset.size();
    example.image = originalImage(dataset, index);
    return example;
}

} // namespace lockstep
