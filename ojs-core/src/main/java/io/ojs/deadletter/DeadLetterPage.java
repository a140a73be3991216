package io.ojs.deadletter;

import java.util.List;

import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * A page of dead letters, the newest first.
 *
 * @param letters the dead letters
 * @param next the position of the next page; {@code null} if this is the last one
 */
public record DeadLetterPage(List<StoredJob> letters, @Nullable DeadLetterCursor next) {

	public DeadLetterPage {
		letters = List.copyOf(letters);
	}

}
