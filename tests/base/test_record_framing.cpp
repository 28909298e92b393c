// SPDX-License-Identifier: Apache-2.0
#include "base/record_framing.h"
#include "support/lockstep_test.h"

#include <span>
#include <string>
#include <utility>

using namespace lockstep;

/// The bytes on disk are TensorFlow's.
class TestRecordFraming : public QObject
{
    Q_OBJECT

private slots:
    static void Checksum_ofKnownBytes_isThePublishedOne_data();
    static void Checksum_ofKnownBytes_isThePublishedOne();
    static void Frame_ofKnownBytes_isTheirs();
    static void Frame_anyByteChanged_isNoticed();
};

// RFC 3720, appendix B.4, and the check value of the catalogues.
void TestRecordFraming::Checksum_ofKnownBytes_isThePublishedOne_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<quint32>("checksum");
    QByteArray ascending;
    QByteArray descending;
    for (char i = 0; i < 32; ++i) {
        ascending.append(i);
        descending.prepend(i);
    }
    QTest::newRow("digits") << QByteArray("123456789") << 0xe3069283U;
    QTest::newRow("zeros") << QByteArray(32, '\0') << 0x8a9136aaU;
    QTest::newRow("ones") << QByteArray(32, '\xff') << 0x62a8ab43U;
    QTest::newRow("ascending") << ascending << 0x46dd794eU;
    QTest::newRow("descending") << descending << 0x113fdb5cU;
    QTest::newRow("nothing") << QByteArray() << 0U;
}

void TestRecordFraming::Checksum_ofKnownBytes_isThePublishedOne()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const quint32, checksum);
    QCOMPARE(crc32c({bytes.data(), static_cast<std::size_t>(bytes.size())}), checksum);
}

// The head is that of every record of 24 bytes, the first one of every file of TensorFlow: a
// version. Its bytes are known from such files.
void TestRecordFraming::Frame_ofKnownBytes_isTheirs()
{
    std::string bytes;
    appendFramed(bytes, std::string(24, 'x'));
    QCOMPARE(bytes.size(), std::size_t{kFrameHead + 24 + kFrameTail});
    QCOMPARE(
        QByteArray::fromStdString(bytes).left(12).toHex(), QByteArray("1800000000000000a37f4b22"));
}

void TestRecordFraming::Frame_anyByteChanged_isNoticed()
{
    const std::string payload = "some bytes";
    std::string whole;
    appendFramed(whole, payload);
    for (std::size_t place = 0; place <= whole.size(); ++place) {
        std::string bytes = whole;
        if (place < whole.size()) {
            bytes[place] = static_cast<char>(bytes[place] ^ 4);
        }
        const std::span all(std::as_const(bytes));
        const auto length = framedLength(all.first<kFrameHead>());
        const bool isPayloadRight =
            isChecked(all.subspan(kFrameHead, payload.size()), all.last<kFrameTail>());
        const bool isHead = place < kFrameHead;
        QCOMPARE(length.has_value(), !isHead);
        QCOMPARE(length.value_or(payload.size()), payload.size());
        QCOMPARE(isPayloadRight, isHead || place == whole.size());
    }
}

LOCKSTEP_TEST(TestRecordFraming)
#include "test_record_framing.moc"
