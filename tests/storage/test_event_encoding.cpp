// SPDX-License-Identifier: Apache-2.0
#include "base/record_framing.h"
#include "storage/event_encoding.h"

#include <QtTest>

#include <string>

using namespace lockstep;

namespace {

QByteArray bytesOf(const std::string& bytes)
{
    return QByteArray::fromStdString(bytes);
}

} // namespace

/// The bytes on disk are TensorFlow's.
class TestEventEncoding : public QObject
{
    Q_OBJECT

private slots:
    static void Checksum_ofKnownBytes_isThePublishedOne_data();
    static void Checksum_ofKnownBytes_isThePublishedOne();
    static void Frame_ofKnownBytes_isTheirs();
    static void Event_encoded_isTheMessageOfTensorFlow();
};

// RFC 3720, appendix B.4, and the check value of the catalogues.
void TestEventEncoding::Checksum_ofKnownBytes_isThePublishedOne_data()
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

void TestEventEncoding::Checksum_ofKnownBytes_isThePublishedOne()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const quint32, checksum);
    QCOMPARE(crc32c({bytes.data(), static_cast<std::size_t>(bytes.size())}), checksum);
}

// The head is that of every record of 24 bytes, the first one of every file of TensorFlow: a
// version. Its bytes are known from such files.
void TestEventEncoding::Frame_ofKnownBytes_isTheirs()
{
    std::string bytes;
    appendFramed(bytes, std::string(24, 'x'));
    QCOMPARE(bytes.size(), std::size_t{kFrameHead + 24 + kFrameTail});
    QCOMPARE(bytesOf(bytes).left(12).toHex(), QByteArray("1800000000000000a37f4b22"));
}

// Written out by hand from event.proto and summary.proto: a field's key is number * 8 + wire type.
void TestEventEncoding::Event_encoded_isTheMessageOfTensorFlow()
{
    const EventRecord record{EventKind::Values, 1.0, 300, {{"a", 1.5}}};
    QCOMPARE(
        bytesOf(encodeEvent(record)).toHex(), QByteArray("09000000000000f03f" // 1: wall_time 1.0
                                                         "10ac02"             // 2: step 300
                                                         "2a0a"               // 5: summary
                                                         "0a08"               // 1: value
                                                         "0a0161"             // 1: tag "a"
                                                         "150000c03f"));      // 2: simple_value 1.5
    QCOMPARE(
        bytesOf(encodeEvent({EventKind::Version, 0.0, 0, {}})),
        QByteArray("\x1a\x0d") + "brain.Event:2");
    // 7: session_log { 1: status START }
    QCOMPARE(
        bytesOf(encodeEvent({EventKind::Start, 0.0, 5, {}})).toHex(), QByteArray("10053a020801"));
}

QTEST_GUILESS_MAIN(TestEventEncoding)
#include "test_event_encoding.moc"
