package io.ojs.store;

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

import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The time of the database, which is the same for all processes: read from time to time,
 * and advanced by {@link System#nanoTime()} meanwhile, which no one can set. Before it is
 * read for the first time, that of this process. It goes back only where that of the
 * database has jumped.
 */
public final class StoreClock extends Clock {

	/** How often it is to be read at least. */
	public static final Duration INTERVAL = Duration.ofSeconds(5);

	/** More than clocks are adjusted by, and less than the shortest lease. */
	private static final Duration JUMP = Duration.ofMillis(500);

	private static final Logger logger = SafeLogger.of(StoreClock.class);

	private final Clock own;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable Reading reading;

	private volatile Consumer<Instant> jump = (time) -> {
	};

	/**
	 * Creates a clock that has not been read yet.
	 * @param own tells the time of this process
	 */
	public StoreClock(Clock own) {
		this.own = own;
	}

	/**
	 * Has something done when the clock of the database has jumped, before this one
	 * follows.
	 * @param jump told the new time; must be quick
	 */
	public void onJump(Consumer<Instant> jump) {
		this.jump = jump;
	}

	/**
	 * Asks the database something whose answer has the time.
	 * @param question asks it
	 * @param time the time in the answer, when it was asked or later
	 * @return the answer
	 */
	public <T> T read(Supplier<T> question, Function<T, Instant> time) {
		long asked = System.nanoTime();
		T answer = question.get();
		set(time.apply(answer), asked, System.nanoTime());
		return answer;
	}

	private void set(Instant time, long asked, long answered) {
		// Somewhere in between, however long that was.
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

	/** What was read. */
	private static final class Reading {

		private final Instant time;

		/** When that was, by the JVM. */
		private final long nanos;

		/** What was told so far, which the next reading may be a little before. */
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
