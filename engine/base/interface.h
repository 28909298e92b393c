// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// Base of classes whose objects are used through a reference or pointer to the base, and so are
/// neither copied nor moved.
class Interface
{
public:
    Interface() = default;
    virtual ~Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
};

} // namespace lockstep
