//! What stands at the end of every manual page: examples, exit status and environment.

use crate::RACE;
use roff::{Roff, bold, roman};

/// A line to type, and what it does.
type Example = (&'static str, &'static str);

/// The examples of the command as a whole, that of the race first.
const FAIRLANE: &[Example] = &[
    ("fairlane race", "races a selection of all suites in under three minutes"),
    ("fairlane cpu", "shows which backend each primitive uses on this machine"),
    ("fairlane hash --algo sha3-256 FILE", "prints a checksum"),
    ("fairlane encrypt FILE", "asks for a passphrase and writes FILE.sealed"),
];

/// The examples of a page, by its name.
fn examples(page: &str) -> &'static [Example] {
    match page {
        "fairlane" => &FAIRLANE[usize::from(!RACE)..],
        "fairlane-race" => &[
            ("fairlane race --list", "lists what can be raced, a line for each contest"),
            ("fairlane race keccak256", "races all contests of Keccak-256"),
            (
                "fairlane race --json run.json --html run.html ml-kem-768 sm4/ctr",
                "races some contests, and keeps the samples and a page for a browser",
            ),
            (
                "fairlane race --backend scalar,avx512-gfni --contestant fairlane sm4/ecb-encrypt",
                "shows what a better backend brings",
            ),
            ("fairlane race --plugin ./mine.so sm3", "races your own implementation against all others"),
            ("fairlane race --against ../before/fairlane sm4/ctr", "races this build against another one, interleaved"),
        ],
        "fairlane-leak" => &[
            ("fairlane leak", "searches some operations of all suites, in two minutes"),
            ("fairlane leak --samples 1000000 --time 60 ml-kem-768/decaps", "looks closely at one of them"),
            ("fairlane leak --contestant 'fairlane/*' '*'", "searches all operations of fairlane"),
            (
                "fairlane leak --json leaks.json sm4; fairlane report --leaks leaks.json run.json",
                "shows beside each contestant of a race whether its time tells secrets",
            ),
        ],
        "fairlane-report" => &[
            ("fairlane report run.json", "prints the run as Markdown"),
            ("fairlane report a.json b.json --html both.html", "puts two runs side by side, as a page"),
            ("fairlane report run.json --csv run.csv", "writes all results as comma-separated values"),
            ("fairlane report run.json --criterion target/criterion", "writes the samples for critcmp"),
        ],
        "fairlane-validate" => &[
            ("fairlane validate run.json", "computes again all that follows from the samples"),
            ("fairlane validate --signed-by me.pub.pem run.json", "accepts only what the key's owner signed"),
        ],
        "fairlane-compare" => &[
            ("fairlane compare old.json new.json", "says who gained and who lost"),
            (
                "fairlane compare --fail-above 2%,'keccak256/*=1%' --junit out.xml old.json new.json",
                "fails if a contestant is surely slower by more than that, and tells a build server",
            ),
            (
                "git bisect run sh -c 'cargo build --release && target/release/fairlane race --json new.json sm4/ctr || \
                 exit 125; fairlane compare --bisect --fail-above 3% good.json new.json'",
                "finds the commit that made SM4-CTR slower",
            ),
        ],
        "fairlane-history" => &[
            ("fairlane history runs/", "follows fairlane's backends over all runs of a folder"),
            ("fairlane history --contest 'sm4/*' --html history.html runs/", "draws the curves of SM4 as a page"),
        ],
        "fairlane-cpu" => &[
            ("fairlane cpu", "shows the CPU, its backends, and which one each primitive uses"),
            ("FAIRLANE_BACKEND=scalar,avx2 fairlane cpu", "shows what a limit leaves"),
        ],
        "fairlane-hash" => &[
            ("fairlane hash --algo sha256 *.iso > SUMS", "writes a list of checksums"),
            ("fairlane hash --algo sha256 --check SUMS", "checks the files of a list"),
            ("fairlane hash --algo blake3 --tag FILE", "prints a line that names its algorithm"),
            ("fairlane hash --algo shake128 --length 512 < FILE", "computes a digest of 512 bits"),
        ],
        "fairlane-encrypt" => &[
            ("fairlane encrypt FILE", "asks for a passphrase and writes FILE.sealed"),
            ("fairlane encrypt --key my.key FILE", "encrypts under a key of fairlane keygen"),
            ("tar c DIR | fairlane encrypt --recipient me.pub -o DIR.sealed", "encrypts a pipe to a recipient"),
        ],
        "fairlane-decrypt" => &[
            ("fairlane decrypt FILE.sealed", "asks for the passphrase and writes FILE"),
            ("fairlane decrypt --identity me -o - DIR.sealed | tar x", "decrypts to a pipe"),
        ],
        "fairlane-keygen" => &[("fairlane keygen my.key", "writes a key file that only its owner can read")],
        "fairlane-kem" | "fairlane-kem-demo" => &[("fairlane kem demo", "walks through a key exchange, step by step")],
        "fairlane-kem-keygen" => &[("fairlane kem keygen me", "writes me, for yourself, and me.pub, for everybody")],
        "fairlane-kem-encaps" => {
            &[("fairlane kem encaps me.pub -o sent -s secret", "writes a ciphertext to send, and a secret to use")]
        }
        "fairlane-kem-decaps" => &[("fairlane kem decaps me sent -o secret", "writes the secret that the sender has")],
        "fairlane-kem-show" => &[("fairlane kem show me.pub", "shows what a key file holds")],
        "fairlane-kem-export" => &[("fairlane kem export you.png -o you.pub", "converts a key from an image to text")],
        "fairlane-completions" => &[(
            "fairlane completions bash > ~/.local/share/bash-completion/completions/fairlane",
            "lets bash complete commands, options, contests and backends",
        )],
        "fairlane-man" => &[("fairlane man ~/.local/share/man/man1", "writes all manual pages")],
        _ => &[],
    }
}

