package io.ojs.jdbc.internal.limit;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.inspect.InspectionStore;
import io.ojs.internal.inspect.LimitLines;
import io.ojs.internal.inspect.LimitWait;
import io.ojs.internal.rate.RateMeter;
import io.ojs.jdbc.internal.StartLimits;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which limit a job waits for. Locks nothing: the answer is for people.
 */
public final class BlockedJob implements LimitLines {

	private static final String LINE = "select id from ojs_job where blocked_by = ?" + RateLimits.NOT_PAUSED
			+ WaitingPlace.IN_TURN + "limit " + InspectionStore.COUNTED;

	private final StoreDatabase database;

	public BlockedJob(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public @Nullable LimitWait of(JobRow row, Instant now) {
		String key = row.blockedBy;
		return (key != null) ? this.database.read("look at the line of a limit", () -> of(row, key, now)) : null;
	}

	private LimitWait of(JobRow row, String key, Instant now) {
		RateLimit limit = new JobLimits(this.database).of(row, this.database.codec().envelope(row))
			.stream()
			.filter((each) -> each.key().equals(key))
			.map(KeyedLimit::limit)
			.findFirst()
			.orElse(null);
		RateMeter meter = Objects.requireNonNull(new MeterRows(this.database).read(List.of(key)).get(key));
		RateMeter.Refusal refusal = (limit != null) ? meter.ask(limit, now) : null;
		List<UUID> line = this.database.jdbc().queryForList(LINE, UUID.class, key);
		int place = line.indexOf(row.id) + 1;
		boolean passed = place == 0 && line.size() < InspectionStore.COUNTED;
		return new LimitWait(scope(key), name(key), limit, meter.running(), passed ? -1 : place,
				(refusal != null) ? refusal.until() : null);
	}

	private static LimitWait.Scope scope(String key) {
		if (StartLimits.isOfQueue(key)) {
			return LimitWait.Scope.QUEUE;
		}
		return key.startsWith(StartLimits.TENANT) ? LimitWait.Scope.TENANT : LimitWait.Scope.KEY;
	}

	private static String name(String key) {
		return switch (scope(key)) {
			case KEY -> key;
			case QUEUE -> key.substring(StartLimits.QUEUE.length());
			case TENANT -> key.substring(StartLimits.TENANT.length());
		};
	}

}
