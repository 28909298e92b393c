// SPDX-License-Identifier: Apache-2.0
#include "dataset/files/archive_reader.h"

#include "base/error.h"

#include <archive.h>
#include <archive_entry.h>

#include <clocale>
#include <utility>

namespace lockstep {
namespace {

constexpr std::size_t kBlockBytes = 1U << 18U;

/// libarchive makes names those of the thread's locale, and a program that never set one has "C",
/// in which there are no others than ASCII's.
class Utf8Locale
{
public:
    Utf8Locale() : m_locale(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr))
    {
        if (m_locale != nullptr) {
            m_before = uselocale(m_locale);
        }
    }
    ~Utf8Locale()
    {
        if (m_locale != nullptr) {
            uselocale(m_before);
            freelocale(m_locale);
        }
    }
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;

private:
    locale_t m_locale;
    locale_t m_before = nullptr;
};

} // namespace

void ArchiveReader::Free::operator()(archive* reader) const
{
    archive_read_free(reader);
}

ArchiveReader::ArchiveReader(std::filesystem::path path, ArchiveKind kind)
    : m_path(std::move(path)), m_archive(archive_read_new())
{
    require(m_archive != nullptr, "libarchive makes a reader");
    if (kind == ArchiveKind::Tar) {
        archive_read_support_filter_all(m_archive.get());
        archive_read_support_format_tar(m_archive.get());
    } else {
        archive_read_support_format_zip_seekable(m_archive.get());
    }
    check(archive_read_open_filename(m_archive.get(), m_path.c_str(), kBlockBytes));
}

archive_entry* ArchiveReader::next()
{
    const Utf8Locale locale;
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(m_archive.get(), &entry);
    if (result == ARCHIVE_EOF) {
        return nullptr;
    }
    check(result);
    const char* const name = archive_entry_pathname(entry);
    if (name == nullptr) {
        fail(
            ErrorCode::Data,
            "{}: the name behind '{}' can't be read; pack it anew with names in "
            "UTF-8",
            m_path.string(), m_name);
    }
    m_name = name;
    return entry;
}

std::size_t ArchiveReader::read(std::span<std::byte> block)
{
    const la_ssize_t bytes = archive_read_data(m_archive.get(), block.data(), block.size());
    check(bytes < 0 ? ARCHIVE_FATAL : ARCHIVE_OK);
    return static_cast<std::size_t>(bytes);
}

std::int64_t ArchiveReader::position() const
{
    return archive_filter_bytes(m_archive.get(), -1);
}

void ArchiveReader::check(int result) const
{
    // A warning is about something that we don't use, such as an owner's name.
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
        const char* reason = archive_error_string(m_archive.get());
        fail(
            ErrorCode::Data, "{}: can't be unpacked, it is damaged or cut short ({}); get it again",
            m_path.string(), reason != nullptr ? reason : "no reason given");
    }
}

} // namespace lockstep
