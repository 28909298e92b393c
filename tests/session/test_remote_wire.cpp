// SPDX-License-Identifier: Apache-2.0
#include "session/control/control_socket.h"
#include "session/mirror/frame_channel.h"
#include "session/mirror/row_codec.h"
#include "session/mirror/store_mirror.h"
#include "session/mirror/store_source.h"
#include "session/remote/remote_address.h"
#include "storage/steps.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <nlohmann/json.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// What a channel makes of bytes that come after the greeting; an end without a whole frame is one.
std::optional<Error> errorOfFrame(const std::vector<std::uint8_t>& bytes)
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
        throw std::runtime_error("no pair of sockets");
    }
    const Descriptor here(ends[0]);
    Descriptor there(ends[1]);
    FrameChannel channel(here.get(), here.get());
    FrameChannel(there.get(), there.get()).greet();
    const bool isSent =
        ::write(there.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    there = Descriptor();
    return errorOf([&] {
        while (isSent && channel.fill()) {
            while (channel.take()) {
            }
        }
    });
}

std::vector<std::uint8_t> frameOf(std::vector<std::uint8_t> content)
{
    const auto length = static_cast<std::uint32_t>(content.size());
    for (int shift = 0; shift < 32; shift += 8) {
        content.insert(content.begin(), static_cast<std::uint8_t>(length >> shift));
    }
    return content;
}

} // namespace

/// What goes over the line between two machines, and what comes of it when it is damaged.
class TestRemoteWire : public QObject
{
    Q_OBJECT

private slots:
    void address_isReadAndWritten_data();
    void address_isReadAndWritten();
    void badAddress_saysWhatIsWrong_data();
    void badAddress_saysWhatIsWrong();
    void rows_areCborAndComeBack();
    void damagedRows_areRefused();
    void damagedFrames_areRefused();
    void damagedPage_leavesTheMirrorAsItWas();
    void commitThatTookLong_isNews();
};

void TestRemoteWire::address_isReadAndWritten_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("machine");
    QTest::newRow("host") << "ssh://gpu"
                          << ""
                          << "gpu" << 0 << ""
                          << "gpu";
    QTest::newRow("all") << "ssh://me@gpu.lan:2222/data/runs"
                         << "me"
                         << "gpu.lan" << 2222 << "/data/runs"
                         << "me@gpu.lan:2222";
    QTest::newRow("home") << "ssh://gpu/~/my%20runs"
                          << ""
                          << "gpu" << 0 << "~/my runs"
                          << "gpu";
    QTest::newRow("IPv6") << "ssh://me@[fe80::1]:22/r"
                          << "me"
                          << "fe80::1" << 22 << "/r"
                          << "me@[fe80::1]:22";
    QTest::newRow("IPv6 alone") << "ssh://[::1]/r"
                                << ""
                                << "::1" << 0 << "/r"
                                << "::1";
}

void TestRemoteWire::address_isReadAndWritten()
{
    QFETCH(QString, text);
    QFETCH(QString, user);
    QFETCH(QString, host);
    QFETCH(int, port);
    QFETCH(QString, path);
    QFETCH(QString, machine);
    const RemoteAddress address = parseRemoteAddress(text.toStdString());
    QVERIFY(
        address
        == (RemoteAddress{user.toStdString(), host.toStdString(), port, path.toStdString()}));
    QCOMPARE(QString::fromStdString(address.text()), text);
    QCOMPARE(QString::fromStdString(address.machine()), machine);
    QVERIFY(parseRemoteAddress(text.mid(6).toStdString()) == address);
    QVERIFY(isRemoteAddress(text.toStdString()) && !isRemoteAddress("/runs/ssh://"));
}

