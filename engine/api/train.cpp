// SPDX-License-Identifier: Apache-2.0
#include "api/border.h"
#include "api/brought_dataset.h"
#include "api/event_teller.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "dataset/files/file_bytes.h"
#include "network/model_file.h"
#include "session/config/config_overlay.h"
#include "session/run/training_run.h"
#include "storage/store/run_folder.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// A network that was given as text lies in the folder of its run, which is of no use without it.
class KeptModel
{
public:
    KeptModel(const api::TrainingRequest& request, bool goesOn) : KeptModel(request.folder)
    {
        if (request.network.empty()) {
            return;
        }
        if (m_folder.empty()) {
            fail(ErrorCode::BadInput, "a network given as text needs a folder of the run");
        }
        static_cast<void>(parseModel(request.network, "network"));
        m_file = fs::absolute(RunFolder::modelFileOf(m_folder)).lexically_normal();
        if (fs::exists(m_file)) {
            compare(request.network);
        } else if (goesOn) {
            fail(
                ErrorCode::BadInput,
                "{}: the network of this run was not given as text: leave the text out",
                m_folder.string());
        } else {
            m_isNew = true;
            write(request.network);
        }
    }
    /// A run that could not start leaves no folder.
    ~KeptModel()
    {
        std::error_code ignored;
        if (m_isNew && !RunFolder::isRun(m_folder)) {
            fs::remove(m_file, ignored);
            fs::remove(m_folder, ignored);
        }
    }
    KeptModel(const KeptModel&) = delete;
    KeptModel& operator=(const KeptModel&) = delete;

    /// Empty: none was given.
    [[nodiscard]] std::string file() const { return m_file.string(); }

private:
    /// Whatever fails after it, the destructor is called.
    explicit KeptModel(fs::path folder) : m_folder(std::move(folder)) {}

    void write(const std::string& text) const
    {
        makeFolder(m_folder);
        AtomicFile file(m_file);
        file.write(text);
        file.commit();
    }
    void compare(const std::string& text) const
    {
        std::vector<std::byte> kept;
        readWholeFile(m_file, kept);
        if (!std::ranges::equal(kept, std::as_bytes(std::span(text)))) {
            fail(
                ErrorCode::BadInput,
                "{}: another network than the text that is given; give its text or another folder",
                m_file.string());
        }
    }

    fs::path m_folder;
    fs::path m_file;
    bool m_isNew = false;
};

void bringData(const api::TrainingRequest& request, EventTeller& teller, RunRequest& wanted)
{
    if ((request.training == nullptr) != (request.test == nullptr)) {
        fail(ErrorCode::BadInput, "training and test examples: give both of them, or neither");
    }
    if (request.training != nullptr) {
        const auto mayGoOn = [&] { return teller.mayBegin(); };
        wanted.training =
            std::make_shared<BroughtDataset>(*request.training, Split::Train, mayGoOn);
        wanted.test = std::make_shared<BroughtDataset>(*request.test, Split::Test, mayGoOn);
    }
}

RunRequest requestOf(
    const api::TrainingRequest& request, bool goesOn, const std::string& model, EventTeller& teller)
{
    RunRequest wanted;
    wanted.folder = request.folder;
    wanted.isResume = goesOn;
    if (goesOn) {
        wanted.config = configOfRun(request.folder);
    }
    replaceSettings(wanted.config, [&] {
        for (const auto& [key, value] : request.settings) {
            setConfigValue(wanted.config, key, value);
        }
    });
    if (!model.empty()) {
        wanted.config.model.name = model;
    }
    wanted.config.validate(); // before minutes go into making examples
    bringData(request, teller, wanted);
    if (wanted.training) {
        wanted.config.dataset = wanted.training->info().name;
    }
    return wanted;
}

api::TrainingResult train(const api::TrainingRequest& request, EventTeller& teller)
{
    const bool goesOn =
        request.isResume && !request.folder.empty() && RunFolder::isRun(request.folder);
    if (!goesOn && !request.folder.empty()) {
        RunFolder::checkFree(request.folder); // before minutes go into making examples
    }
    const KeptModel model(request, goesOn);
    TrainingRun run(requestOf(request, goesOn, model.file(), teller), teller);
    {
        const std::stop_callback stop(
            teller.stop().get_token(), [&] { run.send(command::Stop{}); });
        run.train();
    }
    return {
        run.folder(), run.lastCheckpoint(), run.session().progress().step,
        run.state() == RunState::Finished};
}

} // namespace

api::TrainingResult api::train(const TrainingRequest& request, Observer& observer)
{
    EventTeller teller(observer);
    const std::stop_callback stop(request.stop, [&] { teller.stop().request_stop(); });
    try {
        TrainingResult result = atBorder([&] { return lockstep::train(request, teller); });
        teller.rethrow();
        return result;
    } catch (const api::Error&) {
        teller.rethrow();
        throw;
    }
}

} // namespace lockstep
