# Writes every Rust example of Markdown files as a program of its own: awk -v out=FOLDER -f extract.awk FILE...
#
# Dependencies of an example are those of the last block of TOML before it in its file that has a table of dependencies,
# and those named in comments of its own lines, such as `// hmac = "0.13"`; the latter win. Each set of dependencies
# becomes a package, out/examples-NUMBER: src/bin/FILE-LINE.rs, the dependencies' lines in `dependencies`, and in `no-run`
# the programs that are only to be compiled. A set without an example is a package, too, so that it is built.

function quote(s) { gsub(/'/, "'\\''", s); return "'" s "'" }

# The sorted lines of both sets of dependencies.
function dependencies(    all, name, lines, command, line) {
    for (name in file_needs) all[name] = file_needs[name]
    for (name in own_needs) all[name] = own_needs[name]
    if (length(all) == 0) all[default_need] = default_need " = \"*\""
    lines = ""
    for (name in all) lines = lines all[name] "\n"
    command = "printf %s " quote(lines) " | sort"
    lines = ""
    while ((command | getline line) > 0) lines = lines line "\n"
    close(command)
    return lines
}

# The folder of this set of dependencies.
function package(lines) {
    if (!(lines in packages)) {
        packages[lines] = out "/examples-" (++count)
        system("mkdir -p " quote(packages[lines] "/src/bin"))
        printf "%s", lines > (packages[lines] "/dependencies")
        close(packages[lines] "/dependencies")
    }
    return packages[lines]
}

function write_program(    folder, program, i, body, attributes, result) {
    folder = package(dependencies())
    program = FILENAME
    gsub(/[^A-Za-z0-9]+/, "-", program)
    program = tolower(program) "-" start
    for (i = 1; i <= lines_read; i++) {
        if (block[i] ~ /^#!\[/) attributes = attributes block[i] "\n"
        else body = body block[i] "\n"
    }
    # As rustdoc does: a body without a main function is one, and may end with its result.
    result = body ~ /Ok::<\(\), [^\n]*>\(\(\)\)[ \n]*$/
    if (body !~ /fn main\(/) {
        if (result) body = "fn example() -> Result<(), impl std::fmt::Debug> {\n" body "}\nexample().unwrap();\n"
        body = "fn main() {\n" body "}\n"
    }
    printf "// %s:%d\n#![allow(unused)]\n%s%s", FILENAME, start, attributes, body > (folder "/src/bin/" program ".rs")
    close(folder "/src/bin/" program ".rs")
    if (flags ~ /no_run/) print program >> (folder "/no-run")
}

# Takes a line such as `hmac = "0.13"` or `fairlane = { … }` into a set.
function need(set, line,    name) {
    sub(/[ \t]*#.*$/, "", line)
    name = line
    sub(/[ \t]*=.*$/, "", name)
    set[name] = line
}

FNR == 1 {
    split("", file_needs)
    inside = ""
    default_need = "fairlane"
    if (match(FILENAME, /crates\/[^\/]+/)) {
        default_need = substr(FILENAME, RSTART + 7, RLENGTH - 7)
        default_need = default_need == "fairlane" ? default_need : "fairlane-" default_need
    }
}

inside == "" && /^```(rust|toml)/ {
    inside = $0 ~ /^```rust/ ? "rust" : "toml"
    flags = $0
    start = FNR
    lines_read = 0
    table = ""
    split("", own_needs)
    next
}

inside != "" && /^```/ {
    if (inside == "rust" && flags !~ /ignore|compile_fail/) write_program()
    if (inside == "toml" && table_seen) {
        split("", own_needs)
        package(dependencies())
    }
    inside = ""
    table_seen = 0
    next
}

inside == "rust" {
    line = $0
    if (match(line, /\/\/ [a-z0-9_-]+ = ("[0-9][^"]*"|\{.*\})[ \t]*$/)) need(own_needs, substr(line, RSTART + 3))
    # rustdoc hides a line that begins with `# `.
    if (line == "#") line = ""
    sub(/^# /, "", line)
    block[++lines_read] = line
}

inside == "toml" && /^\[/ {
    table = $0
    if (table ~ /^\[(dev-)?dependencies\]/) {
        table_seen = 1
        split("", file_needs)
    }
}

inside == "toml" && table ~ /^\[(dev-)?dependencies\]/ && /^[A-Za-z0-9_-]+[ \t]*=/ { need(file_needs, $0) }
