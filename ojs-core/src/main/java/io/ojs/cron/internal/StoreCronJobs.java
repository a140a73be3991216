package io.ojs.cron.internal;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.ojs.client.internal.JobFactory;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronNotFoundException;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.InvalidCronException;
import io.ojs.crypto.UndecryptableException;
import io.ojs.crypto.UnknownKeyException;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.internal.json.JobRequestJson;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The crons of the job store.
 */
public final class StoreCronJobs implements CronJobs {

	private static final int MAX_DESCRIPTION_LENGTH = 1000;

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]*");

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	private static final Logger logger = SafeLogger.of(StoreCronJobs.class);

	private final CronStore store;

	private final StoreTransactions transactions;

	private final CronSchedules schedules;

	private final CronFiring firing;

	private final JobFactory jobs;

	private final JsonValues values;

	private final Clock clock;

	private final JsonMapper mapper = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private volatile Runnable wake = () -> {
	};

	public StoreCronJobs(CronStore store, StoreTransactions transactions, CronSchedules schedules, CronFiring firing,
			JobFactory jobs, JsonValues values, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.schedules = schedules;
		this.firing = firing;
		this.jobs = jobs;
		this.values = values;
		this.clock = clock;
	}

	/** Sets an action that runs when there may be a cron to fire. */
	void onChange(Runnable action) {
		this.wake = action;
	}

	@Override
	public CronJob register(CronRequest request) {
		CronRequest checked = check(request);
		return changed(this.transactions
			.inTransaction(() -> put(checked, CronJob.API, (before) -> changed(before, checked, CronJob.API))));
	}

	@Override
	public void declare(String application, Collection<CronRequest> requests) {
		String source = CronJob.declaredBy(application);
		List<CronRequest> checked = requests.stream().map(this::check).toList();
		Set<String> names = checked.stream().map(CronRequest::name).collect(Collectors.toSet());
		checked.forEach((request) -> this.transactions
			.inTransaction(() -> put(request, source, (before) -> declared(before, request, source))));
		this.store.list()
			.stream()
			.filter((cron) -> cron.source().equals(source) && !names.contains(cron.name()))
			.forEach((cron) -> {
				logger.info("Cron '{}' is removed: application '{}' does not declare it any more", cron.name(),
						application);
				this.transactions.inTransaction(() -> this.store.lock(cron.name())
					.filter((locked) -> locked.source().equals(source))
					.map(this::removed));
			});
		this.wake.run();
	}

	private CronJob declared(CronJob before, CronRequest request, String source) {
		if (before.source().equals(source) && isSame(before.request(), request)) {
			// With another key the kept job is encrypted again, and nothing else changes.
			return isSameKey(before.request(), request) ? before
					: CronChanges.request(before, request, before.enabled(), source, before.nextRunAt());
		}
		if (!before.source().equals(source)) {
			logger.warn("Cron '{}', registered by '{}' before, is now what '{}' declares", request.name(),
					before.source(), source);
		}
		return changed(before, request, source);
	}

	/** Compares decrypted jobs: the same job has a different ciphertext each time. */
	private boolean isSame(CronRequest before, CronRequest request) {
		if (!JobEncryption.isEncoded(before.job().args()) || !JobEncryption.isEncoded(request.job().args())) {
			return before.equals(request);
		}
		try {
			return before.job(this.jobs.encryption().open(before.job(), before.name()))
				.equals(request.job(this.jobs.encryption().open(request.job(), request.name())));
		}
		catch (UnknownKeyException | UndecryptableException ex) {
			// The new declaration replaces the one that cannot be decrypted.
			return false;
		}
	}

	private static boolean isSameKey(CronRequest before, CronRequest request) {
		return Objects.equals(before.job().meta().get(JobEncryption.KEY_ID),
				request.job().meta().get(JobEncryption.KEY_ID));
	}

	private CronJob put(CronRequest request, String source, UnaryOperator<CronJob> change) {
		while (true) {
			Optional<CronJob> before = this.store.lock(request.name());
			if (before.isPresent()) {
				CronJob after = change.apply(before.get());
				if (!after.equals(before.get())) {
					this.store.update(after);
					this.store.changed(after, CronStore.Change.UPDATED);
				}
				return after;
			}
			Instant now = this.clock.instant();
			CronJob created = new CronJob(request, request.enabled(), source, now,
					request.enabled() ? next(request, now) : null, null, null, 0);
			if (this.store.insert(created)) {
				this.store.changed(created, CronStore.Change.REGISTERED);
				return created;
			}
			// Another process has inserted it meanwhile; lock its row.
		}
	}

	private CronJob changed(CronJob before, CronRequest request, String source) {
		boolean sameTimes = before.request().expression().equals(request.expression())
				&& before.request().zone().equals(request.zone());
		Instant next = before.nextRunAt();
		if (!request.enabled()) {
			next = null;
		}
		else if (next == null || !sameTimes) {
			next = next(request, this.clock.instant());
		}
		return CronChanges.request(before, request, request.enabled(), source, next);
	}

	private @Nullable Instant next(CronRequest request, Instant now) {
		return this.schedules.read(request.expression(), request.zone()).next(now, now).orElse(null);
	}

	@Override
	public CronRequest check(CronRequest request) {
		if (request.name().length() > MAX_NAME_LENGTH || !NAME.matcher(request.name()).matches()) {
			throw new InvalidCronException("name", request.name(),
					"must be lower-case letters, digits, '.' and '-', beginning with a letter or digit, at most 255 "
							+ "characters");
		}
		String description = request.description();
		if (description != null && (description.length() > MAX_DESCRIPTION_LENGTH || description.indexOf(0) >= 0)) {
			throw new InvalidCronException("description", description,
					"must have at most 1000 characters, and no NUL among them");
		}
		// Called for its check of the text.
		this.values.toJson("description", description);
		this.schedules.read(request.expression(), request.zone());
		JobRequest job = request.job();
		refuse("id", job.id());
		refuse("scheduled_at", job.scheduledAt());
		refuse("expires_at", job.expiresAt());
		refuse(JobRequest.PENDING, job.extensions().get(JobRequest.PENDING));
		Job created = this.jobs.check(job);
		JobRequest kept = job.queue(created.queue());
		// The thread that fires the cron has no tenant.
		Object tenant = created.meta().get(Tenants.META_KEY);
		kept = (tenant != null) ? kept.meta(Tenants.META_KEY, tenant) : kept;
		return request.job(this.jobs.encryption().keep(asKept(kept), created.queue(), request.name()));
	}

	/**
	 * Converts a job to the form in which the store returns it, so that the two can be
	 * compared.
	 */
	private JobRequest asKept(JobRequest job) {
		byte[] text = this.mapper.writeValueAsBytes(JobRequestJson.write(job, this.values));
		return JobRequestJson.read(this.mapper.readValue(text, OBJECT), this.clock.instant());
	}

	private static void refuse(String field, @Nullable Object value) {
		if (value != null) {
			throw new InvalidJobException(field, value,
					"must not be set for a job that is enqueued again and again by a cron");
		}
	}

	@Override
	public Optional<CronJob> find(String name) {
		return this.store.find(name);
	}

	@Override
	public List<CronJob> list() {
		return this.store.list();
	}

	@Override
	public List<CronRun> runs(String name, int limit) {
		return this.store.runs(name, limit);
	}

	@Override
	public Map<String, List<CronRun>> runs(Collection<String> names, int limit) {
		return this.store.runs(names, limit);
	}

	@Override
	public List<Instant> nextRuns(CronJob cron, int limit) {
		List<Instant> times = new ArrayList<>();
		CronSchedule schedule = this.schedules.read(cron.request().expression(), cron.request().zone());
		Instant next = cron.enabled() ? cron.nextRunAt() : null;
		while (next != null && times.size() < limit) {
			times.add(next);
			next = schedule.next(next, next).orElse(null);
		}
		return times;
	}

	@Override
	public CronJob enable(String name) {
		return changed(change(name,
				(cron) -> cron.enabled() ? cron
						: update(CronChanges.enabled(cron, true, next(cron.request(), this.clock.instant())),
								CronStore.Change.ENABLED)));
	}

	@Override
	public CronJob disable(String name) {
		return change(name, (cron) -> cron.enabled()
				? update(CronChanges.enabled(cron, false, null), CronStore.Change.DISABLED) : cron);
	}

	@Override
	public CronRun trigger(String name) {
		return changed(change(name, this.firing::fireNow));
	}

	@Override
	public CronJob remove(String name) {
		return change(name, this::removed);
	}

	/**
	 * Releases waiting runs before the cron is deleted; otherwise they would wait for
	 * ever.
	 */
	private CronJob removed(CronJob cron) {
		this.store.waiting(cron.name()).forEach(this.firing::release);
		this.store.delete(cron.name());
		this.store.changed(cron, CronStore.Change.REMOVED);
		return cron;
	}

	private CronJob update(CronJob cron, CronStore.Change change) {
		this.store.update(cron);
		this.store.changed(cron, change);
		return cron;
	}

	private <T> T change(String name, Function<CronJob, T> change) {
		return Objects.requireNonNull(this.transactions.inTransaction(() -> this.store.lock(name).map(change)))
			.orElseThrow(() -> new CronNotFoundException(name));
	}

	private <T> T changed(T result) {
		this.transactions.afterCommit(this.wake);
		return result;
	}

}
