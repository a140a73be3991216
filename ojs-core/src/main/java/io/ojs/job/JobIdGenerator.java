package io.ojs.job;

import java.time.Clock;

import com.fasterxml.uuid.UUIDClock;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;

/**
 * Makes job ids: UUIDv7, which sort by the time they were made (OJS JSON Format §6), and
 * within a millisecond in the order in which they were. Safe for use by many threads.
 */
public final class JobIdGenerator {

	private final TimeBasedEpochGenerator generator;

	/**
	 * Creates a generator.
	 * @param clock where the time in the ids comes from
	 */
	public JobIdGenerator(Clock clock) {
		this.generator = new TimeBasedEpochGenerator(null, new UUIDClock() {
			@Override
			public long currentTimeMillis() {
				return clock.millis();
			}
		});
	}

	/**
	 * Makes an id.
	 * @return a new UUIDv7 in lower case
	 */
	public String next() {
		return this.generator.generate().toString();
	}

}
