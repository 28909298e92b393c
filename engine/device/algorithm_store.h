// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// Which algorithms were measured to be the fastest, kept for all later processes: a text file with
/// a choice a line, merged under a lock and replaced as a whole. A file that can't be read or
/// written costs another measurement and a note, never an error. One thread at a time.
class AlgorithmStore
{
public:
    /// `$XDG_CACHE_HOME/lockstep/algorithms.txt`, or in `~/.cache`; empty where neither is set.
    static std::filesystem::path defaultFile();
    /// Removes the file. Returns how many choices it held. Error(Io) if it can't be removed.
    static int forget(const std::filesystem::path& file);

    /// The first line of its file, which says what it is.
    static constexpr const char* kHeading =
        "# The fastest algorithms that Lockstep has measured: machine, work, algorithm, "
        "milliseconds. To forget them: lockstep-train devices --forget-algorithms\n";

    /// Choices of one machine: GPU or processors, and versions of the libraries. Empty file: none
    /// are kept. Another file with a heading of its own keeps other texts that were measured in the
    /// same way.
    AlgorithmStore(std::filesystem::path file, std::string machine, std::string heading = kHeading);

    /// The algorithm for some work; empty if there is none.
    [[nodiscard]] std::string find(const std::string& work);
    void keep(const std::string& work, const std::string& algorithm, double milliseconds);
    /// What was wrong with the file since this was asked last, for people.
    [[nodiscard]] std::vector<std::string> takeNotes();

private:
    void noteOnce(const std::string& text);

    std::filesystem::path m_file;
    std::string m_machine;
    std::string m_heading;
    std::map<std::string, std::string> m_lines; ///< rest of the line, by machine and work
    bool m_isRead = false;
    bool m_hasNoted = false;
    std::vector<std::string> m_notes;
};

} // namespace lockstep
