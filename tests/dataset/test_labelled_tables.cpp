// SPDX-License-Identifier: Apache-2.0
// Tables of paths and labels: whatever columns people have.
#include "dataset/layouts/labelled_files.h"
#include "dataset/numbered_images.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <set>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// "a.jpg cat, b.jpg dog": what both splits are told of the images.
QString labelsOf(const fs::path& table)
{
    std::set<std::string> lines;
    for (const Split split : {Split::Train, Split::Test}) {
        const auto found = findLabelledFiles(table, split, {});
        for (const auto& file : found.files) {
            lines.insert(
                file.name + " " + found.classNames.at(static_cast<std::size_t>(file.label)));
        }
    }
    QStringList list;
    for (const std::string& line : lines) {
        list.append(QString::fromStdString(line));
    }
    return list.join(QStringLiteral(", "));
}

} // namespace

class TestLabelledTables : public QObject
{
    Q_OBJECT

private slots:
    void Table_anyDialect_isRead_data();
    void Table_anyDialect_isRead();
    void Table_parts_areFollowed();
    void Table_besideItsImages_isFound();
    void Columns_ofAnyTable_areToldOrRefused_data();
    void Columns_ofAnyTable_areToldOrRefused();
    void Parts_heldBack_areCounted();
    void Table_badLine_isNamed_data();
    void Table_badLine_isNamed();
};

void TestLabelledTables::Table_anyDialect_isRead_data()
{
    const QString plain = "i/a.jpg,9\ni/b.jpg,10\ni/c.jpg,9\ni/d, e.jpg,10\n";
    const auto quoted = QString(plain).replace("i/d, e.jpg", "\"i/d, e.jpg\"");
    addTextRows(
        {"table"},
        {{"plain", qUtf8Printable(quoted)},
         {"heading", qUtf8Printable("path,label\n" + quoted)},
         {"Windows", qUtf8Printable("\uFEFFpath,label\n" + QString(quoted).replace("\n", "\r\n"))},
         {"semicolons", "i/a.jpg;9\n\ni/b.jpg ; 10\n./i/c.jpg;\"9\"\ni/d, e.jpg;10"},
         {"tabs", "path\tlabel\ni/a.jpg\t9\ni/b.jpg\t10\ni/c.jpg\t9\ni/d, e.jpg\t10\n"},
         {"pandas' numbers",
          ",image_id,source,label\n0,a,x,9\n1,b,x,10\n2,c,y,9\n3,\"d, e\",y,10\n"},
         {"Windows' folders", "i\\a.jpg,9\ni\\b.jpg,10\ni\\c.jpg,9\n\"i\\d, e.jpg\",10\n"},
         {"without endings", "id,label\na,9\nb,10\nc,9\n\"d, e\",10\n"},
         {"labels first",
          "label,file_name\n9,i/a.jpg\n10,i/b.jpg\n9,i/c.jpg\n10,\"i/d, e.jpg\"\n"}});
}

void TestLabelledTables::Table_anyDialect_isRead()
{
    QFETCH(QString, table);
    const TemporaryFolder folder;
    writeNames(folder / "i", {"a.jpg", "b.jpg", "c.jpg", "d, e.jpg"});
    write(folder / "table.csv", table.toStdString());
    std::set<std::string> all;
    for (const Split split : {Split::Train, Split::Test}) {
        const auto labelled = findLabelledFiles(folder / "table.csv", split, {});
        QCOMPARE(labelled.classNames, (std::vector<std::string>{"9", "10"})); // as numbers
        QCOMPARE(labelled.files.size(), std::size_t{2});                      // one of each
        QCOMPARE(labelled.files[0].label + labelled.files[1].label, 1);
        for (const auto& file : labelled.files) {
            QCOMPARE(file.label, file.name == "i/a.jpg" || file.name == "i/c.jpg" ? 0 : 1);
            QVERIFY(all.insert(file.name).second);
        }
    }
    QVERIFY(all.contains("i/d, e.jpg"));
}

