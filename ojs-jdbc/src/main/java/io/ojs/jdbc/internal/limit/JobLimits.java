package io.ojs.jdbc.internal.limit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.StartGate;
import io.ojs.internal.engine.Transitions;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.jdbc.internal.StartLimits;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.StoreFeature;
import io.ojs.job.Job;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * Applies the limits of jobs: that which a job names, that of its tenant and that of its
 * queue. Jobs start, wait and let others through accordingly.
 */
public final class JobLimits implements StoreFeature {

	/** The order in which transactions lock keys, so that they cannot deadlock. */
	static final Comparator<String> ORDER = Comparator.<String, Boolean>comparing(StartLimits::isOfQueue)
		.thenComparing(Comparator.naturalOrder());

	private final StoreDatabase database;

	private final StartLimits limits;

	public JobLimits(StoreDatabase database) {
		this.database = database;
		this.limits = database.options().limits();
	}

	@Override
	public boolean concerns(JobRow row, Job job) {
		return !of(row, job).isEmpty();
	}

	@Override
	public void inserting(Map<JobRow, Job> jobs, Transitions transitions) {
		new WaitingLine(this.database, transitions).join(jobs);
	}

	@Override
	public Optional<StartGate> gate(Instant now) {
		return Optional.of(new RateLimits(this.database, now));
	}

	@Override
	public void within(Transitions transitions) {
		FreedPlaces.add(this.database, transitions.changed(), transitions.now());
	}

	List<KeyedLimit> of(JobRow row, Job job) {
		List<KeyedLimit> all = new ArrayList<>(3);
		if (row.rateKey != null) {
			String key = row.rateKey;
			RateLimitJson.of(job).ifPresent((limit) -> all.add(new KeyedLimit(key, limit)));
		}
		ofTenant(row.tenant).ifPresent(all::add);
		Optional<Rate> rate = this.limits.queueRates().apply(row.queue);
		rate.ifPresent((of) -> all
			.add(new KeyedLimit(StartLimits.QUEUE + row.queue, RateLimit.of(row.queue).rate(of.limit(), of.period()))));
		return all;
	}

	private Optional<KeyedLimit> ofTenant(@Nullable String tenant) {
		if (tenant == null) {
			return Optional.empty();
		}
		return this.limits.tenantConcurrency()
			.apply(tenant)
			.map((most) -> new KeyedLimit(StartLimits.TENANT + tenant, RateLimit.of(tenant).concurrency(most)));
	}

	/** Returns the keys under which a job has places while it runs. */
	SortedSet<String> placesOf(JobRow row) {
		SortedSet<String> keys = new TreeSet<>(ORDER);
		if (row.rateKey != null) {
			keys.add(row.rateKey);
		}
		ofTenant(row.tenant).ifPresent((limit) -> keys.add(limit.key()));
		if (row.tenant != null && !this.limits.known().getAsBoolean()) {
			keys.add(StartLimits.TENANT + row.tenant);
		}
		return keys;
	}

}
