// SPDX-License-Identifier: Apache-2.0
// Events as lines of a file, appended and flushed to the disk before they count as sent. It waits for the disk, and so
// belongs on a loop that serves nobody.
//
//   left by a crash          | at the next start
//   -------------------------+----------------------------------------------------------
//   half of a last line      | taken off; its event did not count as sent and comes again
//   a line, not written down | stays, and its event comes again under the same id
//
// Rotation is logrotate's: a file that was moved away or removed is made anew with the next event, and no signal is
// needed. Two processes never write into one file.
#pragma once

#include <string>

#include "stream/limits.hpp"
#include "stream/sink.hpp"

namespace pawl::stream {

class FileSink final : public Sink {
  public:
    // Takes half a last line off at once: whoever reads the file may never see another event. A file that cannot be
    // opened is said by the first delivery.
    explicit FileSink(std::string path);
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    ~FileSink() override;

    std::size_t batch_max() const override { return kLinesAtOnce; }
    std::size_t parallel_max() const override { return 1; }
    // All of them or none.
    Task<std::vector<Delivered>> deliver(std::vector<Event> events) override;

  private:
    Status write(const std::string& lines);
    Status open();
    Status mend();
    bool is_in_place() const;
    void close();

    std::string path_;
    int descriptor_ = -1;
};

}  // namespace pawl::stream
