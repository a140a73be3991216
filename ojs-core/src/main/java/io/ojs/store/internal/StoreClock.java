package io.ojs.store.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.ojs.internal.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A clock with the time of the database, which is the same for all processes. The time is
 * read at intervals and advanced by {@link System#nanoTime()} in between, which no clock
 * adjustment changes. Before the first read, this is the clock of the process. The time
 * goes back only if the clock of the database has jumped.
 */
public final class StoreClock extends Clock {

	/** The longest time between two reads. */
	public static final Duration INTERVAL = Duration.ofSeconds(5);

	/**
	 * A larger difference is a jump: more than clocks are usually adjusted by, and less
	 * than the shortest lease.
	 */
	private static final Duration JUMP = Duration.ofMillis(500);

	private static final Logger logger = SafeLogger.of(StoreClock.class);

	private final Clock own;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable Reading reading;

	private volatile Consumer<Instant> jump = (time) -> {
	};

	/** Creates a clock that has not been read yet. */
	public StoreClock(Clock own) {
		this.own = own;
	}

	/**
	 * Sets an action that runs when the clock of the database has jumped, before this
	 * clock follows.
	 * @param jump receives the new time; must be quick
	 */
	public void onJump(Consumer<Instant> jump) {
		this.jump = jump;
	}

	/**
	 * Reads the time of the database from the answer to a question.
	 * @param time gets the time of the database from the answer: a moment between
	 * question and answer
	 */
	public <T> T read(Supplier<T> question, Function<T, Instant> time) {
		long asked = System.nanoTime();
		T answer = question.get();
		set(time.apply(answer), asked, System.nanoTime());
		return answer;
	}

	private void set(Instant time, long asked, long answered) {
		// The database read its clock at an unknown moment between question and answer.
		Reading read = new Reading(time, asked + (answered - asked) / 2);
		this.lock.lock();
		try {
			Reading known = this.reading;
			if (known == null || isJump(known, time, asked, answered)) {
				if (known != null) {
					logger.warn("The clock of the job store's database has jumped by {}",
							Duration.between(known.at(read.nanos), time));
					this.jump.accept(time);
				}
				this.reading = read;
			}
			else if (answered - asked < JUMP.toNanos()) {
				read.notBefore(known.latest());
				this.reading = read;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private static boolean isJump(Reading known, Instant time, long asked, long answered) {
		return time.isBefore(known.at(asked).minus(JUMP)) || time.isAfter(known.at(answered).plus(JUMP));
	}

	@Override
	public Instant instant() {
		Reading known = this.reading;
		return (known != null) ? known.tell(System.nanoTime()) : this.own.instant();
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		InstantSource source = this::instant;
		return source.withZone(zone);
	}

	/** One read of the database's clock. */
	private static final class Reading {

		private final Instant time;

		/** The moment of the read, by {@link System#nanoTime()}. */
		private final long nanos;

		/**
		 * The latest time that this clock has returned; the next reading may be a little
		 * earlier.
		 */
		private final AtomicReference<Instant> latest;

		Reading(Instant time, long nanos) {
			this.time = time;
			this.nanos = nanos;
			this.latest = new AtomicReference<>(time);
		}

		Instant at(long now) {
			return this.time.plusNanos(now - this.nanos);
		}

		Instant tell(long now) {
			return notBefore(at(now));
		}

		Instant notBefore(Instant told) {
			return this.latest.accumulateAndGet(told, (one, other) -> one.isAfter(other) ? one : other);
		}

		Instant latest() {
			return this.latest.get();
		}

	}

}
