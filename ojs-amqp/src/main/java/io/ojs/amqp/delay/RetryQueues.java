package io.ojs.amqp.delay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The retry queues: queues in which messages wait until their time to live is over. A
 * broker only looks at the head of a queue, so a message can be held back by its
 * neighbour; retry queues are narrow, two to the octave, so that it is held back by less
 * than the step from one retry queue to the next.
 *
 * <p>
 * The ladder is 125, 187, 250, 375, 500, 750, 1000, 1500, 2000, 3000 … milliseconds.
 * Retry queues are declared on first use, so a queue has about two for each doubling
 * between its shortest and its longest delay.
 */
public final class RetryQueues {

	private static final long NARROWEST = 125;

	/** RabbitMQ before 3.11 takes no time to live over 2<sup>32</sup> ms, 49.7 days. */
	private static final long WIDEST = NARROWEST << 25;

	private RetryQueues() {
	}

	/**
	 * The retry queue for a delay: the narrowest that is not below it.
	 * @param delay any delay
	 * @return its width in milliseconds; delays over 48 days take the widest retry queue
	 */
	public static long widthFor(Duration delay) {
		long millis = millis(delay);
		long octave = NARROWEST;
		while (octave < millis && octave < WIDEST) {
			long half = octave + octave / 2;
			if (half >= millis) {
				return half;
			}
			octave *= 2;
		}
		return octave;
	}

	/**
	 * The retry queue for a delay and all that are wider.
	 * @param delay any delay
	 * @return widths in milliseconds, the narrowest first
	 */
	public static List<Long> from(Duration delay) {
		List<Long> widths = new ArrayList<>();
		for (long width = widthFor(delay); width < WIDEST; width = widthFor(Duration.ofMillis(width + 1))) {
			widths.add(width);
		}
		widths.add(WIDEST);
		return widths;
	}

	/**
	 * What a message that waits for a delay gets as its expiration.
	 * @param delay any delay
	 * @return milliseconds, at least 1, at most the widest retry queue
	 */
	public static long millis(Duration delay) {
		long seconds = Math.min(delay.getSeconds(), WIDEST / 1000);
		return Math.max(1, Math.min(WIDEST, seconds * 1000 + delay.toMillisPart()));
	}

}