void TestLabelledTables::Table_parts_areFollowed()
{
    const TemporaryFolder folder;
    writeNames(folder.path(), {"a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"});
    write(
        folder / "t.csv",
        "a.jpg,x,train\nb.jpg,y,Training\nc.jpg,x,val\nd.jpg,y,test\ne.jpg,x,test\n");
    const auto namesIn = [&](Split split, DataPart tested) {
        std::set<std::string> names;
        for (const auto& file : findLabelledFiles(folder / "t.csv", split, {tested}).files) {
            names.insert(file.name);
        }
        return names;
    };
    for (const DataPart tested : {DataPart::Validation, DataPart::Test}) {
        QCOMPARE(namesIn(Split::Train, tested), (std::set<std::string>{"a.jpg", "b.jpg"}));
    }
    QCOMPARE(namesIn(Split::Test, DataPart::Validation), (std::set<std::string>{"c.jpg"}));
    QCOMPARE(namesIn(Split::Test, DataPart::Test), (std::set<std::string>{"d.jpg", "e.jpg"}));
}

void TestLabelledTables::Table_besideItsImages_isFound()
{
    const TemporaryFolder folder;
    writeNames(folder / "images", {"a.jpg", "b.jpg", "c.jpg", "d.jpg"});
    write(folder / "l.csv", "images/a.jpg,x\nimages/b.jpg,y\nimages/c.jpg,x\nimages/d.jpg,y\n");
    QCOMPARE(
        findLabelledFiles(folder.path(), Split::Train, {}).classNames,
        (std::vector<std::string>{"x", "y"}));
}

void TestLabelledTables::Columns_ofAnyTable_areToldOrRefused_data()
{
    addTextRows(
        {"table", "labels", "told"},
        {{"a number and a file", "id,filename,label\n1,0.jpg,x\n0,1.jpg,y\n3,2.jpg,x\n2,3.jpg,y\n",
          "0.jpg x, 1.jpg y, 2.jpg x, 3.jpg y", "images are those of the column filename"},
         {"a file and a number", "filename,id,label\n0.jpg,1,x\n1.jpg,0,y\n2.jpg,3,x\n3.jpg,2,y\n",
          "0.jpg x, 1.jpg y, 2.jpg x, 3.jpg y", "not read: id"},
         {"two that name images", "id,image,label\n0,1,x\n1,0,y\n2,3,x\n3,2,y\n", "",
          "images may be named by the column image or by id"},
         {"two labels", "image,diagnosis,target\n0,n,0\n1,m,1\n2,u,0\n3,n,0\n", "",
          "the label may be the column target or diagnosis, which say different things"},
         {"a label and its name", "filename,label,class_name\n0,0,x\n1,1,y\n2,0,x\n3,1,y\n",
          "0.jpg x, 1.jpg y, 2.jpg x, 3.jpg y", "labels those of class_name; not read: label"},
         {"FER's parts",
          "path,label,Usage,w\n0,x,Training,1\n1,y,Training,1\n2,x,PublicTest,1\n3,y,PrivateTest,"
          "1\n",
          "0.jpg x, 1.jpg y, 2.jpg x, 3.jpg y", "parts those of Usage; not read: w"},
         {"partition", "path,label,partition\n0,x,train\n1,y,train\n2,x,test\n3,y,test\n",
          "0.jpg x, 1.jpg y, 2.jpg x, 3.jpg y", ""},
         {"parts of a strange name", "path,label,which\n0,x,train\n1,y,train\n2,x,test\n3,y,test\n",
          "", "the column which says what is tested on; call it split"},
         {"a question", "path,label,is_test\n0,x,0\n1,y,0\n2,x,1\n3,y,1\n", "",
          "the column is_test says what is tested on"},
         {"a test's result", "path,label,test_result\n0,x,5.5\n1,y,7\n2,x,1\n3,y,1\n",
          "0.jpg x, 1.jpg y, 2.jpg x, 3.jpg y", "not read: test_result"},
         {"folds", "path,label,fold\n0,x,0\n1,y,0\n2,x,1\n3,y,1\n",
          "0.jpg x, 1.jpg y, 2.jpg x, 3.jpg y", "not read: fold"},
         {"a column for each class", "filename,x,y\n0,1,0\n1,0,1\n2,1,0\n3,0,1\n", "",
          "no column is called label or class"},
         {"no heading that is known", "pic,animal\n0,x\n1,y\n2,x\n3,y\n",
          "0.jpg x, 1.jpg y, 2.jpg x, 3.jpg y", "'pic,animal', is taken for the names"},
         {"a first image that is not there", "9.webp,x\n0,x\n1,y\n2,x\n3,y\n", "",
          "line 1: there is no image '9.webp'"},
         {"some images", "path,label\n0,x\n1,y\n2,x\n3,y\n", "0.jpg x, 1.jpg y, 2.jpg x, 3.jpg y",
          "1 that no line of the table names (more/4.jpg)"}});
}

