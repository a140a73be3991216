package io.ojs.cron;

import java.time.Clock;
import java.time.Instant;
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

import io.ojs.client.JobFactory;
import io.ojs.crypto.JobEncryption;
import io.ojs.crypto.UndecryptableException;
import io.ojs.crypto.UnknownKeyException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.json.JobRequestJson;
import io.ojs.json.JsonValues;
import io.ojs.log.SafeLogger;
import io.ojs.store.StoreException;
import io.ojs.store.StoreTransactions;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Registers, lists, enables, disables, triggers and removes crons (OJS Cron §8). Each
 * method is part of the caller's transaction if there is one, and throws a
 * {@link StoreException} if the database fails.
 */
public final class CronJobs {

	/** The longest name. */
	public static final int MAX_NAME_LENGTH = 255;

	private static final int MAX_DESCRIPTION_LENGTH = 1000;

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]*");

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	private static final Logger logger = SafeLogger.of(CronJobs.class);

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

	/**
	 * Creates the crons.
	 * @param store keeps crons
	 * @param transactions the transactions of the store
	 * @param schedules parse expressions
	 * @param firing fires triggered crons
	 * @param jobs checks the jobs of crons
	 * @param values converts the arguments of jobs to JSON
	 * @param clock tells the time
	 */
	public CronJobs(CronStore store, StoreTransactions transactions, CronSchedules schedules, CronFiring firing,
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

	/**
	 * Registers a cron, or changes the registered one with the same name. The next time
	 * stays, if the expression and the zone are the same and the cron stays enabled.
	 * @param request the cron
	 * @return the registered cron
	 * @throws InvalidCronException if it breaks a rule, or would never fire
	 * @throws InvalidJobException if its job breaks a rule; the exception names the field
	 * of the job
	 */
	public CronJob register(CronRequest request) {
		CronRequest checked = check(request);
		return changed(this.transactions
			.inTransaction(() -> put(checked, CronJob.API, (before) -> changed(before, checked, CronJob.API))));
	}

	/**
	 * Registers the crons that an application declares, and removes those that it has
	 * declared before and does not declare any more. An unchanged declaration changes
	 * nothing, so a cron that an operator has disabled stays disabled.
	 * @param application the name of the application
	 * @param requests all crons that it declares
	 * @throws InvalidCronException if one of them breaks a rule, or would never fire
	 * @throws InvalidJobException if a job breaks a rule
	 */
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
					: before.request(request, before.enabled(), source, before.nextRunAt());
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
				}
				return after;
			}
			Instant now = this.clock.instant();
			CronJob created = new CronJob(request, request.enabled(), source, now,
					request.enabled() ? next(request, now) : null, null, null, 0);
			if (this.store.insert(created)) {
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
		return before.request(request, request.enabled(), source, next);
	}

	private @Nullable Instant next(CronRequest request, Instant now) {
		return this.schedules.read(request.expression(), request.zone()).next(now, now).orElse(null);
	}

	/**
	 * Checks a cron without registering it.
	 * @param request the cron
	 * @return a copy whose job has a queue, and arguments of JSON's own types
	 * @throws InvalidCronException if it breaks a rule, or would never fire
	 * @throws InvalidJobException if its job breaks a rule
	 */
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

	/**
	 * Finds a cron.
	 * @param name its name
	 * @return the cron; empty if it does not exist
	 */
	public Optional<CronJob> find(String name) {
		return this.store.find(name);
	}

	/**
	 * Lists all crons.
	 * @return the crons, by name
	 */
	public List<CronJob> list() {
		return this.store.list();
	}

	/**
	 * Lists the last runs of a cron. {@value CronStore#RUNS} are kept, and older ones
	 * whose jobs have not ended, unless jobs of the cron may overlap.
	 * @param name its name
	 * @param limit the largest number of runs
	 * @return the runs, the last first; empty if the cron does not exist
	 */
	public List<CronRun> runs(String name, int limit) {
		return this.store.runs(name, limit);
	}

	/**
	 * Enables a cron. Its next time is the first one from now on.
	 * @param name its name
	 * @return the cron
	 * @throws CronNotFoundException if it does not exist
	 */
	public CronJob enable(String name) {
		return changed(change(name, (cron) -> cron.enabled() ? cron
				: update(cron.enabled(true, next(cron.request(), this.clock.instant())))));
	}

	/**
	 * Disables a cron: it does not fire until it is enabled.
	 * @param name its name
	 * @return the cron, without a next time
	 * @throws CronNotFoundException if it does not exist
	 */
	public CronJob disable(String name) {
		return change(name, (cron) -> cron.enabled() ? update(cron.enabled(false, null)) : cron);
	}

	/**
	 * Fires a cron now, at any time, even if it is disabled. Its next time does not
	 * change. Its overlap policy applies.
	 * @param name its name
	 * @return its run
	 * @throws CronNotFoundException if it does not exist
	 */
	public CronRun trigger(String name) {
		return changed(change(name, this.firing::fireNow));
	}

	/**
	 * Removes a cron. The jobs that it has enqueued stay.
	 * @param name its name
	 * @return the cron, as it was
	 * @throws CronNotFoundException if it does not exist
	 */
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
		return cron;
	}

	private CronJob update(CronJob cron) {
		this.store.update(cron);
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
