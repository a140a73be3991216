package io.ojs.store;

import java.time.Duration;

/**
 * How long jobs are kept that have ended (queue configuration §6.3, OJS Dead Letter §5).
 *
 * @param completed completed ones
 * @param cancelled cancelled ones
 * @param discarded discarded ones that are no dead letters
 * @param deadLetter dead letters
 */
public record Retention(Duration completed, Duration cancelled, Duration discarded, Duration deadLetter) {

	/** What the documents say where nobody says anything. */
	public static final Retention DEFAULT = new Retention(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(30),
			Duration.ofDays(180));

}
