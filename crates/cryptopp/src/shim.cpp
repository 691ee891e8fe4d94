// Crypto++ as one table of C functions: the struct `Api` of lib.rs, in its order.

#include <cryptopp/algparam.h>
#include <cryptopp/argnames.h>
#include <cryptopp/chacha.h>
#include <cryptopp/chachapoly.h>
#include <cryptopp/cryptlib.h>
#include <cryptopp/threefish.h>

#include <cstddef>
#include <cstring>
#include <memory>

namespace {

using namespace CryptoPP;
using std::size_t;

constexpr size_t KEY = 32, TAG = 16, TWEAK = 16;

// A keyed object: one of the three, or a null pointer where it is of another kind.
struct Object {
   std::unique_ptr<SymmetricCipher> stream;
   std::unique_ptr<AuthenticatedSymmetricCipher> aead;
   std::unique_ptr<BlockCipher> block;
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

Object* chacha20() {
   return make([](Object& o) { o.stream = std::make_unique<ChaChaTLS::Encryption>(); });
}

template <typename Aead>
Object* aead(bool open) {
   return make([=](Object& o) {
      if(open) {
         o.aead = std::make_unique<typename Aead::Decryption>();
      } else {
         o.aead = std::make_unique<typename Aead::Encryption>();
      }
   });
}

Object* threefish512(bool decrypt) {
   return make([=](Object& o) {
      if(decrypt) {
         o.block = std::make_unique<Threefish512::Decryption>();
      } else {
         o.block = std::make_unique<Threefish512::Encryption>();
      }
   });
}

bool stream(Object* o, const byte* key, const byte* nonce, const byte* from, byte* to, size_t len) {
   return done([=] {
      o->stream->SetKeyWithIV(key, KEY, nonce);
      o->stream->ProcessData(to, from, len);
      return true;
   });
}

// Both calls begin with a nonce of their own, the one that is meant; the key takes one too.
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
      o->aead->SetKeyWithIV(key, KEY, nonce);
      o->aead->EncryptAndAuthenticate(to, tag, TAG, nonce, static_cast<int>(o->aead->IVSize()), aad, aad_len, from, len);
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
      o->aead->SetKeyWithIV(key, KEY, nonce);
      const auto nonce_len = static_cast<int>(o->aead->IVSize());
      return o->aead->DecryptAndVerify(to, tag, TAG, nonce, nonce_len, aad, aad_len, from, len);
   });
}

bool block_key(Object* o, const byte* key, const byte* tweak) {
   return done([=] {
      const auto params = MakeParameters(Name::Tweak(), ConstByteArrayParameter(tweak, TWEAK));
      o->block->SetKey(key, o->block->DefaultKeyLength(), params);
      return true;
   });
}

bool blocks(Object* o, const byte* from, byte* to, size_t count) {
   return done([=] {
      const size_t size = o->block->BlockSize();
      for(size_t at = 0; at != count * size; at += size) {
         o->block->ProcessBlock(from + at, to + at);
      }
      return true;
   });
}

bool provider(Object* o, char* to, size_t len) {
   return done([=] {
      const auto name = o->stream ? o->stream->AlgorithmProvider()
                        : o->aead ? static_cast<const AuthenticatedSymmetricCipher&>(*o->aead).AlgorithmProvider()
                                  : o->block->AlgorithmProvider();
      std::strncpy(to, name.c_str(), len);
      return name.size() < len;
   });
}

void destroy(Object* o) {
   delete o;
}

struct Api {
   decltype(&version) version_;
   decltype(&chacha20) chacha20_;
   decltype(&aead<ChaCha20Poly1305>) chacha20_poly1305;
   decltype(&aead<XChaCha20Poly1305>) xchacha20_poly1305;
   decltype(&threefish512) threefish512_;
   decltype(&stream) stream_;
   decltype(&seal) seal_;
   decltype(&open) open_;
   decltype(&block_key) block_key_;
   decltype(&blocks) blocks_;
   decltype(&provider) provider_;
   decltype(&destroy) destroy_;
};

}  // namespace

extern "C" const Api* fairlane_cryptopp() noexcept {
   static const Api api = {version, chacha20, aead<ChaCha20Poly1305>, aead<XChaCha20Poly1305>, threefish512, stream,
                           seal, open, block_key, blocks, provider, destroy};
   return &api;
}
