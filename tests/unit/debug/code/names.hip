// SPDX-License-Identifier: GPL-2.0-or-later
// C++ names as HIP programs have them: namespaces, templates, methods, overloads, and kernels with
// names of more than 256 characters. test_debug_name.c compares them with c++filt.

#define KERNEL	__attribute__((global))
#define DEVICE	__attribute__((device))
#define KEPT	__attribute__((device, noinline))

namespace sim {

template <typename A, typename B> struct pair_of {
	A first;
	B second;
};

class engine {
public:
	DEVICE explicit engine(unsigned int seed) : state(seed) {}
	KEPT unsigned int next();
	DEVICE void discard(unsigned int count)
	{
		for (unsigned int i = 0; i < count; i++)
			state = state * 1664525u + 1013904223u;
	}
	KEPT void discard(unsigned long long count);

private:
	unsigned int state;
};

KEPT unsigned int engine::next()
{
	state ^= state << 13;
	state ^= state >> 17;
	return state ^= state << 5;
}

KEPT void engine::discard(unsigned long long count)
{
	while (count--)
		next();
}

namespace {

KEPT float hidden(float x)
{
	return x * x + 1.0f;
}

} // namespace

template <typename T, int N> KERNEL void fill(T *out, unsigned int seed)
{
	engine e(seed);

	e.discard(seed & 7u);
	e.discard((unsigned long long)N);
	out[0] = (T)hidden((float)e.next());
}

template <typename T> KERNEL void long_names(T *out)
{
	*out = T();
}

// A mangled name repeats no type, so each has a long name of its own.
struct tile_of_the_first_matrix_in_lds {};
struct tile_of_the_second_matrix_in_lds {};
struct tile_of_the_result_in_accumulators {};
struct schedule_of_loads_and_multiplications {};
struct epilogue_that_scales_and_adds_a_bias {};
struct layout_of_the_batches_with_strides {};

template KERNEL void fill<float, 4>(float *, unsigned int);
template KERNEL void fill<int, 8>(int *, unsigned int);
template KERNEL void long_names<
	pair_of<pair_of<pair_of<tile_of_the_first_matrix_in_lds, tile_of_the_second_matrix_in_lds>,
			pair_of<tile_of_the_result_in_accumulators, int *>>,
		pair_of<pair_of<schedule_of_loads_and_multiplications, float (&)[4]>,
			pair_of<epilogue_that_scales_and_adds_a_bias,
				layout_of_the_batches_with_strides>>> *>(
	pair_of<pair_of<pair_of<tile_of_the_first_matrix_in_lds, tile_of_the_second_matrix_in_lds>,
			pair_of<tile_of_the_result_in_accumulators, int *>>,
		pair_of<pair_of<schedule_of_loads_and_multiplications, float (&)[4]>,
			pair_of<epilogue_that_scales_and_adds_a_bias,
				layout_of_the_batches_with_strides>>> **);

} // namespace sim
