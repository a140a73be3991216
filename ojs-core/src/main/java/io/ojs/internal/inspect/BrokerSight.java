package io.ojs.internal.inspect;

import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * How this process sees the broker.
 */
@FunctionalInterface
public interface BrokerSight {

	/** A broker without trouble. */
	BrokerSight FINE = Optional::empty;

	/** Returns why this process cannot publish now; empty if it can. */
	Optional<Trouble> trouble();

	/**
	 * Why a process cannot publish.
	 *
	 * @param blocked whether the broker takes no messages; otherwise there is no
	 * connection
	 * @param since since when; {@code null} if that is not known
	 * @param reason why; {@code null} if that is not known
	 */
	record Trouble(boolean blocked, @Nullable Instant since, @Nullable String reason) {
	}

}
