// CGO_CFLAGS=$(pkg-config --cflags fairlane) CGO_LDFLAGS=$(pkg-config --libs fairlane) go run example.go
package main

/*
#cgo noescape fairlane_hash
#cgo nocallback fairlane_hash
#cgo noescape fairlane_hash_rows
#cgo nocallback fairlane_hash_rows
#include <fairlane.h>
*/
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"
)

// A name ends with a zero and lives forever.
var (
	keccak256Name = C.CString("keccak256")
	xchachaName   = C.CString("xchacha20-poly1305")
)

func failure(status C.fairlane_status) error {
	if status == C.FAIRLANE_OK {
		return nil
	}
	return errors.New(C.GoString(C.fairlane_status_message(C.int32_t(status))))
}

// first is the address of the first byte, or nil if there is none.
func first(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(b)) }

// Keccak256 hashes one message.
func Keccak256(message []byte) (digest [32]byte, err error) {
	err = failure(C.fairlane_hash(keccak256Name, first(message), C.size_t(len(message)), first(digest[:]), 32, nil))
	return
}

// Keccak256Rows hashes each row of width bytes into 32 bytes of digests.
func Keccak256Rows(rows []byte, width int, digests []byte) error {
	if width <= 0 || len(rows)%width != 0 || len(digests) != len(rows)/width*32 {
		return errors.New("rows and digests do not fit")
	}
	w, count := C.size_t(width), C.size_t(len(rows)/width)
	return failure(C.fairlane_hash_rows(keccak256Name, first(rows), w, w, count, first(digests), 32, nil))
}

// AEAD is XChaCha20-Poly1305 under a key.
type AEAD struct{ aead *C.fairlane_aead }

// NewAEAD copies the key.
func NewAEAD(key []byte) (*AEAD, error) {
	// C takes no struct that holds a pointer to memory of Go, unless it is pinned.
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(unsafe.SliceData(key))
	a := &AEAD{}
	view := C.fairlane_key{first(key), C.size_t(len(key))}
	if err := failure(C.fairlane_aead_new(&a.aead, xchachaName, view, nil)); err != nil {
		return nil, err
	}
	runtime.AddCleanup(a, func(aead *C.fairlane_aead) { C.fairlane_aead_free(aead) }, a.aead)
	return a, nil
}

// Seal encrypts and authenticates.
func (a *AEAD) Seal(nonce, plaintext []byte) ([]byte, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(unsafe.SliceData(nonce))
	sealed := make([]byte, len(plaintext)+16)
	err := failure(C.fairlane_aead_seal(a.aead, C.fairlane_nonce{first(nonce), C.size_t(len(nonce))}, nil, 0,
		first(plaintext), C.size_t(len(plaintext)), first(sealed), C.size_t(len(sealed))))
	runtime.KeepAlive(a)
	return sealed, err
}

// Open decrypts if the tag is right.
func (a *AEAD) Open(nonce, sealed []byte) ([]byte, error) {
	if len(sealed) < 16 {
		return nil, errors.New("shorter than a tag")
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(unsafe.SliceData(nonce))
	plaintext := make([]byte, len(sealed)-16)
	err := failure(C.fairlane_aead_open(a.aead, C.fairlane_nonce{first(nonce), C.size_t(len(nonce))}, nil, 0,
		first(sealed), C.size_t(len(sealed)), first(plaintext), C.size_t(len(plaintext))))
	runtime.KeepAlive(a)
	return plaintext, err
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "fairlane:", err)
		os.Exit(1)
	}
	return value
}

func main() {
	fmt.Printf("keccak256 of abc: %x\n", must(Keccak256([]byte("abc"))))

	// A thousand rows of 32 bytes: the row's number, little-endian.
	rows, digests := make([]byte, 32000), make([]byte, 32000)
	for i := range 1000 {
		rows[32*i], rows[32*i+1] = byte(i), byte(i>>8)
	}
	must(0, Keccak256Rows(rows, 32, digests))
	fmt.Printf("keccak256 of 1000 hashes: %x\n", must(Keccak256(digests)))

	// A real key is random and secret, and a nonce is used once.
	key := make([]byte, 32)
	for i := range key {
		key[i] = byte(i)
	}
	aead := must(NewAEAD(key))
	sealed := must(aead.Seal(key[:24], []byte("a message")))
	fmt.Printf("sealed: %x\n", sealed)
	if !bytes.Equal(must(aead.Open(key[:24], sealed)), []byte("a message")) {
		os.Exit(1)
	}
}
