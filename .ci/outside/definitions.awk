# Writes a definition of every function that the C header declares, for a library that only its types are read of:
# awk -f definitions.awk fairlane.h
BEGIN { print "#include <fairlane.h>\n#include <stdlib.h>" }
/^\/\*/ { comment = 1 }
!comment && /^[a-z].*\(/ { declares = 1 }
declares { text = text $0 "\n" }
declares && /;$/ {
    sub(/;\n$/, "", text)
    print text " { abort(); }"
    text = ""
    declares = 0
}
/\*\/$/ { comment = 0 }
