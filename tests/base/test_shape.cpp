// SPDX-License-Identifier: Apache-2.0
#include "base/shape.h"
#include "support/lockstep_test.h"

namespace lockstep {

class TestShape : public QObject
{
    Q_OBJECT

private slots:
    void Shape_default_isOneValue() { QCOMPARE(Shape{}.elements(), std::int64_t{1}); }

    void Shape_elements_isTheProduct()
    {
        QCOMPARE((Shape{24, 20, 3}.elements()), std::int64_t{1440});
        QCOMPARE((Shape{.channels = 384}.elements()), std::int64_t{384});
    }

    void Shape_moreThanFourBillionElements_doesNotWrap()
    {
        QCOMPARE((Shape{70000, 70000, 1}.elements()), std::int64_t{4'900'000'000});
    }

    void Shape_equality_looksAtEveryExtent()
    {
        const Shape shape{2, 3, 4};
        QVERIFY(shape == (Shape{2, 3, 4}));
        QVERIFY(shape != (Shape{3, 2, 4}));
        QVERIFY(shape != (Shape{2, 3, 5}));
    }

    void Shape_text_isHeightWidthChannels()
    {
        QCOMPARE(toString(Shape{24, 20, 3}), std::string("24x20x3"));
    }
};

} // namespace lockstep

LOCKSTEP_TEST(lockstep::TestShape)
#include "test_shape.moc"