const INTERRUPTED: &str =
    if RACE { "The command was interrupted; a race keeps what was measured." } else { "The command was interrupted." };

/// The exit status of a page's command.
fn statuses(page: &str) -> Vec<Example> {
    let mut statuses = vec![
        ("0", "All is well."),
        ("1", "A check failed, or a file could not be read or written."),
        ("2", "The command was misused, or an output could not be opened."),
    ];
    if matches!(page, "fairlane-keygen" | "fairlane-kem-keygen" | "fairlane-man") {
        statuses[2] = ("2", "The command was misused.");
    }
    if page == "fairlane-leak" {
        statuses.push((
            "3",
            "A contestant of fairlane that is said to be constant-time was told apart, or a control misbehaved.",
        ));
        statuses.push(("130", "The command was interrupted; it keeps what was measured."));
    } else if page == "fairlane-compare" {
        statuses[1] = ("1", "A file could not be read or written, or there is nothing that can be compared or judged.");
        statuses.push(("3", "A contestant has surely become slower than --fail-above allows."));
        statuses.push(("125", "With --bisect, instead of 1 and of most of 2: git bisect run skips the commit."));
    } else {
        statuses.push(("130", INTERRUPTED));
    }
    statuses
}

/// The sections of a page, by its name.
pub(crate) fn sections(page: &str) -> String {
    let environment = [(
        "FAIRLANE_BACKEND",
        "Backends separated by commas, such as scalar,avx2: no other is used. fairlane cpu lists all.",
    )];
    let mut roff = Roff::new();
    for (title, items) in [
        ("EXAMPLES", examples(page)),
        ("EXIT STATUS", statuses(page).as_slice()),
        ("ENVIRONMENT", environment.as_slice()),
    ] {
        roff.control("SH", [title]);
        for (what, about) in items {
            roff.control("TP", []).text([bold(*what)]).text([roman(*about)]);
        }
    }
    // The page has its own prologue, which defines how apostrophes are printed.
    let text = roff.render();
    text[text.find(".SH").unwrap_or(0)..].to_owned()
}
