// SPDX-License-Identifier: Apache-2.0
#include "dataset/files/sha256.h"

#include "base/error.h"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <vector>

namespace lockstep {
namespace {

constexpr std::size_t kReadBytes = 1U << 20U;

} // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const
{
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : m_context(EVP_MD_CTX_new())
{
    require(
        m_context && EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) == 1,
        "SHA-256 starts");
}

void Sha256::add(std::string_view bytes)
{
    EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size());
}

std::string Sha256::digits()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> value{};
    unsigned length = 0;
    EVP_DigestFinal_ex(m_context.get(), value.data(), &length);
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += fmt::format("{:02x}", value[i]);
    }
    return text;
}

std::string sha256OfFile(
    const std::filesystem::path& path, const std::function<void(std::int64_t)>& onBytes)
{
    Sha256 checksum;
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::vector<char> block(kReadBytes);
    std::int64_t bytes = 0;
    while (file) {
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        const auto read = static_cast<std::size_t>(file.gcount());
        checksum.add({block.data(), read});
        bytes += file.gcount();
        onBytes(bytes);
    }
    if (!file.eof()) {
        fail(ErrorCode::Io, "{}: can't be read{}", path.string(), errnoText());
    }
    return checksum.digits();
}

} // namespace lockstep
