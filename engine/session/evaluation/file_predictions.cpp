// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/file_predictions.h"

#include "base/thread_team.h"
#include "dataset/codecs/colour_image.h"
#include "dataset/examples/image_files.h"
#include "dataset/files/file_bytes.h"
#include "metrics/scores/classified_image.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Each has all weights in memory.
constexpr int kUsualNetworks = 8;

std::vector<fs::path> imagesBelow(const fs::path& folder, DataAccount& account)
{
    const FolderWalk found = walkFolder(folder);
    leaveOut(account, found.leftOut, (folder / "").string());
    std::vector<fs::path> files;
    for (const std::string& name : found.files) {
        const fs::path file = folder / name;
        if (isImageFile(file)) {
            files.push_back(file);
        } else {
            leaveOutByEnding(account, file.string());
        }
    }
    if (files.empty()) {
        fail(
            ErrorCode::BadInput, "{}: has no images: no file is a JPEG, PNG or BMP{}",
            folder.string(),
            account.leftOut() > 0 ? "; " + account.lines().front() : std::string());
    }
    return files;
}

/// As of a data set's images, from a few of the files.
void tellBits(
    std::span<const fs::path> files, const PixelRules& rules,
    const std::function<void(const std::string&)>& onNote)
{
    constexpr std::size_t kSample = 16;
    int most = 0;
    for (std::size_t i = 0; i < std::min(kSample, files.size()); ++i) {
        try {
            std::vector<std::byte> file;
            readWholeFile(files[i], file);
            most = std::max(most, unsaidBits(file, files[i].string(), rules));
        } catch (const Error&) { // told where it is asked about
        }
    }
    if (const std::string warning = bitsWarning(most); onNote && !warning.empty()) {
        onNote(warning);
    }
}

FilePrediction ask(ImagePredictor& network, const fs::path& file)
{
    try {
        return filePrediction(file, network.imageFile(file));
    } catch (const Error& error) {
        if (!isOfTheFile(error)) {
            throw;
        }
        return {.file = file, .problem = error.what()};
    }
}

} // namespace

bool isOfTheFile(const Error& error)
{
    return error.code() == ErrorCode::Io || error.code() == ErrorCode::Data;
}

FilePrediction filePrediction(fs::path file, const PredictedImage& tried)
{
    FilePrediction prediction{.file = std::move(file)};
    if (tried.classProbabilities.empty()) {
        prediction.score = tried.score;
        prediction.maskShape = tried.maskShape;
    } else {
        prediction.classes = likeliestClasses(tried, kTopFive);
    }
    return prediction;
}

std::vector<fs::path> imageFilesOf(std::span<const fs::path> places, DataAccount& account)
{
    std::vector<fs::path> files;
    for (const fs::path& place : places) {
        std::error_code error;
        const fs::file_status status = fs::status(place, error);
        if (!fs::exists(status)) {
            fail(ErrorCode::Io, "{}: is not there", place.string());
        }
        if (fs::is_directory(status)) {
            std::ranges::move(imagesBelow(place, account), std::back_inserter(files));
        } else {
            files.push_back(place);
        }
    }
    return files;
}

std::vector<FilePrediction> predictFiles(
    const PredictionRequest& request, std::span<const fs::path> files, std::optional<int> threads,
    const std::function<void(const std::string&)>& onNote, const FileProgress& progress)
{
    const int wanted = threads.value_or(std::min(kUsualNetworks, ThreadTeam::processors()));
    std::vector<std::unique_ptr<ImagePredictor>> networks;
    networks.push_back(std::make_unique<ImagePredictor>(request, onNote));
    tellBits(files, networks.front()->pixelRules(), onNote);
    PredictionRequest same = request; // the run may write newer ones meanwhile
    same.checkpoint = networks.front()->checkpoint();
    while (networks.size() < files.size() && std::ssize(networks) < wanted) {
        networks.push_back(std::make_unique<ImagePredictor>(same));
    }
    std::vector<FilePrediction> predictions(files.size());
    std::atomic<std::size_t> next{0};
    std::atomic<bool> isStopped{false};
    std::mutex telling;
    std::size_t done = 0;
    ThreadTeam team("predict", static_cast<int>(networks.size()), false);
    team.run([&](int worker) {
        for (std::size_t i = next++; i < files.size() && !isStopped; i = next++) {
            try {
                predictions[i] = ask(*networks[static_cast<std::size_t>(worker)], files[i]);
                const std::scoped_lock lock(telling);
                isStopped = isStopped || (progress && !progress(predictions[i], ++done));
            } catch (...) {
                isStopped = true; // for the others
                throw;
            }
        }
    });
    if (isStopped) {
        fail(ErrorCode::Cancelled, "the prediction was cancelled");
    }
    return predictions;
}

} // namespace lockstep
