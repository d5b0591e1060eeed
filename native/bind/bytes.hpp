// Words as Python's bytes, and the other way round.
#pragma once

#include "state/word.hpp"

#include <cstddef>
#include <cstdint>
#include <nanobind/nanobind.h>
#include <stdexcept>
#include <vector>

namespace beeline {

inline nanobind::bytes bytes_of(const std::vector<Word>& words) {
    return nanobind::bytes(words.data(), words.size() * sizeof(Word));
}

// The words of an object that has a buffer, while this lives.
class Words {
public:
    explicit Words(const nanobind::handle& object) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) {
            throw nanobind::python_error();
        }
        if (view_.len % sizeof(Word) != 0 || reinterpret_cast<std::uintptr_t>(view_.buf) % alignof(Word) != 0) {
            PyBuffer_Release(&view_);
            throw std::invalid_argument("a line consists of 32-bit words");
        }
    }
    ~Words() { PyBuffer_Release(&view_); }
    Words(const Words&) = delete;
    Words& operator=(const Words&) = delete;

    const Word* data() const { return static_cast<const Word*>(view_.buf); }
    std::size_t size() const { return static_cast<std::size_t>(view_.len) / sizeof(Word); }

private:
    Py_buffer view_;
};

} // namespace beeline
