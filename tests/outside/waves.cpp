// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Uses the interface in C++17: the end of a scope resumes the waves that it has halted.
 *
 * outside-waves [-t] [-w] PID
 *
 * Halts all waves of the process, lists them, reads a few registers of each, and resumes
 * them. With -t, an exception is thrown while they are halted. With -w, the program waits
 * for a line of standard input while they are halted, and then again.
 */
#include <linux/amdgpudbg.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fcntl.h>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

[[noreturn]] void throw_errno(const std::string &what)
{
	throw std::system_error(errno, std::generic_category(), what);
}

class file {
	int fd_;

public:
	explicit file(int fd, const std::string &what) : fd_(fd)
	{
		if (fd < 0)
			throw_errno(what);
	}
	file(file &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
	file(const file &) = delete;
	file &operator=(const file &) = delete;
	~file()
	{
		if (fd_ >= 0)
			close(fd_);
	}
	int get() const { return fd_; }
	int release() { return std::exchange(fd_, -1); }
};

/* sized: a structure of the interface, as a call wants it: all zero but its size */
template <class T> T sized()
{
	T s{};

	s.size = sizeof(s);
	return s;
}

class session {
	file node_;

public:
	explicit session(const std::string &path)
		: node_(open(path.c_str(), O_RDWR | O_CLOEXEC), path)
	{
		if (info().abi_version != AMDGPUDBG_ABI_VERSION)
			throw std::runtime_error("this is not the module's version");
	}

	/* Returns false if errno is @allowed, and throws what else goes wrong. */
	template <class T>
	bool call(unsigned long nr, T &arg, const char *what, int allowed = 0) const
	{
		if (!ioctl(node_.get(), nr, &arg))
			return true;
		if (errno != allowed)
			throw_errno(what);
		return false;
	}

	amdgpudbg_info info() const
	{
		auto i = sized<amdgpudbg_info>();

		call(AMDGPUDBG_IOC_GET_INFO, i, "GET_INFO");
		return i;
	}
};

/* target: the session acts on this process as long as it exists */
class target {
	const session &s_;

	/* The module removes the descriptor, whether or not the call succeeds. */
	bool take(file drm, int pidfd) const
	{
		auto t = sized<amdgpudbg_target_set>();

		t.flags = AMDGPUDBG_TARGET_SET_TAKE_FD;
		t.drm_fd = drm.release();
		t.pidfd = pidfd;
		return s_.call(AMDGPUDBG_IOC_TARGET_SET, t, "TARGET_SET", ENOTTY);
	}

public:
	target(const session &s, pid_t pid) : s_(s)
	{
		const std::string proc = "/proc/" + std::to_string(pid) + "/fd";
		const file pidfd(syscall(SYS_pidfd_open, pid, 0), "pidfd_open");

		for (const auto &entry : std::filesystem::directory_iterator(proc)) {
			std::error_code gone;
			const auto link = std::filesystem::read_symlink(entry.path(), gone);

			if (gone || link.string().rfind("/dev/dri/", 0) != 0)
				continue;
			const int number = std::stoi(entry.path().filename().string());

			if (take(file(syscall(SYS_pidfd_getfd, pidfd.get(), number, 0),
				      "pidfd_getfd"), pidfd.get()))
				return;
		}
		throw std::runtime_error("the process has no DRM file of this GPU");
	}
	target(const target &) = delete;
	target &operator=(const target &) = delete;
	~target()
	{
		auto t = sized<amdgpudbg_target_set>();

		t.drm_fd = -1;
		t.pidfd = -1;
		try {
			s_.call(AMDGPUDBG_IOC_TARGET_SET, t, "TARGET_SET");
		} catch (const std::exception &e) {
			std::cerr << e.what() << '\n';
		}
	}

	amdgpudbg_wave_control control(amdgpudbg_waveop op, std::uint32_t flags = 0) const
	{
		auto c = sized<amdgpudbg_wave_control>();

		c.op = op;
		c.mode = AMDGPUDBG_WAVEMODE_SELECT;
		c.select.wave_flags = flags;
		c.select.wave_flags_mask = flags;
		s_.call(AMDGPUDBG_IOC_WAVE_CONTROL, c, "WAVE_CONTROL");
		return c;
	}

