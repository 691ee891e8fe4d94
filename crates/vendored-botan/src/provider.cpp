// Which code Botan takes for an algorithm: its C interface does not say, its C++ interface does.

#include <botan/block_cipher.h>
#include <botan/cipher_mode.h>
#include <botan/hash.h>
#include <botan/mac.h>
#include <botan/stream_cipher.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace {

// The provider of the algorithm `name` of kind `Kind`, empty if there is none.
template <typename Kind>
std::string provider(const char* name) {
   const auto algorithm = Kind::create(name);
   return algorithm ? algorithm->provider() : "";
}

// The same of a mode: that of what it adds to its cipher, such as GHASH.
std::string provider_of_mode(const char* name) {
   const auto mode = Botan::Cipher_Mode::create(name, Botan::Cipher_Dir::Encryption);
   return mode ? mode->provider() : "";
}

}  // namespace

// Writes the provider of `name` and a NUL into `out`, cut to `len` bytes; false if there is no such algorithm.
extern "C" bool fairlane_botan_provider(const char* name, char* out, std::size_t len) noexcept try {
   using namespace Botan;
   std::string found;
   for(const auto of_kind : {provider<HashFunction>,
                             provider<StreamCipher>,
                             provider<BlockCipher>,
                             provider<MessageAuthenticationCode>,
                             provider_of_mode}) {
      if(found.empty()) {
         found = of_kind(name);
      }
   }
   if(found.empty() || len == 0) {
      return false;
   }
   std::strncpy(out, found.c_str(), len - 1);
   out[len - 1] = '\0';
   return true;
} catch(...) {
   return false;
}
