package io.ojs.amqp.internal.delay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Retry queues: queues in which retries wait until their time to live is over. RabbitMQ
 * expires messages only at the head of a queue, so a message can hold up the one behind
 * it. Retry queues are two to the octave, so it does so by less than the step to the next
 * retry queue.
 *
 * <p>
 * The widths are 125, 187, 250, 375, 500, 750, 1000, 1500, 2000, 3000 … milliseconds. The
 * application declares a retry queue on first use, so a job queue has about two for each
 * doubling between its shortest and its longest delay.
 */
public final class RetryQueues {

	private static final long NARROWEST = 125;

	/** RabbitMQ before 3.11 allows no time to live over 2<sup>32</sup> ms, 49.7 days. */
	private static final long WIDEST = NARROWEST << 25;

	private RetryQueues() {
	}

	/**
	 * The retry queue for a delay: the narrowest that is not narrower than the delay.
	 * @return its width in milliseconds; the widest for delays over 48 days
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

	/** The retry queue for a delay, and all wider ones. */
	public static List<Long> from(Duration delay) {
		List<Long> widths = new ArrayList<>();
		for (long width = widthFor(delay); width < WIDEST; width = widthFor(Duration.ofMillis(width + 1))) {
			widths.add(width);
		}
		widths.add(WIDEST);
		return widths;
	}

	/**
	 * The expiration of a message that waits for a delay.
	 * @return milliseconds, from 1 to the width of the widest retry queue
	 */
	public static long millis(Duration delay) {
		long seconds = Math.min(delay.getSeconds(), WIDEST / 1000);
		return Math.max(1, Math.min(WIDEST, seconds * 1000 + delay.toMillisPart()));
	}

}
