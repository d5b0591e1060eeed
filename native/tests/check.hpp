// The least that a unit test needs: TEST(name) { CHECK(condition); CHECK_EQUAL(a, b); }
#pragma once

#include <iostream>

namespace beeline::test {

void add_test(const char* name, void (*body)());
void note_failure(const char* file, int line, const char* what);

struct Registered {
    Registered(const char* name, void (*body)()) { add_test(name, body); }
};

template <class A, class B>
void check_equal(const A& a, const B& b, const char* file, int line, const char* what) {
    if (!(a == b)) {
        note_failure(file, line, what);
        if constexpr (requires { std::cerr << a << b; }) {
            std::cerr << "    " << a << " is not " << b << "\n";
        }
    }
}

} // namespace beeline::test

#define TEST(name)                                                                                                     \
    static void test_##name();                                                                                         \
    static const ::beeline::test::Registered registered_##name(#name, test_##name);                                    \
    static void test_##name()

#define CHECK(condition) ((condition) ? void() : ::beeline::test::note_failure(__FILE__, __LINE__, #condition))

#define CHECK_EQUAL(a, b) ::beeline::test::check_equal((a), (b), __FILE__, __LINE__, #a " == " #b)
