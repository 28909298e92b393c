// SPDX-License-Identifier: Apache-2.0
// A target must have a source to own a compiled header: see tests/CMakeLists.txt.
