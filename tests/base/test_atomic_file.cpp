// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"
#include "storage/files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& path, const std::string& text)
{
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

std::size_t filesIn(const fs::path& folder)
{
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// The error is about the file system and names the file.
bool names(const std::optional<Error>& error, const fs::path& path)
{
    return error && error->code() == ErrorCode::Io
           && std::string(error->what()).find(path.string()) != std::string::npos;
}

// While it lives no file of this process may grow beyond `bytes`, which is what a full disk looks
// like to write(): first a part is taken, then nothing.
class FullDisk
{
public:
    explicit FullDisk(rlim_t bytes)
    {
        // Otherwise the signal of that limit ends the process.
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int) = nullptr;
};

} // namespace

class TestAtomicFile : public QObject
{
    Q_OBJECT

private slots:
    void Commit_severalWrites_areTheContentInTheirOrder();
    void Commit_emptyFile_isThere();
    void Commit_existingFile_isReplaced();
    void Commit_relativeName_isSetDownInTheWorkingFolder();
    void Write_beforeCommit_showsOnlyTheTemporaryName();
    void NoCommit_temporaryFile_isRemovedAndTheOldContentStays();
    void TemporaryFile_leftByACrash_isWrittenAnew();
    void Replace_whileAnotherThreadReads_neverShowsHalfAFile();
    void Create_missingFolder_isAnErrorThatNamesTheFile();
    void Commit_nameOfAFolder_isAnErrorAndLeavesNothing();
    void Write_diskFull_isAnErrorThatKeepsTheOldFile();
    void Write_fullDevice_isAnErrorThatSaysSo();
    void Write_afterCommit_isAnError();
};

void TestAtomicFile::Commit_severalWrites_areTheContentInTheirOrder()
{
    const test::TemporaryFolder folder;
    std::string bytes(100'000, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(i * 7 % 256);
    }
    AtomicFile file(folder / "file");
    file.write(std::string("head\n"));
    file.write(std::as_bytes(std::span(bytes)));
    file.write(std::string());
    file.write(std::string("tail"));
    file.commit();
    QCOMPARE(test::readBytes(folder / "file"), "head\n" + bytes + "tail");
    QCOMPARE(filesIn(folder.path()), std::size_t{1});
}

void TestAtomicFile::Commit_emptyFile_isThere()
{
    const test::TemporaryFolder folder;
    put(folder / "empty", "");
    QVERIFY(fs::exists(folder / "empty"));
    QCOMPARE(fs::file_size(folder / "empty"), std::uintmax_t{0});
}

void TestAtomicFile::Commit_existingFile_isReplaced()
{
    const test::TemporaryFolder folder;
    put(folder / "file", "a long first version");
    put(folder / "file", "second");
    QCOMPARE(test::readBytes(folder / "file"), std::string("second"));
}

void TestAtomicFile::Commit_relativeName_isSetDownInTheWorkingFolder()
{
    const test::TemporaryFolder folder;
    const auto before = fs::current_path();
    fs::current_path(folder.path());
    const auto error = test::errorOf([] { put("file", "text"); });
    fs::current_path(before);
    QVERIFY(!error);
    QCOMPARE(test::readBytes(folder / "file"), std::string("text"));
}

void TestAtomicFile::Write_beforeCommit_showsOnlyTheTemporaryName()
{
    const test::TemporaryFolder folder;
    AtomicFile file(folder / "file");
    file.write(std::string("half"));
    QVERIFY(!fs::exists(folder / "file"));
    QCOMPARE(AtomicFile::temporaryName(folder / "file"), folder / "file.tmp");
    QCOMPARE(test::readBytes(folder / "file.tmp"), std::string("half"));
}

void TestAtomicFile::NoCommit_temporaryFile_isRemovedAndTheOldContentStays()
{
    const test::TemporaryFolder folder;
    put(folder / "file", "old");
    {
        AtomicFile file(folder / "file");
        file.write(std::string("new"));
    }
    QCOMPARE(test::readBytes(folder / "file"), std::string("old"));
    QCOMPARE(filesIn(folder.path()), std::size_t{1});
}

void TestAtomicFile::TemporaryFile_leftByACrash_isWrittenAnew()
{
    const test::TemporaryFolder folder;
    std::ofstream(folder / "file.tmp") << "what a crash left, longer than the new text";
    put(folder / "file", "new");
    QCOMPARE(test::readBytes(folder / "file"), std::string("new"));
    QCOMPARE(filesIn(folder.path()), std::size_t{1});
}

void TestAtomicFile::Replace_whileAnotherThreadReads_neverShowsHalfAFile()
{
    constexpr std::size_t kBytes = 20'000;
    const test::TemporaryFolder folder;
    const fs::path path = folder / "file";
    put(path, std::string(kBytes, 'a'));
    std::thread writer([&path] {
        for (const char letter : std::string("bcdefghijklmnopqrstuvwxyz")) {
            AtomicFile file(path);
            file.write(std::string(kBytes / 2, letter));
            file.write(std::string(kBytes / 2, letter));
            file.commit();
        }
    });
    bool isWhole = true;
    char last = 'a';
    while (last != 'z' && isWhole) {
        const std::string content = test::readBytes(path);
        isWhole = content.size() == kBytes && content == std::string(kBytes, content[0]);
        last = isWhole ? content[0] : last;
    }
    writer.join();
    QVERIFY(isWhole);
}

void TestAtomicFile::Create_missingFolder_isAnErrorThatNamesTheFile()
{
    const test::TemporaryFolder folder;
    const auto path = folder / "missing" / "file";
    QVERIFY(names(test::errorOf([&] { AtomicFile file(path); }), path));
}

void TestAtomicFile::Commit_nameOfAFolder_isAnErrorAndLeavesNothing()
{
    const test::TemporaryFolder folder;
    fs::create_directory(folder / "taken");
    QVERIFY(names(test::errorOf([&] { put(folder / "taken", "text"); }), folder / "taken"));
    QVERIFY(fs::is_directory(folder / "taken"));
    QCOMPARE(filesIn(folder.path()), std::size_t{1});
}

void TestAtomicFile::Write_diskFull_isAnErrorThatKeepsTheOldFile()
{
    const test::TemporaryFolder folder;
    put(folder / "file", "old");
    std::optional<Error> error;
    {
        const FullDisk disk(10'000);
        error = test::errorOf([&] { put(folder / "file", std::string(100'000, 'x')); });
    }
    QVERIFY(names(error, folder / "file"));
    QCOMPARE(test::readBytes(folder / "file"), std::string("old"));
    QCOMPARE(filesIn(folder.path()), std::size_t{1});
}

void TestAtomicFile::Write_fullDevice_isAnErrorThatSaysSo()
{
    if (!fs::exists("/dev/full")) {
        QSKIP("this system has no /dev/full");
    }
    // The temporary name leads to a device that takes nothing.
    const test::TemporaryFolder folder;
    fs::create_symlink("/dev/full", folder / "file.tmp");
    const auto error = test::errorOf([&] { put(folder / "file", "text"); });
    QVERIFY(names(error, folder / "file"));
    QVERIFY(std::string(error->what()).find("No space left on device") != std::string::npos);
    QVERIFY(fs::is_empty(folder.path()));
}

void TestAtomicFile::Write_afterCommit_isAnError()
{
    const test::TemporaryFolder folder;
    AtomicFile file(folder / "file");
    file.write(std::string("text"));
    file.commit();
    QVERIFY(names(test::errorOf([&] { file.write(std::string("more")); }), folder / "file"));
    QCOMPARE(test::readBytes(folder / "file"), std::string("text"));
}

} // namespace lockstep

LOCKSTEP_TEST(lockstep::TestAtomicFile)
#include "test_atomic_file.moc"
