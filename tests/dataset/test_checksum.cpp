// SPDX-License-Identifier: Apache-2.0
#include "dataset/files/sha256.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QCryptographicHash>

#include <algorithm>
#include <fstream>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

class TestChecksum : public QObject
{
    Q_OBJECT

private slots:
    void Sha256OfFile_publishedExamples_agree_data();
    void Sha256OfFile_publishedExamples_agree();
    void Sha256OfFile_manyBlocks_agreesWithQtAndReportsBytes();
    void Sha256OfFile_missingFile_isNamed();
    void Sha256OfFile_callbackThrows_isPassedOn();
};

void TestChecksum::Sha256OfFile_publishedExamples_agree_data()
{
    // NIST, "Secure Hash Standard" examples and FIPS 180-2, appendix B.
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("digest");
    QTest::newRow("empty")
        << QByteArray()
        << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("abc") << QByteArray(
        "abc") << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

void TestChecksum::Sha256OfFile_publishedExamples_agree()
{
    QFETCH(const QByteArray, content);
    QFETCH(const QByteArray, digest);
    const TemporaryFolder folder;
    std::ofstream(folder / "file", std::ios::binary) << content.toStdString();
    QCOMPARE(sha256OfFile(folder / "file", [](std::int64_t) {}), digest.toStdString());
}

void TestChecksum::Sha256OfFile_manyBlocks_agreesWithQtAndReportsBytes()
{
    QByteArray content(3'500'001, '\0');
    for (qsizetype i = 0; i < content.size(); ++i) {
        content[i] = static_cast<char>(i * 31 + i / 977);
    }
    const TemporaryFolder folder;
    std::ofstream(folder / "file", std::ios::binary) << content.toStdString();
    std::vector<std::int64_t> reports;
    const auto digest =
        sha256OfFile(folder / "file", [&](std::int64_t bytes) { reports.push_back(bytes); });
    QCOMPARE(
        digest,
        QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex().toStdString());
    QVERIFY(reports.size() >= 4);
    QVERIFY(std::is_sorted(reports.begin(), reports.end()));
    QCOMPARE(reports.back(), 3'500'001);
}

void TestChecksum::Sha256OfFile_missingFile_isNamed()
{
    const TemporaryFolder folder;
    const auto error = errorOf([&] { sha256OfFile(folder / "nothing", [](std::int64_t) {}); });
    QVERIFY(tells(error, ErrorCode::Io, (folder / "nothing").string()));
}

void TestChecksum::Sha256OfFile_callbackThrows_isPassedOn()
{
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "content";
    const auto error = errorOf([&] {
        sha256OfFile(folder / "file", [](std::int64_t) { fail(ErrorCode::Cancelled, "enough"); });
    });
    QVERIFY(tells(error, ErrorCode::Cancelled, "enough"));
}

LOCKSTEP_TEST(TestChecksum)
#include "test_checksum.moc"
