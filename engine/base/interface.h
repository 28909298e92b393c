// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// Base of classes that are used by address, as what derives from them.
class Interface
{
public:
    Interface() = default;
    virtual ~Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
};

} // namespace lockstep
