package io.ojs.boot;

import org.jspecify.annotations.Nullable;

import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Compares passwords as they are. The default hashes them for a tenth of a second, with
 * each request again.
 */
final class PlainPasswords implements PasswordEncoder {

	@Override
	public @Nullable String encode(@Nullable CharSequence password) {
		return (password != null) ? password.toString() : null;
	}

	@Override
	public boolean matches(@Nullable CharSequence password, @Nullable String encoded) {
		return password != null && password.toString().equals(encoded);
	}

}
