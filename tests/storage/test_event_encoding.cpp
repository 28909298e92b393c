// SPDX-License-Identifier: Apache-2.0
#include "storage/events/event_encoding.h"
#include "support/lockstep_test.h"

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
    static void Event_encoded_isTheMessageOfTensorFlow();
};

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

LOCKSTEP_TEST(TestEventEncoding)
#include "test_event_encoding.moc"