void TestRemoteWire::badAddress_saysWhatIsWrong_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("nothing") << "ssh://"
                             << "no host";
    QTest::newRow("no host") << "ssh://me@/runs"
                             << "no host";
    QTest::newRow("port") << "ssh://gpu:70000/runs"
                          << "port";
    QTest::newRow("port word") << "ssh://gpu:x/runs"
                               << "port";
    QTest::newRow("no port") << "ssh://gpu:/runs"
                             << "port";
    QTest::newRow("bracket") << "ssh://[::1/runs"
                             << "]";
    QTest::newRow("behind a bracket") << "ssh://[::1]x/runs"
                                      << "]";
    QTest::newRow("password") << "ssh://me:secret@gpu/runs"
                              << "password";
    QTest::newRow("no user") << "ssh://@gpu/runs"
                             << "no user";
    QTest::newRow("an option") << "ssh://-oProxyCommand=x/runs"
                               << "no name";
    QTest::newRow("a command") << "ssh://a$(b)/runs"
                               << "no name";
    QTest::newRow("half a byte") << "ssh://gpu/a%4"
                                 << "%";
}

void TestRemoteWire::badAddress_saysWhatIsWrong()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    QVERIFY(tells(
        errorOf([&] { parseRemoteAddress(text.toStdString()); }), ErrorCode::BadInput,
        text.toStdString(), says.toStdString(), std::string("ssh://[user@]host[:port]/")));
}

