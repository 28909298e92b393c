// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "base/text_bytes.h"
#include "dataset/files/csv_fields.h"
#include "dataset/files/text_file.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <QStringConverter>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;
using namespace std::string_view_literals;

namespace {

void writeBytes(const std::filesystem::path& file, const QByteArray& bytes)
{
    std::ofstream(file, std::ios::binary) << bytes.toStdString();
}

} // namespace

class TestTextBytes : public QObject
{
    Q_OBJECT

private slots:
    void ToUtf8_anyBytes_comeBack_data();
    void ToUtf8_anyBytes_comeBack();
    void ToUtf8_everyPairOfBytes_comesBack();
    void Printable_controls_areShown();
    void Error_withAZero_isTold();
    void ReadTextFile_anyEncoding_isText_data();
    void ReadTextFile_anyEncoding_isText();
    void ReadTextFile_noText_isRefusedByName();
    void CsvFields_quotes_areThoseOfFields_data();
    void CsvFields_quotes_areThoseOfFields();
};

void TestTextBytes::ToUtf8_anyBytes_comeBack_data()
{
    addRows<QByteArray, bool>(
        {"bytes", "isText"}, {{"plain", "ant", true},
                              {"Latin-1", "caf\xE9", false},
                              {"Shift-JIS", "\x83\x41\x83\x8A", false},
                              {"lone continuation", "a\x80z", false},
                              {"overlong", "\xC0\xAF", false},
                              {"surrogate", "\xED\xA0\x80", false},
                              {"beyond Unicode", "\xF4\x90\x80\x80", false},
                              {"cut short", "\xE2\x82", false},
                              {"emoji", "\xF0\x9F\x90\x9C", true},
                              {"Chinese", "\xE8\x9A\x82\xE8\x9A\x81", true},
                              {"an escape of ours", "\xEF\x9E\x80 and \xEF\x9F\xBF", true},
                              {"an escape beside a byte", "\xEF\x9E\x80\x80", false},
                              {"control characters", "a\x01\x1B[31m\tb\n", true},
                              {"quotes and backslashes", "5\" \\x pipe'", true}});
}

/// QString is the oracle of what is UTF-8.
void TestTextBytes::ToUtf8_anyBytes_comeBack()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, isText);
    const std::string text = toUtf8(bytes.toStdString());
    QVERIFY(QString::fromStdString(text).toUtf8().toStdString() == text);
    QCOMPARE(fromUtf8(text), bytes.toStdString());
    QCOMPARE(isUtf8(bytes.toStdString()), isText);
    const bool hasEscape = bytes.contains("\xEF\x9E\x80");
    QCOMPARE(text == bytes.toStdString(), isText && !hasEscape);
}

void TestTextBytes::ToUtf8_everyPairOfBytes_comesBack()
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    for (int pair = 0; pair < 65'536; ++pair) {
        const std::string bytes{static_cast<char>(pair / 256), static_cast<char>(pair % 256), 'x'};
        const std::string text = toUtf8(bytes);
        QVERIFY(fromUtf8(text) == bytes);
        QVERIFY(isUtf8(text));
        const QString decoded = decoder(QByteArrayView(bytes.data(), std::ssize(bytes)));
        QCOMPARE(isUtf8(bytes), !decoder.hasError() && decoded.toUtf8().toStdString() == bytes);
        decoder.resetState();
    }
}

void TestTextBytes::Printable_controls_areShown()
{
    QCOMPARE(
        printable("caf\xE9 \x1B[31m\tb\nc\x7F"sv), std::string("caf\\xE9 \\x1B[31m\\x09b\nc\\x7F"));
    QCOMPARE(printable("\0a"sv), std::string("\\x00a"));
    QCOMPARE(
        printable("\xC2\x9B"
                  "1m"sv),
        std::string("\\xC2\\x9B"
                    "1m"));
    QCOMPARE(printable("\xE8\x9A\x82"sv), std::string("\xE8\x9A\x82"));
}

void TestTextBytes::Error_withAZero_isTold()
{
    const auto error =
        errorOf([] { fail(ErrorCode::Data, "there is no '{}' here", std::string("a\0b", 3)); });
    QVERIFY(tells(error, ErrorCode::Data, "there is no 'a\\x00b' here"));
}

