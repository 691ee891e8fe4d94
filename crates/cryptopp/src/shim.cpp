// Crypto++ as one table of C functions: the struct `Api` of lib.rs, in its order.

#include <cryptopp/chacha.h>
#include <cryptopp/chachapoly.h>
#include <cryptopp/cryptlib.h>
#include <cryptopp/gcm.h>
#include <cryptopp/kalyna.h>
#include <cryptopp/modes.h>
#include <cryptopp/sm3.h>
#include <cryptopp/sm4.h>
#include <cryptopp/threefish.h>
#include <cryptopp/xts.h>

#include <cstddef>
#include <cstring>
#include <memory>

namespace {

using namespace CryptoPP;
using std::size_t;

constexpr size_t TAG = 16;

// An object: one of the four, and null pointers for the other kinds.
struct Object {
   std::unique_ptr<SymmetricCipher> stream;
   std::unique_ptr<AuthenticatedSymmetricCipher> aead;
   std::unique_ptr<BlockCipher> block;
   std::unique_ptr<HashTransformation> hash;
};

// No exception may reach the caller, who knows none.
template <typename Work>
bool done(Work work) noexcept {
   try {
      return work();
   } catch(...) {
      return false;
   }
}

template <typename Fill>
Object* make(Fill fill) noexcept {
   try {
      auto object = std::make_unique<Object>();
      fill(*object);
      return object.release();
   } catch(...) {
      return nullptr;
   }
}

int version() {
   return LibraryVersion();
}

// Makes `Cipher` in one direction and lets `member` of a new object own it.
template <typename Cipher, typename Kind>
Object* cipher(std::unique_ptr<Kind> Object::*member, bool inverse) {
   return make([=](Object& o) {
      if(inverse) {
         o.*member = std::make_unique<typename Cipher::Decryption>();
      } else {
         o.*member = std::make_unique<typename Cipher::Encryption>();
      }
   });
}

template <typename Cipher>
Object* stream_cipher() {
   return cipher<Cipher>(&Object::stream, false);
}

template <typename Cipher>
Object* mode(bool decrypt) {
   return cipher<Cipher>(&Object::stream, decrypt);
}

template <typename Cipher>
Object* aead(bool open) {
   return cipher<Cipher>(&Object::aead, open);
}

template <typename Cipher>
Object* block_cipher(bool decrypt) {
   return cipher<Cipher>(&Object::block, decrypt);
}

Object* sm3() {
   return make([](Object& o) { o.hash = std::make_unique<SM3>(); });
}

bool stream(Object* o, const byte* key, const byte* nonce, const byte* from, byte* to, size_t len) {
   return done([=] {
      auto& cipher = *o->stream;
      if(key) {
         cipher.SetKeyWithIV(key, cipher.DefaultKeyLength(), nonce);
      } else {
         // XTS copies as many bytes as it is told, and does not know its default of -1.
         cipher.Resynchronize(nonce, static_cast<int>(cipher.IVSize()));
      }
      // Ciphertext stealing takes the last whole block and the rest at once.
      const size_t block = cipher.MandatoryBlockSize();
      const size_t last = len % block == 0 ? 0 : block + len % block;
      cipher.ProcessData(to, from, len - last);
      return last == 0 || cipher.ProcessLastBlock(to + (len - last), last, from + (len - last), last) == last;
   });
}

bool seal(Object* o,
          const byte* key,
          const byte* nonce,
          const byte* aad,
          size_t aad_len,
          const byte* from,
          byte* to,
          size_t len,
          byte* tag) {
   return done([=] {
      if(key) {
         o->aead->SetKeyWithIV(key, o->aead->DefaultKeyLength(), nonce);
      }
      const auto nonce_len = static_cast<int>(o->aead->IVSize());
      o->aead->EncryptAndAuthenticate(to, tag, TAG, nonce, nonce_len, aad, aad_len, from, len);
      return true;
   });
}

bool open(Object* o,
          const byte* key,
          const byte* nonce,
          const byte* aad,
          size_t aad_len,
          const byte* from,
          byte* to,
          size_t len,
          const byte* tag) {
   return done([=] {
      if(key) {
         o->aead->SetKeyWithIV(key, o->aead->DefaultKeyLength(), nonce);
      }
      const auto nonce_len = static_cast<int>(o->aead->IVSize());
      return o->aead->DecryptAndVerify(to, tag, TAG, nonce, nonce_len, aad, aad_len, from, len);
   });
}

// Sets a key with an IV, which there must be; every message brings its own.
void key_with_iv(SimpleKeyingInterface& cipher, const byte* key, size_t len) {
   const byte iv[32] = {};
   cipher.SetKeyWithIV(key, len, iv);
}

bool key(Object* o, const byte* key, size_t len) {
   return done([=] {
      if(o->block) {
         o->block->SetKey(key, len);
      } else if(o->aead) {
         key_with_iv(*o->aead, key, len);
      } else {
         key_with_iv(*o->stream, key, len);
      }
      return true;
   });
}

bool blocks(Object* o, const byte* from, byte* to, size_t len) {
   return done([=] {
      if(len == o->block->BlockSize()) {
         o->block->ProcessBlock(from, to);
         return true;
      }
      return o->block->AdvancedProcessBlocks(from, nullptr, to, len, BlockTransformation::BT_AllowParallel) == 0;
   });
}

bool hash(Object* o, const byte* data, size_t len, byte* digest) {
   return done([=] {
      o->hash->CalculateDigest(digest, data, len);
      return true;
   });
}

bool provider(Object* o, char* to, size_t len) {
   return done([=] {
      const auto name = o->stream ? o->stream->AlgorithmProvider()
                        : o->aead ? static_cast<const AuthenticatedSymmetricCipher&>(*o->aead).AlgorithmProvider()
                        : o->block ? o->block->AlgorithmProvider()
                                   : o->hash->AlgorithmProvider();
      std::strncpy(to, name.c_str(), len);
      return name.size() < len;
   });
}

void destroy(Object* o) {
   delete o;
}

struct Api {
   decltype(&version) version_;
   decltype(&stream_cipher<ChaChaTLS>) chacha20;
   decltype(&aead<ChaCha20Poly1305>) chacha20_poly1305;
   decltype(&aead<XChaCha20Poly1305>) xchacha20_poly1305;
   decltype(&block_cipher<Threefish512>) threefish512;
   decltype(&block_cipher<Kalyna128>) kalyna128;
   decltype(&block_cipher<Kalyna256>) kalyna256;
   decltype(&block_cipher<Kalyna512>) kalyna512;
   decltype(&block_cipher<SM4>) sm4;
   decltype(&mode<CBC_Mode<SM4>>) sm4_cbc;
   decltype(&stream_cipher<CTR_Mode<SM4>>) sm4_ctr;
   decltype(&stream_cipher<XTS<SM4>>) sm4_xts;
   decltype(&aead<GCM<SM4>>) sm4_gcm;
   decltype(&sm3) sm3_;
   decltype(&stream) stream_;
   decltype(&seal) seal_;
   decltype(&open) open_;
   decltype(&key) key_;
   decltype(&blocks) blocks_;
   decltype(&hash) hash_;
   decltype(&provider) provider_;
   decltype(&destroy) destroy_;
};

}  // namespace

extern "C" const Api* fairlane_cryptopp() noexcept {
   static const Api api = {version,
                           stream_cipher<ChaChaTLS>,
                           aead<ChaCha20Poly1305>,
                           aead<XChaCha20Poly1305>,
                           block_cipher<Threefish512>,
                           block_cipher<Kalyna128>,
                           block_cipher<Kalyna256>,
                           block_cipher<Kalyna512>,
                           block_cipher<SM4>,
                           mode<CBC_Mode<SM4>>,
                           stream_cipher<CTR_Mode<SM4>>,
                           stream_cipher<XTS<SM4>>,
                           aead<GCM<SM4>>,
                           sm3,
                           stream,
                           seal,
                           open,
                           key,
                           blocks,
                           hash,
                           provider,
                           destroy};
   return &api;
}
