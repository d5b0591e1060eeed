// The steps that a process can begin at a location, as a C function.
//
// What is written here are edges whose target can be written straight into packed words: without synchronisation, or
// with a message of a known buffered channel. For all others the code finds out whether the guard holds and hands over
// to the engine.
#pragma once

#include "tier/block_writer.hpp"
#include "tier/word_writer.hpp"

#include <string>

namespace beeline {

class StepWriter {
public:
    StepWriter(const Program& program, BlockWriter& blocks) : program_(program), names_(program), blocks_(blocks) {}

    void write(std::int32_t location);

    const std::string& text() const { return text_; }

private:
    void edge(std::int32_t index);
    std::string condition(const EdgePlan& plan) const;
    std::string test(const Test& test) const;
    void body(std::int32_t index);
    bool is_sending(std::int32_t index);
    bool is_receiving(std::int32_t index);
    bool has_values(std::int32_t index);
    bool has_effect(const EdgePlan& plan);
    bool has_blocks(std::int32_t first, std::int32_t count);
    void values(std::int32_t index);
    std::string value_name(std::int32_t index, std::int32_t i) const;
    void send(std::int32_t index);
    void receive(std::int32_t index);
    void remove_message(const ChannelPlace& channel, WordWriter& words);
    void target(std::int32_t index, void (StepWriter::*transfer)(std::int32_t index, WordWriter& words));
    void put_message(std::int32_t index, WordWriter& words);
    void take_message(std::int32_t index, WordWriter& words);
    void assign(std::int32_t index, std::int32_t first, std::int32_t count, WordWriter& words);
    void assignment(std::int32_t index, const Assignment& next, WordWriter& words);
    std::string out_of_cell(const Assignment& next, const std::string& cell, const std::string& stored) const;
    void afterthoughts(WordWriter& words);
    std::string failing(std::int32_t index, const std::string& error) const;

    const Program& program_;
    CellNames names_;
    BlockWriter& blocks_;
    std::string text_;
    int assigned_ = 0; // variables so far
};

} // namespace beeline