void TestRemoteWire::rows_areCborAndComeBack()
{
    const std::array<std::byte, 3> blob{std::byte{0}, std::byte{255}, std::byte{7}};
    const std::string longText(70'000, 'x');
    const std::vector<SqliteValue> row{
        std::monostate(),
        std::int64_t{0},
        std::int64_t{23},
        std::int64_t{24},
        std::int64_t{-1},
        std::int64_t{1} << 40,
        std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min(),
        -0.1,
        std::numeric_limits<double>::infinity(),
        std::string_view("äöü"),
        std::string_view(longText),
        std::span<const std::byte>(blob)};
    std::vector<std::uint8_t> bytes;
    appendRow(bytes, row);
    // Another reader of CBOR sees the same.
    const Frame other = Frame::from_cbor(bytes);
    QCOMPARE(other.size(), row.size());
    QVERIFY(other[0].is_null() && other[4] == -1 && other[5] == std::int64_t{1} << 40);
    QVERIFY(other[7] == std::numeric_limits<std::int64_t>::min() && other[8] == -0.1);
    QVERIFY(other[10] == "äöü" && other[11] == longText);
    appendRow(bytes, std::span(row).first(2));
    RowReader reader(bytes);
    QVERIFY(reader.next());
    QCOMPARE(reader.values().size(), row.size());
    std::vector<std::uint8_t> again;
    appendRow(again, reader.values());
    QVERIFY(std::ranges::equal(again, reader.bytes()));
    QVERIFY(reader.next() && reader.values().size() == 2);
    QVERIFY(!reader.next());
}

void TestRemoteWire::damagedRows_areRefused()
{
    const std::vector<std::vector<std::uint8_t>> damaged{
        {0x00},                   // no array
        {0x82, 0x01},             // a value is missing
        {0x81, 0x78},             // the length of a text is missing
        {0x81, 0x78, 0x05, 0x61}, // the text is shorter
        {0x81, 0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, // more than there is memory
        {0x81, 0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, // beyond SQLite's integers
        {0x81, 0x81, 0x01},                                           // an array in a row
        {0x81, 0x1f},                                                 // without an end
        {0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}};
    for (const auto& bytes : damaged) {
        QVERIFY(tells(
            errorOf([&] {
                RowReader reader(bytes);
                while (reader.next()) {
                }
            }),
            ErrorCode::Data, "damaged"));
    }
}

void TestRemoteWire::damagedFrames_areRefused()
{
    QVERIFY(!errorOfFrame(frameOf(Frame::to_cbor(Frame{{"t", "ping"}}))));
    QVERIFY(tells(errorOfFrame({0, 0, 0, 0}), ErrorCode::Data, "damaged"));
    QVERIFY(tells(errorOfFrame({0xff, 0xff, 0xff, 0xff}), ErrorCode::Data, "damaged"));
    QVERIFY(tells(errorOfFrame(frameOf({1})), ErrorCode::Data, "damaged"));
    QVERIFY(
        tells(errorOfFrame(frameOf(Frame::to_cbor(Frame{{"a", 1}}))), ErrorCode::Data, "damaged"));
    // Nested so deeply that a reader that calls itself would run out of stack.
    QVERIFY(tells(
        errorOfFrame(frameOf(std::vector<std::uint8_t>(100'000, 0x81))), ErrorCode::Data,
        "damaged"));
    const std::vector<std::uint8_t> whole = frameOf(Frame::to_cbor(Frame{
        {"t", "answer"}, {"id", 7}, {"value", {{"bytes", Frame::binary({1, 2, 3})}, {"x", 0.5}}}}));
    std::mt19937 random(1);
    for (int i = 0; i < 3'000; ++i) {
        std::vector<std::uint8_t> damaged = whole;
        damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
        const auto error = errorOfFrame(damaged);
        QVERIFY(!error || error->code() == ErrorCode::Data);
    }
}

/// Who looks while a commit is being synced sees its log as it will be, and does not see its rows.
void TestRemoteWire::commitThatTookLong_isNews()
{
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "run.db";
    const std::filesystem::path log = folder / "run.db-wal";
    RunStore store(file);
    store.startBranch(exampleBranch(2));
    writeSteps(store, 0, 500, 2);
    store.flush();
    // The next commit writes over the log's beginning.
    SqliteDatabase(file, SqliteDatabase::Access::Write).execute("PRAGMA wal_checkpoint(PASSIVE)");
    StoreMirror mirror(folder / "mirror.db");
    StoreSource source(file, mirror.state());
    while (source.next(1 << 20)) {
    }
    QVERIFY(!source.hasNews());
    const auto written = std::filesystem::last_write_time(log);
    const auto bytes = std::filesystem::file_size(log);
    writeSteps(store, 500, 501, 2);
    store.flush();
    QCOMPARE(std::filesystem::file_size(log), bytes);
    std::filesystem::last_write_time(log, written);
    QVERIFY(source.hasNews());
    QVERIFY(source.next(1 << 20));
    QVERIFY(!source.next(1 << 20));
    QVERIFY(!source.hasNews());
}

void TestRemoteWire::damagedPage_leavesTheMirrorAsItWas()
{
    const TemporaryFolder folder;
    {
        RunStore store(folder / "run.db");
        store.startBranch(exampleBranch(2));
        writeSteps(store, 0, 20, 2);
        store.append(RunValue{"state", "running"});
    }
    StoreMirror mirror(folder / "mirror.db");
    StoreSource source(folder / "run.db", mirror.state());
    const auto page = source.next(1 << 20);
    QVERIFY(page);
    const Frame before = mirror.state();
    const std::vector<std::uint8_t> whole = Frame::to_cbor(*page);
    std::mt19937 random(2);
    int refused = 0;
    for (int i = 0; i < 60; ++i) {
        std::vector<std::uint8_t> damaged = whole;
        // The head and the structure, not the numbers.
        damaged[random() % 200] ^= static_cast<std::uint8_t>(1U << (random() % 8));
        StoreMirror other(folder / "other.db");
        const Frame empty = other.state();
        const auto error = errorOf([&] {
            const Frame read = Frame::from_cbor(damaged, true, false);
            if (read.is_discarded()) {
                fail(ErrorCode::Data, "no frame");
            }
            other.apply(read);
        });
        if (error) {
            ++refused;
            QVERIFY(other.state() == empty);
        } else {
            std::filesystem::remove(folder / "other.db");
            std::filesystem::remove(folder / "other.db-wal");
        }
    }
    QVERIFY(refused > 20);
    QVERIFY(mirror.state() == before);
    mirror.apply(*page);
    QVERIFY(!source.next(1 << 20));
    // A page that came twice, as after a cut, changes nothing.
    const Frame after = mirror.state();
    mirror.apply(*page);
    QVERIFY(mirror.state() == after);
}

LOCKSTEP_TEST(TestRemoteWire)
#include "test_remote_wire.moc"
