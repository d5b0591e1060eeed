#include "external/checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace beeline {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr const char* kDamaged = "it is damaged: its checksum does not fit";

struct PieceHead {
    std::uint64_t bytes; // 0: nothing follows
    std::uint64_t checksum;
};

std::string first_lines(const CheckpointOptions& options) {
    std::string text(Manifest::kFirstLine);
    text.append("identity ").append(options.identity).append("\n");
    return text;
}

} // namespace

SortedFile reopened(Disk& disk, const RecordFormat& format, std::uint64_t number, std::uint64_t bytes) {
    try {
        return SortedFile(disk, format, static_cast<std::uint32_t>(number), bytes);
    } catch (const DiskError& error) {
        throw CheckpointError(std::string("it is damaged: ") + error.what());
    }
}

CheckpointWriter::CheckpointWriter(const CheckpointOptions& options)
    : path_(options.file), part_(options.file + ".part"), file_(std::make_unique<OpenFile>(part_, true)) {
    const std::string first = first_lines(options);
    file_->write(reinterpret_cast<const std::byte*>(first.data()), first.size(), 0);
    offset_ = first.size();
    piece_.reserve(kPiece);
}

CheckpointWriter::~CheckpointWriter() {
    if (file_ != nullptr) { // it was not finished
        std::error_code ignored;
        std::filesystem::remove(part_, ignored);
    }
}

void CheckpointWriter::bytes(const void* from, std::size_t count) {
    const auto* next = static_cast<const std::byte*>(from);
    while (count > 0) {
        const std::size_t room = std::min(count, kPiece - piece_.size());
        piece_.insert(piece_.end(), next, next + room);
        next += room;
        count -= room;
        if (piece_.size() == kPiece) {
            hand_over();
        }
    }
}

void CheckpointWriter::hand_over() {
    const PieceHead head{piece_.size(), checksum_of(piece_.data(), piece_.size(), pieces_++)};
    file_->write(reinterpret_cast<const std::byte*>(&head), sizeof head, offset_);
    file_->write(piece_.data(), piece_.size(), offset_ + sizeof head);
    offset_ += sizeof head + piece_.size();
    piece_.clear();
}

void CheckpointWriter::finish() {
    if (!piece_.empty()) {
        hand_over();
    }
    hand_over(); // the empty piece is the end
    file_->sync();
    put_in_place(part_, path_);
    file_ = nullptr;
}

CheckpointReader::CheckpointReader(const CheckpointOptions& options) {
    const std::string first = first_lines(options);
    std::string found(first.size(), ' ');
    try {
        size_ = std::filesystem::file_size(options.file);
        file_ = std::make_unique<OpenFile>(options.file, false);
        file_->read(reinterpret_cast<std::byte*>(found.data()), found.size(), 0);
    } catch (const std::exception&) {
        throw CheckpointError("there is none in " + std::filesystem::path(options.file).parent_path().string());
    }
    if (found != first) {
        throw CheckpointError("it belongs to another model, another question or other options, or is damaged");
    }
    offset_ = first.size();
}

void CheckpointReader::bytes(void* to, std::size_t count) {
    auto* next = static_cast<std::byte*>(to);
    while (count > 0) {
        if (taken_ == piece_.size()) {
            take_piece();
        }
        const std::size_t there = std::min(count, piece_.size() - taken_);
        if (there == 0) {
            throw CheckpointError(kDamaged);
        }
        std::memcpy(next, piece_.data() + taken_, there);
        taken_ += there;
        next += there;
        count -= there;
    }
}

void CheckpointReader::expect(std::uint64_t count) const {
    if (count > size_) {
        throw CheckpointError(kDamaged);
    }
}

void CheckpointReader::take_piece() {
    try {
        PieceHead head{};
        file_->read(reinterpret_cast<std::byte*>(&head), sizeof head, offset_);
        piece_.resize(std::min<std::uint64_t>(head.bytes, kPiece));
        file_->read(piece_.data(), piece_.size(), offset_ + sizeof head);
        if (head.bytes != piece_.size() || head.checksum != checksum_of(piece_.data(), piece_.size(), pieces_++)) {
            throw CheckpointError(kDamaged);
        }
    } catch (const DiskError&) { // the file is too short
        throw CheckpointError(kDamaged);
    }
    offset_ += sizeof(PieceHead) + piece_.size();
    taken_ = 0;
}

void CheckpointReader::finish() {
    if (taken_ == piece_.size()) {
        take_piece();
    }
    if (!piece_.empty() || offset_ != size_) {
        throw CheckpointError(kDamaged);
    }
}

} // namespace beeline
