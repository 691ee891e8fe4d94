// SHA3-256 of Go's standard library, as a plug-in of fairlane's race.
//
//	CGO_CFLAGS="-I$PWD/../../../crates/lab/include" go build -buildmode=c-shared -o sha3.so sha3.go
//	fairlane race --plugin ./sha3.so
//
// The race calls fairlane_run once for many operations, so that the way from C to Go costs nothing worth mentioning.
package main

/*
#define FAIRLANE_TYPES_ONLY
#include "fairlane_contestant.h"
#include <stdlib.h>
*/
import "C"

import (
	"crypto/sha3"
	"runtime"
	"unsafe"
)

// What C keeps is allocated by C, once.
var contestants = func() *C.fairlane_contestant {
	list := (*C.fairlane_contestant)(C.calloc(1, C.sizeof_fairlane_contestant))
	list.contest = C.CString("sha3-256/message")
	list.name = C.CString("go crypto/sha3")
	list.library = C.CString("Go's standard library")
	list.version = C.CString(runtime.Version())
	list.backend = C.CString("its own choice on " + runtime.GOARCH)
	list.labels = C.CString("constant-time")
	list.how_to_use = C.CString("crypto/sha3: Sum256")
	return list
}()

//export fairlane_abi
func fairlane_abi() C.uint32_t { return C.FAIRLANE_ABI }

//export fairlane_contestants
func fairlane_contestants(count *C.size_t) *C.fairlane_contestant {
	*count = 1
	return contestants
}

// The state is C's, too: the length of a message.
//
//export fairlane_set_up
func fairlane_set_up(_ C.size_t, job *C.fairlane_job) unsafe.Pointer {
	state := (*C.size_t)(C.malloc(C.sizeof_size_t))
	*state = job.input_len
	return unsafe.Pointer(state)
}

//export fairlane_run
func fairlane_run(state unsafe.Pointer, input *C.uint8_t, output *C.uint8_t, times C.uint64_t) C.int {
	message := unsafe.Slice((*byte)(input), *(*C.size_t)(state))
	digest := (*[32]byte)(unsafe.Pointer(output))
	for ; times > 0; times-- {
		*digest = sha3.Sum256(message)
	}
	return 0
}

//export fairlane_tear_down
func fairlane_tear_down(state unsafe.Pointer) { C.free(state) }

//export fairlane_error
func fairlane_error() *C.char { return nil }

func main() {}
