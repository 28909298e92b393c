// SPDX-License-Identifier: Apache-2.0
// A library that is only there, or only missing.
extern "C" int lockstepFakeLibrary()
{
    return 0;
}
