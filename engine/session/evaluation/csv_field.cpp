// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/csv_field.h"

#include "base/atomic_file.h"

namespace lockstep {

std::string csvField(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char letter : text) {
        quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    }
    return quoted + '"';
}

void writeWholeFile(const std::string& text, const std::filesystem::path& file)
{
    AtomicFile target(file);
    target.write(text);
    target.commit();
}

} // namespace lockstep
