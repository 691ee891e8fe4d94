package io.github.fairlane;

import java.security.GeneralSecurityException;

/** The message is not authentic: nothing was decrypted. */
public final class InvalidTagException extends GeneralSecurityException {
    private static final long serialVersionUID = 1;

    /** With the library's message. */
    public InvalidTagException(String message) {
        super(message);
    }
}
