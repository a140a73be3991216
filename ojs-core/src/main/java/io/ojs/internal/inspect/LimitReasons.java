package io.ojs.internal.inspect;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;

import io.ojs.internal.engine.JobRow;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * Says which limit a job waits for.
 */
final class LimitReasons {

	private LimitReasons() {
	}

	static Reason of(LimitWait wait, JobRow row, Instant now) {
		RateLimit limit = wait.limit();
		// A job also waits until it is looked at again; that it may run then is not
		// known.
		Instant until = (wait.until() != null && wait.until().isAfter(now)) ? wait.until() : null;
		String sentence = "Waits for the %s%s%s.".formatted(name(wait), used(wait, now), place(wait));
		return new Reason("limit_full", sentence, row.enqueuedAt, until,
				Words.facts("scope", wait.scope().name().toLowerCase(Locale.ROOT), "limit", wait.name(), "running",
						wait.running(), "concurrency", (limit != null) ? limit.concurrency() : null, "rate",
						(limit != null) ? rate(limit.rate()) : null, "throttle",
						(limit != null) ? rate(limit.throttle()) : null, "place",
						(wait.place() > 0) ? (Integer) wait.place() : null, "counted", InspectionStore.COUNTED));
	}

	private static String name(LimitWait wait) {
		return switch (wait.scope()) {
			case KEY -> "limit '%s'".formatted(wait.name());
			case QUEUE -> "rate limit of queue '%s'".formatted(wait.name());
			case TENANT -> "limit of tenant '%s'".formatted(wait.name());
		};
	}

	private static String used(LimitWait wait, Instant now) {
		RateLimit limit = wait.limit();
		if (limit == null) {
			return "";
		}
		if (limit.concurrency() != null && wait.running() >= limit.concurrency()) {
			return ": %d of %d run".formatted(wait.running(), limit.concurrency());
		}
		String until = (wait.until() != null && wait.until().isAfter(now))
				? ", the next one at " + Words.time(wait.until(), now) : "";
		if (limit.rate() != null) {
			return ": %d may start each %s%s".formatted(limit.rate().limit(), Words.period(limit.rate().period()),
					until);
		}
		if (limit.throttle() != null) {
			return ": one may start each %s%s".formatted(Words.period(limit.throttle().interval()), until);
		}
		return ": %d of %d run".formatted(wait.running(), limit.concurrency());
	}

	private static String place(LimitWait wait) {
		if (wait.place() < 0) {
			return "";
		}
		return (wait.place() > 0) ? ", %s in line".formatted(Words.ordinal(wait.place()))
				: ", behind more than %d others".formatted(InspectionStore.COUNTED);
	}

	private static @Nullable Map<String, @Nullable Object> rate(@Nullable Rate rate) {
		return (rate != null) ? Words.facts("limit", rate.limit(), "period_ms", rate.period().toMillis()) : null;
	}

}
