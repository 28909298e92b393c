// SPDX-License-Identifier: Apache-2.0
#include "dataset/checksum.h"

#include "base/error.h"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <memory>
#include <vector>

namespace lockstep {
namespace {

constexpr std::size_t kBlockBytes = 1U << 20U;

struct FreeDigest
{
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

} // namespace

std::string sha256OfFile(
    const std::filesystem::path& path, const std::function<void(std::int64_t)>& onBytes)
{
    const std::unique_ptr<EVP_MD_CTX, FreeDigest> digest(EVP_MD_CTX_new());
    require(
        digest && EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr) == 1, "SHA-256 starts");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::vector<char> block(kBlockBytes);
    std::int64_t bytes = 0;
    while (file) {
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        const auto read = static_cast<std::size_t>(file.gcount());
        EVP_DigestUpdate(digest.get(), block.data(), read);
        bytes += file.gcount();
        onBytes(bytes);
    }
    if (!file.eof()) {
        fail(ErrorCode::Io, "{}: can't be read{}", path.string(), errnoText());
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> value{};
    unsigned length = 0;
    EVP_DigestFinal_ex(digest.get(), value.data(), &length);
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += fmt::format("{:02x}", value[i]);
    }
    return text;
}

} // namespace lockstep