	std::vector<amdgpudbg_wave> waves() const
	{
		auto list = sized<amdgpudbg_wave_list>();
		std::vector<amdgpudbg_wave> records(64);

		list.entry_size = sizeof(amdgpudbg_wave);
		for (;;) {
			list.capacity = records.size();
			list.waves = reinterpret_cast<std::uintptr_t>(records.data());
			const bool all = s_.call(AMDGPUDBG_IOC_WAVE_LIST, list, "WAVE_LIST",
						 EMSGSIZE);

			records.resize(list.count);
			if (all)
				return records;
		}
	}

	/* s0 to s3 */
	std::vector<std::uint32_t> registers(const amdgpudbg_wave &wave) const
	{
		std::vector<std::uint32_t> values(4);
		amdgpudbg_reg_range range{};
		auto access = sized<amdgpudbg_reg_access>();

		range.space = AMDGPUDBG_REG_SGPR;
		range.count = values.size();
		access.at = wave.at;
		access.id = wave.id;
		access.flags = wave.id ? AMDGPUDBG_REG_ACCESS_EXPECT_ID : 0;
		access.num_ranges = 1;
		access.ranges = reinterpret_cast<std::uintptr_t>(&range);
		access.num_values = values.size();
		access.values = reinterpret_cast<std::uintptr_t>(values.data());
		s_.call(AMDGPUDBG_IOC_REG_ACCESS, access, "REG_ACCESS");
		return values;
	}
};

/* hold: all waves of the target are halted as long as it exists */
class hold {
	const target &t_;

public:
	explicit hold(const target &t) : t_(t) { t.control(AMDGPUDBG_WAVEOP_HALT); }
	hold(const hold &) = delete;
	hold &operator=(const hold &) = delete;
	/* What this cannot resume, the end of the session does. */
	~hold()
	{
		try {
			t_.control(AMDGPUDBG_WAVEOP_RESUME, AMDGPUDBG_WAVE_OWNED);
		} catch (const std::exception &e) {
			std::cerr << e.what() << '\n';
		}
	}
};

void wait_for_line(bool wait)
{
	std::string line;

	if (wait)
		std::getline(std::cin, line);
}

void print(const amdgpudbg_wave &w, const std::vector<std::uint32_t> &sgprs)
{
	std::printf("se%u.sa%u.wgp%u.simd%u.wave%u 0x%016llx", w.at.se, w.at.sa, w.at.wgp,
		    w.at.simd, w.at.wave, static_cast<unsigned long long>(w.pc));
	for (const auto value : sgprs)
		std::printf(" 0x%08x", value);
	std::printf("\n");
}

void look(const target &t, bool throws, bool waits)
{
	const hold all(t);
	const auto waves = t.waves();

	std::printf("%zu waves\n", waves.size());
	for (const auto &w : waves) {
		if (!(w.flags & AMDGPUDBG_WAVE_OWNED))
			throw std::logic_error("a wave is not halted");
		print(w, t.registers(w));
	}
	std::printf("halted\n");
	wait_for_line(waits);
	if (throws)
		throw std::runtime_error("thrown while the waves were halted");
}

int run(int argc, char **argv)
{
	bool throws = false, waits = false;
	int option;

	while ((option = getopt(argc, argv, "tw")) != -1) {
		if (option == '?')
			return 2;
		(option == 't' ? throws : waits) = true;
	}
	if (optind + 1 != argc)
		throw std::runtime_error("give the number of one process");

	const session s("/dev/amdgpudbg0");
	const target t(s, std::stoi(argv[optind]));

	try {
		look(t, throws, waits);
	} catch (const std::runtime_error &e) {
		std::printf("caught: %s\n", e.what());
	}
	for (const auto &w : t.waves()) {
		if (w.flags & AMDGPUDBG_WAVE_HALTED)
			throw std::logic_error("a wave was not resumed");
	}
	std::printf("resumed\n");
	wait_for_line(waits);
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	/* Each line is for a reader that waits for it. */
	setvbuf(stdout, nullptr, _IOLBF, 0);
	try {
		return run(argc, argv);
	} catch (const std::exception &e) {
		std::cerr << "outside-waves: " << e.what() << '\n';
		return 1;
	}
}
