// SPDX-License-Identifier: GPL-2.0-or-later
// A member function of HIP's C++, compiled with -O0: members of the class, of its base classes and
// of an anonymous union, and variables in private memory, whose locations name no address space.
// test_debug_member.c has the same structures in C.

#define KERNEL	__attribute__((global))
#define DEVICE	__attribute__((device))

/* Members of this name hide it. */
DEVICE int count = 77;

struct counted {
	int count;
	int hidden;
};

struct named : counted {
	long name;
};

struct other {
	short first;
};

class engine : public other, public named {
public:
	DEVICE __attribute__((noinline)) int next(int step)
	{
		hidden += step;
		return hidden + count; // here
	}

	int state[2];
	union {
		int whole;
		unsigned char parts[4];
	};
	int hidden;
};

KERNEL void run(engine *e, int *out)
{
	int i = __builtin_amdgcn_workitem_id_x();

	e += i;
	e->count = 10 * i;
	e->state[1] = 7 - i;
	e->whole = 1000 + i;
	out[i] = e->next(i) + count - 77;
}
