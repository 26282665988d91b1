package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// figures are the results of a measurement.
type figures map[string]float64

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// report prints the figures for the runner.
func report(f figures) {
	text, err := json.Marshal(map[string]figures{"figures": f})
	must(err)
	fmt.Println(string(text))
}

// cpuMicros returns the user and system time of this process in microseconds.
func cpuMicros() int64 {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return (usage.Utime.Nano() + usage.Stime.Nano()) / 1000
}

// microsEach returns the CPU time per item in microseconds.
func microsEach(count int, pass func()) float64 {
	begun := cpuMicros()
	pass()
	return float64(cpuMicros()-begun) / float64(count)
}

// status returns a value of /proc/self/status in megabytes: VmRSS or VmHWM.
func status(name string) float64 {
	text, err := os.ReadFile("/proc/self/status")
	must(err)
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			must(err)
			return kilobytes * 1024 / 1e6
		}
	}
	panic(name + " is missing in /proc/self/status")
}

// heapBytes returns the size of the live heap.
func heapBytes() float64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// monotonicNanos returns the clock that the load server writes into its events.
func monotonicNanos() int64 {
	var now unix.Timespec
	must(unix.ClockGettime(unix.CLOCK_MONOTONIC, &now))
	return now.Nano()
}

// untilCount waits until a count has reached a value. It fails if the count has not changed for five minutes.
func untilCount(count *atomic.Int64, target int) {
	last, since := int64(-1), time.Now()
	for {
		now := count.Load()
		if now >= int64(target) {
			return
		}
		if now != last {
			last, since = now, time.Now()
		} else if time.Since(since) > 5*time.Minute {
			must(fmt.Errorf("the count has stopped at %d of %d", now, target))
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// untilQuiet waits until a count has not changed for 200 ms.
func untilQuiet(count func() int) {
	for last, now := -1, count(); now != last; now = count() {
		last = now
		time.Sleep(200 * time.Millisecond)
	}
}

// byHands runs a step for each index. Each of the given number of hands runs its steps one after the other.
func byHands(hands, count int, step func(index int) error) {
	var next atomic.Int64
	var ended sync.WaitGroup
	for range hands {
		ended.Go(func() {
			for {
				index := int(next.Add(1)) - 1
				if index >= count {
					return
				}
				must(step(index))
			}
		})
	}
	ended.Wait()
}

func (w work) command(name string, parameters url.Values) int {
	response, err := http.Post(w.Control+"/"+name+"?"+parameters.Encode(), "", nil)
	must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(err)
	var answer struct{ Watchers int }
	must(json.Unmarshal(text, &answer))
	return answer.Watchers
}

// untilWatched waits until the load server has an open watch of this process.
func (w work) untilWatched() {
	for w.command("watchers", url.Values{"kind": {w.Kind}}) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
}

// pushEvents sends events to the watches of this process. It returns when the last event is sent.
func (w work) pushEvents(count int) {
	parameters := url.Values{"kind": {w.Kind}, "count": {strconv.Itoa(count)}, "among": {strconv.Itoa(w.Objects)}}
	if w.Rate > 0 {
		parameters.Set("rate", strconv.Itoa(w.Rate))
	}
	w.command("push", parameters)
}