void TestLabelledTables::Columns_ofAnyTable_areToldOrRefused()
{
    QFETCH(QString, table);
    QFETCH(QString, labels);
    QFETCH(QString, told);
    const TemporaryFolder folder;
    writeNames(folder.path(), {"0.jpg", "1.jpg", "2.jpg", "3.jpg", "more/4.jpg"});
    write(folder / "t.csv", table.toStdString());
    if (labels.isEmpty()) {
        const auto error = errorOf([&] { findLabelledFiles(folder / "t.csv", Split::Train, {}); });
        QVERIFY2(
            tells(error, ErrorCode::BadInput, told.toStdString()), error ? error->what() : "none");
        return;
    }
    QCOMPARE(labelsOf(folder / "t.csv"), labels);
    std::string lines;
    for (const auto& line : findLabelledFiles(folder / "t.csv", Split::Train, {}).account.lines()) {
        lines += line + "\n";
    }
    QVERIFY2(QString::fromStdString(lines).contains(told), lines.c_str());
}

void TestLabelledTables::Parts_heldBack_areCounted()
{
    const TemporaryFolder folder;
    writeNames(folder.path(), {"0.jpg", "1.jpg", "2.jpg", "3.jpg"});
    write(folder / "t.csv", "0.jpg,x,train\n1.jpg,y,train\n2.jpg,x,val\n3.jpg,y,test\n");
    const auto found = findLabelledFiles(folder / "t.csv", Split::Test, {});
    QVERIFY2(found.layout.ends_with("tested on, 1 are held back"), found.layout.c_str());
}

void TestLabelledTables::Table_badLine_isNamed_data()
{
    addTextRows(
        {"table", "text"},
        {{"one field", "a.jpg,x\nb.jpg\n", "t.csv, line 2: 'b.jpg' is not a path and a label"},
         {"four fields", "a.jpg,x,train,y\n", "t.csv, line 1: "},
         {"no label", "a.jpg,x\nb.jpg,\n", "t.csv, line 2: "},
         {"no image", "path,label\na.jpg,x\n\nz.jpg,x\n", "t.csv, line 4: there is no image"},
         {"no photograph", "a.jpg,x\nt.csv,x\n", "t.csv, line 2: there is no image 't.csv'"},
         {"twice", "a.jpg,x\nb.jpg,y\n./a.jpg,y\n", "line 3: './a.jpg' is in line 1 already"},
         {"unknown part", "a.jpg,x,train\nb.jpg,x,tset\n", "line 2: 'tset' is none of train"},
         {"some parts", "a.jpg,x,train\nb.jpg,x\n", "line 2: either all lines say train"},
         {"no test", "a.jpg,x,train\nb.jpg,y,train\n", "t.csv: no line says val or test"},
         {"no training", "a.jpg,x,test\nb.jpg,y,test\n", "t.csv: no line says train"},
         {"untrained class", "a.jpg,x,train\nb.jpg,y,test\nc.jpg,x,test\n",
          "no image to train on of class y"},
         {"class of one", "a.jpg,x\nb.jpg,x\nc.jpg,y\n", "fewer than two images of class y"},
         {"one class", "a.jpg,x\nb.jpg,x\n", "holds one class or none"},
         {"empty", "path,label\n", "t.csv: names no images"}});
}

void TestLabelledTables::Table_badLine_isNamed()
{
    QFETCH(QString, table);
    QFETCH(QString, text);
    const TemporaryFolder folder;
    writeNames(folder.path(), {"a.jpg", "b.jpg", "c.jpg"});
    write(folder / "t.csv", table.toStdString());
    const auto error = errorOf([&] { findLabelledFiles(folder / "t.csv", Split::Train, {}); });
    QVERIFY2(tells(error, ErrorCode::BadInput, text.toStdString()), error ? error->what() : "");
    QVERIFY(tells(error, ErrorCode::BadInput, (folder / "t.csv").string()));
}

LOCKSTEP_TEST(TestLabelledTables)
#include "test_labelled_tables.moc"
