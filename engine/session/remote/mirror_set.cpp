// SPDX-License-Identifier: Apache-2.0
#include "session/remote/mirror_set.h"

#include "base/atomic_file.h"
#include "base/error.h"
#include "session/remote/remote_frames.h"
#include "storage/store/run_folder.h"

#include <fmt/core.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// As one file name that no other text has.
std::string asFileName(const std::string& text)
{
    std::string name;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '@'
                             || (c == '.' && !name.empty());
        name += isPlain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return name.empty() ? "%" : name;
}

void makeFolder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        fail(
            ErrorCode::Io, "{}: can't make the folder for what comes over the line ({})",
            folder.string(), error.message());
    }
}

/// Writes a file, unless it says so already.
void keep(const fs::path& path, const std::string& text)
{
    std::ifstream before(path, std::ios::binary);
    const std::string known(
        (std::istreambuf_iterator<char>(before)), std::istreambuf_iterator<char>());
    if (before.is_open() && known == text) {
        return;
    }
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

} // namespace

MirrorSet::MirrorSet(const fs::path& cache, const RemoteAddress& address, Pass pass)
    : m_pass(std::move(pass))
{
    const fs::path place = cache / asFileName(address.machine()) / asFileName(address.path);
    constexpr int kMostPrograms = 64;
    for (int number = 1; !m_lock; ++number) {
        m_folder = number == 1 ? place : fs::path(fmt::format("{}-{}", place.string(), number));
        makeFolder(m_folder);
        try {
            m_lock.emplace(m_folder);
        } catch (const Error& error) {
            // Another program mirrors the same place.
            if (error.code() != ErrorCode::BadInput || number == kMostPrograms) {
                throw;
            }
        }
    }
}

void MirrorSet::describe(const RemoteRun& run) const
{
    const fs::path mirror = mirrorOf(run.name);
    if (run.configuration.empty()) { // it can't be read there
        return;
    }
    makeFolder(RunFolder::checkpointsOf(mirror));
    keep(RunFolder::configurationFileOf(mirror), run.configuration);
    if (!run.title.empty()) {
        keep(RunFolder::titleFileOf(mirror), run.title);
    }
}

Frame MirrorSet::follow(const std::string& run)
{
    const fs::path mirror = mirrorOf(run);
    makeFolder(mirror);
    return m_stores.try_emplace(run, RunFolder::storeFileOf(mirror)).first->second.state();
}

void MirrorSet::apply(const std::string& run, const Frame& page)
{
    const auto store = m_stores.find(run);
    if (store == m_stores.end()) {
        return;
    }
    try {
        store->second.apply(page);
    } catch (...) {
        m_stores.erase(store); // which is opened, and mended, anew
        throw;
    }
}

void MirrorSet::setTrained(const std::string& run, bool isTrained)
{
    if (!isTrained || !isFollowed(run)) {
        m_relays.erase(run);
    } else if (!m_relays.contains(run)) {
        m_relays.try_emplace(
            run, mirrorOf(run), [this, run](const std::string& line) { return m_pass(run, line); });
    }
}

} // namespace lockstep
