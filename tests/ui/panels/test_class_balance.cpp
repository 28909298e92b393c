// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/image_models.h"
#include "panels/preview/preview_parts.h"
#include "support/lockstep_test.h"

#include <QTableView>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

ClassBalance unevenBalance()
{
    ClassBalance balance;
    balance.classNames = {"ship", "cat", "frog", "deer"};
    balance.train = {900, 300, 0, 800};
    balance.test = {50, 50, 50, 50};
    return balance;
}

} // namespace

class TestClassBalance : public QObject
{
    Q_OBJECT

private slots:
    static void Words_tellFactorAndEmptyClasses()
    {
        ClassBalance balance = unevenBalance();
        const QString text = balanceText(balance);
        QVERIFY2(text.contains("Train: 2,000 examples of 4 classes"), qPrintable(text));
        QVERIFY2(
            text.contains("(ship: 900) has 3.0 times as many as the smallest (cat: 300)"),
            qPrintable(text));
        QVERIFY2(text.contains("1 class has no examples: frog"), qPrintable(text));
        QVERIFY2(text.contains("Test: 200 examples of 4 classes; 50 each"), qPrintable(text));
        QVERIFY(!text.contains("balanced"));
        balance.isTrainedBalanced = true;
        QVERIFY(balanceText(balance).contains("balanced"));
    }

    static void Words_ofManyEmptyClasses_areShort()
    {
        ClassBalance balance;
        for (int i = 0; i < 1000; ++i) {
            balance.classNames.push_back(QString("class %1").arg(i));
            balance.train.push_back(i < 10 ? 7 : 0);
            balance.test.push_back(0);
        }
        const QString text = balanceText(balance);
        QVERIFY2(
            text.contains("7 each; 990 classes have no examples: class 10, "), qPrintable(text));
        QVERIFY2(
            text.contains("Test: 0 examples of 1,000 classes; 1,000 classes have no examples"),
            qPrintable(text));
        QVERIFY(text.size() < 400);
    }

    static void Table_sortedByCount_hasTheLargestFirst()
    {
        BalancePage page;
        page.setBalance(unevenBalance());
        page.resize(800, 300);
        page.show();
        auto* const table = page.findChild<QTableView*>();
        const auto names = [&] {
            QStringList list;
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                list << table->model()->index(row, ClassBalanceModel::Name).data().toString();
            }
            return list.join(' ');
        };
        QCOMPARE(names(), "ship cat frog deer");
        table->sortByColumn(ClassBalanceModel::Train, Qt::DescendingOrder);
        QCOMPARE(names(), "ship deer cat frog");
        table->sortByColumn(ClassBalanceModel::Name, Qt::AscendingOrder);
        QCOMPARE(names(), "cat deer frog ship");
    }

    static void Cells_shareBarAndWarning_areOfTheirSplit()
    {
        ClassBalanceModel model;
        model.setRows({{"ship", 900, 1}, {"cat", 300, 3}, {"frog", 0, 0}});
        const auto cell = [&](int row, int column) { return model.index(row, column); };
        using Model = ClassBalanceModel;
        QCOMPARE(cell(1, Model::Train).data(BarRole).toDouble(), 300.0 / 900.0);
        QCOMPARE(cell(0, Model::Test).data(BarRole).toDouble(), 1.0 / 3.0);
        QCOMPARE(cell(1, Model::TrainShare).data().toString(), "25.0 %");
        QCOMPARE(cell(0, Model::TestShare).data().toString(), "25.0 %");
        QCOMPARE(cell(2, Model::Train).data().toString(), "none");
        QVERIFY(cell(2, Model::Train).data(WarningRole).toBool());
        QVERIFY(!cell(1, Model::Train).data(WarningRole).toBool());
    }

    static void Background_hasNoExamples_andIsNoAlert()
    {
        ClassBalance balance = unevenBalance();
        balance.classNames.front() = "background";
        balance.train.front() = balance.test.front() = 0;
        balance.firstClass = 1;
        const QString text = balanceText(balance);
        QVERIFY2(!text.contains("background"), qPrintable(text));
        QVERIFY2(text.contains("Train: 1,100 examples of 3 classes"), qPrintable(text));
        QVERIFY2(text.contains("1 class has no examples: frog"), qPrintable(text));
        BalancePage page;
        page.setBalance(balance);
        const QAbstractItemModel& model = *page.findChild<QTableView*>()->model();
        for (int row = 0; row < model.rowCount(); ++row) {
            const QString name = model.index(row, ClassBalanceModel::Name).data().toString();
            QCOMPARE(
                model.index(row, ClassBalanceModel::Train).data(WarningRole).toBool(),
                name == "frog");
        }
    }
};
LOCKSTEP_TEST(TestClassBalance)
#include "test_class_balance.moc"
