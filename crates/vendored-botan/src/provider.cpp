// Which code Botan takes for a hash: its C interface does not say, its C++ interface does.

#include <botan/hash.h>

#include <cstddef>
#include <cstring>

// Writes the provider of hash `name` and a NUL into `out`, cut to `len` bytes; false if there is no such hash.
extern "C" bool fairlane_botan_provider(const char* name, char* out, std::size_t len) noexcept try {
   const auto hash = Botan::HashFunction::create(name);
   if(!hash || len == 0) {
      return false;
   }
   std::strncpy(out, hash->provider().c_str(), len - 1);
   out[len - 1] = '\0';
   return true;
} catch(...) {
   return false;
}
