// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace lockstep {

/// The SHA-256 (FIPS 180-4) of bytes that come piece by piece. Not thread-safe.
class Sha256
{
public:
    Sha256();

    void add(std::string_view bytes);
    /// Of all that was added, as 64 lower-case hexadecimal digits; nothing can be added any more.
    [[nodiscard]] std::string digits();

private:
    struct Free
    {
        void operator()(evp_md_ctx_st* context) const;
    };

    std::unique_ptr<evp_md_ctx_st, Free> m_context;
};

/// The digits of the SHA-256 of a file's content. `onBytes` is called with the number of bytes read
/// so far, about once a megabyte; what it throws is passed on. Throws Error(Io) if the file can't
/// be read.
std::string sha256OfFile(
    const std::filesystem::path& path, const std::function<void(std::int64_t)>& onBytes);

} // namespace lockstep
