// SPDX-License-Identifier: Apache-2.0
#include "dataset/fetch/file_transfer.h"

#include "base/error.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <system_error>

namespace lockstep {
namespace {

constexpr long kOk = 200;
constexpr long kPartialContent = 206;
constexpr long kRangeNotSatisfiable = 416;
constexpr long kStallBytesPerSecond = 100;

struct FreeHandle
{
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};

struct FreeList
{
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

/// Authorities that sign servers, where another system than that libcurl was built on keeps them:
/// the archive brings Debian's. Null: where libcurl looks by itself.
const char* otherAuthorities()
{
    constexpr const char* kDebians = "/etc/ssl/certs/ca-certificates.crt";
    constexpr const char* kPlaces[] = {
        kDebians, "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem"};
    const auto* const found = std::ranges::find_if(kPlaces, [](const char* place) {
        std::error_code error;
        return std::filesystem::exists(place, error);
    });
    return found == std::end(kPlaces) || *found == kDebians ? nullptr : *found;
}

bool initialiseCurl()
{
    static const CURLcode result = curl_global_init(CURL_GLOBAL_DEFAULT);
    return result == CURLE_OK;
}

/// One request and its answer.
class Transfer
{
public:
    Transfer(
        const TransferRequest& request, PartialFile& file,
        const std::function<void(std::int64_t)>& onBytes)
        : m_request(request), m_file(file), m_onBytes(onBytes),
          m_handle(initialiseCurl() ? curl_easy_init() : nullptr)
    {
        require(m_handle != nullptr, "libcurl makes a handle");
        set(CURLOPT_URL, request.url.c_str());
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_FOLLOWLOCATION, 1L);
        set(CURLOPT_FAILONERROR, 1L);
        set(CURLOPT_USERAGENT, "lockstep");
        // Without this libcurl may use signals for timeouts, which threads can't share.
        set(CURLOPT_NOSIGNAL, 1L);
        if (const char* const authorities = otherAuthorities()) {
            set(CURLOPT_CAINFO, authorities);
        }
        setTimeouts();
        setCallbacks();
        if (file.size() > 0) {
            askForTheRest();
        }
    }

    /// False if the server has nothing after what is there, so that all must be fetched anew.
    bool run()
    {
        const CURLcode result = curl_easy_perform(m_handle.get());
        if (m_failure) {
            std::rethrow_exception(m_failure);
        }
        if (result == CURLE_HTTP_RETURNED_ERROR && status() == kRangeNotSatisfiable) {
            return false;
        }
        if (result != CURLE_OK) {
            failWith(result);
        }
        return true;
    }

private:
    template<class Value>
    void set(CURLoption option, Value value)
    {
        require(
            curl_easy_setopt(m_handle.get(), option, value) == CURLE_OK, "libcurl takes an option");
    }

    void setTimeouts()
    {
        const long seconds = static_cast<long>(m_request.stallTimeout.count());
        set(CURLOPT_CONNECTTIMEOUT, seconds);
        set(CURLOPT_LOW_SPEED_TIME, seconds);
        set(CURLOPT_LOW_SPEED_LIMIT, kStallBytesPerSecond);
    }

    void setCallbacks()
    {
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFODATA, this);
        set(CURLOPT_XFERINFOFUNCTION, &Transfer::onProgress);
        set(CURLOPT_WRITEDATA, this);
        set(CURLOPT_WRITEFUNCTION, &Transfer::onContent);
    }

    void askForTheRest()
    {
        // Not CURLOPT_RESUME_FROM: that fails when a server ignores the range, instead of starting
        // anew.
        set(CURLOPT_RANGE, fmt::format("{}-", m_file.size()).c_str());
        if (const auto tag = m_file.entityTag(); !tag.empty()) {
            m_headers.reset(curl_slist_append(nullptr, ("If-Range: " + tag).c_str()));
            set(CURLOPT_HTTPHEADER, m_headers.get());
        }
    }

    /// Runs code of ours inside a callback of libcurl, which no exception may cross.
    template<class Code>
    static bool guarded(void* self, Code code)
    {
        auto& transfer = *static_cast<Transfer*>(self);
        try {
            code(transfer);
            return true;
        } catch (...) {
            transfer.m_failure = std::current_exception();
            return false;
        }
    }

    static int onProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
    {
        const bool ok =
            guarded(self, [](Transfer& transfer) { transfer.m_onBytes(transfer.m_file.size()); });
        return ok ? 0 : 1;
    }

