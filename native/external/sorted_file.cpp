#include "external/sorted_file.hpp"

#include <cstring>
#include <utility>

namespace beeline {
namespace {

struct BlockHead {
    std::uint32_t records;
    std::uint32_t bytes; // behind the head
    std::uint64_t checksum;
};

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

} // namespace

std::uint64_t checksum_of(const std::byte* bytes, std::size_t count, std::uint32_t records) {
    std::uint64_t sum = fold_multiply(0x9e3779b97f4a7c15 ^ count, 0xa0761d6478bd642f ^ records);
    for (; count >= 8; bytes += 8, count -= 8) {
        std::uint64_t piece;
        std::memcpy(&piece, bytes, sizeof piece);
        sum = fold_multiply(sum ^ piece, 0xd1b54a32d192ed03);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes, count);
    return fold_multiply(sum ^ rest, 0x8cb92ba72f3d8dd7);
}

SortedFile::SortedFile(Disk& disk, RecordFormat format, std::uint32_t number, std::uint64_t bytes)
    : disk_(&disk), format_(format), number_(number) {
    const OpenFile file(path(), false);
    DeltaCode code(format.words + 1);
    std::vector<std::byte> content;
    disk.take_over(number, bytes);
    bytes_ = bytes;
    for (std::uint64_t offset = 0; offset < bytes;) {
        BlockHead head;
        file.read(reinterpret_cast<std::byte*>(&head), sizeof head, offset);
        content.resize(std::min<std::uint64_t>(head.bytes, bytes - offset));
        file.read(content.data(), content.size(), offset + sizeof head);
        if (head.records == 0 || head.checksum != checksum_of(content.data(), content.size(), head.records)) {
            throw DiskError(path() + ": does not hold what was written to it");
        }
        code.begin();
        const std::byte* place = content.data();
        for (std::uint32_t i = 0; i < head.records; ++i) {
            place = code.read(place);
            note_tag(code.record()[format.words]);
            if (i == 0) {
                note_block(offset, code.record());
            }
        }
        records_ += head.records;
        offset += sizeof head + head.bytes;
    }
}

void SortedFile::sync() const { OpenFile(path(), false).sync(); }

SortedFile::~SortedFile() {
    if (disk_ != nullptr) {
        disk_->drop_index(index_bytes());
        disk_->remove(number_, bytes_);
    }
}

SortedFile& SortedFile::operator=(SortedFile&& other) noexcept {
    std::swap(disk_, other.disk_);
    std::swap(format_, other.format_);
    std::swap(number_, other.number_);
    std::swap(bytes_, other.bytes_);
    std::swap(records_, other.records_);
    std::swap(least_, other.least_);
    std::swap(greatest_, other.greatest_);
    std::swap(offsets_, other.offsets_);
    std::swap(firsts_, other.firsts_);
    return *this;
}

void SortedFile::note_block(std::uint64_t offset, const Word* first) {
    offsets_.push_back(offset);
    firsts_.insert(firsts_.end(), first, first + format_.words);
    disk_->add_index(block_index_bytes());
}

std::size_t SortedFile::block_of(const Word* state, std::size_t block) const {
    // Doubled steps first: what is sought is near, as a rule.
    const auto is_before = [&](std::size_t b) { return compare_states(first(b), state, format_.words) <= 0; };
    std::size_t step = 1;
    while (block + step < blocks() && is_before(block + step)) {
        block += step;
        step *= 2;
    }
    for (; step > 0; step /= 2) {
        if (block + step < blocks() && is_before(block + step)) {
            block += step;
        }
    }
    return block;
}

SortedWriter::SortedWriter(Disk& disk, RecordFormat format)
    : made_(disk, format), file_(std::in_place, disk.path(made_.number_), true), code_(format.words + 1),
      record_(format.words + 1) {
    const std::size_t most = format.chunk_bytes + RecordFormat::kBlockBytes + sizeof(BlockHead) + code_.most_bytes();
    filling_.resize(most);
}

SortedWriter::~SortedWriter() {
    if (task_.is_under_way()) {
        try {
            made_.disk().io().wait(task_);
        } catch (const std::runtime_error&) { // nobody asks for this file
        }
    }
}

void SortedWriter::add(const Word* state, Word tag) {
    const std::size_t words = made_.format_.words;
    if (in_block_ == 0) {
        begin_block(state);
    }
    std::copy_n(state, words, record_.data());
    record_[words] = tag;
    std::byte* end = code_.write(record_.data(), filling_.data() + filled_);
    filled_ = static_cast<std::size_t>(end - filling_.data());
    ++in_block_;
    ++made_.records_;
    made_.note_tag(tag);
    if (filled_ - block_begin_ >= RecordFormat::kBlockBytes) {
        end_block();
    }
}

void SortedWriter::begin_block(const Word* state) {
    code_.begin();
    made_.note_block(offset_ + filled_, state);
    block_begin_ = filled_;
    filled_ += sizeof(BlockHead);
}

void SortedWriter::end_block() {
    if (in_block_ == 0) {
        return;
    }
    const std::byte* content = filling_.data() + block_begin_ + sizeof(BlockHead);
    const std::size_t bytes = filled_ - block_begin_ - sizeof(BlockHead);
    const std::uint64_t sum = checksum_of(content, bytes, in_block_);
    const BlockHead head{std::exchange(in_block_, 0), static_cast<std::uint32_t>(bytes), sum};
    std::memcpy(filling_.data() + block_begin_, &head, sizeof head);
    if (filled_ >= made_.format_.chunk_bytes) {
        hand_over();
    }
}

void SortedWriter::hand_over() {
    Disk& disk = made_.disk();
    disk.io().wait(task_);
    take_room();
    std::swap(filling_, writing_);
    filling_.resize(writing_.size());
    disk.io().begin(task_, [this, count = filled_, offset = offset_] { file_->write(writing_.data(), count, offset); });
    offset_ += std::exchange(filled_, 0);
}

void SortedWriter::take_room() {
    made_.disk().take(filled_);
    made_.bytes_ += filled_;
}

SortedFile SortedWriter::finish() {
    end_block();
    made_.disk().io().wait(task_);
    if (filled_ > 0) {
        take_room();
        file_->write(filling_.data(), filled_, offset_);
    }
    file_.reset();
    return std::move(made_);
}

SortedReader::SortedReader(const SortedFile& file)
    : file_(file), handle_(file.path(), false), code_(file.format().words + 1), block_(kNone) {}

SortedReader::~SortedReader() {
    for (Chunk& chunk : chunks_) {
        try {
            file_.disk().io().wait(chunk.task);
        } catch (const std::runtime_error&) { // nobody asks for it any more
        }
    }
}

bool SortedReader::seek(const Word* state) {
    if (is_over_) {
        return false;
    }
    const std::size_t block = file_.block_of(state, block_ == kNone ? 0 : block_);
    const bool jumps = block_ == kNone || block > block_;
    if (jumps && !(enter_block(block) && next())) {
        return false;
    }
    while (compare_states(this->state(), state, file_.format().words) < 0) {
        if (!next()) {
            return false;
        }
    }
    return true;
}

bool SortedReader::enter_block(std::size_t block) {
    if (block >= file_.blocks()) {
        is_over_ = true;
        return false;
    }
    if (chunks_[current_].end <= block || block_ == kNone) {
        load(block);
    }
    const Chunk& chunk = chunks_[current_];
    const std::uint64_t begin = file_.offset(block) - file_.offset(chunk.first);
    BlockHead head;
    std::memcpy(&head, chunk.bytes.data() + begin, sizeof head);
    const std::byte* content = chunk.bytes.data() + begin + sizeof head;
    const std::uint64_t room = file_.offset(block + 1) - file_.offset(block) - sizeof head;
    if (head.bytes != room || head.checksum != checksum_of(content, head.bytes, head.records)) {
        throw DiskError(file_.path() + ": does not hold what was written to it");
    }
    block_ = block;
    left_ = head.records;
    place_ = content;
    code_.begin();
    return true;
}

// Reads the chunk that begins with a block, and the one behind it ahead if blocks are read one after the other.
void SortedReader::load(std::size_t block) {
    const bool goes_on = block_ == kNone || block == chunks_[current_].end;
    Chunk& ahead = chunks_[1 - current_];
    IoThread& io = file_.disk().io();
    const bool is_there = ahead.task.is_under_way() && ahead.first == block;
    io.wait(ahead.task);
    if (!is_there) {
        place(ahead, block);
        read(ahead);
    }
    current_ = 1 - current_;
    if (goes_on && ahead.end < file_.blocks()) {
        Chunk& next = chunks_[1 - current_];
        place(next, ahead.end);
        io.begin(next.task, [this, &next] { read(next); });
    }
}

void SortedReader::place(Chunk& chunk, std::size_t block) const {
    chunk.first = chunk.end = block;
    const std::uint64_t begin = file_.offset(block);
    do {
        ++chunk.end;
    } while (chunk.end < file_.blocks() && file_.offset(chunk.end + 1) - begin <= file_.format().chunk_bytes);
    chunk.bytes.resize(file_.offset(chunk.end) - begin);
    file_.disk().note_read(chunk.bytes.size());
}

void SortedReader::read(Chunk& chunk) const {
    handle_.read(chunk.bytes.data(), chunk.bytes.size(), file_.offset(chunk.first));
}

} // namespace beeline
