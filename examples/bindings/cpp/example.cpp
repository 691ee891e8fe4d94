// c++ -std=c++20 example.cpp $(pkg-config --cflags --libs fairlane) && ./a.out
#include <algorithm>
#include <array>
#include <cstdio>
#include <fairlane.h>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace {

using Bytes = std::span<const uint8_t>;

void must(fairlane_status status) {
    if (status != FAIRLANE_OK) throw std::runtime_error(fairlane_status_message(status));
}

std::array<uint8_t, 32> keccak256(Bytes message) {
    std::array<uint8_t, 32> digest;
    must(fairlane_hash(FAIRLANE_KECCAK256, message.data(), message.size(), digest.data(), digest.size(), nullptr));
    return digest;
}

class Aead {
    struct Free {
        void operator()(fairlane_aead *aead) const { fairlane_aead_free(aead); }
    };
    std::unique_ptr<fairlane_aead, Free> aead;
    size_t tag_size;

  public:
    Aead(const char *algorithm, Bytes key) : tag_size(fairlane_aead_tag_size(algorithm)) {
        fairlane_aead *made = nullptr;
        must(fairlane_aead_new(&made, algorithm, fairlane_key{key.data(), key.size()}, nullptr));
        aead.reset(made);
    }
    std::vector<uint8_t> seal(Bytes nonce, Bytes plaintext) const {
        std::vector<uint8_t> sealed(plaintext.size() + tag_size);
        must(fairlane_aead_seal(aead.get(), fairlane_nonce{nonce.data(), nonce.size()}, nullptr, 0, plaintext.data(),
                                plaintext.size(), sealed.data(), sealed.size()));
        return sealed;
    }
    std::vector<uint8_t> open(Bytes nonce, Bytes sealed) const {
        if (sealed.size() < tag_size) throw std::runtime_error("shorter than a tag");
        std::vector<uint8_t> plaintext(sealed.size() - tag_size);
        must(fairlane_aead_open(aead.get(), fairlane_nonce{nonce.data(), nonce.size()}, nullptr, 0, sealed.data(),
                                sealed.size(), plaintext.data(), plaintext.size()));
        return plaintext;
    }
};

Bytes bytes(std::string_view text) { return {reinterpret_cast<const uint8_t *>(text.data()), text.size()}; }

void print(const char *what, Bytes bytes) {
    std::printf("%s: ", what);
    for (uint8_t byte : bytes) std::printf("%02x", byte);
    std::putchar('\n');
}

} // namespace

int main() {
    print("keccak256 of abc", keccak256(bytes("abc")));

    // A thousand rows of 32 bytes: the row's number, little-endian.
    std::vector<uint8_t> rows(32000), digests(32000);
    for (size_t i = 0; i < 1000; i++) {
        rows[32 * i] = static_cast<uint8_t>(i & 0xff);
        rows[32 * i + 1] = static_cast<uint8_t>(i >> 8);
    }
    must(fairlane_hash_rows(FAIRLANE_KECCAK256, rows.data(), 32, 32, 1000, digests.data(), 32, nullptr));
    print("keccak256 of 1000 hashes", keccak256(digests));

    // A real key is random and secret, and a nonce is used once.
    std::array<uint8_t, 32> key;
    for (size_t i = 0; i < key.size(); i++) key[i] = static_cast<uint8_t>(i);
    const Bytes nonce = Bytes(key).first(24), message = bytes("a message");
    const Aead aead(FAIRLANE_XCHACHA20_POLY1305, key);
    const auto sealed = aead.seal(nonce, message), opened = aead.open(nonce, sealed);
    print("sealed", sealed);
    return std::equal(opened.begin(), opened.end(), message.begin(), message.end()) ? 0 : 1;
}
