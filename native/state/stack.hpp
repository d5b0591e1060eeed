// Two small tools of the enumeration of steps: a stack that is cut back to a mark, and a reference to a callable.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace beeline {

// Keeps its memory when it shrinks. References into it last until the next push.
template <class T>
class Stack {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    std::size_t size() const { return size_; }
    void cut(std::size_t size) { size_ = size; }
    void push(const T& value) {
        if (size_ == storage_.size()) {
            storage_.resize(size_ < 64 ? 64 : 2 * size_);
        }
        storage_[size_++] = value;
    }
    T& operator[](std::size_t i) { return storage_[i]; }
    const T& operator[](std::size_t i) const { return storage_[i]; }
    T* data() { return storage_.data(); }
    const T* data() const { return storage_.data(); }

private:
    std::vector<T> storage_;
    std::size_t size_ = 0;
};

template <class Signature>
class FunctionRef;

// Does not own what it refers to: for arguments only.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
public:
    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
    FunctionRef(F&& function) // NOLINT: meant to convert
        : object_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
          call_([](void* object, Arguments... arguments) -> Result {
              return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Arguments>(arguments)...);
          }) {}

    Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

private:
    void* object_;
    Result (*call_)(void*, Arguments...);
};

// The states that someone keeps, by position.
using StateAt = FunctionRef<const std::uint32_t*(std::size_t)>;

} // namespace beeline
