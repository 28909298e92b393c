// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <QString>

namespace lockstep::test {

/// What the Error that a call throws says; empty if it throws none.
template<class Call>
QString failureOf(Call call)
{
    try {
        call();
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

} // namespace lockstep::test
