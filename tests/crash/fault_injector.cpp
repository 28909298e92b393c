// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program, counts its calls that write to files below a folder and lets one of
// them go wrong: write, pwrite, writev, ftruncate, fsync, fdatasync, rename, unlink.
//   LOCKSTEP_FAULT_FOLDER  files below it are counted
//   LOCKSTEP_FAULT_AT      number of the call at fault, from 1; 0: none
//   LOCKSTEP_FAULT_KIND    fail: it returns an error, and so does every later one that writes;
//                          once: only this one returns an error; short: half of it is written, then
//                          fail; kill: the process ends just before it
//   LOCKSTEP_FAULT_COUNT   a file to which the number of calls so far is written, one digit string
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

namespace {

enum class Kind { Fail, Once, Short, Kill };

struct Plan
{
    std::string folder = text("LOCKSTEP_FAULT_FOLDER");
    long at = std::atol(text("LOCKSTEP_FAULT_AT").c_str());
    Kind kind = kindOf(text("LOCKSTEP_FAULT_KIND"));
    std::string count = text("LOCKSTEP_FAULT_COUNT");

    static std::string text(const char* name)
    {
        const char* value = std::getenv(name);
        return value == nullptr ? "" : value;
    }
    static Kind kindOf(const std::string& name)
    {
        return name == "kill"    ? Kind::Kill
               : name == "short" ? Kind::Short
               : name == "once"  ? Kind::Once
                                 : Kind::Fail;
    }
};

const Plan& plan()
{
    static const Plan one;
    return one;
}

long calls = 0;

template<class Function>
Function real(const char* name)
{
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

bool isBelow(const std::string& path)
{
    return !plan().folder.empty() && path.rfind(plan().folder, 0) == 0;
}

bool isBelow(int descriptor)
{
    char path[PATH_MAX];
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const ssize_t size = ::readlink(link.c_str(), path, sizeof(path));
    return size > 0 && isBelow(std::string(path, static_cast<std::size_t>(size)));
}

/// The number of this call, which is also left in a file: one thread after another, so that the
/// file holds the last one.
long count()
{
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    const long number = ++calls;
    if (!plan().count.empty()) {
        const int file =
            ::open(plan().count.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        const std::string text = std::to_string(number);
        static const auto writeFile = real<ssize_t (*)(int, const void*, size_t)>("write");
        writeFile(file, text.data(), text.size());
        ::close(file);
    }
    if (plan().kind == Kind::Kill && number == plan().at) {
        ::kill(::getpid(), SIGKILL);
    }
    return number;
}

enum class Verdict { Go, Half, Fail };

/// Counts a call and says what becomes of it. `isWriting`: it may be cut short.
Verdict judge(bool isCounted, bool isWriting)
{
    if (!isCounted) {
        return Verdict::Go;
    }
    const long number = count();
    if (plan().at == 0 || number < plan().at) {
        return Verdict::Go;
    }
    if (number > plan().at) {
        return plan().kind == Kind::Once || !isWriting ? Verdict::Go : Verdict::Fail;
    }
    return plan().kind == Kind::Short && isWriting ? Verdict::Half : Verdict::Fail;
}

int fault()
{
    errno = plan().kind == Kind::Once ? EIO : ENOSPC;
    return -1;
}

ssize_t writeOrFail(int descriptor, size_t size, ssize_t (*write)(void*, size_t), void* context)
{
    switch (judge(isBelow(descriptor), true)) {
    case Verdict::Go:
        return write(context, size);
    case Verdict::Half:
        return size < 2 ? fault() : write(context, size / 2);
    case Verdict::Fail:
        break;
    }
    return fault();
}

struct WriteCall
{
    int descriptor;
    const void* bytes;
    off64_t offset;
};

ssize_t pwriteOrFail(WriteCall call, size_t size)
{
    return writeOrFail(
        call.descriptor, size,
        [](void* context, size_t part) {
            static const auto function =
                real<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
            const auto* one = static_cast<const WriteCall*>(context);
            return function(one->descriptor, one->bytes, part, one->offset);
        },
        &call);
}

int simple(bool isCounted, int (*call)(const void*), const void* context)
{
    return judge(isCounted, false) == Verdict::Go ? call(context) : fault();
}

} // namespace

// The C library calls its parameters by names that are reserved to it.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t size)
{
    WriteCall call{descriptor, bytes, 0};
    return writeOrFail(
        descriptor, size,
        [](void* context, size_t part) {
            static const auto function = real<ssize_t (*)(int, const void*, size_t)>("write");
            const auto* one = static_cast<const WriteCall*>(context);
            return function(one->descriptor, one->bytes, part);
        },
        &call);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset)
{
    return pwriteOrFail({descriptor, bytes, offset}, size);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset)
{
    return pwriteOrFail({descriptor, bytes, offset}, size);
}

ssize_t writev(int descriptor, const iovec* parts, int count)
{
    static const auto function = real<ssize_t (*)(int, const iovec*, int)>("writev");
    return judge(isBelow(descriptor), false) == Verdict::Go ? function(descriptor, parts, count)
                                                            : fault();
}

int fsync(int descriptor)
{
    return simple(
        isBelow(descriptor),
        [](const void* context) {
            return real<int (*)(int)>("fsync")(*static_cast<const int*>(context));
        },
        &descriptor);
}

int fdatasync(int descriptor)
{
    return simple(
        isBelow(descriptor),
        [](const void* context) {
            return real<int (*)(int)>("fdatasync")(*static_cast<const int*>(context));
        },
        &descriptor);
}

int rename(const char* from, const char* to) noexcept
{
    static const auto function = real<int (*)(const char*, const char*)>("rename");
    return judge(isBelow(std::string(to)), false) == Verdict::Go ? function(from, to) : fault();
}

int unlink(const char* path) noexcept
{
    static const auto function = real<int (*)(const char*)>("unlink");
    return judge(isBelow(std::string(path)), false) == Verdict::Go ? function(path) : fault();
}

int remove(const char* path) noexcept
{
    static const auto function = real<int (*)(const char*)>("remove");
    return judge(isBelow(std::string(path)), false) == Verdict::Go ? function(path) : fault();
}

int mkdir(const char* path, mode_t mode) noexcept
{
    static const auto function = real<int (*)(const char*, mode_t)>("mkdir");
    return judge(isBelow(std::string(path)), false) == Verdict::Go ? function(path, mode) : fault();
}

int ftruncate(int descriptor, off_t size) noexcept
{
    static const auto function = real<int (*)(int, off_t)>("ftruncate");
    return judge(isBelow(descriptor), false) == Verdict::Go ? function(descriptor, size) : fault();
}

int ftruncate64(int descriptor, off64_t size) noexcept
{
    static const auto function = real<int (*)(int, off64_t)>("ftruncate64");
    return judge(isBelow(descriptor), false) == Verdict::Go ? function(descriptor, size) : fault();
}
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