    static std::size_t onContent(char* content, std::size_t, std::size_t bytes, void* self)
    {
        const auto block = std::as_bytes(std::span(content, bytes));
        const bool ok = guarded(self, [&](Transfer& transfer) { transfer.takeContent(block); });
        return ok ? bytes : CURL_WRITEFUNC_ERROR;
    }

    /// The value of a header, if it has this name.
    [[nodiscard]] std::string header(const char* name) const
    {
        curl_header* found = nullptr;
        const auto result = curl_easy_header(m_handle.get(), name, 0, CURLH_HEADER, -1, &found);
        return result == CURLHE_OK ? found->value : "";
    }

    void takeContent(std::span<const std::byte> block)
    {
        if (!m_isAccepted) {
            acceptAnswer();
            m_isAccepted = true;
        }
        if (m_file.size() + std::ssize(block) > m_request.bytes) {
            failForSize("more");
        }
        m_file.append(block);
    }

    /// Before the first byte of content: does it go on from what is there, or is it the whole file?
    void acceptAnswer()
    {
        const long code = status();
        if (code == kPartialContent) {
            checkRange(header("Content-Range"));
        } else if (code == kOk) {
            checkLength();
            m_file.restart(strongTag());
        } else {
            fail(
                ErrorCode::Io, "{}: the server answered {}, not with a file; check the address",
                m_request.url, code);
        }
    }

    /// "bytes 100-999/1000" goes on from byte 100 of a file of 1000 (RFC 9110, section 14.4).
    void checkRange(const std::string& range) const
    {
        const std::string expected =
            fmt::format("bytes {}-{}/", m_file.size(), m_request.bytes - 1);
        const bool isExpected =
            range == expected + std::to_string(m_request.bytes) || range == expected + "*";
        if (!isExpected) {
            fail(
                ErrorCode::Data,
                "{}: asked to go on after {} of {} bytes, the server offers '{}': the file there "
                "is "
                "another one; delete {} to start anew",
                m_request.url, m_file.size(), m_request.bytes, range, m_file.path().string());
        }
    }

    void checkLength() const
    {
        curl_off_t length = -1;
        curl_easy_getinfo(m_handle.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
        if (length >= 0 && length != m_request.bytes) {
            failForSize(std::to_string(length));
        }
    }

    [[noreturn]] void failForSize(const std::string& offered) const
    {
        fail(
            ErrorCode::Data,
            "{}: the server offers {} bytes, but the file should have {}: the server has another "
            "one; check the address",
            m_request.url, offered, m_request.bytes);
    }

    /// The entity tag of the answer if it stands for every byte, as weak ones ("W/...") do not.
    [[nodiscard]] std::string strongTag() const
    {
        const std::string tag = header("ETag");
        return tag.starts_with('"') ? tag : "";
    }

    [[nodiscard]] long status() const
    {
        long code = 0;
        curl_easy_getinfo(m_handle.get(), CURLINFO_RESPONSE_CODE, &code);
        return code;
    }

    [[noreturn]] void failWith(CURLcode result) const
    {
        if (result == CURLE_HTTP_RETURNED_ERROR) {
            fail(
                ErrorCode::Io, "{}: the server answered {}; check the address, or try again later",
                m_request.url, status());
        }
        fail(
            ErrorCode::Io, "{}: {} after {} of {} bytes; run the same again to go on from there",
            m_request.url, curl_easy_strerror(result), m_file.size(), m_request.bytes);
    }

    const TransferRequest& m_request;
    PartialFile& m_file;
    const std::function<void(std::int64_t)>& m_onBytes;
    std::unique_ptr<CURL, FreeHandle> m_handle;
    std::unique_ptr<curl_slist, FreeList> m_headers;
    std::exception_ptr m_failure;
    bool m_isAccepted = false;
};

} // namespace

void transferFile(
    const TransferRequest& request, PartialFile& file,
    const std::function<void(std::int64_t)>& onBytes)
{
    if (file.size() > request.bytes) {
        file.restart("");
    }
    if (file.size() < request.bytes && !Transfer(request, file, onBytes).run()) {
        file.restart("");
        Transfer(request, file, onBytes).run();
    }
    if (file.size() < request.bytes) {
        fail(
            ErrorCode::Io,
            "{}: the server ended after {} of {} bytes; run the same again to go on from there",
            request.url, file.size(), request.bytes);
    }
    file.sync();
}

} // namespace lockstep
