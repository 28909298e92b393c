// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace lockstep {

/// The file that this process runs; empty where the system does not tell.
std::filesystem::path programFile();

/// A library of Lockstep's that is opened at run time: beside the program, or beside the library
/// that holds the engine, or where a package puts it; empty if it is nowhere.
std::filesystem::path findOwnLibrary(const char* name);

/// What this machine calls itself; "localhost" where it has no name.
std::string hostName();

} // namespace lockstep
