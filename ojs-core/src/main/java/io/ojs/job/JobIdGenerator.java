package io.ojs.job;

import java.time.Clock;

import com.fasterxml.uuid.UUIDClock;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;

/**
 * Generates job ids: UUIDv7, which sort by the time of their creation (OJS JSON Format
 * §6). Ids of the same millisecond sort in the order of their creation. Thread-safe.
 */
public final class JobIdGenerator {

	private final TimeBasedEpochGenerator generator;

	/**
	 * Creates a generator.
	 * @param clock the source of the time in the ids
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
	 * Generates an id.
	 * @return a new UUIDv7 in lower case
	 */
	public String next() {
		return this.generator.generate().toString();
	}

}
