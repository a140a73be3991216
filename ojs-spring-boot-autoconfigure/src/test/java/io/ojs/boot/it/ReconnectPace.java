package io.ojs.boot.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import io.ojs.amqp.ConnectionEvent;

import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hears of each attempt of an application to get a connection back, before it is made.
 */
class ReconnectPace {

	/** The shortest delay before the first attempt of AMQP binding §11.3. */
	private static final Duration FIRST = Duration.ofMillis(750);

	/** Between any other two, if a caller is in a hurry. */
	private static final Duration NEXT = Duration.ofSeconds(1);

	private final List<Attempt> attempts = new CopyOnWriteArrayList<>();

	@EventListener
	void on(ConnectionEvent.Reconnecting event) {
		this.attempts.add(new Attempt(event.connection(), event.attempt(), System.nanoTime()));
	}

	List<Attempt> attempts() {
		return List.copyOf(this.attempts);
	}

	/** How many attempts there were of a connection. */
	long count(String connection) {
		return this.attempts.stream().filter((attempt) -> attempt.connection().equals(connection)).count();
	}

	/** No connection was tried again sooner than agreed. */
	void assertKept() {
		Map<String, List<Attempt>> each = this.attempts.stream().collect(Collectors.groupingBy(Attempt::connection));
		each.forEach((connection, made) -> {
			for (int i = 1; i < made.size(); i++) {
				Duration pause = Duration.ofNanos(made.get(i).at() - made.get(i - 1).at());
				assertThat(pause).as("pause before %s after %s", made.get(i), made.get(i - 1))
					.isGreaterThanOrEqualTo((made.get(i).number() == 1) ? FIRST : NEXT);
			}
		});
	}

	/**
	 * An attempt.
	 *
	 * @param connection of which connection
	 * @param number which one since it was lost
	 * @param at when, as {@link System#nanoTime} says
	 */
	record Attempt(String connection, int number, long at) {
	}

}
