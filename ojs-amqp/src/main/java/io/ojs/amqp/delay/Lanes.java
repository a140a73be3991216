package io.ojs.amqp.delay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The retry lanes: queues in which messages wait until their time to live is over. A
 * broker only looks at the head of a queue, so a message can be held back by its
 * neighbour; lanes are narrow, two to the octave, so that it is held back by less than
 * the step from one lane to the next.
 *
 * <p>
 * The ladder is 125, 187, 250, 375, 500, 750, 1000, 1500, 2000, 3000 … milliseconds.
 * Lanes are declared on first use, so a queue has about two for each doubling between its
 * shortest and its longest delay.
 */
public final class Lanes {

	private static final long NARROWEST = 125;

	/** RabbitMQ before 3.11 takes no time to live over 2<sup>32</sup> ms, 49.7 days. */
	private static final long WIDEST = NARROWEST << 25;

	private Lanes() {
	}

	/**
	 * The lane for a delay: the narrowest that is not below it.
	 * @param delay any delay
	 * @return its width in milliseconds; delays over 48 days take the widest lane
	 */
	public static long laneFor(Duration delay) {
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
	 * The lane for a delay and all that are wider.
	 * @param delay any delay
	 * @return widths in milliseconds, the narrowest first
	 */
	public static List<Long> from(Duration delay) {
		List<Long> lanes = new ArrayList<>();
		for (long lane = laneFor(delay); lane < WIDEST; lane = laneFor(Duration.ofMillis(lane + 1))) {
			lanes.add(lane);
		}
		lanes.add(WIDEST);
		return lanes;
	}

	/**
	 * What a message that waits for a delay gets as its expiration.
	 * @param delay any delay
	 * @return milliseconds, at least 1, at most the widest lane
	 */
	public static long millis(Duration delay) {
		long seconds = Math.min(delay.getSeconds(), WIDEST / 1000);
		return Math.max(1, Math.min(WIDEST, seconds * 1000 + delay.toMillisPart()));
	}

}
