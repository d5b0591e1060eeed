// Checks that a program's tables and bytecode cannot lead outside its memory.
#pragma once

namespace beeline {

class Program;

// Throws std::invalid_argument at the first fault.
void check_program(const Program& program);

} // namespace beeline