void TestTextBytes::ReadTextFile_anyEncoding_isText_data()
{
    const QString text = QStringLiteral("a.jpg,caf\u00E9\nb.jpg,bee\n");
    const QByteArray utf8 = text.toUtf8();
    const auto utf16 = [&](QStringEncoder::Encoding encoding, const char* mark) {
        QStringEncoder encoder(encoding);
        return QByteArray(mark, qsizetype(std::string_view(mark).size()))
               + QByteArray(encoder(text));
    };
    addRows<QByteArray, QString>(
        {"bytes", "encoding"},
        {{"UTF-8", utf8, ""},
         {"UTF-8 with a mark", "\xEF\xBB\xBF" + utf8, ""},
         {"UTF-16, little", utf16(QStringEncoder::Utf16LE, "\xFF\xFE"), "UTF-16LE"},
         {"UTF-16, big", utf16(QStringEncoder::Utf16BE, "\xFE\xFF"), "UTF-16BE"},
         {"UTF-16 without a mark", utf16(QStringEncoder::Utf16LE, ""), "UTF-16LE"},
         {"UTF-16, big, without a mark", utf16(QStringEncoder::Utf16BE, ""), "UTF-16BE"},
         {"Latin-1", text.toLatin1(), "WINDOWS-1252"},
         {"Windows' lines", QByteArray(utf8).replace("\n", "\r\n"), ""},
         {"old Macintosh's lines", QByteArray(utf8).replace("\n", "\r"), ""}});
}

void TestTextBytes::ReadTextFile_anyEncoding_isText()
{
    QFETCH(QByteArray, bytes);
    const TemporaryFolder folder;
    writeBytes(folder / "t.csv", bytes);
    const TextFile file = readTextFile(folder / "t.csv");
    QCOMPARE(file.text, std::string("a.jpg,caf\xC3\xA9\nb.jpg,bee\n"));
    QTEST(QString::fromStdString(file.encoding), "encoding");
    if (!file.encoding.empty()) {
        QVERIFY(!encoded("caf\xC3\xA9", file.encoding).empty());
    }
}

void TestTextBytes::ReadTextFile_noText_isRefusedByName()
{
    const TemporaryFolder folder;
    writeBytes(folder / "t.csv", QByteArray("a\0\0\0b\x81\x8D", 7));
    const auto error = errorOf([&] { readTextFile(folder / "t.csv"); });
    QVERIFY2(
        tells(error, ErrorCode::Data, "t.csv: is neither UTF-8 nor"), error ? error->what() : "");
    QVERIFY(tells(errorOf([&] { readTextFile(folder / "no.csv"); }), ErrorCode::Io, "no.csv"));
}

void TestTextBytes::CsvFields_quotes_areThoseOfFields_data()
{
    addRows<QString, QStringList>(
        {"line", "fields"}, {{"plain", "a, b ,c", {"a", "b", "c"}},
                             {"quoted", "\"a,b\",c", {"a,b", "c"}},
                             {"two quotes", "\"a \"\"b\"\"\",c", {"a \"b\"", "c"}},
                             {"inches", "a.jpg,5\" pipe", {"a.jpg", "5\" pipe"}},
                             {"inches at the end", "5\",6\"", {"5\"", "6\""}},
                             {"blanks about quotes", " \"a\" ,b", {"a", "b"}},
                             {"a quote within", "say \"x\",b", {"say \"x\"", "b"}},
                             {"a quote that nothing closes", "a,\"big", {"a", "\"big"}},
                             {"empty", "\"\",", {"", ""}}});
}

void TestTextBytes::CsvFields_quotes_areThoseOfFields()
{
    QFETCH(QString, line);
    QStringList fields;
    for (const std::string& field : csvFields(line.toStdString(), ',')) {
        fields.append(QString::fromStdString(field));
    }
    QTEST(fields, "fields");
    const std::string two = line.toStdString() + "\nnext,\"x\ny\"\nlast";
    std::string_view rest = two;
    QCOMPARE(takeCsvLine(rest, ','), line.toStdString());
    QCOMPARE(takeCsvLine(rest, ','), std::string("next,\"x\ny\""));
    QCOMPARE(takeCsvLine(rest, ','), std::string("last"));
    QVERIFY(rest.empty());
}

LOCKSTEP_TEST(TestTextBytes)
#include "test_text_bytes.moc"
