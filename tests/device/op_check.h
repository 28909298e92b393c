// SPDX-License-Identifier: Apache-2.0
// A network on the CPU beside the float64 reference, in the precision of the test's global row.
#pragma once

#include "support/lockstep_test.h"
#include "support/replica_check.h"

namespace lockstep::test {

/// Rows and threads of the pass, and how far it may be from the reference.
struct OpCheck
{
    std::int64_t rows = 0;
    int threads = 1;
    double backward = tolerance::kBackward;
    double forwardBfloat16 = tolerance::kOpBfloat16;
    double backwardBfloat16 = tolerance::kOpBfloat16;
    DropoutDraw draw = {};
};

/// Fails the test where forward or backward is farther off. In bfloat16 the values are coarse.
inline void checkNetwork(const NetworkSpec& network, const OpCheck& how)
{
    QFETCH_GLOBAL(Precision, precision);
    const bool isFloat = precision == Precision::Float32;
    Random random(static_cast<std::uint64_t>(network.parameterElements() + how.rows));
    const auto parameters =
        isFloat ? randomParameters(network, random) : coarseParameters(network, random);
    const auto examples = isFloat ? randomExamples(network, how.rows, random)
                                  : coarseExamples(network, how.rows, random);
    const auto errors = compareWithReference(
        network, parameters, examples, {precision, true, how.threads, how.draw});
    const QString message = QString::fromStdString(errors.text());
    QVERIFY2(
        errors.forward < (isFloat ? tolerance::kForward : how.forwardBfloat16),
        qPrintable(message));
    QVERIFY2(
        errors.backward < (isFloat ? how.backward : how.backwardBfloat16), qPrintable(message));
}

/// The networks of a test, a row each, and what is done with one.
inline void addNetworkColumns()
{
    QTest::addColumn<NetworkSpec>("network");
}
inline void checkFetchedNetwork(const DropoutDraw& draw = {})
{
    QFETCH(NetworkSpec, network);
    for (const auto& [rows, threads] : {std::pair{2, 1}, std::pair{3, 2}}) {
        OpCheck how{rows, threads};
        how.draw = draw;
        checkNetwork(network, how);
    }
}

} // namespace lockstep::test
