// SPDX-License-Identifier: Apache-2.0
#include "storage/store/csv_output.h"

#include "base/atomic_file.h"
#include "base/error.h"

#include <ostream>
#include <string>

namespace lockstep {
namespace {

void check(const std::ostream& out)
{
    if (!out) {
        fail(ErrorCode::Io, "the CSV output can't be written; is the disk full?");
    }
}

} // namespace

void writeCsv(const CsvText& text, std::ostream& out)
{
    text([&](std::string_view lines) {
        out.write(lines.data(), static_cast<std::streamsize>(lines.size()));
        check(out);
    });
    out.flush();
    check(out);
}

void writeCsv(const CsvText& text, const std::filesystem::path& file)
{
    constexpr std::size_t kAtOnce = 1 << 16; // bytes; AtomicFile does not buffer
    AtomicFile target(file);
    std::string waiting;
    text([&](std::string_view lines) {
        waiting += lines;
        if (waiting.size() >= kAtOnce) {
            target.write(waiting);
            waiting.clear();
        }
    });
    target.write(waiting);
    target.commit();
}

} // namespace lockstep
