// CGO_CFLAGS=$(pkg-config --cflags fairlane) CGO_LDFLAGS=$(pkg-config --libs fairlane) go test -bench .
package main

import (
	"bytes"
	"testing"

	"golang.org/x/crypto/sha3"
)

func xCrypto(message []byte) []byte {
	hash := sha3.NewLegacyKeccak256()
	hash.Write(message)
	return hash.Sum(nil)
}

func TestXCrypto(t *testing.T) {
	for _, length := range []int{0, 1, 32, 135, 136, 1000} {
		message := bytes.Repeat([]byte{7}, length)
		digest, err := Keccak256(message)
		if err != nil || !bytes.Equal(digest[:], xCrypto(message)) {
			t.Fatalf("%d bytes: %x, %v", length, digest, err)
		}
	}
}

func BenchmarkOneFairlane(b *testing.B) {
	message := make([]byte, 32)
	for b.Loop() {
		if _, err := Keccak256(message); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOneXCrypto(b *testing.B) {
	message := make([]byte, 32)
	hash, digest := sha3.NewLegacyKeccak256(), make([]byte, 0, 32)
	for b.Loop() {
		hash.Reset()
		hash.Write(message)
		digest = hash.Sum(digest[:0])
	}
}

// The time is that of a thousand messages; ns/message is that of one.
func BenchmarkBatchFairlane(b *testing.B) {
	rows, digests := make([]byte, 32000), make([]byte, 32000)
	for b.Loop() {
		if err := Keccak256Rows(rows, 32, digests); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/message")
}
